"""The lists of Quarantine, Review and Versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asf_core.domain.content import VersionRecord
from asf_core.domain.event import Event
from asf_core.domain.quality import GATE_BELOW
from asf_core.domain.refusal import Condition
from asf_core.domain.skill import SkillRow
from asf_core.domain.text import one_line
from asf_tui import happened, judged
from asf_tui.dossier import named
from asf_tui.glyphs import Glyphs, Tone, Verdict
from asf_tui.text import when
from asf_tui.timeline import Lane, draw
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable

_SHORT = {
    Condition.SOURCE_TRUSTED: "source",
    Condition.TOOLS_REGISTERED: "tools",
    Condition.SECURITY_RECEIPT: "scan",
    Condition.GOVERNANCE_RECEIPT: "review",
}
BAR = 8
"""Cells of a score's bar in a list."""


class QuarantineTable(VirtualTable[SkillRow]):
    """Skills that are kept out.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(
            _of_quarantine(glyphs),
            key=lambda row: row.id,
            name_of=lambda row: row.slug,
            empty="Nothing is in quarantine.\nA sync puts here what scores under "
            f"{GATE_BELOW:g}; a curator, what should be kept out.",
            id="rows",
        )


def _of_quarantine(glyphs: Glyphs) -> tuple[Column[SkillRow], ...]:
    def who(row: SkillRow, width: int) -> Cell:
        verdict = judged.by(row.quarantined_by, glyphs)
        return (Piece(f"{verdict.glyph} {verdict.word}", verdict.tone),)

    def name(row: SkillRow, width: int) -> Cell:
        return (Piece(one_line(row.slug, width)),)

    def score(row: SkillRow, width: int) -> Cell:
        if row.slop_score is None:
            return (Piece("-".rjust(width), "quiet"),)
        tone = Tone.BAD if row.slop_score < GATE_BELOW else Tone.GOOD
        done, left = glyphs.bar(row.slop_score, BAR)
        return (Piece(done, tone), Piece(left, "faint"), Piece(f" {row.slop_score:.2f}", tone))

    def reason(row: SkillRow, width: int) -> Cell:
        return (Piece(one_line(judged.why(row.state_reason, short=True), width), "quiet"),)

    return (
        Column("name", name, 14, 28),
        Column("score", score, BAR + 5, BAR + 5, rank=2),
        Column("kept out by", who, 11, 11, rank=1),
        Column("reason", reason, 16, 400, rank=3),
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """A version that waits for a decision, and what it lacks."""

    record: VersionRecord
    lacking: tuple[Condition, ...]
    """Empty for one that may become active, and for one that has ended."""

    @property
    def key(self) -> str:
        """Its content hash."""
        return self.record.content_hash


class ReviewTable(VirtualTable[Waiting]):
    """Versions that wait.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(
            _of_review(glyphs),
            key=lambda row: row.key,
            name_of=lambda row: named(row.record),
            empty="Nothing waits for review.\n"
            "Take a skill in as a candidate: c in Skills, at the skill.",
            id="rows",
        )


def _of_review(glyphs: Glyphs) -> tuple[Column[Waiting], ...]:
    def sign(row: Waiting, width: int) -> Cell:
        verdict = _state(row.record, glyphs)
        return (Piece(verdict.glyph, verdict.tone),)

    def name(row: Waiting, width: int) -> Cell:
        return (
            Piece(one_line(named(row.record), width), "strong" if not row.lacking else "plain"),
        )

    def state(row: Waiting, width: int) -> Cell:
        verdict = _state(row.record, glyphs)
        return (Piece(verdict.word, verdict.tone),)

    def lacks(row: Waiting, width: int) -> Cell:
        if row.record.terminal:
            return (Piece("for good", "quiet"),)
        if not row.lacking:
            return (Piece(f"{glyphs.ready} nothing", "good"),)
        words = ", ".join(_SHORT.get(one, one.value.replace("_", " ")) for one in row.lacking)
        return (Piece(f"{glyphs.broken} {words}", "warn"),)

    def since(row: Waiting, width: int) -> Cell:
        return (Piece(when(row.record.content.imported_at), "quiet"),)

    def scope(row: Waiting, width: int) -> Cell:
        return (Piece(one_line(str(row.record.content.scope), width), "quiet"),)

    return (
        Column("", sign, 1, 1),
        Column("version", name, 16, 36, wish=20),
        Column("state", state, 9, 9, rank=2),
        Column("lacks", lacks, 14, 40, rank=1, wish=20),
        Column("added", since, 16, 16, rank=3),
        Column("for", scope, 10, 24, rank=4),
    )


def _state(record: VersionRecord, glyphs: Glyphs) -> Verdict:
    return glyphs.version(record.state, terminal=record.terminal)


@dataclass(frozen=True, slots=True)
class Versioned:
    """A skill that has versions."""

    skill_id: str
    records: tuple[VersionRecord, ...]
    """By version."""
    active: VersionRecord | None


class VersionedTable(VirtualTable[Versioned]):
    """Skills that have versions.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(
            _of_versions(glyphs),
            key=lambda row: row.skill_id,
            name_of=lambda row: row.skill_id.rpartition("/")[2],
            empty="No skill has versions yet.\n"
            "Take one in as a candidate: c in Skills, at the skill.",
            id="rows",
        )


def _of_versions(glyphs: Glyphs) -> tuple[Column[Versioned], ...]:
    def name(row: Versioned, width: int) -> Cell:
        return (Piece(one_line(row.skill_id.rpartition("/")[2], width)),)

    def active(row: Versioned, width: int) -> Cell:
        if row.active is None:
            return (Piece("none active", "quiet"),)
        return (Piece(f"{glyphs.ready} {one_line(row.active.content.version, width)}", "good"),)

    def counts(row: Versioned, width: int) -> Cell:
        states = [glyphs.version(r.state, terminal=r.terminal) for r in row.records]
        seen: dict[str, tuple[Verdict, int]] = {}
        for verdict in states:
            seen[verdict.word] = (verdict, seen.get(verdict.word, (verdict, 0))[1] + 1)
        pieces: list[Piece] = []
        for verdict, count in seen.values():
            pieces.append(Piece(f"{verdict.glyph}{count} ", verdict.tone))
        return pieces

    def where(row: Versioned, width: int) -> Cell:
        return (Piece(one_line(row.skill_id.rpartition("/")[0], width), "quiet"),)

    return (
        Column("skill", name, 14, 32, wish=18),
        Column("active", active, 11, 14, rank=1),
        Column("versions", counts, 11, 16, rank=2),
        Column("in", where, 8, 40, rank=3),
    )


class LaneTable(VirtualTable[Lane]):
    """The versions of a skill in time, the newest first.

    Args:
        glyphs: The signs.
        id: Its id.
    """

    def __init__(self, glyphs: Glyphs, id: str = "timeline") -> None:  # noqa: A002
        super().__init__(
            _of_lanes(glyphs),
            key=lambda lane: lane.record.content_hash,
            name_of=lambda lane: lane.record.content.version,
            empty="No versions.",
            id=id,
        )


def _of_lanes(glyphs: Glyphs) -> tuple[Column[Lane], ...]:
    def version(lane: Lane, width: int) -> Cell:
        return (Piece(one_line(lane.record.content.version, width), "strong"),)

    def state(lane: Lane, width: int) -> Cell:
        verdict = _state(lane.record, glyphs)
        return (Piece(f"{verdict.glyph} {verdict.word}", verdict.tone),)

    def lane_(lane: Lane, width: int) -> Cell:
        return [Piece(text, tone) for text, tone in draw(lane, width, glyphs)]

    def since(lane: Lane, width: int) -> Cell:
        return (Piece(when(lane.since or None), "quiet"),)

    def by(lane: Lane, width: int) -> Cell:
        return (Piece(one_line(lane.by, width), "quiet"),)

    return (
        Column("version", version, 8, 12),
        Column("state", state, 11, 11),
        Column(f"in time, step by step {glyphs.out} now", lane_, 16, 200, wish=24),
        Column("since", since, 16, 16, rank=1),
        Column("by", by, 6, 12, rank=2),
    )


class EventTable(VirtualTable[Event]):
    """Events, the newest first; Enter shows one whole.

    Args:
        glyphs: The signs.
        id: Its id.
        empty: What to say when there are none.
    """

    def __init__(self, glyphs: Glyphs, id: str, empty: str) -> None:  # noqa: A002
        super().__init__(
            _of_events(glyphs),
            key=lambda event: str(event.number),
            name_of=happened.about,
            empty=empty,
            id=id,
        )

    def show_events(self, events: Sequence[Event], *, keep: bool) -> None:
        """Show events that come oldest first."""
        self.show(tuple(reversed(events)), keep=keep)


def _of_events(glyphs: Glyphs) -> tuple[Column[Event], ...]:
    def number(event: Event, width: int) -> Cell:
        return (Piece(str(event.number), "quiet"),)

    def what(event: Event, width: int) -> Cell:
        verdict = happened.verdict(event, glyphs)
        return (Piece(f"{verdict.glyph} {verdict.word}", verdict.tone),)

    def about(event: Event, width: int) -> Cell:
        return (Piece(happened.about(event)),)

    def at(event: Event, width: int) -> Cell:
        return (Piece(when(event.at), "quiet"),)

    def who(event: Event, width: int) -> Cell:
        return (Piece(one_line(event.actor, width), "note"),)

    def detail(event: Event, width: int) -> Cell:
        return (Piece(happened.detail(event), "quiet"),)

    return (
        Column("#", number, 4, 6, right=True),
        Column("what", what, 17, 18),
        Column("about", about, 10, 30, rank=2, wish=16),
        Column("when", at, 16, 16, rank=1),
        Column("who", who, 6, 12, rank=3),
        Column("why and what", detail, 12, 200, rank=4),
    )


def versioned(records: Sequence[VersionRecord]) -> tuple[Versioned, ...]:
    """The skills of some versions, by id."""
    by_skill: dict[str, list[VersionRecord]] = {}
    for record in records:
        by_skill.setdefault(record.content.skill_id, []).append(record)
    return tuple(
        Versioned(skill_id, tuple(own), next((r for r in own if r.state == "active"), None))
        for skill_id, own in sorted(by_skill.items())
    )
