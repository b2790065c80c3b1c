"""Edges: what is declared, what is told, and what is neither."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.graph import EdgeKind, EdgeOrigin
from asf_core.domain.manifest import Relations
from asf_core.graph.build import CATALOGUE, GraphInput, GraphResult, build_edges
from asf_core.graph.declared import declared


def skill(
    ref: str, body: str = "", slug: str = "", head: str = "", **relations: tuple[str, ...] | str
) -> GraphInput:
    registry, _, path = ref.partition("/")
    return GraphInput(
        id=ref,
        slug=slug or path.rpartition("/")[2],
        registry=registry,
        path=path,
        references=tuple(declared(Relations.model_validate(relations), head, "SKILL.md")),
        body=body,
        body_line=5,
    )


def edges(result: GraphResult) -> list[tuple[str, str, str, float, str]]:
    return [(e.source, e.target, e.kind.value, e.confidence, e.origin.value) for e in result.edges]


DECLARED = [
    "depends_on",
    "required_sub_skills",
    "complements",
    "co_used_with",
    "conflicts_with",
    "tested_by",
    "extends",
]


@pytest.mark.parametrize("field", DECLARED)
def test_declared_relations(field: str) -> None:
    result = build_edges([skill("r/a", **{field: ("b",)}), skill("r/b")])
    assert edges(result) == [("r/a", "r/b", field, 1.0, "EXTRACTED")]


def test_version_of() -> None:
    result = build_edges([skill("r/a", version_of="r/b"), skill("r/b")])
    assert edges(result) == [("r/a", "r/b", "version_of", 1.0, "EXTRACTED")]


def test_prose_gives_inferred_edges_with_their_line_in_the_file() -> None:
    result = build_edges([skill("r/a-a", "# A\n\n## Related skills\n- `b-b`\n"), skill("r/b-b")])
    [edge] = result.edges
    assert (edge.kind, edge.confidence, edge.origin) == (
        EdgeKind.COMPLEMENTS,
        0.7,
        EdgeOrigin.INFERRED,
    )
    [evidence] = edge.evidence
    assert (evidence.path, evidence.line, evidence.text) == ("a-a/SKILL.md", 8, "- `b-b`")


def test_one_edge_a_pair_the_rest_is_evidence() -> None:
    body = "Uses `b-b`.\n\n## Prerequisites\n- `b-b`\n\nFor x use `b-b` instead.\n"
    result = build_edges([skill("r/a-a", body, complements=("b-b",)), skill("r/b-b")])
    [edge] = result.edges
    assert (edge.kind.value, edge.confidence) == ("complements", 1.0)
    assert [(e.kind.value, e.confidence) for e in edge.evidence] == [
        ("complements", 1.0),
        ("depends_on", 0.7),
        ("depends_on", 0.7),
        ("complements", 0.7),
    ]


def test_of_equal_confidence_the_kind_that_is_worse_to_lose_names_the_edge() -> None:
    result = build_edges(
        [skill("r/a", co_used_with=("b",), complements=("b",), depends_on=("b",)), skill("r/b")]
    )
    assert [e.kind for e in result.edges] == [EdgeKind.DEPENDS_ON]
    assert result.dangling == ()


def test_a_contradiction_is_a_finding_and_the_conflict_stands() -> None:
    head = "---\nname: a\ndepends_on: [b]\nconflicts_with:\n  - b\n"
    result = build_edges(
        [skill("r/a", head=head, depends_on=("b",), conflicts_with=("b",)), skill("r/b")]
    )
    assert [e.kind for e in result.edges] == [EdgeKind.CONFLICTS_WITH]
    [found] = result.dangling
    assert (found.skill_id, found.finding.rule) == ("r/a", "graph/contradiction")
    assert "'r/b' both: conflicts_with, depends_on" in found.finding.message


def test_a_declared_name_that_means_nothing() -> None:
    head = "---\nname: a\ndepends-on:\n  - cc\n  - b-bb\n---\n"
    result = build_edges([skill("r/a", head=head, depends_on=("cc", "b-bb")), skill("r/b-b")])
    assert result.edges == ()
    assert [(f.finding.rule, f.finding.line) for f in result.dangling] == [
        ("graph/dangling-name", 4),
        ("graph/dangling-name", 5),
    ]
    assert result.dangling[1].finding.message == (
        "depends_on names 'b-bb', and no synced skill is called that (nearest: 'b-b')"
    )


def test_a_name_in_a_list_of_skills_that_means_nothing() -> None:
    result = build_edges([skill("r/a", "## Related Skills\n- `no-such`\n")])
    [found] = result.dangling
    assert (found.finding.rule, found.finding.line, found.finding.path) == (
        "graph/dangling-name",
        6,
        "a/SKILL.md",
    )


def test_a_declared_name_that_means_several() -> None:
    result = build_edges([skill("r/z/a", depends_on=("b",)), skill("r/x/b"), skill("r/y/b")])
    assert edges(result) == [
        ("r/z/a", "r/x/b", "depends_on", 0.3, "AMBIGUOUS"),
        ("r/z/a", "r/y/b", "depends_on", 0.3, "AMBIGUOUS"),
    ]
    assert [f.finding.rule for f in result.dangling] == ["graph/ambiguous-name"]


@pytest.mark.parametrize("field", ["depends_on", "required_sub_skills"])
def test_a_requirement_that_no_skill_meets_alone_is_unmet(field: str) -> None:
    skills = [skill("r/z/a", **{field: ("b", "gone", "c")}), *map(skill, ("r/x/b", "r/y/b", "r/c"))]
    result = build_edges(skills)
    assert [(link.source, link.target, link.kind, link.confidence) for link in result.unmet] == [
        ("r/z/a", name, EdgeKind(field), 1.0) for name in ("b", "gone")
    ]
    assert [f.finding.rule for f in result.dangling] == [
        "graph/ambiguous-name", "graph/dangling-name",
    ]  # fmt: skip


def test_what_is_no_requirement_leaves_nothing_unmet() -> None:
    told = "## Prerequisites\n- `no-such`\n"
    result = build_edges([skill("r/a", told, complements=("gone",), extends=("gone",))])
    assert result.unmet == ()
    assert {f.finding.rule for f in result.dangling} == {"graph/dangling-name"}


def test_a_name_with_too_many_meanings_gives_no_edge() -> None:
    others = [skill(f"r/x{n}/b") for n in range(6)]
    result = build_edges([skill("r/z/a", depends_on=("b",)), *others])
    assert result.edges == ()
    assert "which 6 skills are called" in result.dangling[0].finding.message


def test_a_name_of_another_registry() -> None:
    prose = "Also `only-t`.\n\n## Related Skills\n- `only-s`\n"
    result = build_edges(
        [
            skill("r/a", prose, depends_on=("only-u",)),
            skill("s/only-s"),
            skill("t/only-t"),
            skill("u/only-u"),
        ]
    )
    assert edges(result) == [
        ("r/a", "s/only-s", "complements", 0.5, "INFERRED"),
        ("r/a", "u/only-u", "depends_on", 1.0, "EXTRACTED"),
    ]


def test_no_edge_to_oneself() -> None:
    body = "`a-a` and [x](SKILL.md) and [y](references/z.md) and `other-a`"
    result = build_edges([skill("r/a-a", body, slug="other-a", depends_on=("a-a", "r/a-a"))])
    assert result == GraphResult((), ())


def test_a_catalogue_refers_and_does_not_relate() -> None:
    many = [skill(f"r/skill-{n:02}") for n in range(CATALOGUE + 1)]
    rows = "".join(f"| `skill-{n:02}` | about |\n" for n in range(CATALOGUE + 1))
    body = f"| Skill | About |\n|---|---|\n{rows}\n## Related skills\n- `skill-00`\n"
    result = build_edges([skill("r/index-of-all", body), *many])
    assert edges(result)[0] == ("r/index-of-all", "r/skill-00", "complements", 0.7, "INFERRED")
    assert {(e.kind.value, e.confidence) for e in result.edges[1:]} == {("references", 0.5)}


def test_two_registries_with_one_name_keep_to_themselves() -> None:
    result = build_edges(
        [
            skill(f"{registry}/{name}", body)
            for registry in "rs"
            for name, body in (("a-a", "use `b-b`"), ("b-b", ""))
        ]
    )
    assert [(e.source, e.target) for e in result.edges] == [("r/a-a", "r/b-b"), ("s/a-a", "s/b-b")]


def test_a_skill_at_the_root() -> None:
    result = build_edges([skill("r/.", "use [x](b/SKILL.md)", slug="root"), skill("r/b")])
    assert [e.evidence[0].path for e in result.edges] == ["SKILL.md"]


@settings(deadline=None)
@given(st.data())
def test_the_order_of_the_skills_changes_nothing(data: st.DataObject) -> None:
    names = ["a-a", "b-b", "c-c", "x/a-a", "y/b-b"]
    lines = [
        "## Related Skills",
        "## Prerequisites",
        "- `a-a`",
        "- `b-b`",
        "[x](../c-c/SKILL.md)",
        "",
    ]
    skills = [
        skill(
            f"{registry}/{name}",
            "\n".join(data.draw(st.lists(st.sampled_from(lines), max_size=6))),
            depends_on=tuple(data.draw(st.lists(st.sampled_from([*names, "none"]), max_size=2))),
        )
        for registry in "rs"
        for name in names
    ]
    result = build_edges(skills)
    shuffled = random.Random(data.draw(st.integers())).sample(skills, len(skills))
    assert build_edges(shuffled) == result
    pairs = [(e.source, e.target) for e in result.edges]
    assert pairs == sorted(set(pairs))
    assert all(source != target for source, target in pairs)
    assert all(e.evidence[0].kind == e.kind for e in result.edges)
