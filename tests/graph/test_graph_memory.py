"""The graph built from memory is the graph built anew, whatever changed in between."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.manifest import Relations
from asf_core.graph.build import GraphInput, GraphResult, build_edges
from asf_core.graph.declared import declared
from asf_core.graph.remember import GraphMemory


@dataclass(frozen=True)
class Mark:
    id: str
    slug: str
    registry: str
    path: str
    digest: str | None


@dataclass(frozen=True)
class Content:
    """A skill as a sync finds it."""

    slug: str
    body: str
    needs: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(self).encode()).hexdigest()


Registry = Mapping[str, Content]


def given_input(ref: str, content: Content) -> GraphInput:
    registry, _, path = ref.partition("/")
    said = tuple(declared(Relations(depends_on=content.needs), "", "SKILL.md"))
    return GraphInput(ref, content.slug, registry, path, said, content.body, 1)


def marks(skills: Registry) -> list[Mark]:
    return [
        Mark(ref, content.slug, ref.partition("/")[0], ref.partition("/")[2], content.digest)
        for ref, content in sorted(skills.items())
    ]


def remembered(skills: Registry, kept: bytes) -> tuple[GraphResult, bytes, GraphMemory]:
    memory = GraphMemory(kept, marks(skills))
    whole = {ref: given_input(ref, skills[ref]) for ref in memory.wanted()}
    inputs = (whole.get(ref) or memory.recall(ref) for ref in sorted(skills))
    return build_edges(inputs, memory), memory.dump(), memory


def anew(skills: Registry) -> GraphResult:
    return build_edges(given_input(ref, content) for ref, content in sorted(skills.items()))


TEXTS = [
    "## Related skills\n- `b-b`\n- `no-such`\n",
    "Use `c-c`, then b\\_b or `b_b`.",
    "## Prerequisites\n[x](../c-c/SKILL.md)",
    "Nothing here.",
    "/d-d and [[b-b]] and the c-c skill",
]
contents = st.builds(
    Content,
    slug=st.sampled_from(["a-a", "b-b", "b_b", "c-c", "d-d"]),
    body=st.sampled_from(TEXTS),
    needs=st.sampled_from([(), ("b-b",), ("gone",)]),
)
registries = st.dictionaries(
    st.sampled_from(["r/a-a", "r/b-b", "r/x/c-c", "r/d-d", "s/b-b"]), contents
)


@settings(max_examples=200, deadline=None)
@given(st.lists(registries, min_size=2, max_size=4))
def test_from_memory_as_anew(states: list[Registry]) -> None:
    kept = b""
    for skills in states:
        result, kept, _ = remembered(skills, kept)
        assert result == anew(skills)
        again, kept, memory = remembered(skills, kept)
        assert (again, memory.read, memory.wanted()) == (result, 0, [])


BASE: Registry = {
    "r/a-a": Content("a-a", "See `b-b`."),
    "r/b-b": Content("b-b", "Nothing of others."),
    "r/c-c": Content("c-c", "`a-a` and `d\\_d`"),
}
CHANGES: dict[str, tuple[Registry, int]] = {
    "nothing": (BASE, 0),
    "a text": ({**BASE, "r/a-a": Content("a-a", "See `c-c`.")}, 1),
    "a declaration": ({**BASE, "r/b-b": Content("b-b", "Nothing of others.", ("a-a",))}, 1),
    "a new skill that nobody names": ({**BASE, "r/e-e": Content("e-e", "New.")}, 1),
    "a new skill that one names, with an escape": ({**BASE, "r/d_d": Content("d_d", "New.")}, 2),
    "a skill that one names is gone": ({k: v for k, v in BASE.items() if k != "r/b-b"}, 1),
    "a skill of another registry": ({**BASE, "s/b-b": Content("b-b", "New.")}, 1),
}  # fmt: skip


@pytest.mark.parametrize(("after", "read"), CHANGES.values(), ids=CHANGES)
def test_only_what_may_differ_is_read(after: Registry, read: int) -> None:
    _, kept, first = remembered(BASE, b"")
    assert first.read == len(BASE)
    result, _, memory = remembered(after, kept)
    assert memory.read == read
    assert result == anew(after)


def test_many_new_names_make_all_be_read() -> None:
    _, kept, _ = remembered(BASE, b"")
    many = {**BASE, **{f"r/n-{i}": Content(f"n-{i}", "x") for i in range(120)}}
    result, _, memory = remembered(many, kept)
    assert memory.read == len(many)
    assert result == anew(many)


def test_a_skill_without_a_digest_is_read_each_time() -> None:
    mark = Mark("r/a", "a", "r", "a", None)
    skill = given_input("r/a", Content("a", "x"))
    kept = b""
    for _ in range(2):
        memory = GraphMemory(kept, [mark])
        assert memory.wanted() == ["r/a"]
        build_edges([skill], memory)
        kept = memory.dump()


def good() -> dict[str, object]:
    loaded: dict[str, object] = json.loads(remembered(BASE, b"")[1])
    return loaded


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\xff\x00",
        b"[]",
        b"null",
        b"{}",
        json.dumps({**good(), "format": "graph-memory/0"}).encode(),
        json.dumps({**good(), "names": []}).encode(),
        json.dumps({**good(), "skills": {"r/a-a": ["x"]}}).encode(),
        json.dumps({**good(), "skills": {"r/a-a": ["x", "a-a", 1, [{}], []]}}).encode(),
        json.dumps({**good(), "skills": {"r/a-a": ["x", "a-a", 1, [], [["n", False, "zoo"]]]}}).encode(),
    ],
)  # fmt: skip
def test_a_damaged_memory_is_none(damaged: bytes) -> None:
    result, _, memory = remembered(BASE, damaged)
    assert memory.read == len(BASE)
    assert result == anew(BASE)
