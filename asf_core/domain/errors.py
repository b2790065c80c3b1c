"""What can go wrong, said for people: what happened, why, what to do.

The tree::

    AsfError
    ├── InputError              wrong usage or unreadable input
    │   ├── UnknownSkillError   no skill of that id or slug
    │   ├── AmbiguousSkillError one slug, several skills
    │   ├── UnknownIssueError   no skill of that id in the Skillbook
    │   └── SkillbookFormatError    (a ValueError too) a file that is no Skillbook of version 2
    ├── RefusedError            a policy said no
    │   └── ConditionsError     one or more conditions of the control plane do not hold
    ├── MissingError            a model, a store or a dependency is absent or unusable
    │   ├── ModelMissingError
    │   └── StoreError
    └── BusyError               another process holds the workspace

Exit codes belong to the front end (``asf_core.cli.errors``).
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asf_core.domain.refusal import Refusal


class AsfError(Exception):
    """Base of all errors that a person may meet.

    Args:
        what: One line, what happened.
        why: One line, the reason.
        hint: One line, what to do about it.
    """

    def __init__(self, what: str, *, why: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.hint = hint

    def __str__(self) -> str:
        return ". ".join(part.rstrip(".") for part in (self.what, self.why, self.hint) if part)


class InputError(AsfError):
    """Wrong usage or input."""


class UnknownSkillError(InputError):
    """No skill answers to this id or slug.

    Args:
        ref: What was asked for.
        nearest: Ids that come closest, best first.
    """

    def __init__(self, ref: str, nearest: Sequence[str] = ()) -> None:
        hint = f"Did you mean: {', '.join(nearest)}?" if nearest else "List them with: asf skills"
        super().__init__(
            f"No skill is called {ref!r}",
            why="It is neither the id nor the slug of a synced skill",
            hint=hint,
        )
        self.ref = ref
        self.nearest = tuple(nearest)


class AmbiguousSkillError(InputError):
    """One slug, several skills.

    Args:
        ref: The slug.
        choices: The ids it could mean, sorted.
    """

    def __init__(self, ref: str, choices: Sequence[str]) -> None:
        super().__init__(
            f"{ref!r} is the name of {len(choices)} skills",
            why="A slug is accepted only where one skill carries it",
            hint=f"Use one of the ids: {', '.join(choices)}",
        )
        self.ref = ref
        self.choices = tuple(choices)


class UnknownIssueError(InputError):
    """No skill of the Skillbook has this id.

    Args:
        ref: What was asked for.
        why: What is known of it.
    """

    def __init__(self, ref: str, why: str = "No skill of this Skillbook has such an id") -> None:
        super().__init__(
            f"There is no issue {ref!r}", why=why, hint="List them with: asf skillbook list --all"
        )
        self.ref = ref


class SkillbookFormatError(InputError, ValueError):
    """A file that is no Skillbook of version 2.

    Args:
        why: What was found instead.
        hint: What to do; by default how to convert.
    """

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(
            "Skillbook format v2 required — regenerate",
            why=why,
            hint=hint or "Make one of a version-1 file with: asf skillbook convert FILE --into NEW",
        )


class RefusedError(AsfError):
    """A policy said no; nothing was changed."""


class ConditionsError(RefusedError):
    """Conditions of the control plane do not hold; each says what would satisfy it.

    Args:
        what: What was refused.
        refusals: At least one.
    """

    def __init__(self, what: str, refusals: Sequence[Refusal]) -> None:
        first, more = refusals[0], len(refusals) - 1
        also = f" (and {more} more)" if more else ""
        super().__init__(
            what, why=f"{first.condition.value}: {first.why}{also}", hint=first.satisfy
        )
        self.refusals = tuple(refusals)


class MissingError(AsfError):
    """A model, a store or a dependency is absent or cannot be used."""


class ModelMissingError(MissingError):
    """A model's file is absent, or is not the file that its checksum names."""


class StoreError(MissingError):
    """The workspace's database or index cannot be read or written."""


class BusyError(AsfError):
    """Another process holds what this one needs; nothing was changed."""


def of_system(error: OSError) -> AsfError | None:
    """What the system refused, said as one of these errors.

    Args:
        error: Of a call that names a file.

    Returns:
        The error; ``None`` for one that names none, which nobody can act on.
    """
    if error.errno is None or error.filename is None:
        return None
    reason = error.strerror or str(error)
    shown = str(error.filename)
    shown = shown if len(shown) <= _LONGEST_PATH else f"{shown[:_LONGEST_PATH]}…"
    if error.errno in _WRONG_PATH:
        return InputError(f"{shown} cannot be used", why=reason, hint="Check the path")
    return MissingError(
        f"{shown} cannot be used",
        why=reason,
        hint="Check permissions, space and limits of the system, then try again",
    )


_LONGEST_PATH = 200
_WRONG_PATH = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL}
)
