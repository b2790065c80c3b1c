"""Lines and sentences that many skills of a workspace share: the template shows.

A line counts as stock when skills of at least :data:`FAMILY` different names have it. Copies,
editions and translations of one skill carry one name, so they do not make its own lines stock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from asf_core.quality.facts import SkillFacts

FAMILY = 4
"""Different names that a line must have. With three, a skill that was published under two further
names would make itself stock."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What is repeated in a workspace."""

    lines: frozenset[int]
    """Keys of masked lines of bodies."""
    sentences: frozenset[int]
    """Keys of masked sentences of descriptions."""


def find_stock(skills: Iterable[tuple[str, SkillFacts]]) -> Stock:
    """Find what is repeated.

    Args:
        skills: Name and facts of each skill, in any order.
    """
    line_names: dict[int, set[str]] = defaultdict(set)
    sentence_names: dict[int, set[str]] = defaultdict(set)
    for name, facts in skills:
        for line in facts.text.shared:
            _note(line_names[line.key], name)
        for sentence, _ in facts.description.sentences:
            _note(sentence_names[sentence], name)
    return Stock(_repeated(line_names), _repeated(sentence_names))


def _note(names: set[str], name: str) -> None:
    if len(names) < FAMILY:
        names.add(name)


def _repeated(names: dict[int, set[str]]) -> frozenset[int]:
    return frozenset(key for key, carriers in names.items() if len(carriers) >= FAMILY)


@dataclass(frozen=True, slots=True)
class OwnText:
    """What is left of a skill's body without filler and stock lines."""

    words: int
    conditions: int
    stock_share: float
    """Of the body's words, 0 to 1."""
    stock_lines: int


def own_text(facts: SkillFacts, stock: Stock) -> OwnText:
    """Take filler and stock lines out of a body."""
    text = facts.text
    filler = {line.key for line in text.filler}
    gone = [line for line in text.shared if line.key in filler or line.key in stock.lines]
    lost = sum(line.words for line in gone)
    return OwnText(
        words=max(0, text.words - lost),
        conditions=max(0, text.conditions - sum(line.conditions for line in gone)),
        stock_share=min(1.0, lost / max(1, text.words)),
        stock_lines=len(gone),
    )


def template_share(facts: SkillFacts, stock: Stock) -> float:
    """Share of a description's words that say no more than the name, or that many others have."""
    said = facts.description
    if not said.words:
        return 1.0
    repeated = sum(words for sentence, words in said.sentences if sentence in stock.sentences)
    return min(1.0, max(said.filled_in, repeated) / said.words)
