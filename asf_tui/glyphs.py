"""Signs, and the verdicts that they stand for: always a glyph, a word and a tone together."""

from __future__ import annotations

import locale
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from asf_core.domain.content import VersionState
from asf_core.domain.findings import Severity
from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillState
from asf_core.domain.text import visible


class Tone(StrEnum):
    """What a colour means; each theme gives it one."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    NOTE = "note"
    QUIET = "quiet"
    PLAIN = "plain"

    @property
    def style(self) -> str:
        """The tone as a Textual style."""
        return "" if self is Tone.PLAIN else f"${self.value}"


class Verdict(NamedTuple):
    """A judgement in three ways at once, so that none of them is needed."""

    glyph: str
    word: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs."""

    ready: str
    quarantined: str
    broken: str
    waiting: str
    """A version that waits for review."""
    retired: str
    """A version that was active."""
    rest: str
    """A stretch of time in which a version was kept and not used."""
    severities: tuple[str, str, str, str, str]
    """By :attr:`Severity.rank`."""
    risks: tuple[str, str, str, str, str]
    """In the order of :class:`Risk`."""
    up: str
    down: str
    new: str
    same: str
    into: str
    """An arrow to the left: where something comes from."""
    out: str
    """An arrow to the right: where something goes."""
    both: str
    full: str
    parts: tuple[str, ...]
    """A cell filled by 1/n .. (n-1)/n, least first; empty where there is no such sign."""
    left_parts: tuple[str, ...]
    """The same, filled from the right."""
    axis: str
    """Where a bar that goes both ways begins."""
    trough: str
    """The part of a bar that is not filled."""
    budget: str
    shades: tuple[str, str, str, str, str]
    """Of a heatmap: none, then from little to the most."""
    bullet: str
    rule: str
    wait: str

    def state(self, state: SkillState) -> Verdict:
        """The verdict on a skill's state."""
        return {
            SkillState.READY: Verdict(self.ready, "ready", Tone.GOOD),
            SkillState.QUARANTINED: Verdict(self.quarantined, "quarantined", Tone.WARN),
            SkillState.BROKEN: Verdict(self.broken, "broken", Tone.BAD),
        }[state]

    def version(self, state: VersionState, *, terminal: bool = False) -> Verdict:
        """The verdict on a version's state."""
        if terminal:
            return Verdict(self.broken, "ended", Tone.BAD)
        return {
            VersionState.CANDIDATE: Verdict(self.waiting, "candidate", Tone.NOTE),
            VersionState.QUARANTINED: Verdict(self.quarantined, "refused", Tone.WARN),
            VersionState.ACTIVE: Verdict(self.ready, "active", Tone.GOOD),
            VersionState.RETIRED: Verdict(self.retired, "retired", Tone.QUIET),
        }[state]

    def holds(self, holds: bool) -> Verdict:
        """The verdict on a condition."""
        if holds:
            return Verdict(self.ready, "holds", Tone.GOOD)
        return Verdict(self.broken, "lacks", Tone.BAD)

    def severity(self, severity: Severity) -> Verdict:
        """The verdict of a finding."""
        tones = (Tone.QUIET, Tone.NOTE, Tone.WARN, Tone.BAD, Tone.BAD)
        return Verdict(self.severities[severity.rank], severity.value, tones[severity.rank])

    def risk(self, risk: Risk) -> Verdict:
        """The verdict on what running a skill can touch."""
        rank = list(Risk).index(risk)
        tones = (Tone.GOOD, Tone.NOTE, Tone.WARN, Tone.BAD, Tone.BAD)
        return Verdict(self.risks[rank], risk.value, tones[rank])

    def bar(self, share: float, width: int) -> tuple[str, str]:
        """A bar of ``width`` cells, filled to ``share`` (0 to 1); a trace of anything shows.

        Returns:
            The part that is filled and the part that is not.
        """
        text = self._filled(share, width, self.parts)
        return text, self.trough * (width - len(text))

    def diverging(self, share: float, width: int) -> tuple[str, str, str]:
        """A bar about its middle: to the right for what is gained, to the left for what is lost.

        Args:
            share: -1 to 1.
            width: Cells, at least 3.

        Returns:
            What stands before the filled part, the filled part, and what stands after it; the axis
            is in one of the outer two.
        """
        left = (width - 1) // 2
        right = width - 1 - left
        if share < 0:
            text = self._filled(-share, left, self.left_parts)[::-1]
            return " " * (left - len(text)), text, self.axis + " " * right
        text = self._filled(share, right, self.parts)
        return " " * left + self.axis, text, " " * (right - len(text))

    def _filled(self, share: float, width: int, parts: tuple[str, ...]) -> str:
        share = min(max(share, 0.0), 1.0)
        steps = len(parts) + 1
        filled = round(share * width * steps)
        if share > 0 and filled == 0:
            filled = 1
        whole, part = divmod(filled, steps)
        return self.full * whole + (parts[part - 1] if part else "")


UNICODE = Glyphs(
    ready="✓",
    quarantined="⊘",
    broken="✗",
    waiting="○",
    retired="◌",
    rest="┄",
    severities=("·", "▵", "▲", "◆", "✖"),
    risks=("○", "◔", "◑", "◕", "●"),
    up="▲",
    down="▼",
    new="✦",
    same="=",
    into="←",
    out="→",
    both="↔",
    full="━",
    parts=("╸",),
    left_parts=("╺",),
    axis="│",
    trough="─",
    budget="┃",
    shades=("·", "░", "▒", "▓", "█"),
    bullet="•",
    rule="─",
    wait="…",
)

ASCII = Glyphs(
    ready="+",
    quarantined="Q",
    broken="x",
    waiting="o",
    retired="~",
    rest=".",
    severities=(".", "-", "!", "!", "!"),
    risks=(".", "n", "e", "c", "u"),
    up="^",
    down="v",
    new="*",
    same="=",
    into="<-",
    out="->",
    both="<>",
    full="=",
    parts=(),
    left_parts=(),
    axis="|",
    trough=".",
    budget="|",
    shades=(".", ":", "+", "*", "#"),
    bullet="*",
    rule="-",
    wait="..",
)

_TWINS = str.maketrans(
    {
        **dict.fromkeys("─━═┄┈▔▁⎯—–‐╸╺", "-"),
        **dict.fromkeys("│┃║▏▎▕╎┆▌▐", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"),
        **dict.fromkeys("█▉▊▋▇▆▅▄▀■▂▃", "#"),
        **dict.fromkeys("•·∙", "*"),
        **dict.fromkeys("←⟨‹«", "<"),
        **dict.fromkeys("→⟩›»", ">"),
        **dict.fromkeys("‘’′", "'"),
        **dict.fromkeys("“”″", '"'),
        "…": "~",
        "▲": "^",
        "▼": "v",
        "✓": "+",
        "✗": "x",
        "×": "x",
    }
)


def ascii_twin(text: str) -> str:
    """The text in ASCII, cell for cell: what has no twin becomes ``?``, or ``??`` when wide."""
    if text.isascii():
        return text
    return "".join(map(_twin, text.translate(_TWINS)))


def _twin(char: str) -> str:
    if char.isascii():
        return char
    plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
    width = cell_len(char)
    return plain if len(plain) == width and plain else "?" * width


class Guard(LineFilter):
    """The last gate before the terminal, for every cell of every widget.

    Text is made safe where it is built; this gate holds when that was forgotten, and for what a
    person types or pastes.

    Args:
        ascii_only: Also turn everything into ASCII, borders and scroll bars included.
    """

    def __init__(self, *, ascii_only: bool = False) -> None:
        super().__init__()
        self.ascii_only = ascii_only

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with nothing in them that acts or hides."""
        change = self._ascii if self.ascii_only else visible
        return [Segment(change(text), style, control) for text, style, control in segments]

    @staticmethod
    def _ascii(text: str) -> str:
        return text if text.isascii() and text.isprintable() else ascii_twin(visible(text))


def locale_is_utf8() -> bool:
    """Whether this process writes UTF-8 to its terminal."""
    return locale.getpreferredencoding(do_setlocale=False).lower().replace("-", "") == "utf8"
