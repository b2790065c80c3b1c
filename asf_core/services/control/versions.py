"""Versions: taken in, compared, made active, gone back to, ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.errors import InputError, UnknownSkillError
from asf_core.domain.instant import instant
from asf_core.domain.pin import Scope, SourceMode, semver_key
from asf_core.governance import lifecycle
from asf_core.governance.admission import (
    AdmissionResult,
    get_admission_result,
    get_rollback_result,
    get_standing_result,
)
from asf_core.governance.candidates import Added, CandidateDraft, add_candidates
from asf_core.governance.difference import Difference, compare
from asf_core.governance.drift import Drift, drift
from asf_core.governance.sources.directory import draft_directory
from asf_core.governance.sources.draft import Import
from asf_core.governance.sources.playbook import draft_playbooks
from asf_core.governance.sources.recipe import draft_recipes
from asf_core.services.control.references import find_skill, find_version
from asf_core.services.control.session import ControlSession
from asf_core.services.files_on_disk import read_from_disk

_MOST_EXPORT_BYTES = 4 * 1024 * 1024
_WAITING = frozenset({VersionState.CANDIDATE, VersionState.QUARANTINED})
_Drafting = Callable[[bytes, Import], Sequence[CandidateDraft]]


@dataclass(frozen=True, slots=True)
class Standing:
    """A version, and how it stands against every condition."""

    record: VersionRecord
    result: AdmissionResult
    """Of its next step: admission for a candidate, rollback for a retired one; for an active
    version and one that has ended, of staying."""
    drift: Drift | None
    """How its skill, as it was last synced, differs from it; ``None`` when it is not on disk."""


class VersionService:
    """The versions of this workspace."""

    def __init__(self, session: ControlSession) -> None:
        self._session = session

    def add_skill(self, skill_id: str, *, scope: Scope, version: str | None = None) -> Added:
        """Take in a skill of a registry as it stands on disk now.

        Args:
            skill_id: Of a synced skill.
            scope: Whom it is for.
            version: For a skill that declares none.
        """
        skill, files = read_from_disk(self._session.records, skill_id)
        with self._session.decision("adding a candidate") as now:
            importing = Import(self._session.actor, instant(now))
            draft = draft_directory(skill, files, scope=scope, version=version, importing=importing)
            return add_candidates(self._session.records, [draft])[0]

    def add_playbooks(self, path: Path) -> tuple[Added, ...]:
        """Take in an export of prompt playbooks, all or none."""
        return self._add_export(path, draft_playbooks)

    def add_recipes(self, path: Path) -> tuple[Added, ...]:
        """Take in an export of recipes, all or none."""
        return self._add_export(path, draft_recipes)

    def list(self, state: VersionState | None = None) -> tuple[VersionRecord, ...]:
        """All versions by skill and version; those of one state when it is given."""
        with self._session.records.reading() as reading:
            found = [r for r in reading.versions() if state is None or r.state is state]
        return tuple(
            sorted(found, key=lambda r: (r.content.skill_id, semver_key(r.content.version)))
        )

    def show(self, ref: str) -> Standing:
        """One version, with every condition of its next step and what its receipts prove."""
        with self._session.records.reading() as reading:
            record = find_version(reading, ref)
            look = get_standing_result
            if record.state is VersionState.RETIRED:
                look = get_rollback_result
            elif record.state in _WAITING and not record.terminal:
                look = get_admission_result
            result = look(reading, record, self._session.now())
        return Standing(record, result, self._drift(record))

    def drifted(self) -> frozenset[str]:
        """Content hashes of the active versions whose skill, as last synced, has other files."""
        digests = self._session.records.digests()
        return frozenset(
            record.content_hash
            for record in self.list(VersionState.ACTIVE)
            if digests.get(record.content.skill_id, record.content.tree_digest)
            != record.content.tree_digest
        )

    def difference(self, ref: str, against: str | None = None) -> Difference:
        """What a version changes against the active one, or against another.

        Args:
            ref: The version.
            against: Another one; the skill's active version when left out.
        """
        with self._session.records.reading() as reading:
            record = find_version(reading, ref)
            if against is not None:
                other: VersionRecord | None = find_version(reading, against)
            else:
                active = reading.active(record.content.skill_id)
                other = reading.version(active) if active is not None else None
            return compare(reading, record, other)

    def activate(self, ref: str) -> lifecycle.Change:
        """Make a candidate the active version of its skill."""
        with self._session.decision("an activation") as now:
            return lifecycle.activate(
                self._session.records,
                self._hash(ref, _WAITING),
                actor=self._session.actor,
                now=now,
            )

    def roll_back(self, ref: str) -> lifecycle.Change:
        """Make a retired version the active one again."""
        retired = frozenset({VersionState.RETIRED})
        with self._session.decision("a rollback") as now:
            return lifecycle.roll_back(
                self._session.records, self._hash(ref, retired), actor=self._session.actor, now=now
            )

    def quarantine(self, ref: str, reason: str) -> tuple[VersionRecord, ...]:
        """End a version for good, and active versions of other skills with the same files."""
        if not reason.strip():
            raise InputError("A quarantine needs a reason", hint="Give one with --reason")
        with self._session.decision("a quarantine") as now:
            return lifecycle.quarantine_version(
                self._session.records,
                self._hash(ref, None),
                reason=reason.strip(),
                actor=self._session.actor,
                now=now,
            )

    def is_version(self, ref: str) -> bool:
        """Whether a reference names one version of a skill that has versions, and not a skill."""
        skill, _, version = ref.rpartition("@")
        with self._session.records.reading() as reading:
            try:
                return bool(skill and version and find_skill(reading, skill))
            except InputError:
                return False

    def _drift(self, record: VersionRecord) -> Drift | None:
        if record.content.mode is not SourceMode.SKILL_DIRECTORY:
            return None
        try:
            skill = self._session.records.skill(record.content.skill_id)
        except UnknownSkillError:
            return None
        return drift(record.tree, skill.tree)

    def _hash(self, ref: str, wanted: frozenset[VersionState] | None) -> str:
        with self._session.records.reading() as reading:
            return find_version(reading, ref, wanted).content_hash

    def _add_export(self, path: Path, draft: _Drafting) -> tuple[Added, ...]:
        document = _read_export(path)
        with self._session.decision("adding candidates") as now:
            drafts = draft(document, Import(self._session.actor, instant(now)))
            return add_candidates(self._session.records, drafts)


def _read_export(path: Path) -> bytes:
    try:
        with path.expanduser().open("rb") as file:
            return file.read(_MOST_EXPORT_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read", why=error.strerror or "", hint="Check the path"
        ) from error
