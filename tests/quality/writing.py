"""Builders of skills for the gate's tests."""

from __future__ import annotations

from collections.abc import Mapping

from asf_core.domain.manifest import SkillManifest, SourceRef
from asf_core.quality.facts import SkillFacts, read_facts
from asf_core.quality.gate import GateInput

GOOD = """# Backups

Run `restic check --read-data-subset=5%` every Sunday; if it fails, stop and keep the old snapshots.

1. Copy `/etc/restic/env` to the host, mode 600. Never put the password on the command line, because
   `ps` shows it.
2. Restore one file of 10 MB into `/tmp/restore-test` and compare its SHA-256. If they differ, do not
   prune: open a ticket with the output of `restic list locks`.
3. Prune only after a restore has worked, otherwise the last good copy goes first.
4. When the repository is locked for more than 30 minutes, look for a dead process before unlocking.

Unless the disk is over 85% full, keep 14 daily and 12 monthly snapshots.
"""
DESCRIPTION = (
    "Check restic repositories, prove a restore and prune old snapshots of a file server. Use when a "
    "backup job fails, a disk fills up or somebody asks whether the backups can be restored."
)


def manifest(
    name: str,
    description: str = DESCRIPTION,
    *,
    registry: str = "reg",
    path: str | None = None,
    triggers: tuple[str, ...] = (),
) -> SkillManifest:
    where = path or f"skills/{name}"
    return SkillManifest(
        id=f"{registry}/{where}",
        slug=name,
        name=name,
        description=description,
        source=SourceRef(registry=registry, path=where),
        triggers=triggers,
    )


def facts(
    name: str = "restic-care",
    description: str = DESCRIPTION,
    body: str = GOOD,
    scripts: Mapping[str, bytes] | None = None,
    triggers: tuple[str, ...] = (),
) -> SkillFacts:
    return read_facts(manifest(name, description, triggers=triggers), body, scripts)


def skill(
    name: str,
    description: str = DESCRIPTION,
    body: str = GOOD,
    *,
    registry: str = "reg",
    path: str | None = None,
    version: str | None = None,
    scripts: Mapping[str, bytes] | None = None,
    degree: int = 0,
    broken: bool = False,
) -> GateInput:
    found = manifest(name, description, registry=registry, path=path)
    return GateInput(
        id=found.id,
        registry=registry,
        slug=name,
        path=found.source.path,
        version=version,
        facts=read_facts(found, body, scripts),
        degree=degree,
        broken=broken,
    )
