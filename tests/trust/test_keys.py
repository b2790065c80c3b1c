"""Keys: one encoding, one id, and a private part that shows itself to nobody."""

from __future__ import annotations

import base64
import pickle

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa, x25519
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from asf_core.domain.errors import InputError, RefusedError
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.keys import PublicKey, SigningKey


def test_the_id_is_computed_from_what_the_key_is() -> None:
    public = SigningKey.generate().public
    assert public.key_id == sha256_hex(public.spki)
    assert PublicKey.from_base64(public.base64) == public
    assert PublicKey.from_pem(public.pem) == public


def _x25519() -> bytes:
    public = x25519.X25519PrivateKey.generate().public_key()
    return public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


@pytest.mark.parametrize(
    "spki",
    [
        b"",
        SigningKey.generate().public.spki[:-1],
        SigningKey.generate().public.spki + b"\0",
        b"\x30\x81" + SigningKey.generate().public.spki[1:],  # a longer form of the same length
        _x25519(),
    ],
    ids=["empty", "cut", "longer", "another encoding", "another algorithm"],
)
def test_only_one_encoding_is_a_key(spki: bytes) -> None:
    with pytest.raises(InputError):
        PublicKey.from_spki(spki)
    with pytest.raises(InputError):
        PublicKey.from_base64(base64.b64encode(spki).decode())


@pytest.mark.parametrize("text", ["", "!", "AAAA", "Zm9v\n"])
def test_text_that_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        PublicKey.from_base64(text)
    with pytest.raises(InputError):
        PublicKey.from_pem(text.encode())


@pytest.mark.parametrize("passphrase", [None, b"correct horse"])
def test_a_private_key_is_written_and_read(passphrase: bytes | None) -> None:
    key = SigningKey.generate()
    pem = key.to_pem(passphrase)
    assert SigningKey.from_pem(pem, passphrase).public == key.public
    assert (b"ENCRYPTED" in pem) is (passphrase is not None)


def test_a_locked_key_needs_its_passphrase() -> None:
    pem = SigningKey.generate().to_pem(b"correct horse")
    for passphrase in (None, b"", b"wrong"):
        with pytest.raises(RefusedError):
            SigningKey.from_pem(pem, passphrase)


def test_what_is_no_ed25519_key_is_refused() -> None:
    other = rsa.generate_private_key(65537, 2048)
    pem = other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for data in (pem, b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"):
        with pytest.raises(InputError):
            SigningKey.from_pem(data, None)


def test_a_private_key_shows_itself_to_nobody() -> None:
    key = SigningKey.generate()
    secret = key.to_pem(None).split(b"\n")[1].decode()
    assert secret not in repr(key) + str(key) + f"{key!r}" + str(vars(key))
    with pytest.raises(TypeError):
        pickle.dumps(key)
