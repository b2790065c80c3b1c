"""Receipts: a scan or a review, signed by the user's key and taken in by the policy's rules."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.errors import InputError
from asf_core.domain.instant import instant
from asf_core.domain.policy import Role, TrustPolicy
from asf_core.domain.receipts import ReceiptKind, ReviewReceipt, SecurityReceipt, Verdict
from asf_core.governance.evidence import gather, security_keys
from asf_core.governance.ports import Reading
from asf_core.governance.receiving import record_receipt
from asf_core.governance.scanning import ScanFinding, ScanResult, ScanTarget, SecurityScanner
from asf_core.governance.security_proof import blocks
from asf_core.quality.waivers import load_waivers
from asf_core.services.control.references import find_version
from asf_core.services.control.scanner import build_scanner, waive
from asf_core.services.control.session import ControlSession, Passphrase
from asf_core.store.keyring import KeyInfo
from asf_core.trust.dsse import seal
from asf_core.trust.statements import Predicate, write_statement
from asf_core.trust.verify import VerifiedReceipt

_LONGEST_REASON = 2_000
_REVIEWED = frozenset({VersionState.CANDIDATE, VersionState.QUARANTINED, VersionState.RETIRED})


@dataclass(frozen=True, slots=True)
class SignedScan:
    """What a scan found, and the receipt that says so."""

    record: VersionRecord
    result: ScanResult
    receipt: VerifiedReceipt


@dataclass(frozen=True, slots=True)
class Examination:
    """What a scanner finds in a version when nothing is signed, with the texts that it is in."""

    record: VersionRecord
    result: ScanResult
    blocking: frozenset[ScanFinding]
    """Those of its findings that would keep the version out, by the policy in force."""
    files: Mapping[str, bytes]
    """The kept bytes by path."""


class ReceiptService:
    """Receipts about the versions of this workspace."""

    def __init__(self, session: ControlSession) -> None:
        self._session = session

    def scan(
        self,
        ref: str,
        *,
        key: str | None,
        passphrase: Passphrase,
        engine: str = "builtin",
        program: Path | None = None,
        waivers: Path | None = None,
    ) -> SignedScan:
        """Scan a version's kept bytes, and sign what was found.

        Args:
            ref: The version.
            key: Name or id of a scanner key of the user's; the only one when left out.
            passphrase: Asks for the key's.
            engine: Which scanner; see :func:`build_scanner`.
            program: Executable of another engine.
            waivers: File of waivers, as ``asf scan`` takes it.

        Raises:
            ConditionsError: The policy does not trust the key as a scanner's.
        """
        info = self._session.keyring.find(key, Role.SCANNER)
        record, target, scanner, _ = self._look(ref, engine, program)
        result = self._waived(scanner.scan(target), target, waivers)
        signing = self._session.keyring.load(info, passphrase(info))
        with self._session.decision("recording a scan") as now:
            predicate = SecurityReceipt(
                id=new_id("scan"),
                scanner=scanner.identity,
                scanned_at=instant(now),
                complete=result.complete,
                findings=tuple(finding.for_receipt() for finding in result.findings),
            )
            statement = write_statement(ReceiptKind.SECURITY, record.pin, predicate)
            receipt = self._take(seal(statement, [signing]), ReceiptKind.SECURITY, now)
        return SignedScan(record, result, receipt)

    def examine(
        self,
        ref: str,
        *,
        engine: str = "builtin",
        program: Path | None = None,
        waivers: Path | None = None,
    ) -> Examination:
        """Scan a version's kept bytes and sign nothing: needs no key, and leaves no trace.

        Args:
            ref: The version.
            engine: Which scanner; see :func:`build_scanner`.
            program: Executable of another engine.
            waivers: File of waivers, as ``asf scan`` takes it.
        """
        record, target, scanner, policy = self._look(ref, engine, program)
        result = self._waived(scanner.scan(target), target, waivers)
        blocking = frozenset(
            found
            for found in result.findings
            if found.waiver is None and blocks(found.for_receipt(), policy)
        )
        return Examination(record, result, blocking, target.files)

    def _look(
        self, ref: str, engine: str, program: Path | None
    ) -> tuple[VersionRecord, ScanTarget, SecurityScanner, TrustPolicy]:
        with self._session.records.reading() as reading:
            record, policy = find_version(reading, ref), reading.policy()
            return record, _target(reading, record), build_scanner(policy, engine, program), policy

    def _waived(self, result: ScanResult, target: ScanTarget, waivers: Path | None) -> ScanResult:
        if waivers is None:
            return result
        read = load_waivers(waivers, self._session.now().date())
        return waive(result, target, read.waivers, self._session.actor)

    def review(
        self,
        ref: str,
        verdict: Verdict,
        reason: str,
        *,
        key: str | None,
        passphrase: Passphrase,
    ) -> VerifiedReceipt:
        """Decide on a candidate's admission, or on the rollback to a retired version, and sign it.

        Args:
            ref: The version.
            verdict: The reviewer's word.
            reason: In the reviewer's words.
            key: Name or id of a reviewer key of the user's; the only one when left out.
            passphrase: Asks for the key's.

        Raises:
            ConditionsError: The policy does not trust the key as a reviewer's.
        """
        info = self._session.keyring.find(key, Role.REVIEWER)
        if not 0 < len(reason.strip()) <= _LONGEST_REASON:
            raise InputError(
                f"A review needs a reason of at most {_LONGEST_REASON:,} characters",
                why=f"This one has {len(reason.strip()):,}",
                hint="Give one with --reason",
            )
        signing = self._session.keyring.load(info, passphrase(info))
        with self._session.decision("recording a review") as now:
            record, kind, predicate = self._reviewed(ref, verdict, reason.strip(), info, now)
            statement = write_statement(kind, record.pin, predicate)
            return self._take(seal(statement, [signing]), kind, now)

    def take(self, envelope: bytes, kind: ReceiptKind) -> VerifiedReceipt:
        """Take in a receipt that was signed elsewhere."""
        with self._session.decision("recording a receipt") as now:
            return self._take(envelope, kind, now)

    def sign(
        self, kind: ReceiptKind, record: VersionRecord, predicate: Predicate, info: KeyInfo,
        passphrase: Passphrase, now: datetime,
    ) -> VerifiedReceipt:  # fmt: skip
        """Sign a statement and take it in, inside a decision."""
        signing = self._session.keyring.load(info, passphrase(info))
        statement = write_statement(kind, record.pin, predicate)
        return self._take(seal(statement, [signing]), kind, now)

    def _reviewed(
        self, ref: str, verdict: Verdict, reason: str, info: KeyInfo, now: datetime
    ) -> tuple[VersionRecord, ReceiptKind, ReviewReceipt]:
        with self._session.records.reading() as reading:
            record = find_version(reading, ref, _REVIEWED)
            active = reading.active(record.content.skill_id)
            receipts = gather(reading, record, now).receipts
        kind = ReceiptKind.GOVERNANCE
        if record.state is VersionState.RETIRED:
            kind = ReceiptKind.ROLLBACK
        return (
            record,
            kind,
            ReviewReceipt(
                id=new_id("review"),
                verdict=verdict,
                reason=reason,
                reviewer=info.name,
                reviewed_at=instant(now),
                security=security_keys(receipts),
                compared_with=active,
            ),
        )

    def _take(self, envelope: bytes, kind: ReceiptKind, now: datetime) -> VerifiedReceipt:
        return record_receipt(self._session.records, envelope, kind, now=now)


def new_id(what: str) -> str:
    """An id that was not used before: 96 random bits."""
    return f"{what}-{secrets.token_hex(12)}"


def _target(reading: Reading, record: VersionRecord) -> ScanTarget:
    blobs = [(entry.path, reading.blob(entry.sha256)) for entry in record.tree]
    return ScanTarget(
        content=record.content,
        content_hash=record.content_hash,
        tree=record.tree,
        files={path: data for path, data in blobs if data is not None},
        instructions=reading.blob(record.content.instructions_sha256) or b"",
    )
