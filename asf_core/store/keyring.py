"""The user's signing keys, one file each, readable by nobody else."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from asf_core.domain.errors import InputError, RefusedError, StoreError
from asf_core.domain.instant import instant
from asf_core.domain.pin import is_identifier
from asf_core.domain.policy import Role
from asf_core.store.files import sync_path
from asf_core.store.userdir import private_directory
from asf_core.trust.canonical import canonical_json
from asf_core.trust.keys import PublicKey, SigningKey

_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """What may be known of a signing key."""

    public: PublicKey
    role: Role
    """What it was made for; what it is trusted in, the policy says."""
    name: str
    """Whose it is."""
    created_at: str
    locked: bool
    """Protected by a passphrase."""
    path: Path
    """Of the private key."""


class Keyring:
    """The signing keys in the user's directory."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory or private_directory("keys")

    def new(self, role: Role, name: str, passphrase: bytes | None, now: datetime) -> KeyInfo:
        """Make a key.

        Args:
            role: What it is for.
            name: Whose it is.
            passphrase: Protects it; ``None`` leaves the protection to the file's mode.
            now: When.

        Raises:
            InputError: The name is empty or has control characters.
            StoreError: It cannot be written.
        """
        if not is_identifier(name):
            raise InputError(
                f"{name!r} cannot be a key's name", hint="Give one with --name, without controls"
            )
        key = SigningKey.generate()
        facts = {"role": role.value, "name": name, "created_at": instant(now)}
        facts["public_key"] = key.public.base64
        facts["locked"] = "yes" if passphrase is not None else "no"
        base = self._directory / key.public.key_id
        try:
            _write_new(base.with_suffix(".pem"), key.to_pem(passphrase))
            _write_new(base.with_suffix(".json"), canonical_json(facts))
            sync_path(self._directory)
        except OSError as error:
            raise StoreError(
                "The key cannot be written",
                why=f"{error.filename}: {error.strerror}",
                hint="Check the permissions of the user directory and the space on its disk",
            ) from error
        return self._info(base.with_suffix(".json"))

    def all(self) -> tuple[KeyInfo, ...]:
        """All keys, oldest first."""
        found = (self._info(path) for path in self._directory.glob("*.json"))
        return tuple(sorted(found, key=lambda info: (info.created_at, info.public.key_id)))

    def find(self, ref: str | None, role: Role) -> KeyInfo:
        """The key of a role that a name or the beginning of a key id means.

        Args:
            ref: ``None`` for the only one of that role.
            role: What it must be for.

        Raises:
            InputError: None fits, or several do.
        """
        keys = [info for info in self.all() if info.role is role]
        if ref is not None:
            keys = [k for k in keys if k.name == ref or k.public.key_id.startswith(ref.lower())]
        if len(keys) == 1:
            return keys[0]
        if not keys:
            raise InputError(
                f"You have no {role.value} key" + (f" {ref!r}" if ref else ""),
                hint=f"Make one with: asf keys new --role {role.value}",
            )
        names = ", ".join(f"{k.name} ({k.public.key_id[:12]})" for k in keys)
        raise InputError(f"Several {role.value} keys fit", why=names, hint="Name one with --key")

    def load(self, info: KeyInfo, passphrase: bytes | None) -> SigningKey:
        """Load a key for signing.

        Raises:
            RefusedError: Others may read the file, the passphrase is missing or wrong.
            InputError: The file holds no key, or another one than it says.
        """
        try:
            mode = info.path.stat().st_mode
            pem = info.path.read_bytes()
        except OSError as error:
            raise InputError(
                f"The private key of {info.name} cannot be read",
                why=f"{info.path}: {error.strerror}",
            ) from error
        if os.name != "nt" and mode & _OTHERS:
            raise RefusedError(
                "The private key may be read by others",
                why=f"{info.path} has mode {mode & 0o777:o}; a key that others saw proves nothing",
                hint="Take it out of the trust policy, or if nobody did: chmod 600 it",
            )
        key = SigningKey.from_pem(pem, passphrase)
        if key.public != info.public:
            raise InputError("The private key is not the one that its name says")
        return key

    def _info(self, path: Path) -> KeyInfo:
        try:
            facts = json.loads(path.read_bytes())
            return KeyInfo(
                public=PublicKey.from_base64(facts["public_key"]),
                role=Role(facts["role"]),
                name=facts["name"],
                created_at=facts["created_at"],
                locked=facts["locked"] == "yes",
                path=path.with_suffix(".pem"),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(
                "A key of the user directory cannot be read",
                why=f"{path}: {error}",
                hint="Restore it, or move both of its files away",
            ) from error


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that was not there, for the owner only from its first moment."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
