"""``asf skillbook``, each run in a process of its own."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from asf_core.cli import main
from tests.whole.process import SAMPLE, Asf

HELD = "--section context -k git,push --insight"


@pytest.fixture
def asf(tmp_path: Path) -> Asf:
    return Asf(tmp_path / "workspace", tmp_path)


@dataclass(frozen=True)
class Here:
    """Runs ``asf`` in this process: quick, for many runs that need no process of their own."""

    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]

    def run(self, *args: str) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["asf", "skillbook", *args])
        with pytest.raises(SystemExit) as left:
            main.run()
        out, err = self.capfd.readouterr()
        return int(left.value.code or 0), out, err


@pytest.fixture
def here(asf: Asf, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    monkeypatch.setenv("ASF_WORKSPACE", str(asf.workspace))
    monkeypatch.chdir(asf.cwd)
    return Here(monkeypatch, capfd)


def _add_here(here: Here, issue: str, insight: str) -> None:
    assert here.run("add", issue, *HELD.split(), insight)[0] == 0


def _add(asf: Asf, issue: str, insight: str) -> str:
    found = asf.json("skillbook", "add", issue, *HELD.split(), insight, "--trace-id", "run-1")
    return str(found["id"])


def test_an_issue_from_its_first_word_to_its_removal(asf: Asf) -> None:
    assert _add(asf, "push to main is rejected", "open a pull request") == "context-00001"
    book = ("skillbook",)
    asf.run(*book, "update", "context-1", "--seen", "2", "--error", "403", "--question", "push it")
    asf.run(*book, "tag", "context-1", "helpful", "--system", "langsmith", "--trace-id", "r9")
    found = asf.json(*book, "search", "my", "commits", "were", "refused")
    assert [hit["skill"]["id"] for hit in found] == ["context-00001"]
    shown = asf.run(*book, "show", "context-1").stdout
    for said in ("met        3x", "langsmith:r9", "error: 403", "asked: push it", "helpful"):
        assert " ".join(said.split()) in " ".join(shown.split())
    assert "Insight: open a pull request" in asf.run(*book, "prompt").stdout
    report = asf.json(*book, "report", "--period", "day", "--columns", "2")
    assert report["totals"]["occurrences"] == 3
    assert report["over_time"]["rows"][0]["counts"] == [0, 3]
    asf.run(*book, "remove", "context-1", "--reason", "fixed upstream")
    assert asf.json(*book, "list") == []
    assert "fixed upstream" in asf.run(*book, "show", "context-1").stdout
    asf.run(*book, "restore", "context-1", "--reason", "came back")
    [skill] = asf.json(*book, "list", "--keyword", "push")
    kinds = [line["operation_type"] for line in skill["sources"]]
    assert kinds == ["add", "update", "tag", "remove", "restore"]
    saved = json.loads((asf.workspace / "skillbook.json").read_text("utf-8"))
    assert saved["schema_version"] == "2"
    assert saved["skills"] == [skill]


REFUSED: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no such issue": (("show", "context-9"), 2, "no issue 'context-9'"),
    "no such section": (("list", "--section", "scope"), 2, "no section 'scope'"),
    "no such verdict": (("tag", "context-1", "good"), 2, "no verdict"),
    "no such period": (("report", "--period", "year"), 2, "no period"),
    "no insight": (("add", "x", "--section", "context", "-k", "a"), 2, "needs an insight"),
    "no keyword": (("add", "x", "--section", "harness", "-k", " , "), 2, "keyword"),
    "no file": (("import", "nowhere.json"), 2, "no file nowhere.json"),
    "version 1": (("list", "--file", "v1.json"), 2, "Skillbook format v2 required — regenerate"),
    "nobody to ask": (("merge", "context-1", "context-2", "--reason", "r"), 3, "confirm"),
    "purge by a script": (("purge", "context-1", "--reason", "r"), 3, "Only a person can purge"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_is_said_in_three_lines_and_changes_nothing(
    asf: Asf, here: Here, case: str
) -> None:
    args, code, said = REFUSED[case]
    _add_here(here, "push to main is rejected", "open a pull request")
    _add_here(here, "pull is slow", "fetch less")
    (asf.cwd / "v1.json").write_text('{"skills": {}}', encoding="utf-8")
    before = (asf.workspace / "skillbook.json").read_bytes()
    left, out, err = here.run(*args)
    assert (left, out) == (code, "")
    assert said in err
    assert len(err.splitlines()) <= 3
    assert (asf.workspace / "skillbook.json").read_bytes() == before


def test_where_there_is_nothing_it_says_why_and_what_to_do(here: Here) -> None:
    for args in (("list",), ("report",), ("search", "push")):
        assert "No issues yet. Record one with: asf skillbook add" in here.run(*args)[1]
    _add_here(here, "push to main is rejected", "open a pull request")
    for args in (("list", "-k", "ci"), ("search", "push", "-k", "ci")):
        assert here.run(*args)[1] == "No issue passes the filters.\n"
    said = here.run("remove", "context-1", "--reason", "r")[1]
    assert "asf skillbook restore context-00001 --reason TEXT" in said
    assert "all 1 are removed. See them with --all" in here.run("list")[1]
    assert here.run("list", "--all", "-k", "ci")[1] == "No issue passes the filters.\n"


def test_a_prompt_is_not_wrapped(here: Here) -> None:
    _add_here(here, "word " * 60, "do " * 60)
    lines = here.run("prompt")[1].splitlines()
    assert max(map(len, lines)) > 250
    assert len([line for line in lines if line.strip()]) == 6


def test_a_missing_model_leaves_with_4(asf: Asf) -> None:
    _add(asf, "push to main is rejected", "open a pull request")
    done = asf.run("skillbook", "search", "push", "--model-dir", str(asf.cwd / "none"), code=4)
    assert done.stdout == ""


def test_duplicates_are_proposed_and_merged_when_confirmed(asf: Asf) -> None:
    _add(asf, "push to main is rejected because it is protected", "open a pull request")
    _add(asf, "pushing to main fails, the branch is protected", "open a pull request")
    found = asf.run("skillbook", "duplicates").stdout
    assert "asf skillbook merge context-00001 context-00002 --reason TEXT" in found
    [pair] = asf.json("skillbook", "duplicates")
    merged = asf.json(
        "skillbook", "merge", pair["keep"], pair["other"], "--reason", "one", "--yes",
        "--issue", "main cannot be pushed to",
    )  # fmt: skip
    assert (merged["occurrences"], merged["issue"]) == (2, "main cannot be pushed to")
    assert asf.json("skillbook", "duplicates") == []


def test_two_that_are_not_one_are_kept_apart(asf: Asf) -> None:
    _add(asf, "push to main is rejected because it is protected", "open a pull request")
    _add(asf, "pushing to main fails, the branch is protected", "open a pull request")
    asf.run("skillbook", "keep", "context-1", "context-2", "--reason", "two hosts")
    assert asf.json("skillbook", "duplicates") == []


def test_version_1_is_converted_with_what_is_not_known(asf: Asf) -> None:
    entry = {"section": "git", "content": "Open a pull request.", "helpful": 2}
    (asf.cwd / "v1.json").write_text(json.dumps({"bullets": {"g-1": entry}}), encoding="utf-8")
    said = asf.run("skillbook", "convert", "v1.json", "--into", "v2.json").stdout
    assert "issue: the advice itself" in said
    [skill] = asf.json("skillbook", "list", "--file", "v2.json")
    assert (skill["insight"], skill["helpful_count"]) == ("Open a pull request.", 2)
    found = asf.json("skillbook", "import", "v2.json")
    assert [item["id"] for item in found["added"]] == ["context-00001"]


def test_an_insight_becomes_a_draft_that_syncs_as_a_skill(asf: Asf) -> None:
    _add(asf, "push to main is rejected", "open a pull request")
    made = asf.json("skillbook", "draft", "context-1", "--name", "push-helper", "--into", "drafts")
    assert made["source"] == "context-00001"
    asf.run("sync", "drafts")
    shown = asf.json("show", "push-helper")["skill"]
    # A draft is read as a skill; whether it is good enough to be routed, the gate says.
    assert shown["state"] in {"ready", "quarantined"}
    assert shown["manifest"]["version"] == "0.1.0"


def test_a_person_at_a_terminal_purges_by_typing_the_id(asf: Asf) -> None:
    _add(asf, "the token is hunter2", "x")
    asf.run("skillbook", "remove", "context-1", "--reason", "secret")
    for typed, code in (("context-2\n", 3), ("context-00001\n", 0)):
        master, slave = pty.openpty()
        os.write(master, typed.encode())
        env = {**os.environ, "ASF_WORKSPACE": str(asf.workspace), "PYTHONPATH": str(SAMPLE.parent)}
        done = subprocess.run(
            [sys.executable, "-m", "asf_core.cli.main", "skillbook", "purge", "context-1",
             "--reason", "held a token"],
            stdin=slave, capture_output=True, text=True, timeout=60, env=env, cwd=asf.cwd,
        )  # fmt: skip
        os.close(master)
        os.close(slave)
        assert done.returncode == code, done.stderr
    text = (asf.workspace / "skillbook.json").read_text("utf-8")
    assert "hunter2" not in text
    assert json.loads(text)["purged"][0]["reason"] == "held a token"


SHOWN = (("list",), ("show", "context-1"), ("prompt",), ("report",), ("search", "evil"))


@pytest.mark.parametrize("args", SHOWN)
@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_hostile_text_reaches_no_terminal(
    here: Here, args: tuple[str, ...], extra: tuple[str, ...]
) -> None:
    _add_here(here, "evil \x1b]0;title\x07 \u202e [bold]text", "do \x1b[2J this")
    left, out, _ = here.run(*args, *extra)
    assert left == 0
    assert "evil" in out or args == ("report",)
    assert not set(out) & set("\x1b\x07\u202e")
    assert "bold" not in out or "[bold]" in out
