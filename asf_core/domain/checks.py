"""What a lint or a scan of one or more paths reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from asf_core.domain.base import Sha256, Value
from asf_core.domain.findings import Finding, FindingCode, Severity
from asf_core.domain.scan import FileRecord, ScannerIdentity

CheckKind = Literal["lint", "scan"]


class Standing(StrEnum):
    """Whether a finding counts towards the threshold."""

    OPEN = "open"
    BASELINE = "baseline"
    """It stood there when the baseline was written."""
    WAIVED = "waived"
    """A curator accepted it for this version of the skill, for a time."""


class Waiver(Value):
    """A curator's word that one rule may be broken in one version of one skill, for a time."""

    rule: str
    """Id of the rule."""
    skill: str
    """Path of the skill's directory inside the registry, ``.`` for its root."""
    digest: Sha256
    """Tree digest of the version that was looked at."""
    reason: str
    """In the curator's words, never empty."""
    expires: str
    """Last day on which it counts, ``YYYY-MM-DD``."""


class CheckedFinding(Value):
    """A finding with what a reader needs to act on it."""

    skill: str
    """Path of the skill's directory inside the registry; empty for the registry itself."""
    finding: Finding
    """``path`` is relative to the registry's root."""
    code: FindingCode
    title: str
    """Of the rule."""
    remediation: str
    """Of the rule."""
    fingerprint: Sha256
    """The same as long as rule, file and snippet are, wherever the line moves."""
    standing: Standing = Standing.OPEN
    note: str = ""
    """Why it does not count, or why a waiver for it does not."""

    @property
    def counts(self) -> bool:
        """It stands open."""
        return self.standing is Standing.OPEN


class CheckedSkill(Value):
    """One skill that was looked at."""

    path: str
    """Of its directory inside the registry."""
    name: str
    digest: Sha256 | None
    complete: bool
    """False: not all of it could be looked at, so that nothing found means nothing."""
    files: tuple[FileRecord, ...] = ()
    """Every file and what the scan did with it; empty for a lint."""


class CheckedRoot(Value):
    """A registry, or the directory around single skills, that was checked."""

    name: str
    path: str
    """As it was given, or relative to the current directory: what findings are shown below."""
    skills: tuple[CheckedSkill, ...]
    findings: tuple[CheckedFinding, ...]
    """Sorted by path, line, column, rule."""


class CheckReport(Value):
    """All that was found."""

    kind: CheckKind
    scanner: ScannerIdentity | None
    """Who scanned, and under which policy; ``None`` for a lint."""
    roots: tuple[CheckedRoot, ...]
    notes: tuple[str, ...] = ()
    """Waivers that are out of date, for another version, or for nothing."""
    seconds: float

    @property
    def findings(self) -> tuple[CheckedFinding, ...]:
        """Of all roots, in order."""
        return tuple(item for root in self.roots for item in root.findings)

    def worst(self) -> Severity | None:
        """The worst severity that stands open."""
        open_ones = (item.finding.severity for item in self.findings if item.counts)
        return max(open_ones, key=lambda severity: severity.rank, default=None)

    def over(self, threshold: Severity) -> int:
        """How many findings stand open at or over a severity."""
        return sum(
            item.counts and item.finding.severity.rank >= threshold.rank for item in self.findings
        )


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """How far a check is."""

    done: int
    total: int
