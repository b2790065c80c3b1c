"""What is read from Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measure_facts import definitions, exports, imports, read, references, tools


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(): pass\nasync def g(): pass", {"f": "function", "g": "function"}),
        ("@deco\nclass C:\n    def m(self): pass", {"C": "class"}),
        ("X = Y = 1\nA, B = 1, 2\nC: int = 3", dict.fromkeys("XYABC", "variable")),
        ("__all__ = ['x']\n_ = 1\n_private = 2", {"_private": "variable"}),
        ("try:\n    import x\nexcept ImportError:\n    x = None", {"x": "variable"}),
        ("if A:\n    def f(): pass\nelse:\n    def f(): pass", {"f": "function"}),
        ("type Alias = int", {"Alias": "type"}),
        ("def f():\n    def inner(): pass\n    y = 1", {"f": "function"}),
    ],
)
def test_definitions(source: str, expected: dict[str, str]) -> None:
    assert definitions(read(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a", {("a", "a", "*")}),
        ("import a.b.c", {("a", "a", "*"), ("", "a.b.c", "*")}),
        ("import a.b as c", {("c", "a.b", "*")}),
        ("from a import b, c as d", {("b", "a", "b"), ("d", "a", "c")}),
        ("from . import x", {("x", ".", "x")}),
        ("from ..pkg.mod import (\n  x,\n  y,\n)", {("x", "..pkg.mod", "x"), ("y", "..pkg.mod", "y")}),
        ("def f():\n    from a import b", {("b", "a", "b")}),
        ("if TYPE_CHECKING:\n    from a import b", {("b", "a", "b")}),
        ("from a import *", {("", "a", "*")}),
    ],
)  # fmt: skip
def test_imports(source: str, expected: set[tuple[str, str, str]]) -> None:
    assert imports(read(source)) == expected


def test_a_star_import_passes_everything_on() -> None:
    assert exports(read("from .a import *")) == {("*", ".a", "*")}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def g():\n    return f()", {("g", "f")}),
        ("def g():\n    return m.x.y", {("g", "m.x.y")}),
        ("f()", {("", "f")}),
        ("class C(f):\n    def n(self): return m", {("C", "f"), ("C", "m")}),
        ("@f\ndef g(): pass", {("g", "f")}),
        ("def g(a: f = m): pass", {("g", "f"), ("g", "m")}),
        ("def g():\n    from q import f\n    return f", {("g", "f")}),
        # Names that hide the imported one.
        ("def g(f): return f", set()),
        ("def g(*f, **m): return f, m", set()),
        ("def g():\n    f = 1\n    return f", set()),
        ("def g():\n    return f\n    f = 1", set()),
        ("def g(): return [f for f in range(3)]", set()),
        ("def g(): return (lambda f: f)(1)", set()),
        ("def g():\n    with open(1) as f: return f", set()),
        ("def g():\n    for f in 1, 2: print(f)", set()),
        ("def g():\n    if (f := 1): return f", set()),
        ("def g():\n    def f(): pass\n    return f", set()),
        # Names that are not uses.
        ("def g(): return x.f", set()),
        ("def g(): return x(f=1)", set()),
        # A method of that name hides nothing in the other methods.
        ("class C:\n    def f(self): pass\n    def n(self): return f", {("C", "f")}),
        ("def g():\n    global f\n    f = 1\n    return f", {("g", "f")}),
    ],
)
def test_references(body: str, expected: set[tuple[str, str]]) -> None:
    found = references(read(f"from z import f, m\n{body}"))
    assert found == expected | {(o, n) for o, n in found if n not in ("f", "m") and o == n}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@tool\ndef read(p): pass", {"read": "read"}),
        ("@mcp.tool()\nasync def read(p): pass", {"read": "read"}),
        ("@mcp.tool(name='read_file')\ndef read(p): pass", {"read": "read_file"}),
        ("@app.command('go')\ndef main(): pass", {"main": "go"}),
        ("@click.command()\n@click.option('-x')\ndef main(): pass", {"main": "main"}),
        ("class ReadTool(BaseTool):\n    name = 'x'", {"ReadTool": "ReadTool"}),
        ("class Read(base.StructuredTool[int]): pass", {"Read": "Read"}),
        ("class Migrate(BaseCommand): pass", {"Migrate": "Migrate"}),
        ("class ReadTool:\n    def run(self): pass", {"ReadTool": "ReadTool"}),
        ("T = Tool(name='a', description='b', inputSchema={})", {"T": "a"}),
        ("T = {'name': 'a', 'description': 'b', 'parameters': {}}", {"T": "a"}),
        (
            "def all():\n    return [Tool(name='a', description='', inputSchema={}),\n"
            "            Tool(name='b', description='', inputSchema={})]",
            {"a": "a", "b": "b"},
        ),
        (
            "def register(mcp):\n    @mcp.tool()\n    def a(): pass\n\n"
            "    @mcp.tool()\n    def b(): pass",
            {"a": "a", "b": "b"},
        ),
        ("def register(mcp):\n    @mcp.tool()\n    def a(): pass", {"register": "a"}),
        # Not tools.
        ("class BaseTool(Tool): pass", {}),
        ("class AbstractReadTool(BaseTool): pass", {}),
        ("class ReadTool: pass", {}),
        ("class Toolbox(Base): pass", {}),
        ("@property\ndef tool(self): pass", {}),
        ("@click.group()\ndef cli(): pass", {}),
        ("B = Binding(id='a', description='b', action='c')", {}),
        ("P = {'name': 'a', 'description': 'b'}", {}),
    ],
)
def test_tools(source: str, expected: dict[str, str]) -> None:
    assert tools(read(source)) == expected


def test_what_makes_a_tool_known_is_marked_as_registration() -> None:
    facts = read(
        "from s import mcp, helper\n\n\n@mcp.tool()\ndef a(): return helper()\n\n\n"
        "def setup(): mcp.add_tool(helper)\n"
    )
    marked = {(r.name, r.registers) for r in facts.references}
    assert marked == {("mcp", True), ("helper", False), ("helper", True)}
    assert [(n.name, n.how) for n in facts.named] == [("helper", "add_tool()")]


def test_a_decorator_called_by_hand_registers_too() -> None:
    facts = read("from a import f\napp.command('x')(f)\napp.group('y')(f)\n")
    assert [(n.name, n.how) for n in facts.named] == [("f", "app.command()")]
    assert [r.registers for r in facts.references] == [True, False]


def test_a_file_with_errors_keeps_what_can_be_read() -> None:
    facts = read("def f(): pass\n)))\ndef g(): return f()\n")
    assert facts.damaged
    assert {"f", "g"} <= definitions(facts).keys()


@given(st.text(alphabet="def class(x):\n  =,.@'\"[]{}importfrom*", max_size=200))
def test_any_text_can_be_read(source: str) -> None:
    facts = read(source)
    for reference in facts.references:
        assert -1 <= reference.owner < len(facts.definitions)
