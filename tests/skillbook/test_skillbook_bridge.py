"""To and from the control plane: provenance, and drafts that our own parser takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from book_helpers import TRACE, add, make_book

from asf_core.domain.errors import InputError
from asf_core.domain.skill import SkillState
from asf_core.domain.skillbook import Section
from asf_core.registry.source import RegistrySource
from asf_core.skillbook.bridge import SkillDraft, draft_skill, record_feedback, record_recurrence


@dataclass(frozen=True)
class Feedback:
    """What the control plane retains of a use."""

    outcome: str = "harmful"
    id: str = "feedback-1"
    authorisation_id: str = "auth-7"
    pin: str = "org/push-helper@1.2.0#abcdef012345"
    purpose: str = "release"
    channel: str = "ci"
    evidence: str | None = "sha256:" + "0" * 64


def test_adverse_feedback_becomes_an_issue_with_its_provenance() -> None:
    book = make_book()
    skill = record_feedback(
        book, Feedback(), issue="It pushed to main", keywords=["push-helper", "git"]
    )
    assert (skill.id, skill.occurrences) == ("harness-00001", 1)
    [line] = skill.sources
    assert (line.trace_uid, line.relation) == ("asf-control-plane:feedback-1", "adverse-feedback")
    assert line.display_name == "org/push-helper@1.2.0#abcdef012345"
    assert line.error_identification == "harmful, used for release on ci"
    assert line.learning_text == (
        "authorisation auth-7; pin org/push-helper@1.2.0#abcdef012345; evidence sha256:" + "0" * 64
    )


def test_it_can_be_one_more_occurrence_of_a_known_issue() -> None:
    book = make_book("git push")
    skill = record_recurrence(book, Feedback("failed", evidence=None), "context-1")
    assert skill.occurrences == 2
    assert skill.sources[-1].relation == "adverse-feedback"


def test_a_feedback_is_recorded_once() -> None:
    book = make_book("git push")
    record_recurrence(book, Feedback(), "context-1")
    with pytest.raises(InputError, match="recorded already") as error:
        record_feedback(book, Feedback(), issue="x", keywords=["k"])
    assert "context-00001" in error.value.why


@pytest.mark.parametrize("outcome", ["helpful", "neutral", "", "Harmful"])
def test_other_feedback_does_not_cross(outcome: str) -> None:
    book = make_book()
    with pytest.raises(InputError, match="not adverse"):
        record_feedback(book, Feedback(outcome), issue="x", keywords=["k"])
    assert book.skills() == ()


@pytest.mark.parametrize("outcome", ["unsafe", "corrected", "harmful", "failed"])
def test_every_adverse_outcome_does(outcome: str) -> None:
    assert record_feedback(make_book(), Feedback(outcome), issue="x", keywords=["k"])


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
