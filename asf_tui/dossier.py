"""Everything about one version that a reviewer decides on, and which step comes next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.policy import Role, TrustPolicy
from asf_core.domain.refusal import Condition
from asf_tui.bridge import Desk, Signer

if TYPE_CHECKING:
    from asf_tui.bridge.shown import Difference, Examination, Standing

WAITING = frozenset({VersionState.CANDIDATE, VersionState.QUARANTINED})
"""States from which a version may become active for the first time."""


class Step(Enum):
    """What brings a version nearer to being active; the value says it in words."""

    SOURCE = "trust its source revision"
    TOOLS = "register its tools"
    SCANNER = "make or trust a scanner key"
    SCAN = "scan it and sign what is found"
    FINDINGS = "findings block it: read them, then reject it or have a new version"
    REVIEWER = "make or trust a reviewer key"
    REVIEW = "read it, then approve or reject"
    ACTIVATE = "make it active"
    ROLL_BACK = "go back to it"
    BLOCKED = "something keeps it out that no receipt lifts"
    NONE = "nothing: it is the active version"
    ENDED = "nothing: it is in quarantine for good"


@dataclass(frozen=True, slots=True)
class Dossier:
    """A version with all that is known of it, read at one moment."""

    standing: Standing
    difference: Difference
    examination: Examination
    policy: TrustPolicy
    scanners: tuple[Signer, ...]
    """The person's scanner keys, trusted ones first."""
    reviewers: tuple[Signer, ...]

    @classmethod
    def read(cls, desk: Desk, content_hash: str) -> Dossier:
        """Read and scan a version; for a worker."""
        return cls(
            desk.standing(content_hash),
            desk.difference(content_hash),
            desk.examine(content_hash),
            desk.policy(),
            desk.signers(Role.SCANNER),
            desk.signers(Role.REVIEWER),
        )

    @property
    def record(self) -> VersionRecord:
        """The version."""
        return self.standing.record

    @property
    def lacking(self) -> frozenset[Condition]:
        """The conditions that do not hold."""
        return frozenset(refusal.condition for refusal in self.standing.result.refusals)

    @property
    def blocked(self) -> bool:
        """Whether the scanner's findings alone keep it out."""
        return bool(self.examination.blocking) or not self.examination.result.complete

    @property
    def step(self) -> Step:
        """The next step: in the order in which one thing waits for another."""
        record, lacking = self.record, self.lacking
        if record.terminal:
            return Step.ENDED
        if record.state is VersionState.ACTIVE:
            return Step.NONE
        if lacking - _LIFTED:
            return Step.BLOCKED
        if Condition.SOURCE_TRUSTED in lacking:
            return Step.SOURCE
        if Condition.TOOLS_REGISTERED in lacking:
            return Step.TOOLS
        if Condition.SECURITY_RECEIPT in lacking:
            return self._scanning()
        if Condition.GOVERNANCE_RECEIPT in lacking:
            return Step.REVIEW if _trusted(self.reviewers) else Step.REVIEWER
        return Step.ROLL_BACK if record.state is VersionState.RETIRED else Step.ACTIVATE

    def _scanning(self) -> Step:
        if not _trusted(self.scanners):
            return Step.SCANNER
        return Step.FINDINGS if self.blocked else Step.SCAN

    @property
    def unknown_tools(self) -> tuple[str, ...]:
        """Declared tools that are not registered."""
        known = set(self.policy.tools)
        return tuple(tool for tool in self.record.content.tools or () if tool not in known)


_LIFTED = frozenset(
    {
        Condition.SOURCE_TRUSTED,
        Condition.TOOLS_REGISTERED,
        Condition.SECURITY_RECEIPT,
        Condition.GOVERNANCE_RECEIPT,
    }
)
"""Conditions that a curator can meet; the others are facts."""


def _trusted(signers: tuple[Signer, ...]) -> bool:
    return any(signer.trusted for signer in signers)


def named(record: VersionRecord) -> str:
    """A version as people call it: hostile text."""
    return f"{record.content.skill_id.rpartition('/')[2]}@{record.content.version}"
