"""DSSE and in-toto: the protocol's own vectors, and our envelopes."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.trust.dsse import PAYLOAD_TYPE, open_envelope, pae, seal
from asf_core.trust.keys import PublicKey, SigningKey
from asf_core.trust.strictjson import MalformedError

# RFC 8410, section 10.3: the private key of its example, and the public one that goes with it.
RFC_PRIVATE = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
"""
RFC_PUBLIC = b"""-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
"""


def test_the_encoding_is_that_of_the_protocol() -> None:
    assert pae("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    assert pae("", b"") == b"DSSEv1 0  0 "


def test_lengths_are_in_bytes_not_in_characters() -> None:
    assert pae("é", "ü!".encode()) == b"DSSEv1 2 \xc3\xa9 3 \xc3\xbc!"


@given(st.binary(max_size=40), st.binary(max_size=40), st.text(max_size=8), st.text(max_size=8))
def test_no_two_inputs_have_one_encoding(a: bytes, b: bytes, s: str, t: str) -> None:
    assert (pae(s, a) == pae(t, b)) is ((s, a) == (t, b))


def test_a_key_of_the_standard_is_read_and_named() -> None:
    key = SigningKey.from_pem(RFC_PRIVATE, None)
    assert key.public == PublicKey.from_pem(RFC_PUBLIC)
    assert key.public.pem == RFC_PUBLIC


def test_an_envelope_opens_to_what_was_sealed() -> None:
    key = SigningKey.generate()
    envelope = open_envelope(seal(b'{"a":1}', [key]))
    assert envelope.payload == b'{"a":1}'
    (signature,) = envelope.signatures
    assert signature.key_id == key.public.key_id
    assert key.public.verifies(signature.signature, pae(PAYLOAD_TYPE, b'{"a":1}'))
    assert not key.public.verifies(signature.signature, b'{"a":1}')


def test_url_safe_base64_is_read_too() -> None:
    key = SigningKey.generate()
    payload = b'{"a":"\xc3\xbf\xc3\xbe?>"}' * 3
    envelope = json.loads(seal(payload, [key]))
    envelope["payload"] = base64.urlsafe_b64encode(payload).decode()
    assert open_envelope(json.dumps(envelope).encode()).payload == payload


def test_an_envelope_without_a_key_is_not_made() -> None:
    with pytest.raises(ValueError, match="signature"):
        seal(b"{}", [])


@given(st.binary(max_size=300))
def test_any_bytes_open_or_are_malformed(document: bytes) -> None:
    with pytest.raises(MalformedError):
        open_envelope(document)
