from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from asf_core.domain.errors import StoreError
from asf_core.retrieval.lexical import (
    FIELD_WEIGHTS,
    K1,
    PLAIN_B,
    PLAIN_K1,
    B,
    LexicalIndex,
)
from asf_core.retrieval.words import terms

_WORDS = ["wind", "log", "bread", "kite", "sail", "loaf", "tide", "plan"]


def _index(*descriptions: str, names: tuple[str, ...] = ()) -> LexicalIndex:
    names = names or tuple(f"skill{i}" for i in range(len(descriptions)))
    return LexicalIndex.build(
        {"name": name, "description": text} for name, text in zip(names, descriptions, strict=True)
    )


def _scores(index: LexicalIndex, task: str) -> np.ndarray:
    return index.scores(index.query(task))


class _LuceneOkapi(BM25Okapi):
    """rank_bm25 with Lucene's IDF; its term weight is (k1 + 1) times Lucene's."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, df in nd.items():
            self.idf[word] = math.log1p((self.corpus_size - df + 0.5) / (df + 0.5))


@given(
    st.lists(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=12), min_size=1, max_size=8),
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4, unique=True),
)
def test_words_score_as_rank_bm25_does(texts: list[list[str]], task: list[str]) -> None:
    index = LexicalIndex.build({"body": " ".join(words)} for words in texts)
    query = index.query(" ".join(task))
    for found, k1, b in (
        (index.scores(query), K1, B),
        (index.plain_scores(query), PLAIN_K1, PLAIN_B),
    ):
        oracle = _LuceneOkapi([terms(" ".join(words)) for words in texts], k1=k1, b=b)
        expected = oracle.get_scores(terms(" ".join(task))) / (k1 + 1)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@given(
    st.lists(st.lists(st.sampled_from(_WORDS), min_size=2, max_size=12), min_size=1, max_size=8),
    st.lists(st.sampled_from(_WORDS), min_size=2, max_size=4),
)
def test_pairs_score_as_rank_bm25_does(texts: list[list[str]], task: list[str]) -> None:
    def pairs(words: list[str]) -> list[str]:
        found = terms(" ".join(words))
        return [" ".join(pair) for pair in pairwise(found)]

    index = LexicalIndex.build({"body": " ".join(words)} for words in texts)
    oracle = _LuceneOkapi([pairs(words) for words in texts], k1=PLAIN_K1, b=PLAIN_B)
    expected = oracle.get_scores(sorted(set(pairs(task)))) / (PLAIN_K1 + 1)
    found = index.pair_scores(index.query(" ".join(task)))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_the_bag_is_the_text_with_each_field_repeated_by_its_weight() -> None:
    fields = {
        "name": "tide-table",
        "description": "Times of tides.",
        "triggers": "moon tide",
        "headings": "Sails",
        "body": "Tides and moons. Sails",
    }
    other = {"name": "moon", "body": "Nothing of the tide, log of moons."}
    index = LexicalIndex.build([fields, other])
    bags = [
        [t for f, text in one.items() for t in terms(text) * int(FIELD_WEIGHTS[f])]
        for one in (fields, other)
    ]
    oracle = _LuceneOkapi(bags, k1=K1, b=B)
    expected = oracle.get_scores(terms("moon tides sails")) / (K1 + 1)
    np.testing.assert_allclose(index.scores(index.query("moon tides sails")), expected, rtol=1e-5)


def test_words_side_by_side_count_beyond_the_words_and_only_within_a_field() -> None:
    index = LexicalIndex.build(
        [
            {"description": "Review a pull request."},
            {"description": "Pull and request a review of it."},
            {"description": "Nothing to pull", "body": "request nothing."},
        ]
    )
    found = index.pair_scores(index.query("my pull request"))
    assert found[0] > 0
    assert found[1] > 0  # "and" is no word
    assert found[2] == 0
    assert not index.pair_scores(index.query("request pull")).any()


def test_no_score_is_above_the_mass_of_the_task() -> None:
    index = _index("tide tide tide tide", "log", names=("tide", "log"))
    for task in ("tide", "tide log", "tide unheard", "unheard"):
        query = index.query(task)
        assert (index.scores(query) <= query.mass).all()
        assert (index.share(query) <= 1 + 1e-6).all()
    assert index.share(index.query("tide"))[0] == pytest.approx(1)
    assert index.share(index.query("tide unheard"))[0] < 0.5


def test_a_task_of_many_repeats_counts_each_word_once() -> None:
    index = _index("Tidy csv files.", "Join pdf files.")
    np.testing.assert_array_equal(_scores(index, "csv csv CSV"), _scores(index, "csv"))


@pytest.mark.parametrize(
    ("texts", "task", "matching"),
    [
        (["Join pdf files."], "pdf", {0}),
        (["Join pdf files.", "Tidy csv files."], "pdf", {0}),
        (["Join pdf files.", "Tidy csv files."], "files", {0, 1}),
        (["Log windy days.", "Log shoes.", "Plan for windy seas.", "Log loaves."], "windy", {0, 2}),
        (["all the same", "all the same", "all the same"], "same", {0, 1, 2}),
    ],
)
def test_in_a_tiny_registry_a_match_scores_above_zero(
    texts: list[str], task: str, matching: set[int]
) -> None:
    scores = _scores(_index(*texts), task)
    assert set(np.flatnonzero(scores > 0)) == matching
    assert (scores >= 0).all()


@pytest.mark.parametrize(
    "documents",
    [
        [],
        [{}],
        [{"name": "--", "description": "..."}, {"description": "-- --"}],
        [{"name": "", "description": "", "triggers": "", "body": ""}],
    ],
    ids=["no skill", "no field", "no words", "empty fields"],
)
def test_an_index_of_nothing_answers_with_zeros(
    documents: list[dict[str, str]], tmp_path: Path
) -> None:
    built = LexicalIndex.build(documents)
    built.save(tmp_path / "lexical")
    for index in (built, LexicalIndex.load(tmp_path / "lexical")):
        query = index.query("tidy the csv")
        assert len(index) == len(documents)
        assert index.scores(query).tolist() == [0.0] * len(documents)
        assert index.coverage(query).tolist() == [0.0] * len(documents)
        assert index.share(query).tolist() == [0.0] * len(documents)
        assert index.pair_scores(query).tolist() == [0.0] * len(documents)
        assert index.named("tidy") == ()
        assert math.isfinite(index.idf("tidi"))


_TASKS = [
    "csv-tidy",
    "-csv",
    "name:csv",
    'who wrote "field notes"?',
    '"unbalanced',
    "AND",
    "NOT csv",
    "csv OR",
    "c++",
    "csv*",
    "((",
    "\\",
    "a/b & c",
    "[csv]",
    "%_'; --",
    "\ud800 lone surrogate",
    "\0",
]


@pytest.mark.parametrize("task", _TASKS)
def test_a_task_is_plain_words(task: str) -> None:
    index = _index("Tidy CSV files.", "Type up field notes.", names=("csv-tidy", "field-notes"))
    scores = _scores(index, task)
    assert np.isfinite(scores).all()
    if "csv" in task:
        assert scores.argmax() == 0
        assert scores[0] > 0
    elif "field" in task:
        assert scores.argmax() == 1
        assert scores[1] > 0
    else:
        assert not scores.any()


@pytest.mark.parametrize(
    ("task", "first"),
    [
        ("信太生硬了，写得柔和些", "zh-letter"),
        ("報告を短くまとめて", "ja-digest"),
        ("polish prose", "en-polish"),
    ],
)
def test_chinese_and_japanese_meet(task: str, first: str) -> None:
    names = ("en-polish", "ja-digest", "zh-letter")
    index = _index(
        "Polish English prose.",
        "年次報告書を三行で要約する。",
        "润色中文书信，让语气更柔和亲切。",
        names=names,
    )
    assert names[int(_scores(index, task).argmax())] == first


@pytest.mark.parametrize(
    ("task", "whole"),
    [
        ("cell count qc", True),
        ("cell_count_QC", True),
        ("cellCountQc", True),
        ("CELL-COUNT-QC", True),
        ("/cell-count-qc", True),
        ("cell-count", False),
    ],
)
def test_a_name_is_found_however_it_is_written(task: str, whole: bool) -> None:
    index = _index(
        "Quality checks for counting plates.",
        "General quality checks, cell phones included.",
        names=("cell-count-qc", "qc-general"),
    )
    assert _scores(index, task).argmax() == 0
    assert index.named(task) == ((0,) if whole else ())


def test_one_name_in_two_registries_is_two_rows() -> None:
    index = _index("One.", "Two.", names=("csv-tidy", "csv_tidy"))
    assert index.named("CSV tidy") == (0, 1)


def test_coverage_means_the_same_in_any_registry() -> None:
    task = "join the pdf files"
    alone = _index("Join pdf files.")
    among = _index("Join pdf files.", *[f"Text number {i}." for i in range(200)])
    for index in (alone, among):
        whole = index.coverage(index.query(task))[0]
        part = index.coverage(index.query("join the pdf wombats"))[0]
        word = index.coverage(index.query("files"))[0]
        assert 0.5 < whole < 1
        assert 0.3 < part < whole
        assert word < 0.5


def test_matched_words_are_the_tasks_own_the_rarest_first() -> None:
    index = _index("Check Go code for idioms.", "Check Go changes.", "Check everything.")
    found = index.matched(index.query("check my Go code for idioms"), np.array([0, 1, 2]))
    assert [set(words) for words in found] == [
        {"code", "idioms", "Go", "check"},
        {"Go", "check"},
        {"check"},
    ]
    assert found[0][-1] == "check"


def test_a_saved_index_answers_the_same_and_is_mapped(tmp_path: Path) -> None:
    built = _index("Tidy csv files.", "Join pdf files.", "润色中文书信")
    built.save(tmp_path / "x")
    loaded = LexicalIndex.load(tmp_path / "x")
    for task in ("tidy files", "中文", "nothing of the kind"):
        np.testing.assert_array_equal(_scores(loaded, task), _scores(built, task))
        query = built.query(task)
        for said in ("coverage", "share", "pair_scores", "plain_scores"):
            np.testing.assert_array_equal(getattr(loaded, said)(query), getattr(built, said)(query))
    for mapped in (loaded._weights.bag, loaded._words.rows, loaded._pair_keys):
        assert isinstance(mapped, np.memmap)
    assert loaded.named("skill1") == (1,)


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:10])


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: (d / "meta.json").unlink(),
        lambda d: (d / "meta.json").write_text("{", "utf-8"),
        lambda d: (d / "meta.json").write_text("[]", "utf-8"),
        lambda d: (d / "meta.json").write_text('{"format": 0}', "utf-8"),
        lambda d: (d / "names.json").unlink(),
        lambda d: _truncate(d / "terms.npy"),
        lambda d: _truncate(d / "bag_weights.npy"),
    ],
    ids=["no meta", "broken meta", "odd meta", "old format", "no names", "no terms", "no data"],
)
def test_a_damaged_index_says_so(damage: object, tmp_path: Path) -> None:
    _index("Tidy csv files.").save(tmp_path)
    damage(tmp_path)  # type: ignore[operator]
    with pytest.raises(StoreError, match="word index") as caught:
        LexicalIndex.load(tmp_path)
    assert "asf sync" in caught.value.hint


def test_equal_documents_make_equal_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        _index("Tidy csv files and more.", "Join pdf files.").save(tmp_path / name)
    for path in sorted((tmp_path / "a").rglob("*.npy")):
        twin = tmp_path / "b" / path.relative_to(tmp_path / "a")
        assert path.read_bytes() == twin.read_bytes()
