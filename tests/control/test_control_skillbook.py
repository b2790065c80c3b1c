"""From a use that went wrong to an issue, from its insight to a reviewed skill: the whole path."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from asf_core.services.engine import Engine
from tests.control.test_control_cli import Said, _active
from tests.control.test_control_cli import asf as asf  # a fixture

ISSUE = ("--issue", "It pushed to main", "-k", "git,push")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def used(asf: Callable[..., Said]) -> Callable[[str], str]:
    """Uses carver once, says how it went, and gives the id of the feedback."""
    _active(asf)
    asf("trust", "set-channel", "chat", "--tool", "Read")
    grant = asf(
        "grant", "issue", "carver", "--user", "ann", "--purpose", "help", "--channel", "chat",
        "--json",
    ).json["id"]  # fmt: skip

    def use(outcome: str) -> str:
        given = asf(
            "resolve", "carver", "--user", "ann", "--grant", grant, "--purpose", "help",
            "--channel", "chat", "--json",
        ).json["authorisation"]  # fmt: skip
        found: str = asf("feedback", given["id"], "--outcome", outcome, "--json").json["id"]
        return found

    return use


def test_a_use_that_went_wrong_becomes_an_issue_and_its_insight_a_candidate(
    asf: Callable[..., Said], used: Callable[[str], str], tmp_path: Path
) -> None:
    used("helpful")
    unsafe, corrected = used("unsafe"), used("corrected")
    listed = asf("skillbook", "feedback", "--json").json
    assert [(row["feedback"]["id"], row["issue"]) for row in listed] == [
        (unsafe, None),
        (corrected, None),
    ]
    assert asf("skillbook", "list", "--json").json == []  # nothing crosses by itself

    insight = ("--section", "context", "--insight", "Push a branch and open a pull request")
    made = asf("skillbook", "feedback", unsafe, *ISSUE, *insight, "--yes", "--json").json
    pin = listed[0]["feedback"]["pin"]
    assert made["id"] == "context-00001"
    [line] = made["sources"]
    assert line["trace_uid"] == f"asf-control-plane:{unsafe}"
    assert f"carver@1.0.0 sha256:{pin['content_hash']}" in line["learning_text"]
    assert line["error_identification"] == "unsafe, used for help on chat"
    again = asf("skillbook", "feedback", corrected, "--on", "context-1", "--yes", "--json").json
    assert (again["occurrences"], len(again["sources"])) == (2, 2)
    assert {row["issue"] for row in asf("skillbook", "feedback", "--json").json} == {made["id"]}
    assert "in context-00001" in asf("skillbook", "feedback").out

    shelf = tmp_path / "shelf"
    said = asf("skillbook", "draft", "context-1", "--name", "push-helper", "--into", str(shelf))
    assert "asf candidate add push-helper" in said.out
    with Engine.open(tmp_path / "workspace") as engine:
        engine.add_registry(shelf, "shelf")
        engine.sync(["shelf"], degraded=True)
    [candidate] = asf("candidate", "add", "push-helper", "--json").json
    assert (candidate["state"], candidate["pin"]["version"]) == ("candidate", "0.1.0")
    shown = asf("candidate", "diff", "push-helper").out
    assert "Push a branch and open a pull request" in " ".join(shown.split())
    assert asf("activate", "push-helper").code == 3  # reviewed like any other


REFUSED: dict[str, tuple[tuple[str, ...], int, str]] = {
    "nobody to ask": (ISSUE, 3, "A person has to confirm this"),
    "nothing said": ((), 2, "Say what the feedback is"),
    "both said": ((*ISSUE, "--on", "harness-1"), 2, "Say what the feedback is"),
    "keywords of a known one": (("--on", "harness-1", "-k", "x"), 2, "are of a new issue"),
    "an issue that is not there": (("--on", "harness-9"), 2, "no issue 'harness-9'"),
    "no keyword": ((*ISSUE[:2], "--yes"), 2, "was not added"),
    "no insight": ((*ISSUE, "--section", "context", "--yes"), 2, "needs an insight"),
}


def test_a_refusal_records_nothing(asf: Callable[..., Said], used: Callable[[str], str]) -> None:
    identity = used("harmful")
    for case, (args, code, why) in REFUSED.items():
        said = asf("skillbook", "feedback", identity, *args)
        assert (said.code, said.out) == (code, ""), case
        assert why in said.err, case
    assert asf("skillbook", "list", "--json").json == []


def test_other_feedback_is_refused_and_an_unknown_one_named(
    asf: Callable[..., Said], used: Callable[[str], str]
) -> None:
    said = asf("skillbook", "feedback", used("neutral"), *ISSUE, "--yes")
    assert (said.code, "is not adverse" in said.err) == (2, True)
    said = asf("skillbook", "feedback", "feedback-9", *ISSUE, "--yes")
    assert (said.code, "no feedback 'feedback-9'" in said.err) == (2, True)
    assert "No adverse feedback" in asf("skillbook", "feedback").out


def test_a_person_is_asked_and_may_say_no(
    asf: Callable[..., Said], used: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = used("failed")
    answers = {"n\n": 3, "y\n": 0}
    for answer, code in answers.items():
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        said = asf("skillbook", "feedback", identity, *ISSUE)
        assert said.code == code, said
        assert f"{identity}: failed, reg/carver@1.0.0" in said.err
        assert "becomes a new harness issue: It pushed to main" in said.err
    assert len(asf("skillbook", "list", "--json").json) == 1
