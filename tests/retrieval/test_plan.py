"""The planner: order, bindings, and what it rejects and says."""

from __future__ import annotations

import pytest

from asf_core.domain.graph import EdgeKind
from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Binding, Bundle, Link, PlanProblem, RoutableSkill
from asf_core.retrieval.adjacency import Adjacency
from asf_core.retrieval.plan import plan
from asf_core.retrieval.walk import Member

QUERY = IOType.parse("query:string")


def skill(name: str, inputs: str = "", outputs: str = "", slug: str | None = None) -> RoutableSkill:
    def types(text: str) -> tuple[IOType, ...]:
        return tuple(IOType.parse(part) for part in text.split(";") if part)

    return RoutableSkill(
        name, slug or name, "r", f"Does {name}", "1.0", 100, 10, types(inputs), types(outputs)
    )


def make_plan(
    *skills: RoutableSkill,
    links: str = "",
    task: str = "query:string",
    members: list[Member] | None = None,
) -> Bundle:
    """Plan the skills, scored in the order given; links as ``a>b`` (needs) or ``a?b`` (likely)."""
    chosen = members or [Member(s.id, "routed", None, 1.0 - n / 10) for n, s in enumerate(skills)]
    found = [
        Link(a, b, EdgeKind.DEPENDS_ON, confidence)
        for link in links.split()
        for mark, confidence in ((">", 1.0), ("?", 0.7))
        for a, _, b in [link.partition(mark)]
        if b
    ]
    inputs = tuple(IOType.parse(part) for part in task.split(";") if part)
    return plan(chosen, {s.id: s for s in skills}, Adjacency(found), inputs)


def order(bundle: Bundle) -> list[str]:
    return [step.skill_id for step in bundle.steps]


def bound(bundle: Bundle, step: str) -> dict[str, tuple[str | None, str]]:
    [found] = [s for s in bundle.steps if s.skill_id == step]
    return {str(b.input): (b.from_skill, str(b.output)) for b in found.bindings}


LOOKUP = skill("scientific-research-lookup", "query:string", "papers:list[Paper]")
CLASSIFY = skill("classify-pd-l1-tps", "papers:list[Paper]", "tps_scores:dict")
FIGURE = skill("publication-figure-style", "tps_scores:dict", "figure:Path")
CITATIONS = skill("citation-verifier", "papers:list[Paper]", "bibtex:string")


def test_the_acceptance_chain() -> None:
    bundle = make_plan(LOOKUP, CLASSIFY, FIGURE, CITATIONS)

    assert order(bundle) == [LOOKUP.id, CLASSIFY.id, FIGURE.id, CITATIONS.id]
    assert bundle.problems == ()
    papers, scores = IOType.parse("papers:list[Paper]"), IOType.parse("tps_scores:dict")
    assert [step.bindings for step in bundle.steps] == [
        (Binding(input=QUERY, output=QUERY, from_skill=None),),
        (Binding(input=papers, output=papers, from_skill=LOOKUP.id),),
        (Binding(input=scores, output=scores, from_skill=CLASSIFY.id),),
        (Binding(input=papers, output=papers, from_skill=LOOKUP.id),),  # two steps before
    ]
    assert [step.position for step in bundle.steps] == [1, 2, 3, 4]
    assert all(step.typed for step in bundle.steps)


@pytest.mark.parametrize(
    "given", [(CITATIONS, FIGURE, CLASSIFY, LOOKUP), (FIGURE, LOOKUP, CITATIONS, CLASSIFY)]
)
def test_the_acceptance_chain_holds_whatever_the_scores(given: tuple[RoutableSkill, ...]) -> None:
    bundle = make_plan(*given)
    assert bundle.problems == ()
    assert order(bundle)[0] == LOOKUP.id
    assert order(bundle).index(CLASSIFY.id) < order(bundle).index(FIGURE.id)
    assert bound(bundle, CITATIONS.id) == {"papers:list[Paper]": (LOOKUP.id, "papers:list[Paper]")}


def test_an_unmet_input_takes_its_chain_along_and_nothing_else() -> None:
    lookup = skill(LOOKUP.id, "query:string", "papers:list[Abstract]")
    bundle = make_plan(lookup, CLASSIFY, FIGURE, skill("notes"))

    assert order(bundle) == [lookup.id, "notes"]
    [problem] = bundle.problems
    assert problem.kind == "type_mismatch"
    assert problem.skill_ids == (CLASSIFY.id, FIGURE.id)
    assert problem.message == (
        "classify-pd-l1-tps needs papers:list[Paper], and nothing offers list[Paper]; "
        "nearest: papers:list[Abstract] of scientific-research-lookup "
        "(so neither can: publication-figure-style)"
    )


MESSAGES = {
    "no such type, the likest name is told": (
        [skill("a", "", "table:csv"), skill("b", "tables:frame")],
        "unmet_input",
        "b needs tables:frame, and nothing offers frame; nearest: table:csv of a",
    ),
    "the task's own input can be the nearest": (
        [skill("b", "query:Path")],
        "type_mismatch",
        "b needs query:Path, and nothing offers Path; nearest: query:string of the task",
    ),
    "a type differs by case only": (
        [skill("a", "", "x:Dict"), skill("b", "x:dict")],
        "type_mismatch",
        "b needs x:dict, and nothing offers dict; nearest: x:Dict of a",
    ),
    "a step does not feed itself": (
        [skill("a", "x:dict", "x:dict")],
        "unmet_input",
        "a needs x:dict, and nothing offers dict; nearest: query:string of the task",
    ),
}


@pytest.mark.parametrize(("skills", "kind", "message"), MESSAGES.values(), ids=MESSAGES)
def test_messages(skills: list[RoutableSkill], kind: str, message: str) -> None:
    [problem] = make_plan(*skills).problems
    assert (problem.kind, problem.message) == (kind, message)


def test_nothing_offered_at_all() -> None:
    [problem] = make_plan(skill("a", "x:dict"), task="").problems
    assert problem.message == "a needs x:dict, and nothing offers dict; nothing is offered at all"


def test_each_unmet_input_of_a_step_is_told() -> None:
    bundle = make_plan(skill("a", "x:dict;y:Path"))
    assert [p.message.split(",")[0] for p in bundle.problems] == [
        "a needs x:dict",
        "a needs y:Path",
    ]


def test_two_steps_of_one_slug_are_told_apart_by_id() -> None:
    bundle = make_plan(skill("r/a", "x:dict", slug="same"), skill("r/b", slug="same"))
    assert bundle.problems[0].message.startswith("r/a needs x:dict")


CYCLES = {
    "of two": ("a>b b>a", ("a", "b"), "a -> b -> a"),
    "of three, told from the smallest id on": ("c>a a>b b>c", ("a", "b", "c"), "a -> b -> c -> a"),
    "found from outside": ("a>c c>b b>c", ("b", "c", "a"), "b -> c -> b"),
    "with one that needs it": ("a>b b>a c>a", ("a", "b", "c"), "a -> b -> a"),
}


@pytest.mark.parametrize(("links", "ids", "ring"), CYCLES.values(), ids=CYCLES)
def test_a_cycle_is_named_in_order(links: str, ids: tuple[str, ...], ring: str) -> None:
    bundle = make_plan(skill("a"), skill("b"), skill("c"), skill("free"), links=links)
    [problem] = bundle.problems
    assert problem.kind == "cycle"
    assert problem.skill_ids == ids
    assert problem.message.startswith(f"{ring}: each needs the next")
    assert order(bundle) == sorted({"a", "b", "c", "free"} - set(ids))


def test_two_cycles_are_two_problems() -> None:
    bundle = make_plan(*map(skill, "abcd"), links="a>b b>a c>d d>c")
    assert [p.skill_ids for p in bundle.problems] == [("a", "b"), ("c", "d")]


def test_types_that_feed_each_other_are_a_cycle() -> None:
    bundle = make_plan(skill("a", "x:dict", "y:Path"), skill("b", "y:Path", "x:dict"))
    assert [(p.kind, p.skill_ids) for p in bundle.problems] == [("cycle", ("a", "b"))]


def test_an_edge_against_the_flow_is_a_cycle() -> None:
    bundle = make_plan(skill("a", "", "x:dict"), skill("b", "x:dict"), links="a>b")
    assert [(p.kind, p.skill_ids) for p in bundle.problems] == [("cycle", ("a", "b"))]


def test_a_cycle_that_only_prose_tells_is_none() -> None:
    bundle = make_plan(skill("a"), skill("b"), links="a?b b?a")
    assert bundle.problems == ()
    assert order(bundle) == ["a", "b"]


def test_order_by_edges_then_score_then_id() -> None:
    skills = [skill(name) for name in ("d", "c", "b", "a")]
    members = [Member(s.id, "routed", None, 0.5) for s in skills]
    assert order(make_plan(*skills, members=members)) == ["a", "b", "c", "d"]
    assert order(make_plan(*skills, links="d>a c?a")) == ["b", "a", "d", "c"]


def test_a_requirement_goes_with_what_requires_it() -> None:
    members = [
        Member("a", "routed", None, 0.2),
        Member("b", "routed", None, 0.9),
        Member("c", "required", "b"),
        Member("d", "required", "c"),
    ]
    bundle = make_plan(*map(skill, "abcd"), links="b>c c>d", members=members)
    assert order(bundle) == ["d", "c", "b", "a"]


def test_companions_come_after_what_they_accompany_and_after_all_others() -> None:
    members = [
        Member("a", "routed", None, 0.9),
        Member("b", "complements", "a"),
        Member("c", "required", "b"),
        Member("d", "routed", None, 0.2),
    ]
    bundle = make_plan(*map(skill, "abcd"), links="b>c", members=members)
    assert order(bundle) == ["a", "d", "c", "b"]


def test_a_companion_that_feeds_a_step_comes_before_it() -> None:
    members = [Member("a", "routed", None, 0.9), Member("b", "complements", "a")]
    bundle = make_plan(skill("a", "x:dict"), skill("b", "", "x:dict"), members=members)
    assert order(bundle) == ["b", "a"]


def test_untyped_steps_are_placed_by_their_edges_and_marked() -> None:
    bundle = make_plan(skill("report"), LOOKUP, links=f"report>{LOOKUP.id}")
    assert [(s.skill_id, s.typed) for s in bundle.steps] == [(LOOKUP.id, True), ("report", False)]


BINDINGS = {
    "one name and type before one type": (
        [
            skill("a", "", "other:list[str]"),
            skill("b", "", "titles:list[str]"),
            skill("c", "titles:list[str]"),
        ],
        "query:string",
        ("b", "titles:list[str]"),
    ),
    "it waits for the better source": (
        [
            skill("c", "titles:list[str]"),
            skill("a", "", "other:list[str]"),
            skill("b", "", "titles:list[str]"),
        ],
        "query:string",
        ("b", "titles:list[str]"),
    ),
    "one type under another name, the nearest before": (
        [skill("a", "", "x:list[str]"), skill("b", "", "y:list[str]"), skill("c", "z:list[str]")],
        "query:string",
        ("b", "y:list[str]"),
    ),
    "the first declared of several outputs": (
        [skill("a", "", "x:list[str];y:list[str]"), skill("c", "z:list[str]")],
        "query:string",
        ("a", "x:list[str]"),
    ),
    "the task's query feeds a query": (
        [skill("a", "", "note:string"), skill("c", "query:string")],
        "query:string",
        (None, "query:string"),
    ),
    "a step that writes a query of its own does not replace the task's": (
        [skill("a", "x:dict", "query:string"), skill("c", "query:string")],
        "query:string;x:dict",
        (None, "query:string"),
    ),
    "a step that rewrites the query does": (
        [skill("c", "query:string"), skill("a", "query:string", "query:string")],
        "query:string",
        ("a", "query:string"),
    ),
    "a string of another name is not fed the query while a step writes one": (
        [skill("c", "text:string"), skill("a", "", "note:string")],
        "query:string",
        ("a", "note:string"),
    ),
    "a string of another name is fed the query where nothing else is one": (
        [skill("c", "text:string"), skill("a", "", "note:dict")],
        "query:string",
        (None, "query:string"),
    ),
    "white space in a type does not count": (
        [skill("a", "", "m: dict[str,list[ Paper ]]"), skill("c", "m:dict[ str , list[Paper] ]")],
        "query:string",
        ("a", "m:dict[str,list[Paper]]"),
    ),
    "duplicates gone: the cleaned papers are used": (
        [
            skill("c", "papers:list[Paper]"),
            LOOKUP,
            skill("dedupe", "papers:list[Paper]", "papers:list[Paper]"),
        ],
        "query:string",
        ("dedupe", "papers:list[Paper]"),
    ),
}


@pytest.mark.parametrize(("skills", "task", "source"), BINDINGS.values(), ids=BINDINGS)
def test_where_an_input_comes_from(
    skills: list[RoutableSkill], task: str, source: tuple[str | None, str]
) -> None:
    bundle = make_plan(*skills, task=task)
    assert bundle.problems == ()
    [binding] = bound(bundle, "c").values()
    assert binding == source


def test_an_input_given_by_the_task_needs_no_step() -> None:
    bundle = make_plan(CITATIONS, task="query:string;papers:list[Paper]")
    assert bound(bundle, CITATIONS.id) == {"papers:list[Paper]": (None, "papers:list[Paper]")}


def test_what_came_in_for_a_rejected_step_alone_goes_with_it() -> None:
    members = [
        Member("a", "routed", None, 0.9),
        Member("b", "required", "a"),
        Member("d", "required", "b"),
        Member("c", "routed", None, 0.5),
    ]
    skills = [skill("a", "x:dict"), skill("b"), skill("c"), skill("d")]
    bundle = make_plan(*skills, links="a>b b>d", members=members)
    assert order(bundle) == ["c"]
    assert [p.skill_ids for p in bundle.problems] == [("a", "b", "d")]


def test_what_a_kept_step_needs_stays_for_its_sake() -> None:
    members = [
        Member("a", "routed", None, 0.9),
        Member("b", "required", "a"),
        Member("c", "routed", None, 0.5),
    ]
    bundle = make_plan(
        skill("a", "x:dict"), skill("b"), skill("c"), links="a>b c>b", members=members
    )
    assert [(s.skill_id, s.position, s.because_of) for s in bundle.steps] == [
        ("b", 1, "c"),
        ("c", 2, None),
    ]
    assert [p.skill_ids for p in bundle.problems] == [("a",)]


def test_a_need_that_is_no_member_rejects_the_step() -> None:
    members = [Member("a", "routed", None, 1.0)]
    bundle = make_plan(skill("a"), links="a>gone", members=members)
    assert [(p.kind, p.skill_ids) for p in bundle.problems] == [("missing", ("a",))]


def test_earlier_problems_come_first() -> None:
    early = PlanProblem(kind="over_budget", message="too big", skill_ids=("z",))
    bundle = plan([], {}, Adjacency(), (QUERY,), problems=[early])
    assert bundle == Bundle(steps=(), problems=(early,), task_inputs=(QUERY,))
