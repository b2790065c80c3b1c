"""The Skillbook of a workspace, as its area asks it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import Proposal, SearchHit, Section, Skill, Trace
from asf_core.domain.skillbook_report import Period, SkillbookOverview

if TYPE_CHECKING:
    from asf_tui.bridge.engine import Engine

MOST_HITS = 200


class Skillbook(Protocol):
    """What is asked of :class:`asf_core.services.skillbook.SkillbookService`.

    Called from several threads; what changes it, from one at a time. Each method may raise
    :class:`~asf_core.domain.errors.AsfError`.
    """

    def stamp(self) -> str:
        """What changes whenever somebody saves it."""
        ...

    def overview(self, period: Period, columns: int = 12) -> SkillbookOverview:
        """All issues and their figures."""
        ...

    def find(self, question: str, limit: int) -> tuple[SearchHit, ...]:
        """Issues by words and meaning."""
        ...

    def likely_duplicates(self) -> tuple[Proposal, ...]:
        """Pairs that may be one issue."""
        ...

    def as_prompt(self) -> str:
        """The active issues as an agent reads them."""
        ...

    def trace(self) -> Trace:
        """Where a change comes from: the person at the keyboard."""
        ...

    def add_skill(
        self,
        section: Section,
        issue: str,
        keywords: Sequence[str],
        trace: Trace,
        *,
        insight: str | None = None,
    ) -> Skill:
        """Record an issue."""
        ...

    def update_skill(
        self,
        skill_id: str,
        trace: Trace,
        *,
        issue: str | None = None,
        insight: str | None = None,
        keywords: Sequence[str] | None = None,
        occurrences: int = 0,
    ) -> Skill:
        """Rewrite an issue, or say it was met again."""
        ...

    def tag_skill(self, skill_id: str, delta: int, trace: Trace) -> Skill:
        """Record a use and how it went."""
        ...

    def remove_skill(self, skill_id: str, reason: str, trace: Trace) -> Skill:
        """Take an issue out of use; it stays."""
        ...

    def restore_skill(self, skill_id: str, reason: str, trace: Trace) -> Skill:
        """Bring a removed issue back."""
        ...

    def merge(
        self,
        keep: str,
        other: str,
        reason: str,
        *,
        issue: str | None = None,
        insight: str | None = None,
    ) -> Skill:
        """Merge two issues, widening the one that stays if a text is given."""
        ...

    def keep_apart(self, one: str, other: str, reason: str) -> Skill:
        """Record that two likely duplicates are none."""
        ...


def open_skillbook(engine: Engine) -> Skillbook:
    """The Skillbook that ``asf skillbook`` would take: of ``ASF_SKILLBOOK``, else the workspace's."""
    named = os.environ.get("ASF_SKILLBOOK")
    return engine.skillbook(Path(named) if named else None)


def wrong_with_new(answers: Mapping[str, str]) -> str:
    """Why an issue could not be added, in words; empty when it could."""
    from asf_core.services.skillbook_check import check_new

    keywords = answers["keywords"].split(",")
    return _wrong(
        lambda: check_new(
            answers["section"], answers["issue"], keywords, answers["insight"] or None
        )
    )


def wrong_with_change(skill: Skill, changes: Mapping[str, object]) -> str:
    """Why an issue could not be changed so, in words; empty when it could."""
    from asf_core.services.skillbook_check import check_change

    return _wrong(lambda: check_change(skill, **changes))  # type: ignore[arg-type]


def _wrong(check: Callable[[], None]) -> str:
    try:
        check()
    except InputError as error:
        return f"{error.why or error.what}. {error.hint}"
    return ""
