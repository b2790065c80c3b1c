"""Names that every host takes: legal, unique, the same each time and in any order."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

LONGEST = 64
_TAIL = 8


def legal(text: str, pattern: re.Pattern[str]) -> str:
    """A text as a tool's name: letters, digits, ``_`` and ``-``, at most 64.

    A name that the pattern allows stays as it is. Of letters with marks the letter is kept; a
    script that has none of ASCII leaves nothing, and is then named by its digest.

    >>> legal("Crème brûlée: v2", re.compile("[a-zA-Z0-9_-]{1,64}"))
    'Creme-brulee-v2'
    """
    if pattern.fullmatch(text):
        return text
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-zA-Z0-9_]+", "-", plain).strip("-")[:LONGEST].rstrip("-")
    if not re.search("[a-zA-Z0-9]", name):
        name = f"skill-{_mark(text)}"
    if not pattern.fullmatch(name):
        name = f"skill-{name}"[:LONGEST].rstrip("-")
    return name


def exported_names(
    skills: Iterable[tuple[str, str]], pattern: re.Pattern[str]
) -> Mapping[str, str]:
    """Give each skill a name of its own.

    One name for two skills would send calls to the wrong one, so each skill that shares its name
    gets the digest of its id behind it: which skills are exported with it decides whether, and
    their order does not.

    Args:
        skills: Id and slug of each.
        pattern: What the host allows.

    Returns:
        Name by skill id. Names are compared without regard to case, as some hosts do.
    """
    wanted = {id_: legal(slug, pattern) for id_, slug in skills}
    shared = Counter(name.casefold() for name in wanted.values())
    return {
        id_: name if shared[name.casefold()] == 1 else _told_apart(name, id_)
        for id_, name in wanted.items()
    }


def _told_apart(name: str, id_: str) -> str:
    return f"{name[: LONGEST - _TAIL - 1]}-{_mark(id_)}"


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_TAIL]
