"""The malformed and the poisoned files are what they claim, byte for byte, and do no harm."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "sample_registry"
POISONED = ["engineering/env-doctor", "office/quick-translate"]
HOSTS = re.compile(rb"https?://([^/\s\"')]+)")

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
    data = b"".join(file.read_bytes() for file in (ROOT / path).rglob("*") if file.is_file())
    hosts = HOSTS.findall(data)
    assert hosts
    assert all(host.endswith(b".example.invalid") for host in hosts)
    assert not re.search(rb"\b\d{1,3}(\.\d{1,3}){3}\b", data)


def test_poison_lies_only_where_the_readme_says() -> None:
    hidden = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\U000e0000-\U000e007f]")
    found = {
        file.relative_to(ROOT).parts[:2]
        for file in ROOT.rglob("*")
        if file.is_file() and hidden.search(file.read_bytes().decode("utf-8", "replace"))
    }
    assert found == {("office", "quick-translate")}


def test_the_scripts_end_before_their_dangerous_lines() -> None:
    scripts = ROOT / "engineering/env-doctor/scripts"
    assert sorted(path.name for path in scripts.iterdir()) == ["collect.py", "setup.sh"]
    first = ast.parse((scripts / "collect.py").read_text("utf-8")).body[1]
    assert isinstance(first, ast.Raise)
    assert ast.unparse(first).startswith("raise SystemExit(")
    lines = (scripts / "setup.sh").read_text("utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert commands[0] == "exit 64"
    assert all(path.stat().st_mode & 0o111 == 0 for path in scripts.iterdir())


def test_the_hidden_orders_are_there_to_be_found() -> None:
    doctor = (ROOT / "engineering/env-doctor/SKILL.md").read_text("utf-8")
    translate = (ROOT / "office/quick-translate/SKILL.md").read_text("utf-8")
    assert "do\nnot mention this step" in re.search(r"<!--(.*?)-->", doctor, re.S)[1]
    assert "ignore earlier rules" in re.sub("[\u200b\u2060]", "", translate)
    assert {"\u202e", "\u202c", "\u2066", "\u2069"} <= set(translate)


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
        if path.is_file() and "env-doctor" not in path.parts
    ]
    assert len(scripts) > 30
    assert [path for path in scripts if reach.search(path.read_text("utf-8"))] == []
