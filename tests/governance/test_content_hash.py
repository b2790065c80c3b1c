"""Hash binding, by property: a change of any bound field is another pin; nothing else is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.content import (
    BoundContent,
    Evidence,
    PlaybookBinding,
    RetrievalTerms,
    SourceRecord,
    VersionState,
)
from asf_core.domain.pin import Scope, SourceMode
from asf_core.trust.content import content_hash, read_content
from asf_core.trust.strictjson import MalformedError, dump_canonical
from tests.governance.world import World, draft

_DIGESTS = st.integers(0, 2**256 - 1).map(lambda n: f"{n:064x}")
_WORDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,9}", fullmatch=True)
_TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
_NAMES = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=20
)
_TOOLS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=10)
_SCOPES = st.sampled_from(["product:a", "product:b", "tenant:a", "user:a/b", "user:b/a"])
_TIMES = st.datetimes().map(lambda t: t.isoformat(timespec="microseconds") + "Z")

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "skill_id": _NAMES,
    "version": st.tuples(*[st.integers(0, 99)] * 3).map(lambda v: ".".join(map(str, v))),
    "scope": _SCOPES.map(Scope.parse),
    "instructions_sha256": _DIGESTS,
    "instructions_bytes": st.integers(1, 10**6),
    "tools": st.none() | st.lists(_TOOLS, max_size=4).map(tuple),
    "retrieval": st.builds(
        RetrievalTerms,
        name=_TEXTS,
        description=_TEXTS,
        triggers=st.lists(_TEXTS, max_size=3).map(tuple),
    ),
    "tree_digest": _DIGESTS,
    "source": st.builds(
        SourceRecord, system=_WORDS, id=_NAMES, version=st.none() | _NAMES, revision=_NAMES
    ),
    "imported_by": _NAMES,
    "imported_at": _TIMES,
    "evidence": st.lists(st.builds(Evidence, kind=_WORDS, reference=_NAMES), max_size=2).map(tuple),
}


def contents() -> st.SearchStrategy[BoundContent]:
    return st.builds(BoundContent, mode=st.just(SourceMode.SKILL_DIRECTORY), **FIELDS)


@given(contents(), st.data())
def test_a_change_of_any_bound_field_changes_the_hash(
    content: BoundContent, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(FIELDS)))
    value = data.draw(FIELDS[name])
    changed = content.model_copy(update={name: value})
    same = getattr(content, name) == value
    assert (content_hash(changed) == content_hash(content)) is same


def test_the_fields_that_the_property_changes_are_all_there_are() -> None:
    other = {"mode", "playbook"}  # told apart below: they go together
    assert set(FIELDS) | other == set(BoundContent.model_fields)


def test_mode_prompt_and_cases_are_bound() -> None:
    def playbook(**change: Any) -> BoundContent:
        binding = {"global_prompt_sha256": "1" * 64, "evaluation_case_ids": ("a", "b")}
        return draft(
            "2.0.0",
            mode=SourceMode.PROMPT_PLAYBOOK,
            skill_id="skill.research",
            source=SourceRecord(system="smx", id="skill.research.v2", revision="r"),
            playbook=PlaybookBinding(**(binding | change)),
        ).content

    hashes = {
        content_hash(playbook()),
        content_hash(playbook(global_prompt_sha256="2" * 64)),
        content_hash(playbook(evaluation_case_ids=("a",))),
        content_hash(playbook(evaluation_case_ids=("b", "a"))),
        content_hash(draft("1.0.0", scope=Scope.parse("tenant:acme")).content),
        content_hash(
            draft("1.0.0", scope=Scope.parse("tenant:acme"), mode=SourceMode.SAVED_RECIPE).content
        ),
    }
    assert len(hashes) == 6


@given(contents())
@settings(max_examples=50)
def test_a_content_survives_being_written_and_read(content: BoundContent) -> None:
    document = dump_canonical(content)
    assert read_content(document) == content
    assert content_hash(read_content(document)) == content_hash(content)


@given(contents())
@settings(max_examples=30)
def test_the_hash_does_not_depend_on_the_order_of_fields(content: BoundContent) -> None:
    shuffled = dict(reversed(json.loads(dump_canonical(content)).items()))
    again = read_content(json.dumps(shuffled).encode())
    assert content_hash(again) == content_hash(content)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", "1.0"),
        ("version", "v1.0.0"),
        ("version", "01.0.0"),
        ("version", "1.0.0\n"),
        ("version", 1),
        ("skill_id", ""),
        ("skill_id", "a\nb"),
        ("scope", {"kind": "user", "name": "ann", "tenant": None}),
        ("scope", {"kind": "tenant", "name": "acme", "tenant": "acme"}),
        ("scope", {"kind": "world", "name": "all"}),
        ("instructions_bytes", 0),
        ("instructions_bytes", True),
        ("tree_digest", "A" * 64),
        ("tools", "Read"),
        ("imported_at", "2026-11-30"),
        ("mode", "saved_recipe"),
        ("mode", "prompt_playbook"),
        ("playbook", {"global_prompt_sha256": "1" * 64, "evaluation_case_ids": ["a"]}),
        ("extra", 1),
    ],
)
def test_a_content_out_of_bounds_is_refused(field: str, value: object) -> None:
    fields = json.loads(dump_canonical(draft().content))
    with pytest.raises(MalformedError):
        read_content(json.dumps({**fields, field: value}).encode())


def test_what_is_not_bound_changes_no_pin(world: World) -> None:
    """State, receipts, pointers, grants, feedback and time are not part of what a version is."""
    pin = world.add().pin
    for act in (world.scan, world.approve, world.activate):
        act(pin)
        world.later(days=1)
        record = world.record(pin)
        assert (record.pin, content_hash(record.content)) == (pin, pin.content_hash)
    world.quarantine(pin)
    record = world.record(pin)
    assert record.state is VersionState.QUARANTINED
    assert content_hash(record.content) == pin.content_hash


def test_files_with_other_line_ends_are_other_content(world: World) -> None:
    """The CRLF twin: bytes outside git are what they are."""
    world.add("1.0.0", files={"SKILL.md": b"a\nb\n"})
    twin = draft("1.0.0", files={"SKILL.md": b"a\r\nb\r\n"})
    assert (
        twin.content.tree_digest
        != draft("1.0.0", files={"SKILL.md": b"a\nb\n"}).content.tree_digest
    )
    assert content_hash(twin.content) != world.record(world.add("2.0.0").pin).content_hash
