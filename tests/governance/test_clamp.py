"""The privilege clamp, by property: never wider than any of its four sets, order kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.governance.clamp import effective_tools

_TOOLS = st.sampled_from(["Read", "Write", "Grep", "Bash", "Bash(git:*)", "read", ""])
_SETS = st.none() | st.lists(_TOOLS, max_size=7)


@given(_SETS, _SETS, _SETS, _SETS)
def test_it_is_the_intersection_in_the_declared_order(
    declared: list[str] | None,
    granted: list[str] | None,
    allowed: list[str] | None,
    registered: list[str] | None,
) -> None:
    found = effective_tools(declared, granted, allowed, registered)
    for limit in (declared, granted, allowed, registered):
        assert set(found) <= set(limit or ())
    assert len(set(found)) == len(found)
    # The oracle: walk the declared tools once.
    walked: list[str] = []
    for tool in declared or ():
        everywhere = all(tool in (limit or ()) for limit in (granted, allowed, registered))
        if everywhere and tool not in walked:
            walked.append(tool)
    assert list(found) == walked


@given(_SETS, _SETS, _SETS, _SETS, st.integers(0, 3), _TOOLS)
def test_taking_a_tool_away_anywhere_never_gives_one(
    declared: list[str] | None,
    granted: list[str] | None,
    allowed: list[str] | None,
    registered: list[str] | None,
    which: int,
    tool: str,
) -> None:
    sets = [declared, granted, allowed, registered]
    before = effective_tools(*sets)
    sets[which] = [kept for kept in sets[which] or () if kept != tool]
    after = effective_tools(*sets)
    assert after == tuple(kept for kept in before if kept != tool)


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("nothing", [None, []])
def test_what_is_absent_or_empty_widens_nothing(which: int, nothing: list[str] | None) -> None:
    sets: list[list[str] | None] = [["Read"], ["Read"], ["Read"], ["Read"]]
    assert effective_tools(*sets) == ("Read",)
    sets[which] = nothing
    assert effective_tools(*sets) == ()


def test_tools_are_compared_character_by_character() -> None:
    everything = ["Bash", "Bash(git:*)", "bash"]
    assert effective_tools(["Bash(git:*)"], everything, everything, ["Bash"]) == ()
