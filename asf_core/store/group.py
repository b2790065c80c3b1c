"""What the groups of records share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TypeVar

from asf_core.domain.errors import StoreError
from asf_core.store.database import Database

_T = TypeVar("_T")

# Databases limit the parameters of a statement (SQLite 32,766, PostgreSQL 65,535).
_MOST_PARAMETERS = 5_000


class RecordGroup:
    """A group of operations on one database.

    Args:
        database: Open, and at this program's schema.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """Read what was written by this program, and nothing else.

        Raises:
            StoreError: In place of what values cause that were not: the database is damaged.
        """
        try:
            yield
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(
                "A record of the database is damaged",
                why=f"{self._database.where}: {' '.join(str(error).split())[:300]}",
                hint="Read it anew from its registry with: asf sync --rebuild",
            ) from error


def stamp(when: datetime | None = None) -> str:
    """A time as the database keeps it: RFC 3339 in UTC, of one length, so that it sorts.

    Args:
        when: With a time zone; now when left out.
    """
    moment = (when or datetime.now(UTC)).astimezone(UTC)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def chunks(items: Sequence[_T], size: int = _MOST_PARAMETERS) -> Iterator[Sequence[_T]]:
    """Cut a sequence into pieces that fit one statement."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def storable(text: str) -> str:
    """Text for a column of its own: NUL, which PostgreSQL refuses, as the sign that shows it.

    Only for what lists show; a skill itself is kept as JSON, which escapes NUL.
    """
    return text.replace("\x00", "␀")
