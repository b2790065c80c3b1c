"""A quarantined skill taken apart, as blocks: why, by which signals, beside which twin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from asf_core.domain.event import Event, EventKind
from asf_core.domain.quality import (
    GATE_BELOW,
    DuplicateCluster,
    DuplicateEvidence,
    Judgement,
    SignalReading,
)
from asf_core.domain.skill import QuarantinedBy, Skill
from asf_tui import facts
from asf_tui.beside import Beside, compared
from asf_tui.blocks import BLANK, Block, Pairs, Rule, Text
from asf_tui.glyphs import Glyphs, Tone, Verdict
from asf_tui.text import amount, fit, line, when
from asf_tui.widgets.stage_bars import gauge

TITLE, VALUE = 22, 7
"""Cells of a signal's title and of what it adds."""
SPARE = 18
"""Cells beside a bar from which on they are worth filling with what was measured."""
TWINS = 5
"""Twins that are shown in full."""


@dataclass(frozen=True, slots=True)
class Case:
    """Everything about a quarantined skill that a curator decides on."""

    skill: Skill
    judgement: Judgement | None
    unjudged: str
    """Why there is no judgement; empty when there is one."""
    cluster: DuplicateCluster | None
    twins: tuple[Skill, ...]
    """The skills that it is, or nearly is: of its cluster, else the nearest one."""
    events: tuple[Event, ...]
    """Decisions about it, oldest first."""


@dataclass(frozen=True, slots=True)
class SignalBars:
    """The signals of a score as bars about their middle: what lowers it goes to the left."""

    signals: Sequence[SignalReading]
    glyphs: Glyphs

    def lines(self, width: int) -> Iterator[Content]:
        """A line a signal, what was measured beside it or below."""
        most = max((abs(s.contribution) for s in self.signals), default=0.0) or 1.0
        room = max(7, min(31, width - TITLE - VALUE - 2))
        beside = width - TITLE - room - VALUE - 3
        for signal in sorted(self.signals, key=lambda s: s.contribution):
            bar = self._bar(signal, most, room)
            said = line(signal.measured, "$quiet")
            if beside >= max(SPARE, said.cell_length):
                yield Content.assemble(bar, "  ", said)
                continue
            yield bar
            yield from Text(said, "  ", "  ").lines(width)

    def _bar(self, signal: SignalReading, most: float, room: int) -> Content:
        value = signal.contribution
        before, filled, after = self.glyphs.diverging(value / most, room)
        tone = "$quiet" if signal.strength is None else "$bad" if value < 0 else "$good"
        figure = "unknown" if signal.strength is None else f"{value:+.2f}"
        return Content.assemble(
            (fit(signal.title, TITLE), "bold" if value < 0 else ""),
            (before, "$quiet"),
            (filled, tone),
            (after, "$quiet"),
            (fit(figure, VALUE, right=True), tone),
        )


def by(skill_by: QuarantinedBy | None, glyphs: Glyphs) -> Verdict:
    """Who took a skill out of routing, as a verdict."""
    state = glyphs.quarantined
    if skill_by is QuarantinedBy.CURATOR:
        return Verdict(state, "curator", Tone.BAD)
    return Verdict(state, "gate", Tone.WARN)


_BY_GATE = re.compile(r"by the gate: (slop score [\d.]+, under [\d.]+: )?")


def why(reason: str, *, short: bool = False) -> str:
    """The reason of a quarantine without who decided it, which is told beside it.

    Args:
        reason: As it is on record.
        short: Leave out the score too.
    """
    found = _BY_GATE.match(reason)
    if found is None:
        return reason
    return reason[found.end() if short else len("by the gate: ") :]


def head(case: Case, glyphs: Glyphs) -> Content:
    """Name, who keeps it out and why, what can be done."""
    manifest = case.skill.manifest
    who = by(case.skill.quarantined_by, glyphs)
    return Content("\n").join(
        [
            Content.assemble(line(manifest.slug, "bold"), "  ", line(manifest.id, "$quiet")),
            Content.assemble(
                facts.verdict(Verdict(who.glyph, f"by the {who.word}", who.tone)),
                ": ",
                line(why(case.skill.state_reason) or "no reason", who.tone.style),
            ),
        ]
    )


def score(case: Case, glyphs: Glyphs) -> Iterator[Block]:
    """The reason, the score against the gate, the signals, what would lift it."""
    yield Text(line(why(case.skill.state_reason) or "No reason is on record."))
    yield BLANK
    found = case.judgement
    if found is None:
        yield Text(line(case.unjudged, "$warn"))
        return
    yield ScoreGauge(found, glyphs)
    yield BLANK
    yield Rule("What makes the score")
    yield SignalBars(found.signals, glyphs)
    total = found.bias + sum(s.contribution for s in found.signals)
    made = f"{found.bias:+.2f} for the average skill and the column above: {total:+.2f} log-odds"
    yield Text(Content.styled(f"{made}, a score of {found.slop_score:.2f}", "$quiet"))
    if found.lifts:
        yield BLANK
        yield Rule("What would lift it, each by itself")
        for lift in found.lifts[:5]:
            up = f"{found.slop_score:.2f} {glyphs.out} {lift.score:.2f}"
            yield Text(line(lift.advice), f"{up}  ", " " * (len(up) + 2), "$good")


@dataclass(frozen=True, slots=True)
class ScoreGauge:
    """A score between slop and good, the gate marked on it."""

    judgement: Judgement
    glyphs: Glyphs

    def lines(self, width: int) -> Iterator[Content]:
        """One line: bar, figure, and which side of the gate it is on."""
        value = self.judgement.slop_score
        low = self.judgement.gated
        tone = "$bad" if low else "$good"
        word = f"under the gate ({GATE_BELOW:g})" if low else f"passes the gate ({GATE_BELOW:g})"
        sign = self.glyphs.broken if low else self.glyphs.ready
        room = max(8, min(40, width - 8 - 5 - len(word) - 6))
        bar = gauge(value, GATE_BELOW, room, tone, self.glyphs)
        yield Content.assemble(
            (fit("score", 8), "bold"), bar, (f" {value:.2f}", "bold"), (f"  {sign} {word}", tone)
        )


def twins(case: Case, glyphs: Glyphs) -> Iterator[Block]:
    """The skill beside what it is a copy of, or what comes nearest."""
    if case.cluster is not None:
        word = "canonical" if case.cluster.canonical == case.skill.manifest.id else "alias"
        yield Text(
            Content.assemble("One of ", str(len(case.cluster.members)), " that are one: ", word)
        )
    elif case.twins:
        yield Text(Content("No duplicate. The skill whose description is nearest:"))
    else:
        yield Text(Content.styled(f"{glyphs.ready} No duplicate, and nothing near.", "$good"))
    for twin in case.twins[:TWINS]:
        yield BLANK
        yield Rule(line(twin.manifest.id).plain)
        yield from _evidence(case, twin.manifest.id)
        yield BLANK
        yield Beside(_facts(case.skill, twin))
        yield BLANK
        yield Beside(compared(case.skill.body, twin.body))
    if len(case.twins) > TWINS:
        yield BLANK
        rest = ", ".join(twin.manifest.id for twin in case.twins[TWINS:])
        yield Text(Content.assemble(("and ", "$quiet"), line(rest)))


def _evidence(case: Case, other: str) -> Iterator[Block]:
    pairs: Sequence[DuplicateEvidence] = case.cluster.evidence if case.cluster else ()
    for pair in pairs:
        if {pair.first, pair.second} == {case.skill.manifest.id, other}:
            cosine = "" if pair.cosine is None else f"cosine {pair.cosine:.3f}; "
            said = f"{', '.join(pair.passes)}: {cosine}{'; '.join(pair.because)}"
            yield Text(line(said, "$note"))
    near = case.judgement.nearest if case.judgement else None
    if near is not None and near.skill_id == other and not pairs:
        yield Text(line(f"cosine of the descriptions {near.cosine:.3f}", "$note"))


def _facts(one: Skill, other: Skill) -> list[tuple[Content, Content]]:
    rows = [(line("this one", "bold $note"), line("the other", "bold $note"))]
    for told in (_name, _version, _score, _size, _digest, _description):
        left, right = told(one), told(other)
        style = "$quiet" if left == right else ""
        rows.append((line(left, style), line(right, style)))
    return rows


def _name(skill: Skill) -> str:
    return f"name {skill.manifest.name}"


def _version(skill: Skill) -> str:
    return f"version {skill.manifest.version or 'not declared'}"


def _score(skill: Skill) -> str:
    value = skill.manifest.quality.slop_score
    return f"score {'not known' if value is None else f'{value:.2f}'}"


def _size(skill: Skill) -> str:
    size = sum(entry.size for entry in skill.tree)
    files = f"{len(skill.tree)} file{'s' * (len(skill.tree) != 1)}"
    return f"{files}, {amount(size)} bytes"


def _digest(skill: Skill) -> str:
    return f"digest {(skill.digest or 'none')[:12]}"


def _description(skill: Skill) -> str:
    return skill.manifest.description


def history(case: Case, glyphs: Glyphs) -> Iterator[Block]:
    """What curators decided about it, newest first."""
    if not case.events:
        yield Text(Content.styled("No curator has decided about it yet.", "$quiet"))
        yield BLANK
        yield Text(Content("Releasing it, or confirming the quarantine, is a decision on record."))
        return
    for event in reversed(case.events):
        kept_out = event.kind is EventKind.SKILL_QUARANTINED
        sign, tone = (glyphs.quarantined, "$warn") if kept_out else (glyphs.ready, "$good")
        word = "quarantined" if kept_out else "released"
        yield Pairs(
            [
                ("", Content.styled(f"{sign} {word}", f"bold {tone}")),
                ("when", Content(when(event.at))),
                ("who", line(event.actor)),
                ("why", line(event.reason)),
            ],
            6,
        )
        yield BLANK
