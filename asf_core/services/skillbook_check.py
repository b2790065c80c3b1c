"""Whether a change would be taken, before anything is written: for forms that say so at once."""

from __future__ import annotations

from collections.abc import Sequence

from asf_core.domain.skillbook import Skill, Trace
from asf_core.skillbook.book import Skillbook

_TRACE = Trace.of("asf", "check")


def check_new(section: str, issue: str, keywords: Sequence[str], insight: str | None) -> None:
    """See whether an issue could be added.

    Raises:
        InputError: It could not; says why.
    """
    Skillbook().add_skill(section, issue, keywords, _TRACE, insight=insight)


def check_change(
    skill: Skill,
    *,
    issue: str | None = None,
    insight: str | None = None,
    keywords: Sequence[str] | None = None,
    occurrences: int = 0,
) -> None:
    """See whether an issue could be changed. See :meth:`Skillbook.update_skill`.

    Raises:
        InputError: It could not; says why.
    """
    Skillbook([skill]).update_skill(
        skill.id, _TRACE, issue=issue, insight=insight, keywords=keywords, occurrences=occurrences
    )
