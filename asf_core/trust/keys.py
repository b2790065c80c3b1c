"""Ed25519 keys: made, named by what they are, and used. No I/O.

A key id is never taken on trust: it is the SHA-256 of the public key's SubjectPublicKeyInfo
(RFC 8410), computed again wherever a key is read, so one key has one id.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from asf_core.domain.errors import InputError, RefusedError
from asf_core.trust.canonical import sha256_hex

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

# Algorithm identifier 1.3.101.112 without parameters, then 32 bytes (RFC 8410, section 4).
_SPKI_PREFIX = bytes.fromhex("302a300506032b6570032100")
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An Ed25519 public key."""

    spki: bytes
    """SubjectPublicKeyInfo in DER, 44 bytes: the only encoding that is accepted."""

    @classmethod
    def from_spki(cls, spki: bytes) -> Self:
        """Take a key from its DER.

        Raises:
            InputError: It is not an Ed25519 key in the one encoding that DER allows.
        """
        if not spki.startswith(_SPKI_PREFIX) or len(spki) != len(_SPKI_PREFIX) + _KEY_BYTES:
            raise InputError(
                "This is not an Ed25519 public key",
                why="It must be a SubjectPublicKeyInfo of RFC 8410",
                hint="Make one with: asf keys new --role reviewer",
            )
        return cls(spki)

    @classmethod
    def from_base64(cls, text: str) -> Self:
        """Take a key from the base64 of its DER.

        Raises:
            InputError: It is not base64, or not such a key.
        """
        try:
            spki = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            spki = b""
        return cls.from_spki(spki)

    @classmethod
    def from_pem(cls, pem: bytes) -> Self:
        """Take a key from ``-----BEGIN PUBLIC KEY-----``.

        Raises:
            InputError: It is something else.
        """
        lines = pem.decode("ascii", "replace").strip().splitlines()
        if len(lines) < 3 or (lines[0], lines[-1]) != (_BEGIN, _END):
            return cls.from_spki(b"")
        return cls.from_base64("".join(lines[1:-1]))

    @property
    def key_id(self) -> str:
        """SHA-256 of the SPKI, 64 hexadecimal characters."""
        return sha256_hex(self.spki)

    @property
    def base64(self) -> str:
        """The DER in base64, one line."""
        return base64.b64encode(self.spki).decode()

    @property
    def pem(self) -> bytes:
        """The PEM text."""
        return f"{_BEGIN}\n{self.base64}\n{_END}\n".encode()

    def verifies(self, signature: bytes, data: bytes) -> bool:
        """Whether a signature over data is of this key."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._loaded().verify(signature, data)
        except (InvalidSignature, ValueError):
            return False
        return True

    def _loaded(self) -> Ed25519PublicKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(self.spki[len(_SPKI_PREFIX) :])


_BEGIN = "-----BEGIN PUBLIC KEY-----"
_END = "-----END PUBLIC KEY-----"


class SigningKey:
    """An Ed25519 private key, which shows itself to nobody: its repr is its public id."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        self._private = private
        der = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.public = PublicKey.from_spki(der)

    def __repr__(self) -> str:
        return f"SigningKey({self.public.key_id})"

    def __reduce__(self) -> str:
        raise TypeError("a private key is not pickled")

    @classmethod
    def generate(cls) -> Self:
        """Make a new key from the system's randomness."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, pem: bytes, passphrase: bytes | None) -> Self:
        """Read a PKCS #8 key.

        Args:
            pem: As :meth:`to_pem` wrote it.
            passphrase: ``None`` for a key without one.

        Raises:
            RefusedError: The passphrase is missing, or wrong.
            InputError: It is not an Ed25519 key, or it has no passphrase and one was given.
        """
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        locked = b"-----BEGIN ENCRYPTED PRIVATE KEY-----" in pem
        if locked and passphrase is None:
            raise RefusedError("The key is protected by a passphrase", hint="Give its passphrase")
        try:
            private = load_pem_private_key(pem, passphrase if locked else None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            if locked:
                raise RefusedError(
                    "The key cannot be unlocked", why="The passphrase is wrong, or the file damaged"
                ) from error
            raise InputError("The file is no private key", hint="Restore it") from error
        if not isinstance(private, Ed25519PrivateKey):
            raise InputError("The key is not an Ed25519 key", hint="Make one with: asf keys new")
        return cls(private)

    def to_pem(self, passphrase: bytes | None) -> bytes:
        """Write the key as PKCS #8, encrypted when there is a passphrase."""
        from cryptography.hazmat.primitives import serialization

        lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase is not None:
            lock = serialization.BestAvailableEncryption(passphrase)
        return self._private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock
        )

    def sign(self, data: bytes) -> bytes:
        """Sign data: 64 bytes, the same for the same data."""
        return self._private.sign(data)
