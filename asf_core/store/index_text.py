"""The text that goes to the index (filters) and comes from it (errors)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from asf_core.domain.errors import AsfError, BusyError, StoreError

REBUILD = "Rebuild the index with: asf sync --rebuild"
_MOST_IN_FILTER = 1_000


class IndexUnusableError(StoreError):
    """The index is damaged, or of another program: all that helps is to make it anew."""


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


@contextmanager
def explained(where: Path | str) -> Iterator[None]:
    """Say LanceDB's errors in words.

    Args:
        where: The index.

    Raises:
        IndexUnusableError: In place of anything that damaged files can cause.
        StoreError: No space, or no permission.
        BusyError: Another process wrote at the same moment.
    """
    try:
        yield
    except AsfError:
        raise
    except BaseException as error:
        # Its own types are for remote jobs: a failure comes as any built-in type, and a panic of
        # its Rust code as one that is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise explain(error, where) from error


def explain(error: BaseException, where: Path | str) -> AsfError:
    """Turn LanceDB's error into one that says what to do.

    Args:
        error: As it raises it: all kinds of failure come as one type, told apart by their text.
        where: The index.
    """
    # Behind the message stands a line of LanceDB's own source.
    whole = " ".join(str(error).split(", /")[0].split())
    reason, lowered = whole[:300], whole.casefold()
    why = f"{where}: {reason}"
    if "conflict" in lowered:
        what = "Another process wrote the index at the same moment"
        return BusyError(what, why=why, hint="Try again; nothing was changed")
    what = "The index cannot be used"
    if isinstance(where, str):
        return _explain_remote(where, reason, lowered)
    if "no space left" in lowered:
        return StoreError(what, why=why, hint="Free some space on its disk, then try again")
    if "permission denied" in lowered or "read-only" in lowered:
        hint = "Check the permissions of the workspace, or use another one with --workspace"
        return StoreError(what, why=why, hint=hint)
    return IndexUnusableError(what, why=why, hint=REBUILD)


_REMOTE = (
    ("credential", "no credentials were found, or they were refused"),
    ("accessdenied", "these credentials may not use it"),
    ("nosuchbucket", "there is no such bucket"),
    ("retryerror", "nobody answers at its endpoint"),
)


def _explain_remote(where: str, reason: str, lowered: str) -> StoreError:
    """Of an index on object storage: mostly it is the way there that fails, not the index."""
    known = next((words for mark, words in _REMOTE if mark in lowered), reason)
    return StoreError(
        "The index on object storage cannot be used",
        why=f"{where}: {known}",
        hint="Check ASF_INDEX and what its client reads (for s3: AWS_ACCESS_KEY_ID, "
        "AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT); a damaged index is made anew by: "
        "asf sync --rebuild",
    )
