"""How things must stand if the events are true: the audit log played from its beginning.

Each event is checked against the state that the ones before it left, so that a log in which a
version becomes active without having been a candidate, or on receipts of another content, does not
verify even when its chain does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from asf_core.domain.content import VersionState
from asf_core.domain.event import Event, EventKind
from asf_core.domain.pin import Pin
from asf_core.domain.receipts import ReceiptKind, Verdict


@dataclass(slots=True)
class ReplayedVersion:
    """A version as the events leave it."""

    pin: Pin
    state: VersionState = VersionState.CANDIDATE
    terminal: bool = False
    was_active: bool = False


@dataclass(slots=True)
class Replay:
    """What the events say, and what is wrong with them."""

    versions: dict[str, ReplayedVersion] = field(default_factory=dict)
    active: dict[str, str] = field(default_factory=dict)
    """Content hash by skill id."""
    receipts: dict[str, str] = field(default_factory=dict)
    """Content hash by receipt key, grants included."""
    revoked: set[str] = field(default_factory=set)
    """Ids of grants."""
    authorisations: dict[str, str] = field(default_factory=dict)
    """SHA-256 of the document by id."""
    feedback: dict[str, str] = field(default_factory=dict)
    """SHA-256 of the document by id."""
    policies: list[str] = field(default_factory=list)
    """Digests, in order."""
    decisions: list[tuple[str, ...]] = field(default_factory=list)
    """(kind, skill id, digest or empty, reason, actor, time), in order."""
    problems: list[str] = field(default_factory=list)
    """One sentence each."""

    def run(self, events: Iterable[Event]) -> Replay:
        """Play events, in order, on top of what was played before."""
        for event in events:
            problem = _HANDLERS[event.kind](self, event)
            if problem:
                self.problems.append(f"Event {event.number} ({event.kind.value}): {problem}")
        return self

    def of(self, event: Event) -> ReplayedVersion | None:
        """The version that an event is about, if its pin is the known one."""
        found = None if event.pin is None else self.versions.get(event.pin.content_hash)
        return found if found is not None and found.pin == event.pin else None


_UNKNOWN = "it is about a version that was never added"


def _candidate(replay: Replay, event: Event) -> str:
    if event.pin is None:
        return "it names no version"
    same = (event.pin.skill_id, event.pin.version)
    if any((v.pin.skill_id, v.pin.version) == same for v in replay.versions.values()):
        return "its id and version were in use"
    replay.versions[event.pin.content_hash] = ReplayedVersion(event.pin)
    return ""


def _receipt(replay: Replay, event: Event) -> str:
    version = replay.of(event)
    if version is None or len(event.evidence) != 1:
        return _UNKNOWN if version is None else "it names no receipt"
    (key,) = event.evidence
    if key in replay.receipts:
        return f"receipt {key} was recorded before"
    replay.receipts[key] = version.pin.content_hash
    waiting = version.state is VersionState.CANDIDATE
    if waiting and event.facts.get("verdict") == Verdict.REJECT.value:
        version.state = VersionState.QUARANTINED
    return ""


def _refused(replay: Replay, event: Event) -> str:
    version = replay.of(event)
    if version is None:
        return _UNKNOWN
    if "state" not in event.facts.get("failed", "").split():
        version.state = VersionState.QUARANTINED
    return ""


def _rollback_refused(replay: Replay, event: Event) -> str:
    return "" if replay.of(event) else _UNKNOWN


def _activated(replay: Replay, event: Event) -> str:
    version = replay.of(event)
    if version is None:
        return _UNKNOWN
    waits = version.state in {VersionState.CANDIDATE, VersionState.QUARANTINED}
    if not waits or version.terminal:
        return f"the version was {version.state.value}"
    return _on(replay, event, version, ReceiptKind.GOVERNANCE)


def _rolled_back(replay: Replay, event: Event) -> str:
    version = replay.of(event)
    if version is None:
        return _UNKNOWN
    if version.state is not VersionState.RETIRED or not version.was_active:
        return f"the version was {version.state.value}, not retired"
    return _on(replay, event, version, ReceiptKind.ROLLBACK)


def _on(replay: Replay, event: Event, version: ReplayedVersion, review: ReceiptKind) -> str:
    pin = version.pin
    if pin.skill_id in replay.active:
        return "another version of the skill was active"
    kinds = set()
    for key in event.evidence:
        if replay.receipts.get(key) != pin.content_hash:
            return f"receipt {key} is not one about this version"
        kinds.add(key.partition(":")[0])
    if not {ReceiptKind.SECURITY.value, review.value} <= kinds:
        return f"it does not rest on a security and a {review.value} receipt"
    version.state, version.was_active = VersionState.ACTIVE, True
    replay.active[pin.skill_id] = pin.content_hash
    return ""


def _retired(replay: Replay, event: Event) -> str:
    version = replay.of(event)
    if version is None:
        return _UNKNOWN
    if replay.active.get(version.pin.skill_id) != version.pin.content_hash:
        return "the version was not active"
    del replay.active[version.pin.skill_id]
    version.state = VersionState.RETIRED
    return ""


def _ended(replay: Replay, event: Event) -> str:
    version = replay.of(event)
    if version is None or version.terminal:
        return _UNKNOWN if version is None else "the version had ended before"
    if replay.active.get(version.pin.skill_id) == version.pin.content_hash:
        del replay.active[version.pin.skill_id]
    version.state, version.terminal = VersionState.QUARANTINED, True
    return ""


def _policy(replay: Replay, event: Event) -> str:
    replay.policies.append(event.facts.get("policy", ""))
    return ""


def _decision(replay: Replay, event: Event) -> str:
    facts = event.facts
    replay.decisions.append(
        (
            "quarantine" if event.kind is EventKind.SKILL_QUARANTINED else "release",
            facts.get("skill_id", ""),
            facts.get("digest", ""),
            event.reason,
            event.actor,
            event.at,
        )
    )
    return ""


def _revoked(replay: Replay, event: Event) -> str:
    replay.revoked.add(event.facts.get("grant", ""))
    return ""


def _used(replay: Replay, event: Event) -> str:
    replay.authorisations[event.facts.get("authorisation", "")] = event.facts.get("sha256", "")
    version = replay.of(event)
    if version is None:
        return _UNKNOWN
    if event.kind is EventKind.AUTHORISED and version.state is not VersionState.ACTIVE:
        return f"the version was {version.state.value}"
    return ""


def _feedback(replay: Replay, event: Event) -> str:
    replay.feedback[event.facts.get("feedback", "")] = event.facts.get("sha256", "")
    return "" if replay.of(event) else _UNKNOWN


def _restored(_replay: Replay, _event: Event) -> str:
    return ""


_HANDLERS: dict[EventKind, Callable[[Replay, Event], str]] = {
    EventKind.POLICY_CHANGED: _policy,
    EventKind.CANDIDATE_ADDED: _candidate,
    EventKind.RECEIPT_RECORDED: _receipt,
    EventKind.ADMISSION_REFUSED: _refused,
    EventKind.ACTIVATED: _activated,
    EventKind.RETIRED: _retired,
    EventKind.ROLLBACK_REFUSED: _rollback_refused,
    EventKind.ROLLED_BACK: _rolled_back,
    EventKind.VERSION_QUARANTINED: _ended,
    EventKind.SKILL_QUARANTINED: _decision,
    EventKind.SKILL_RELEASED: _decision,
    EventKind.GRANT_ISSUED: _receipt,
    EventKind.GRANT_REVOKED: _revoked,
    EventKind.AUTHORISED: _used,
    EventKind.AUTHORISATION_REFUSED: _used,
    EventKind.FEEDBACK_RECORDED: _feedback,
    EventKind.SNAPSHOT_RESTORED: _restored,
}
