"""Signed bytes in, verified values out, at one reference time. No I/O.

The order matters: the envelope is taken apart, the signatures are checked over the payload's bytes,
and only then is the payload read. ``get_..._result`` says what holds and what does not, for
display; ``verify_...`` raises, for enforcement; both come from the same checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.instant import moment
from asf_core.domain.policy import Role, TrustedKey
from asf_core.domain.receipts import Grant, ReceiptKind, ReviewReceipt, SecurityReceipt
from asf_core.domain.refusal import Condition, Refusal
from asf_core.trust.dsse import Envelope, open_envelope
from asf_core.trust.keys import PublicKey
from asf_core.trust.statements import Predicate, read_predicate, read_statement, receipt_key
from asf_core.trust.strictjson import MalformedError


@dataclass(frozen=True, slots=True)
class Clock:
    """The one reference time of an operation, and how far ahead a signer's clock may be."""

    now: datetime
    """With a time zone."""
    skew: timedelta = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class SignatureResult:
    """Who signed an envelope."""

    signers: tuple[TrustedKey, ...]
    """Trusted keys whose signature holds: each public key once, whatever ids it goes by."""
    ignored: tuple[str, ...]
    """Why each other signature does not count, one sentence each."""


@dataclass(frozen=True, slots=True)
class VerifiedReceipt:
    """A receipt that is what it says: signed in the right role, about one content."""

    kind: ReceiptKind
    key: str
    """``kind:id:SHA-256 of the whole normalised receipt``."""
    content_hash: str
    receipt: Predicate
    signers: tuple[TrustedKey, ...]
    """At least one."""


@dataclass(frozen=True, slots=True)
class ReceiptResult:
    """What a look at a receipt found."""

    verified: VerifiedReceipt | None
    refusals: tuple[Refusal, ...]
    """Why it does not count; empty exactly when ``verified`` is there."""


def get_signature_result(
    envelope: Envelope, keys: Iterable[TrustedKey], role: Role
) -> SignatureResult:
    """Find out who signed an envelope.

    Args:
        envelope: Taken apart, not read.
        keys: The policy's keys. Their ids are computed again; one that claims another id than its
            own is no key.
        role: What the signer must be trusted in.
    """
    known = {public.key_id: (key, public) for key, public in _genuine(keys)}
    signers: dict[bytes, TrustedKey] = {}
    ignored = []
    for signature in envelope.signatures:
        if signature.key_id not in known:
            ignored.append(f"Key {signature.key_id[:12]} is not trusted")
            continue
        key, public = known[signature.key_id]
        if key.role is not role:
            ignored.append(
                f"Key {key.key_id[:12]} ({key.name}) is trusted as {key.role.value}, "
                f"not as {role.value}"
            )
        elif not public.verifies(signature.signature, envelope.signed):
            ignored.append(f"The signature of key {key.key_id[:12]} ({key.name}) does not hold")
        else:
            signers[public.spki] = key
    return SignatureResult(tuple(signers.values()), tuple(ignored))


def get_receipt_result(
    document: bytes,
    kind: ReceiptKind,
    keys: Iterable[TrustedKey],
    *,
    clock: Clock,
    content_hash: str | None = None,
    max_age: timedelta | None = None,
) -> ReceiptResult:
    """Look at a receipt, and say whether it counts and why not.

    Args:
        document: The DSSE envelope as it came.
        kind: What it must be.
        keys: The policy's keys.
        clock: The reference time.
        content_hash: What it must be about; ``None`` takes what it is about.
        max_age: Oldest that counts; ``None`` for any age.
    """
    try:
        envelope = open_envelope(document)
        signatures = get_signature_result(envelope, keys, kind.role)
        if not signatures.signers:
            return _refused(kind, " ".join(f"{why}." for why in signatures.ignored))
        verified = _read(envelope, kind, signatures.signers)
    except MalformedError as error:
        return _refused(kind, f"It is malformed: {error}.")
    problem = _subject_problem(verified, content_hash) or _time_problem(verified, clock, max_age)
    return _refused(kind, problem) if problem else ReceiptResult(verified, ())


def verify_receipt(
    document: bytes,
    kind: ReceiptKind,
    keys: Iterable[TrustedKey],
    *,
    clock: Clock,
    content_hash: str | None = None,
    max_age: timedelta | None = None,
) -> VerifiedReceipt:
    """Take a receipt only if it counts. See :func:`get_receipt_result`.

    Raises:
        ConditionsError: It does not.
    """
    result = get_receipt_result(
        document, kind, keys, clock=clock, content_hash=content_hash, max_age=max_age
    )
    if result.verified is None:
        raise ConditionsError(f"The {_named(kind)} was refused", result.refusals)
    return result.verified


def distinct_signers(receipts: Sequence[VerifiedReceipt]) -> dict[bytes, TrustedKey]:
    """Who stands behind some receipts, by public key: what a threshold counts."""
    return {PublicKey.from_base64(key.spki).spki: key for item in receipts for key in item.signers}


def issued_at(receipt: Predicate) -> datetime:
    """When a receipt was made, by its signer's clock."""
    if isinstance(receipt, SecurityReceipt):
        return moment(receipt.scanned_at)
    if isinstance(receipt, ReviewReceipt):
        return moment(receipt.reviewed_at)
    return moment(receipt.issued_at)


def _genuine(keys: Iterable[TrustedKey]) -> Iterable[tuple[TrustedKey, PublicKey]]:
    for key in keys:
        try:
            public = PublicKey.from_base64(key.spki)
        except InputError:
            continue
        if public.key_id == key.key_id:
            yield key, public


def _read(
    envelope: Envelope, kind: ReceiptKind, signers: tuple[TrustedKey, ...]
) -> VerifiedReceipt:
    statement = read_statement(envelope.payload)
    receipt = read_predicate(statement, kind)
    subject = statement.subject[0].digest.sha256
    return VerifiedReceipt(kind, receipt_key(kind, receipt, subject), subject, receipt, signers)


def _subject_problem(verified: VerifiedReceipt, content_hash: str | None) -> str:
    receipt, subject = verified.receipt, verified.content_hash
    if isinstance(receipt, Grant) and receipt.pin.content_hash != subject:
        return "Its pin and its subject are two contents."
    if content_hash is not None and subject != content_hash:
        return f"It is about content {subject[:12]}, not about {content_hash[:12]}."
    return ""


def _time_problem(verified: VerifiedReceipt, clock: Clock, max_age: timedelta | None) -> str:
    made = issued_at(verified.receipt)
    if made > clock.now + clock.skew:
        return f"It was made at {made.isoformat()}, which is still to come."
    if max_age is not None and clock.now - made > max_age:
        hours = int(max_age.total_seconds() // 3600)
        return f"It was made at {made.isoformat()}, more than {hours} hours ago."
    return ""


def _named(kind: ReceiptKind) -> str:
    return kind.value.replace("_", " ") + ("" if kind is ReceiptKind.GRANT else " receipt")


_SATISFY = {
    ReceiptKind.SECURITY: "Scan it anew with a trusted scanner key: asf scan --sign",
    ReceiptKind.GOVERNANCE: "Have a trusted reviewer decide: asf review approve",
    ReceiptKind.ROLLBACK: "Have a trusted reviewer decide on the rollback: asf review approve",
    ReceiptKind.GRANT: "Have a trusted grantor give one: asf grant issue",
}


def _refused(kind: ReceiptKind, why: str) -> ReceiptResult:
    condition = Condition.GRANT if kind is ReceiptKind.GRANT else Condition.RECEIPT_AUTHENTIC
    return ReceiptResult(None, (Refusal(condition=condition, why=why, satisfy=_SATISFY[kind]),))
