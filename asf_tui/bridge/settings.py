"""The router's settings."""

from __future__ import annotations


def setting_names() -> tuple[str, ...]:
    """Names of the router's settings."""
    from asf_core.services.settings import setting_names as names

    return names()


def check_setting(name: str) -> str:
    """A setting's name, where there is such a setting.

    Raises:
        InputError: There is none of that name.
    """
    from asf_core.services.settings import check_setting as check

    return check(name)
