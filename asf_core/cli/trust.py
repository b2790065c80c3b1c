"""``asf trust ...``: whom and what this workspace trusts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.policy import TrustPolicy
    from asf_core.services.control.trust import Inspection

KeyArgument = Annotated[
    str,
    typer.Argument(
        metavar="KEY", help="Name or id of your key, or path of a public key: ./key.pem."
    ),
]
NameOption = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="Whose key; default: its own name.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(
        help="Whom and what this workspace trusts. Nothing is trusted unless it is said here.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, function in (
        ("show", show),
        ("add-reviewer", add_reviewer),
        ("add-scanner", add_scanner),
        ("add-grantor", add_grantor),
        ("allow-source", allow_source),
        ("register-tool", register_tool),
        ("set-channel", set_channel),
        ("set", set_limits),
        ("remove", remove),
        ("adopt", adopt),
    ):
        command(group, name)(function)
    app.add_typer(group, name="trust")


def show(session: Session) -> None:
    """Show the trust policy in force."""
    policy = session.engine.control.trust.policy()
    session.emit(policy, lambda: policy_view(policy))


def add_reviewer(session: Session, key: KeyArgument, name: NameOption = None) -> None:
    """Trust a key to approve and reject versions."""
    _add_key(session, key, "reviewer", name)


def add_grantor(session: Session, key: KeyArgument, name: NameOption = None) -> None:
    """Trust a key to grant the use of versions."""
    _add_key(session, key, "grantor", name)


def add_scanner(
    session: Session,
    key: KeyArgument,
    scanner: Annotated[
        str | None,
        typer.Option("--scanner", metavar="NAME", help="Scanner; default: this program's."),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option("--version", metavar="VERSION", help="Its version; default: this program's."),
    ] = None,
    name: NameOption = None,
) -> None:
    """Trust one version of a scanner, and the key that signs for it."""
    from asf_core.services.control.scanner import program_version
    from asf_core.services.control.trust import SCANNER_NAME

    trusted = session.engine.control.trust.add_scanner(
        key, scanner or SCANNER_NAME, version or program_version(), name
    )
    session.emit(
        trusted,
        lambda: (
            f"Trusted: scanner {one_line(trusted.name)} {one_line(trusted.version)}, "
            f"signed by key {trusted.key_id[:12]}."
        ),
    )


def allow_source(
    session: Session,
    refs: Annotated[
        list[str],
        typer.Argument(
            metavar="VERSION...", help="Versions; with --revision registries or skill ids."
        ),
    ],
    revision: Annotated[
        str | None,
        typer.Option("--revision", metavar="COMMIT", help="Trust all below an id at this commit."),
    ] = None,
) -> None:
    """Trust the exact source revision of versions, or of a registry at a commit."""
    sources = session.engine.control.trust.allow_sources(refs, revision)
    session.emit(
        [source.model_dump(mode="json") for source in sources],
        lambda: "\n".join(
            f"Trusted: {one_line(s.system)} source {one_line(s.id)} at {one_line(s.revision)}."
            for s in sources
        ),
    )


def register_tool(
    session: Session,
    tools: Annotated[
        list[str],
        typer.Argument(metavar="TOOL...", help="As skills declare it: Read, Bash(git:*)."),
    ],
) -> None:
    """Register tools that skills may declare."""
    policy = session.engine.control.trust.register_tools(tools)
    session.emit(
        {"tools": list(policy.tools)},
        lambda: f"Registered: {one_line(', '.join(policy.tools))}.",
    )


def set_channel(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the channel, as chat or ci.")],
    tools: Annotated[
        list[str] | None,
        typer.Option("--tool", metavar="TOOL", help="Allowed on it; repeat for several."),
    ] = None,
) -> None:
    """Say which tools a channel allows, in place of what it allowed before."""
    channel = session.engine.control.trust.set_channel(name, tools or [])
    allowed = one_line(", ".join(channel.tools)) or "no tools"
    session.emit(channel, lambda: f"Channel {one_line(channel.name)} allows {allowed}.")


def set_limits(
    session: Session,
    reviewers: Annotated[
        int | None,
        typer.Option("--reviewers-needed", metavar="N", help="Distinct keys that must approve."),
    ] = None,
    scan_hours: Annotated[
        int | None,
        typer.Option("--scan-max-age", metavar="HOURS", help="Oldest security receipt."),
    ] = None,
    review_hours: Annotated[
        int | None,
        typer.Option("--review-max-age", metavar="HOURS", help="Oldest governance receipt."),
    ] = None,
    block_at: Annotated[
        str | None,
        typer.Option("--block-at", metavar="SEVERITY", help="Least finding that keeps one out."),
    ] = None,
    active_only: Annotated[
        bool | None,
        typer.Option(
            "--active-only/--any", help="Route over active pins only, or over all skills."
        ),
    ] = None,
) -> None:
    """Change the policy's numbers and switches."""
    from asf_core.domain.errors import InputError
    from asf_core.domain.findings import Severity

    if block_at is not None and block_at not in set(Severity):
        raise InputError(
            f"There is no severity {block_at!r}", hint=f"Use one of: {', '.join(Severity)}"
        )
    policy = session.engine.control.trust.set_limits(
        reviewers_needed=reviewers,
        security_max_age_hours=scan_hours,
        review_max_age_hours=review_hours,
        block_at=None if block_at is None else Severity(block_at),
        active_only=active_only,
    )
    session.emit(policy, lambda: policy_view(policy))


def remove(
    session: Session,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="key, source, tool or channel.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `asf trust show` has it.")],
    revision: Annotated[
        str | None,
        typer.Option("--revision", metavar="REV", help="Of a source; default: all revisions."),
    ] = None,
) -> None:
    """Trust something no longer. What is active by it is refused at its next use."""
    policy = session.engine.control.trust.remove(what, name, revision)
    session.emit(policy, lambda: policy_view(policy))


def adopt(
    session: Session,
    yes: Annotated[
        bool, typer.Option("--yes", help="Adopt it; without this, only show what it trusts.")
    ] = False,
) -> None:
    """See what a workspace would have you trust, and take it as yours.

    A workspace that came with a cloned registry, or was copied or moved, is not taken as yours by
    itself: it would bring its own reviewers and its own active versions.
    """
    trust = session.engine.control.trust
    found = trust.adopt() if yes else trust.inspect()
    value = {
        "workspace": found.place,
        "adopted": yes or found.mine,
        "policy": found.policy.model_dump(mode="json"),
        "active": [record.pin.model_dump(mode="json") for record in found.active],
        "events": found.ledger.head.count,
        "problems": [*found.ledger.problems, *found.strange],
    }
    session.emit(value, lambda: _inspection(found, adopted=yes))


def _add_key(session: Session, ref: str, role: str, name: str | None) -> None:
    from asf_core.domain.policy import Role

    key = session.engine.control.trust.add_key(ref, Role(role), name)
    session.emit(key, lambda: f"Trusted: {one_line(key.name)} as {role}, key {key.key_id[:12]}.")


def policy_view(policy: TrustPolicy) -> RenderableType:
    """The trust policy for people."""
    from rich.console import Group
    from rich.text import Text

    rows: list[tuple[str, str]] = []
    names = {key.key_id: key.name for key in policy.keys}
    rows += [(k.role.value, f"{k.name}, key {k.key_id[:16]}") for k in policy.keys]
    rows += [
        ("scanner is", f"{s.name} {s.version}, signed by {names.get(s.key_id, '?')}")
        for s in policy.scanners
    ]
    rows += [("source", f"{s.system} {s.id} at {s.revision[:19]}") for s in policy.sources]
    rows.append(("tools", ", ".join(policy.tools) or "none registered"))
    rows += [("channel", f"{c.name}: {', '.join(c.tools) or 'no tools'}") for c in policy.channels]
    rows.append(("needed", f"{policy.reviewers_needed} reviewer(s)"))
    rows.append(("ages", f"scan {policy.security_max_age_hours} h, "
                         f"review {policy.review_max_age_hours} h"))  # fmt: skip
    rows.append(("blocks", f"findings from {policy.block_at.value} on, and unknown ones"))
    rows.append(("routing", "active pins only" if policy.active_only else "all skills"))
    if not policy.keys:
        rows.insert(0, ("keys", "none: every candidate is refused"))
    return Group(*(Text(f"{label:11} {one_line(said)}") for label, said in rows))


def _inspection(found: Inspection, *, adopted: bool) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    active = [f"{r.content.skill_id}@{r.content.version}" for r in found.active]
    lines = [
        Text(f"workspace   {one_line(found.place)}"),
        Text(f"events      {found.ledger.head.count}"),
        *(Text(f"active      {one_line(name)}") for name in active),
        *(Text(f"problem     {one_line(said)}") for said in found.ledger.problems),
        *(Text(f"problem     other trigger or view: {one_line(n)}") for n in found.strange),
    ]
    if adopted:
        last = "Adopted: this workspace is yours, with all of the above."
    elif found.mine:
        last = "This workspace is yours already."
    else:
        last = "If you trust all of this, take it as yours: asf trust adopt --yes"
    return Group(policy_view(found.policy), *lines, Text(last))
