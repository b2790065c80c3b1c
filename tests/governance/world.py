"""A small world in which versions live: keys, a clock, a policy, and short ways to act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from asf_core.domain.content import BoundContent, RetrievalTerms, SourceRecord, VersionRecord
from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.instant import instant
from asf_core.domain.pin import Pin, Scope, SourceMode, Subject
from asf_core.domain.policy import (
    Channel,
    Role,
    TrustedKey,
    TrustedScanner,
    TrustedSource,
    TrustPolicy,
)
from asf_core.domain.receipts import (
    Grant,
    ReceiptFinding,
    ReceiptKind,
    ReviewReceipt,
    ScannerIdentity,
    SecurityReceipt,
    Verdict,
)
from asf_core.governance import lifecycle, trusting
from asf_core.governance.candidates import CandidateDraft, add_candidates
from asf_core.governance.evidence import gather, security_keys
from asf_core.governance.grants import AuthorisedUse, UseRequest, authorise
from asf_core.governance.ports import Ledger
from asf_core.governance.receiving import record_receipt
from asf_core.governance.sources.draft import file_entry
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.dsse import seal
from asf_core.trust.keys import SigningKey
from asf_core.trust.statements import Predicate, write_statement
from asf_core.trust.tree import tree_digest
from asf_core.trust.verify import VerifiedReceipt

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SKILL = "reg/tools/carver"
SCANNER = ScannerIdentity(name="asf-scan", version="1.0.0", policy="5" * 64)
SUBJECT = Subject(product="shop", tenant="acme", user="ann")
ADA, BOB, BOT, GIL, EVE = (SigningKey.generate() for _ in range(5))
"""Two reviewers, a scanner, a grantor, and a stranger."""
_NAMES = {id(ADA): "ada", id(BOB): "bob", id(BOT): "bot", id(GIL): "gil", id(EVE): "eve"}


def trusted(key: SigningKey, role: Role, **other: Any) -> TrustedKey:
    fields = {
        "key_id": key.public.key_id,
        "spki": key.public.base64,
        "role": role,
        "name": _NAMES.get(id(key), "someone"),
        "added_at": instant(NOON),
    }
    return TrustedKey(**(fields | other))


POLICY = TrustPolicy(
    keys=(
        trusted(ADA, Role.REVIEWER),
        trusted(BOB, Role.REVIEWER),
        trusted(BOT, Role.SCANNER),
        trusted(GIL, Role.GRANTOR),
    ),
    scanners=(TrustedScanner(name="asf-scan", version="1.0.0", key_id=BOT.public.key_id),),
    sources=(
        TrustedSource(mode=SourceMode.SKILL_DIRECTORY, system="git", id="reg", revision="c" * 40),
    ),
    tools=("Read", "Grep", "Write"),
    channels=(Channel(name="chat", tools=("Read", "Grep")),),
)


def draft(
    version: str = "1.0.0",
    *,
    files: Mapping[str, bytes] | None = None,
    body: str = "Carve it.\n",
    **fields: Any,
) -> CandidateDraft:
    contents = dict(files or {"SKILL.md": b"---\nname: carver\n---\n" + body.encode()})
    tree = tuple(file_entry(path, data) for path, data in sorted(contents.items()))
    instructions = body.encode()
    base: dict[str, Any] = {
        "mode": SourceMode.SKILL_DIRECTORY,
        "skill_id": SKILL,
        "version": version,
        "scope": Scope.parse("product:shop"),
        "instructions_sha256": sha256_hex(instructions),
        "instructions_bytes": len(instructions),
        "tools": ("Read", "Grep"),
        "retrieval": RetrievalTerms(name="carver", description="Carves."),
        "tree_digest": tree_digest(tree),
        "source": SourceRecord(system="git", id=SKILL, version=version, revision="c" * 40),
        "imported_by": "kim",
        "imported_at": instant(NOON),
    }
    return CandidateDraft(BoundContent(**(base | fields)), tree, contents, instructions)


def finding(code: FindingCode = FindingCode.PROMPT_INJECTION, **fields: Any) -> ReceiptFinding:
    base: dict[str, Any] = {
        "code": code,
        "rule": "security/x",
        "severity": Severity.HIGH,
        "path": "SKILL.md",
    }
    return ReceiptFinding(**(base | fields))


@dataclass
class World:
    """Acts on a ledger as its people would; time moves only when told to."""

    ledger: Ledger
    now: datetime = NOON
    _count: int = field(default=0)

    def policy(self, **fields: Any) -> None:
        """Put a policy in force, with other fields than :data:`POLICY`."""
        wanted = trusting.changed(POLICY, **fields)
        trusting.change_policy(
            self.ledger, lambda _: wanted, what="test", actor="root", now=self.now
        )

    def later(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now

    def id(self, what: str = "receipt") -> str:
        self._count += 1
        return f"{what}-{self._count:08}"

    def add(self, version: str = "1.0.0", **fields: Any) -> VersionRecord:
        return add_candidates(self.ledger, [draft(version, **fields)])[0].record

    def record(self, pin: Pin) -> VersionRecord:
        with self.ledger.reading() as reading:
            found = reading.version(pin.content_hash)
        assert found is not None
        return found

    def active(self, skill: str = SKILL) -> str | None:
        with self.ledger.reading() as reading:
            return reading.active(skill)

    def security(self, **fields: Any) -> SecurityReceipt:
        base: dict[str, Any] = {
            "id": self.id("scan"),
            "scanner": SCANNER,
            "scanned_at": instant(self.now),
            "complete": True,
            "findings": (),
        }
        return SecurityReceipt(**(base | fields))

    def review(self, pin: Pin, **fields: Any) -> ReviewReceipt:
        with self.ledger.reading() as reading:
            record = reading.version(pin.content_hash)
            known = gather(reading, record, self.now).receipts if record else ()
            active = reading.active(pin.skill_id)
        base: dict[str, Any] = {
            "id": self.id("review"),
            "verdict": Verdict.APPROVE,
            "reason": "reads well",
            "reviewer": "ada",
            "reviewed_at": instant(self.now),
            "security": security_keys(known),
            "compared_with": active,
        }
        return ReviewReceipt(**(base | fields))

    def take(
        self,
        pin: Pin,
        predicate: Predicate,
        *keys: SigningKey,
        kind: ReceiptKind = ReceiptKind.GOVERNANCE,
    ) -> VerifiedReceipt:
        envelope = seal(write_statement(kind, pin, predicate), keys)
        return record_receipt(self.ledger, envelope, kind, now=self.now)

    def scan(self, pin: Pin, key: SigningKey = BOT, **fields: Any) -> VerifiedReceipt:
        return self.take(pin, self.security(**fields), key, kind=ReceiptKind.SECURITY)

    def approve(
        self,
        pin: Pin,
        key: SigningKey = ADA,
        kind: ReceiptKind = ReceiptKind.GOVERNANCE,
        **fields: Any,
    ) -> VerifiedReceipt:
        return self.take(pin, self.review(pin, **fields), key, kind=kind)

    def activate(self, pin: Pin) -> lifecycle.Change:
        return lifecycle.activate(self.ledger, pin.content_hash, actor="kim", now=self.now)

    def roll_back(self, pin: Pin) -> lifecycle.Change:
        return lifecycle.roll_back(self.ledger, pin.content_hash, actor="kim", now=self.now)

    def quarantine(self, pin: Pin, reason: str = "leaks") -> VersionRecord:
        return lifecycle.quarantine_version(
            self.ledger, pin.content_hash, reason=reason, actor="kim", now=self.now
        )[0]

    def admitted(self, version: str = "1.0.0", **fields: Any) -> Pin:
        """A version with all that it needs to become active."""
        pin = self.add(version, **fields).pin
        self.scan(pin)
        self.approve(pin)
        return pin

    def activated(self, version: str = "1.0.0", **fields: Any) -> Pin:
        pin = self.admitted(version, **fields)
        self.activate(pin)
        return pin

    def retired(self) -> tuple[Pin, Pin]:
        """A retired version, and the one that took its place."""
        first = self.activated("1.0.0")
        self.later(hours=1)
        second = self.activated("1.1.0", body="Carve it well.\n")
        self.later(hours=1)
        return first, second

    def ready_to_roll_back(self) -> tuple[Pin, Pin]:
        first, second = self.retired()
        self.scan(first)
        self.approve(first, kind=ReceiptKind.ROLLBACK)
        return first, second

    def grant(self, pin: Pin, key: SigningKey = GIL, **fields: Any) -> Grant:
        base: dict[str, Any] = {
            "id": self.id("grant"),
            "pin": pin,
            "tenant": "acme",
            "user": "ann",
            "purpose": "support",
            "channel": "chat",
            "tools": ("Grep", "Read", "Write"),
            "issued_at": instant(self.now),
            "not_before": instant(self.now),
            "expires_at": instant(self.now + timedelta(hours=8)),
            "issuer": "gil",
        }
        grant = Grant(**(base | fields))
        self.take(pin, grant, key, kind=ReceiptKind.GRANT)
        return grant

    def use(self, grant: Grant, **fields: Any) -> AuthorisedUse:
        base: dict[str, Any] = {
            "grant_id": grant.id,
            "pin": grant.pin,
            "subject": SUBJECT,
            "purpose": "support",
            "channel": "chat",
        }
        request = UseRequest(**(base | fields))
        return authorise(self.ledger, request, authorisation_id=self.id("auth"), now=self.now)
