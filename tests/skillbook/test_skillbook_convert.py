"""From version 1: what comes over, and what is said to be unknown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from book_helpers import Clock

from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import Section
from asf_core.skillbook.convert import Converted, convert
from asf_core.skillbook.format import dump, parse

ENTRY = {
    "id": "git-00001",
    "section": "git_usage",
    "content": "Open a pull request instead of pushing.",
    "helpful": 3,
    "harmful": 1,
    "neutral": 0,
    "created_at": "2025-11-02T10:00:00+00:00",
    "updated_at": "2025-11-03T10:00:00+00:00",
    "embedding": [0.1, 0.2],
    "status": "active",
}


def made(*entries: dict[str, Any], name: str = "skills") -> Converted:
    value = {name: {entry.get("id", str(at)): entry for at, entry in enumerate(entries)}}
    return convert(json.dumps({**value, "sections": {}, "next_id": 9}).encode(), Clock())


def fields(found: Converted) -> dict[str, str]:
    return {item.field: item.put for item in found.unknown}


def test_what_is_known_comes_over() -> None:
    found = made(ENTRY)
    [skill] = found.book.skills()
    assert (skill.id, skill.insight) == ("context-00001", ENTRY["content"])
    assert (skill.used_count, skill.helpful_count, skill.harmful_count) == (4, 3, 1)
    assert skill.created_at == "2025-11-02T10:00:00.000000Z"
    assert skill.keywords == ("git usage",)
    [line] = skill.sources
    assert (line.operation_type, line.trace_uid) == ("convert", "skillbook-v1:git-00001")


def test_what_version_1_could_not_tell_is_listed() -> None:
    said = fields(made(ENTRY))
    assert set(said) == {"section", "issue", "keywords", "used_count", "occurrences", "sources"}
    assert said["section"] == "context (was git_usage)"
    assert said["keywords"] == "git usage"
    assert said["occurrences"] == "1"


def test_nothing_is_called_unknown_that_is_there() -> None:
    entry = {**ENTRY, "section": "context", "issue": "The push is rejected.", "used": 9,
             "keywords": ["Git", "push"]}  # fmt: skip
    found = made(entry)
    [skill] = found.book.skills()
    assert (skill.issue, skill.used_count) == ("The push is rejected.", 9)
    assert skill.keywords == ("git", "push")
    assert set(fields(found)) == {"occurrences", "sources"}


def test_why_and_evidence_go_into_the_trail() -> None:
    entry = {**ENTRY, "justification": "Two runs failed.", "evidence": "remote: denied"}
    [line] = made(entry).book.skills()[0].sources
    assert line.learning_text == "Two runs failed."
    assert line.error_identification == "remote: denied"


def test_what_is_left_behind_is_said() -> None:
    entry = {**ENTRY, "sources": [{"epoch": 1}], "owner": "ann", "notes": "", "embedding": [0.1]}
    value = {"skills": [entry], "similarity_decisions": {"a,b": {"decision": "KEEP"}}}
    said = fields(convert(json.dumps(value).encode(), Clock()))
    assert said["sources"] == "the conversion alone, 1 left behind"
    assert said["owner"] == "left behind"
    assert said["similarity_decisions"].startswith("left behind: 1")
    assert not said.keys() & {"notes", "embedding", "updated_at"}


def test_it_is_a_whole_version_2_file() -> None:
    book = made(ENTRY, {**ENTRY, "id": "x", "status": "invalid"}).book
    data = dump(book.skills(removed=True), book.purged)
    assert parse(data).skills == book.skills(removed=True)
    assert b"embedding" not in data


def test_what_was_removed_stays_removed() -> None:
    book = made({**ENTRY, "status": "invalid"}).book
    assert book.skills() == ()
    [skill] = book.skills(removed=True)
    assert skill.removal_reason == "removed in version 1, reason not kept"


def test_harness_advice_stands_as_the_issue() -> None:
    [skill] = made({**ENTRY, "section": "Harness"}).book.skills()
    assert (skill.id, skill.section) == ("harness-00001", Section.HARNESS)
    assert (skill.issue, skill.insight) == (ENTRY["content"], None)


def test_bullets_and_lists_are_read_too() -> None:
    assert len(made(ENTRY, name="bullets").book.skills()) == 1
    found = convert(json.dumps({"skills": [ENTRY, {"content": "x"}]}).encode(), Clock())
    assert [s.sources[0].trace_id for s in found.book.skills()] == ["git-00001", "2"]


ODD: dict[str, tuple[dict[str, Any], str, str]] = {
    "a count as text": ({"helpful": "3"}, "helpful_count", "0 (was no number)"),
    "a negative count": ({"harmful": -3}, "harmful_count", "0 (was no number)"),
    "a count as truth": ({"neutral": True}, "neutral_count", "0 (was no number)"),
    "no time": ({"created_at": None}, "created_at", "the time of the conversion"),
    "a time before all time": ({"created_at": "0001-01-01T00:00:00+14:00"}, "created_at",
                               "the time of the conversion"),
    "a time without zone": ({"created_at": "2025-11-02"}, "created_at",
                            "2025-11-02T00:00:00 taken for UTC"),
    "fewer uses than verdicts": ({"used": 1}, "used_count", "4, the number of verdicts"),
    "keywords that are none": ({"keywords": [3, " "]}, "keywords", "git usage"),
    "no section": ({"section": ""}, "keywords", "converted"),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_odd_values_are_replaced_and_said(case: str) -> None:
    change, field, put = ODD[case]
    found = made({**ENTRY, **change})
    assert fields(found)[field] == put
    assert len(found.book.skills()) == 1


def test_a_time_to_come_is_that_of_the_conversion() -> None:
    [skill] = made({**ENTRY, "created_at": "2999-01-01T00:00:00Z"}).book.skills()
    assert skill.created_at == skill.updated_at


def test_an_entry_without_text_is_left_out_and_said() -> None:
    found = made({**ENTRY, "content": " "}, {**ENTRY, "id": "b"})
    assert len(found.book.skills()) == 1
    assert found.unknown[0].model_dump() == {
        "id": "", "old_id": "git-00001", "field": "content", "put": "left out: no text",
    }  # fmt: skip


NOT_V1: dict[str, bytes] = {
    "no JSON": b"{",
    "a list": b"[]",
    "nothing in it": b'{"skills": {}}',
    "skills as text": b'{"skills": "x"}',
    "entries as text": b'{"skills": {"a": "x"}}',
    "version 2": b'{"schema_version": "2", "skills": [{}]}',
}


@pytest.mark.parametrize("case", NOT_V1)
def test_what_is_no_version_1_file_is_refused(case: str) -> None:
    with pytest.raises(InputError):
        convert(NOT_V1[case], Clock())
