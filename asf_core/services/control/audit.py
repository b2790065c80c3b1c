"""The audit log: read, filtered, verified."""

from __future__ import annotations

from asf_core.domain.event import Event, EventKind
from asf_core.governance.audit import LedgerResult, get_ledger_result
from asf_core.services.control.references import find_version
from asf_core.services.control.session import ControlSession
from asf_core.store.binding import Binding
from asf_core.trust.chain import EMPTY, read_event


class AuditService:
    """What happened in this workspace."""

    def __init__(self, session: ControlSession) -> None:
        self._session = session

    def events(
        self, ref: str | None = None, kind: EventKind | None = None, last: int | None = None
    ) -> tuple[Event, ...]:
        """Events, oldest first.

        Args:
            ref: Only those about a version, or about a skill.
            kind: Only those of a kind.
            last: At most so many, the newest.
        """
        with self._session.records.reading() as reading:
            about = self._about(ref)
            found = [
                event
                for event in map(read_event, reading.documents())
                if (kind is None or event.kind is kind) and _is_about(event, about)
            ]
        return tuple(found[-last:] if last else found)

    def verify(self) -> LedgerResult:
        """Verify chain, events and records against each other and against what was last seen.

        When all agrees, the chain's head is noted anew.
        """
        binding = self._binding()
        with self._session.records.reading() as reading:
            result = get_ledger_result(reading, binding.head if binding else EMPTY)
        if binding is not None and not result.problems:
            self._session.note_head(binding)
        return result

    def _binding(self) -> Binding | None:
        workspace_id = self._session.records.workspace_id()
        return self._session.bindings.get(workspace_id) if workspace_id else None

    def _about(self, ref: str | None) -> tuple[str, str | None] | None:
        """Skill id, and content hash when one version is meant."""
        if ref is None:
            return None
        with self._session.records.reading() as reading:
            known = {record.content.skill_id for record in reading.versions()}
            if ref in known or "@" not in ref:
                return ref, None
            record = find_version(reading, ref)
        return record.content.skill_id, record.content_hash


def _is_about(event: Event, about: tuple[str, str | None] | None) -> bool:
    if about is None:
        return True
    skill, content_hash = about
    if content_hash is not None:
        return event.pin is not None and event.pin.content_hash == content_hash
    ids = {event.facts.get("skill_id"), event.pin.skill_id if event.pin else None}
    return any(id_ is not None and (id_ == skill or id_.endswith(f"/{skill}")) for id_ in ids)
