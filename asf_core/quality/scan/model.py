"""What rules are made of, and what they see of a skill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from asf_core.domain.findings import Place, Severity
from asf_core.domain.rules import Rule
from asf_core.domain.scan import ScanTarget
from asf_core.domain.skill import ParsedSkill
from asf_core.quality.scan.kinds import Kind
from asf_core.quality.scan.pattern import compile_pattern
from asf_core.quality.scan.places import Regions
from asf_core.quality.scan.stance import is_security_topic
from asf_core.quality.scan.text import FileText

if TYPE_CHECKING:
    import re2

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity

Weights = Mapping[Place, Severity]
"""What a finding weighs where it stands."""

ORDERS: Weights = {
    Place.INSTRUCTION: _HIGH,
    Place.DESCRIPTION: _HIGH,
    Place.CODE: _LOW,
    Place.SCRIPT: _LOW,
    Place.REMARK: _MEDIUM,
    Place.STRING: _LOW,
    Place.DATA: _MEDIUM,
    Place.HIDDEN: _CRITICAL,
    Place.TEACHING: _LOW,
}
"""Words that steer an agent: they act where an agent reads them as instructions."""

ACTIONS: Weights = {
    Place.INSTRUCTION: _HIGH,
    Place.DESCRIPTION: _HIGH,
    Place.CODE: _HIGH,
    Place.SCRIPT: _HIGH,
    Place.REMARK: _INFO,
    Place.STRING: _LOW,
    Place.DATA: _MEDIUM,
    Place.HIDDEN: _CRITICAL,
    Place.TEACHING: _LOW,
}
"""Commands and code: they act where they are run."""


def lowered(weights: Weights, by: int = 1) -> Weights:
    """The same weights, each some steps lower; hidden text keeps its weight.

    Args:
        weights: What to start from.
        by: How many steps.
    """
    return {
        place: weight if place is Place.HIDDEN else step_down(weight, by)
        for place, weight in weights.items()
    }


def step_down(severity: Severity, by: int = 1) -> Severity:
    """A severity some steps lower, at least info."""
    return list(Severity)[max(0, severity.rank - by)]


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a file that a pattern matches."""

    file: FileText
    start: int
    end: int
    text: str
    """What matched, at most 400 characters."""
    kind: Kind
    """Of the file, or of the block of Markdown that it stands in."""

    @property
    def line(self) -> str:
        """The line it starts on."""
        return self.file.line(self.file.line_number(self.start))


Judge = Callable[[Hit], "Severity | bool"]
"""False: it is nothing. True: it weighs what its place says. A severity: at most that."""


def _always(_: Hit) -> bool:
    return True


@dataclass(frozen=True)
class TextRule:
    """A rule that is a pattern."""

    rule: Rule
    pattern: str
    """In RE2's syntax, matched in both cases unless it says otherwise."""
    message: str
    """One sentence; ``{text}`` is what matched."""
    weights: Weights
    kinds: frozenset[Kind] | None = None
    """Kinds of files and blocks that it applies to; ``None`` for all."""
    runs: bool = False
    """It is a command: in a program of another language it counts only where that runs commands."""
    judge: Judge = _always
    ignore_case: bool = True

    @property
    def is_command(self) -> bool:
        """It is about what is run, and not about words."""
        return self.weights.get(Place.SCRIPT, _INFO).rank >= _MEDIUM.rank

    @cached_property
    def compiled(self) -> re2._Regexp:
        """The pattern, ready to run."""
        return compile_pattern(self.pattern, ignore_case=self.ignore_case)


@dataclass(frozen=True, slots=True)
class Draft:
    """A finding before its place in the file is worked out."""

    rule: Rule
    message: str
    path: str
    severity: Severity
    file: FileText | None = None
    """``None`` for a finding about a file as a whole."""
    start: int = 0
    place: Place | None = None
    line: int = 0
    """Where it is known already; 0: from ``start``."""
    column: int = 1
    snippet: str | None = None


@dataclass
class Subject:
    """One skill as the rules see it."""

    target: ScanTarget
    files: Sequence[FileText]
    """Its text files, sorted by path."""
    parsed: ParsedSkill | None
    """Its SKILL.md as read; ``None`` when there is none."""
    _regions: dict[str, Regions] = field(default_factory=dict)

    @cached_property
    def topic(self) -> bool:
        """It is about security, so that its words are the words of its trade."""
        if self.parsed is None:
            return False
        manifest = self.parsed.manifest
        return is_security_topic(f"{manifest.name.replace('-', ' ')} {manifest.description}")

    def regions(self, file: FileText) -> Regions:
        """The regions of one of its files, found once."""
        if file.path not in self._regions:
            self._regions[file.path] = Regions(file)
        return self._regions[file.path]

    @property
    def main(self) -> FileText | None:
        """Its SKILL.md."""
        return next((file for file in self.files if file.is_main), None)


Detector = Callable[[Subject], Iterable[Draft] | Iterator[Draft]]
"""A rule, or a family of them, that is more than a pattern."""
