import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vector_rows import D, make, many

from asf_core.domain.errors import StoreError
from asf_core.store.arrays import IndexRow, StoredVectors
from asf_core.store.vectors import VectorStore


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    return VectorStore(tmp_path / "index", model="m1", dimension=D)


def other(store: VectorStore, model: str = "m2", dimension: int = D) -> VectorStore:
    return VectorStore(store._where, model=model, dimension=dimension)


def assert_same(found: StoredVectors, wanted: StoredVectors) -> None:
    np.testing.assert_array_equal(found.vector, wanted.vector)
    np.testing.assert_array_equal(found.tokens, wanted.tokens)
    np.testing.assert_array_equal(found.scales, wanted.scales)
    assert (found.tokens.dtype, found.vector.dtype) == (np.int8, np.float32)


def test_an_index_without_rows_answers(store: VectorStore) -> None:
    assert store.known() == {}
    assert store.by_digest(["x"]) == {}
    assert store.search(make("a").vectors.vector, 5) == ()
    assert store.scan().vectors.shape == (0, D)
    assert list(store.batches()) == []
    assert not store.compact(force=True)
    store.delete(["reg/a"])
    store.put([])
    store.drop_other_models()
    assert store.health().rows == 0


def test_rows_come_back_as_they_went_in(store: VectorStore) -> None:
    rows = [make("reg/c", tokens=0), make("reg/a"), make("reg/b", tokens=7, digest="v2")]
    store.put(rows)
    batch = store.scan()
    assert batch.ids == ("reg/a", "reg/b", "reg/c")
    assert batch.view_digests == ("v1", "v2", "v1")
    assert batch.tokens.shape == (10, 4)
    assert batch.lengths.tolist() == [3, 7, 0]
    assert batch.offsets().tolist() == [0, 3, 10, 10]
    by_id = {row.id: row for row in rows}
    for skill_id, _, stored in batch.each():
        assert_same(stored, by_id[skill_id].vectors)
    assert store.known() == {"reg/a": "v1", "reg/b": "v2", "reg/c": "v1"}
    assert store.token_counts() == {"reg/a": 3, "reg/b": 7, "reg/c": 0}
    assert store.manifests(["reg/a", "reg/zzz"]) == {"reg/a": '{"id": "reg/a"}'}


def test_putting_again_replaces_and_the_last_of_two_counts(store: VectorStore) -> None:
    store.put([make("reg/a"), make("reg/b")])
    new = make("reg/a", digest="v3", seed=9)
    store.put([make("reg/a", digest="v2"), new])
    assert store.known() == {"reg/a": "v3", "reg/b": "v1"}
    assert_same(next(stored for i, _, stored in store.scan().each() if i == "reg/a"), new.vectors)
    assert store.health().rows == 2


def test_vectors_of_equal_texts_are_found_for_reuse(store: VectorStore) -> None:
    rows = [make("reg/a", digest="same"), make("reg/b", digest="other")]
    store.put(rows)
    found = store.by_digest(["same", "none"])
    assert list(found) == ["same"]
    assert_same(found["same"], rows[0].vectors)


@pytest.mark.parametrize("count", [1, 10, 255, 256, 600])
def test_search_is_exact_at_any_size_and_after_shrinking(store: VectorStore, count: int) -> None:
    """Case B111; the oracle is the dot product with every vector."""
    rows = many(count)
    store.put(rows)
    query = make("query").vectors.vector
    scores = {row.id: float(row.vectors.vector @ query) for row in rows}
    best = sorted(scores, key=lambda i: -scores[i])[:5]
    hits = store.search(query, 5)
    assert [hit[0] for hit in hits] == best
    assert [hit[1] for hit in hits] == pytest.approx([scores[i] for i in best], abs=1e-5)
    store.delete([row.id for row in rows[5:]])
    store.compact(force=True)
    store.put(rows[:1])
    assert len(store.search(query, 600)) == min(count, 5)
    assert len(store.scan().ids) == min(count, 5)


def test_growing_from_nothing_in_steps_finds_all(store: VectorStore) -> None:
    """Case B112: a first search over nothing spoils nothing."""
    assert store.search(make("q").vectors.vector, 1) == ()
    rows = many(200)
    for row in rows[:3]:
        store.put([row])
    store.put(rows[3:])
    assert all(store.search(row.vectors.vector, 1)[0][0] == row.id for row in rows[::10])


def test_a_deleted_skill_is_never_found(store: VectorStore) -> None:
    rows = many(50)
    store.put(rows)
    for row in rows[:5]:
        store.delete([row.id])
        assert row.id not in dict(store.search(row.vectors.vector, 50))
    store.compact(force=True)
    assert len(store.search(rows[0].vectors.vector, 50)) == 45


def test_search_among_some(store: VectorStore) -> None:
    rows = many(20)
    store.put(rows)
    query = rows[0].vectors.vector
    assert {i for i, _ in store.search(query, 20, [r.id for r in rows[5:8]])} == {
        r.id for r in rows[5:8]
    }
    assert store.search(query, 5, []) == ()
    assert store.search(query, 5, ["reg/none"]) == ()
    assert store.search(query, 0) == ()


def test_equal_scores_are_ordered_by_id(store: VectorStore) -> None:
    same = make("reg/x").vectors
    store.put([IndexRow(f"reg/{n}", "reg", "v", "{}", same) for n in "cab"])
    assert [i for i, _ in store.search(same.vector, 3)] == ["reg/a", "reg/b", "reg/c"]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ids=st.sets(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_any_text_is_an_id(store: VectorStore, ids: set[str]) -> None:
    store.put([make(skill_id) for skill_id in ids])
    assert ids <= store.known().keys()
    gone = sorted(ids)[0]
    query = make(gone).vectors.vector
    assert store.search(query, 1, [gone])[0][0] == gone
    store.delete([gone])
    assert store.search(query, 1, [gone]) == ()
    store.delete(ids)
    assert store.known() == {}


def test_models_stand_side_by_side_and_never_mix(store: VectorStore) -> None:
    """Case B113: equal size, another model."""
    store.put([make("reg/a", digest="v1"), make("reg/b", digest="v1")])
    new = other(store)
    assert new.known() == {}
    assert new.by_digest(["v1"]) == {}
    assert new.search(make("reg/a").vectors.vector, 5) == ()
    new.put([make("reg/a", digest="v1", seed=5)])
    assert store.known().keys() == {"reg/a", "reg/b"}
    assert new.known().keys() == {"reg/a"}
    assert [i for i, _ in new.search(make("reg/b").vectors.vector, 5)] == ["reg/a"]
    assert (new.health().rows, new.health().rows_of_model) == (3, 1)
    new.drop_other_models()
    assert (store.known(), new.known()) == ({}, {"reg/a": "v1"})


def test_a_skill_that_is_gone_is_gone_under_every_model(store: VectorStore) -> None:
    store.put([make("reg/a")])
    other(store).put([make("reg/a")])
    store.delete(["reg/a"])
    assert other(store).known() == {}


def _missing_column(directory: Path) -> None:
    import lancedb

    lancedb.connect(str(directory)).open_table("skills").drop_columns(["scales"])


def _other_type(directory: Path) -> None:
    import lancedb

    connection = lancedb.connect(str(directory))
    connection.create_table("skills", [{"id": 1, "vector": [0.0] * D}], mode="overwrite")


def _no_manifest(directory: Path) -> None:
    for file in (directory / "skills.lance" / "_versions").iterdir():
        file.write_bytes(b"garbage")


def _no_data(directory: Path) -> None:
    shutil.rmtree(directory / "skills.lance" / "data")


def _nothing(_directory: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("spoil", "dimension", "why"),
    [
        (_nothing, D + 1, "'vector'"),
        (_missing_column, D, "'scales' is absent"),
        (_other_type, D, "'id' is int64"),
        (_no_manifest, D, "index"),
        (_no_data, D, "index"),
    ],
)
def test_an_index_that_does_not_fit_is_refused_until_rebuilt(
    store: VectorStore, spoil: Callable[[Path], None], dimension: int, why: str
) -> None:
    store.put([make("reg/a")])
    spoil(Path(store._where))
    fresh = other(store, "m1", dimension)
    for _ in range(2):
        with pytest.raises(StoreError) as caught:
            fresh.scan()
        assert why in caught.value.why
        assert "--rebuild" in caught.value.hint
    assert (Path(store._where) / "skills.lance").is_dir()
    fresh.rebuild()
    assert fresh.known() == {}


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file")
    with pytest.raises(StoreError):
        VectorStore(tmp_path / "index", model="m", dimension=D).put([make("reg/a")])


@pytest.mark.parametrize(
    "spoiled",
    [
        StoredVectors(np.zeros(D + 1, np.float32), np.zeros((1, 4), np.int8), np.ones(1, "f4")),
        StoredVectors(np.full(D, np.nan, "f4"), np.zeros((1, 4), np.int8), np.ones(1, "f4")),
        StoredVectors(np.full(D, np.inf, "f4"), np.zeros((1, 4), np.int8), np.ones(1, "f4")),
        StoredVectors(np.zeros(D, np.float32), np.zeros((1, 4), np.int16), np.ones(1, "f4")),
        StoredVectors(np.zeros(D, np.float32), np.zeros(4, np.int8), np.ones(1, "f4")),
        StoredVectors(np.zeros(D, np.float32), np.zeros((2, 4), np.int8), np.ones(1, "f4")),
    ],
    ids=["size", "nan", "inf", "token type", "token shape", "scales"],
)
def test_arrays_that_do_not_fit_are_a_mistake(store: VectorStore, spoiled: StoredVectors) -> None:
    with pytest.raises(ValueError, match="reg/x"):
        store.put([make("reg/a"), IndexRow("reg/x", "reg", "v", "{}", spoiled)])
    assert store.known() == {}


def _disk(store: VectorStore) -> int:
    return sum(f.stat().st_size for f in Path(store._where).rglob("*") if f.is_file())


def test_single_edits_do_not_pile_up(store: VectorStore) -> None:
    """Case B114, with the compaction that follows each sync."""
    store.put([make("reg/a", tokens=80)])
    store.compact(force=True)
    fresh = _disk(store)
    for number in range(300):
        store.put([make("reg/a", tokens=80, seed=number)])
        if number % 10 == 9:
            store.compact()
    assert _disk(store) < 3 * fresh
    assert store.health().rows == 1


def test_many_small_files_are_joined(store: VectorStore) -> None:
    for row in many(40):
        store.put([row])
    assert store.health().fragments == 40
    assert store.compact()
    assert store.health().fragments == 1
    # What a busy disk kept past the clean-up goes with the next; then there is nothing left to do.
    assert not all(store.compact() for _ in range(5))
    assert len(store.known()) == 40


def test_a_reader_whose_version_is_cleaned_up_begins_again(store: VectorStore) -> None:
    import lancedb

    rows = many(30)
    store.put(rows)
    reader = other(store, "m1")
    assert len(reader.known()) == 30
    # Pinned to its version, as a reader is in the middle of an operation.
    table = lancedb.connect(str(store._where)).open_table("skills")
    table.checkout(table.version)
    reader._table = table
    store.put([make(row.id, seed=1, digest="v2") for row in rows])
    store.compact(force=True)
    assert set(reader.known().values()) == {"v2"}


def _run(code: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-W", "error::UserWarning", "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment},
    )


def test_nothing_is_printed(tmp_path: Path) -> None:
    code = """
import sys
from asf_core.store.vectors import VectorStore
from vector_rows import D, make, many
store = VectorStore(sys.argv[1], model="m", dimension=D)
store.known()
store.put(many(300))
store.put(many(10))
store.search(make("q").vectors.vector, 3)
store.delete(["reg/s0001"])
store.scan()
store.compact(force=True)
store.drop_other_models()
store.rebuild()
"""
    child = _run(code, str(tmp_path / "index"))
    assert child.communicate() == (b"", b"")
    assert child.returncode == 0


def test_reading_goes_on_while_another_process_writes(store: VectorStore) -> None:
    code = """
import sys
from asf_core.store.vectors import VectorStore
from vector_rows import D, make
store = VectorStore(sys.argv[1], model="m1", dimension=D)
for number in range(15):
    store.put([make(f"reg/{n}", seed=number, digest=f"v{number}") for n in range(20)])
    store.compact(force=True)
"""
    store.put([make(f"reg/{n}", digest="v0") for n in range(20)])
    child = _run(code, str(store._where))
    while child.poll() is None:
        known = store.known()
        # All of one version, however far the writer is.
        assert (len(known), len(set(known.values()))) == (20, 1)
        assert len(store.search(make("q").vectors.vector, 50)) == 20
        assert len(store.scan().ids) == 20
    assert child.communicate() == (b"", b"")
    assert set(store.known().values()) == {"v14"}


def test_two_processes_that_write_in_turn_lose_and_double_nothing(tmp_path: Path) -> None:
    """Case B115."""
    code = """
import sys
from pathlib import Path
from asf_core.store.workspace import Workspace
from asf_core.store.vectors import VectorStore
from vector_rows import D, make
workspace = Workspace(Path(sys.argv[1])).create()
store = VectorStore(workspace.index, model="m1", dimension=D)
for number in range(10):
    with workspace.writer_lock(wait=300):
        store.put([make(f"reg/{n}", seed=number, digest=f"{sys.argv[2]}{number}") for n in range(9)])
        store.delete(["reg/0"])
        store.compact()
"""
    children = [_run(code, str(tmp_path), who) for who in "ab"]
    assert [child.communicate() for child in children] == [(b"", b"")] * 2
    store = VectorStore(tmp_path / "index", model="m1", dimension=D)
    assert sorted(store.scan().ids) == [f"reg/{n}" for n in range(1, 9)]
    assert len(set(store.known().values())) == 1
    assert store.health().rows == 8
