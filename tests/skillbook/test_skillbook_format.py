"""The file's format: diffs of one hunk, and what is refused."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from typing import Any

import pytest
from book_helpers import TRACE, add, make_book

from asf_core.domain.errors import InputError, SkillbookFormatError
from asf_core.domain.skillbook import Section
from asf_core.skillbook.book import Skillbook
from asf_core.skillbook.format import dump, parse

SAID = "Skillbook format v2 required — regenerate"


def data_of(book: Skillbook) -> bytes:
    return dump(book.skills(removed=True), book.purged)


def long_book() -> Skillbook:
    """Three skills with long trails, the third removed."""
    book = make_book("git push fails", "tests hang often", "old thing here")
    for number in range(12):
        for ref in ("context-1", "context-2", "context-3"):
            book.tag_skill(ref, number % 3 - 1, TRACE)
    book.remove_skill("context-3", "stale", TRACE)
    return book


CHANGES: dict[str, tuple[Callable[[Skillbook], object], int]] = {
    "add": (lambda b: add(b, "new thing"), 1),
    "add to the other section": (lambda b: add(b, "new thing", Section.HARNESS), 1),
    "issue": (lambda b: b.update_skill("context-1", TRACE, issue="other"), 1),
    "insight": (lambda b: b.update_skill("context-1", TRACE, insight="other"), 1),
    "keywords": (lambda b: b.update_skill("context-1", TRACE, keywords=["k"]), 1),
    "seen again": (lambda b: b.update_skill("context-2", TRACE, occurrences=1), 1),
    "helpful": (lambda b: b.tag_skill("context-2", 1, TRACE), 1),
    "neutral": (lambda b: b.tag_skill("context-2", 0, TRACE), 1),
    "harmful": (lambda b: b.tag_skill("context-2", -1, TRACE), 1),
    "remove": (lambda b: b.remove_skill("context-2", "r", TRACE), 1),
    "restore": (lambda b: b.restore_skill("context-3", "r", TRACE), 1),
    "keep apart": (lambda b: b.keep_apart("context-1", "context-2", "r", "ann"), 1),
    # Two skills change, so two hunks; a purge takes a skill out and leaves its stone at the end.
    "merge": (lambda b: b.merge_skills("context-1", "context-2", "r", "ann"), 2),
    "purge": (lambda b: b.purge("context-3", person="ann", reason="r"), 1),
}


@pytest.mark.parametrize("case", CHANGES)
def test_one_change_of_one_skill_is_one_hunk(case: str) -> None:
    act, hunks = CHANGES[case]
    book = long_book()
    old = data_of(book).decode().splitlines()
    act(book)
    new = data_of(book).decode().splitlines()
    found = list(difflib.unified_diff(old, new, lineterm=""))
    assert sum(line.startswith("@@") for line in found) == hunks


def test_a_line_of_the_trail_is_a_line_of_the_file() -> None:
    lines = data_of(long_book()).decode().splitlines()
    assert sum('"operation_type"' in line for line in lines) == 3 * 13 + 1


def test_what_acts_or_hides_stands_as_escapes() -> None:
    book = make_book("evil \x1b]0;x\x07 \u202e\u200b\U000e0041 thing")
    data = data_of(book)
    assert parse(data).skills == book.skills()
    assert b"\\u202e" in data
    assert not set(data.decode()) & set("\x1b\x07\u202e\u200b\U000e0041")


def _edited(change: Callable[[Any], Any]) -> bytes:
    value = json.loads(data_of(long_book()))
    return json.dumps(change(value) or value).encode()


def _skill(**fields: Any) -> bytes:
    return _edited(lambda v: v["skills"][0].update(fields))


def _source(**fields: Any) -> bytes:
    return _edited(lambda v: v["skills"][0]["sources"][0].update(fields))


V1 = {"skills": {"a-1": {"id": "a-1", "section": "a", "content": "x"}}, "sections": {"a": ["a-1"]}}
MALFORMED: dict[str, bytes] = {
    "empty": b"",
    "no JSON": b"{",
    "not UTF-8": b'{"schema_version": "\xff"}',
    "a list": b"[]",
    "null": b"null",
    "nested too deeply": b"[" * 100_000,
    "version 1": json.dumps(V1).encode(),
    "version 1, named": json.dumps({"schema_version": "1", **V1}).encode(),
    "version as a number": _edited(lambda v: {**v, "schema_version": 2}),
    "version 3": _edited(lambda v: {**v, "schema_version": "3"}),
    "no skills": b'{"schema_version": "2"}',
    "a key twice": b'{"schema_version": "1", "schema_version": "2", "skills": []}',
    "not a number": b'{"schema_version": "2", "skills": [NaN]}',
    "an unknown field": _edited(lambda v: {**v, "next_id": 3}),
    "an embedding": _skill(embedding=[0.1, 0.2]),
    "an unknown section": _skill(section="scope"),
    "the id of another section": _skill(id="harness-00001"),
    "a short id": _skill(id="context-1"),
    "an id twice": _skill(id="context-00002"),
    "no keywords": _skill(keywords=[]),
    "no issue": _skill(issue=" "),
    "no insight in context": _skill(insight=None),
    "occurrences as text": _skill(occurrences="1"),
    "occurrences that the trail does not report": _skill(occurrences=2),
    "no occurrence": _skill(occurrences=0),
    "a negative count": _skill(helpful_count=-1),
    "more verdicts than uses": _skill(used_count=0),
    "active as a number": _skill(active=1),
    "removed without a removal": _skill(active=False),
    "no trail": _skill(sources=[]),
    "a time without zone": _source(recorded_at="2026-03-02T09:00:01"),
    "a day that is none": _source(recorded_at="2026-02-30T09:00:01.000000Z"),
    "a trail out of order": _source(recorded_at="2027-03-02T09:00:01.000000Z"),
    "an unknown operation": _source(operation_type="purge"),
    "updated at another time": _skill(updated_at="2027-03-02T09:00:01.000000Z"),
    "created after it was updated": _skill(created_at="2027-03-02T09:00:01.000000Z"),
    "a purged id in use": _edited(
        lambda v: v["purged"].append(
            {"id": "context-00001", "purged_at": "2026-03-02T09:00:01.000000Z",
             "purged_by": "a", "reason": "r"}
        )
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MALFORMED)
def test_anything_else_is_refused_in_the_stated_words(case: str) -> None:
    with pytest.raises(ValueError, match=f"^{SAID}") as error:
        parse(MALFORMED[case])
    assert isinstance(error.value, InputError)
    assert error.value.why
    assert error.value.hint


def test_keywords_written_by_hand_are_normalised_when_read() -> None:
    [skill, *_] = parse(_skill(keywords=["Git", " push ", "git"])).skills
    assert skill.keywords == ("git", "push")


def test_the_error_says_where_and_what_to_do() -> None:
    with pytest.raises(SkillbookFormatError) as error:
        parse(_skill(section="scope"))
    assert error.value.what == SAID
    assert error.value.why.startswith("skills.0.section")
    with pytest.raises(SkillbookFormatError) as old:
        parse(MALFORMED["version 1"])
    assert "asf skillbook convert" in old.value.hint
