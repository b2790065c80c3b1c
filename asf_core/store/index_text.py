"""The text that goes to the index (filters) and comes from it (errors)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from asf_core.domain.errors import AsfError, BusyError, StoreError

REBUILD = "Rebuild the index with: asf sync --rebuild"
_MOST_IN_FILTER = 1_000


def quoted(text: str) -> str:
    """Text as an SQL literal; ids are made of paths, which may hold quotes."""
    return "'" + text.replace("'", "''") + "'"


def one_of(column: str, values: Iterable[str]) -> str:
    """A filter for rows whose column is one of some values (at least one)."""
    return f"{column} IN ({', '.join(map(quoted, sorted(values)))})"


def filters(column: str, values: Iterable[str]) -> Iterator[str]:
    """Filters that together select all rows whose column is one of any number of values."""
    distinct = sorted(set(values))
    for start in range(0, len(distinct), _MOST_IN_FILTER):
        yield one_of(column, distinct[start : start + _MOST_IN_FILTER])


def explain(error: Exception, where: Path | str) -> AsfError:
    """Turn LanceDB's error into one that says what to do.

    Args:
        error: As it raises it: all kinds of failure come as one type, told apart by their text.
        where: The index.
    """
    # Behind the message stands a line of LanceDB's own source.
    reason = " ".join(str(error).split(", /")[0].split())[:300]
    why, lowered = f"{where}: {reason}", reason.casefold()
    if "conflict" in lowered:
        what = "Another process wrote the index at the same moment"
        return BusyError(what, why=why, hint="Try again; nothing was changed")
    if "no space left" in lowered:
        hint = "Free some space on its disk, then try again"
    elif "permission denied" in lowered or "read-only" in lowered:
        hint = "Check the permissions of the workspace, or use another one with --workspace"
    else:
        hint = REBUILD
    return StoreError("The index cannot be used", why=why, hint=hint)
