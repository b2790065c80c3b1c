"""In-toto Statement v1: from a predicate to bytes, and from verified bytes to a predicate.

Source: in-toto attestation framework, spec/v1/statement.md. A subject is matched by its digest
only, and there is exactly one: a statement about several would say of which of them what.
"""

from __future__ import annotations

from asf_core.domain.pin import Pin
from asf_core.domain.receipts import (
    STATEMENT_TYPE,
    Grant,
    ReceiptKind,
    ReviewReceipt,
    SecurityReceipt,
    Statement,
)
from asf_core.trust.canonical import Json, canonical_json, sha256_hex
from asf_core.trust.strictjson import MalformedError, as_model, read_model

Predicate = SecurityReceipt | ReviewReceipt | Grant
"""What this program signs and reads."""

MODELS: dict[ReceiptKind, type[Predicate]] = {
    ReceiptKind.SECURITY: SecurityReceipt,
    ReceiptKind.GOVERNANCE: ReviewReceipt,
    ReceiptKind.ROLLBACK: ReviewReceipt,
    ReceiptKind.GRANT: Grant,
}
"""Which predicate each kind of receipt has."""


def write_statement(kind: ReceiptKind, pin: Pin, predicate: Predicate) -> bytes:
    """A statement about one version, in canonical JSON.

    Raises:
        ValueError: The predicate is not of that kind.
    """
    if not isinstance(predicate, MODELS[kind]):
        raise ValueError(f"a {kind.value} receipt has another predicate")
    digest: dict[str, Json] = {"sha256": pin.content_hash}
    return canonical_json(
        {
            "_type": STATEMENT_TYPE,
            "subject": [{"name": f"{pin.skill_id}@{pin.version}", "digest": digest}],
            "predicateType": kind.predicate_type,
            "predicate": predicate.model_dump(mode="json"),
        }
    )


def read_statement(payload: bytes) -> Statement:
    """Read a statement. Only for payloads whose signature holds.

    Raises:
        MalformedError: It is no in-toto Statement v1 with one subject.
    """
    return read_model(Statement, payload)


def read_predicate(statement: Statement, kind: ReceiptKind) -> Predicate:
    """Read the predicate of a statement.

    Raises:
        MalformedError: The statement is of another kind; a field of the predicate is missing,
            unknown, or of another type.
    """
    if statement.predicate_type != kind.predicate_type:
        raise MalformedError(f"its predicate type is {statement.predicate_type!r}")
    try:
        return as_model(MODELS[kind], statement.predicate)
    except MalformedError as error:
        raise MalformedError(f"predicate.{error}") from error


def receipt_key(kind: ReceiptKind, receipt: Predicate, content_hash: str) -> str:
    """By what an authenticated receipt is known: ``kind:id:SHA-256``.

    The SHA-256 is of the whole normalised receipt: its subject and all fields of its predicate in
    canonical JSON. Who signed it does not count, so a second signature makes no second receipt.
    """
    fields = receipt.model_dump(mode="json")
    whole = canonical_json({"kind": kind.value, "subject": content_hash, "receipt": fields})
    return f"{kind.value}:{receipt.id}:{sha256_hex(whole)}"
