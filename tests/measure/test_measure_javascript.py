"""What is read from JavaScript and TypeScript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measure_facts import definitions, exports, imports, read, references, tools


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("function f() {}\nexport async function g() {}", {"f": "function", "g": "function"}),
        ("export class C {}\nabstract class D {}", {"C": "class", "D": "class"}),
        ("interface I {}\ntype T = I;\nenum E { A }", {"I": "interface", "T": "type", "E": "enum"}),
        ("export const a = 1, b = 2;\nlet c;", dict.fromkeys("abc", "variable")),
        ("export const { a, b: [c], ...d } = f();", dict.fromkeys("acd", "variable")),
        ("export default class Foo {}", {"Foo": "class"}),
        ("export default { a: 1 };", {"default": "variable"}),
        ("export default function () {}", {"default": "function"}),
        ("namespace N { export const x = 1; }", {"N": "namespace"}),
        ("declare const x: number;\ndeclare function f(): void;", {"x": "variable", "f": "function"}),
        ("exports.a = 1;\nmodule.exports.b = () => 2;", dict.fromkeys("ab", "variable")),
        ("function f() { const inner = 1; }", {"f": "function"}),
    ],
)  # fmt: skip
def test_definitions(source: str, expected: dict[str, str]) -> None:
    assert definitions(read(source, "a.ts")) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import d, { a as b, type C } from './x.js';",
         {("d", "./x.js", "default"), ("b", "./x.js", "a"), ("C", "./x.js", "C")}),
        ("import * as ns from 'y';", {("ns", "y", "*")}),
        ("import './side';", {("", "./side", "*")}),
        ("import type { T } from '@s/p/sub';", {("T", "@s/p/sub", "T")}),
        ("import fs = require('./f');", {("fs", "./f", "=")}),
        ("const x = require('./x');", {("x", "./x", "=")}),
        ("const { a, b: c } = require('./x');",
         {("a", "./x", "a"), ("c", "./x", "b"), ("", "./x", "*")}),
        ("const y = require('./x').y;", {("y", "./x", "y")}),
        ("const lazy = await import('./l.js');", {("lazy", "./l.js", "=")}),
        ("const later = () => import('./l.js');", {("", "./l.js", "*")}),
        ("function f() { const z = require('./z'); return z.go(); }", {("z", "./z", "=")}),
        ("import(name); require(name);", set()),
    ],
)  # fmt: skip
def test_imports(source: str, expected: set[tuple[str, str, str]]) -> None:
    assert imports(read(source, "a.ts")) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("export * from './a';", {("*", "./a", "*")}),
        ("export * as ns from './a';", {("ns", "./a", "*")}),
        ("export { a as b, c } from './a';", {("b", "./a", "a"), ("c", "./a", "c")}),
        ("export { default } from './a';", {("default", "./a", "default")}),
        ("const f = 1; export { f as g };", {("g", None, "f")}),
        ("const f = 1; export default f;", {("default", None, "f")}),
        ("class F {}\nexport = F;", {("default", None, "F")}),
        ("module.exports = { a, b: c };", {("a", None, "a"), ("b", None, "c")}),
        ("module.exports = require('./x');", {("*", "./x", "*")}),
        ("__exportStar(require('./x'), exports);", {("*", "./x", "*")}),
        ("exports.b = a;", {("b", None, "a")}),
    ],
)
def test_exports(source: str, expected: set[tuple[str, str | None, str]]) -> None:
    assert exports(read(source, "a.ts")) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("function g() { return f(); }", {("g", "f")}),
        ("const g = () => m.x.y();", {("g", "m.x.y")}),
        ("class C extends f { a: m; }", {("C", "f"), ("C", "m")}),
        ("interface I { a: m.T; b: f }", {("I", "m.T"), ("I", "f")}),
        ("function g(a: f = m) {}", {("g", "f"), ("g", "m")}),
        ("const g = { f, k: m };", {("g", "f"), ("g", "m")}),
        ("f();", {("", "f")}),
        ("function g() { ({ f } = x); }", {("g", "f")}),
        # Names that hide the imported one.
        ("function g(f) { return f; }", set()),
        ("function g({ f }) { return f; }", set()),
        ("function g([f], ...m) { return f + m; }", set()),
        ("const g = f => f;", set()),
        ("function g() { const f = 1; return f; }", set()),
        ("function g() { for (const f of x) { f(); } }", set()),
        ("function g() { try {} catch (f) { f(); } }", set()),
        ("function g() { function f() {} return f; }", set()),
        ("function g<f>(a: f) {}", set()),
        # Names that are not uses.
        ("function g() { return x.f + { f: 1 }.f; }", set()),
        ("export { f };", set()),
        # A block's own name ends with the block.
        ("function g() { { const f = 1; } return f; }", {("g", "f")}),
    ],
)
def test_references(body: str, expected: set[tuple[str, str]]) -> None:
    found = references(read(f"import {{ f, m }} from './z';\n{body}", "a.ts"))
    assert {(o, n) for o, n in found if n.split(".")[0] in ("f", "m")} == expected


def test_a_name_required_inside_a_function_is_a_use() -> None:
    facts = read("function f() { const z = require('./z'); return z.go(); }", "a.js")
    assert ("f", "z.go") in references(facts)


def test_jsx_uses_components() -> None:
    facts = read(
        "import { A, B } from './z';\nexport const V = () => <A><B.C x={A} /></A>;", "a.tsx"
    )
    assert {("V", "A"), ("V", "B.C")} <= references(facts)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class Read extends BaseTool {}", {"Read": "Read"}),
        ("export class Read extends ns.DeclarativeTool<A, B> {}", {"Read": "Read"}),
        ("export default class extends BaseTool {}", {"default": "default"}),
        ("const Read = class extends BaseTool {};", {"Read": "Read"}),
        ("class ReadTool { execute() {} }", {"ReadTool": "ReadTool"}),
        ("class Deploy extends Command { run() {} }", {"Deploy": "Deploy"}),
        ("export const r = createTool({ description: 'd', execute: f });", {"r": "r"}),
        ("export const r = tool({ name: 'read', description: 'd', parameters: {} });", {"r": "read"}),
        ("export const R = Tool.define('read', { description: 'd' });", {"R": "read"}),
        ("export const r = { name: 'read', description: 'd', inputSchema: {} };", {"r": "read"}),
        ("export const c = { name: 'go', description: 'd', action: () => 1 };", {"c": "go"}),
        ("export const c = { name: 'go', description: 'd', async handler() {} };", {"c": "go"}),
        ("server.tool('echo', {}, f);", {"echo": "echo"}),
        ("server.registerTool('echo', { description: 'd' }, f);", {"echo": "echo"}),
        ("export const reg = (s) => s.registerTool(name, config, f);", {"reg": "reg"}),
        ("function reg(s) { s.tool('a', {}, f); s.tool('b', {}, f); }", {"a": "a", "b": "b"}),
        ("program.command('serve [port]').action(f).command('stop').action(g);",
         {"serve": "serve", "stop": "stop"}),
        ("yargs.command('build', 'd', b, h);", {"build": "build"}),
        # Not tools.
        ("abstract class ReadTool extends BaseTool {}", {}),
        ("class BaseReadTool extends Tool {}", {}),
        ("interface ReadTool { execute(): void }", {}),
        ("const p = { name: 'a', description: 'b' };", {}),
        ("registry.command(x);", {}),
        ("lodash.define('x', { description: 'd' });", {}),
    ],
)  # fmt: skip
def test_tools(source: str, expected: dict[str, str]) -> None:
    assert tools(read(source, "a.ts")) == expected


def test_two_registrations_of_one_name_stay_two() -> None:
    facts = read("s.tool('a', {}, f); s.tool('a', {}, g);\nfunction a() {}", "a.ts")
    assert len(facts.tools) == 2
    assert len({facts.definitions[t.owner].name for t in facts.tools}) == 2


@pytest.mark.parametrize(
    "source",
    [
        "export interface Box<in out T, out U extends X> { t: T }\nexport const z = 1;",
        "export const dual: {\n  <A>(a: A): (b: B) => A\n  <A>(a: A, b: B): A\n} = f\nexport const z = 1;",
        "export const dual: {\n  /** x */\n  <A>(a: A): A\n  /** y */\n  <A>(a: A, b: B): A\n} = f\n"
        "export const z = 1;",
    ],
)  # fmt: skip
def test_gaps_of_the_grammar_are_closed(source: str) -> None:
    facts = read(source, "a.ts")
    assert not facts.damaged
    assert "z" in definitions(facts)


def test_positions_survive_the_repair() -> None:
    facts = read("export interface Box<out T> { t: T }\n\nexport const z = 1;", "a.ts")
    assert {d.name: d.line for d in facts.definitions} == {"Box": 1, "z": 3}


@given(st.text(alphabet="import{}from'./a;export=>()*<>constclas\n ,.`$", max_size=200))
def test_any_text_can_be_read(source: str) -> None:
    for path in ("a.ts", "a.tsx", "a.js"):
        facts = read(source, path)
        for reference in facts.references:
            assert -1 <= reference.owner < len(facts.definitions)
