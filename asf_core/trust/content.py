"""The content hash of a pin: everything that a version binds, in one SHA-256 (DESIGN 4)."""

from __future__ import annotations

from asf_core.domain.content import BoundContent
from asf_core.trust.canonical import canonical_json, sha256_hex
from asf_core.trust.strictjson import read_model

CONTENT_SCHEMA = "asf.content/1"
"""Names the rule inside the hash, so that a later rule can never give an equal one by chance."""


def content_hash(content: BoundContent) -> str:
    """SHA-256 of the canonical JSON of all bound fields, absent ones as null."""
    fields = content.model_dump(mode="json")
    return sha256_hex(canonical_json({"schema": CONTENT_SCHEMA, "content": fields}))


def read_content(document: bytes) -> BoundContent:
    """Read bound content back.

    Raises:
        MalformedError: It is no such content.
    """
    return read_model(BoundContent, document)
