"""What became of the versions of a skill, from the events, as lanes in time. No widget in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.event import Event, EventKind
from asf_tui.glyphs import Glyphs, Tone, Verdict

_BECOMES = {
    EventKind.CANDIDATE_ADDED: VersionState.CANDIDATE,
    EventKind.ADMISSION_REFUSED: VersionState.QUARANTINED,
    EventKind.ACTIVATED: VersionState.ACTIVE,
    EventKind.ROLLED_BACK: VersionState.ACTIVE,
    EventKind.RETIRED: VersionState.RETIRED,
    EventKind.VERSION_QUARANTINED: VersionState.QUARANTINED,
}
"""What an event makes of the version that it is about."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A moment at which a version became something."""

    place: int
    """Among the moments of its skill, from 0: lanes are drawn by order, since a review may take
    seconds and a version may stay active for months."""
    state: VersionState
    event: Event


@dataclass(frozen=True, slots=True)
class Lane:
    """One version in time."""

    record: VersionRecord
    turns: tuple[Turn, ...]
    """Oldest first; empty for a version that no event tells of."""
    places: int
    """Moments of the skill altogether."""
    drifted: bool = False
    """Its skill's files on disk are others."""

    @property
    def since(self) -> str:
        """When it became what it is, RFC 3339; empty when that is not known."""
        return self.turns[-1].event.at if self.turns else ""

    @property
    def by(self) -> str:
        """Who made it what it is."""
        return self.turns[-1].event.actor if self.turns else ""


def lanes(records: Sequence[VersionRecord], events: Sequence[Event]) -> tuple[Lane, ...]:
    """The versions of a skill, the newest first.

    Args:
        records: Its versions, by version.
        events: About it, oldest first.
    """
    turns: dict[str, list[Turn]] = {record.content_hash: [] for record in records}
    places: dict[str, int] = {}
    for event in events:
        own = turns.get(event.pin.content_hash) if event.pin is not None else None
        if own is None or (state := _becomes(event, own[-1].state if own else None)) is None:
            continue
        # What happens at one moment, as a retirement and an activation, is one place.
        place = places.setdefault(event.at, len(places))
        own.append(Turn(place, state, event))
    return tuple(
        Lane(record, tuple(turns[record.content_hash]), len(places)) for record in reversed(records)
    )


def _becomes(event: Event, before: VersionState | None) -> VersionState | None:
    """What an event makes of its version; ``None`` when that stays what it was."""
    waits = before in {None, VersionState.CANDIDATE, VersionState.QUARANTINED}
    if event.kind is EventKind.RECEIPT_RECORDED:
        rejected = event.facts.get("verdict") == "reject" and waits
        after = VersionState.QUARANTINED if rejected else None
    elif event.kind is EventKind.ADMISSION_REFUSED and not waits:
        after = None
    else:
        after = _BECOMES.get(event.kind)
    return None if after is before and event.kind not in _ANEW else after


_ANEW = frozenset({EventKind.VERSION_QUARANTINED})
"""Kinds that matter even to a version that is in quarantine already."""


def draw(lane: Lane, width: int, glyphs: Glyphs) -> list[tuple[str, Tone]]:
    """A lane in so many cells: waiting, active, retired, ended, as stretches of other strokes.

    Returns:
        Pieces of text with their tones, together ``width`` cells.
    """
    if width < 1:
        return []
    if not lane.turns:
        return [(" " * width, Tone.QUIET)]
    at = [_cell(turn.place, lane.places, width) for turn in lane.turns]
    pieces = [(" " * at[0], Tone.QUIET)]
    ends = [*at[1:], width]
    for turn, start, end in zip(lane.turns, at, ends, strict=True):
        terminal = turn is lane.turns[-1] and lane.record.terminal
        verdict, stroke = _look(turn.state, terminal, glyphs)
        if end > start:
            text = verdict.glyph + stroke * (end - start - 1)
            pieces.append((text, verdict.tone))
    return pieces


def _cell(place: int, places: int, width: int) -> int:
    """Where a moment stands: each gets the same room, the last stretch is now."""
    return min(width - 1, place * width // max(1, places))


def _look(state: VersionState, terminal: bool, glyphs: Glyphs) -> tuple[Verdict, str]:
    verdict = glyphs.version(state, terminal=terminal)
    strokes = {
        VersionState.CANDIDATE: glyphs.trough,
        VersionState.ACTIVE: glyphs.full,
        VersionState.RETIRED: glyphs.rest,
        VersionState.QUARANTINED: " " if terminal else glyphs.rest,
    }
    return verdict, strokes[state]


def legend(glyphs: Glyphs) -> Content:
    """What the strokes mean."""
    parts = []
    for state in VersionState:
        verdict, stroke = _look(state, False, glyphs)
        parts.append(
            Content.styled(f"{verdict.glyph}{stroke * 2} {verdict.word}", verdict.tone.style)
        )
    ended, _ = _look(VersionState.QUARANTINED, True, glyphs)
    parts.append(Content.styled(f"{ended.glyph} {ended.word}", ended.tone.style))
    return Content("  ").join(parts)
