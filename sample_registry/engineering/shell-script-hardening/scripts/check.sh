#!/bin/sh
# Check shell scripts for what fails unattended.
# Exit codes: 0 clean, 1 findings, 2 wrong usage or unreadable file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/report.sh"

usage() {
    echo "usage: check.sh FILE..."
    echo "Prints file:line: code: message for each finding; a line that ends in"
    echo "'# hardening: ignore' is left out."
}

# Prints "line code message" for each finding of one file.
scan() {
    awk '
    function hit(code, message) { print NR " " code " " message; any = 1 }
    NR == 1 { script = ($0 ~ /^#!/); sh = ($0 ~ /^#!.*[\/ ]sh([ ]|$)/) }
    /# hardening: ignore$/ { next }
    /^[ \t]*#/ { next }
    {
        if ($0 ~ /(^|[ \t;])set -[a-z]*e/) errexit = 1
        bare = $0
        gsub(/\\./, "", bare)
        gsub(/\047[^\047]*\047/, "", bare)
        sub(/[ \t]#.*$/, "", bare)
        code = bare
        gsub(/"[^"]*"/, "Q", code)
        if (code ~ /(^|[ \t;])(cp|mv|rm|cat|cd|mkdir|chmod|chown|ln|tar|test|\[)[ \t][^;|&]*\$[A-Za-z_0-9@*{]/)
            hit("unquoted", "a variable without quotes is split and globbed")
        if (bare ~ /(^|[ \t;])rm[ \t]+-[a-zA-Z]*[rR][a-zA-Z]*[ \t]+"?\$\{?[A-Za-z_][A-Za-z_0-9]*\}?"?\/("?\*|"?$)/)
            hit("rm_variable", "an empty variable makes this rm start at the root: use ${name:?}")
        if (bare ~ /(^|[ \t;])cd[ \t]/ && bare !~ /\|\||&&/ && !errexit)
            hit("cd_unchecked", "what follows runs in the wrong directory when cd fails")
        if (bare ~ /\/tmp\/[^ "]*\$\$/) hit("temp_name", "a guessable name: use mktemp")
        if (bare ~ /(\$\(|`)ls([ \t)`]|$)/) hit("parse_ls", "loop over a glob instead of the output of ls")
        if (bare ~ /(^|[ \t;(])which[ \t]/) hit("which", "not in POSIX: use command -v")
        if (bare ~ /(^|[ \t;])echo[ \t]+-[en]/) hit("echo_flag", "flags of echo differ: use printf")
        if (bare ~ /(^|[ \t;|])read[ \t]/ && bare !~ /read[ \t]+-[a-z]*r/) hit("read_raw", "read without -r eats backslashes")
        if (sh && code ~ /\[\[|<<<|(^|[ \t])function[ \t]|(^|[ \t])source[ \t]|==|&>/)
            hit("bashism", "bash syntax under a sh line")
    }
    END { if (script && !errexit) print "1 no_errexit no set -e: a command that fails goes unnoticed" }
    ' "$1"
}

case "${1-}" in
    -h|--help) usage; exit 0 ;;
    '') usage >&2; exit 2 ;;
esac
for file in "$@"; do
    if [ ! -f "$file" ] || [ ! -r "$file" ]; then
        printf 'check: cannot read %s\n' "$file" >&2
        exit 2
    fi
    found=$(scan "$file")
    while read -r line code message; do
        [ -z "$line" ] || report "$file" "$line" "$code" "$message"
    done <<LINES
$found
LINES
done
finish check
