"""What holds of every walk and plan, whatever the graph."""

from __future__ import annotations

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.graph import EdgeKind
from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Bundle, Candidate, Link, RoutableSkill
from asf_core.retrieval.adjacency import HARD_FROM, Adjacency
from asf_core.retrieval.plan import plan
from asf_core.retrieval.walk import WalkResult, walk

IDS = [f"r/{letter}" for letter in "abcdefghij"]
TASK = (IOType.parse("query:string"),)
KINDS = [
    EdgeKind.DEPENDS_ON,
    EdgeKind.REQUIRED_SUB_SKILLS,
    EdgeKind.COMPLEMENTS,
    EdgeKind.CO_USED_WITH,
    EdgeKind.CONFLICTS_WITH,
    EdgeKind.REFERENCES,
]
NEEDS = KINDS[:2]

io_types = st.builds(
    IOType,
    name=st.sampled_from(["query", "papers", "scores"]),
    type=st.sampled_from(["string", "list[Paper]", "dict"]),
)
io_lists = st.lists(io_types, max_size=2, unique_by=str).map(tuple)


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, object]:
    ids = draw(st.lists(st.sampled_from(IDS), unique=True, min_size=1))
    skills = {
        i: RoutableSkill(
            i, i[2:], "r", "", None, draw(st.integers(1, 300)), 1, draw(io_lists), draw(io_lists)
        )
        for i in ids
    }
    links = draw(
        st.lists(
            st.builds(
                Link,
                source=st.sampled_from(IDS),
                target=st.sampled_from(IDS),
                kind=st.sampled_from(KINDS),
                confidence=st.sampled_from([0.3, 0.6, 0.7, 1.0]),
            ),
            max_size=18,
        )
    )
    seeds = draw(st.lists(st.sampled_from(IDS), unique=True, max_size=6))
    return {
        "skills": skills,
        "links": links,
        "seeds": [
            Candidate(skill_id=s, slug=s, rank=n + 1, score=draw(st.sampled_from([0.1, 0.5, 0.9])))
            for n, s in enumerate(seeds)
        ],
        "budget": draw(st.integers(0, 1_500)),
        "excluded": draw(st.frozensets(st.sampled_from(IDS), max_size=2)),
    }


def run(world: dict[str, object]) -> tuple[WalkResult, Bundle]:
    adjacency = Adjacency(world["links"])
    walked = walk(world["seeds"], world["skills"], adjacency, world["budget"], world["excluded"])
    bundle = plan(walked.members, world["skills"], adjacency, TASK, problems=walked.problems)
    return walked, bundle


def hard_links(world: dict[str, object]) -> list[Link]:
    return [
        link
        for link in world["links"]
        if link.kind in NEEDS and link.confidence >= HARD_FROM and link.source != link.target
    ]


@settings(deadline=None)
@given(worlds())
def test_a_closure_is_whole_or_absent(world: dict[str, object]) -> None:
    members = {member.skill_id for member in run(world)[0].members}
    assert all(link.target in members for link in hard_links(world) if link.source in members)


@settings(deadline=None)
@given(worlds())
def test_every_seed_is_kept_or_reported_and_no_other_is_reported(world: dict[str, object]) -> None:
    walked, _ = run(world)
    kept = {member.skill_id for member in walked.members}
    lost = [dropped.skill_id for dropped in walked.dropped]
    assert sorted([*lost, *(s.skill_id for s in world["seeds"] if s.skill_id in kept)]) == sorted(
        seed.skill_id for seed in world["seeds"]
    )


@settings(deadline=None)
@given(worlds())
def test_a_lone_seed_is_dropped_for_a_reason_that_holds(world: dict[str, object]) -> None:
    """With one seed, the closure by plain search decides alone."""
    for seed in world["seeds"]:
        closure, queue = {seed.skill_id}, [seed.skill_id]
        for skill_id in queue:
            for link in hard_links(world):
                if link.source == skill_id and link.target not in closure:
                    closure.add(link.target)
                    queue.append(link.target)
        usable = closure <= world["skills"].keys() - world["excluded"]
        foes = any(
            link.kind is EdgeKind.CONFLICTS_WITH
            and link.source != link.target
            and {link.source, link.target} <= closure
            for link in world["links"]
        )
        fits = usable and sum(world["skills"][s].tokens for s in closure) <= world["budget"]
        walked, _ = run(world | {"seeds": [seed]})
        kept = seed.skill_id in {member.skill_id for member in walked.members}
        assert kept == (usable and not foes and fits)


@settings(deadline=None)
@given(worlds())
def test_no_two_that_conflict_share_a_bundle(world: dict[str, object]) -> None:
    members = {member.skill_id for member in run(world)[0].members}
    for link in world["links"]:
        if link.kind is EdgeKind.CONFLICTS_WITH and link.source != link.target:
            assert not {link.source, link.target} <= members


@settings(deadline=None)
@given(worlds())
def test_the_budget_holds_and_nothing_excluded_enters(world: dict[str, object]) -> None:
    walked, bundle = run(world)
    members = {member.skill_id for member in walked.members}
    assert walked.tokens == sum(world["skills"][s].tokens for s in members) <= world["budget"]
    assert sum(step.tokens for step in bundle.steps) <= world["budget"]
    assert members.isdisjoint(world["excluded"])
    assert members <= world["skills"].keys()


@settings(deadline=None)
@given(worlds())
def test_the_order_respects_the_edges(world: dict[str, object]) -> None:
    _, bundle = run(world)
    position = {step.skill_id: step.position for step in bundle.steps}
    assert [step.position for step in bundle.steps] == list(range(1, len(position) + 1))
    for link in hard_links(world):
        if link.source in position:
            assert position[link.target] < position[link.source]


@settings(deadline=None)
@given(worlds())
def test_every_input_is_bound_to_its_type_from_the_task_or_an_earlier_step(
    world: dict[str, object],
) -> None:
    _, bundle = run(world)
    before: dict[str, RoutableSkill] = {}
    for step in bundle.steps:
        assert tuple(b.input for b in step.bindings) == step.inputs
        for binding in step.bindings:
            assert binding.input.type == binding.output.type
            offered = before[binding.from_skill].outputs if binding.from_skill else TASK
            assert binding.output in offered
        before[step.skill_id] = world["skills"][step.skill_id]


@settings(deadline=None)
@given(worlds())
def test_every_member_is_placed_or_in_a_problem(world: dict[str, object]) -> None:
    walked, bundle = run(world)
    placed = {step.skill_id for step in bundle.steps}
    own = bundle.problems[len(walked.problems) :]
    rejected = {skill_id for problem in own for skill_id in problem.skill_ids}
    members = {member.skill_id for member in walked.members}
    assert placed | rejected == members
    assert placed.isdisjoint(rejected)
    assert bundle.problems[: len(walked.problems)] == walked.problems


@settings(deadline=None)
@given(worlds())
def test_every_reason_stands_in_the_plan(world: dict[str, object]) -> None:
    _, bundle = run(world)
    placed = {step.skill_id for step in bundle.steps}
    for step in bundle.steps:
        assert (step.because_of is None) == (step.reason == "routed") == (step.score is not None)
        assert step.because_of is None or step.because_of in placed


@settings(deadline=None)
@given(worlds())
def test_a_reported_cycle_is_one(world: dict[str, object]) -> None:
    walked, bundle = run(world)
    needs = {(link.source, link.target) for link in hard_links(world)}
    slugs = {skill.slug: skill for skill in world["skills"].values()}
    for problem in bundle.problems[len(walked.problems) :]:
        if problem.kind == "cycle":
            ring = [slugs[name] for name in problem.message.partition(":")[0].split(" -> ")]
            assert ring[0] == ring[-1]
            assert len(ring) > 2
            for one, other in itertools.pairwise(ring):
                flows = {i.type for i in one.inputs} & {o.type for o in other.outputs}
                assert (one.id, other.id) in needs or flows


@settings(deadline=None, max_examples=60)
@given(worlds(), st.integers())
def test_the_order_of_the_input_changes_nothing(world: dict[str, object], seed: int) -> None:
    shuffler = random.Random(seed)
    again = dict(world)
    again["links"] = shuffler.sample(world["links"], len(world["links"]))
    again["seeds"] = shuffler.sample(world["seeds"], len(world["seeds"]))
    items = list(world["skills"].items())
    again["skills"] = dict(shuffler.sample(items, len(items)))
    assert run(again) == run(world)
    walked, bundle = run(world)
    members = shuffler.sample(walked.members, len(walked.members))
    shuffled = plan(
        members, world["skills"], Adjacency(world["links"]), TASK, problems=walked.problems
    )
    assert shuffled == bundle
