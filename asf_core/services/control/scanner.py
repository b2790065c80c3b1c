"""Which engines make up this program's scanner, and how the rule scanner speaks in receipts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.instant import instant
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ScannerIdentity, Waiver
from asf_core.governance.plane_checks import PlaneChecks
from asf_core.governance.scanning import (
    CombinedScanner,
    ScanFinding,
    ScanResult,
    ScanTarget,
    SecurityScanner,
)
from asf_core.services.control.trust import SCANNER_NAME

if TYPE_CHECKING:
    from asf_core.domain import checks, scan

_MAIN_FILE = "skill.md"


class RuleScanner:
    """A scanner of :mod:`asf_core.domain.scan` as the control plane takes one.

    Args:
        engine: The built-in one, or one that runs in a process of its own.
    """

    def __init__(self, engine: scan.Scanner) -> None:
        self._engine = engine

    @property
    def identity(self) -> ScannerIdentity:
        """Name, version, and a fingerprint of its rules and limits."""
        own = self._engine.identity
        return ScannerIdentity(name=own.name, version=own.version, policy=own.policy)

    def scan(self, target: ScanTarget) -> ScanResult:
        """Look at one version's kept bytes."""
        from asf_core.domain.scan import ScanTarget as Files

        names = [entry.path for entry in target.tree if entry.path.lower() == _MAIN_FILE]
        found = self._engine.scan(
            Files(
                entries=target.tree,
                contents=target.files,
                digest=target.content.tree_digest,
                main_file=names[0] if names else "SKILL.md",
            )
        )
        return ScanResult(tuple(_finding(item) for item in found.findings), found.complete)


def _finding(made: scan.ScanFinding) -> ScanFinding:
    from asf_core.quality.catalogue import catalogue

    finding, rule = made.finding, catalogue().get(made.finding.rule)
    return ScanFinding(
        code=made.code,
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        remediation=rule.remedy if rule is not None else made.remediation,
        path=finding.path,
        line=max(1, finding.line),
    )


def build_scanner(
    policy: TrustPolicy, engine: str = "builtin", program: Path | None = None
) -> SecurityScanner:
    """The scanner whose receipts are signed, under the policy in force.

    Args:
        policy: The trust policy.
        engine: ``builtin`` for this program's own, or the name of another one, which then speaks
            in its own name and has to be trusted by it.
        program: Executable of the other engine, where it is not where it is looked for.

    Raises:
        InputError: There is no such engine.
        MissingError: It is not installed.
    """
    from asf_core.services.checking import engine_of

    rules = RuleScanner(engine_of(engine, program))
    if engine != "builtin":
        return rules
    version = program_version()
    return CombinedScanner(SCANNER_NAME, version, [PlaneChecks(policy, version), rules])


def program_version() -> str:
    """This program's version, which a scanner is trusted by."""
    from importlib.metadata import version

    return version("asf-workbench")


def waive(
    result: ScanResult, target: ScanTarget, waivers: Sequence[checks.Waiver], by: str
) -> ScanResult:
    """Put a curator's waivers on the findings that they are for; each stays visible.

    Args:
        result: Of a scan.
        target: What was scanned. A waiver is for its tree digest, and names the skill by its id or
            by its path inside the registry.
        waivers: As ``asf scan`` takes them.
        by: Whose they are.
    """
    content = target.content
    names = {content.skill_id, content.skill_id.partition("/")[2]}
    meant = {
        waiver.rule: Waiver(reason=waiver.reason, by=by, expires_at=_end_of(waiver.expires))
        for waiver in waivers
        if waiver.skill in names and waiver.digest == content.tree_digest
    }
    return ScanResult(
        tuple(replace(found, waiver=meant.get(found.rule)) for found in result.findings),
        result.complete,
    )


def _end_of(day: str) -> str:
    """The moment after the last one of a day."""
    midnight = datetime.combine(date.fromisoformat(day), time(), UTC)
    return instant(midnight + timedelta(days=1))
