"""What a host shows a model of a registry: names and descriptions, within a budget."""

from __future__ import annotations

from enum import StrEnum

from asf_core.domain.base import Value


class Overflow(StrEnum):
    """What a host does with what does not fit."""

    NAMES = "names"
    """Keeps every name and drops whole descriptions, from the end of the list."""
    SHORTEN = "shorten"
    """Shortens the longest descriptions first, evenly; then drops entries from the end."""
    CUT = "cut"
    """Lists whole entries until the budget is spent and leaves out the rest."""


class ListingHost(Value):
    """How one host lists skills."""

    name: str
    budget: int
    """Characters for all entries."""
    most_description: int
    """Characters of one description; the rest of it is never shown. 0 for no limit."""
    overflow: Overflow
    source: str
    """Where the figures come from, and of when."""


class ListingFate(StrEnum):
    """What becomes of one entry."""

    WHOLE = "whole"
    CAPPED = "capped"
    """Longer than the host shows of any description."""
    SHORTENED = "shortened"
    """Shortened to make the list fit."""
    NAME_ONLY = "name only"
    LEFT_OUT = "left out"


class ListingEntry(Value):
    """One skill in a host's list."""

    skill_id: str
    characters: int
    """Of name and description as the host would like to list them."""
    shown: int
    """Of those that it does list."""
    fate: ListingFate


class ListingCheck(Value):
    """A registry against a host's budget."""

    host: ListingHost
    skills: int
    """Listed by the host: not broken, and not switched off for models."""
    characters: int
    """Of all entries, each description capped as the host caps it."""
    budget: int
    fits: bool
    without_demoted: int
    """Characters without aliases and what is in quarantine."""
    entries: tuple[ListingEntry, ...]
    """In the order in which the host lists them, by name."""

    @property
    def cut(self) -> tuple[ListingEntry, ...]:
        """Entries that are not shown as written."""
        return tuple(entry for entry in self.entries if entry.fate is not ListingFate.WHOLE)


class Collision(Value):
    """Two skills that a router or a model can take for one another."""

    first: str
    """The smaller id."""
    second: str
    cosine: float | None
    """Of the descriptions; ``None`` when only the names are alike."""
    because: str
    """``nearly equal descriptions`` or ``nearly equal names``."""
    only_first: tuple[str, ...]
    """Words that only the first one's description has: what tells them apart; hostile text."""
    only_second: tuple[str, ...]
