"""The walk: whole closures, conflicts, the budget, companions."""

from __future__ import annotations

import pytest

from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Candidate, Link, RoutableSkill
from asf_core.retrieval.adjacency import Adjacency
from asf_core.retrieval.walk import WalkConfig, WalkResult, walk

KINDS = {
    ">": (EdgeKind.DEPENDS_ON, 1.0),
    "^": (EdgeKind.REQUIRED_SUB_SKILLS, 1.0),
    "?": (EdgeKind.DEPENDS_ON, 0.7),
    "+": (EdgeKind.COMPLEMENTS, 0.7),
    "~": (EdgeKind.CO_USED_WITH, 0.7),
    "!": (EdgeKind.CONFLICTS_WITH, 1.0),
}


def adjacency(links: str) -> Adjacency:
    """Links as ``a>b`` (depends_on), ``a^b``, ``a?b``, ``a+b``, ``a~b``, ``a!b``, ``a+b@0.4``."""
    found = []
    for link in links.split():
        pair, _, confidence = link.partition("@")
        mark = next(m for m in KINDS if m in pair)
        source, _, target = pair.partition(mark)
        kind, default = KINDS[mark]
        found.append(Link(source, target, kind, float(confidence or default)))
    return Adjacency(found)


def make_skills(**tokens: int) -> dict[str, RoutableSkill]:
    sizes = dict.fromkeys("abcdefgh", 100) | tokens
    return {n: RoutableSkill(n, n, "r", "", None, size, 10) for n, size in sizes.items()}


def seeds(text: str) -> list[Candidate]:
    """``"a b"`` scores a above b; ``"a=0.5"`` gives a score."""
    found = []
    for rank, part in enumerate(text.split(), start=1):
        name, _, score = part.partition("=")
        found.append(
            Candidate(skill_id=name, slug=name, rank=rank, score=float(score or 1 - rank / 100))
        )
    return found


def run(
    chosen: str,
    links: str = "",
    budget: int = 10_000,
    excluded: frozenset[str] = frozenset(),
    config: WalkConfig | None = None,
    copies: frozenset[str] = frozenset(),
    scores: dict[str, float] | None = None,
    **tokens: int,
) -> WalkResult:
    return walk(
        seeds(chosen),
        make_skills(**tokens),
        adjacency(links),
        budget,
        excluded,
        copies=copies,
        scores=scores,
        config=config,
    )


def ids(result: WalkResult) -> list[str]:
    return [member.skill_id for member in result.members]


def dropped(result: WalkResult) -> dict[str, str]:
    return {d.skill_id: d.reason for d in result.dropped}


def test_a_seed_brings_all_that_it_needs() -> None:
    result = run("a", "a>b b^c c>d")
    assert [(m.skill_id, m.reason, m.because_of) for m in result.members] == [
        ("a", "routed", None),
        ("b", "required", "a"),
        ("c", "required", "b"),
        ("d", "required", "c"),
    ]
    assert result.members[0].score == pytest.approx(0.99)
    assert result.tokens == 400


def test_seeds_are_taken_by_score_then_id_whatever_their_order() -> None:
    assert ids(run("c=0.5 b=0.9 a=0.5")) == ["b", "a", "c"]


def test_a_closure_that_does_not_fit_leaves_nothing_behind() -> None:
    result = run("a d", "a>b b>c", budget=250)
    assert ids(result) == ["d"]
    assert dropped(result) == {"a": "with the 2 it needs takes 300 tokens, 250 are left"}
    assert [(p.kind, p.skill_ids) for p in result.problems] == [("over_budget", ("a", "b", "c"))]


def test_a_single_skill_over_budget() -> None:
    assert dropped(run("a", budget=99)) == {"a": "takes 100 tokens, 99 are left"}
    assert ids(run("a", budget=100)) == ["a"]


def test_what_two_seeds_share_is_counted_once() -> None:
    result = run("a d", "a>b d>b", budget=300)
    assert ids(result) == ["a", "b", "d"]
    assert result.tokens == 300


def test_a_required_skill_that_the_router_chose_too_keeps_its_own_score() -> None:
    result = run("a b=0.3", "a>b")
    assert [(m.skill_id, m.reason, m.because_of) for m in result.members] == [
        ("a", "routed", None),
        ("b", "routed", None),
    ]
    assert result.members[1].score == pytest.approx(0.3)


UNAVAILABLE = {
    "quarantined itself": ("", {"a"}, "quarantined or excluded"),
    "needs a quarantined one": ("a>b", {"b"}, "needs b, which is quarantined or excluded"),
    "through another": ("a>b b>c", {"c"}, "needs b -> c, which is quarantined or excluded"),
    "needs one that is gone": ("a>r/gone", set(), "needs r/gone, which is not in the index"),
    "needs a mere name": (
        "a>gone",
        set(),
        "needs gone, which is the name of no skill, or of several",
    ),
}


@pytest.mark.parametrize(("links", "excluded", "reason"), UNAVAILABLE.values(), ids=UNAVAILABLE)
def test_a_closure_with_an_unavailable_skill(links: str, excluded: set[str], reason: str) -> None:
    result = run("a h", links, excluded=frozenset(excluded))
    assert ids(result) == ["h"]
    assert dropped(result) == {"a": reason}
    assert [p.kind for p in result.problems] == ["missing"]


def test_a_seed_that_is_not_in_the_index() -> None:
    result = run("zzz a")
    assert ids(result) == ["a"]
    assert result.problems[0].message == "zzz: not in the index"


CONFLICTS = {
    "of two seeds the better stays": ("a b", "a!b", ["a"], {"b": "it conflicts with a, which scored better"}),
    "said by the worse one": ("a b", "b!a", ["a"], {"b": "it conflicts with a, which scored better"}),
    "with what a better one needs": (
        "a b",
        "a>c b!c",
        ["a", "c"],
        {"b": "it conflicts with c, which scored better"},
    ),
    "the one that needs a foe of a better one loses": (
        "a b",
        "b>c c>d d!a",
        ["a"],
        {"b": "c -> d conflicts with a, which scored better"},
    ),
    "with what it needs itself": (
        "a b",
        "a>c a>d c!d",
        ["b"],
        {"a": "c conflicts with d, which it needs itself"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("chosen", "links", "kept", "lost"), CONFLICTS.values(), ids=CONFLICTS)
def test_conflicts(chosen: str, links: str, kept: list[str], lost: dict[str, str]) -> None:
    result = run(chosen, links)
    assert ids(result) == kept
    assert dropped(result) == lost
    assert [p.kind for p in result.problems] == ["conflict"]


def test_a_conflict_holds_at_any_confidence() -> None:
    assert ids(run("a b", "a!b@0.3")) == ["a"]


def test_a_likely_need_enters_where_it_fits_and_is_fatal_for_nobody() -> None:
    assert ids(run("a", "a?b b>c")) == ["a", "b", "c"]
    assert ids(run("a", "a?b b>c", budget=200)) == ["a"]
    assert ids(run("a", "a?b", excluded=frozenset("b"))) == ["a"]
    assert ids(run("a", "a?gone")) == ["a"]
    assert ids(run("a b", "a?c c!b")) == ["a", "b"]
    assert run("a", "a?b", budget=100).dropped == ()


def test_likely_needs_go_on_through_likely_needs_up_to_a_bound() -> None:
    chain = "a?b b?c c?d d?e e?f"
    assert ids(run("a", chain)) == ["a", "b", "c", "d", "e"]
    assert ids(run("a", chain, config=WalkConfig(likely=1))) == ["a", "b"]


def test_a_need_below_the_floor_is_not_followed() -> None:
    assert ids(run("a", "a>b@0.59 a>c@0.6")) == ["a", "c"]


def test_every_seed_goes_before_any_likely_need() -> None:
    assert ids(run("a b", "a?c", budget=200)) == ["a", "b"]


def test_companions_by_confidence_then_votes_then_score_then_id() -> None:
    links = "a+c@0.7 a+d@0.9 a+e@0.7 b+e@0.7 a+f@0.7"
    result = run("a b", links, scores={"f": 0.4})
    assert ids(result) == ["a", "b", "d", "e", "f"]
    assert [(m.reason, m.because_of) for m in result.members[2:]] == [
        ("complements", "a"),
        ("complements", "a"),
        ("complements", "a"),
    ]
    assert ids(run("a b", links, config=WalkConfig(companions=4)))[2:] == ["d", "e", "c", "f"]


def test_a_companion_enters_with_what_it_needs_or_not_at_all() -> None:
    assert ids(run("a", "a+b b>c")) == ["a", "b", "c"]
    assert ids(run("a", "a+b b>c", budget=200)) == ["a"]
    assert ids(run("a", "a+b b!a")) == ["a"]
    assert ids(run("a", "a+b a+c", excluded=frozenset("b"))) == ["a", "c"]


def test_a_copy_is_no_companion_but_may_be_needed() -> None:
    assert ids(run("a", "a+b a+c", copies=frozenset("b"))) == ["a", "c"]
    assert ids(run("a", "a>b a+b", copies=frozenset("b"))) == ["a", "b"]
    assert ids(run("b", "b+c", copies=frozenset("b"))) == ["b", "c"]


def test_companions_below_the_floor_stay_out() -> None:
    assert ids(run("a", "a+b@0.59 a+c@0.4 a~d@0.3")) == ["a"]


def test_co_use_holds_both_ways_and_complements_one() -> None:
    result = run("a", "b~a c+a")
    assert [(m.skill_id, m.reason) for m in result.members[1:]] == [("b", "co_used_with")]


def test_other_kinds_are_not_followed() -> None:
    other = [EdgeKind.REFERENCES, EdgeKind.TESTED_BY, EdgeKind.EXTENDS, EdgeKind.VERSION_OF]
    links = Adjacency([Link("a", "b", kind, 1.0) for kind in other])
    assert ids(walk(seeds("a"), make_skills(), links, 10_000)) == ["a"]


def test_a_self_link_is_nothing() -> None:
    assert ids(run("a", "a>a a!a a+a")) == ["a"]


def test_a_cycle_of_needs_enters_whole() -> None:
    assert ids(run("a", "a>b b>a")) == ["a", "b"]


def test_a_refused_seed_that_a_companion_opens_is_not_reported_as_dropped() -> None:
    # b and what it needs do not fit; the companion f brings c along, and then b fits as a companion
    result = run("a b", "b>c a+f f>c f~b a+b", budget=400, b=100, c=250, f=50)
    assert {d.skill_id for d in result.dropped}.isdisjoint(ids(result))


def test_nothing_to_walk() -> None:
    result = run("")
    assert (result.members, result.dropped, result.problems, result.tokens) == ((), (), (), 0)
