"""What a security scanner is to the control plane, and several taken as one.

Engines sit behind :class:`SecurityScanner`; what they find goes into one signed receipt, by closed
codes and without any text of the skill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from asf_core.domain.content import BoundContent
from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.receipts import ReceiptFinding, ScannerIdentity, Waiver
from asf_core.domain.skill import TreeEntry
from asf_core.trust.canonical import canonical_json, sha256_hex


@dataclass(frozen=True, slots=True)
class ScanTarget:
    """One version with its kept bytes: a scanner never looks at the disk."""

    content: BoundContent
    content_hash: str
    tree: tuple[TreeEntry, ...]
    files: Mapping[str, bytes]
    """By path; a link's are its target. One that is gone from the store is absent."""
    instructions: bytes


@dataclass(frozen=True, slots=True)
class ScanFinding:
    """One finding, with what a person needs to judge and mend it."""

    code: FindingCode
    rule: str
    """Stable, kebab case with a family: ``plane/hash-mismatch``."""
    severity: Severity
    message: str
    """One sentence; may quote hostile text, secrets masked."""
    remediation: str
    path: str = "SKILL.md"
    line: int = 1
    waiver: Waiver | None = None

    def for_receipt(self) -> ReceiptFinding:
        """The finding without its texts."""
        return ReceiptFinding(
            code=self.code,
            rule=self.rule,
            severity=self.severity,
            path=self.path,
            line=self.line,
            waiver=self.waiver,
        )


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a scan found."""

    findings: tuple[ScanFinding, ...]
    complete: bool = True
    """False when a cap or a time limit stopped it."""


class SecurityScanner(Protocol):
    """An engine that looks for what is dangerous in a version."""

    @property
    def identity(self) -> ScannerIdentity:
        """Name, version, and a fingerprint of its rules and limits."""
        ...

    def scan(self, target: ScanTarget) -> ScanResult:
        """Look at one version. Never raises on what it holds; says so when it could not finish."""
        ...


class CombinedScanner:
    """Several engines that speak as one: all their findings, complete only if all were.

    Args:
        name: What the receipt calls it.
        version: Of this program.
        parts: At least one.
    """

    def __init__(self, name: str, version: str, parts: Sequence[SecurityScanner]) -> None:
        if not parts:
            raise ValueError("a scanner without engines would find everything clean")
        self._parts = tuple(parts)
        rules = [part.identity.model_dump(mode="json") for part in self._parts]
        self.identity = ScannerIdentity(
            name=name, version=version, policy=sha256_hex(canonical_json(rules))
        )

    def scan(self, target: ScanTarget) -> ScanResult:
        """Let every part look at one version."""
        results = [part.scan(target) for part in self._parts]
        findings = dict.fromkeys(finding for result in results for finding in result.findings)
        ordered = sorted(findings, key=lambda f: (-f.severity.rank, f.path, f.line, f.rule))
        return ScanResult(tuple(ordered), all(result.complete for result in results))
