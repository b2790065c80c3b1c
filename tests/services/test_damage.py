"""Whatever happens to the files of a workspace, a sync mends it or says what to do."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from asf_core.domain.errors import AsfError, StoreError
from asf_core.domain.routing import Bundle
from asf_core.services.engine import Engine
from asf_core.services.mending import find_damage, mend_database
from tests.services.writing import procedure

TASK = "help with bread baking"
MARK = "a reason that is found again on the page of the decisions"
PAGE = 4096

pytestmark = pytest.mark.usefixtures("shared_encoders")


def _write(root: Path, name: str, topic: str) -> None:
    (root / name).mkdir(parents=True, exist_ok=True)
    (root / name / "SKILL.md").write_text(
        f"---\nname: {name}\ndescription: Helps with {topic}. Use for {topic} questions.\n---\n"
        f"# {name}\n\n{procedure(topic)}\nThen see chess-club for more.\n",
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, encoders: object) -> Path:
    """A synced workspace with a decision in it, never touched by a test."""
    base = tmp_path_factory.mktemp("whole")
    for name, topic in {"bread": "bread baking", "chess-club": "chess", "roses": "roses"}.items():
        _write(base / "reg", name, topic)
    with pytest.MonkeyPatch.context() as patch, Engine.open(base / "ws") as engine:
        patch.setattr("asf_core.services.routing.RouterHolder.encoders", encoders)
        engine.add_registry(base / "reg")
        engine.sync()
        engine.quarantine("roses", MARK, actor="kim")
    return base / "ws"


@pytest.fixture(scope="module")
def before(whole: Path, encoders: object) -> Bundle:
    """What the whole one answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("asf_core.services.routing.RouterHolder.encoders", encoders)
        return _routed(whole)


@pytest.fixture
def workspace(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "ws")


def _routed(workspace: Path) -> Bundle:
    with Engine.open(workspace) as engine:
        return engine.route(TASK).bundle


def _synced(workspace: Path, *, rebuild: bool = False) -> int:
    """Sync as ``asf sync`` does; how many skills were encoded."""
    with Engine.open(workspace) as engine:
        if rebuild:
            mend_database(engine.workspace)
        report = engine.sync(check=True, rebuild=rebuild)
    return sum(registry.encoded for registry in report.registries)


def _error_of(work: Callable[[], object]) -> AsfError | None:
    try:
        work()
    except AsfError as error:
        return error
    return None


def _flip(data: bytearray, rng: random.Random) -> bytearray:
    for _ in range(rng.choice((1, 1, 20))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def _zero(data: bytearray, rng: random.Random) -> bytearray:
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.randrange(1, PAGE))
    data[start:end] = bytes(end - start)
    return data


SPOIL: dict[str, Callable[[bytearray, random.Random], bytearray | None]] = {
    "flip": _flip,
    "zero": _zero,
    "cut": lambda data, rng: data[: rng.randrange(len(data))],
    "empty": lambda data, rng: bytearray(),
    "noise": lambda data, rng: bytearray(rng.randbytes(len(data))),
    "grow": lambda data, rng: data + rng.randbytes(9),
    "remove": lambda data, rng: None,
}


def _spoil(file: Path, kind: str, seed: int) -> None:
    data = bytearray(file.read_bytes())
    spoiled = SPOIL[kind](data, random.Random(seed)) if data else None
    if spoiled is None:
        file.unlink()
    else:
        file.write_bytes(spoiled)


def _files(workspace: Path) -> list[Path]:
    return sorted(p for p in workspace.rglob("*") if p.is_file() and p.name != "asf.db")


damage = st.tuples(st.integers(0, 10**6), st.sampled_from(sorted(SPOIL)), st.integers(0, 2**32))
quick = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(damage=damage)
def test_any_damaged_file_is_mended_by_a_sync_that_encodes_nothing(
    whole: Path, before: Bundle, tmp_path: Path, damage: tuple[int, str, int]
) -> None:
    which, kind, seed = damage
    workspace = tmp_path / "ws"
    shutil.rmtree(workspace, ignore_errors=True)
    shutil.copytree(whole, workspace)
    files = _files(workspace)
    _spoil(files[which % len(files)], kind, seed)
    error = _error_of(lambda: _routed(workspace))
    assert error is None or "asf sync" in error.hint
    assert _synced(workspace) == 0
    assert _routed(workspace) == before


@quick
@given(damages=st.lists(damage, min_size=2, max_size=6))
def test_much_damage_is_mended_by_encoding_again_what_is_lost(
    whole: Path, before: Bundle, tmp_path: Path, damages: list[tuple[int, str, int]]
) -> None:
    workspace = tmp_path / "ws"
    shutil.rmtree(workspace, ignore_errors=True)
    shutil.copytree(whole, workspace)
    # Without the seal damaged vectors of the index cannot be told from others.
    files = [file for file in _files(workspace) if file.name != "index.json"]
    for which, kind, seed in damages:
        file = files[which % len(files)]
        if file.exists():
            _spoil(file, kind, seed)
    _synced(workspace)
    assert _routed(workspace) == before


def _outside_the_decisions(data: bytes, seed: int) -> int:
    """A place in the database that is not on the page of the decisions."""
    taken = data.index(MARK.encode()) // PAGE
    pages = [page for page in range(len(data) // PAGE) if page != taken]
    rng = random.Random(seed)
    return rng.choice(pages) * PAGE + rng.randrange(PAGE)


@quick
@given(seed=st.integers(0, 2**32), length=st.sampled_from((1, 1, 4, 64, 1000)))
@example(seed=0, length=PAGE)
def test_a_damaged_database_keeps_its_decisions_or_says_that_they_are_lost(
    whole: Path, before: Bundle, tmp_path: Path, seed: int, length: int
) -> None:
    workspace = tmp_path / "ws"
    shutil.rmtree(workspace, ignore_errors=True)
    shutil.copytree(whole, workspace)
    data = bytearray((workspace / "asf.db").read_bytes())
    start = _outside_the_decisions(data, seed)
    end = min(start + length, (start // PAGE + 1) * PAGE)
    data[start:end] = random.Random(seed).randbytes(end - start)
    (workspace / "asf.db").write_bytes(data)
    error = _error_of(lambda: _synced(workspace, rebuild=True))
    if error is not None:
        assert error.hint
        return
    assert _routed(workspace) == before
    with Engine.open(workspace) as engine:
        assert engine.skill("roses").state_reason == MARK


def _generation(workspace: Path) -> Path:
    return next(p for p in (workspace / "snapshots").iterdir() if len(p.name) == 64)


def _data(workspace: Path) -> Path:
    return max((workspace / "index").rglob("*.lance/data/*.lance"), key=lambda p: p.stat().st_size)


def test_a_damaged_index_is_filled_from_the_snapshot(workspace: Path) -> None:
    _spoil(_data(workspace), "noise", 1)
    assert _synced(workspace) == 0
    # And it is whole: the snapshot can be made from it.
    (_generation(workspace) / "vectors.npy").unlink()
    assert _synced(workspace) == 0
    assert _routed(workspace).steps[0].slug == "bread"


def test_a_damaged_index_is_found_when_something_new_comes_in(workspace: Path, whole: Path) -> None:
    _spoil(_data(workspace), "flip", 1)
    with Engine.open(workspace) as engine:
        (row,) = engine.registries()
        _write(Path(row.path), "whales", "whale songs")
        try:
            (report,) = engine.sync().registries
        finally:
            shutil.rmtree(Path(row.path) / "whales")
    assert (report.added, report.encoded) == (1, 1)


def test_what_neither_has_is_encoded_again(workspace: Path) -> None:
    _spoil(_data(workspace), "noise", 1)
    _spoil(_generation(workspace) / "tokens.npy", "cut", 1)
    assert _synced(workspace) == 3
    assert _routed(workspace).steps[0].slug == "bread"


@pytest.mark.parametrize("where", ["index", "snapshots", "index/skills.lance/data"])
def test_a_rebuild_recovers_whatever_is_there(workspace: Path, where: str) -> None:
    shutil.rmtree(workspace / where)
    assert _synced(workspace, rebuild=True) == 3
    assert _routed(workspace).steps[0].slug == "bread"


def test_a_rebuild_does_not_trust_the_snapshot(workspace: Path) -> None:
    """It may have been made from vectors that were damaged before anybody looked."""
    before = (_generation(workspace) / "meta.json").stat().st_ino
    assert _synced(workspace, rebuild=True) == 3
    assert (_generation(workspace) / "meta.json").stat().st_ino != before


def test_a_running_router_takes_up_what_was_mended(workspace: Path) -> None:
    with Engine.open(workspace) as engine:
        before = engine.route(TASK)
        table = _generation(workspace) / "skills.jsonl"
        table.write_bytes(b"x" * table.stat().st_size)
        assert _synced(workspace) == 0
        after = engine.route("a question about chess")
    assert after.generation == before.generation
    assert after.bundle.steps[0].slug == "chess-club"


def test_damage_that_shows_only_in_use_is_named(workspace: Path) -> None:
    with Engine.open(workspace) as engine:
        engine.route(TASK)
        rows = _generation(workspace) / "lexical" / "words_rows.npy"
        with rows.open("r+b") as file:
            file.seek(128)
            file.write(b"\xff\xff\xff\x7f" * ((rows.stat().st_size - 128) // 4))
        with pytest.raises(StoreError) as caught:
            engine.route(TASK)
    assert "words_rows.npy has other content" in caught.value.why
    assert "asf sync" in caught.value.hint


def test_a_record_that_is_no_record_is_named_and_read_anew(workspace: Path) -> None:
    data = (workspace / "asf.db").read_bytes()
    start = data.index(b'{"manifest":{"id":"reg/bread"')
    (workspace / "asf.db").write_bytes(data[:start] + b"?" + data[start + 1 :])
    with Engine.open(workspace) as engine:
        error = _error_of(lambda: engine.skill("bread"))
        assert error is not None
        assert "asf sync --rebuild" in error.hint
        assert isinstance(find_damage(engine.workspace), StoreError)
    _synced(workspace, rebuild=True)
    with Engine.open(workspace) as engine:
        assert engine.skill("bread").manifest.slug == "bread"
        assert find_damage(engine.workspace) is None
