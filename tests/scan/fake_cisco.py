#!/usr/bin/env python3
"""Speaks as ``skill-scanner`` 2.3.2 does: ``--version``, and ``scan DIR --format json``.

The name of the executable says how it behaves.
"""

import json
import os
import sys
import time
from pathlib import Path

POLICY = "0a" * 32
mode = Path(sys.argv[0]).name


def finding(rule, category, severity, path, line, snippet, description):
    return {
        "id": f"{rule}_1",
        "rule_id": rule,
        "category": category,
        "severity": severity,
        "title": rule.replace("_", " ").title(),
        "description": description,
        "file_path": path,
        "line_number": line,
        "snippet": snippet,
        "remediation": "Remove it",
        "analyzer": "static",
        "metadata": {"scan_policy_fingerprint_sha256": POLICY},
    }


def main():
    if sys.argv[1:] == ["--version"]:
        if mode == "dumb":
            print("hello")
            return 0
        print("skill-scanner 2.3.2")
        return 0
    assert sys.argv[1] == "scan", sys.argv
    assert sys.argv[3:] == ["--format", "json", "--compact", "--verbose"], sys.argv
    root = Path(sys.argv[2])
    files = sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())
    probing = b"name: probe" in (root / "SKILL.md").read_bytes() if "SKILL.md" in files else False
    if not probing:
        if mode == "slow":
            time.sleep(60)
        if mode == "fails":
            print("Error loading skill: SKILL.md is not valid UTF-8", file=sys.stderr)
            return 1
        if mode == "garbage":
            print("{not json")
            return 0
        if mode == "shapeless":
            print(json.dumps({"findings": "none"}))
            return 0
    findings = []
    for path in files:
        file = root / path
        assert not file.is_symlink()
        assert not os.access(file, os.X_OK)
        text = file.read_text("utf-8", "replace")
        for number, line in enumerate(text.splitlines(), 1):
            if "curl" in line:
                findings.append(
                    finding(
                        "NETWORK_FLOW",
                        "command_injection",
                        "HIGH",
                        path,
                        number,
                        line,
                        f"runs {line}",
                    )
                )
            if "ghp_" in line:
                findings.append(
                    finding(
                        "YARA_credential",
                        "hardcoded_secrets",
                        "CRITICAL",
                        path,
                        number,
                        line,
                        f"found: {line}",
                    )
                )
            if "ignore" in line:
                findings.append(
                    finding(
                        "PROMPT_INJECTION",
                        "prompt_injection",
                        "MEDIUM",
                        path,
                        number,
                        line,
                        "\x1b[31mred",
                    )
                )
            if "../" in line:
                findings.append(
                    finding(
                        "PATH_TRAVERSAL", "policy_violation", "SAFE", path, None, None, "climbs"
                    )
                )
    if not probing and mode == "odd":
        findings.append(
            {"severity": "WEIRD", "category": 7, "file_path": "../../etc/passwd", "line_number": -3}
        )
        findings.append("no object")
    report = {
        "skill_name": root.name,
        "is_safe": not findings,
        "findings": findings,
        "findings_count": len(findings),
        "analyzers_used": ["static_analyzer"],
        "scan_metadata": {"policy_name": "default", "policy_fingerprint_sha256": POLICY},
        "environment": sorted(os.environ),
    }
    if mode == "no-policy":
        del report["scan_metadata"]
    print(json.dumps(report))
    return 0


sys.exit(main())
