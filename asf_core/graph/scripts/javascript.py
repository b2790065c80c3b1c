"""What a JavaScript or TypeScript script reaches: modules, processes, opened files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code.facts import name_set
from asf_core.graph.code.js_syntax import grammar, parse_script
from asf_core.graph.code.syntax import Walk, field, line, text
from asf_core.graph.scripts.found import CALLS_A_SKILL, Found
from asf_core.graph.scripts.places import (
    UNKNOWN,
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

_WANTED = name_set(
    "import_statement export_statement call_expression new_expression variable_declarator"
)
_DEEPEST = 40
_PROCESSES = name_set("exec execSync execFile execFileSync spawn spawnSync fork execa execaSync $")
_OPENS = name_set("readFile readFileSync createReadStream openSync readdirSync readdir")
_SAME = name_set("fileURLToPath pathToFileURL String normalize realpathSync")
_TEXTS = name_set("string template_string")


def read(path: str, source: bytes, found: Found) -> None:
    """Read a script.

    Args:
        path: Its name, which tells its language.
        source: UTF-8.
        found: Where to report.
    """
    reader = _Reader(found)
    for node, kind in Walk(parse_script(grammar(path), source), _WANTED, frozenset()):
        reader.read(node, kind)


class _Reader:
    def __init__(self, found: Found) -> None:
        self._found = found
        self._directory = found.here.up()
        self._names: dict[str, Value] = {"__filename": found.here, "__dirname": self._directory}

    def read(self, node: Node, kind: str) -> None:
        if kind in ("import_statement", "export_statement"):
            self._module(self.value(field(node, "source")), line(node))
        elif kind == "variable_declarator":
            name = field(node, "name")
            if name is not None and name.type == "identifier":
                self._names[text(name)] = self.value(field(node, "value"))
        elif kind == "new_expression":
            arguments = _arguments(node)
            if text(field(node, "constructor")) == "Worker" and arguments:
                self._found.starts(as_place(self.value(arguments[0])), line(node))
        else:
            self._call(node)

    def _call(self, call: Node) -> None:
        function, arguments = field(call, "function"), _arguments(call)
        name = text(function)
        last = name.rpartition(".")[2]
        if name in ("require", "require.resolve", "import") and arguments:
            self._module(self.value(arguments[0]), line(call))
        elif last in _PROCESSES:
            for argument in arguments:
                self._found.starts_any(self._words(argument), line(argument))
        elif last in _OPENS and arguments:
            self._found.starts(as_place(self.value(arguments[0])), line(call))
        elif CALLS_A_SKILL.search(last) and arguments:
            said = self.value(arguments[0])
            if isinstance(said, str):
                self._found.calls(said, line(call))

    def _module(self, specifier: Value, at: int) -> None:
        """A relative specifier starts from the file; a bare one names a package."""
        if isinstance(specifier, str):
            if specifier.startswith("."):
                self._found.needs(self._directory.join(specifier), at)
        elif specifier is not None:
            self._found.needs(specifier, at)

    def _words(self, node: Node) -> list[Value]:
        if node.type == "array":
            return [self.value(child) for child in node.named_children]
        if node.type in _TEXTS:
            return words(self._parts(node, _DEEPEST))
        return [] if node.type in ("object", "arrow_function") else [self.value(node)]

    def value(self, node: Node | None, depth: int = _DEEPEST) -> Value:
        """What an expression is, as far as the text tells it."""
        if node is None or depth <= 0:
            return None
        kind = node.type
        if kind in _TEXTS:
            return combined(self._parts(node, depth - 1))
        if kind == "identifier":
            return self._names.get(text(node))
        if kind == "member_expression":
            return self._member(text(node))
        if kind == "call_expression":
            return self._called(node, depth - 1)
        if kind == "new_expression" and text(field(node, "constructor")) == "URL":
            return self._url([self.value(child, depth - 1) for child in _arguments(node)])
        if kind == "binary_expression" and text(field(node, "operator")) == "+":
            sides = (self.value(field(node, side), depth - 1) for side in ("left", "right"))
            return combined(sides)
        if (
            kind in ("parenthesized_expression", "await_expression", "as_expression")
            and node.named_children
        ):
            return self.value(node.named_children[0], depth - 1)
        return None

    def _parts(self, node: Node, depth: int) -> list[Value]:
        parts: list[Value] = []
        for child in node.named_children:
            if child.type == "template_substitution":
                inner = child.named_children[0] if child.named_children else None
                parts.append(self.value(inner, depth - 1))
            elif child.type == "string_fragment":
                parts.append(text(child))
        return parts

    def _member(self, name: str) -> Value:
        if name in ("import.meta.url", "import.meta.filename"):
            return self._found.here
        return self._directory if name == "import.meta.dirname" else None

    def _called(self, node: Node, depth: int) -> Value:
        name = text(field(node, "function"))
        last = name.rpartition(".")[2]
        given = [self.value(argument, depth) for argument in _arguments(node)]
        if last in ("join", "resolve") and name not in ("require.resolve", "Promise.resolve"):
            return joined(given)
        if last == "dirname" and given:
            return as_place(given[0]).up()
        if name == "process.cwd":
            return written("")
        if (
            name in ("require.resolve", "import.meta.resolve")
            and given
            and isinstance(given[0], str)
        ):
            return self._directory.join(given[0]) if given[0].startswith(".") else UNKNOWN
        return given[0] if last in _SAME and given else None

    def _url(self, given: list[Value]) -> Place:
        """``new URL("../x", import.meta.url)``: from the file's directory, not from the file."""
        if len(given) == 2 and isinstance(given[0], str) and given[1] == self._found.here:
            return self._directory.join(given[0])
        return UNKNOWN


def _arguments(call: Node) -> list[Node]:
    arguments = field(call, "arguments")
    if arguments is None:
        return []
    return [arguments] if arguments.type == "template_string" else list(arguments.named_children)
