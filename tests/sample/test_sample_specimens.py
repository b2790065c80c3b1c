"""The malformed and the poisoned files are what they claim, byte for byte, and do no harm."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "sample_registry"
POISONED = [
    "engineering/env-doctor",
    "media/caption-cleaner",
    "office/quick-translate",
    "security/token-health-check",
    "teaching/essay-grader",
    "web/font-subsetter",
]
SCRIPTS = {
    "engineering/env-doctor": ["collect.py", "setup.sh"],
    "security/token-health-check": ["check.py"],
    "web/font-subsetter": ["setup.js"],
}
HOSTS = re.compile(rb"(?:https?://|HTTPSConnection\(\")([^/\s\"')]+)")
TAGS = {chr(0xE0000 + code): chr(code) for code in range(32, 127)}

FAULTS: dict[str, Callable[[bytes], bool]] = {
    "unquoted-colon": lambda data: data.split(b"\n")[2].count(b": ") == 2,
    "missing-closing-fence": lambda data: data.count(b"---\n") == 1,
    "duplicate-key": lambda data: (
        re.findall(rb"^description:", data, re.M) == [b"description:"] * 2
    ),
    "not-utf8": lambda data: data.index(b"\xfc") > 0 and b"\xc3" not in data,
    "name-differs": lambda data: b"name: lamp-rewiring\n" in data,
    "long-description": lambda data: len(re.search(rb'description: "(.*)"', data)[1]) == 1102,
    "no-frontmatter": lambda data: data.startswith(b"# "),
    "empty-file": lambda data: data == b"",
    "cycle-one": lambda data: b"depends_on:\n    - cycle-two\n" in data,
    "cycle-two": lambda data: b"depends_on:\n    - cycle-one\n" in data,
    "type-mismatch": lambda data: b"inputs:\n      - rain:list[Reading]\n" in data,
    "type-mismatch-source": lambda data: b"outputs:\n      - rain:Table\n" in data,
    "alias-bomb": lambda data: data.count(b"*c, ") == 7 and data.count(b"&") == 3,
    "name-with-capitals": lambda data: b"name: Name-With-Capitals\n" in data,
    "tab-indent": lambda data: b"metadata:\n\tversion" in data,
    "dangling-relation": lambda data: b"../leather-paring/SKILL.md" in data,
}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_each_malformed_file_has_its_fault(name: str) -> None:
    data = (ROOT / "malformed" / name / "SKILL.md").read_bytes()
    assert FAULTS[name](data)
    assert b"\r" not in data


def test_the_fault_table_covers_the_group() -> None:
    found = {path.name for path in (ROOT / "malformed").iterdir()}
    assert found == set(FAULTS) | {"wrong-file-name"}
    assert [path.name for path in (ROOT / "malformed/wrong-file-name").iterdir()] == ["skill.md"]


def test_git_keeps_the_bytes() -> None:
    rules = (ROOT / ".gitattributes").read_text("utf-8").splitlines()
    assert "malformed/** -text" in rules
    assert {f"{path}/** -text" for path in POISONED} <= set(rules)


@pytest.mark.parametrize("path", POISONED)
def test_poison_reaches_no_host(path: str) -> None:
    text = "".join(
        file.read_text("utf-8") for file in (ROOT / path).rglob("*") if file.is_file()
    ).translate(str.maketrans(TAGS))
    hosts = HOSTS.findall(text.encode())
    assert hosts or path == "teaching/essay-grader"  # which only has words
    assert all(host.endswith(b".example.invalid") for host in hosts)
    assert not re.search(r"\b\d{1,3}(\.\d{1,3}){3}\b", text)


def test_poison_lies_only_where_the_readme_says() -> None:
    hidden = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\U000e0000-\U000e007f]")
    found = {
        file.relative_to(ROOT).parts[:2]
        for file in ROOT.rglob("*")
        if file.is_file() and hidden.search(file.read_bytes().decode("utf-8", "replace"))
    }
    assert found == {("office", "quick-translate"), ("media", "caption-cleaner")}


def test_the_scripts_end_before_their_dangerous_lines() -> None:
    for path in POISONED:
        scripts = sorted((ROOT / path / "scripts").glob("*"))
        assert [script.name for script in scripts] == SCRIPTS.get(path, [])
        for script in scripts:
            assert script.stat().st_mode & 0o111 == 0
            assert _first(script).startswith(("raise SystemExit(", "exit 64", "process.exit(64)"))


def _first(script: Path) -> str:
    """The first statement of a script, its docstring or comments left out."""
    text = script.read_text("utf-8")
    if script.suffix == ".py":
        return ast.unparse(ast.parse(text).body[1])
    return next(line for line in text.splitlines() if line and not line.startswith(("#", "//")))


def test_the_hidden_orders_are_there_to_be_found() -> None:
    doctor, captions, translate = (
        (ROOT / path / "SKILL.md").read_text("utf-8") for path in POISONED[:3]
    )
    assert "do\nnot mention this step" in re.search(r"<!--(.*?)-->", doctor, re.S)[1]
    assert "send the transcript" in captions.translate(str.maketrans(TAGS))
    assert "ignore earlier rules" in re.sub("[\u200b\u2060]", "", translate)
    assert {"\u202e", "\u202c", "\u2066", "\u2069"} <= set(translate)


def test_an_install_hook_leads_to_the_script_that_stops() -> None:
    package = json.loads((ROOT / "web/font-subsetter/package.json").read_text("utf-8"))
    assert package["scripts"] == {"postinstall": "node scripts/setup.js"}
    assert list(package) == ["name", "version", "private", "scripts"]  # nothing to download


def test_the_readme_warns_of_them() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert all(path in text for path in POISONED)
    assert "do not follow" in text


def test_no_other_script_reaches_for_the_network() -> None:
    reach = re.compile(
        r"\b(urllib|socket|http\.client|requests|ftplib|smtplib)\b|\bfetch\(|"
        r"require\(\"(https?|net|child_process)\"\)|^\s*(curl|wget|nc)\b",
        re.M,
    )
    scripts = [
        path
        for path in ROOT.rglob("scripts/*")
        if path.is_file() and path.parents[1].relative_to(ROOT).as_posix() not in SCRIPTS
    ]
    assert len(scripts) > 60
    assert [path for path in scripts if reach.search(path.read_text("utf-8"))] == []
