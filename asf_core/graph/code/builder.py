"""Collects what a language module sees in one file and settles it into :class:`FileFacts`.

The language modules report by byte position; which definition a reference stands in, whether a
local name hides it, and which registration becomes which tool is decided here, once for all
languages.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from asf_core.graph.code.facts import (
    MODULE_CODE,
    Base,
    Definition,
    Export,
    FileFacts,
    Import,
    Named,
    Reference,
    ToolMark,
)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Mark:
    span: Span
    name: str
    how: str
    line: int


@dataclass(frozen=True, slots=True)
class _Seen:
    name: str
    start: int
    line: int
    members: tuple[str, ...]


class Spans:
    """Ranges of bytes that may touch or overlap, merged, for quick membership tests."""

    def __init__(self, spans: Iterable[Span]) -> None:
        merged: list[list[int]] = []
        for start, end in sorted(spans):
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        self._starts = [start for start, _ in merged]
        self._ends = [end for _, end in merged]

    def __contains__(self, position: int) -> bool:
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._ends[index]


class FileBuilder:
    """One file while it is being read.

    Args:
        path: POSIX path relative to the root.
        language: As in :class:`FileFacts`.
        package: Go's package clause.
    """

    def __init__(self, path: str, language: str, package: str = "") -> None:
        self._path, self._language, self._package = path, language, package
        self.names: set[str] = set()
        """Names worth looking for: imported and defined ones so far."""
        self._definitions: list[Definition] = []
        self._spans: list[Span] = []
        self._imports: dict[Import, None] = {}
        self._exports: dict[Export, None] = {}
        self._seen: list[_Seen] = []
        self._bases: list[_Seen] = []
        self._named: list[tuple[_Seen, str]] = []
        self._marks: list[_Mark] = []
        self._registering: list[Span] = []
        self._hidden: dict[str, list[Span]] = defaultdict(list)
        self._shown: dict[str, list[Span]] = defaultdict(list)

    def define(self, name: str, kind: str, span: Span, line: int) -> None:
        """A top-level definition; of two with one span the first owns what stands in it."""
        self._definitions.append(Definition(name, kind, line))
        self._spans.append(span)
        self.names.add(name)

    def bind(self, local: str, specifier: str, name: str, line: int) -> None:
        """An import."""
        self._imports[Import(local, specifier, name, line)] = None
        if local:
            self.names.add(local)

    def export(self, name: str, specifier: str | None, source: str) -> None:
        """A name passed on."""
        self._exports[Export(name, specifier, source)] = None

    def see(self, name: str, start: int, line: int, members: tuple[str, ...] = ()) -> None:
        """A use of a name."""
        self._seen.append(_Seen(name, start, line, members))

    def hide(self, name: str, span: Span) -> None:
        """A local binding: inside ``span`` the name means something else."""
        self._hidden[name].append(span)

    def show(self, name: str, span: Span) -> None:
        """Inside ``span`` the name means the module's own after all (Python's ``global``)."""
        self._shown[name].append(span)

    def inherit(self, name: str, start: int, members: tuple[str, ...] = ()) -> None:
        """The definition at ``start`` inherits from this name."""
        self._bases.append(_Seen(name, start, 0, members))

    def mark(self, span: Span, name: str, how: str, line: int) -> None:
        """Something here is registered as a tool; ``name`` may be empty."""
        self._marks.append(_Mark(span, name, how, line))

    def registering(self, span: Span) -> None:
        """Names used in this range only register."""
        self._registering.append(span)

    def name_tool(self, name: str, start: int, members: tuple[str, ...], how: str) -> None:
        """What this name means is registered as a tool."""
        self._named.append((_Seen(name, start, 0, members), how))

    def finish(self, *, damaged: bool) -> FileFacts:
        """Settle everything.

        Args:
            damaged: The tree holds errors.
        """
        tools = self._settle_tools()
        owner_of = _Owners(self._spans)
        hidden = self._scopes()
        registering = Spans(self._registering)
        references: dict[tuple[int, str, tuple[str, ...], bool], int] = {}
        for seen in sorted(self._seen, key=lambda s: s.start):
            if seen.name in hidden and seen.start in hidden[seen.name]:
                continue
            key = (owner_of(seen.start), seen.name, seen.members, seen.start in registering)
            references.setdefault(key, seen.line)
        return FileFacts(
            path=self._path,
            language=self._language,
            package=self._package,
            definitions=tuple(self._definitions),
            imports=tuple(self._imports),
            exports=tuple(self._exports),
            references=tuple(Reference(*key, line) for key, line in references.items()),
            bases=tuple(
                Base(owner, seen.name, seen.members)
                for seen in self._bases
                if (owner := owner_of(seen.start)) != MODULE_CODE
            ),
            tools=tuple(tools),
            named=tuple(
                Named(seen.name, seen.members, how)
                for seen, how in self._named
                if not (seen.name in hidden and seen.start in hidden[seen.name])
            ),
            damaged=damaged,
        )

    def _scopes(self) -> dict[str, Spans]:
        hidden = {}
        for name, spans in self._hidden.items():
            shown = set(self._shown.get(name, ()))
            hidden[name] = Spans(span for span in spans if span not in shown)
        return hidden

    def _settle_tools(self) -> list[ToolMark]:
        """Give every registration its definition.

        A definition that is a tool itself, or that holds exactly one registration, is that tool.
        Where it holds several, or where none encloses it, each registration becomes a definition
        of its own and takes over the references that stand in it.
        """
        owner_of = _Owners(self._spans)
        by_owner: dict[int, list[_Mark]] = defaultdict(list)
        for mark in _outermost(self._marks):
            by_owner[owner_of(mark.span[0])].append(mark)
        taken = Counter({definition.name for definition in self._definitions})
        tools: list[ToolMark] = []
        for owner, marks in sorted(by_owner.items()):
            whole = owner != MODULE_CODE and (
                len(marks) == 1 or any(mark.span == self._spans[owner] for mark in marks)
            )
            if whole:
                name = marks[0].name or self._definitions[owner].name
                tools.append(ToolMark(owner, name, marks[0].how))
                continue
            for mark in marks:
                tools.append(ToolMark(len(self._definitions), mark.name, mark.how))
                label = mark.name[:80] or f"tool at line {mark.line}"
                taken[label] += 1
                if taken[label] > 1:
                    label = f"{label} (line {mark.line}, {taken[label]})"
                self._definitions.append(Definition(label, "tool", mark.line))
                self._spans.append(mark.span)
        return [
            tool
            if tool.name
            else ToolMark(tool.owner, self._definitions[tool.owner].name, tool.how)
            for tool in tools
        ]


def _outermost(marks: list[_Mark]) -> list[_Mark]:
    kept: list[_Mark] = []
    for mark in sorted(marks, key=lambda m: (m.span[0], -m.span[1])):
        if kept and mark.span[0] < kept[-1].span[1]:
            outer = kept[-1]
            if not outer.name and mark.name:
                kept[-1] = _Mark(outer.span, mark.name, outer.how, outer.line)
            continue
        kept.append(mark)
    return kept


class _Owners:
    """Which definition a position stands in: the innermost. Spans nest or are disjoint."""

    def __init__(self, spans: list[Span]) -> None:
        # Of two definitions with one span (``const {a, b} = f()``) the first must win, so it
        # comes last among equals.
        self._order = sorted(range(len(spans)), key=lambda i: (spans[i][0], -spans[i][1], -i))
        self._starts = [spans[i][0] for i in self._order]
        self._ends = [spans[i][1] for i in self._order]
        self._outer: list[int] = []
        open_: list[int] = []
        for index, start in enumerate(self._starts):
            while open_ and self._ends[open_[-1]] <= start:
                open_.pop()
            self._outer.append(open_[-1] if open_ else MODULE_CODE)
            open_.append(index)

    def __call__(self, position: int) -> int:
        index = bisect_right(self._starts, position) - 1
        while index >= 0 and position >= self._ends[index]:
            index = self._outer[index]
        return self._order[index] if index >= 0 else MODULE_CODE
