"""``asf skillbook ...``: recording, finding and reading issues."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli import skillbook_bridge, skillbook_upkeep
from asf_core.cli.session import Session, command
from asf_core.cli.skillbook_options import (
    FileOption,
    IdArgument,
    KeywordOption,
    ReasonOption,
    SectionOption,
    section_named,
    skillbook,
    split_keywords,
    traced,
)
from asf_core.domain.text import one_line, visible

if TYPE_CHECKING:
    from asf_core.domain.skillbook import Skill

_VERDICTS = {"helpful": 1, "neutral": 0, "harmful": -1}


def register(app: typer.Typer) -> None:
    """Add the group to the application."""
    group = typer.Typer(
        help="Issues that agents met, what was learnt of them, and how it helped.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    command(group, "add")(traced(add))
    command(group, "update")(traced(update))
    command(group, "tag")(traced(tag))
    command(group, "remove")(traced(remove))
    command(group, "restore")(traced(restore))
    command(group, "search")(search)
    command(group, "show")(show)
    command(group, "list")(list_)
    command(group, "prompt")(prompt)
    command(group, "report")(report)
    skillbook_bridge.register(group)
    skillbook_upkeep.register(group)
    app.add_typer(group, name="skillbook")


def add(
    session: Session,
    facts: dict[str, Any],
    issue: Annotated[str, typer.Argument(metavar="ISSUE", help="What goes wrong, and when.")],
    section: Annotated[
        str,
        typer.Option("--section", metavar="NAME", help="context (needs an insight) or harness."),
    ],
    keywords: Annotated[
        list[str],
        typer.Option("--keyword", "-k", metavar="WORD", help="Repeat for several; at least one."),
    ],
    insight: Annotated[
        str | None, typer.Option("--insight", metavar="TEXT", help="What to do about it.")
    ] = None,
    file: FileOption = None,
) -> None:
    """Record an issue that was met."""
    book = skillbook(session, file)
    where = section_named(section)
    assert where is not None  # noqa: S101 - a section is required
    found = book.add_skill(
        where, issue, split_keywords(keywords), book.trace(**facts), insight=insight
    )
    session.emit(found, lambda: f"Added {found.id}: {one_line(found.issue, 70)}")


def update(
    session: Session,
    facts: dict[str, Any],
    ref: IdArgument,
    issue: Annotated[
        str | None, typer.Option("--issue", metavar="TEXT", help="The issue, rewritten.")
    ] = None,
    insight: Annotated[
        str | None,
        typer.Option("--insight", metavar="TEXT", help="The insight, rewritten; empty: none."),
    ] = None,
    keywords: Annotated[
        list[str] | None,
        typer.Option("--keyword", "-k", metavar="WORD", help="All the new keywords."),
    ] = None,
    seen: Annotated[
        int, typer.Option("--seen", metavar="N", min=0, help="How many more times it was met.")
    ] = 0,
    file: FileOption = None,
) -> None:
    """Rewrite an issue, or record that it was met again.

    What a text said before stays in the trail.
    """
    book = skillbook(session, file)
    found = book.update_skill(
        ref,
        book.trace(**facts),
        issue=issue,
        insight=insight,
        keywords=None if keywords is None else split_keywords(keywords),
        occurrences=seen,
    )
    session.emit(found, lambda: f"Updated {found.id}: met {found.occurrences} times")


def tag(
    session: Session,
    facts: dict[str, Any],
    ref: IdArgument,
    verdict: Annotated[str, typer.Argument(metavar="VERDICT", help="helpful, neutral or harmful.")],
    file: FileOption = None,
) -> None:
    """Record one use of an insight, and how it went."""
    from asf_core.domain.errors import InputError

    if verdict not in _VERDICTS:
        raise InputError(f"{verdict!r} is no verdict", hint="Use helpful, neutral or harmful")
    book = skillbook(session, file)
    found = book.tag_skill(ref, _VERDICTS[verdict], book.trace(**facts))
    session.emit(found, lambda: f"Tagged {found.id}: {_counts(found)}")


def remove(
    session: Session,
    facts: dict[str, Any],
    ref: IdArgument,
    reason: ReasonOption,
    file: FileOption = None,
) -> None:
    """Take an issue out of use. It stays, with the reason."""
    book = skillbook(session, file)
    found = book.remove_skill(ref, reason, book.trace(**facts))
    back = f"asf skillbook restore {found.id} --reason TEXT"
    session.emit(found, lambda: f"Removed {found.id}. Bring it back with:\n  {back}")


def restore(
    session: Session,
    facts: dict[str, Any],
    ref: IdArgument,
    reason: ReasonOption,
    file: FileOption = None,
) -> None:
    """Bring a removed issue back."""
    book = skillbook(session, file)
    found = book.restore_skill(ref, reason, book.trace(**facts))
    session.emit(found, lambda: f"Restored {found.id}")


def search(
    session: Session,
    query: Annotated[list[str], typer.Argument(metavar="QUESTION", help="In plain words.")],
    section: SectionOption = None,
    keywords: KeywordOption = None,
    boost: Annotated[
        list[str] | None,
        typer.Option("--boost", metavar="WORD", help="This keyword counts more; repeat."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, help="How many at most.")
    ] = 10,
    removed: Annotated[bool, typer.Option("--all", help="Removed ones too.")] = False,
    file: FileOption = None,
) -> None:
    """Find issues by words and meaning.

    BM25 and embeddings, joined by reciprocal ranks. --keyword leaves out what does not carry every
    one of them; --boost only moves up what does.
    """
    from asf_core.cli.skillbook_view import hits, nothing
    from asf_core.skillbook.search import Wanted

    wanted = Wanted(
        " ".join(query),
        section_named(section),
        split_keywords(keywords),
        split_keywords(boost),
        limit,
        removed,
    )
    book = skillbook(session, file)
    found = book.search_skills(wanted)
    session.emit(
        [hit.model_dump(mode="json") for hit in found],
        lambda: hits(found) if found else nothing(book.book(), removed=removed),
    )


def show(session: Session, ref: IdArgument, file: FileOption = None) -> None:
    """Show one issue with its whole audit trail."""
    from asf_core.cli.skillbook_view import page

    found = skillbook(session, file).read_skill(ref)
    session.emit(found, lambda: page(found))


def list_(
    session: Session,
    section: SectionOption = None,
    keywords: KeywordOption = None,
    removed: Annotated[bool, typer.Option("--all", help="Removed ones too.")] = False,
    file: FileOption = None,
) -> None:
    """List the issues."""
    from asf_core.cli.skillbook_view import nothing, table

    book = skillbook(session, file).book()
    found = book.skills(section_named(section), split_keywords(keywords), removed=removed)
    session.emit(
        [skill.model_dump(mode="json") for skill in found],
        lambda: table(found) if found else nothing(book, removed=removed),
    )


def prompt(session: Session, section: SectionOption = None, file: FileOption = None) -> None:
    """Print the active issues as an agent reads them."""
    found = skillbook(session, file).as_prompt(section_named(section))
    session.emit({"prompt": found}, lambda: None)
    if not session.as_json:
        # Not through the console: it would wrap the lines at the width of a terminal.
        sys.stdout.write(visible(found, keep="\n"))


def report(
    session: Session,
    period: Annotated[
        str, typer.Option("--period", metavar="NAME", help="Columns: day, week or month.")
    ] = "week",
    columns: Annotated[
        int, typer.Option("--columns", metavar="N", min=1, max=366, help="How many columns.")
    ] = 12,
    file: FileOption = None,
) -> None:
    """Issues by keyword, occurrences over time, effectiveness."""
    from asf_core.cli.skillbook_report_view import render
    from asf_core.domain.errors import InputError
    from asf_core.domain.skillbook_report import Period

    if period not in set(Period):
        raise InputError(f"There is no period {period!r}", hint="Use day, week or month")
    found = skillbook(session, file).report(Period(period), columns)
    session.emit(found, lambda: render(found))


def _counts(skill: Skill) -> str:
    return (
        f"used {skill.used_count}, helpful {skill.helpful_count}, "
        f"harmful {skill.harmful_count}, neutral {skill.neutral_count}"
    )
