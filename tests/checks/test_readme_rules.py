"""The README's table of rules and its examples are those of the program."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date
from pathlib import Path

import yaml
from typer.main import get_command

from asf_core.cli.app import app
from asf_core.quality.catalogue import catalogue
from asf_core.quality.waivers import load_waivers

ROOT = Path(__file__).parents[2]
FINDS = {
    "code": "shells for others, code that is decoded, put together or typed in",
    "destructive": "deletion without undo, protections off, traces removed",
    "download": "downloads that run, packages from elsewhere",
    "evaluation": "evaluation cases that test nothing",
    "exfiltration": "private data on its way out, credentials read",
    "format": "SKILL.md: encoding, YAML, fields, names, lengths, links",
    "graph": "relations that lead nowhere or contradict",
    "hidden": "comments, titles, styles, padding, zero-width, bidi, tag letters, encodings",
    "hooks": "commands that run by themselves",
    "injection": "words that steer an agent away from its user",
    "integrity": "checksums that do not hold",
    "paths": "paths and archives that climb out",
    "persistence": "jobs, start files, keys and memories that stay",
    "provenance": "programs, archives, files that are not what they seem",
    "registry": "directories, links, names, git config",
    "scan": "what could not be seen",
    "secrets": "tokens, keys, passwords",
    "security": "YAML that runs code",
    "tools": "tools used against tools declared",
    "tree": "links, names, sizes of files",
}


def table() -> str:
    families = defaultdict(list)
    for rule in catalogue().values():
        families[rule.family].append(rule)
    lines = ["| rules | find | say in a receipt |", "|---|---|---|"]
    for family, rules in sorted(families.items()):
        codes = ", ".join(sorted({f"`{rule.code.value}`" for rule in rules}))
        lines.append(f"| `{family}/` ({len(rules)}) | {FINDS[family]} | {codes} |")
    return "\n".join(lines)


def test_the_table_of_rules():
    text = (ROOT / "README.md").read_text("utf-8")
    start, end = text.index("<!-- rules -->\n"), text.index("<!-- /rules -->")
    assert text[start + 15 : end].strip() == table()


def test_the_example_of_a_waiver_is_one(tmp_path):
    text = (ROOT / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(waivers:.*?)```", text, re.DOTALL)
    file = tmp_path / "w.yaml"
    file.write_text(example)
    (waiver,) = load_waivers(file, date(2026, 11, 30)).waivers
    assert waiver.rule in catalogue()


def test_the_pre_commit_hooks_name_commands_that_there_are():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    commands = get_command(app).commands
    for hook in hooks:
        program, command, *options = hook["entry"].split()
        assert program == "asf"
        known = {name for parameter in commands[command].params for name in parameter.opts}
        assert {option for option in options if option != "."} <= known
        if hook.get("pass_filenames", True):
            assert re.search(hook["files"], "skills/a/SKILL.md")
            assert not re.search(hook["files"], "skills/a/NOSKILL.md")
        else:
            assert options[-1] == "."
