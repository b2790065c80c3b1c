"""Query files: what is read, what is refused, and how answers are found in an index."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from asf_core.bench.queries import BenchQuery, judge_against, load_queries, parse_queries
from asf_core.domain.errors import InputError

GOOD: dict[str, Any] = {
    "id": "a:1",
    "query": "find papers",
    "relevant": ["lab/lookup", "lab/lookup", "copy/lookup"],
    "kind": "positive",
    "names_skill": False,
    "source": "a",
}
NEGATIVE = GOOD | {"id": "a:2", "relevant": [], "kind": "negative"}


def line(**changes: Any) -> bytes:
    return json.dumps({k: v for k, v in (GOOD | changes).items() if v is not ...}).encode()


def test_reads_a_query_and_keeps_each_answer_once() -> None:
    (query,) = parse_queries(line(), "q.jsonl")
    assert query == BenchQuery(
        id="a:1",
        query="find papers",
        relevant=("lab/lookup", "copy/lookup"),
        kind="positive",
        source="a",
    )


def test_leaves_unknown_fields_and_empty_lines_alone() -> None:
    data = b"\n" + line(note="by hand") + b"\r\n\n" + json.dumps(NEGATIVE).encode() + b"\n"
    assert [q.id for q in parse_queries(data, "q.jsonl")] == ["a:1", "a:2"]


def test_a_query_may_say_its_plan() -> None:
    plan = ["lab/lookup", "lab/check"]
    (query,) = parse_queries(line(plan=plan), "q.jsonl")
    assert query.plan == tuple(plan)
    registry_of = {"lab/lookup": "lab", "copy/lookup": "copy", "lab/check": "lab"}
    ((judged,), _) = judge_against([query], registry_of)
    assert judged.plan == ({"lab/lookup"}, {"lab/check"})
    del registry_of["lab/check"]
    ((judged,), _) = judge_against([query], registry_of)
    assert judged.plan == ()  # nobody could plan it


def test_fields_that_may_be_absent() -> None:
    absent = {k: v for k, v in NEGATIVE.items() if k not in ("relevant", "names_skill")}
    (query,) = parse_queries(json.dumps(absent).encode(), "q.jsonl")
    assert query.relevant == ()
    assert not query.names_skill


REFUSED = {
    "not JSON": (b"{", "not JSON"),
    "a list": (b"[]", "not a JSON object"),
    "no kind": (line(kind=...), "kind is None"),
    "other kind": (line(kind="maybe"), "'maybe'"),
    "positive without an answer": (line(relevant=[]), "a positive query has 0"),
    "negative with an answer": (line(kind="negative"), "a negative query has 3"),
    "plan is a text": (line(plan="lab/lookup"), "plan is not a list"),
    "answer is a text": (line(relevant="lab/lookup"), "relevant is not a list"),
    "answer is a number": (line(relevant=[1]), "relevant is not a list"),
    "answer is empty": (line(relevant=[""]), "relevant is not a list"),
    "no id": (line(id=...), "id is absent"),
    "blank query": (line(query="  "), "query is absent"),
    "source is a number": (line(source=3), "source is absent"),
    "id twice": (line() + b"\n" + line(query="other"), "the id 'a:1' is in use above"),
}


@pytest.mark.parametrize(("data", "why"), REFUSED.values(), ids=REFUSED)
def test_refuses_with_file_line_and_reason(data: bytes, why: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_queries(data, "q.jsonl")
    assert "q.jsonl, line" in caught.value.what
    assert why in caught.value.why
    assert caught.value.hint


def test_bytes_that_are_not_utf8_do_not_raise() -> None:
    (query,) = parse_queries(line(query="caf\xe9?").replace(b"\\u00e9", b"\xe9"), "q.jsonl")
    assert query.query == "caf\N{REPLACEMENT CHARACTER}?"


def test_loads_several_files_under_one_digest(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_bytes(line())
    two.write_bytes(json.dumps(NEGATIVE).encode())
    found = load_queries([one, two])
    assert [q.id for q in found.queries] == ["a:1", "a:2"]
    parts = [hashlib.sha256(path.read_bytes()).digest() for path in (one, two)]
    assert found.digest == hashlib.sha256(b"".join(parts)).hexdigest()
    assert load_queries([two, one]).digest != found.digest


def test_refuses_one_id_in_two_files(tmp_path: Path) -> None:
    for name in ("one.jsonl", "two.jsonl"):
        (tmp_path / name).write_bytes(line())
    with pytest.raises(InputError, match="in another file too"):
        load_queries([tmp_path / "one.jsonl", tmp_path / "two.jsonl"])


def test_refuses_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_queries([tmp_path / "none.jsonl"])


INDEX = {
    "lab/science/lookup": "lab",
    "lab/lookup": "lab",
    "copy/science/lookup": "copy",
    "copy/relookup": "copy",
}

ANSWERS = {
    "exact id, though others end with it": ("lab/lookup", {"lab/lookup"}),
    "end of one id": ("relookup", {"copy/relookup"}),
    "end of two ids": ("science/lookup", {"lab/science/lookup", "copy/science/lookup"}),
    "not in the middle of a word": ("elookup", set()),
    "not the beginning": ("lab/science", set()),
}


@pytest.mark.parametrize(("ref", "ids"), ANSWERS.values(), ids=ANSWERS)
def test_finds_answers_in_an_index(ref: str, ids: set[str]) -> None:
    query = BenchQuery(id="1", query="q", relevant=(ref,), kind="positive", source="s")
    judged, absent = judge_against([query], INDEX)
    if ids:
        (one,) = judged
        assert one.relevant == ids
        assert one.registries == tuple(sorted({INDEX[i] for i in ids}))
    else:
        assert absent == (query,)
        assert judged == ()


def test_one_answer_in_the_index_is_enough_and_a_negative_needs_none() -> None:
    some = BenchQuery(
        id="1", query="q", relevant=("gone/x", "copy/relookup"), kind="positive", source="s"
    )
    none = BenchQuery(id="2", query="q", kind="negative", source="s")
    judged, absent = judge_against([some, none], INDEX)
    assert [sorted(one.relevant) for one in judged] == [["copy/relookup"], []]
    assert judged[1].registries == ()
    assert absent == ()
