"""``asf grant ...``, ``asf resolve`` and ``asf feedback``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.candidates import VersionArgument
from asf_core.cli.keys import KeyOption, ask_passphrase
from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line, visible

if TYPE_CHECKING:
    from datetime import timedelta

    from rich.console import RenderableType

    from asf_core.domain.pin import Subject
    from asf_core.domain.use import Discovery

ProductOption = Annotated[
    str | None, typer.Option("--product", metavar="NAME", help="Who asks; default: default.")
]
TenantOption = Annotated[
    str | None, typer.Option("--tenant", metavar="NAME", help="Who asks; default: default.")
]
UserOption = Annotated[
    str | None, typer.Option("--user", metavar="NAME", help="Who asks; default: you.")
]
PurposeOption = Annotated[
    str | None, typer.Option("--purpose", metavar="WORD", help="What for, as the grant says.")
]
ChannelOption = Annotated[
    str | None, typer.Option("--channel", metavar="NAME", help="Where, as the grant says.")
]
_SPAN = re.compile(r"([1-9][0-9]{0,4})([mhd])")


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(
        help="Leave to run exact versions, for one user, purpose and channel, for a time.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    command(group, "issue")(issue)
    command(group, "list")(list_)
    command(group, "revoke")(revoke)
    app.add_typer(group, name="grant")
    command(app, "resolve")(resolve)
    command(app, "feedback")(feedback)


def issue(
    session: Session,
    version: VersionArgument,
    purpose: Annotated[str, typer.Option("--purpose", metavar="WORD", help="What for.")],
    channel: Annotated[str, typer.Option("--channel", metavar="NAME", help="Where.")],
    tenant: TenantOption = None,
    user: UserOption = None,
    tools: Annotated[
        list[str] | None,
        typer.Option("--tool", metavar="TOOL", help="Granted at most; repeat for several."),
    ] = None,
    lasts: Annotated[
        str, typer.Option("--for", metavar="TIME", help="How long: 30m, 8h or 7d.")
    ] = "8h",
    id_: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="ID", help="Of the grant, 8 characters or more; default: new."
        ),
    ] = None,
    key: KeyOption = None,
) -> None:
    """Sign a grant. The tools that count are clamped again at each use."""
    from asf_core.services.control.active import local_subject
    from asf_core.services.control.use import GrantTerms

    subject = local_subject(None, tenant, user)
    terms = GrantTerms(
        subject.tenant, subject.user, purpose, channel, tuple(tools or ()), _span(lasts)
    )
    grant = session.engine.control.use.issue(
        version, terms, grant_id=id_, key=key, passphrase=ask_passphrase
    )
    session.emit(
        grant,
        lambda: (
            f"Granted: {grant.id}\n  {one_line(str(grant.pin))} for {grant.tenant}/{grant.user}, "
            f"{grant.purpose} on {grant.channel}, until {grant.expires_at}"
        ),
    )


def list_(session: Session) -> None:
    """List the grants, taken back ones too."""
    found = session.engine.control.use.grants()
    value = [
        {
            **grant.model_dump(mode="json"),
            "revoked_at": stored.revoked_at,
            "revoked_by": stored.revoked_by,
            "revoked_why": stored.revoked_why,
        }
        for grant, stored in found
    ]

    def view() -> str:
        lines = []
        for grant, stored in found:
            state = f"revoked {stored.revoked_at[:19]}" if stored.revoked_at else "given"
            lines.append(
                f"{state:27} {grant.id}  {one_line(str(grant.pin))}\n"
                f"{'':27} {grant.tenant}/{grant.user}, {grant.purpose} on {grant.channel}, "
                f"until {grant.expires_at[:19]}"
            )
        return "\n".join(lines) or "No grants yet. Give one with: asf grant issue VERSION"

    session.emit(value, view)


def revoke(
    session: Session,
    grant: Annotated[str, typer.Argument(metavar="GRANT", help="Id of the grant.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept with it.")],
) -> None:
    """Take a grant back for good."""
    session.engine.control.use.revoke(grant, reason)
    session.emit({"revoked": grant, "reason": reason}, lambda: f"Revoked: {one_line(grant)}")


def resolve(
    session: Session,
    skill: Annotated[
        str | None,
        typer.Argument(metavar="SKILL", help="Id or name; left out, all that you may see."),
    ] = None,
    product: ProductOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    grant: Annotated[
        str | None,
        typer.Option("--grant", metavar="GRANT", help="Also give its instructions, by this grant."),
    ] = None,
    purpose: PurposeOption = None,
    channel: ChannelOption = None,
) -> None:
    """Find the active version of a skill: metadata and its exact pin.

    Instructions are given only with a grant that matches in everything, and each time that is put
    on record. Nothing else is ever given in place of what was asked for.
    """
    from asf_core.domain.errors import InputError
    from asf_core.services.control.active import local_subject

    try:
        subject = local_subject(product, tenant, user)
    except ValueError as error:
        raise InputError(
            "Product, tenant and user are single words", hint="Use letters, digits and ._@-"
        ) from error
    if grant is not None:
        _instructions(session, skill, subject, grant, purpose, channel)
        return
    use = session.engine.control.use
    found = (use.discover(skill, subject),) if skill else use.catalogue(subject)
    value = [item.model_dump(mode="json") for item in found]
    session.emit(value[0] if skill else value, lambda: _discoveries(found))


def feedback(
    session: Session,
    authorisation: Annotated[
        str, typer.Argument(metavar="AUTHORISATION", help="Id that came with the instructions.")
    ],
    outcome: Annotated[
        str,
        typer.Option(
            "--outcome",
            metavar="WORD",
            help="helpful, neutral, harmful, failed, unsafe or corrected (by a person).",
        ),
    ],
    score: Annotated[
        float | None, typer.Option("--score", metavar="X", help="0 (bad) to 1 (good).")
    ] = None,
    evidence: Annotated[
        str | None,
        typer.Option("--evidence", metavar="REF", help="sha256:DIGEST or an address; no text."),
    ] = None,
    tools: Annotated[
        list[str] | None,
        typer.Option("--tool", metavar="TOOL", help="That was used; default: all allowed ones."),
    ] = None,
    review: Annotated[
        bool, typer.Option("--recommend-review", help="Say that somebody should look at it.")
    ] = False,
    id_: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="Of this feedback; repeated, it counts once."),
    ] = None,
) -> None:
    """Say how an authorised use went. It is counted, and changes nothing by itself.

    What went wrong can be made an issue to learn from: asf skillbook feedback.
    """
    from asf_core.domain.errors import InputError
    from asf_core.domain.use import FeedbackOutcome

    if outcome not in set(FeedbackOutcome):
        raise InputError(
            f"There is no outcome {outcome!r}", hint=f"Use one of: {', '.join(FeedbackOutcome)}"
        )
    item = session.engine.control.use.feedback(
        authorisation,
        FeedbackOutcome(outcome),
        score=score,
        evidence=evidence,
        tools=None if tools is None else tuple(tools),
        recommends_review=review,
        feedback_id=id_,
    )
    session.emit(
        item, lambda: f"Retained: {item.id}, {item.outcome.value} on {one_line(str(item.pin))}"
    )


def _instructions(
    session: Session,
    skill: str | None,
    subject: Subject,
    grant: str,
    purpose: str | None,
    channel: str | None,
) -> None:
    from asf_core.domain.errors import InputError

    if skill is None or purpose is None or channel is None:
        raise InputError(
            "Instructions are given for one SKILL, with --purpose and --channel",
            hint="Say them as the grant does: asf grant list",
        )
    found = session.engine.control.use.authorise(
        skill, subject, grant_id=grant, purpose=purpose, channel=channel
    )
    value = {
        "authorisation": found.authorisation.model_dump(mode="json"),
        "instructions": found.instructions,
    }
    tools = ", ".join(found.authorisation.tools) or "none"
    session.remark(f"{found.authorisation.id}: {one_line(str(found.authorisation.pin))}")
    session.remark(f"tools: {one_line(tools)}")
    session.emit(value, lambda: _plain(found.instructions))


def _plain(text: str) -> RenderableType:
    from rich.text import Text

    return Text(visible(text.rstrip("\n"), keep="\n\t"))


def _discoveries(found: tuple[Discovery, ...]) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    if not found:
        return Text("No active skill is for you.")
    lines = []
    for item in found:
        tools = "not declared" if item.tools is None else ", ".join(item.tools) or "none"
        lines.append(Text(one_line(f"{item.pin.skill_id}@{item.pin.version}"), "bold"))
        for label, said in (
            ("hash", item.pin.content_hash),
            ("label", f"{item.label}, for {item.scope}, active since {item.active_since[:19]}"),
            ("about", item.retrieval.description),
            ("tools", tools),
        ):
            lines.append(Text(f"  {label:6}{one_line(said)}"))
    return Group(*lines)


def _span(text: str) -> timedelta:
    from datetime import timedelta

    from asf_core.domain.errors import InputError

    match = _SPAN.fullmatch(text)
    if match is None:
        raise InputError(f"--for {text!r} is not understood", hint="Use 30m, 8h or 7d")
    unit = {"m": "minutes", "h": "hours", "d": "days"}[match[2]]
    return timedelta(**{unit: int(match[1])})
