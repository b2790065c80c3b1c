"""The Skillbook as an agent reads it."""

from __future__ import annotations

from collections.abc import Iterable

from asf_core.domain.skillbook import Section, Skill, id_key
from asf_core.domain.text import visible
from asf_core.skillbook.book import Skillbook

_TITLES = {
    Section.CONTEXT: "Context: issues met before, and what to do",
    Section.HARNESS: "Harness: known limits of what stands around you",
}


def as_prompt(book: Skillbook, section: Section | None = None) -> str:
    """The active skills by section, in order of id; empty when there are none.

    The same Skillbook gives the same text, and a new skill changes only the end of its section.
    Texts are indented, and hidden characters shown, so that none can pass for another heading.

    Args:
        book: The Skillbook.
        section: Only this one.
    """
    parts = [
        _section(kind, found)
        for kind in Section
        if section in (None, kind) and (found := book.skills(kind))
    ]
    return "# Skillbook\n\n" + "\n\n".join(parts) + "\n" if parts else ""


def _section(section: Section, skills: Iterable[Skill]) -> str:
    entries = map(_entry, sorted(skills, key=lambda skill: id_key(skill.id)))
    return f"## {_TITLES[section]}\n\n" + "\n".join(entries)


def _entry(skill: Skill) -> str:
    lines = [
        f"- [{skill.id}] met {_times(skill.occurrences)}; "
        f"helpful {skill.helpful_count}, harmful {skill.harmful_count}",
        f"  Keywords: {_safe(', '.join(skill.keywords))}",
        f"  Issue: {_safe(skill.issue)}",
    ]
    lines += [f"  Insight: {_safe(skill.insight)}"] if skill.insight else []
    return "\n".join(lines)


def _safe(text: str) -> str:
    return "\n    ".join(visible(line) for line in text.splitlines() if line.strip())


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
