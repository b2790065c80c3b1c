"""The filter of the list of skills: parse what was typed, match it against thousands of rows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from asf_core.domain.findings import Severity
from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillRow, SkillState
from asf_core.domain.text import visible

_TOKEN = re.compile(r'(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))', re.IGNORECASE)

HAS: dict[str, Callable[[SkillRow], bool]] = {
    "findings": lambda row: row.findings > 0,
    "duplicate": lambda row: row.is_duplicate,
    "dirty": lambda row: row.dirty is True,
    "version": lambda row: row.version is not None,
}
"""What ``has:`` can ask for."""

_FACETS: dict[str, Callable[[SkillRow], str]] = {
    "state": lambda row: f" {row.state.value}",
    "risk": lambda row: f" {row.risk.value}",
    "registry": lambda row: f" {folded(row.registry)}",
    "type": lambda row: f" {folded(row.capability)}",
    "has": lambda row: "".join(f" {word}" for word, test in HAS.items() if test(row)),
}
"""Words of a row that a prefix looks at, each after a space."""

CHOICES: dict[str, tuple[str, ...]] = {
    "state": tuple(SkillState),
    "risk": tuple(Risk),
    "has": tuple(HAS),
}
"""The words that a prefix takes, where they are a closed set."""


def folded(text: str) -> str:
    """Text as the filter compares it: composed, without case."""
    return unicodedata.normalize("NFC", text).casefold()


@dataclass(frozen=True, slots=True)
class Term:
    """One condition."""

    prefix: str
    """``""`` for text anywhere."""
    value: str
    """Folded."""
    negated: bool

    @property
    def problem(self) -> str:
        """Why it can match nothing, in words; empty when it can."""
        choices = CHOICES.get(self.prefix, ())
        if not choices or any(word.startswith(self.value) for word in choices):
            return ""
        return f"{self.prefix}: is one of {', '.join(choices)}"


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, taken apart."""

    terms: tuple[Term, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Query:
        """Read ``word "two words" -word state:quarantined registry:x risk:exec has:findings``."""
        return cls(tuple(term for found in _TOKEN.finditer(text) if (term := _term(found))))

    @property
    def words(self) -> tuple[str, ...]:
        """The words that matching text shows, for highlighting."""
        return tuple(term.value for term in self.terms if not term.prefix and not term.negated)

    @property
    def problem(self) -> str:
        """Why it can match nothing, in words; empty when it can."""
        return next((term.problem for term in self.terms if term.problem), "")

    def narrows(self, other: Query) -> bool:
        """Whether all that matches this also matches ``other``, as when one goes on typing."""
        if len(self.terms) < len(other.terms):
            return False
        pairs = zip(self.terms, other.terms, strict=False)
        return all(
            a.prefix == b.prefix
            and a.negated == b.negated
            and (a.value == b.value if a.negated else a.value.startswith(b.value))
            for a, b in pairs
        )


def _term(found: re.Match[str]) -> Term | None:
    minus, prefix, quoted, bare = found.groups()
    value = quoted if quoted is not None else bare
    key = (prefix or "").lower()
    if key and key not in _FACETS:
        value, key = f"{prefix}:{value}", ""
    if not value or (bare and bare.endswith(":") and bare[:-1].lower() in _FACETS):
        return None  # nothing yet, or a prefix whose value is still being typed
    return Term(key, folded(value), bool(minus))


def highlighter(query: Query) -> re.Pattern[str] | None:
    """A pattern for the parts of a text that a query matched; ``None`` when there are none."""
    words = sorted({word for word in query.words if word}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None


_RISKS = {risk: -rank for rank, risk in enumerate(Risk)}
_SEVERITIES = {severity: -rank for rank, severity in enumerate(Severity)}

ORDERS: dict[str, Callable[[SkillRow], Any]] = {
    "name": lambda row: (folded(row.slug), row.id),
    "registry": lambda row: (row.registry, row.path),
    "findings": lambda row: (_SEVERITIES[row.worst] if row.worst else 1, -row.findings),
    "risk": lambda row: _RISKS[row.risk],
    "size": lambda row: -row.tokens,
}
"""Ways to order the list; the first is the default, and the order within the others."""


def _searched(row: SkillRow) -> str:
    """What is shown of a row, so that what one sees can be typed."""
    return folded(visible(f"{row.slug}\n{row.id}\n{row.description}", keep="\n"))


@dataclass(slots=True, eq=False)
class SkillIndex:
    """Rows with the text that the filter searches, folded once.

    Building belongs in a worker; matching 25,000 rows takes some 20 ms.
    """

    rows: Sequence[SkillRow]
    _texts: list[str] = field(init=False)
    _names: list[str] = field(init=False)
    _columns: dict[str, list[str]] = field(init=False, default_factory=dict)
    _orders: dict[str, list[int]] = field(init=False, default_factory=dict)
    _last: tuple[Query, str, list[int]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._texts = [_searched(row) for row in self.rows]
        self._names = [text.partition("\n")[0] for text in self._texts]
        self.ordered("name")

    def ordered(self, order: str) -> list[int]:
        """Positions of all rows in an order of :data:`ORDERS`; computed once."""
        if order not in self._orders:
            rows, key = self.rows, ORDERS[order]
            start = range(len(rows)) if order == "name" else self.ordered("name")
            self._orders[order] = sorted(start, key=lambda position: key(rows[position]))
        return self._orders[order]

    def match(self, query: Query, order: str = "name") -> list[int]:
        """Positions of the rows that match, in order; by name, the names that match come first.

        When a query narrows the one before it, only what that one left is searched.
        """
        if not query.terms:
            return self.ordered(order)
        found: Iterable[int] = self.ordered(order)
        if self._last and self._last[1] == order and query.narrows(self._last[0]):
            found = self._last[2]
        for term in query.terms:
            found = self._keep(term, found)
        result = list(found)
        self._last = (query, order, result)
        return self._names_first(result, query.words) if order == "name" else result

    def _names_first(self, found: list[int], words: tuple[str, ...]) -> list[int]:
        names = self._names
        first = [i for i in found if all(word in names[i] for word in words)]
        if not words or len(first) == len(found):
            return found
        taken = set(first)
        return first + [i for i in found if i not in taken]

    def _keep(self, term: Term, found: Iterable[int]) -> list[int]:
        texts = self._column(term.prefix) if term.prefix else self._texts
        value = f" {term.value}" if term.prefix else term.value
        if term.negated:
            return [position for position in found if value not in texts[position]]
        return [position for position in found if value in texts[position]]

    def _column(self, prefix: str) -> list[str]:
        if prefix not in self._columns:
            self._columns[prefix] = [_FACETS[prefix](row) for row in self.rows]
        return self._columns[prefix]
