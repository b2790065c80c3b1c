"""Syncing with the real encoders, database and index, on a handful of skills."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from asf_core.domain.errors import InputError, StoreError
from asf_core.domain.sync import SyncPhase, SyncProgress
from asf_core.graph import build, remember
from asf_core.graph.prose import Mention
from asf_core.services import indexing, vector_upkeep
from asf_core.services.engine import Engine
from tests.services.writing import procedure

TOPICS = ("tax return", "bread baking", "bicycle repair", "star charts", "rose pruning", "chess")


def _write(root: Path, name: str, topic: str) -> None:
    directory = root / name
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_text(
        f"---\nname: {name}\ndescription: Helps with {topic}. Use for {topic} questions.\n---\n"
        f"# {name}\n\n{procedure(topic)}",
        encoding="utf-8",
    )


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    root = tmp_path / "reg"
    for number, topic in enumerate(TOPICS):
        _write(root, f"skill-{number}", topic)
    return root


@pytest.fixture
def engine(tmp_path: Path, registry: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace") as opened:
        opened.add_registry(registry)
        yield opened


def _routed(engine: Engine, task: str) -> str | None:
    steps = engine.route(task).bundle.steps
    return steps[0].slug if steps else None


def test_only_what_changed_is_read_and_encoded(engine: Engine, registry: Path) -> None:
    (first,) = engine.sync().registries
    assert (first.added, first.encoded) == (6, 6)
    assert _routed(engine, "help with bread baking") == "skill-1"

    _write(registry, "skill-1", "volcano observation")
    _write(registry, "skill-9", "whale songs")
    (registry / "skill-0" / "SKILL.md").unlink()
    (second,) = engine.sync().registries
    assert (second.added, second.changed, second.removed, second.unchanged) == (1, 1, 1, 4)
    assert second.encoded == 2
    assert _routed(engine, "whale songs") == "skill-9"
    assert _routed(engine, "volcano observation") == "skill-1"
    assert "reg/skill-0" not in {row.id for row in engine.skills()}

    generation = engine.sync().generation
    (third,) = engine.sync().registries
    assert (third.added, third.changed, third.encoded) == (0, 0, 0)
    assert engine.sync().generation == generation


def test_an_equal_text_under_another_name_is_not_encoded_again(
    engine: Engine, registry: Path
) -> None:
    engine.sync()
    text = (registry / "skill-2" / "SKILL.md").read_text(encoding="utf-8")
    (registry / "copy").mkdir()
    (registry / "copy" / "SKILL.md").write_text(text, encoding="utf-8")
    (report,) = engine.sync().registries
    assert (report.added, report.encoded) == (1, 0)


@pytest.mark.parametrize("phase", [SyncPhase.READ, SyncPhase.ENCODE])
def test_a_stopped_sync_keeps_its_work_and_goes_on(
    engine: Engine, phase: SyncPhase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_upkeep, "_BATCH", 2)
    cancel = threading.Event()

    def stop(now: SyncProgress) -> None:
        if now.phase is phase:
            cancel.set()

    stopped = engine.sync(progress=stop, cancel=cancel)
    assert stopped.cancelled
    done = stopped.registries[0].encoded
    assert done == (2 if phase is SyncPhase.ENCODE else 0)

    report = engine.sync()
    assert not report.cancelled
    assert report.registries[0].encoded == len(TOPICS) - done
    assert _routed(engine, "chess") == "skill-5"


def test_a_sync_that_died_before_its_index_goes_on(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patch:
        patch.setattr(indexing.Indexer, "_publish", die)
        with pytest.raises(RuntimeError):
            engine.sync()
    (report,) = engine.sync().registries
    assert (report.unchanged, report.encoded) == (6, 0)
    assert _routed(engine, "rose pruning") == "skill-4"


def test_a_second_sync_reads_only_the_text_that_changed(
    engine: Engine, registry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def reading(skill: build.GraphInput, known: Collection[str]) -> tuple[Mention, ...]:
        read.append(skill.id.rpartition("/")[2])
        return build.read_text(skill, known)

    monkeypatch.setattr(remember, "read_text", reading)
    engine.sync()
    assert sorted(read) == [f"skill-{number}" for number in range(6)]
    read.clear()
    _write(registry, "skill-3", "kite repair")
    engine.sync()
    assert read == ["skill-3"]


def test_a_running_router_takes_up_the_new_index(engine: Engine, registry: Path) -> None:
    engine.sync()
    before = engine.route("whale songs").generation
    _write(registry, "skill-9", "whale songs")
    engine.sync()
    after = engine.route("whale songs")
    assert after.generation != before
    assert after.bundle.steps[0].slug == "skill-9"


def test_a_rebuild_encodes_everything_anew(engine: Engine) -> None:
    engine.sync()
    (report,) = engine.sync(rebuild=True).registries
    assert (report.changed, report.encoded) == (6, 6)
    assert _routed(engine, "bicycle repair") == "skill-2"


def test_removing_a_registry_takes_its_skills_out_of_routing(engine: Engine) -> None:
    engine.sync()
    engine.remove_registry("reg")
    assert engine.skills() == ()
    with pytest.raises(StoreError, match="no registry yet"):
        engine.route("chess")


@pytest.mark.parametrize("ref", ["no-such", "/no/such/directory"])
def test_a_registry_that_is_not_there_is_refused(engine: Engine, ref: str) -> None:
    with pytest.raises(InputError):
        engine.registry_for(ref)


def test_a_decision_takes_effect_at_once_and_outlives_a_sync(
    engine: Engine, registry: Path
) -> None:
    engine.sync()
    engine.quarantine("skill-5", "looks odd", actor="kim")
    assert _routed(engine, "chess") != "skill-5"
    _write(registry, "skill-5", "chess openings")
    engine.sync()
    assert engine.skill("skill-5").state == "quarantined"
    assert _routed(engine, "chess openings") != "skill-5"
    engine.release("skill-5", "it was fine", actor="kim")
    assert _routed(engine, "chess openings") == "skill-5"


@pytest.mark.parametrize("phase", SyncPhase)
def test_a_decision_made_during_a_sync_neither_waits_nor_is_lost(
    engine: Engine, registry: Path, tmp_path: Path, phase: SyncPhase
) -> None:
    engine.sync()
    _write(registry, "skill-1", "sourdough baking")
    _write(registry, "skill-9", "whale songs")
    (tmp_path / "other").mkdir()
    decided = []

    def decide(now: SyncProgress) -> None:
        if now.phase is phase and not decided:
            with Engine.open(tmp_path / "workspace") as curator:
                decided.append(curator.quarantine("reg/skill-5", "looks odd", actor="kim"))
                curator.add_registry(tmp_path / "other")
                assert _routed(curator, "chess") != "skill-5"

    engine.sync(["reg"], progress=decide)
    assert decided == ["reg/skill-5"]
    assert engine.skill("skill-5").state == "quarantined"
    assert _routed(engine, "chess") != "skill-5"
    assert [row.name for row in engine.registries()] == ["other", "reg"]


def test_a_registry_that_is_gone_does_not_block_the_others(
    engine: Engine, registry: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    _write(other, "skill-7", "whale songs")
    engine.add_registry(other)
    engine.sync()
    registry.rename(tmp_path / "elsewhere")
    _write(other, "skill-8", "volcano observation")
    reports = {report.registry: report for report in engine.sync().registries}
    assert reports["other"].added == 1
    (lost,) = reports["reg"].unread
    assert "asf registry remove reg" in lost.message
    assert _routed(engine, "volcano observation") == "skill-8"


def test_the_first_route_says_how_long_opening_took(engine: Engine) -> None:
    engine.sync()
    first = engine.route("chess")
    assert first.opening_ms > 0
    stages = sum(stage.milliseconds for stage in first.stages)
    assert first.milliseconds >= first.opening_ms + stages


@pytest.mark.parametrize("snapshots", [True, False], ids=["from index", "index alone"])
def test_a_renamed_directory_is_not_encoded_again(
    engine: Engine, registry: Path, snapshots: bool
) -> None:
    (registry / "deep").mkdir()
    for number in range(4):
        (registry / f"skill-{number}").rename(registry / "deep" / f"skill-{number}")
    engine.sync()
    if not snapshots:
        shutil.rmtree(engine.workspace.snapshots)
    (registry / "deep").rename(registry / "deeper")
    (report,) = engine.sync().registries
    assert (report.added, report.removed, report.encoded) == (4, 4, 0)
    assert _routed(engine, "help with bread baking") == "skill-1"
    assert {row.id for row in engine.skills()} >= {"reg/deeper/skill-1", "reg/skill-5"}


def test_texts_that_change_places_are_not_encoded_again(engine: Engine, registry: Path) -> None:
    engine.sync()
    one, two = registry / "skill-1" / "SKILL.md", registry / "skill-5" / "SKILL.md"
    first, second = one.read_text(), two.read_text()
    one.write_text(second)
    two.write_text(first)
    (report,) = engine.sync().registries
    assert (report.changed, report.encoded) == (2, 0)
    assert engine.route("help with bread baking").bundle.steps[0].skill_id == "reg/skill-5"


def test_a_registry_that_comes_back_under_another_name_is_not_encoded_again(
    engine: Engine, registry: Path
) -> None:
    engine.sync()
    engine.remove_registry("reg")
    engine.add_registry(registry, "again")
    (report,) = engine.sync().registries
    assert (report.added, report.encoded) == (6, 0)
    assert engine.route("chess").bundle.steps[0].skill_id == "again/skill-5"
