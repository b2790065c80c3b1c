"""``asf skillbook ...``: what people do to keep the Skillbook in order."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from asf_core.cli.printing import error_console
from asf_core.cli.session import Session, command
from asf_core.cli.skillbook_options import (
    FileOption,
    IdArgument,
    ReasonOption,
    YesOption,
    confirm,
    section_named,
    skillbook,
)
from asf_core.domain.text import one_line

OtherArgument = Annotated[str, typer.Argument(metavar="OTHER", help="The one beside it.")]


def register(group: typer.Typer) -> None:
    """Add the commands to the group."""
    command(group, "duplicates")(duplicates)
    command(group, "merge")(merge)
    command(group, "keep")(keep)
    command(group, "convert")(convert)
    command(group, "import")(import_)
    command(group, "purge")(purge)
    command(group, "bench")(bench)


def duplicates(
    session: Session,
    alike: Annotated[
        float,
        typer.Option("--alike", metavar="X", help="Cosine from which a pair is shown."),
    ] = 0.80,
    same: Annotated[
        float, typer.Option("--same", metavar="X", help="Cosine from which merging is advised.")
    ] = 0.90,
    file: FileOption = None,
) -> None:
    """Propose which issues may be one; changes nothing.

    Each pair comes with what it may call for: merge (the same in other words), widen (two cases of
    one issue: rewrite it for both while merging) or keep (two things after all).
    """
    from asf_core.cli.skillbook_view import proposals

    service = skillbook(session, file)
    found = service.duplicates(alike, same)
    texts = {skill.id: skill.issue for skill in service.book().skills()} if found else {}
    session.emit([item.model_dump(mode="json") for item in found], lambda: proposals(found, texts))


def merge(
    session: Session,
    ref: IdArgument,
    other: OtherArgument,
    reason: ReasonOption,
    issue: Annotated[
        str | None,
        typer.Option("--issue", metavar="TEXT", help="Widen: the issue, rewritten for both."),
    ] = None,
    insight: Annotated[
        str | None,
        typer.Option("--insight", metavar="TEXT", help="Widen: the insight, rewritten for both."),
    ] = None,
    yes: YesOption = False,
    file: FileOption = None,
) -> None:
    """Merge OTHER into ID, after a person confirmed it.

    Keywords and occurrences are joined, OTHER is removed with the reason. Give --issue, --insight
    or both to widen the one that stays. Verdicts stay with the insight that they judge.
    """
    service = skillbook(session, file)
    if not yes:
        book = service.book()
        lines = [
            f"{skill.id}  {one_line(skill.issue, 160)}"
            for skill in (book.read_skill(ref), book.read_skill(other))
        ]
        confirm(session, "\n".join([*lines, "The second goes into the first."]), yes=False)
    found = service.merge(ref, other, reason, issue=issue, insight=insight)
    session.emit(found, lambda: f"Merged into {found.id}: met {found.occurrences} times")


def keep(
    session: Session,
    ref: IdArgument,
    other: OtherArgument,
    reason: ReasonOption,
    file: FileOption = None,
) -> None:
    """Record that two issues are not one.

    They are not proposed again until the text of either changes.
    """
    found = skillbook(session, file).keep_apart(ref, other, reason)
    session.emit(found, lambda: f"Kept apart; it stands in the trail of {found.id}")


def convert(
    session: Session,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A Skillbook of version 1.")],
    into: Annotated[Path, typer.Option("--into", metavar="NEW", help="File to make.")],
    section: Annotated[
        str,
        typer.Option("--section", metavar="NAME", help="For sections that are no longer there."),
    ] = "context",
) -> None:
    """Make a Skillbook of a version-1 file.

    Lists what the old file could not tell, and what stands there now. Version 1 keeps advice
    ("content") under free section names. The advice becomes the insight; it has no issue, so the
    advice stands there too until somebody writes what goes wrong. The old section becomes a
    keyword, justification and evidence a line of the trail.
    """
    from asf_core.cli.skillbook_view import converted

    where = section_named(section)
    assert where is not None  # noqa: S101 - it has a default
    found = session.engine.skillbook().convert_file(source, into, where)
    session.emit(found, lambda: converted(found))


def import_(
    session: Session,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="Another Skillbook.")],
    file: FileOption = None,
) -> None:
    """Take over what another Skillbook has.

    With its trail, under new ids; what stands here word for word is left out.
    """
    found = skillbook(session, file).import_file(source)
    session.emit(found, lambda: f"{len(found.added)} added, {len(found.known)} known already")


def purge(session: Session, ref: IdArgument, reason: ReasonOption, file: FileOption = None) -> None:
    """Delete every word of a removed issue for good.

    Only at a terminal, by a person who types its id. The id is never given again; what stays is
    who purged it, when and why. Copies of the file elsewhere, as in the history of a repository,
    are not reached.
    """
    from asf_core.domain.errors import RefusedError

    service = skillbook(session, file)
    skill = service.read_skill(ref)
    if not sys.stdin.isatty():
        raise RefusedError(
            f"{skill.id} was not purged",
            why="Only a person can purge, and there is no terminal to ask on",
            hint="Run it at a terminal",
        )
    error_console().print(f"{skill.id}  {one_line(skill.issue, 160)}")
    if typer.prompt("Type the id to delete it for good", err=True).strip() != skill.id:
        raise RefusedError("Nothing was purged", why="That is not its id")
    stone = service.purge(skill.id, reason)
    session.emit(stone, lambda: f"Purged {stone.id}")


def bench(
    session: Session,
    queries: Annotated[
        list[Path],
        typer.Option("--queries", metavar="FILE", help="Questions with their answers; repeat."),
    ],
    file: FileOption = None,
) -> None:
    """Judge the search by questions with known answers.

    hit@1, hit@5 and MRR of BM25, of embeddings and of both. A question file is one of `asf bench`
    whose `relevant` holds ids of issues.
    """
    from asf_core.cli.skillbook_view import bench_table

    found = skillbook(session, file).bench(queries)
    session.emit(found, lambda: bench_table(found))
