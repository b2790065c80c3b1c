"""Times in records: one moment, one text."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator

_SHAPE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")


def instant(when: datetime) -> str:
    """A moment as records keep it: RFC 3339 in UTC with microseconds, so that text sorts as time.

    Args:
        when: With a time zone.

    Raises:
        ValueError: It has none.
    """
    if when.tzinfo is None:
        raise ValueError("a time without a zone is no moment")
    return when.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def moment(text: str) -> datetime:
    """The moment that :func:`instant` wrote.

    Raises:
        ValueError: The text has another form, or names no day of the calendar.
    """
    if not _SHAPE.fullmatch(text):
        raise ValueError("a time is written as 2026-01-31T09:30:00.000000Z")
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _checked(text: str) -> str:
    moment(text)
    return text


Instant = Annotated[str, AfterValidator(_checked)]
"""RFC 3339 in UTC with exactly six digits after the second."""
