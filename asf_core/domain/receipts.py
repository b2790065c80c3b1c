"""What is signed about a version: receipts and grants as the predicates of in-toto statements.

A statement has one subject, the content hash of one version; subjects match by digest only. The
predicate types are names: ``.invalid`` (RFC 6761) makes sure that nobody can ever serve them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints

from asf_core.domain.base import Sha256, Value
from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.instant import Instant
from asf_core.domain.pin import Identifier, Pin, Word
from asf_core.domain.policy import Role

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
_NAMES = "https://asf-workbench.invalid/predicates"

ReceiptId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{7,99}$")]
"""Chosen by the signer, unique for its kind."""
Reason = Annotated[str, StringConstraints(min_length=1, max_length=2_000, pattern=r"\S")]
ReceiptKey = Annotated[str, StringConstraints(pattern=r"^[a-z_]+:[A-Za-z0-9._-]+:[0-9a-f]{64}$")]
"""``kind:id:SHA-256 of the whole normalised receipt``."""


class ReceiptKind(StrEnum):
    """What a statement is; each kind has its own predicate type and the role that may sign it."""

    SECURITY = "security"
    GOVERNANCE = "governance"
    """Approval or rejection of a candidate."""
    ROLLBACK = "rollback_governance"
    """Approval or rejection of going back to a retired version."""
    GRANT = "grant"

    @property
    def predicate_type(self) -> str:
        """Its URI."""
        return f"{_NAMES}/{self.value.replace('_', '-')}/v1"

    @property
    def role(self) -> Role:
        """Who may sign it."""
        return _ROLES[self]


_ROLES = {
    ReceiptKind.SECURITY: Role.SCANNER,
    ReceiptKind.GOVERNANCE: Role.REVIEWER,
    ReceiptKind.ROLLBACK: Role.REVIEWER,
    ReceiptKind.GRANT: Role.GRANTOR,
}


class DigestSet(Value):
    """The digests of a subject; only SHA-256 counts here."""

    sha256: Sha256


class StatementSubject(Value):
    """What a statement is about."""

    name: Identifier
    """For people: id and version. Nothing is matched by it."""
    digest: DigestSet


class Statement(Value):
    """An in-toto Statement v1 whose predicate is still to be read."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", populate_by_name=True)

    type: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type")
    subject: Annotated[tuple[StatementSubject, ...], Field(min_length=1, max_length=1)]
    predicate_type: Identifier = Field(alias="predicateType")
    predicate: dict[str, Any]


class Waiver(Value):
    """A curator's word that a finding is accepted, for a time."""

    reason: Reason
    by: Identifier
    expires_at: Instant


class ReceiptFinding(Value):
    """A finding as a receipt keeps it: no text of the skill."""

    code: FindingCode
    rule: Identifier
    severity: Severity
    path: Identifier
    """POSIX path inside the skill."""
    line: Annotated[int, Field(ge=1)] = 1
    waiver: Waiver | None = None


class ScannerIdentity(Value):
    """Which scanner spoke."""

    name: Word
    version: Word
    policy: Sha256
    """Fingerprint of its rules and limits."""


class SecurityReceipt(Value):
    """What a scanner found in one content."""

    id: ReceiptId
    scanner: ScannerIdentity
    scanned_at: Instant
    complete: bool
    """False when a cap or a time limit stopped it: then it proves nothing."""
    findings: tuple[ReceiptFinding, ...]


class Verdict(StrEnum):
    """A reviewer's word."""

    APPROVE = "approve"
    REJECT = "reject"


class ReviewReceipt(Value):
    """What a reviewer decided about one content."""

    id: ReceiptId
    verdict: Verdict
    reason: Reason
    reviewer: Identifier
    """For people; who it was is what the signature says."""
    reviewed_at: Instant
    security: tuple[ReceiptKey, ...]
    """Keys of the security receipts that were before the reviewer."""
    compared_with: Sha256 | None
    """Content hash of the version that was active, and was compared with; ``None``: none was."""


class Grant(Value):
    """Leave for one user to run one pin, for one purpose, on one channel, for a time."""

    id: ReceiptId
    pin: Pin
    tenant: Word
    user: Word
    purpose: Word
    channel: Word
    tools: tuple[str, ...]
    """Granted tools, at most; the effective ones are clamped at use."""
    issued_at: Instant
    not_before: Instant
    expires_at: Instant
    issuer: Identifier


@dataclass(frozen=True, slots=True)
class StoredReceipt:
    """A receipt as it was kept: the bytes that were signed, and what they were taken for."""

    kind: ReceiptKind
    id: str
    key: str
    """``kind:id:SHA-256``."""
    content_hash: str
    envelope: bytes
    """DSSE, as it came; it is verified again at each use."""
    recorded_at: str


@dataclass(frozen=True, slots=True)
class StoredGrant:
    """A grant as it was kept, and whether it was taken back."""

    receipt: StoredReceipt
    revoked_at: str | None = None
    revoked_by: str = ""
    revoked_why: str = ""
