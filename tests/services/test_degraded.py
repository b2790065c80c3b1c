"""Routing without a model, in every way in which one can be missing: labelled, never a traceback."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from asf_core.domain.errors import MissingError
from asf_core.domain.routing import RouteRequest, RouteResult
from asf_core.retrieval.models.catalogue import Role
from asf_core.retrieval.models.files import find_model
from asf_core.services.engine import Engine
from tests.services.writing import procedure

TASK = "help with bread baking"


def _copy(models: Path, *roles: Role) -> None:
    for role in roles:
        found = find_model(role)
        (models / role).mkdir(parents=True)
        for name in found.digests:
            (models / role / name).symlink_to(found.root / name)


def _empty(models: Path) -> None:
    models.mkdir()


def _absent(models: Path) -> None:
    pass


def _file(models: Path) -> None:
    models.write_text("")


def _without(role: Role) -> Callable[[Path], None]:
    def lay(models: Path) -> None:
        _copy(models, *(other for other in Role if other is not role))
        (models / role).mkdir()

    return lay


def _garbage(role: Role, name: str) -> Callable[[Path], None]:
    def lay(models: Path) -> None:
        _copy(models, role)
        (models / role / name).unlink()
        (models / role / name).write_text("no model")

    return lay


LACKING = {
    "an empty directory": (_empty, "without vectors"),
    "no directory": (_absent, "without vectors"),
    "a file": (_file, "without vectors"),
    "dense missing": (_without(Role.DENSE), "dense model"),
    "late missing": (_without(Role.LATE), "late model"),
    "dense that is none": (_garbage(Role.DENSE, "model.onnx"), "without vectors"),
    "late that is none": (_garbage(Role.LATE, "model.onnx"), "without vectors"),
    "a tokenizer that is none": (_garbage(Role.DENSE, "tokenizer.json"), "without vectors"),
}


def _skill(root: Path, name: str, topic: str) -> None:
    (root / name).mkdir(parents=True)
    (root / name / "SKILL.md").write_text(
        f"---\nname: {name}\ndescription: Helps with {topic}. Use for {topic}.\n---\n"
        f"{procedure(topic)}"
    )


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("synced")
    for name, topic in {"bread": "bread baking", "chess": "chess openings"}.items():
        _skill(base / "reg", name, topic)
    with Engine.open(base / "ws") as engine:
        engine.add_registry(base / "reg")
        engine.sync()
    return base / "ws"


@pytest.fixture
def workspace(synced: Path, tmp_path: Path) -> Path:
    return shutil.copytree(synced, tmp_path / "ws")


def _routed(
    workspace: Path, models: Path | None, *, sync: bool, degraded: bool, setting: str = "balanced"
) -> RouteResult:
    """As ``asf route``: sync first, then answer."""
    with Engine.open(workspace, model_dir=models) as engine:
        if sync:
            engine.sync(degraded=degraded)
        return engine.route(TASK, RouteRequest(allow_degraded=degraded, setting=setting))


@pytest.mark.parametrize("sync", [True, False], ids=["synced", "as it is"])
@pytest.mark.parametrize(("lay", "label"), LACKING.values(), ids=LACKING.keys())
def test_what_is_missing_is_refused_or_labelled(
    workspace: Path, tmp_path: Path, lay: Callable[[Path], None], label: str, sync: bool
) -> None:
    lay(tmp_path / "models")
    with pytest.raises(MissingError) as caught:
        _routed(workspace, tmp_path / "models", sync=sync, degraded=False)
    assert caught.value.hint
    answer = _routed(workspace, tmp_path / "models", sync=sync, degraded=True)
    (said,) = answer.degraded
    assert label in said
    assert answer.bundle.steps[0].slug == "bread"
    evidence = [c.evidence for stage in answer.stages for c in stage.candidates]
    assert not any({"dense", "late"} & one.keys() for one in evidence)
    # And those who have the models still have their index.
    assert _routed(workspace, None, sync=False, degraded=False).degraded == ()


def test_a_missing_cross_encoder_takes_only_itself_away(workspace: Path, tmp_path: Path) -> None:
    """It has no part in the vectors, so nothing is encoded again."""
    (tmp_path / "models" / "cross").mkdir(parents=True)
    models = tmp_path / "models"
    assert _routed(workspace, models, sync=True, degraded=False).degraded == ()
    with pytest.raises(MissingError):
        _routed(workspace, models, sync=True, degraded=False, setting="cross")
    (said,) = _routed(workspace, models, sync=True, degraded=True, setting="cross").degraded
    assert said.startswith("without the cross-encoder")


@pytest.mark.parametrize("lay", [_empty, _garbage(Role.DENSE, "tokenizer.json")])
def test_new_skills_are_found_by_their_words(
    workspace: Path, tmp_path: Path, lay: Callable[[Path], None]
) -> None:
    lay(tmp_path / "models")
    _skill(tmp_path / "more", "whales", "whale songs")
    with Engine.open(workspace, model_dir=tmp_path / "models") as engine:
        engine.add_registry(tmp_path / "more")
        with pytest.raises(MissingError):
            engine.sync()
        engine.sync(degraded=True)
        answer = engine.route("whale songs", RouteRequest(allow_degraded=True))
    assert answer.bundle.steps[0].slug == "whales"
    assert answer.degraded
    assert _routed(workspace, None, sync=True, degraded=False).degraded == ()
