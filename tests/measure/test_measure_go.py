"""What is read from Go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measure_facts import definitions, exports, imports, read, references, tools

HEAD = "package p\n"


def test_definitions() -> None:
    facts = read(
        HEAD
        + "type T struct{}\nfunc (t *T) M() {}\nfunc F() {}\nvar (\n\tA = 1\n\tB, C = 2, 3\n)\n"
        "const D = 1\nfunc init() {}\nvar _ = F\nfunc _() { F() }\n",
        "x/a.go",
    )
    # Methods belong to their type, and each file's init is its own.
    assert definitions(facts) == {
        "T": "method", "F": "function", "A": "variable", "B": "variable", "C": "variable",
        "D": "variable", "init (a.go)": "function",
    }  # fmt: skip
    assert facts.package == "p"


def test_imports() -> None:
    facts = read(
        HEAD + 'import "fmt"\nimport (\n\tal "m/util"\n\t_ "m/side"\n\t. "m/dot"\n)\n', "a.go"
    )
    assert imports(facts) == {
        ("", "fmt", "*"), ("al", "m/util", "*"), ("", "m/side", "*"), ("", "m/dot", "*"),
    }  # fmt: skip
    assert exports(facts) == {("*", "m/dot", "*")}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("func f() { g() }", {("f", "g")}),
        ("func f() { core.Run() }", {("f", "core.Run")}),
        ("type T struct { c *core.Client }", {("T", "core.Client")}),
        ("func (t *T) M() { g() }", {("T", "T"), ("T", "g")}),
        ("func f(g int) { use(g) }", {("f", "use")}),
        ("func f() { g := 1; use(g) }", {("f", "use")}),
        ("func f() { for g := range xs { use(g) } }", {("f", "xs"), ("f", "use")}),
        ("func f() { var g = 1; use(g) }", {("f", "use")}),
        ("func f() { x := T{g: 1}; use(x) }", {("f", "T"), ("f", "use")}),
        ("func f[g any](x g) {}", set()),
        ("func f() { return nil, len(true) }", set()),
    ],
)
def test_references(body: str, expected: set[tuple[str, str]]) -> None:
    assert references(read(HEAD + body + "\n", "a.go")) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('var serveCmd = &cobra.Command{Use: "serve [port]", Run: run}', {"serveCmd": "serve"}),
        ('func newCmd() *cobra.Command { return &cobra.Command{Use: "x"} }', {"newCmd": "x"}),
        ('func get() { return mcp.NewTool("get_issue"), h }', {"get": "get_issue"}),
        ('var t = mcp.Tool{Name: "a", Description: "b"}', {"t": "a"}),
        ("type ReadTool struct{}\nfunc (t ReadTool) Call() {}", {"ReadTool": "ReadTool"}),
        (
            'func reg() { add(&cli.Command{Name: "a"}); add(&cli.Command{Name: "b"}) }',
            {"a": "a", "b": "b"},
        ),
        ("type ReadTool struct{}", {}),
        ("var c = exec.Command{}", {}),
    ],
)
def test_tools(body: str, expected: dict[str, str]) -> None:
    assert tools(read(HEAD + body + "\n", "a.go")) == expected


def test_adding_a_command_is_registration() -> None:
    facts = read(HEAD + "func init() { rootCmd.AddCommand(aCmd, newB()) }\n", "a.go")
    assert all(r.registers for r in facts.references)
    assert {r.name for r in facts.references} == {"rootCmd", "aCmd", "newB"}


@given(st.text(alphabet="package func(){}[]type struct import\"'\n :=.,*&", max_size=200))
def test_any_text_can_be_read(source: str) -> None:
    facts = read(source, "a.go")
    for reference in facts.references:
        assert -1 <= reference.owner < len(facts.definitions)
