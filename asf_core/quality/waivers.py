"""Waivers: rules that a curator lets one version of one skill break, for a time, and why.

A file of YAML or JSON that the curator keeps; never one that a registry brings along::

    waivers:
      - rule: download/run
        skill: skills/fetch-tool
        digest: 64 hexadecimal characters, as asf scan --json gives them
        reason: The installer is our own, reviewed on 2026-11-02.
        expires: 2027-03-31

A waiver counts only while every one of its words holds: another digest or a later day, and the
finding counts again. Waived findings stay in every output, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from asf_core.domain.checks import CheckedFinding, Standing, Waiver
from asf_core.domain.errors import InputError
from asf_core.quality.catalogue import catalogue
from asf_core.registry.yamltree import Items, Mapping, Node, Scalar, YamlProblem, parse_tree

_FIELDS = ("rule", "skill", "digest", "reason", "expires")
_MAX_BYTES = 1024 * 1024
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


@dataclass
class Waivers:
    """The waivers of one file, and what became of each.

    Args:
        waivers: In the order of the file.
        today: The day on which they are applied.
    """

    waivers: Sequence[Waiver]
    today: date
    _used: set[int] = field(default_factory=set)
    _said: dict[int, str] = field(default_factory=dict)

    def apply(self, item: CheckedFinding, digest: str | None) -> CheckedFinding:
        """Waive a finding if a waiver for it holds; say why one for it does not.

        Args:
            item: The finding.
            digest: Tree digest of the skill that it is about.
        """
        note = ""
        for number, waiver in enumerate(self.waivers):
            if waiver.rule != item.finding.rule or waiver.skill != item.skill:
                continue
            problem = self._problem(waiver, digest)
            if not problem:
                self._used.add(number)
                said = f"waived until {waiver.expires}: {waiver.reason}"
                return item.model_copy(update={"standing": Standing.WAIVED, "note": said})
            self._said[number] = note = problem
        return item.model_copy(update={"note": note}) if note else item

    def notes(self) -> Iterator[str]:
        """One line for each waiver that waived nothing."""
        for number, waiver in enumerate(self.waivers):
            if number not in self._used:
                why = self._said.get(number, "waives nothing: no such finding was made")
                yield f"waiver for {waiver.rule} in {waiver.skill} {why}"

    def _problem(self, waiver: Waiver, digest: str | None) -> str:
        if date.fromisoformat(waiver.expires) < self.today:
            return f"ran out on {waiver.expires}"
        if waiver.digest != digest:
            return f"is for another version ({waiver.digest[:12]}, here {(digest or 'none')[:12]})"
        return ""


def load_waivers(path: Path, today: date) -> Waivers:
    """Read a file of waivers.

    Raises:
        InputError: It cannot be read, or a waiver in it lacks a field or has an unknown one.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"The waivers {path} cannot be read", why=error.strerror or "") from error
    if len(data) > _MAX_BYTES:
        raise InputError(f"The waivers {path} have more than {_MAX_BYTES:,} bytes")
    try:
        root = parse_tree(data.decode("utf-8"))
    except (UnicodeDecodeError, YamlProblem) as error:
        why = error.message if isinstance(error, YamlProblem) else "It is not UTF-8"
        raise InputError(f"The waivers {path} cannot be read", why=why) from error
    return Waivers(tuple(_waiver(path, node) for node in _items(path, root)), today)


def _items(path: Path, root: Node | None) -> Iterable[Node]:
    if isinstance(root, Mapping):
        for pair in root.pairs:
            if pair.key.text == "waivers" and isinstance(pair.value, Items):
                return pair.value.nodes
    raise InputError(
        f"{path} is no file of waivers",
        why="It must be a map with a list under 'waivers'",
        hint="See the README, 'Waivers'",
    )


def _waiver(path: Path, node: Node) -> Waiver:
    given = {}
    if isinstance(node, Mapping):
        given = {
            p.key.text: p.value.text.strip() for p in node.pairs if isinstance(p.value, Scalar)
        }
    if unknown := sorted(given.keys() - set(_FIELDS)):
        raise _wrong(path, given, f"unknown field {unknown[0]!r}")
    if missing := [name for name in _FIELDS if not given.get(name)]:
        raise _wrong(path, given, f"no {missing[0]}: each waiver has {', '.join(_FIELDS)}")
    if given["rule"] not in catalogue() and not given["rule"].startswith("cisco/"):
        raise _wrong(path, given, f"there is no rule {given['rule']!r}")
    try:
        if not _DAY.match(given["expires"]):
            raise ValueError("not a day")
        date.fromisoformat(given["expires"])
        return Waiver(**given)
    except ValidationError as error:
        raise _wrong(path, given, "the digest is not 64 hexadecimal characters") from error
    except ValueError as error:
        raise _wrong(path, given, f"{given['expires']!r} is no day (YYYY-MM-DD)") from error


def _wrong(path: Path, given: dict[str, str], why: str) -> InputError:
    what = given.get("rule", "a waiver")
    return InputError(f"{path}: {what} for {given.get('skill', 'no skill')!r} is wrong", why=why)
