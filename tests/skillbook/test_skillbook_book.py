"""The operations: what they change, what they refuse, what the trail says of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from book_helpers import START, TRACE, Clock, add, make_book

from asf_core.domain.errors import InputError, UnknownIssueError
from asf_core.domain.instant import instant
from asf_core.domain.skillbook import Operation, Section, Trace
from asf_core.skillbook.book import Skillbook
from asf_core.skillbook.vectors import Stored


def kinds(book: Skillbook, ref: str) -> list[str]:
    return [line.operation_type.value for line in book.read_skill(ref).sources]


def test_an_added_skill_is_normalised_and_starts_its_trail() -> None:
    book = Skillbook(now=Clock())
    skill = book.add_skill(
        Section.CONTEXT, "  It fails ", ["Git", " git ", "CI  Run"], TRACE, insight=" do this "
    )
    assert (skill.id, skill.issue, skill.insight) == ("context-00001", "It fails", "do this")
    assert skill.keywords == ("git", "ci run")
    assert (skill.occurrences, skill.used_count, skill.active) == (1, 0, True)
    [line] = skill.sources
    assert (line.operation_type, line.relation, line.trace_uid) == ("add", "origin", "runs:run-1")
    assert line.recorded_at == skill.created_at == skill.updated_at


def test_ids_count_by_section_and_are_never_given_again() -> None:
    book = make_book("a b", "c d")
    assert add(book, "e f", Section.HARNESS).id == "harness-00001"
    book.remove_skill("context-2", "wrong", TRACE)
    book.purge("context-2", person="ann", reason="held a name")
    assert add(book, "g h").id == "context-00003"


ADDING: dict[str, tuple[Section, str, list[str], str | None]] = {
    "no issue": (Section.CONTEXT, " \n ", ["k"], "i"),
    "no keyword": (Section.CONTEXT, "x", [], "i"),
    "blank keywords": (Section.CONTEXT, "x", [" ", "\t"], "i"),
    "no insight in context": (Section.CONTEXT, "x", ["k"], None),
    "blank insight in context": (Section.CONTEXT, "x", ["k"], "  "),
    "issue over the cap": (Section.CONTEXT, "x" * 20_001, ["k"], "i"),
    "keyword over the cap": (Section.HARNESS, "x", ["k" * 101], None),
    "too many keywords": (Section.HARNESS, "x", [str(n) for n in range(51)], None),
    "lone surrogate": (Section.HARNESS, "x\ud800", ["k"], None),
}


@pytest.mark.parametrize("case", ADDING)
def test_what_is_not_an_issue_is_not_added(case: str) -> None:
    section, issue, keywords, insight = ADDING[case]
    book = make_book("a b")
    before = book.skills(removed=True)
    with pytest.raises(InputError, match="was not added") as error:
        book.add_skill(section, issue, keywords, TRACE, insight=insight)
    assert error.value.why
    assert book.skills(removed=True) == before


def test_a_harness_issue_needs_no_insight() -> None:
    skill = Skillbook(now=Clock()).add_skill(Section.HARNESS, "x", ["k"], TRACE)
    assert skill.insight is None


def test_an_update_keeps_what_it_replaced() -> None:
    book = make_book("old words")
    skill = book.update_skill(
        "context-00001", TRACE, issue="new words", keywords=["k"], occurrences=2
    )
    line = skill.sources[-1]
    assert (skill.issue, skill.keywords, skill.occurrences) == ("new words", ("k",), 3)
    assert [(r.field, r.text) for r in line.replaced] == [
        ("issue", "old words"),
        ("keywords", "old, words"),
    ]
    assert (line.relation, line.occurrences) == ("recurrence", 2)


def test_an_update_that_changes_nothing_is_refused() -> None:
    book = make_book("a b")
    with pytest.raises(InputError, match="Nothing would change"):
        book.update_skill("context-1", TRACE, issue=" a b ", keywords=["A", "b"])
    assert len(book.read_skill("context-1").sources) == 1


def test_tags_count_uses_and_verdicts() -> None:
    book = make_book("a b")
    for delta in (1, 1, -1, 0):
        skill = book.tag_skill("context-1", delta, TRACE)
    assert (skill.used_count, skill.helpful_count) == (4, 2)
    assert (skill.harmful_count, skill.neutral_count, skill.occurrences) == (1, 1, 1)
    assert [line.relation for line in skill.sources[1:]] == [
        "helpful", "helpful", "harmful", "neutral",
    ]  # fmt: skip
    with pytest.raises(InputError, match="2 is no verdict"):
        book.tag_skill("context-1", 2, TRACE)


def test_removal_is_soft_and_reversible_with_reasons() -> None:
    book = make_book("a b", "c d")
    removed = book.remove_skill("context-1", " out of date ", TRACE)
    assert (removed.active, removed.removal_reason) == (False, "out of date")
    assert [s.id for s in book.skills()] == ["context-00002"]
    assert len(book.skills(removed=True)) == 2
    restored = book.restore_skill("context-1", "needed again", TRACE)
    assert (restored.active, restored.removal_reason) == (True, "")
    assert kinds(book, "context-1") == ["add", "remove", "restore"]


Refused = Callable[[Skillbook], object]
REFUSED: dict[str, tuple[Refused, str]] = {
    "tag a removed one": (lambda b: b.tag_skill("context-2", 1, TRACE), "is removed"),
    "update a removed one": (lambda b: b.update_skill("context-2", TRACE, occurrences=1), "removed"),
    "remove it twice": (lambda b: b.remove_skill("context-2", "r", TRACE), "is removed"),
    "remove without reason": (lambda b: b.remove_skill("context-1", " ", TRACE), "not changed"),
    "restore an active one": (lambda b: b.restore_skill("context-1", "r", TRACE), "not removed"),
    "merge with itself": (lambda b: b.merge_skills("context-1", "context-1", "r", "p"), "twice"),
    "merge a removed one": (lambda b: b.merge_skills("context-1", "context-2", "r", "p"), "removed"),
    "merge without reason": (lambda b: b.merge_skills("context-1", "context-3", "", "p"), "merged"),
    "keep without reason": (lambda b: b.keep_apart("context-1", "context-3", "", "p"), "marked"),
    "purge an active one": (lambda b: b.purge("context-1", person="p", reason="r"), "is active"),
    "purge without reason": (lambda b: b.purge("context-2", person="p", reason=""), "not purged"),
    "no such section": (lambda b: b.add_skill("scope", "x", ["k"], TRACE), "no section 'scope'"),
    "read an unknown one": (lambda b: b.read_skill("context-9"), "no issue 'context-9'"),
    "fewer occurrences": (lambda b: b.update_skill("context-1", TRACE, occurrences=-1), "changed"),
    "drop the insight": (lambda b: b.update_skill("context-1", TRACE, insight=""), "not changed"),
    "drop the keywords": (lambda b: b.update_skill("context-1", TRACE, keywords=[]), "not changed"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_changes_nothing(case: str) -> None:
    act, said = REFUSED[case]
    book = make_book("a b", "c d", "e f")
    book.remove_skill("context-2", "gone", TRACE)
    before = book.skills(removed=True)
    with pytest.raises(InputError, match=said):
        act(book)
    assert book.skills(removed=True) == before


def test_a_merge_joins_keywords_and_occurrences_and_removes_the_other() -> None:
    book = make_book("git push", "git pull")
    book.update_skill("context-2", TRACE, occurrences=4)
    book.tag_skill("context-2", -1, TRACE)
    kept = book.merge_skills("context-1", "context-2", "one thing", "ann")
    assert kept.keywords == ("git", "push", "pull")
    assert (kept.occurrences, kept.harmful_count) == (6, 0)
    assert (kept.sources[-1].trace_id, kept.sources[-1].display_name) == ("context-00002", "ann")
    gone = book.read_skill("context-2")
    assert gone.removal_reason == "merged into context-00001: one thing"


def test_a_purge_leaves_no_word_and_says_who() -> None:
    book = make_book("secret words")
    book.remove_skill("context-1", "r", TRACE)
    stone = book.purge("context-1", person="ann", reason="held a token")
    assert book.skills(removed=True) == ()
    assert (stone.purged_by, book.purged) == ("ann", (stone,))
    with pytest.raises(UnknownIssueError, match="purged on 2026-03-02 by ann"):
        book.read_skill("context-00001")


def test_every_mutation_drops_the_embedding_and_only_its_own() -> None:
    import numpy as np

    acts: dict[str, Refused] = {
        "update": lambda b: b.update_skill("context-1", TRACE, occurrences=1),
        "tag": lambda b: b.tag_skill("context-1", 0, TRACE),
        "remove": lambda b: b.remove_skill("context-1", "r", TRACE),
        "keep": lambda b: b.keep_apart("context-1", "context-3", "r", "p"),
        "restore": lambda b: b.restore_skill("context-2", "r", TRACE),
        "purge": lambda b: b.purge("context-2", person="p", reason="r"),
    }
    for name, act in acts.items():
        book = make_book("a b", "c d", "e f")
        book.remove_skill("context-2", "r", TRACE)
        stored = Stored("s", np.ones(2, np.float32))
        book.vectors = {skill.id: stored for skill in book.skills(removed=True)}
        act(book)
        touched = "context-00002" if name in ("restore", "purge") else "context-00001"
        assert set(book.vectors) == {"context-00001", "context-00002", "context-00003"} - {touched}


def test_a_clock_that_is_set_back_does_not_disorder_the_trail() -> None:
    clock = Clock()
    book = make_book("a b", clock=clock)
    clock.at = START - timedelta(days=3)
    skill = book.tag_skill("context-1", 1, TRACE)
    assert skill.updated_at == skill.created_at > instant(clock.at)


def test_filters_need_every_keyword() -> None:
    book = make_book("git push fails", "git pull fails", "tests hang")
    assert [s.id for s in book.skills(keywords=["GIT"])] == ["context-00001", "context-00002"]
    assert [s.id for s in book.skills(keywords=["git", "pull"])] == ["context-00002"]
    assert book.skills(Section.HARNESS) == ()


def test_adoption_keeps_the_trail_and_cuts_its_ids_loose() -> None:
    other = make_book("a b", "c d")
    other.keep_apart("context-1", "context-2", "two things", "ann")
    book = make_book("x y")
    new = book.adopt(other.read_skill("context-1"), Trace.of("file", "context-00001"))
    assert new.id == "context-00002"
    assert kinds(book, new.id) == ["add", "keep", "import"]
    assert new.own_sources == ()
    assert new.sources[-1].operation_type is Operation.IMPORT
