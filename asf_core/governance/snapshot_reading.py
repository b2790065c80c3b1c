"""Reading a snapshot strictly: what is ambiguous, repeated, cut or put in is refused by its line."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from asf_core.domain.base import Sha256, Value
from asf_core.domain.content import BoundContent, VersionRecord, VersionState
from asf_core.domain.decision import Decision, DecisionKind
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptKind, StoredReceipt
from asf_core.domain.refusal import Refusal
from asf_core.domain.skill import TreeEntry
from asf_core.domain.use import Authorisation, Feedback
from asf_core.governance.ledger_snapshot import LedgerSnapshot
from asf_core.governance.snapshot_writing import SNAPSHOT_SCHEMA
from asf_core.trust.canonical import canonical_json, sha256_hex
from asf_core.trust.chain import read_event
from asf_core.trust.strictjson import MalformedError, as_model, parse_strict

LONGEST_LINE = 128 * 1024 * 1024
"""Of a line, in bytes: the largest file that a skill may have, in base64, fits."""
_TREE = TypeAdapter(tuple[TreeEntry, ...])
_REASONS = TypeAdapter(tuple[Refusal, ...])


def read_snapshot(lines: Iterable[bytes]) -> LedgerSnapshot:
    """Read a snapshot into memory; what it says is still to be checked.

    Args:
        lines: With or without their line ends, each at most :data:`LONGEST_LINE` bytes.

    Raises:
        MalformedError: A line is not in canonical form, is of no known kind, repeats another, or
            lines are missing; says which.
    """
    snapshot = LedgerSnapshot()
    header: _Header | None = None
    count = 0
    for count, line in enumerate(lines):
        try:
            fields = _fields(line)
            if header is None:
                header = _header(fields)
            else:
                _take(snapshot, fields)
        except (MalformedError, ValidationError, ValueError, KeyError, TypeError) as error:
            said = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise MalformedError(f"line {count + 1}: {' '.join(said.split())[:300]}") from error
    if header is None:
        raise MalformedError("it is empty")
    if count != header.records:
        raise MalformedError(f"{header.records} records are announced, {count} are there")
    head = snapshot.head()
    if (head.count, head.digest) != (header.events, header.head):
        raise MalformedError("the event chain is not the one that the first line names")
    return snapshot


def _fields(line: bytes) -> dict[str, Any]:
    text = line.removesuffix(b"\n")
    value = parse_strict(text, limit=LONGEST_LINE)
    if not isinstance(value, dict) or canonical_json(value) != text:
        raise MalformedError("it is not a record in canonical form")
    return dict(value)


class _Header(Value):
    schema_: Literal["asf.snapshot/1"] = Field(alias="schema")
    records: Annotated[int, Field(ge=0)]
    events: Annotated[int, Field(ge=0)]
    head: Sha256


def _header(fields: dict[str, Any]) -> _Header:
    try:
        return as_model(_Header, fields)
    except MalformedError as error:
        raise MalformedError(f"it does not begin with {SNAPSHOT_SCHEMA}: {error}") from error


def _take(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    kind = fields.pop("kind")
    if kind not in _TAKERS:
        raise MalformedError(f"there is no kind {kind!r}")
    _TAKERS[kind](snapshot, fields)
    if fields:
        raise MalformedError(f"unknown field {sorted(fields)[0]!r}")


def _take_policy(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    snapshot.all_policies.append(as_model(TrustPolicy, fields.pop("policy")))


def _take_version(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    content_hash = fields.pop("content_hash")
    _new(snapshot.records, content_hash)
    snapshot.add_version(
        VersionRecord(
            content=as_model(BoundContent, fields.pop("content")),
            content_hash=content_hash,
            tree=_TREE.validate_json(canonical_json(fields.pop("tree"))),
            state=VersionState(fields.pop("state")),
            terminal=_bool(fields.pop("terminal")),
            reasons=_REASONS.validate_json(canonical_json(fields.pop("reasons"))),
        )
    )


def _take_pointer(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    skill_id = _text(fields.pop("skill_id"))
    _new(snapshot.active_pins, skill_id)
    snapshot.active_pins[skill_id] = _text(fields.pop("content_hash"))


def _take_receipt(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    receipt = StoredReceipt(
        kind=ReceiptKind(fields.pop("receipt")),
        id=_text(fields.pop("id")),
        key=_text(fields.pop("key")),
        content_hash=_text(fields.pop("content_hash")),
        envelope=_data(fields.pop("envelope")),
        recorded_at=_text(fields.pop("recorded_at")),
    )
    _new(snapshot.kept_receipts, (receipt.kind, receipt.id))
    snapshot.add_receipt(receipt)


def _take_revocation(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    grant = _text(fields.pop("grant"))
    _new(snapshot.revoked, grant)
    snapshot.revoked[grant] = (
        _text(fields.pop("at")),
        _text(fields.pop("by")),
        _text(fields.pop("why")),
    )


def _take_authorisation(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    used = as_model(Authorisation, fields.pop("authorisation"))
    _new(snapshot.uses, used.id)
    snapshot.uses[used.id] = used


def _take_feedback(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    said = as_model(Feedback, fields.pop("feedback"))
    _new(snapshot.said, said.id)
    snapshot.said[said.id] = said


def _take_decision(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    digest = fields.pop("digest")
    snapshot.add_decision(
        Decision(
            number=len(snapshot.decided) + 1,
            skill_id=_text(fields.pop("skill_id")),
            kind=DecisionKind(fields.pop("decision")),
            digest=None if digest is None else _text(digest),
            reason=_text(fields.pop("reason")),
            actor=_text(fields.pop("actor")),
            decided_at=_text(fields.pop("decided_at")),
        )
    )


def _take_event(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    document = _text(fields.pop("event")).encode()
    snapshot.add_event(read_event(document), document)


def _take_blob(snapshot: LedgerSnapshot, fields: dict[str, Any]) -> None:
    sha256, data = _text(fields.pop("sha256")), _data(fields.pop("data"))
    _new(snapshot.blobs, sha256)
    if sha256_hex(data) != sha256:
        raise MalformedError(f"the bytes of {sha256[:12]} were changed")
    snapshot.blobs[sha256] = data


_TAKERS = {
    "policy": _take_policy,
    "version": _take_version,
    "pointer": _take_pointer,
    "receipt": _take_receipt,
    "revocation": _take_revocation,
    "authorisation": _take_authorisation,
    "feedback": _take_feedback,
    "decision": _take_decision,
    "event": _take_event,
    "blob": _take_blob,
}


def _new(known: Any, key: object) -> None:
    if key in known:
        raise MalformedError(f"{key} is there twice")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise MalformedError(f"{str(value)[:40]!r} is no text")
    return value


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise MalformedError(f"{str(value)[:40]!r} is neither true nor false")
    return value


def _data(value: Any) -> bytes:
    try:
        return base64.b64decode(_text(value), validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedError("it is not base64") from error
