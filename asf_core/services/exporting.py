"""Chosen skills, read whole, on their way to a host."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.content import VersionRecord
from asf_core.domain.errors import ConditionsError, RefusedError
from asf_core.domain.pin import Subject
from asf_core.domain.skill import ParsedSkill, Skill, SkillState
from asf_core.export.bundle import ExportBundle
from asf_core.export.directory import Difference, verify_directory
from asf_core.export.lock import Lock
from asf_core.export.values import Exported, ExportSkill
from asf_core.governance.checks import check_content, check_source, refusals
from asf_core.governance.discovery import active_record, visibility
from asf_core.governance.ports import Reading
from asf_core.registry.parse import parse_skill
from asf_core.services.control.active import local_subject
from asf_core.services.control.session import ControlSession
from asf_core.services.files_on_disk import read_all_from_disk

_MAIN = "SKILL.md"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Exporter:
    """Reads skills for an export.

    Args:
        session: The control plane's.
        count: Tokens of a text.
    """

    session: ControlSession
    count: Callable[[str], int]

    def tokens(self, exported: Exported) -> int:
        """Tokens that the host reads when it is given the document, in the form that is sent."""
        document = json.dumps(exported.document, ensure_ascii=False, separators=(",", ":"))
        return self.count(document) if exported.document else 0

    def bundle(
        self, ids: Sequence[str], *, subject: Subject | None = None, allow_unreviewed: bool = False
    ) -> ExportBundle:
        """Read skills: the exact bytes of their active versions, from the ledger.

        Args:
            ids: Of synced skills, in the order of the plan; one named twice goes out once.
            subject: Who gets them; this machine's user when left out.
            allow_unreviewed: Take a skill without an active version as it stands on disk. It is
                marked so in every output.

        Raises:
            RefusedError: Skills have no active version, are in quarantine or cannot be read.
            ConditionsError: An active version may not be given to the subject, or its kept bytes
                are not what was reviewed.
        """
        who = subject or local_subject()
        found: dict[str, ExportSkill | None] = {}
        with self.session.records.reading() as reading:
            for skill_id in ids:
                if skill_id not in found:
                    record = active_record(reading, skill_id)
                    found[skill_id] = self._pinned(reading, record, who) if record else None
        bare = [skill_id for skill_id, skill in found.items() if skill is None]
        if bare and not allow_unreviewed:
            more = f" and {len(bare) - _SHOWN} more" if len(bare) > _SHOWN else ""
            raise RefusedError(
                f"{len(bare)} of {len(found)} skills have no reviewed version",
                why=", ".join(bare[:_SHOWN]) + more,
                hint="Review and activate them, or export them as they are with --allow-unreviewed",
            )
        on_disk = read_all_from_disk(self.session.records, bare)
        return ExportBundle(
            tuple(s or self._on_disk(id_, *on_disk[id_]) for id_, s in found.items())
        )

    def verify(self, target: Path) -> tuple[Lock, tuple[Difference, ...]]:
        """Compare an exported directory with its lock."""
        return verify_directory(target)

    def _pinned(self, reading: Reading, record: VersionRecord, subject: Subject) -> ExportSkill:
        self.session.require_own()
        checks = (
            *visibility(reading, record, subject),
            check_source(reading.policy(), record.content),
            check_content(reading, record),
        )
        if refused := refusals(checks):
            raise ConditionsError(f"{record.pin} was not exported", refused)
        contents = {}
        for entry in record.tree:
            # check_content has just read each of them.
            contents[entry.path] = reading.blob(entry.sha256) or b""
        parsed = _parsed(record, contents.get(_MAIN, b""))
        content = record.content
        return ExportSkill(
            id=content.skill_id,
            slug=parsed.manifest.slug,
            description=content.retrieval.description,
            instructions=parsed.body,
            inputs=parsed.manifest.capability.inputs,
            version=content.version,
            compatibility=parsed.manifest.compatibility,
            pin=record.pin,
            digest=content.tree_digest,
            revision=content.source.revision,
            tree=record.tree,
            contents=contents,
        )

    def _on_disk(self, skill_id: str, skill: Skill, contents: Mapping[str, bytes]) -> ExportSkill:
        known = self.session.records.skill(skill_id)
        if known.state is not SkillState.READY or skill.digest is None:
            raise RefusedError(
                f"{skill_id} was not exported",
                why=known.state_reason or skill.state_reason or f"it is {known.state.value}",
                hint=f"See asf show {skill_id}",
            )
        return _as_it_is(skill, contents)


def _parsed(record: VersionRecord, data: bytes) -> ParsedSkill:
    registry, _, path = record.content.skill_id.partition("/")
    return parse_skill(data, registry=registry, path=path or ".")


def _as_it_is(skill: Skill, contents: Mapping[str, bytes]) -> ExportSkill:
    manifest = skill.manifest
    return ExportSkill(
        id=manifest.id,
        slug=manifest.slug,
        description=manifest.description,
        instructions=skill.body,
        inputs=manifest.capability.inputs,
        version=manifest.version,
        compatibility=manifest.compatibility,
        digest=skill.digest,
        revision=manifest.source.revision,
        tree=skill.tree,
        contents=contents,
    )
