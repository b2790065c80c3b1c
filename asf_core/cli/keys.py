"""``asf keys ...``: the user's signing keys, and asking for their passphrases."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line, shell_word

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.store.keyring import KeyInfo

PASSPHRASE_VARIABLE = "ASF_PASSPHRASE"  # noqa: S105 - its name, not its value
_ROLES = ("reviewer", "scanner", "grantor")

KeyOption = Annotated[
    str | None,
    typer.Option("--key", metavar="KEY", help="Name or id of your key; default: the only one."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(help="Your signing keys.", no_args_is_help=True, rich_markup_mode=None)
    command(group, "new")(new)
    command(group, "list")(list_)
    app.add_typer(group, name="keys")


def new(
    session: Session,
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="reviewer, scanner or grantor.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Whose key; default: you.")
    ] = None,
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="Ask for a passphrase that protects it.")
    ] = False,
) -> None:
    """Make an Ed25519 key. It signs receipts; what it is worth, `asf trust` says.

    The private key is written to your user directory, readable by you only. Nothing trusts it yet.
    """
    from asf_core.domain.errors import InputError
    from asf_core.domain.policy import Role

    if role not in _ROLES:
        raise InputError(f"There is no role {role!r}", hint=f"Use one of: {', '.join(_ROLES)}")
    secret = _new_passphrase() if passphrase else None
    info = session.engine.control.trust.new_key(Role(role), name, secret)
    verb = f"asf trust add-{role} {shell_word(info.name)}"
    session.emit(
        key_facts(info),
        lambda: (
            f"Key {info.public.key_id[:12]} for {role} {one_line(info.name)}: "
            f"{one_line(str(info.path))}\nNext: {verb}"
        ),
    )


def list_(session: Session) -> None:
    """List your signing keys."""
    keys = session.engine.control.trust.keys()
    session.emit([key_facts(info) for info in keys], lambda: _table(keys))


def key_facts(info: KeyInfo) -> dict[str, Any]:
    """A key for JSON; never its private part."""
    return {
        "key_id": info.public.key_id,
        "role": info.role.value,
        "name": info.name,
        "created_at": info.created_at,
        "passphrase": info.locked,
        "path": str(info.path),
        "public_key": info.public.pem.decode(),
    }


def ask_passphrase(info: KeyInfo) -> bytes | None:
    """The passphrase of a locked key: from the environment, else from the terminal."""
    if not info.locked:
        return None
    given = os.environ.get(PASSPHRASE_VARIABLE)
    if given:
        return given.encode()
    if not sys.stdin.isatty():
        from asf_core.domain.errors import InputError

        raise InputError(
            f"The key of {info.name} is protected by a passphrase",
            why="There is no terminal to ask on",
            hint=f"Give it in {PASSPHRASE_VARIABLE}",
        )
    typed: str = typer.prompt(f"Passphrase of {one_line(info.name)}", hide_input=True, err=True)
    return typed.encode()


def _new_passphrase() -> bytes:
    given = os.environ.get(PASSPHRASE_VARIABLE)
    if given:
        return given.encode()
    typed: str = typer.prompt("New passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return typed.encode()


def _table(keys: tuple[KeyInfo, ...]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    if not keys:
        return Text("You have no keys yet. Make one with: asf keys new --role reviewer")
    table = Table("role", "name", "key id", "made", "passphrase", box=None, pad_edge=False)
    for info in keys:
        cells = (
            info.role.value, info.name, info.public.key_id[:16], info.created_at[:19],
            "yes" if info.locked else "no",
        )  # fmt: skip
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    return table
