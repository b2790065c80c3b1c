"""Which skills are one."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.quality import DuplicatePass
from asf_core.quality.canonical import (
    Comparable,
    choose_canonical,
    clusters_of,
    find_duplicates,
)
from asf_core.quality.gate import judge
from tests.quality.writing import DESCRIPTION, GOOD, skill

SEMANTIC, STRUCTURAL = DuplicatePass.SEMANTIC, DuplicatePass.STRUCTURAL
SCRIPT = "import sys\n\n\ndef main():\n" + "".join(
    f"    total_{i} = sum(len(line) for line in sys.stdin)\n    print(total_{i})\n"
    for i in range(6)
)
OTHER_BODY = "Bake at 230 degrees for 40 minutes. If the crust is pale, wait five more.\n" * 4
PARAPHRASE = "Prove that restic snapshots restore, and prune. Use when a backup job fails."
ELSEWHERE = "Bake sourdough bread in an iron pot. Use when somebody has flour and a day."


def _unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


NEAR = {DESCRIPTION: _unit(1, 0, 0), PARAPHRASE: _unit(0.9, 0.43, 0), ELSEWHERE: _unit(0, 0, 1)}


def _pair(a: dict, b: dict, vectors=NEAR):
    skills = [
        skill(one.get("name", "restic-care"), one.get("description", DESCRIPTION),
              one.get("body", GOOD), path=path, scripts=one.get("scripts"))
        for one, path in ((a, "a/x"), (b, "b/y"))
    ]  # fmt: skip
    comparable = [Comparable(s.id, s.names, s.facts) for s in skills]
    rows = None
    if vectors is not None:
        texts = [one.get("description", DESCRIPTION) for one in (a, b)]
        rows = np.array([vectors.get(text, _unit(0, 1, 0)) for text in texts])
    return find_duplicates(comparable, rows)


@pytest.mark.parametrize(
    ("a", "b", "passes"),
    [
        ({}, {}, (SEMANTIC, STRUCTURAL)),
        ({}, {"body": OTHER_BODY}, (SEMANTIC,)),  # same name, same description
        ({}, {"name": "other", "body": GOOD + "One more line at the end.\n"}, (SEMANTIC,)),
        ({}, {"name": "other", "description": ELSEWHERE}, (STRUCTURAL,)),  # equal text
        (
            {"scripts": {"s.py": SCRIPT.encode()}, "body": OTHER_BODY},
            {"scripts": {"t.py": b"# again\n" + SCRIPT.encode()}, "description": PARAPHRASE, "name": "other"},
            (STRUCTURAL,),
        ),
    ],
)  # fmt: skip
def test_pairs_that_are_one(a: dict, b: dict, passes: tuple[DuplicatePass, ...]) -> None:
    (pair,) = _pair(a, b).pairs
    assert pair.passes == passes
    assert pair.because
    assert (pair.first, pair.second) == ("reg/a/x", "reg/b/y")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({}, {"name": "other", "body": OTHER_BODY, "description": PARAPHRASE}),
        ({"body": "To follow."}, {"body": "To follow.", "name": "other", "description": ELSEWHERE}),
        (  # a shared helper under two subjects
            {"scripts": {"s.py": SCRIPT.encode()}, "body": OTHER_BODY},
            {"scripts": {"s.py": SCRIPT.encode()}, "description": ELSEWHERE, "name": "other"},
        ),
        (  # one script more
            {"scripts": {"s.py": SCRIPT.encode()}, "body": OTHER_BODY},
            {"scripts": {"s.py": SCRIPT.encode(), "t.py": SCRIPT.upper().encode()},
             "description": PARAPHRASE, "name": "other"},
        ),
        (  # a trivial script
            {"scripts": {"s.sh": b"ls\n"}, "body": OTHER_BODY},
            {"scripts": {"s.sh": b"ls\n"}, "description": PARAPHRASE, "name": "other"},
        ),
        ({"description": "", "body": "x"}, {"description": "", "body": "y", "name": "other"}),
    ],
)  # fmt: skip
def test_pairs_that_are_two(a: dict, b: dict) -> None:
    found = _pair(a, b)
    assert found.pairs == ()


def test_equal_descriptions_alone_are_reported_and_not_merged() -> None:
    vague = "Development skill from somewhere"
    found = _pair(
        {"name": "one", "description": vague, "body": "# one\n\nA skill."},
        {"name": "two", "description": vague, "body": "# two\n\nA skill."},
    )
    assert found.pairs == ()
    (apart,) = found.unconfirmed
    assert apart.cosine == 1.0


def test_without_vectors_equal_descriptions_still_count() -> None:
    (pair,) = _pair({}, {"body": OTHER_BODY}, vectors=None).pairs
    assert pair.passes == (SEMANTIC,)
    assert pair.cosine is None


def test_a_registry_of_copies_costs_no_square() -> None:
    copies = [skill("restic-care", path=f"copies/{i:05}") for i in range(3000)]
    found = find_duplicates([Comparable(s.id, s.names, s.facts) for s in copies], None)
    assert len(clusters_of(found.pairs)[0]) == 3000
    assert len(found.pairs) < 20_000


def test_a_registry_of_near_copies_costs_no_square_either() -> None:
    skills = [
        skill("restic-care", f"Description number {i}.", f"Body {i}.", path=f"near/{i:04}")
        for i in range(1500)
    ]
    vectors = np.tile(_unit(1, 0, 0), (1500, 1)).astype(np.float32)
    found = find_duplicates([Comparable(s.id, s.names, s.facts) for s in skills], vectors)
    assert len(clusters_of(found.pairs)[0]) == 1500
    assert len(found.pairs) <= 20 * 1500


def test_the_canonical_one_is_the_best_then_the_newest_then_the_plainest() -> None:
    scores = {"r/a/deep/x": 0.8, "r/b": 0.8, "r/c": 0.7, "r/aa": 0.8}
    assert choose_canonical(scores, scores, {})[0] == "r/b"
    assert choose_canonical(scores, {**scores, "r/c": 0.9}, {})[0] == "r/c"
    versions = {"r/a/deep/x": "2.0.10", "r/b": "2.0.9", "r/aa": None}
    assert choose_canonical(scores, scores, versions)[:2] == ["r/a/deep/x", "r/b"]


POOL = [
    skill("restic-care", path="a/one"),
    skill("restic-care", path="b/two", version="1.1"),
    skill("restic-care", body=OTHER_BODY, path="c/three"),
    skill("bread", ELSEWHERE, OTHER_BODY, path="d/four"),
    skill("loaf", ELSEWHERE, OTHER_BODY + "Let it rest until it is cold.\n", path="e/five"),
    skill("prune", PARAPHRASE, "Prune.", path="f/six"),
    skill("stub", "A stub", "", path="g/seven"),
]
VECTORS = {s.facts.description.key: _unit(i == 3, i % 3 == 0, 0.2) for i, s in enumerate(POOL)}


def _clusters(skills):
    return [(c.canonical, frozenset(c.members)) for c in judge(skills, VECTORS).clusters]


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(len(POOL))))
def test_clusters_do_not_depend_on_the_order(order: list[int]) -> None:
    assert _clusters([POOL[i] for i in order]) == _clusters(POOL)


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, len(POOL) - 1)))
def test_canonicalising_the_canonical_changes_nothing(chosen: set[int]) -> None:
    skills = [POOL[i] for i in sorted(chosen)]
    aliases = {j.skill_id for j in judge(skills, VECTORS).judgements if j.canonical_id}
    kept = [s for s in skills if s.id not in aliases]
    again = judge(kept, VECTORS)
    assert again.clusters == ()
    assert all(j.canonical_id is None for j in again.judgements)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=12))
def test_clusters_are_connected_components(links: list[tuple[int, int]]) -> None:
    import networkx as nx

    from asf_core.domain.quality import DuplicateEvidence

    pairs = [
        DuplicateEvidence(first=str(min(a, b)), second=str(max(a, b)), passes=(SEMANTIC,), cosine=1.0, because=())
        for a, b in links
        if a != b
    ]  # fmt: skip
    graph = nx.Graph([(pair.first, pair.second) for pair in pairs])
    expected = sorted(tuple(sorted(part)) for part in nx.connected_components(graph))
    assert clusters_of(pairs) == expected


MERGES = Path(__file__).parent / "data" / "semantic_merges.tsv"


def test_the_judged_sample_of_merges_is_sound() -> None:
    """Fifty pairs of 272 at a cosine of 0.97, read and judged; the rule merges no two that differ."""
    with MERGES.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert len({(row["first"], row["second"]) for row in rows}) == 50
    assert all(float(row["cosine"]) >= 0.97 and row["note"] for row in rows)
    merged = [row["verdict"] for row in rows if row["merged"] == "yes"]
    assert set(merged) <= {"same", "edition", "translation"}
    assert len(merged) == 47
