"""DSSE envelopes: what is signed is the payload's bytes and type, never a text made of them again.

Source: DSSE protocol 1.0 (secure-systems-lab/dsse).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from asf_core.domain.base import Sha256, Value
from asf_core.trust.canonical import canonical_json
from asf_core.trust.keys import SigningKey
from asf_core.trust.strictjson import MalformedError, read_model

PAYLOAD_TYPE = "application/vnd.in-toto+json"
_SIGNATURE_BYTES = 64
_MOST_SIGNATURES = 16


class _Signature(Value):
    keyid: Sha256
    sig: str


class _Envelope(Value):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    payload: str
    payloadType: Literal["application/vnd.in-toto+json"]  # noqa: N815 - the format's name
    signatures: Annotated[tuple[_Signature, ...], Field(min_length=1, max_length=_MOST_SIGNATURES)]


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature and the key that it claims."""

    key_id: str
    signature: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """An envelope taken apart; nothing in it is verified, and its payload is not to be read yet."""

    payload: bytes
    signatures: tuple[Signature, ...]

    @property
    def signed(self) -> bytes:
        """The bytes that each signature is over."""
        return pae(PAYLOAD_TYPE, self.payload)


def pae(payload_type: str, payload: bytes) -> bytes:
    """Pre-authentication encoding: type and body with their lengths in bytes."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def seal(payload: bytes, keys: Sequence[SigningKey]) -> bytes:
    """Sign a payload.

    Args:
        payload: A statement in canonical JSON.
        keys: At least one; each signs.

    Returns:
        The envelope in canonical JSON.
    """
    if not keys:
        raise ValueError("an envelope needs a signature")
    data = pae(PAYLOAD_TYPE, payload)
    return canonical_json(
        {
            "payload": base64.b64encode(payload).decode(),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [
                {"keyid": key.public.key_id, "sig": base64.b64encode(key.sign(data)).decode()}
                for key in keys
            ],
        }
    )


def open_envelope(document: bytes) -> Envelope:
    """Take an envelope apart.

    Raises:
        MalformedError: It is no DSSE envelope of an in-toto statement: duplicate or unknown keys,
            another payload type, base64 with a stray character, a signature of another length.
    """
    envelope = read_model(_Envelope, document)
    signatures = tuple(
        Signature(item.keyid, _bytes(item.sig, "a signature")) for item in envelope.signatures
    )
    if any(len(item.signature) != _SIGNATURE_BYTES for item in signatures):
        raise MalformedError(f"an Ed25519 signature has {_SIGNATURE_BYTES} bytes")
    return Envelope(_bytes(envelope.payload, "the payload"), signatures)


def _bytes(text: str, what: str) -> bytes:
    """Standard or URL-safe base64, as the protocol asks; nothing else between the characters."""
    standard = text.replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(standard, validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedError(f"{what} is not base64") from error
