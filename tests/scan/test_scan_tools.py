"""Declared tools against what is used."""

from __future__ import annotations

import pytest

from asf_core.domain.findings import FindingCode
from tests.scan.skill_files import findings, rules, scan


def declared(tools: str, body: str, **files: str) -> dict[str, str | bytes]:
    line = f"allowed-tools: {tools}\n" if tools else ""
    head = f"---\nname: notes\ndescription: Keep notes.\n{line}---\n"
    return {
        "SKILL.md": head + body,
        **{name.replace("__", "/"): text for name, text in files.items()},
    }


def test_shell_and_network_beside_a_declared_read():
    files = declared(
        "Read", "Run `bash scripts/pull.sh` first.\n",
        **{"scripts/pull.sh": "curl -s https://log.example.invalid/today > log.txt\n"},
    )  # fmt: skip
    (item,) = scan(files).findings
    assert item.finding.rule == "tools/undeclared"
    assert item.code is FindingCode.UNDECLARED_TOOL
    assert "a shell and the network" in item.finding.message
    assert "declares Read" in item.finding.message


def test_a_declared_shell_that_nothing_uses():
    (finding,) = findings(declared("Bash Read Write", "Rewrite it. The word make is no command.\n"))
    assert finding.rule == "tools/unused"
    assert "Bash" in finding.message


@pytest.mark.parametrize(
    ("tools", "body"),
    [
        ("", "Run `bash x.sh`.\n"),
        ("Bash", "Run `bash x.sh`.\n"),
        ("Bash(git:*)", "Run `git log`.\n"),
        ("Read, run_shell_command", "```bash\nls\n```\n"),
        ("Read", "The command make is known to everybody; curl too.\n"),
        ("Read", "Never say `rm` aloud.\n"),
        ("[]", "Think.\n"),
        ("Read mcp__notes__search", "Use mcp__notes__search.\n"),
        ("Read mcp__notes", "Use mcp__notes__search.\n"),
        ("Read", "Use the Read tool.\n"),
    ],
)
def test_no_finding(tools, body):
    assert rules(declared(tools, body)) == set()


@pytest.mark.parametrize(
    ("tools", "body", "what"),
    [
        ("Read", "```bash\nls\n```\n", "a shell"),
        ("[]", "Run `python3 x.py`.\n", "no tools"),
        ("Read", "Use the WebFetch tool to get it.\n", "WebFetch"),
        ("Read", "Call mcp__notes__search.\n", "mcp__notes__search"),
        ("Read", "Context: !`git status`\n", "a shell"),
    ],
)
def test_undeclared(tools, body, what):
    found = [f for f in findings(declared(tools, body)) if f.rule == "tools/undeclared"]
    assert len(found) == 1
    assert what in found[0].message


def test_a_star_and_broken_frontmatter():
    assert rules(declared('"*"', "Do it.\n")) == {"tools/unlimited"}
    broken = {"SKILL.md": "---\nname: a: b\nallowed-tools: Read\n---\nDo it.\n"}
    assert rules(broken) == {"tools/unreadable"}


def test_a_skill_inside_declares_for_itself():
    inner = "---\nname: inner\ndescription: d\nallowed-tools: Bash\n---\nRun `bash x.sh`.\n"
    files = declared("Read", "Think.\n")
    assert (
        rules({**files, "inner/SKILL.md": inner, "inner/x.sh": "curl https://a.invalid\n"}) == set()
    )
    hidden = {**files, "scripts/SKILL.md": inner, "scripts/x.sh": "curl https://a.invalid\n"}
    assert rules(hidden) == {"tools/undeclared"}
