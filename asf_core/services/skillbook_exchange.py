"""Skillbooks and drafts on their way from and to other files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.base import Value
from asf_core.domain.errors import InputError, StoreError
from asf_core.domain.skillbook import Section, Skill, Trace
from asf_core.skillbook.convert import Unknown, convert
from asf_core.skillbook.files import ABSENT, SkillbookFile
from asf_core.skillbook.format import LARGEST
from asf_core.store.files import replace_file

if TYPE_CHECKING:
    from asf_core.services.skillbook import SkillbookService
    from asf_core.skillbook.bridge import SkillDraft


class Imported(Value):
    """One skill that was taken over."""

    old_id: str
    """In the other file."""
    id: str
    """Here."""


class ImportResult(Value):
    """What became of the skills of another file."""

    added: tuple[Imported, ...]
    known: tuple[Imported, ...]
    """Left out: the same section, issue and insight stand here already."""


class ConvertResult(Value):
    """A new Skillbook, and what the old file did not say."""

    path: str
    skills: int
    unknown: tuple[Unknown, ...]


def import_file(service: SkillbookService, path: Path) -> ImportResult:
    """Take over the skills of another Skillbook, trail and all, each under a new id.

    Twice the same file adds nothing the second time. Removed skills come along as removed.

    Raises:
        SkillbookFormatError: The other file is no Skillbook of version 2.
    """
    other, version = SkillbookFile(path).read()
    if version == ABSENT:
        raise InputError(f"There is no file {path}", hint="Check the path")
    added: list[Imported] = []
    known: list[Imported] = []
    with service.changing() as book:
        texts = {_said(skill): skill.id for skill in book.skills(removed=True)}
        for skill in other.skills(removed=True):
            if found := texts.get(_said(skill)):
                known.append(Imported(old_id=skill.id, id=found))
                continue
            trace = Trace.of("skillbook-file", skill.id, display_name=path.name[:400])
            new = book.adopt(skill, trace)
            texts[_said(new)] = new.id
            added.append(Imported(old_id=skill.id, id=new.id))
    return ImportResult(added=tuple(added), known=tuple(known))


def convert_file(
    source: Path, into: Path, section: Section, now: Callable[[], datetime]
) -> ConvertResult:
    """Make a new Skillbook of a version-1 file.

    Raises:
        InputError: The source is no version-1 file, or there is something at the other path.
    """
    try:
        with source.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(
            f"{source} cannot be read", why=error.strerror or str(error), hint="Check the path"
        ) from error
    if into.exists():
        raise InputError(f"{into} is there already", hint="Name a file that does not exist")
    found = convert(data, now, section)
    SkillbookFile(into, now).save(found.book, ABSENT)
    return ConvertResult(
        path=str(into), skills=len(found.book.skills(removed=True)), unknown=found.unknown
    )


def write_draft(draft: SkillDraft, into: Path) -> Path:
    """Write a draft as ``into/<name>/SKILL.md``; an existing directory is left alone.

    Raises:
        InputError: There is such a directory already.
        StoreError: It cannot be written.
    """
    directory = into / draft.name
    try:
        into.mkdir(parents=True, exist_ok=True)
        directory.mkdir()
        replace_file(directory / "SKILL.md", draft.text.encode("utf-8"))
    except FileExistsError as error:
        raise InputError(
            f"{error.filename} is there already", hint="Take another name, or move it away"
        ) from error
    except OSError as error:
        raise StoreError(
            f"The draft cannot be written to {into}", why=error.strerror or str(error)
        ) from error
    return directory / "SKILL.md"


def _said(skill: Skill) -> tuple[Section, str, str | None]:
    return skill.section, skill.issue, skill.insight
