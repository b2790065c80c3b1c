"""What a shell script reaches: sourced files, scripts that it runs, skills that it calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asf_core.graph.code.facts import name_set
from asf_core.graph.code.syntax import Walk, field, parse, text
from asf_core.graph.scripts.found import Found
from asf_core.graph.scripts.places import UNKNOWN, Base, Place, Value, as_place, combined, written
from asf_core.graph.scripts.shell_lines import telling_lines

if TYPE_CHECKING:
    from tree_sitter import Node

_WANTED = name_set("command variable_assignment")
_DEEPEST = 30
_RUNNERS = name_set(
    "python python2 python3 node bash sh zsh dash ksh deno bun tsx ts-node npx uv uvx pipx poetry "
    "pwsh powershell ruby perl php exec env sudo time nohup command nice timeout xargs"
)
_AGENTS = name_set("claude codex gemini opencode cursor-agent copilot")
_SKILL_PROGRAM = re.compile(r"(?:openskills?|skills?|asf)\Z")
_SKILL_VERB = name_set("run invoke use read load call activate exec")
_SKILL_COMMAND = re.compile(r"(?:run|invoke|use|call)-skill\Z")
_SLASH = re.compile(r"\s*/([a-z0-9][a-z0-9-]{1,63})(?=\s|\Z)")
_SAME = name_set("realpath readlink echo cygpath")
_DATA = re.compile(
    r"\.(?:md|txt|json|jsonl|ya?ml|toml|csv|tsv|html?|xml|pdf|docx|xlsx|png|svg)\Z", re.I
)


def read(source: bytes, found: Found, *, sure: bool = True) -> None:
    """Read a script, or a block of commands.

    Args:
        source: UTF-8.
        found: Where to report.
        sure: False for commands in instructions: they may never be run, so they need nothing.
    """
    reader = _Reader(found, sure=sure)
    for first, line in telling_lines(source):
        root = parse("bash", line).root_node
        for node, kind in Walk(root, _WANTED, frozenset()):
            reader.read(node, kind, first)


class _Reader:
    def __init__(self, found: Found, *, sure: bool) -> None:
        self._found = found
        self._sure = sure
        self._names: dict[str, Value] = {}
        self._cwd = written("")

    def read(self, node: Node, kind: str, at: int) -> None:
        if kind == "variable_assignment":
            self._names[text(field(node, "name"))] = self.value(field(node, "value"))
            return
        name = self.value(_name(node))
        given = [self.value(argument) for argument in _arguments(node)]
        if name in (".", "source"):
            self._reach(given[0] if given else None, at)
        elif name == "cd":
            self._enter(given)
        elif isinstance(name, Place) or (isinstance(name, str) and "/" in name):
            self._reach(name, at)
        elif isinstance(name, str):
            self._run(name, given, at)

    def _run(self, name: str, given: Sequence[Value], at: int) -> None:
        program = name.rpartition("/")[2]
        if program in _RUNNERS:
            for value in given:
                if _may_be_script(value):
                    self._reach(value, at)
                    return
        elif program in _AGENTS:
            for value in given:
                if isinstance(value, str) and (called := _SLASH.match(value)):
                    self._found.calls(called[1], at)
        elif _SKILL_COMMAND.match(program) and given and isinstance(given[0], str):
            self._found.calls(given[0], at)
        elif _SKILL_PROGRAM.match(program) and given and given[0] in _SKILL_VERB:
            for value in given[1:2]:
                if isinstance(value, str):
                    self._found.calls(value, at)

    def _reach(self, value: Value, at: int) -> None:
        place = as_place(value)
        if place.base is Base.HERE:
            place = self._cwd.join(place.path) if place.path else self._cwd
        (self._found.needs if self._sure else self._found.starts)(place, at)

    def _enter(self, given: Sequence[Value]) -> None:
        place = as_place(given[0]) if given else UNKNOWN
        self._cwd = self._cwd.join(place.path) if place.base is Base.HERE else place

    def value(self, node: Node | None, depth: int = _DEEPEST) -> Value:
        """What a word is, as far as the text tells it."""
        if node is None or depth <= 0:
            return None
        kind = node.type
        if kind in ("word", "string_content", "number"):
            return text(node).replace("\\", "")
        if kind == "raw_string":
            return text(node)[1:-1]
        if kind in ("string", "concatenation"):
            return combined(self.value(child, depth - 1) for child in node.named_children)
        if kind == "command_name" and node.named_children:
            return self.value(node.named_children[0], depth - 1)
        if kind in ("simple_expansion", "expansion"):
            return self._expansion(node, depth - 1)
        return self._substitution(node, depth - 1) if kind == "command_substitution" else None

    def _expansion(self, node: Node, depth: int) -> Value:
        said = text(node)
        if said in ("$0", "${0}", "$BASH_SOURCE") or said.startswith("${BASH_SOURCE"):
            # ${BASH_SOURCE[0]%/*} is its directory
            return self._found.here.up() if said.endswith("%/*}") else self._found.here
        name = next((c for c in node.named_children if c.type == "variable_name"), None)
        known = self._names.get(text(name)) if name is not None else None
        if known is None and ":-" in said and len(node.named_children) > 1:
            return self.value(node.named_children[-1], depth)
        if known is not None and said.endswith("%/*}"):
            return as_place(known).up()
        return known

    def _substitution(self, node: Node, depth: int) -> Value:
        """``$(dirname "$0")``, ``$(cd "$x" && pwd)``, ``$(realpath x)``."""
        commands = [c for c, _ in Walk(node, frozenset(("command",)), frozenset())][:4]
        where = written("")
        for command in commands:
            name, given = text(_name(command)), self._values(command, depth)
            if name == "cd" and given:
                place = as_place(given[0])
                where = where.join(place.path) if place.base is Base.HERE else place
            elif name == "pwd":
                return where
            elif name == "dirname" and given:
                return as_place(given[-1]).up()
            elif name in _SAME and given:
                return given[-1]
        return None

    def _values(self, command: Node, depth: int) -> list[Value]:
        """Arguments of an inner command, options left out."""
        values = [self.value(argument, depth) for argument in _arguments(command)]
        return [v for v in values if not (isinstance(v, str) and v.startswith("-"))]


def _name(command: Node) -> Node | None:
    return field(command, "name")


def _arguments(command: Node) -> list[Node]:
    return command.children_by_field_name("argument")


def _may_be_script(value: Value) -> bool:
    """Whether a word of a command line may be what it runs, and no option and no data."""
    if isinstance(value, Place):
        return not _DATA.search(value.path)
    return isinstance(value, str) and "/" in value and value[0] != "-" and not _DATA.search(value)
