"""``asf candidate ...``: versions before and after they are active."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.keys import KeyOption, ask_passphrase
from asf_core.cli.session import Session, command

if TYPE_CHECKING:
    from asf_core.governance.candidates import Added
    from asf_core.services.control.receipts import Examination, SignedScan

VersionArgument = Annotated[
    str,
    typer.Argument(
        metavar="VERSION",
        help="SKILL@1.2.0, the first 8 or more characters of a content hash, or SKILL where only "
        "one version fits.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(
        help="Versions: immutable once added, active only after review.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    command(group, "add")(add)
    command(group, "list")(list_)
    command(group, "show")(show)
    command(group, "diff")(diff)
    command(group, "scan")(scan)
    app.add_typer(group, name="candidate")


def add(
    session: Session,
    skill: Annotated[
        str | None, typer.Argument(metavar="SKILL", help="Id, or slug where unique.")
    ] = None,
    playbook: Annotated[
        Path | None,
        typer.Option("--playbook", metavar="FILE", help="An export of prompt playbooks instead."),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option("--recipe", metavar="FILE", help="An export of recipes instead.")
    ] = None,
    version: Annotated[
        str | None,
        typer.Option("--version", metavar="X.Y.Z", help="For a skill that declares no version."),
    ] = None,
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            help="Whom a skill is for: product:NAME, tenant:NAME or user:TENANT/NAME.",
        ),
    ] = "product:default",
) -> None:
    """Take in a skill, as it stands on disk now, as an immutable candidate.

    Its bytes are kept, so that what is scanned, reviewed and served is one and the same.
    """
    from asf_core.cli.control_view import added_view, record_facts
    from asf_core.domain.errors import InputError
    from asf_core.domain.pin import Scope

    if sum(item is not None for item in (skill, playbook, recipe)) != 1:
        raise InputError(
            "Say what to take in: a SKILL, --playbook FILE or --recipe FILE",
            hint="For example: asf candidate add citation-verifier",
        )
    versions = session.engine.control.versions
    added: tuple[Added, ...]
    if playbook is not None:
        added = versions.add_playbooks(playbook)
    elif recipe is not None:
        added = versions.add_recipes(recipe)
    else:
        try:
            whom = Scope.parse(scope)
        except ValueError as error:
            raise InputError(
                f"{scope!r} is no scope", hint="Use product:NAME, tenant:NAME or user:TENANT/NAME"
            ) from error
        skill_id = session.engine.resolve(skill or "")
        added = (versions.add_skill(skill_id, scope=whom, version=version),)
    session.emit(
        [{**record_facts(item.record), "new": item.new} for item in added],
        lambda: added_view(added),
    )


def list_(
    session: Session,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="STATE", help="candidate, quarantined, active or retired."),
    ] = None,
) -> None:
    """List all versions and where they stand."""
    from asf_core.cli.control_view import record_facts, versions_view
    from asf_core.domain.content import VersionState
    from asf_core.domain.errors import InputError

    if state is not None and state not in set(VersionState):
        raise InputError(
            f"There is no state {state!r}", hint=f"Use one of: {', '.join(VersionState)}"
        )
    found = session.engine.control.versions.list(VersionState(state) if state else None)
    drifted = session.engine.control.versions.drifted()
    value = [{**record_facts(r), "drifted": r.content_hash in drifted} for r in found]
    session.emit(value, lambda: versions_view(found, drifted))


def show(session: Session, version: VersionArgument) -> None:
    """Show a version: what it binds, its receipts, and which conditions hold."""
    from asf_core.cli.control_view import standing_facts, standing_view

    standing = session.engine.control.versions.show(version)
    session.emit(standing_facts(standing), lambda: standing_view(standing))


def diff(
    session: Session,
    version: VersionArgument,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="VERSION", help="Default: the active version."),
    ] = None,
) -> None:
    """Show what a version changes against the active one: fields, files, text."""
    import dataclasses

    from asf_core.cli.control_view import difference_view

    found = session.engine.control.versions.difference(version, against)
    value = {
        "version": found.version.pin.model_dump(mode="json"),
        "against": found.against.pin.model_dump(mode="json") if found.against else None,
        "fields": [dataclasses.asdict(item) for item in found.fields],
        "files": [dataclasses.asdict(item) for item in found.files],
    }
    session.emit(value, lambda: difference_view(found))


def scan(
    session: Session,
    version: VersionArgument,
    engine: Annotated[
        str,
        typer.Option(
            "--engine", metavar="NAME", help="builtin or cisco, which signs by its own name."
        ),
    ] = "builtin",
    program: Annotated[
        Path | None,
        typer.Option("--program", metavar="FILE", help="Executable of the other engine."),
    ] = None,
    waivers: Annotated[
        Path | None,
        typer.Option("--waivers", metavar="FILE", help="Findings that you accept for a time."),
    ] = None,
    sign: Annotated[
        bool,
        typer.Option("--sign/--no-sign", help="Without: look only; no key, no receipt, no event."),
    ] = True,
    key: KeyOption = None,
) -> None:
    """Scan a version's kept bytes and sign what was found as its security receipt.

    Leaves with 1 when a finding keeps the version out.
    """
    from asf_core.cli.control_view import scan_facts, scan_view
    from asf_core.cli.exits import Exit
    from asf_core.governance.security_proof import blocks

    control = session.engine.control
    receipts = control.receipts
    signed: SignedScan | Examination
    if sign:
        signed = receipts.scan(
            version,
            key=key,
            passphrase=ask_passphrase,
            engine=engine,
            program=program,
            waivers=waivers,
        )
    else:
        signed = receipts.examine(version, engine=engine, program=program, waivers=waivers)
    policy = control.trust.policy()
    session.emit(scan_facts(signed), lambda: scan_view(signed, policy))
    if not signed.result.complete or any(
        blocks(finding.for_receipt(), policy) and finding.waiver is None
        for finding in signed.result.findings
    ):
        raise typer.Exit(Exit.FINDINGS)
