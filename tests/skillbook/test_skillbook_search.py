"""Search, embeddings and their cache, and likely duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from book_helpers import TRACE, Clock, HashEmbedder, add, make_book, words
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from asf_core.domain.errors import InputError, MissingError
from asf_core.domain.skillbook import Advice, Section
from asf_core.retrieval.fusion import reciprocal_ranks
from asf_core.skillbook.duplicates import consolidate, propose
from asf_core.skillbook.search import (
    Wanted,
    best_first,
    bm25_scores,
    fused,
    ranks,
    search_skills,
)
from asf_core.skillbook.vectors import Stored, embeddings, load_cache, save_cache


@given(st.integers(1, 12).flatmap(lambda n: arrays(np.float64, (3, n), elements=st.floats(-4, 4))))
def test_fusion_is_that_of_the_router(scores: NDArray[np.float64]) -> None:
    ours = fused([ranks(row) for row in scores])
    assert np.allclose(ours, reciprocal_ranks(list(scores)), atol=1e-7)


def test_ranks_are_shared_by_equal_scores() -> None:
    assert ranks(np.array([0.5, 0.9, 0.5, 0.1])) == [2, 1, 2, 4]
    assert fused([[1, 2], [2, 1]]) == [1 / 61 + 1 / 62] * 2


def test_a_perfect_match_comes_first_even_in_a_tiny_skillbook() -> None:
    book = make_book("tests hang forever")
    [score] = bm25_scores(book.skills(), "tests hang", words)
    assert score > 0
    book = make_book("git push fails", "git pull fails")
    assert np.argmax(bm25_scores(book.skills(), "git pull", words)) == 1


def test_texts_without_words_have_no_score() -> None:
    book = make_book("a b")
    assert bm25_scores(book.skills(), "a", lambda _: []).tolist() == [0.0]


def test_equal_skills_come_in_order_of_id() -> None:
    book = make_book(*["same words"] * 4)
    wanted = Wanted("same words")
    first = search_skills(book, wanted, HashEmbedder(), words)
    assert [hit.skill.id for hit in first] == [f"context-0000{n}" for n in (1, 2, 3, 4)]
    assert len({hit.score for hit in first}) == 1
    assert best_first([1.0, 1.0], book.skills()[2:]) == [0, 1]


def test_equal_skills_come_in_order_of_id_whatever_came_first() -> None:
    book = make_book()
    for section in (Section.HARNESS, Section.CONTEXT):
        add(book, "same words", section)
    hits = search_skills(book, Wanted("same words"), HashEmbedder(), words)
    assert [hit.skill.id for hit in hits] == ["context-00001", "harness-00001"]


def test_words_that_are_not_met_score_nothing_and_words_asked_twice_count_once() -> None:
    skills = make_book("git push fails", "tests hang often").skills()
    assert bm25_scores(skills, "git", words)[1] == 0.0
    assert (bm25_scores(skills, "git git", words) == bm25_scores(skills, "git", words)).all()
    hits = search_skills(make_book("git push", "tests hang"), Wanted("git"), HashEmbedder(), words)
    assert {hit.skill.id: hit.bm25_rank for hit in hits} == {
        "context-00001": 1,
        "context-00002": None,
    }


def test_filters_leave_out_and_boosts_move_up() -> None:
    book = make_book("git push fails", "git pull fails", "tests hang often")
    add(book, "git hook slow", Section.HARNESS)
    embedder = HashEmbedder()

    def found(wanted: Wanted) -> list[str]:
        return [hit.skill.id for hit in search_skills(book, wanted, embedder, words)]

    assert found(Wanted("git push fails"))[0] == "context-00001"
    assert found(Wanted("git", Section.HARNESS)) == ["harness-00001"]
    assert found(Wanted("git", keywords=("Git", "pull"))) == ["context-00002"]
    assert found(Wanted("git", keywords=("nothing",))) == []
    assert found(Wanted("git push fails", boost=("hang",)))[0:1] == ["context-00001"]
    plain = found(Wanted("git fails"))
    lifted = found(Wanted("git fails", boost=("tests", "hang")))
    assert lifted.index("context-00003") <= plain.index("context-00003")
    assert len(found(Wanted("git", limit=2))) == 2


def test_a_boosted_keyword_decides_between_equals() -> None:
    book = make_book(*["same words"] * 2)
    book.update_skill("context-2", TRACE, keywords=["same", "words", "ci"])
    embedder = Planned(same=0)

    def first(wanted: Wanted) -> str:
        return search_skills(book, wanted, embedder, lambda _: ["same"])[0].skill.id

    assert first(Wanted("same words")) == "context-00001"
    assert first(Wanted("same words", boost=("CI",))) == "context-00002"


def test_removed_skills_are_found_only_when_asked_for() -> None:
    book = make_book("git push", "git pull")
    book.remove_skill("context-1", "r", TRACE)
    assert len(search_skills(book, Wanted("git"), HashEmbedder(), words)) == 1
    assert len(search_skills(book, Wanted("git", removed=True), HashEmbedder(), words)) == 2


@pytest.mark.parametrize("query", ["", "  \n", "x" * 20_001])
def test_a_question_that_asks_nothing_is_refused(query: str) -> None:
    with pytest.raises(InputError, match="question"):
        search_skills(make_book("a b"), Wanted(query), HashEmbedder(), words)


class Broken(HashEmbedder):
    def __init__(self, result: object) -> None:
        super().__init__()
        self._result = result

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        if isinstance(self._result, Exception):
            raise self._result
        return self._result  # type: ignore[return-value]


USELESS = {
    "too few": np.ones((0, 4), np.float32),
    "one vector": np.ones(4, np.float32),
    "not a number": np.full((1, 4), np.nan, np.float32),
    "zeros": np.zeros((1, 4), np.float32),
}


@pytest.mark.parametrize("case", USELESS)
def test_useless_embeddings_are_an_error_and_never_words_alone(case: str) -> None:
    with pytest.raises(MissingError, match="cannot be searched"):
        search_skills(make_book("a b"), Wanted("a"), Broken(USELESS[case]), words)


def test_what_the_encoder_raises_is_raised() -> None:
    with pytest.raises(MissingError, match="gone"):
        search_skills(make_book("a b"), Wanted("a"), Broken(MissingError("gone")), words)


def test_only_what_is_missing_is_encoded() -> None:
    book = make_book("git push", "git pull")
    embedder = HashEmbedder()
    search_skills(book, Wanted("git"), embedder, words)
    assert len(embedder.encoded) == 3
    book.tag_skill("context-1", 1, TRACE)
    search_skills(book, Wanted("git"), embedder, words)
    assert embedder.encoded[3:] == [book.read_skill("context-1").embedding_input, "git"]


def test_the_input_is_issue_insight_and_keywords() -> None:
    assert make_book("git push").skills()[0].embedding_input == (
        "git push\n\nmend git push\n\nKeywords: git, push"
    )


def test_another_model_makes_new_embeddings() -> None:
    book = make_book("git push")
    embeddings(book.skills(), book.vectors, HashEmbedder("one"))
    other = HashEmbedder("two", dimension=8)
    assert embeddings(book.skills(), book.vectors, other).shape == (1, 8)


def test_the_cache_gives_back_what_it_got(tmp_path: Path) -> None:
    book = make_book("git push", "git pull")
    embedder = HashEmbedder()
    rows = embeddings(book.skills(), book.vectors, embedder)
    save_cache(tmp_path / "c.npz", book.vectors)
    known = load_cache(tmp_path / "c.npz")
    assert (embeddings(book.skills(), known, embedder) == rows).all()
    assert len(embedder.encoded) == 2
    with np.load(tmp_path / "c.npz") as found:
        assert found["vectors"].dtype == np.float32


def test_a_cached_embedding_is_dropped_by_any_mutation(tmp_path: Path) -> None:
    book = make_book("git push", "git pull")
    embedder = HashEmbedder()
    embeddings(book.skills(), book.vectors, embedder)
    save_cache(tmp_path / "c.npz", book.vectors)
    tagged = book.tag_skill("context-2", 1, TRACE)
    known = load_cache(tmp_path / "c.npz")
    embeddings(book.skills(), known, embedder)
    assert embedder.encoded[2:] == [tagged.embedding_input]


class _Trap:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self._path,)


def test_nothing_in_a_cache_is_run(tmp_path: Path) -> None:
    trap = np.array([_Trap(tmp_path / "sprung")], object)
    np.savez(tmp_path / "c.npz", ids=trap, stamps=["s"], vectors=np.ones((1, 2), np.float32))
    assert load_cache(tmp_path / "c.npz") == {}
    assert not (tmp_path / "sprung").exists()


def _npz(path: Path, **arrays_: object) -> None:
    np.savez(path, **{name: np.asarray(value) for name, value in arrays_.items()})


def test_a_cache_that_is_none_is_taken_for_absent(tmp_path: Path) -> None:
    good = {"ids": ["a"], "stamps": ["s"], "vectors": np.ones((1, 2), np.float32)}
    path = tmp_path / "c.npz"
    assert load_cache(path) == {}
    for data in (b"", b"PK\x03\x04 no archive", b"\x80\x04pickle"):
        path.write_bytes(data)
        assert load_cache(path) == {}
    for changed in (
        {"ids": ["a", "b"]},
        {"ids": np.array([{}], object)},
        {"vectors": np.ones((1, 2))},
        {"vectors": np.ones(1, np.float32)},
        {"vectors": np.full((1, 2), np.inf, np.float32)},
    ):
        _npz(path, **{**good, **changed})
        assert load_cache(path) == {}
    _npz(path, ids=["a"])
    assert load_cache(path) == {}
    _npz(path, **good)
    assert list(load_cache(path)) == ["a"]
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert load_cache(path) == {}


class Planned(HashEmbedder):
    """Gives the vectors that a test wants, by the first word of the text."""

    def __init__(self, **angles: float) -> None:
        super().__init__()
        self._angles = angles

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        turned = [np.radians(self._angles[text.split()[0]]) for text in texts]
        return np.array([[np.cos(t), np.sin(t)] for t in turned], np.float32)


def test_likely_duplicates_with_what_may_be_done() -> None:
    # Cosines: 10 degrees 0.985, 30 degrees 0.866, 20 degrees 0.940, all others under 0.8.
    book = make_book("one x", "two x", "three x", "far x")
    book.update_skill("context-2", TRACE, occurrences=5)
    found = propose(book, Planned(one=0, two=10, three=-30, far=120))
    assert [(p.keep, p.other, p.advice) for p in found] == [
        ("context-00002", "context-00001", Advice.MERGE),
        ("context-00001", "context-00003", Advice.WIDEN),
    ]
    assert found[0].shared_keywords == ("x",)
    assert [p.cosine for p in found] == [0.9848, 0.866]


def test_sections_and_verdicts_that_disagree_advise_to_keep_both() -> None:
    book = make_book("one x", "two x")
    add(book, "three x", Section.HARNESS)
    book.tag_skill("context-1", 1, TRACE)
    book.tag_skill("context-2", -1, TRACE)
    found = propose(book, Planned(one=0, two=1, three=2))
    assert {p.advice for p in found} == {Advice.KEEP}
    assert {p.why.split()[0] for p in found} == {"one"}
    assert found[0].keep == "context-00001"


@pytest.mark.parametrize("rewritten", ["context-1", "context-2"])
def test_a_pair_kept_apart_comes_back_only_when_a_text_changes(rewritten: str) -> None:
    book = make_book("one x", "two x")
    embedder = Planned(one=0, two=1, three=1)
    assert len(propose(book, embedder)) == 1
    book.keep_apart("context-2", "context-1", "two causes", "ann")
    assert propose(book, embedder) == ()
    book.tag_skill(rewritten, 1, TRACE)
    assert propose(book, embedder) == ()
    book.update_skill(rewritten, TRACE, issue="three x")
    assert len(propose(book, embedder)) == 1


def test_a_decision_of_another_skillbook_is_about_other_issues() -> None:
    other = make_book("one x", "two y")
    other.keep_apart("context-1", "context-2", "two causes", "ann")
    book = make_book("zero x", "two x")
    new = book.adopt(other.read_skill("context-1"), TRACE)
    found = propose(book, Planned(zero=90, two=1, one=0))
    assert [{p.keep, p.other} for p in found] == [{"context-00002", new.id}]


def test_removed_skills_are_no_duplicates() -> None:
    book = make_book("one x", "two x")
    book.remove_skill("context-1", "r", TRACE)
    assert propose(book, Planned(one=0, two=1)) == ()


@pytest.mark.parametrize(("alike", "same"), [(0.0, 0.9), (0.9, 0.8), (0.5, 1.5), (-1, 0.9)])
def test_bounds_that_do_not_fit_are_refused(alike: float, same: float) -> None:
    with pytest.raises(InputError, match="bounds"):
        propose(make_book("one x"), HashEmbedder(), alike=alike, same=same)


def test_many_skills_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from asf_core.skillbook import duplicates

    monkeypatch.setattr(duplicates, "_BLOCK", 2)
    names = {f"n{number}": number * 40.0 for number in range(5)}
    book = make_book(*[f"{name} x" for name in names], "n0 y")
    found = propose(book, Planned(**names), alike=0.99, same=0.99)
    assert [(p.keep, p.other) for p in found] == [("context-00001", "context-00006")]


def test_widening_is_a_rewrite_and_then_a_merge() -> None:
    book = make_book("git push", "git pull")
    kept = consolidate(
        book, "context-1", "context-2", reason="both", person="ann", issue="git push or pull"
    )
    assert [line.operation_type.value for line in kept.sources] == ["add", "update", "merge"]
    assert (kept.issue, kept.sources[1].relation) == ("git push or pull", "widened")
    assert kept.sources[1].replaced[0].text == "git push"
    assert not book.read_skill("context-2").active


def test_stored_embeddings_of_another_time_are_not_used() -> None:
    book = make_book("git push", clock=Clock())
    book.vectors = {"context-00001": Stored("old", np.ones(16, np.float32))}
    embedder = HashEmbedder()
    embeddings(book.skills(), book.vectors, embedder)
    assert len(embedder.encoded) == 1
