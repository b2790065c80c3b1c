"""Which key signs: found, asked for, made and trusted on the way, its passphrase asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from textual.screen import Screen

from asf_core.domain.policy import Role
from asf_tui.bridge import Desk, Signer
from asf_tui.screens.forms import Answers, Choice, ConfirmDialog, Field, FormDialog, PickDialog

if TYPE_CHECKING:
    from asf_tui.app import Workbench

Value = TypeVar("Value")

_MAKES = {
    Role.SCANNER: "It signs what this program's scanner finds.",
    Role.REVIEWER: "It signs what you approve and reject.",
    Role.GRANTOR: "It signs who may run what.",
}


class Asking:
    """Asks the person at the workbench, and reads and writes meanwhile without blocking.

    Its methods are coroutines of a worker of a screen: see :meth:`AreaScreen.asking`.

    Args:
        app: Shows the dialogs.
    """

    def __init__(self, app: Workbench) -> None:
        self.app = app

    @property
    def desk(self) -> Desk:
        """The control plane."""
        return self.app.work.desk

    async def ask(self, dialog: Screen[Value]) -> Value | None:
        """Show a dialog, and wait for what it gives back."""
        return await self.app.push_screen_wait(dialog)

    async def read(self, reading: Callable[[], Value]) -> Value:
        """Read something on a thread."""
        return await asyncio.to_thread(reading)

    async def signer(self, role: Role) -> tuple[Signer, bytes | None] | None:
        """The key that signs in a role, and its passphrase if that is known already.

        Without one that is trusted here, a key is offered to be trusted, or to be made.

        Returns:
            ``None`` when the person would not.
        """
        known = await self.read(partial(self.desk.signers, role))
        trusted = [signer for signer in known if signer.trusted]
        if trusted:
            picked = await self._pick(trusted)
            return (picked, None) if picked else None
        if known:
            return await self._trust(known)
        return await self._make(role)

    async def _pick(self, signers: list[Signer]) -> Signer | None:
        if len(signers) == 1:
            return signers[0]
        choices = [Choice(s.key_id, s.name, f"key {s.key_id[:12]}") for s in signers]
        key = await self.ask(PickDialog("With which key?", choices))
        return next((signer for signer in signers if signer.key_id == key), None)

    async def _trust(self, signers: tuple[Signer, ...]) -> tuple[Signer, bytes | None] | None:
        signer = await self._pick(list(signers))
        if signer is None:
            return None
        role = signer.role.value
        said = (
            f"Your {role} key {signer.name} ({signer.key_id[:12]}) is not trusted in this "
            "workspace, so what it signs does not count here."
        )
        if signer.role is Role.SCANNER:
            said += " A scanner is trusted by version: after an update, anew."
        if not await self.ask(ConfirmDialog(f"Trust this {role} key?", said, "trusts it")):
            return None
        written = self.app.work.write(
            f"Trusting key {signer.key_id[:12]}",
            partial(_trusted, self.desk, signer),
            lambda _: f"Trusted {signer.name} as {role}",
        )
        return (signer, None) if await written else None

    async def _make(self, role: Role) -> tuple[Signer, bytes | None] | None:
        actor = await self.read(self.desk.actor)
        text = (
            f"You have no {role.value} key. {_MAKES[role]} It is written to your user directory, "
            "readable by you only, and trusted in this workspace from then on."
        )
        fields = (
            Field("name", "Whose key", actor),
            Field("passphrase", "Passphrase", secret=True, optional=True),
            Field("again", "The passphrase once more", secret=True, optional=True),
        )
        given = await self.ask(FormDialog(f"Make a {role.value} key", text, fields, _same))
        if given is None:
            return None
        secret = given["passphrase"].encode() or None
        made = await self.app.work.write(
            f"Making a {role.value} key",
            partial(self.desk.new_signer, role, given["name"], secret),
            lambda signer: f"Made and trusted the {role.value} key {signer.key_id[:12]}",
        )
        return (made, secret) if made else None

    def needs_passphrase(self, signer: Signer, known: bytes | None) -> tuple[Field, ...]:
        """The line that asks for a key's passphrase; none where it is known or not needed."""
        if not signer.locked or known is not None:
            return ()
        return (Field("passphrase", f"Passphrase of {signer.name}", secret=True),)


def _trusted(desk: Desk, signer: Signer) -> bool:
    desk.trust_signer(signer)
    return True


def _same(given: Answers) -> str:
    same = given["passphrase"] == given["again"]
    return "" if same else "The two passphrases differ."


def passphrase(given: Answers, known: bytes | None) -> bytes | None:
    """The passphrase that was typed, or was known before."""
    return given["passphrase"].encode() if "passphrase" in given else known
