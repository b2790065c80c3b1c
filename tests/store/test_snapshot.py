import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snapshot_values import Arrays, content, lexical, row, sample
from vector_rows import D, make

from asf_core.domain.errors import StoreError
from asf_core.domain.graph import EdgeKind
from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Link, RoutableSkill
from asf_core.store.integrity import SMALL, FileDigest, digest_of, files_below, renew_note
from asf_core.store.snapshot import Snapshot, current_generation
from asf_core.store.snapshot_content import SnapshotContent, SnapshotRow
from asf_core.store.snapshot_meta import SnapshotMeta
from asf_core.store.snapshot_writer import SnapshotWriter
from asf_core.store.vectors import VectorStore


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "snapshots"


@pytest.fixture
def writer(root: Path) -> SnapshotWriter:
    return SnapshotWriter(root)


def test_it_holds_what_was_written(root: Path, writer: SnapshotWriter) -> None:
    made, arrays = sample()
    published = writer.write(made, arrays, lexical)
    assert (published.changed, published.left) == (True, ())
    with Snapshot.open(root) as snapshot:
        assert snapshot.generation == published.generation == made.generation()
        assert (snapshot.model, snapshot.lexical_version, len(snapshot)) == ("m1", "1", 3)
        assert snapshot.ids == ("reg/a", "reg/b", "two/x")
        assert snapshot.row_of == {"reg/a": 0, "reg/b": 1, "two/x": 2}
        by_id = {r.skill.id: r.skill for r in made.rows}
        assert list(snapshot.skills()) == [by_id[skill_id] for skill_id in snapshot.ids]
        assert snapshot.skill("two/x") == by_id["two/x"]
        assert snapshot.registries == ("reg", "two")
        assert snapshot.registry_codes.tolist() == [0, 0, 1]
        assert snapshot.model_invocable.tolist() == [True, False, True]
        assert snapshot.tokens_of.tolist() == [500, 500, 500]
        assert snapshot.listing_tokens_of.tolist() == [12, 12, 12]
        assert snapshot.links() == tuple(made.sorted_links())
        assert (snapshot.lexical_dir / "deep" / "ids.txt").read_text() == "reg/a\nreg/b\ntwo/x"


def test_its_arrays_are_those_of_the_index(root: Path, writer: SnapshotWriter) -> None:
    made, arrays = sample()
    writer.write(made, arrays, lexical)
    wanted = Arrays([r for r in arrays.rows if r.id != "reg/unused"]).whole()
    snapshot = Snapshot.open(root)
    np.testing.assert_array_equal(snapshot.vectors, wanted.vectors)
    np.testing.assert_array_equal(snapshot.tokens, wanted.tokens)
    np.testing.assert_array_equal(snapshot.token_offsets, wanted.offsets())
    np.testing.assert_array_equal(snapshot.token_scales, wanted.scales)
    assert (snapshot.vectors.dtype, snapshot.tokens.dtype) == (np.float32, np.int8)
    assert (snapshot.token_offsets.dtype, snapshot.token_scales.dtype) == (np.int64, np.float32)
    snapshot.close()


def test_it_is_made_from_the_real_index(root: Path, tmp_path: Path, writer: SnapshotWriter) -> None:
    made, arrays = sample()
    store = VectorStore(tmp_path / "index", model="m1", dimension=D)
    store.put(arrays.rows)
    writer.write(made, store, lexical)
    with Snapshot.open(root) as snapshot:
        first = make("reg/a").vectors
        np.testing.assert_array_equal(snapshot.vectors[0], first.vector)
        np.testing.assert_array_equal(snapshot.tokens[:3], first.tokens)


def test_a_registry_without_skills_is_known(root: Path, writer: SnapshotWriter) -> None:
    made, arrays = sample()
    writer.write(replace(made, registries=("empty", "reg", "two")), arrays, lexical)
    with Snapshot.open(root) as snapshot:
        assert snapshot.registries == ("empty", "reg", "two")
        assert snapshot.registry_codes.tolist() == [1, 1, 2]
        assert not snapshot.mask(["empty"]).any()


def test_nothing_can_be_changed_through_it(root: Path, writer: SnapshotWriter) -> None:
    writer.write(*sample(), lexical)
    snapshot = Snapshot.open(root)
    for array in (snapshot.vectors, snapshot.tokens, snapshot.model_invocable):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    snapshot.close()


@pytest.mark.parametrize(
    ("registries", "excluded", "wanted"),
    [
        ((), (), [True, False, True]),
        (("reg",), (), [True, False, False]),
        (("two", "reg"), (), [True, False, True]),
        (("none",), (), [False, False, False]),
        ((), ("reg/a", "reg/zzz"), [False, False, True]),
        (("two",), ("two/x",), [False, False, False]),
    ],
)
def test_a_mask_leaves_out_before_recall(
    root: Path,
    writer: SnapshotWriter,
    registries: tuple[str, ...],
    excluded: tuple[str, ...],
    wanted: list[bool],
) -> None:
    writer.write(*sample(), lexical)
    with Snapshot.open(root) as snapshot:
        assert snapshot.mask(registries, excluded).tolist() == wanted
        assert snapshot.model_invocable.tolist() == [True, False, True]


def test_the_skills_are_a_sequence(root: Path, writer: SnapshotWriter) -> None:
    writer.write(*sample(), lexical)
    with Snapshot.open(root) as snapshot:
        skills = snapshot.skills()
        assert skills[-1] == skills[2]
        assert [s.id for s in skills[1:]] == ["reg/b", "two/x"]
        for bad in (3, -4):
            with pytest.raises(IndexError):
                skills[bad]
        with pytest.raises(KeyError):
            snapshot.skill("reg/zzz")


def test_one_without_skills_opens(root: Path, writer: SnapshotWriter) -> None:
    writer.write(content([]), Arrays([]), lexical)
    with Snapshot.open(root) as snapshot:
        assert (snapshot.ids, snapshot.links(), list(snapshot.skills())) == ((), (), [])
        assert (snapshot.vectors.shape, snapshot.tokens.shape) == ((0, D), (0, 4))
        assert snapshot.token_offsets.tolist() == [0]
        assert snapshot.mask(["reg"], ["reg/a"]).tolist() == []


def test_one_without_models_has_vectors_of_no_width(root: Path, writer: SnapshotWriter) -> None:
    arrays = Arrays([])
    writer.write(content([row("reg/a")], model=""), arrays, lexical)
    with Snapshot.open(root) as snapshot:
        assert (snapshot.model, snapshot.vectors.shape, snapshot.tokens.shape) == (
            "",
            (1, 0),
            (0, 0),
        )
    assert arrays.asked == 0


def test_the_same_content_writes_nothing(root: Path, writer: SnapshotWriter) -> None:
    made, arrays = sample()
    first = writer.write(made, arrays, lexical)
    before = {p: p.stat().st_mtime_ns for p in root.rglob("*")}
    shuffled = replace(made, rows=made.rows[::-1], links=made.links[::-1])
    asked = arrays.asked
    second = writer.write(shuffled, arrays, _fail)
    assert (second.generation, second.changed) == (first.generation, False)
    assert arrays.asked == asked
    assert {p: p.stat().st_mtime_ns for p in root.rglob("*")} == before


def _fail(_directory: Path, _ids: tuple[str, ...]) -> None:
    raise AssertionError("nothing was to be written")


def _with_row(**changes: object) -> Callable[[SnapshotContent], SnapshotContent]:
    return lambda c: replace(c, rows=[replace(c.rows[0], **changes), *c.rows[1:]])


def _with_skill(**changes: object) -> Callable[[SnapshotContent], SnapshotContent]:
    return lambda c: _with_row(skill=replace(c.rows[0].skill, **changes))(c)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: replace(c, model="m2"),
        lambda c: replace(c, lexical_version="2"),
        lambda c: replace(c, dimension=9),
        lambda c: replace(c, token_dimension=5),
        lambda c: replace(c, rows=c.rows[1:]),
        lambda c: replace(c, registries=("empty",)),
        lambda c: replace(c, links=c.links[1:]),
        lambda c: replace(c, links=[replace(c.links[0], confidence=0.6), *c.links[1:]]),
        lambda c: replace(c, links=[replace(c.links[0], kind=EdgeKind.EXTENDS), *c.links[1:]]),
        _with_row(view_digest="v2"),
        _with_row(lexical_digest="l2"),
        _with_row(model_invocable=False),
        _with_skill(slug="s"),
        _with_skill(description="d"),
        _with_skill(version=None),
        _with_skill(tokens=1),
        _with_skill(listing_tokens=1),
        _with_skill(inputs=()),
        _with_skill(outputs=()),
    ],
)
def test_any_change_is_another_generation(
    change: Callable[[SnapshotContent], SnapshotContent],
) -> None:
    made, _ = sample()
    assert change(made).generation() != made.generation()


def test_an_id_with_two_rows_is_a_mistake(root: Path, writer: SnapshotWriter) -> None:
    with pytest.raises(ValueError, match="reg/a has two rows"):
        writer.write(content([row("reg/a"), row("reg/a")]), Arrays([make("reg/a")]), lexical)


@pytest.mark.parametrize(
    ("arrays", "what"),
    [
        (Arrays([make("reg/a")]), "lacks the vectors of 1 skill"),
        (Arrays([make("reg/a"), make("reg/b", digest="v0")]), "lacks the vectors of 1 skill"),
        (Arrays([]), "lacks the vectors of 2 skill"),
    ],
)
def test_an_index_that_is_behind_is_refused(
    root: Path, writer: SnapshotWriter, arrays: Arrays, what: str
) -> None:
    writer.write(*sample(), lexical)
    before = current_generation(root)
    with pytest.raises(StoreError, match=what):
        writer.write(content([row("reg/a"), row("reg/b")]), arrays, lexical)
    assert current_generation(root) == before
    assert not [p for p in root.iterdir() if p.name.startswith(".")]


def test_an_index_of_another_size_is_refused(root: Path, writer: SnapshotWriter) -> None:
    with pytest.raises(StoreError, match="another size"):
        writer.write(content([row("reg/a")], token_dimension=5), Arrays([make("reg/a")]), lexical)


def test_two_generations_are_kept_and_going_back_builds_nothing(
    root: Path, writer: SnapshotWriter
) -> None:
    made = {body: sample(body) for body in "abc"}
    names = {body: made[body][0].generation() for body in made}
    for body in "ab":
        writer.write(*made[body], lexical)
    back = writer.write(*made["a"], _fail)
    assert (back.generation, back.changed) == (names["a"], True)
    writer.write(*made["c"], lexical)
    assert current_generation(root) == names["c"]
    kept = {p.name for p in root.iterdir()} - {"CURRENT", "CHECKED", names["c"]}
    assert len(kept) == 1
    assert kept < set(names.values())


def test_a_generation_that_is_being_read_stays(root: Path, writer: SnapshotWriter) -> None:
    first = writer.write(*sample("a"), lexical).generation
    snapshot = Snapshot.open(root)
    writer.write(*sample("b"), lexical)
    assert writer.write(*sample("c"), lexical).left == (first,)
    # All of it is still there, also what is opened late.
    assert (snapshot.lexical_dir / "deep" / "ids.txt").exists()
    assert len(snapshot.links()) == 2
    snapshot.close()
    assert writer.write(*sample("d"), lexical).left == ()
    assert not (root / first).exists()
    # And what was mapped lives on without its name.
    np.testing.assert_array_equal(snapshot.vectors[0], make("reg/a").vectors.vector)


def test_left_overs_of_dead_writers_are_removed(root: Path, writer: SnapshotWriter) -> None:
    for name in (".building-1", ".removing-2"):
        (root / name / "deep").mkdir(parents=True)
    (root / ".removing-3").write_text("x")
    (root / ".CURRENT.3").write_text("x")
    (root / ".CHECKED.3").write_text("x")
    (root / "notes").mkdir()
    generation = writer.write(*sample(), lexical).generation
    assert {p.name for p in root.iterdir()} == {"CURRENT", "CHECKED", "notes", generation}


def _of(name: str, data: bytes | None) -> Callable[[Path], None]:
    def spoil(generation: Path) -> None:
        if data is None:
            (generation / name).unlink()
        else:
            (generation / name).write_bytes(data)

    return spoil


def _cut(name: str) -> Callable[[Path], None]:
    def spoil(generation: Path) -> None:
        data = (generation / name).read_bytes()
        (generation / name).write_bytes(data[:-1])

    return spoil


def _sealed(generation: Path, **changes: object) -> None:
    """Write a manifest that agrees with the files as they are, and with some changes."""
    file = generation / "meta.json"
    meta = SnapshotMeta.from_bytes(file.read_bytes())
    digests = {name: digest_of(generation / name) for name in meta.files}
    file.write_bytes(replace(meta, **{"files": digests, **changes}).to_bytes())


def _meta(**changes: object) -> Callable[[Path], None]:
    return lambda generation: _sealed(generation, **changes)


def _format(number: object) -> Callable[[Path], None]:
    def spoil(generation: Path) -> None:
        meta = json.loads((generation / "meta.json").read_bytes())
        (generation / "meta.json").write_text(json.dumps({**meta, "format": number}))

    return spoil


def _shorter_array(generation: Path) -> None:
    np.save(generation / "vectors.npy", np.zeros((1, D), np.float32))
    _sealed(generation)


def _pickled_array(generation: Path) -> None:
    np.save(generation / "columns.npy", np.array([{}, {}, {}], dtype=object), allow_pickle=True)
    _sealed(generation)


def _directory_instead(name: str) -> Callable[[Path], None]:
    def spoil(generation: Path) -> None:
        (generation / name).unlink()
        (generation / name).mkdir()

    return spoil


def _file_instead(generation: Path) -> None:
    shutil.rmtree(generation)
    generation.write_text("x")


DAMAGE = [
    _of("meta.json", b""),
    _of("meta.json", b"[]"),
    _of("meta.json", b"{}"),
    _of("meta.json", None),
    _of("vectors.npy", None),
    _of("ids.json", b"[]"),
    _of("lexical/deep/ids.txt", b"cut"),
    _cut("vectors.npy"),
    _cut("skills.jsonl"),
    _cut("tokens.npy"),
    _meta(kinds=["none"]),
    _meta(files={"vectors.npy": FileDigest(0, "")}),
    _format(1),
    _format(99),
    _format("x"),
    _directory_instead("meta.json"),
    _directory_instead("links.npy"),
    _file_instead,
    _shorter_array,
    _pickled_array,
]


@pytest.mark.parametrize("spoil", DAMAGE)
def test_damage_is_said_and_mended_by_the_next_write(
    root: Path, writer: SnapshotWriter, spoil: Callable[[Path], None]
) -> None:
    made, arrays = sample()
    generation = writer.write(made, arrays, lexical).generation
    spoil(root / generation)
    with pytest.raises(StoreError) as caught:
        Snapshot.open(root)
    assert caught.value.why
    assert "sync" in caught.value.hint or "Upgrade" in caught.value.hint
    assert writer.write(made, arrays, lexical).changed
    with Snapshot.open(root) as snapshot:
        assert snapshot.generation == generation
    assert not [p for p in root.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize(
    "current", [b"", b"x", b"../../etc", b"\xff" * 64, b"A" * 64, b"0" * 63 + b"/"]
)
def test_a_pointer_to_nowhere_is_damage(root: Path, writer: SnapshotWriter, current: bytes) -> None:
    made, arrays = sample()
    writer.write(made, arrays, lexical)
    (root / "CURRENT").write_bytes(current)
    with pytest.raises(StoreError, match="damaged"):
        Snapshot.open(root)
    assert not writer.is_whole()
    assert writer.write(made, arrays, _fail).changed
    Snapshot.open(root).close()


def test_a_generation_that_is_gone_is_damage(root: Path) -> None:
    root.mkdir()
    (root / "CURRENT").write_text("0" * 64)
    with pytest.raises(StoreError, match="damaged"):
        Snapshot.open(root)


def test_a_directory_in_place_of_the_pointer_is_replaced(
    root: Path, writer: SnapshotWriter
) -> None:
    writer.write(*sample(), lexical)
    (root / "CURRENT").unlink()
    (root / "CURRENT" / "deep").mkdir(parents=True)
    with pytest.raises(StoreError, match="damaged"):
        Snapshot.open(root)
    assert writer.write(*sample(), _fail).changed
    Snapshot.open(root).close()
    assert not [p for p in root.iterdir() if p.name.startswith(".")]


def _flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x20
    path.write_bytes(data)


FILES = [
    "columns.npy", "ids.json", "lexical/deep/ids.txt", "link_ends.json", "links.npy", "meta.json",
    "skill_offsets.npy", "skills.jsonl", "token_offsets.npy", "token_scales.npy", "tokens.npy",
    "vectors.npy", "view_digests.json",
]  # fmt: skip


@pytest.mark.parametrize("small", [SMALL, 0], ids=["small files", "large files"])
@pytest.mark.parametrize("name", FILES)
def test_one_changed_bit_anywhere_is_found(
    root: Path, writer: SnapshotWriter, name: str, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("asf_core.store.integrity.SMALL", small)
    made, arrays = sample()
    generation = root / writer.write(made, arrays, lexical).generation
    assert [p.relative_to(generation).as_posix() for p in sorted(generation.rglob("*.*"))] == FILES
    times = (generation / name).stat()
    _flip(generation / name, (generation / name).stat().st_size // 2)
    # Not even with the old times, as some restorers of backups leave them.
    os.utime(generation / name, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(StoreError, match="damaged"):
        Snapshot.open(root)
    assert not writer.is_whole()
    assert writer.write(made, arrays, lexical).changed
    assert writer.is_whole(whole=True)


def test_what_no_stamp_shows_is_found_by_comparing_all(
    root: Path, writer: SnapshotWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that returns other bytes than it was given."""
    monkeypatch.setattr("asf_core.store.integrity.SMALL", 0)
    made, arrays = sample()
    generation = writer.write(made, arrays, lexical).generation
    _flip(root / generation / "tokens.npy", -1)
    renew_note(root / "CHECKED", root / generation, generation, files_below(root / generation))
    with Snapshot.open(root) as snapshot, pytest.raises(StoreError, match=r"tokens\.npy has other"):
        snapshot.check()
    assert writer.is_whole()
    assert not writer.is_whole(whole=True)
    assert not writer.write(made, arrays, _fail).changed
    assert writer.write(made, arrays, lexical, whole=True).changed
    assert writer.is_whole(whole=True)


@pytest.mark.parametrize("note", [None, b"", b"{", b"[]", b'{"of": "x", "files": {"a": [1]}}'])
def test_without_the_stamps_all_is_compared(
    root: Path, writer: SnapshotWriter, note: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("asf_core.store.integrity.SMALL", 0)
    generation = writer.write(*sample(), lexical).generation
    (root / "CHECKED").unlink()
    if note is not None:
        (root / "CHECKED").write_bytes(note)
    read: list[Path] = []
    monkeypatch.setattr(
        "asf_core.store.integrity.digest_of", lambda path: read.append(path) or digest_of(path)
    )
    Snapshot.open(root).close()
    assert len(read) == len(files_below(root / generation)) - 1  # all but the manifest
    assert writer.is_whole()
    read.clear()
    Snapshot.open(root).close()
    assert read == []


def test_damage_after_opening_is_said_too(root: Path, writer: SnapshotWriter) -> None:
    generation = root / writer.write(*sample(), lexical).generation
    with Snapshot.open(root) as snapshot:
        with (generation / "skills.jsonl").open("r+b") as file:
            file.write(b"{" * 40)
        (generation / "link_ends.json").unlink()
        for use in (lambda: snapshot.skills()[0], snapshot.links, snapshot.check):
            with pytest.raises(StoreError) as caught:
                use()
            assert "asf sync" in caught.value.hint


def test_before_the_first_sync_it_says_what_to_do(root: Path) -> None:
    with pytest.raises(StoreError) as caught:
        Snapshot.open(root)
    assert "asf sync" in caught.value.hint
    assert current_generation(root) is None


def test_a_reader_that_is_overtaken_begins_again(
    root: Path, writer: SnapshotWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = writer.write(*sample("a"), lexical).generation
    new = writer.write(*sample("b"), lexical).generation
    writer.write(*sample("c"), lexical)
    assert not (root / old).exists()
    answers = iter([old, new])
    monkeypatch.setattr("asf_core.store.snapshot.current_generation", lambda _: next(answers))
    with Snapshot.open(root) as snapshot:
        assert snapshot.generation == new


def test_opening_needs_neither_database_nor_index(root: Path, writer: SnapshotWriter) -> None:
    writer.write(*sample(), lexical)
    code = """
import sys
from pathlib import Path
from asf_core.store.snapshot import Snapshot
assert len(list(Snapshot.open(Path(sys.argv[1])).skills())) == 3
print(*sorted({"lancedb", "pyarrow", "sqlalchemy", "filelock", "onnxruntime"} & sys.modules.keys()))
"""
    found = subprocess.run(
        [sys.executable, "-c", code, str(root)], capture_output=True, check=True, text=True
    )
    assert (found.stdout, found.stderr) == ("\n", "")


texts = st.text(st.characters(exclude_categories=["Cs"]))
ids = st.builds(lambda registry, path: f"{registry}/{path}", st.sampled_from("rst"), texts)
types = st.lists(st.builds(lambda n, t: IOType(name=n, type=t), texts, texts), max_size=2).map(
    tuple
)
counts = st.integers(0, 2**40)


@st.composite
def contents(draw: st.DrawFn) -> tuple[SnapshotContent, Arrays]:
    chosen = draw(st.dictionaries(ids, st.integers(0, 3), max_size=5))
    rows = [
        SnapshotRow(
            RoutableSkill(
                skill_id,
                draw(texts),
                skill_id[0],
                draw(texts),
                draw(st.none() | texts),
                draw(counts),
                draw(counts),
                draw(types),
                draw(types),
            ),
            f"v{tokens}",
            draw(texts),
            draw(st.booleans()),
        )
        for skill_id, tokens in chosen.items()
    ]
    ends = st.sampled_from([*chosen, "gone"])
    links = draw(
        st.lists(
            st.builds(Link, ends, ends, st.sampled_from(EdgeKind), st.floats(0, 1)), max_size=6
        )
    )
    # The digest of a text says what its vectors are, as with real encoders.
    arrays = Arrays([make(i, digest=f"v{n}", tokens=n) for i, n in chosen.items()])
    return content(rows, tuple(links)), arrays


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(made=contents())
def test_any_content_comes_back(root: Path, made: tuple[SnapshotContent, Arrays]) -> None:
    wanted, arrays = made
    SnapshotWriter(root).write(wanted, arrays, lexical)
    with Snapshot.open(root) as snapshot:
        rows = wanted.sorted_rows()
        assert list(snapshot.skills()) == [r.skill for r in rows]
        assert snapshot.model_invocable.tolist() == [r.model_invocable for r in rows]
        assert snapshot.links() == tuple(wanted.sorted_links())
        whole = arrays.whole()
        np.testing.assert_array_equal(snapshot.vectors, whole.vectors)
        np.testing.assert_array_equal(snapshot.token_offsets, whole.offsets())
        np.testing.assert_array_equal(snapshot.token_scales, whole.scales)
        assert snapshot.tokens.tobytes() == whole.tokens.tobytes()
