"""What a security scanner takes and gives, whichever engine it is (DESIGN 7).

A scanner is a port with one method. The built-in one is :mod:`asf_core.quality.scan`; another may run
in a process of its own. A security receipt is made from a :class:`ScanResult`: who looked, under
which policy, at which bytes, whether it saw all of them, and what it found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from asf_core.domain.base import Sha256, Value
from asf_core.domain.findings import Finding, FindingCode, Severity
from asf_core.domain.skill import TreeEntry


class FileState(StrEnum):
    """What a scan did with a file."""

    SCANNED = "scanned"
    BINARY = "binary"
    """No text: named with its size and hash, judged by its kind only."""
    SKIPPED = "skipped"
    """Not looked at, for the reason given; the scan is then incomplete."""
    UNREADABLE = "unreadable"
    """Could not be read as what its name says; the scan is then incomplete."""


class FileRecord(Value):
    """One file of a skill and what a scan did with it. No file is left out."""

    path: str
    """POSIX, relative to the skill's directory: hostile text."""
    state: FileState
    size: int
    sha256: Sha256
    kind: str = ""
    """What it was taken for, as ``markdown``, ``python``, ``png``."""
    reason: str = ""
    """Why it was not scanned; empty when it was."""


class ScannerIdentity(Value):
    """Which scanner spoke, and under which rules."""

    name: str
    version: str
    policy: Sha256
    """Fingerprint of its rules, their severities and its limits."""


class ScanFinding(Value):
    """A finding with the word that a receipt has for it."""

    finding: Finding
    """``path`` is relative to the skill's directory."""
    code: FindingCode
    title: str = ""
    """Of the rule, where another engine made it; empty where the catalogue has it."""
    remediation: str = ""
    """The same."""


class ScanResult(Value):
    """What one scanner found in one version of a skill."""

    scanner: ScannerIdentity
    digest: Sha256 | None
    """Tree digest of the bytes that were scanned; ``None`` when the tree was refused."""
    complete: bool
    """False when a cap, an unreadable file or a failure kept the scanner from seeing all of it:
    then nothing found means nothing."""
    findings: tuple[ScanFinding, ...]
    """Sorted by path, line, column, rule."""
    files: tuple[FileRecord, ...]
    """Every file of the skill, sorted by path."""

    @property
    def codes(self) -> tuple[FindingCode, ...]:
        """The codes of the findings, each once, in the order of the closed list."""
        found = {item.code for item in self.findings}
        return tuple(code for code in FindingCode if code in found)

    @property
    def worst(self) -> Severity | None:
        """The severity of the worst finding."""
        return max((item.finding.severity for item in self.findings), key=_rank, default=None)

    def is_clean(self, below: Severity = Severity.MEDIUM) -> bool:
        """Whether all of it was seen and nothing weighs as much as a severity.

        Args:
            below: The least severity that is not clean any more.
        """
        worst = self.worst
        return self.complete and (worst is None or worst.rank < below.rank)


def _rank(severity: Severity) -> int:
    return severity.rank


@dataclass(frozen=True, slots=True)
class ScanTarget:
    """One skill's files, read once: what is scanned is what is digested and admitted."""

    entries: tuple[TreeEntry, ...]
    """Sorted by path."""
    contents: Mapping[str, bytes]
    """Bytes of every entry by path; of a link, its target's text."""
    digest: str | None
    """Tree digest; ``None`` when the tree was refused."""
    findings: tuple[Finding, ...] = ()
    """What reading the tree found, paths relative to the skill's directory."""
    main_file: str = "SKILL.md"
    """As it is called on disk."""
    left_out: tuple[str, ...] = ()
    """Files and directories beside them that do not belong to the skill: caches, packages of
    others, local environment files. They are neither digested nor exported nor scanned."""


class Scanner(Protocol):
    """A security scanner."""

    @property
    def identity(self) -> ScannerIdentity:
        """Who it is, and under which policy it speaks."""
        ...

    def scan(self, target: ScanTarget) -> ScanResult:
        """Scan one skill. Never raises on what the skill holds.

        Raises:
            MissingError: The engine behind it is absent or cannot be used.
        """
        ...
