"""The help screen: the commands of the place where one is, the filter, the signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.content import Content

from asf_core.domain.findings import Severity
from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillState
from asf_tui import facts
from asf_tui.blocks import BLANK, Block, Pairs, Rule
from asf_tui.commands import Command, Place, commands_of
from asf_tui.commands.shared import ANYWHERE
from asf_tui.commands.skills import SKILLS
from asf_tui.glyphs import Glyphs

MARGIN = 12
"""Cells of the column of keys."""

_FILTER = (
    ("words", "all must occur in the name, the id or the description"),
    ('"two words"', "as they stand"),
    ("-word", "must not occur; works before a prefix as well"),
    ("state:", "ready, broken, quarantined"),
    ("risk:", "safe, network, exec, critical, unsafe"),
    ("registry:", "the start of a registry's name"),
    ("type:", "the start of a capability type"),
    ("has:", "findings, duplicate, dirty, version"),
)


def blocks(
    places: tuple[Place, ...], glyphs: Glyphs, key_of: Callable[[Command], str]
) -> Iterator[Block]:
    """The help of a place.

    Args:
        places: Whose commands to list, besides those that apply anywhere.
        glyphs: The signs.
        key_of: How a command's key is shown; empty when it has none.
    """
    for place in (*places, ANYWHERE):
        rows = [
            (
                key_of(command) or "palette",
                Content.assemble((command.title, "bold"), f"  {command.help}"),
            )
            for command in commands_of(place)
        ]
        yield Rule(place.title)
        yield Pairs(rows, MARGIN)
        yield BLANK
    if SKILLS in places:
        yield Rule("What the filter understands")
        yield Pairs([(name, Content(text)) for name, text in _FILTER], MARGIN)
        yield BLANK
    yield Rule("Signs")
    yield Pairs(_signs(glyphs), MARGIN)


def _signs(glyphs: Glyphs) -> list[tuple[str, Content]]:
    space = Content("   ")
    return [
        ("state", space.join(facts.verdict(glyphs.state(state)) for state in SkillState)),
        ("findings", space.join(facts.verdict(glyphs.severity(level)) for level in Severity)),
        ("risk", space.join(facts.verdict(glyphs.risk(risk)) for risk in Risk)),
        (
            "ranks",
            Content(
                f"{glyphs.up}3 up by three   {glyphs.down}2 down by two   {glyphs.same} kept   {glyphs.new} brought in here"
            ),
        ),
        ("bars", Content(f"{glyphs.budget} is the budget; what lies beyond it is over")),
    ]
