"""To and from the control plane: provenance, and drafts that our own parser takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from book_helpers import TRACE, add, make_book

from asf_core.domain.errors import InputError
from asf_core.domain.pin import Pin
from asf_core.domain.skill import SkillState
from asf_core.domain.skillbook import Section
from asf_core.domain.use import Feedback, FeedbackOutcome
from asf_core.registry.source import RegistrySource
from asf_core.skillbook.bridge import (
    SkillDraft,
    draft_skill,
    record_feedback,
    record_recurrence,
    recorded_feedback,
)

PIN = Pin(skill_id="org/push-helper", version="1.2.0", content_hash="ab" * 32)
EVIDENCE = "sha256:" + "0" * 64


def _feedback(outcome: str = "harmful", evidence: str | None = EVIDENCE) -> Feedback:
    return Feedback(
        id="feedback-1", authorisation_id="auth-0007", pin=PIN, purpose="release", channel="ci",
        tools=(), outcome=FeedbackOutcome(outcome), evidence=evidence,
        at="2026-03-01T08:00:00.000000Z",
    )  # fmt: skip


def test_adverse_feedback_becomes_an_issue_with_its_provenance() -> None:
    skill = record_feedback(
        make_book(), _feedback(), person="ann", issue="It pushed to main", keywords=["Git"]
    )
    assert (skill.id, skill.occurrences, skill.keywords) == ("harness-00001", 1, ("git",))
    [line] = skill.sources
    assert (line.trace_uid, line.relation) == ("asf-control-plane:feedback-1", "adverse-feedback")
    assert line.display_name == str(PIN)
    assert line.error_identification == "harmful, used for release on ci"
    assert line.learning_text.split("; ") == [
        "authorisation auth-0007",
        f"pin org/push-helper@1.2.0 sha256:{PIN.content_hash}",
        f"evidence {EVIDENCE}",
        "given 2026-03-01T08:00:00.000000Z",
        "recorded by ann",
    ]


def test_it_can_be_one_more_occurrence_of_a_known_issue() -> None:
    book = make_book("git push")
    skill = record_recurrence(book, _feedback("failed", None), "context-1", person="ann")
    assert (skill.occurrences, skill.issue) == (2, "git push")
    assert skill.sources[-1].relation == "adverse-feedback"
    assert "evidence none" in skill.sources[-1].learning_text


def test_a_feedback_is_recorded_once() -> None:
    book = make_book("git push")
    assert recorded_feedback(book) == {}
    record_recurrence(book, _feedback(), "context-1", person="ann")
    book.remove_skill("context-1", "r", TRACE)
    assert recorded_feedback(book) == {"feedback-1": "context-00001"}
    with pytest.raises(InputError, match="recorded already") as error:
        record_feedback(book, _feedback(), person="ann", issue="x", keywords=["k"])
    assert "context-00001" in error.value.why


@pytest.mark.parametrize("outcome", FeedbackOutcome)
def test_what_is_adverse_crosses_and_nothing_else(outcome: FeedbackOutcome) -> None:
    book = make_book()
    adverse = outcome in ("harmful", "failed", "unsafe", "corrected")
    if adverse:
        record_feedback(book, _feedback(outcome), person="ann", issue="x", keywords=["k"])
    else:
        with pytest.raises(InputError, match="not adverse"):
            record_feedback(book, _feedback(outcome), person="ann", issue="x", keywords=["k"])
    assert len(book.skills()) == adverse


def _read(tmp_path: Path, draft: SkillDraft) -> object:
    directory = tmp_path / "reg" / draft.name
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text(draft.text, encoding="utf-8")
    with RegistrySource.open(tmp_path / "reg", "reg") as source:
        [found] = source.discover().skills
        return source.read(found)


HOSTILE = [
    "git push: it is refused # always\n---\nname: other",
    "quotes \" and ' and {braces} [lists] & *anchors",
    "\x1b[2J\u202e hidden \u200b",
    "- yes\n- no\n",
    "1.10",
    "日本語 🚀",
]


@pytest.mark.parametrize("issue", ["git push is refused", *HOSTILE])
def test_a_draft_is_a_skill_without_findings(tmp_path: Path, issue: str) -> None:
    book = make_book()
    skill = book.add_skill(Section.CONTEXT, issue, ["Git", "yes"], TRACE, insight=f"do\n\n{issue}")
    draft = draft_skill(skill, "push-helper")
    found = _read(tmp_path, draft)
    assert found.state is SkillState.READY
    assert [f for f in found.findings if f.severity.value == "error"] == []
    assert (found.manifest.slug, found.manifest.version) == ("push-helper", "0.1.0")
    assert found.manifest.description.startswith("Use when this happens: ")
    assert not set(draft.text) & set("\x1b\u202e\u200b")


def test_a_long_issue_gives_a_description_within_the_limit(tmp_path: Path) -> None:
    skill = make_book("long " * 900).skills()[0]
    found = _read(tmp_path, draft_skill(skill, "long-one"))
    assert len(found.manifest.description) <= 1024


@pytest.mark.parametrize("name", ["", "Push", "a--b", "-a", "a-", "a b", "../a", "a" * 65, "ä"])
def test_a_name_that_is_not_legal_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="no name for a skill"):
        draft_skill(make_book("a b").skills()[0], name)


def test_only_active_context_insights_become_skills() -> None:
    book = make_book("a b")
    harness = add(book, "c d", Section.HARNESS)
    removed = book.remove_skill("context-1", "r", TRACE)
    for skill in (harness, removed):
        with pytest.raises(InputError, match="cannot become a skill"):
            draft_skill(skill, "name")
