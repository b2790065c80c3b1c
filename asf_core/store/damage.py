"""Saying that a snapshot's bytes are not those that were written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from asf_core.domain.errors import AsfError, StoreError


def damaged(path: Path, reason: str) -> StoreError:
    """The error for a snapshot that cannot be used; a sync writes it anew.

    Args:
        path: What is damaged.
        reason: What is wrong with it.
    """
    return StoreError(
        "The snapshot is damaged", why=f"{path}: {reason}", hint="Sync again: asf sync"
    )


@contextmanager
def damage_told(path: Path, *, may_be_gone: bool = False) -> Iterator[None]:
    """Say in words whatever goes wrong while a snapshot's files are read.

    Args:
        path: Of the generation.
        may_be_gone: Let ``FileNotFoundError`` through: a writer may have removed the generation.

    Raises:
        StoreError: In place of anything that bytes can cause which are not those written.
    """
    try:
        yield
    except AsfError:
        raise
    except PermissionError as error:
        raise StoreError(
            "The snapshot may not be read",
            why=f"{error.filename or path}: {error.strerror}",
            hint="Check the permissions of the workspace",
        ) from error
    except Exception as error:
        if may_be_gone and isinstance(error, FileNotFoundError):
            raise
        # NumPy alone raises six types at bytes that are not its own.
        raise damaged(path, str(error) or type(error).__name__) from error
