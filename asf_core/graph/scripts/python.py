"""What a Python script reaches: ``sys.path``, modules loaded by path, processes, opened files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code.facts import name_set
from asf_core.graph.code.syntax import Walk, field, line, parse, text
from asf_core.graph.scripts.found import CALLS_A_SKILL, Found
from asf_core.graph.scripts.places import (
    UNKNOWN,
    Base,
    Place,
    Value,
    as_place,
    combined,
    joined,
    words,
    written,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_WANTED = name_set("assignment call import_statement import_from_statement")
_DEEPEST = 40
_PATH_TYPES = name_set("Path PurePath PosixPath PurePosixPath")
_SAME = name_set("str fspath abspath realpath normpath expanduser resolve absolute as_posix")
_LOADS = name_set("spec_from_file_location SourceFileLoader load_source run_path")
_PROCESSES = name_set(
    "run Popen call check_call check_output getoutput getstatusoutput system popen startfile "
    "create_subprocess_exec create_subprocess_shell execv execve execvp execl execlp spawnl spawnv"
)
_PROCESS_MODULES = name_set("subprocess os asyncio sp")
_OPENS = name_set("open read_text read_bytes")


def read(source: bytes, found: Found) -> None:
    """Read a script.

    Args:
        source: UTF-8.
        found: Where to report.
    """
    reader = _Reader(found)
    for node, kind in Walk(parse("python", source).root_node, _WANTED, frozenset()):
        reader.read(node, kind)


class _Reader:
    def __init__(self, found: Found) -> None:
        self._found = found
        self._names: dict[str, Value] = {}
        self._roots: list[Place] = []
        """Directories of the search path in which other skills may lie."""

    def read(self, node: Node, kind: str) -> None:
        if kind == "assignment":
            name = field(node, "left")
            if name is not None and name.type == "identifier":
                self._names[text(name)] = self.value(field(node, "right"))
        elif kind == "call":
            self._call(node)
        else:
            self._import(node)

    def _call(self, call: Node) -> None:
        function = field(call, "function")
        name = text(function)
        last = name.rpartition(".")[2]
        arguments = _arguments(call)
        if name in ("sys.path.insert", "sys.path.append") and arguments:
            self._search(as_place(self.value(arguments[-1])), line(call))
        elif last in _LOADS and arguments:
            self._found.needs(
                as_place(self.value(arguments[0 if last == "run_path" else -1])), line(call)
            )
        elif last in _PROCESSES and name.partition(".")[0] in _PROCESS_MODULES:
            for argument in arguments:
                self._found.starts_any(self._words(argument), line(argument))
        elif last in _OPENS:
            self._open(function, arguments, line(call))
        elif CALLS_A_SKILL.search(last) and arguments:
            said = self.value(arguments[0])
            if isinstance(said, str):
                self._found.calls(said, line(call))

    def _search(self, place: Place, at: int) -> None:
        """A directory that modules are looked for in: another skill's, or one that holds skills."""
        if place.base is Base.SKILL and set(place.path.split("/")) == {".."}:
            self._roots.append(place)
        else:
            self._found.needs(place, at)

    def _import(self, node: Node) -> None:
        named = (
            [field(node, "module_name")]
            if node.type.endswith("from_statement")
            else node.named_children
        )
        for module in named:
            dotted = text(field(module, "name") or module) if module is not None else ""
            for root in self._roots if dotted and not dotted.startswith(".") else ():
                self._found.needs(root.join(dotted.replace(".", "/")), line(node))

    def _open(self, function: Node | None, arguments: list[Node], at: int) -> None:
        if function is not None and function.type == "attribute":
            opened = self.value(field(function, "object"))
            opened = opened if isinstance(opened, Place) else None
        else:
            opened = self.value(arguments[0]) if arguments else None
        if opened is not None:
            self._found.starts(as_place(opened), at)

    def _words(self, node: Node) -> list[Value]:
        """The words of a command, given as a list or as one text."""
        if node.type in ("list", "tuple"):
            return [self.value(child) for child in node.named_children]
        if node.type in ("string", "concatenated_string"):
            return words(self._parts(node, _DEEPEST))
        if node.type == "keyword_argument":
            return []
        return [self.value(node)]

    def value(self, node: Node | None, depth: int = _DEEPEST) -> Value:
        """What an expression is, as far as the text tells it."""
        if node is None or depth <= 0:
            return None
        kind = node.type
        if kind in ("string", "concatenated_string"):
            return combined(self._parts(node, depth - 1))
        if kind == "identifier":
            return self._found.here if text(node) == "__file__" else self._names.get(text(node))
        if kind == "attribute":
            return self._attribute(node, depth - 1)
        if kind == "subscript":
            return self._subscript(node, depth - 1)
        if kind == "call":
            return self._called(node, depth - 1)
        if kind == "binary_operator":
            return self._operator(node, depth - 1)
        if kind == "parenthesized_expression" and node.named_children:
            return self.value(node.named_children[0], depth - 1)
        return None

    def _parts(self, node: Node, depth: int) -> list[Value]:
        """The pieces of a string: texts, and what stands in braces."""
        if node.type == "concatenated_string":
            return [p for child in node.named_children for p in self._parts(child, depth - 1)]
        parts: list[Value] = []
        for child in node.named_children:
            if child.type == "interpolation":
                parts.append(self.value(field(child, "expression"), depth - 1))
            elif child.type == "string_content":
                parts.append(text(child))
        return parts

    def _attribute(self, node: Node, depth: int) -> Value:
        inner = self.value(field(node, "object"), depth)
        if text(field(node, "attribute")) == "parent" and inner is not None:
            return as_place(inner).up()
        return None

    def _subscript(self, node: Node, depth: int) -> Value:
        of, index = field(node, "value"), text(field(node, "subscript"))
        if of is not None and of.type == "attribute" and text(field(of, "attribute")) == "parents":
            inner = self.value(field(of, "object"), depth)
            if inner is not None and index.isdecimal() and len(index) < 3:
                return as_place(inner).up(int(index) + 1)
        return UNKNOWN

    def _called(self, node: Node, depth: int) -> Value:
        function = field(node, "function")
        name = text(function)
        last = name.rpartition(".")[2]
        given = [self.value(argument, depth) for argument in _arguments(node)]
        if last in _PATH_TYPES or name in ("os.path.join", "join"):
            return joined(given) if given else written("")
        if last == "dirname" and given:
            return as_place(given[0]).up()
        if name in ("Path.cwd", "os.getcwd", "getcwd"):
            return written("")
        inner = self.value(field(function, "object"), depth) if function is not None else None
        if last == "joinpath" and inner is not None:
            return joined([as_place(inner), *given])
        if last in _SAME:
            return inner if inner is not None else given[0] if given else None
        return None

    def _operator(self, node: Node, depth: int) -> Value:
        left = self.value(field(node, "left"), depth)
        right = self.value(field(node, "right"), depth)
        sign = text(field(node, "operator"))
        if sign == "/":
            return joined([UNKNOWN if left is None else left, right])
        return combined([left, right]) if sign == "+" else None


def _arguments(call: Node) -> list[Node]:
    arguments = field(call, "arguments")
    return list(arguments.named_children) if arguments is not None else []
