"""A ledger as a text file: one record a line, each in canonical JSON (DESIGN 8).

The same ledger gives the same bytes, and a ledger that grew gives the same lines and more, so that
a version control system shows what happened. The first line says how many records follow and what
the event chain ends in; then come policies, versions, pointers, receipts with the bytes that were
signed, revocations, authorisations, feedback, decisions, events, and the kept bytes.

Nothing in the file is believed for being in it: :mod:`asf_core.governance.restoring` checks it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator

from asf_core.domain.content import VersionRecord
from asf_core.domain.decision import Decision
from asf_core.domain.receipts import StoredReceipt
from asf_core.governance.ports import Reading
from asf_core.trust.canonical import Json, canonical_json

SNAPSHOT_SCHEMA = "asf.snapshot/1"


def write_snapshot(reading: Reading) -> Iterator[bytes]:
    """Write a ledger, line by line.

    Args:
        reading: One state of it.

    Yields:
        Lines with their line ends; the header first.
    """
    lines = list(_lines(reading))
    head = reading.head()
    header: Json = {
        "schema": SNAPSHOT_SCHEMA,
        "records": len(lines),
        "events": head.count,
        "head": head.digest,
    }
    yield canonical_json(header) + b"\n"
    yield from lines


def _lines(reading: Reading) -> Iterator[bytes]:
    for policy in reading.policies():
        yield _line("policy", policy=policy.model_dump(mode="json"))
    blobs: dict[str, bytes] = {}
    for record in reading.versions():
        blobs.update(_bytes_of(reading, record))
        yield _line(
            "version",
            content_hash=record.content_hash,
            content=record.content.model_dump(mode="json"),
            tree=[entry.model_dump(mode="json") for entry in record.tree],
            state=record.state.value,
            terminal=record.terminal,
            reasons=[reason.model_dump(mode="json") for reason in record.reasons],
        )
    for skill_id, content_hash in sorted(reading.pointers().items()):
        yield _line("pointer", skill_id=skill_id, content_hash=content_hash)
    for receipt in reading.all_receipts():
        yield _receipt_line(receipt)
    for grant in reading.grants():
        if grant.revoked_at is not None:
            yield _line(
                "revocation",
                grant=grant.receipt.id,
                at=grant.revoked_at,
                by=grant.revoked_by,
                why=grant.revoked_why,
            )
    for used in reading.authorisations():
        yield _line("authorisation", authorisation=used.model_dump(mode="json"))
    for said in reading.feedback_on():
        yield _line("feedback", feedback=said.model_dump(mode="json"))
    for made in reading.all_decisions():
        yield _decision_line(made)
    for document in reading.documents():
        yield _line("event", event=document.decode())
    for sha256 in sorted(blobs):
        yield _line("blob", sha256=sha256, data=base64.b64encode(blobs[sha256]).decode())


def _line(kind: str, **fields: Json) -> bytes:
    return canonical_json({"kind": kind, **fields}) + b"\n"


def _receipt_line(receipt: StoredReceipt) -> bytes:
    return _line(
        "receipt",
        receipt=receipt.kind.value,
        id=receipt.id,
        key=receipt.key,
        content_hash=receipt.content_hash,
        envelope=base64.b64encode(receipt.envelope).decode(),
        recorded_at=receipt.recorded_at,
    )


def _decision_line(made: Decision) -> bytes:
    return _line(
        "decision",
        skill_id=made.skill_id,
        decision=made.kind.value,
        digest=made.digest,
        reason=made.reason,
        actor=made.actor,
        decided_at=made.decided_at,
    )


def _bytes_of(reading: Reading, record: VersionRecord) -> Iterator[tuple[str, bytes]]:
    names = [entry.sha256 for entry in record.tree]
    for sha256 in (*names, record.content.instructions_sha256):
        data = reading.blob(sha256)
        if data is not None:
            yield sha256, data
