"""The privilege clamp: what a skill may use is what everybody allows (DESIGN 8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def effective_tools(
    declared: Sequence[str] | None,
    granted: Collection[str] | None,
    allowed: Collection[str] | None,
    registered: Collection[str] | None,
) -> tuple[str, ...]:
    """The ordered intersection of four sets of tools.

    Args:
        declared: By the skill, in its order.
        granted: By the execution grant.
        allowed: On the channel.
        registered: In the trust policy.

    Returns:
        Tools that stand in all four, in the order of ``declared``, each once. ``None`` and an empty
        set allow nothing: what is absent widens nothing.
    """
    limits = [frozenset(limit or ()) for limit in (granted, allowed, registered)]
    tools = dict.fromkeys(declared or ())
    return tuple(tool for tool in tools if all(tool in limit for limit in limits))
