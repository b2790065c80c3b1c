"""Names of the router's settings, for front ends that offer a choice."""

from __future__ import annotations


def setting_names() -> tuple[str, ...]:
    """The settings in the order from quick to thorough, then the baselines."""
    from asf_core.retrieval.config import SETTINGS

    return tuple(SETTINGS)


def check_setting(name: str) -> str:
    """A setting's name as it is, where there is such a setting.

    Args:
        name: As ``balanced``, ``balanced-pairs`` (one part left out) or ``cross@4``.

    Raises:
        InputError: There is none of that name.
    """
    from asf_core.retrieval.config import find_setting

    return find_setting(name).name
