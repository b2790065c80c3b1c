"""A route as it is asked for, and reading the usual forms of it without a parser of options.

Whatever is not plainly one of these forms is left to the real parser, so that help, wrong usage and
everything unusual come from there alone.
"""

# pathlib takes longer to import than everything that a client does.
# ruff: noqa: PTH100, PTH111, PTH112
from __future__ import annotations

import os

from asf_core.domain.limits import MOST_DOLLARS, MOST_TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MOST_CANDIDATES = 1_000
_LISTS = {"--registry": "registries", "--input": "inputs"}
_TEXTS = {
    "--setting": "setting",
    "--product": "product",
    "--tenant": "tenant",
    "--user": "user",
    "--workspace": "workspace",
    "--model-dir": "model_dir",
}
_NUMBERS = {"--budget": "budget", "--candidates": "candidates", "--price": "price"}
_FLAGS = {
    "--no-sync": "no_sync",
    "--degraded": "degraded",
    "--active-only": "active_only",
    "--json": "as_json",
    "--quiet": "quiet",
    "-q": "quiet",
    "--debug": "debug",
}
VALUES = frozenset({*_LISTS, *_TEXTS, *_NUMBERS})
"""Options that take a value."""
FLAGS = frozenset(_FLAGS)
"""Options that take none."""
_BOUNDS = {
    "budget": (1, MOST_TOKENS),
    "candidates": (0, MOST_CANDIDATES),
    "price": (0, MOST_DOLLARS),
}


def default_ask() -> dict[str, Any]:
    """What is asked when nothing is said."""
    return {
        "task": "",
        "registries": [],
        "inputs": [],
        "budget": 12_000,
        "setting": "",
        "price": 3.0,
        "candidates": 5,
        "no_sync": False,
        "degraded": False,
        "active_only": False,
        "product": None,
        "tenant": None,
        "user": None,
        "as_json": False,
        "quiet": False,
        "debug": False,
        "workspace": None,
        "model_dir": None,
    }


def read_plain(arguments: Sequence[str]) -> dict[str, Any] | None:
    """Read the arguments of ``asf``, if they are those of a route in one of the usual forms.

    Returns:
        What is asked; ``None`` where the real parser must look.
    """
    if not arguments or arguments[0] != "route" or "_ASF_COMPLETE" in os.environ:
        return None
    ask = default_ask()
    tasks: list[str] = []
    rest = list(arguments[1:])
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            tasks.append(word)
        elif word in _FLAGS:
            ask[_FLAGS[word]] = True
        elif not _take(ask, word, rest):
            return None
    if len(tasks) != 1:
        return None
    for variable, key in (("ASF_WORKSPACE", "workspace"), ("ASF_MODEL_DIR", "model_dir")):
        ask[key] = ask[key] or os.environ.get(variable) or None
    ask["task"] = tasks[0]
    return ask


def _take(ask: dict[str, Any], word: str, rest: list[str]) -> bool:
    """Take an option with its value; false where the real parser must look."""
    name, equals, value = word.partition("=")
    if name not in VALUES or not (equals or rest):
        return False
    value = value if equals else rest.pop(0)
    if not value or value.startswith("-"):
        return False
    if name in _LISTS:
        ask[_LISTS[name]].append(value)
    elif name in _TEXTS:
        ask[_TEXTS[name]] = value
    else:
        key = _NUMBERS[name]
        number = _number(value, whole=key != "price")
        if number is None or not _BOUNDS[key][0] <= number <= _BOUNDS[key][1]:
            return False
        ask[key] = number
    return True


def _number(text: str, *, whole: bool) -> int | float | None:
    """A number in plain digits, of a length that cannot go wrong."""
    digits = text if whole else text.replace(".", "", 1)
    if not (digits.isascii() and digits.isdecimal()) or len(text) > 15 or text[-1] == ".":
        return None
    return int(text) if whole else float(text)


def absolute(ask: dict[str, Any]) -> dict[str, Any]:
    """What is asked, for a process that stands in another directory."""
    registries = [
        os.path.abspath(os.path.expanduser(ref)) if os.path.isdir(os.path.expanduser(ref)) else ref
        for ref in ask["registries"]
    ]
    model_dir = ask["model_dir"] and os.path.abspath(ask["model_dir"])
    return {**ask, "registries": registries, "model_dir": model_dir}
