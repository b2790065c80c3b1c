"""The gate's signals: what each one asks, in a curator's words, and how its strength is measured.

A strength is 0 where nothing is wrong and 1 where it is as bad as it gets, so every weight of the
gate is zero or negative and a contribution can be read without knowing the formula. ``None``: it
cannot be known here (no encoder, say); then the signal has no say.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from asf_core.quality.facts import SkillFacts
from asf_core.quality.stock import OwnText

_ENOUGH_WORDS = 600
_ENOUGH_CONDITIONS = 12
_ENOUGH_DETAIL = 25
_MUCH_PRAISE = 0.06
_UNLIKE = 0.5
"""Cosine at which unrelated descriptions lie with the bundled encoder."""
_USUAL_PEERS = 5
"""So many unlinked skills are added to a directory, which may hold a single one."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a skill's neighbours have to do with it."""

    own: OwnText
    template: float
    """Share of its description that is a template, 0 to 1."""
    nearest_cosine: float | None
    """Of its description and the nearest other skill's; ``None`` without vectors."""
    degree: int
    """Skills that it has a relation with."""
    linked_peers: int
    """Of its peers those that have relations with at least two skills."""
    peers: int
    """Other skills of the directory that it stands in."""
    colliding: tuple[str, ...]
    """Names that are nearly its own."""
    copy_of: str | None
    """The better skill whose scripts or text it repeats."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One signal of one skill."""

    strength: float | None
    """0 (nothing wrong) to 1 (as bad as it gets); ``None``: unknown."""
    measured: str
    """What was measured, for a person."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A question that the gate asks of every skill."""

    id: str
    title: str
    """A few words for a column."""
    explanation: str
    """One sentence for a curator: why it counts."""
    advice: str
    """What would mend it, in the imperative."""
    read: Callable[[SkillFacts, Surroundings], Reading]


def _lack(count: float, enough: int) -> float:
    """1 for nothing, 0 from ``enough`` on; the first few count most."""
    return max(0.0, 1.0 - math.log1p(max(0.0, count)) / math.log1p(enough))


def _uniqueness(_: SkillFacts, around: Surroundings) -> Reading:
    cosine = around.nearest_cosine
    if cosine is None:
        return Reading(None, "not known without description vectors")
    unique = uniqueness(cosine)
    return Reading(1.0 - unique, f"uniqueness {unique:.2f}, cosine with the nearest {cosine:.2f}")


def uniqueness(cosine: float) -> float:
    """How unlike any other a description is.

    Args:
        cosine: With the nearest other description.

    Returns:
        0 (said word for word elsewhere) to 1 (no nearer than unrelated texts are).
    """
    return min(1.0, max(0.0, (1.0 - cosine) / (1.0 - _UNLIKE)))


def _isolation(_: SkillFacts, around: Surroundings) -> Reading:
    # Among skills without relations, having none says nothing about one of them.
    share = around.linked_peers / (around.peers + _USUAL_PEERS)
    strength = share if around.degree <= 1 else 0.0
    said = f"{around.degree} related skills; of {around.peers} beside it {around.linked_peers} have two or more"
    return Reading(strength, said)


def _template(_: SkillFacts, around: Surroundings) -> Reading:
    return Reading(around.template, f"{around.template:.0%} of the description is template")


def _collision(_: SkillFacts, around: Surroundings) -> Reading:
    if not around.colliding:
        return Reading(0.0, "no name nearly its own")
    return Reading(1.0, f"nearly its own: {', '.join(around.colliding[:3])}")


def _copy(_: SkillFacts, around: Surroundings) -> Reading:
    if around.copy_of is None:
        return Reading(0.0, "no other skill repeats it")
    return Reading(1.0, f"repeats {around.copy_of}")


def _empty(_: SkillFacts, around: Surroundings) -> Reading:
    return Reading(_lack(around.own.words, _ENOUGH_WORDS), f"{around.own.words} words of its own")


def _vague(facts: SkillFacts, _: Surroundings) -> Reading:
    detail = facts.description.detail
    return Reading(_lack(detail, _ENOUGH_DETAIL), f"{detail} telling words in the description")


def _occasion(facts: SkillFacts, _: Surroundings) -> Reading:
    if facts.description.occasion:
        return Reading(0.0, "says when to use it")
    return Reading(1.0, "says what, not when")


def _stock(_: SkillFacts, around: Surroundings) -> Reading:
    own = around.own
    said = f"{own.stock_share:.0%} of the text, {own.stock_lines} lines, stands in other skills"
    return Reading(own.stock_share, said)


def _outline(facts: SkillFacts, _: Surroundings) -> Reading:
    text = facts.text
    share = text.items / max(1, text.lines)
    return Reading(share, f"{text.items} of {text.lines} lines are bare list items")


def _conditions(_: SkillFacts, around: Surroundings) -> Reading:
    count = around.own.conditions
    return Reading(_lack(count, _ENOUGH_CONDITIONS), f"{count} conditions, warnings, failures")


def _generic(facts: SkillFacts, _: Surroundings) -> Reading:
    text = facts.text
    share = text.generic / max(20, text.words)
    return Reading(min(1.0, share / _MUCH_PRAISE), f"{text.generic} words of praise or filler")


SIGNALS: tuple[Signal, ...] = (
    Signal(
        "description_uniqueness",
        "unique description",
        "A description that another skill has too leaves a router nothing to choose by.",
        "Say in the description what this skill does that its nearest neighbour does not",
        _uniqueness,
    ),
    Signal(
        "graph_isolation",
        "stands alone",
        "Beside skills that build on each other, one without relations was hardly made for them.",
        "Name the skills that it builds on or goes with",
        _isolation,
    ),
    Signal(
        "description_template_match",
        "template description",
        "A description that only fills the name into a form says nothing about the skill.",
        "Write the description in words of its own",
        _template,
    ),
    Signal(
        "name_collision",
        "name collision",
        "A name one or two letters from another gets taken for it.",
        "Rename it, or merge it with the skill whose name is nearly the same",
        _collision,
    ),
    Signal(
        "ast_duplicate",
        "repeats a better one",
        "Its scripts or its whole text are those of another skill that is as good or better.",
        "Keep one of the two; an alias still resolves",
        _copy,
    ),
    Signal(
        "empty_content",
        "empty content",
        "A body of few words, filler left out, cannot hold a procedure.",
        "Write the procedure down: steps, checks, what to do when one fails",
        _empty,
    ),
    Signal(
        "description_vague",
        "vague description",
        "A description of few telling words can be found by few tasks.",
        "Name in the description the objects, tools and results that the skill is about",
        _vague,
    ),
    Signal(
        "description_occasion",
        "no occasion",
        "A description that never says when leaves the choice to chance.",
        "Add to the description when to use the skill: 'Use when ...'",
        _occasion,
    ),
    Signal(
        "stock_text",
        "stock text",
        "Text that stands in other skills with the topic's name changed was written by a template.",
        "Replace the template's lines by what holds for this topic alone",
        _stock,
    ),
    Signal(
        "bare_outline",
        "bare lists",
        "A list of topics without a verb, a number or a command lists knowledge instead of giving it.",
        "Turn bare list items into instructions with commands, limits or examples",
        _outline,
    ),
    Signal(
        "few_conditions",
        "few conditions",
        "Who knows the work says what to do if it fails, what never to do and why.",
        "Say what can go wrong, how to tell, and what to do then",
        _conditions,
    ),
    Signal(
        "generic_phrases",
        "generic phrases",
        "Praise and filler (comprehensive, best practices, ensure) fit any topic.",
        "Strike words that would stand in any skill",
        _generic,
    ),
)
"""The six of DESIGN 7, then those that were added because they tell slop from good skills.

Tried and left out, because the rest says it already: how many commands, paths and numbers a body has
(it took four more borderline skills of 58 and no more slop), the share of headings, the number of
steps, length of lines, a persona, references to own files."""

DESIGNED = tuple(signal.id for signal in SIGNALS[:6])
"""Ids of the six of the design."""
