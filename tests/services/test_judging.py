"""The judging step of a sync, with the real encoder, on a handful of skills."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from asf_core.bench.queries import BenchQuery, Judged
from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import RouteRequest
from asf_core.domain.skill import QuarantinedBy, SkillState
from asf_core.domain.sync import SyncPhase, SyncProgress
from asf_core.retrieval.models.encoders import DenseEncoder
from asf_core.services import judging
from asf_core.services.benching import with_copies
from asf_core.services.engine import Engine
from asf_core.services.offering import copies
from tests.services.writing import procedure

TOPICS = ("tax return", "bread baking", "bicycle repair", "star charts", "rose pruning", "chess")


def _write(root: Path, name: str, topic: str, body: str | None = None) -> None:
    (root / name).mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {Path(name).name}\ndescription: Helps with {topic}. Use for {topic} questions.\n---\n"
    (root / name / "SKILL.md").write_text(text + (body or procedure(topic)), encoding="utf-8")


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    root = tmp_path / "reg"
    for number, topic in enumerate(TOPICS):
        _write(root, f"skill-{number}", topic)
    _write(root, "stub", "whale songs", "Instructions will follow.\n")
    return root


@pytest.fixture
def engine(tmp_path: Path, registry: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace") as opened:
        opened.add_registry(registry)
        yield opened


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that goes through the dense encoder."""
    seen: list[str] = []
    encode = DenseEncoder.encode

    def spy(self: DenseEncoder, texts: list[str]):
        seen.extend(texts)
        return encode(self, texts)

    monkeypatch.setattr(DenseEncoder, "encode", spy)
    return seen


def _phases(engine: Engine) -> set[SyncPhase]:
    seen: set[SyncPhase] = set()
    engine.sync(progress=lambda now: seen.add(now.phase))
    return seen


def _offered(engine: Engine, task: str, registries: tuple[str, ...] = ()) -> list[str]:
    result = engine.route(task, RouteRequest(registries=registries))
    return [candidate.skill_id for candidate in result.stages[1].candidates]


def test_a_sync_scores_every_skill_and_gates_the_stub(engine: Engine) -> None:
    report = engine.sync()
    assert (report.gated, report.aliases) == (1, 0)
    scores = {row.slug: row.slop_score for row in engine.skills()}
    assert scores["stub"] is not None
    assert scores["stub"] < 0.4 < min(v for slug, v in scores.items() if slug != "stub" and v)
    stub = engine.skill("stub")
    assert (stub.state, stub.quarantined_by) == (SkillState.QUARANTINED, QuarantinedBy.GATE)
    assert "empty content" in stub.state_reason
    assert stub.manifest.quality.slop_score == scores["stub"]
    assert "reg/stub" not in _offered(engine, "whale songs")


def test_a_second_sync_encodes_and_judges_nothing(engine: Engine, encoded: list[str]) -> None:
    engine.sync()
    assert len(encoded) == 2 * 7  # each view, each description
    del encoded[:]
    assert SyncPhase.JUDGE not in _phases(engine)
    assert encoded == []


def test_a_change_encodes_one_description(
    engine: Engine, registry: Path, encoded: list[str]
) -> None:
    engine.sync()
    before = engine.quality.judgement("reg/skill-0")
    del encoded[:]
    _write(registry, "skill-1", "volcano observation")
    assert SyncPhase.JUDGE in _phases(engine)
    assert len(encoded) == 2
    assert engine.quality.judgement("reg/skill-0").slop_score == pytest.approx(
        before.slop_score, abs=0.05
    )


def test_a_stopped_judging_goes_on(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "_BATCH", 2)
    cancel = threading.Event()

    def stop(now: SyncProgress) -> None:
        if now.phase is SyncPhase.JUDGE and now.done:
            cancel.set()

    assert engine.sync(progress=stop, cancel=cancel).cancelled
    assert engine.skill("stub").manifest.quality.slop_score is None
    assert not engine.sync().cancelled
    assert engine.skill("stub").manifest.quality.slop_score is not None


def test_a_release_stands_until_the_content_changes(engine: Engine, registry: Path) -> None:
    engine.sync()
    engine.release("stub", "needed for a course", actor="kim")
    assert "reg/stub" in _offered(engine, "whale songs")
    _write(registry, "skill-1", "volcano observation")
    engine.sync()
    assert engine.skill("stub").state is SkillState.READY
    _write(registry, "stub", "whale songs", "To follow.\n")
    engine.sync()
    assert engine.skill("stub").quarantined_by is QuarantinedBy.GATE
    _write(registry, "stub", "whale songs")
    engine.sync()
    assert engine.skill("stub").state is SkillState.READY


def test_of_copies_one_is_offered_and_both_resolve(engine: Engine, registry: Path) -> None:
    _write(registry, "archive/skill-5", "chess")
    engine.sync()
    assert engine.quality.aliases() == {"reg/archive/skill-5": "reg/skill-5"}
    alias = engine.skill("reg/archive/skill-5")
    assert alias.state is SkillState.READY
    assert alias.manifest.quality.is_duplicate
    (edge,) = engine.edges_of("reg/archive/skill-5")
    assert (edge.kind, edge.target) == (EdgeKind.DUPLICATE_OF, "reg/skill-5")
    assert engine.edges_of("reg/skill-5") == (edge,)
    offered = _offered(engine, "chess")
    assert "reg/skill-5" in offered
    assert "reg/archive/skill-5" not in offered
    engine.quarantine("reg/skill-5", "under review", actor="kim")
    # The same files under another name are out with it, until somebody looks at them there.
    assert "reg/archive/skill-5" not in _offered(engine, "chess")
    engine.release("reg/archive/skill-5", "fine where it stands", actor="kim")
    assert "reg/archive/skill-5" in _offered(engine, "chess")


def test_where_the_canonical_registry_is_not_asked_for_the_alias_answers(
    engine: Engine, registry: Path, tmp_path: Path
) -> None:
    other = tmp_path / "zoo"
    _write(other, "skill-5", "chess")
    engine.add_registry(other)
    engine.sync()
    assert engine.quality.aliases() == {"zoo/skill-5": "reg/skill-5"}
    assert "zoo/skill-5" in _offered(engine, "chess", ("zoo",))
    assert "zoo/skill-5" not in _offered(engine, "chess")
    engine.remove_registry("reg")
    assert engine.quality.aliases() == {}
    assert "zoo/skill-5" in _offered(engine, "chess")


@pytest.mark.parametrize(
    ("registries", "blocked", "expected"),
    [
        ((), "", {"r/b", "s/c"}),
        (("s",), "", set()),
        ((), "r/a", {"s/c"}),
        (("r",), "r/a", set()),
        ((), "r/a r/b s/c", set()),
    ],
)
def test_an_alias_gives_way_only_to_a_skill_that_is_offered(
    registries: tuple[str, ...], blocked: str, expected: set[str]
) -> None:
    aliases = {"r/b": "r/a", "s/c": "r/a"}
    assert copies(aliases, registries, lambda i: i not in blocked.split()) == expected


def test_judging_goes_on_without_its_model_when_told_to(tmp_path: Path, registry: Path) -> None:
    (tmp_path / "models" / "dense").mkdir(parents=True)  # named, and empty
    with Engine.open(tmp_path / "workspace", model_dir=tmp_path / "models") as engine:
        engine.add_registry(registry)
        engine.sync(degraded=True)
        assert engine.skill("stub").quarantined_by is QuarantinedBy.GATE
        assert engine.quality.judgement("reg/skill-0").description_uniqueness is None
        assert engine.quality.collisions(alike=0.9) == ()


def test_listing_counts_what_a_host_lists(engine: Engine, registry: Path) -> None:
    (registry / "silent").mkdir()
    (registry / "silent" / "SKILL.md").write_text(
        "---\nname: silent\ndescription: Never by itself.\ndisable-model-invocation: true\n---\nDo.\n"
    )
    engine.sync()
    check = engine.quality.listing(budget=100)
    assert check.skills == 7
    assert not check.fits
    assert check.without_demoted < check.characters
    assert engine.quality.listing(host="codex").fits


def test_a_copy_of_a_right_answer_is_right() -> None:
    query = BenchQuery(id="1", query="q", relevant=("r/b",), kind="positive", source="t")
    judged = [
        Judged(query, frozenset(ids), ("r",)) for ids in ({"r/b"}, {"r/a", "r/x"}, {"r/y"}, set())
    ]
    found = [one.relevant for one in with_copies(judged, {"r/b": "r/a", "s/c": "r/a"})]
    whole = {"r/a", "r/b", "s/c"}
    assert found == [whole, whole | {"r/x"}, {"r/y"}, set()]
