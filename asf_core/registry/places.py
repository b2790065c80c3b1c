"""Where a field may stand: at the top, under ``asf``, ``metadata.asf`` or ``metadata``."""

from __future__ import annotations

import re

from asf_core.registry import rules
from asf_core.registry.report import Report
from asf_core.registry.values import text_of
from asf_core.registry.yamltree import Mapping, Pair, first_flow

SPEC_FIELDS = ("name", "description", "license", "compatibility", "allowed-tools", "metadata")
"""Fields of the base format; its validator refuses any other at the top level."""

RELATIONS = (
    "depends_on",
    "required_sub_skills",
    "complements",
    "co_used_with",
    "conflicts_with",
    "tested_by",
    "extends",
    "version_of",
)
OUR_FIELDS = frozenset(
    {
        "version",
        "capability",
        "capability_type",
        "inputs",
        "outputs",
        "graph",
        "risk",
        "triggers",
        "asf",
        *RELATIONS,
    }
)
HOST_FIELDS = dict.fromkeys(
    (
        "agent",
        "argument_hint",
        "arguments",
        "context",
        "disable_model_invocation",
        "disallowed_tools",
        "effort",
        "hooks",
        "model",
        "paths",
        "shell",
        "user_invocable",
        "when_to_use",
    ),
    "Claude Code",
)
"""Fields that one host defines, and which."""

_SPEC = {field.replace("-", "_"): field for field in SPEC_FIELDS}
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MISTAKEN = {"tools": "allowed-tools", "desc": "description", "title": "name"}


def canonical(key: str) -> str:
    """A key in snake case: ``allowed-tools`` and ``allowedTools`` are ``allowed_tools``."""
    return _CAMEL.sub("_", key.strip()).replace("-", "_").lower()


class Places:
    """The fields of a frontmatter, found by canonical name in the order of the places."""

    def __init__(self, root: Mapping, report: Report) -> None:
        self._report = report
        self._used: set[int] = set()
        self._top = _by_name(root)
        asf = self._open("asf", self._top)
        self._metadata = self._open("metadata", self._top)
        inner_asf = self._open("asf", self._metadata)
        self._ours = [self._top, asf, inner_asf, self._metadata]
        self._graphs = [self._open("graph", place) for place in self._ours]
        self._root = root
        self._nested = {"asf": asf, "metadata": self._metadata, "metadata.asf": inner_asf}

    def base(self, name: str) -> Pair | None:
        """A field of the base format or of a host: at the top level only."""
        return self._first(name, [self._top])

    def ours(self, name: str) -> Pair | None:
        """A field of ours, the first place that has it."""
        return self._first(name, self._ours)

    def relation(self, name: str) -> Pair | None:
        """A relation, which may also stand under ``graph``."""
        return self._first(name, [*self._graphs, *self._ours])

    def inside(self, pair: Pair | None, name: str) -> Pair | None:
        """A field of a mapping that is itself a field."""
        if pair is None or not isinstance(pair.value, Mapping):
            return None
        return self._first(name, [_by_name(pair.value)])

    def _open(self, name: str, place: dict[str, list[Pair]]) -> dict[str, list[Pair]]:
        for pair in place.get(name, ()):
            if isinstance(pair.value, Mapping):
                self._used.add(pair.key.start)
                return _by_name(pair.value)
        return {}

    def _first(self, name: str, places: list[dict[str, list[Pair]]]) -> Pair | None:
        pairs = [pair for place in places if name in place for pair in place[name]]
        if not pairs:
            return None
        pairs.sort(key=lambda pair: pair.key.text != _SPEC.get(name, pair.key.text))
        self._used.update(pair.key.start for pair in pairs)
        for other in pairs[1:]:
            if text_of(other.value) != text_of(pairs[0].value):
                message = (
                    f"{other.key.text} is given again with another value;"
                    f" the first, {pairs[0].key.text}, is taken."
                )
                self._report.at_node(rules.FIELD_TWICE, message, other.key)
        return pairs[0]

    def remaining(self) -> tuple[tuple[str, str], ...]:
        """Fields that nothing has read, in file order, nested ones with their place in the name."""
        rest: list[tuple[int, str, str]] = []
        for prefix, place in (("", self._top), *self._nested.items()):
            for pair in (pair for pairs in place.values() for pair in pairs):
                if pair.key.start not in self._used:
                    name = f"{prefix}.{pair.key.text}" if prefix else pair.key.text
                    rest.append((pair.key.start, name, text_of(pair.value)))
        return tuple((name, text) for _, name, text in sorted(rest))

    def check_names(self) -> None:
        """Report what the official validator refuses of the frontmatter as a whole."""
        if (flow := first_flow(self._root)) is not None:
            message = "The official validator refuses [a, b] and {a: b}; write one item a line."
            self._report.at_node(rules.FLOW_STYLE, message, flow)
        for pair in self._root.pairs:
            key = pair.key.text
            if key not in SPEC_FIELDS:
                self._report_name(pair, canonical(key))

    def _report_name(self, pair: Pair, name: str) -> None:
        key, report = pair.key, self._report
        if name in _SPEC:
            repair = report.rename_key(key, _SPEC[name])
            message = f"{key.text} is read as {_SPEC[name]}, which is how the format spells it."
            report.at_node(rules.FIELD_OUTSIDE_SPEC, message, key, repair=repair)
        elif name in OUR_FIELDS:
            message = (
                f"The official validator refuses {key.text} at the top level;"
                " it also counts under 'metadata:'."
            )
            report.at_node(rules.FIELD_OUTSIDE_SPEC, message, key)
        elif name in HOST_FIELDS:
            message = (
                f"{key.text} is a field of {HOST_FIELDS[name]}; the official validator refuses it."
            )
            report.at_node(rules.FIELD_OUTSIDE_SPEC, message, key)
        else:
            self._report_unknown(pair, name)

    def _report_unknown(self, pair: Pair, name: str) -> None:
        key = pair.key
        meant = _MISTAKEN.get(name)
        if meant is not None and meant.replace("-", "_") not in self._top:
            message = f"{key.text} is not read by any host; {meant} is the field of the format."
            repair = self._report.rename_key(key, meant)
            self._report.at_node(rules.UNKNOWN_FIELD, message, key, repair=repair)
            return
        message = f"{key.text} is no field of the format; own data belongs under 'metadata:'."
        self._report.at_node(rules.UNKNOWN_FIELD, message, key)


def _by_name(mapping: Mapping) -> dict[str, list[Pair]]:
    pairs: dict[str, list[Pair]] = {}
    for pair in mapping.pairs:
        pairs.setdefault(canonical(pair.key.text), []).append(pair)
    return pairs
