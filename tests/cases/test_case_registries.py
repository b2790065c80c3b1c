"""Kinds of bugs that show only in a registry as a whole, synced with the real encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from asf_core.domain.routing import RouteRequest
from asf_core.domain.skill import SkillState
from asf_core.services.engine import Engine

FRAME = """# Work with {name}

## When to use

Use it when the user asks for forms. Ask before you delete. If a form is live, stop and say so.

## Safety

Never publish without consent. Keep a backup, because a lost form cannot be typed again.

## Steps

1. Run `{command}`.
2. Check the result; unless both counts agree, undo it.
"""


def _write(root: Path, name: str, description: str, body: str) -> None:
    (root / name).mkdir(parents=True)
    text = f'---\nname: {name}\ndescription: "{description}"\n---\n{body}'
    (root / name / "SKILL.md").write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "reg"


def _synced(tmp_path: Path, root: Path) -> Engine:
    engine = Engine.open(tmp_path / "workspace")
    engine.add_registry(root)
    engine.sync()
    return engine


def test_twins_of_one_template_are_two_skills_and_a_copy_is_none(
    tmp_path: Path, root: Path
) -> None:
    for name, tool, command in (
        ("frame-alpha", "Alpha", "alpha add field"),
        ("frame-beta", "Beta", "beta new input"),
        ("true-copy", "Alpha", "alpha add field"),
    ):
        description = f"Build forms with {tool}. Use when somebody asks for a form in {tool}."
        _write(root, name, description, FRAME.format(name=tool, command=command))
    with _synced(tmp_path, root) as engine:
        found = engine.quality.canonicalisation()
    (cluster,) = found.clusters
    assert set(cluster.members) == {"reg/frame-alpha", "reg/true-copy"}


def test_what_a_host_has_no_room_to_list_is_named_and_still_routed(
    tmp_path: Path, root: Path
) -> None:
    for number in range(60):
        name = f"shelf-{number:02d}"
        description = f"Count stock on shelf {number:02d}. " + "Use for audits of that shelf. " * 6
        body = FRAME.format(name=f"shelf {number:02d}", command=f"count {number:02d}")
        _write(root, name, description.strip(), body)
    with _synced(tmp_path, root) as engine:
        listing = engine.quality.listing(budget=8_000)
        assert not listing.fits
        assert len(listing.cut) == 60 - 8_000 // listing.entries[0].characters
        for row in engine.skills():
            if row.state is SkillState.QUARANTINED:  # of one template, which is said
                engine.release(row.id, "one template on purpose")
        assert {row.state for row in engine.skills()} == {SkillState.READY}
        result = engine.route("audit shelf 47", RouteRequest())
    assert "reg/shelf-47" in [candidate.skill_id for candidate in result.stages[1].candidates]
