"""What joins what: barrels, aliases, workspaces, import roots, Go modules, registrations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from measure_trees import write

from asf_core.graph.code.codebase import read_codebase
from asf_core.graph.code.nodes import node_id


def links(root: Path, *, counted: bool = True) -> set[tuple[str, str]]:
    """Pairs of node ids that are joined (or only registered)."""
    graph = read_codebase(root.resolve()).graph
    return {
        (node_id(a), node_id(b)) for (a, b), link in graph.links.items() if link.counts is counted
    }


def tools(root: Path) -> set[str]:
    """Ids of tools."""
    return {node_id(key) for key in read_codebase(root.resolve()).graph.tools}


USE = "export const use = () => thing();\n"
THING = "export function thing() { return 1; }\n"


@pytest.mark.parametrize(
    "barrels",
    [
        {"index.ts": "export * from './lib/thing.js';"},
        {"index.ts": "export { thing } from './lib/thing';"},
        {"index.ts": "import { thing } from './lib/thing.js';\nexport { thing };"},
        {"index.ts": "export * from './lib';", "lib/index.ts": "export * from './thing';"},
        {"index.ts": "export * from './a';\nexport * from './lib/thing';",
         "a.ts": "export * from './index';"},
    ],
    ids=["star", "named", "import-then-export", "two-deep", "ring"],
)  # fmt: skip
def test_barrels_are_seen_through(tmp_path: Path, barrels: dict[str, str]) -> None:
    write(
        tmp_path,
        {"lib/thing.ts": THING, "use.ts": "import { thing } from './index';\n" + USE, **barrels},
    )
    assert links(tmp_path) == {
        ("use.ts#use", "lib/thing.ts#thing"),
        ("use.ts", "lib/thing.ts"),
    }


@pytest.mark.parametrize(
    ("barrel", "line", "use"),
    [
        ("export { thing as other } from './t';", "import { other } from './b';", "other()"),
        ("export { default as thing } from './d';", "import { thing } from './b';", "new thing()"),
        ("export * as ns from './t';", "import { ns } from './b';", "ns.thing()"),
        ("export * from './t';", "import * as b from './b';", "b.thing()"),
        ("export { default } from './d';", "import D from './b';", "new D()"),
        ("export * from './t';", "const { thing } = require('./b');", "thing()"),
        ("export * from './t';", "const b = require('./b');", "b.thing()"),
    ],
)
def test_names_change_on_the_way(tmp_path: Path, barrel: str, line: str, use: str) -> None:
    files = {
        "t.ts": THING,
        "d.ts": "export default class Thing {}\n",
        "b.ts": barrel,
        "u.ts": f"{line}\nexport const use = () => {use};\n",
    }
    write(tmp_path, files)
    found = {pair for pair in links(tmp_path) if pair[0] == "u.ts#use"}
    assert found in ({("u.ts#use", "t.ts#thing")}, {("u.ts#use", "d.ts#Thing")})


def test_a_barrel_that_passes_on_only_is_no_node(tmp_path: Path) -> None:
    from asf_core.graph.code.nodes import plain

    write(tmp_path, {"a.ts": THING, "index.ts": "export * from './a';", "empty.ts": ""})
    nodes, _ = plain(read_codebase(tmp_path.resolve()).graph)
    assert {n.id for n in nodes} == {"a.ts", "a.ts#thing"}


def test_a_long_chain_of_barrels_does_not_overflow(tmp_path: Path) -> None:
    files = {f"b{i}.ts": f"export * from './b{i + 1}';" for i in range(500)}
    files["b500.ts"] = THING
    write(tmp_path, {**files, "use.ts": "import { thing } from './b0';\n" + USE})
    assert ("use.ts", "b0.ts") in links(tmp_path)  # too far to follow: the barrel itself


TSCONFIGS = {
    "paths": {"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'},
    "base-url": {"tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}'},
    "paths-from-base": {
        "tsconfig.json": '{"compilerOptions": {"baseUrl": "./src", "paths": {"@/*": ["*"]}}}'
    },
    "extends": {
        "tsconfig.json": '{"extends": "./config/base"}',
        "config/base.json": '{"extends": ["./tsconfig.deep.json"]}',
        "config/tsconfig.deep.json": '{"compilerOptions": {"paths": {"@/*": ["../src/*"]}}}',
    },
    "references": {
        "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
        "tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
    },
    "comments": {
        "tsconfig.json": '{ // c\n /* d */ "compilerOptions": {"paths": {"@/*": ["./src/*",],},}, }'
    },
    "jsconfig": {"jsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'},
    "habit": {"package.json": '{"name": "x"}'},
    "exact": {
        "tsconfig.json": '{"compilerOptions": {"paths": {"@/lib/thing": ["src/lib/thing"]}}}'
    },
}


@pytest.mark.parametrize("kind", sorted(TSCONFIGS))
def test_path_aliases(tmp_path: Path, kind: str) -> None:
    name = "lib/thing" if kind == "base-url" else "@/lib/thing"
    write(
        tmp_path,
        {
            **TSCONFIGS[kind],
            "src/lib/thing.ts": THING,
            "src/app/use.ts": f"import {{ thing }} from '{name}';\n{USE}",
        },
    )
    expected = ("src/app/use.ts#use", "src/lib/thing.ts#thing")
    found = links(tmp_path)
    assert expected in found


@pytest.mark.parametrize(
    "config",
    [
        "{",
        "[]",
        '{"extends": "./tsconfig.json"}',
        '{"extends": 3, "compilerOptions": 4}',
        '{"compilerOptions": {"paths": {"@/*": "src"}, "baseUrl": 1}}',
        '{"references": [1, {"path": 2}], "extends": [null]}',
        '"' + '\\"' * 1000,
        "/*" * 1000,
    ],
)
def test_broken_configurations_cost_only_their_names(tmp_path: Path, config: str) -> None:
    write(
        tmp_path,
        {
            "tsconfig.json": config,
            "a.ts": THING,
            "b.ts": "import { thing } from './a';\nimport x from '@/y';\n" + USE,
        },
    )
    assert ("b.ts#use", "a.ts#thing") in links(tmp_path)


PACKAGES = {
    "main": {"main": "dist/index.js"},
    "types": {"types": "./dist/index.d.ts"},
    "exports": {"exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}}},
    "exports-string": {"exports": "./src/index.ts"},
    "nothing": {},
}


@pytest.mark.parametrize("workspaces", ["npm", "yarn", "pnpm", "none"])
@pytest.mark.parametrize("kind", sorted(PACKAGES))
def test_workspace_packages(tmp_path: Path, kind: str, workspaces: str) -> None:
    root = {
        "npm": {"package.json": '{"workspaces": ["packages/*"]}'},
        "yarn": {"package.json": '{"workspaces": {"packages": ["packages/**"]}}'},
        "pnpm": {"pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n"},
        "none": {},
    }[workspaces]
    write(
        tmp_path,
        {
            **root,
            "packages/core/package.json": json.dumps({"name": "@x/core", **PACKAGES[kind]}),
            "packages/core/src/index.ts": "export * from './thing.js';",
            "packages/core/src/thing.ts": THING,
            # A package of the same name that no workspace declares.
            "examples/deep/down/core/package.json": json.dumps({"name": "@x/core"}),
            "examples/deep/down/core/src/index.ts": THING,
            "packages/app/use.ts": "import { thing } from '@x/core';\n" + USE,
        },
    )
    assert ("packages/app/use.ts#use", "packages/core/src/thing.ts#thing") in links(tmp_path)


@pytest.mark.parametrize(
    ("package", "specifier"),
    [
        ({"name": "core", "exports": {"./sub/*": "./dist/sub/*.js"}}, "core/sub/thing"),
        ({"name": "core", "exports": {"./t": {"default": "./dist/sub/thing.js"}}}, "core/t"),
        ({"name": "core"}, "core/src/sub/thing"),
        ({"name": "core"}, "core/sub/thing.js"),
        ({"name": "core", "imports": {"#t": "./src/sub/thing.ts"}}, "#t"),
    ],
)
def test_paths_inside_packages(tmp_path: Path, package: object, specifier: str) -> None:
    write(
        tmp_path,
        {
            "core/package.json": json.dumps(package),
            "core/src/sub/thing.ts": THING,
            "core/src/use.ts": f"import {{ thing }} from '{specifier}';\n{USE}",
        },
    )
    assert ("core/src/use.ts#use", "core/src/sub/thing.ts#thing") in links(tmp_path)


PY_THING = "def thing(): return 1\n"


@pytest.mark.parametrize(
    ("files", "line", "call"),
    [
        ({"app/__init__.py": "", "app/t.py": PY_THING}, "from app.t import thing", "thing()"),
        ({"app/__init__.py": "", "app/t.py": PY_THING}, "from app import t", "t.thing()"),
        ({"app/__init__.py": "", "app/t.py": PY_THING}, "import app.t", "app.t.thing()"),
        ({"app/__init__.py": "", "app/t.py": PY_THING}, "import app.t as q", "q.thing()"),
        ({"app/__init__.py": "from .t import thing", "app/t.py": PY_THING},
         "from app import thing", "thing()"),
        ({"app/__init__.py": "from .t import *", "app/t.py": PY_THING},
         "from app import thing", "thing()"),
        ({"app/__init__.py": "from .t import thing", "app/t.py": PY_THING},
         "import app", "app.thing()"),
        ({"app/__init__.py": "from .t import thing as other", "app/t.py": PY_THING},
         "from app import other", "other()"),
        ({"src/app/__init__.py": "", "src/app/t.py": PY_THING}, "from app.t import thing", "thing()"),
        ({"lib/x/app/__init__.py": "", "lib/x/app/t.py": PY_THING},
         "from app.t import thing", "thing()"),
        ({"app/t.py": PY_THING}, "from app.t import thing", "thing()"),
        ({"app/t.py": PY_THING}, "from app import t", "t.thing()"),
        ({"app/t.py": PY_THING}, "import app.t", "app.t.thing()"),
        ({"t.py": PY_THING}, "from t import *", "thing()"),
        ({"t.py": PY_THING}, "try:\n    from t import thing\nexcept ImportError:\n    thing = None",
         "thing()"),
    ],
)  # fmt: skip
def test_python_imports(tmp_path: Path, files: dict[str, str], line: str, call: str) -> None:
    write(tmp_path, {**files, "use.py": f"{line}\n\n\ndef use(): return {call}\n"})
    home = next(path for path in files if path.endswith("t.py"))
    assert ("use.py#use", f"{home}#thing") in links(tmp_path)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("app/sub/use.py", "from ..t import thing"),
        ("app/use.py", "from .t import thing"),
        ("app/sub/use.py", "from app.t import thing"),
    ],
)
def test_imports_inside_a_package(tmp_path: Path, path: str, line: str) -> None:
    packages = {"app/__init__.py": "", "app/sub/__init__.py": "", "app/t.py": PY_THING}
    write(tmp_path, {**packages, path: f"{line}\ndef use(): return thing()\n"})
    assert (f"{path}#use", "app/t.py#thing") in links(tmp_path)


def test_a_package_measured_by_itself_knows_its_own_name(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "app/__init__.py": "",
            "app/t.py": PY_THING,
            "app/use.py": "from app.t import thing\ndef use(): return thing()\n",
        },
    )
    assert ("use.py#use", "t.py#thing") in links(tmp_path / "app")


def test_a_neighbour_is_no_top_level_module_inside_a_package(tmp_path: Path) -> None:
    files = {"app/__init__.py": "", "app/json.py": "def dumps(): pass\n"}
    write(tmp_path, {**files, "app/use.py": "import json\ndef use(): return json.dumps()\n"})
    assert links(tmp_path) == set()


def test_scripts_see_their_neighbours(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"s/t.py": PY_THING, "s/use.py": "from t import thing\ndef use(): return thing()\n"},
    )
    assert ("s/use.py#use", "s/t.py#thing") in links(tmp_path)


def test_go_modules(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "go.mod": "module example.com/m/v2\n\ngo 1.22\n",
            "core/go-core.go": "package kernel\nfunc Run() { helper() }\n",
            "core/help.go": "package kernel\nfunc helper() {}\n",
            "main.go": 'package main\nimport (\n\t"fmt"\n\t"example.com/m/v2/core"\n)\n'
            "func main() { kernel.Run(); fmt.Println() }\n",
            "tools/go.mod": "module example.com/tools\n",
            "tools/x.go": 'package tools\nimport k "example.com/m/v2/core"\nvar V = k.Run\n',
        },
    )
    assert links(tmp_path) == {
        (".#main", "core#Run"),
        ("core#Run", "core#helper"),
        (".", "core"),
        ("tools#V", "core#Run"),
        ("tools", "core"),
    }


def test_go_without_a_go_mod(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "core/a.go": "package core\nfunc Run() {}\n",
            "util/deep/b.go": 'package deep\nimport "example.com/m/core"\nvar V = core.Run\n',
            "main.go": 'package main\nimport "example.com/m/core"\nimport "other.org/x/core"\n'
            "func main() { core.Run() }\n",
        },
    )
    assert {(".#main", "core#Run"), ("util/deep#V", "core#Run")} <= links(tmp_path)


def test_registration_is_no_link(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "base.py": "class BaseTool:\n    pass\n",
            "a.py": "from base import BaseTool\nfrom help import helper\n"
            "class ATool(BaseTool):\n    def run(self): return helper()\n",
            "help.py": "def helper(): pass\n",
        },
    )
    assert links(tmp_path) == {("a.py#ATool", "help.py#helper"), ("a.py", "help.py")}
    assert links(tmp_path, counted=False) == {
        ("a.py#ATool", "base.py#BaseTool"),
        ("a.py", "base.py"),
    }


def test_a_base_that_is_used_otherwise_is_a_link_all_the_same(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "base.py": "class BaseTool:\n    pass\n\n\ndef shared(): pass\n",
            "a.py": "from base import BaseTool, shared\n"
            "class ATool(BaseTool):\n    def run(self): return shared()\n",
        },
    )
    assert links(tmp_path) == {("a.py#ATool", "base.py#shared"), ("a.py", "base.py")}


@pytest.mark.parametrize(("count", "quiet"), [(2, False), (3, True), (9, True)])
def test_who_lists_three_tools_registers_them(tmp_path: Path, count: int, quiet: bool) -> None:
    files = {f"t{i}.py": f"@tool\ndef act{i}(): pass\n" for i in range(count)}
    lines = [f"from t{i} import act{i}" for i in range(count)]
    lines.append("ALL = [" + ", ".join(f"act{i}" for i in range(count)) + "]")
    write(tmp_path, {**files, "all.py": "\n".join(lines)})
    pairs = {("all.py#ALL", f"t{i}.py#act{i}") for i in range(count)}
    pairs |= {("all.py", f"t{i}.py") for i in range(count)}
    assert links(tmp_path, counted=not quiet) == pairs
    assert links(tmp_path, counted=quiet) == set()


def test_a_tool_that_uses_three_others_is_joined_to_them(tmp_path: Path) -> None:
    files = {f"t{i}.py": f"@tool\ndef act{i}(): pass\n" for i in range(3)}
    body = "".join(f"from t{i} import act{i}\n" for i in range(3))
    body += "@tool\ndef flow(): return act0(), act1(), act2()\n"
    write(tmp_path, {**files, "flow.py": body})
    assert {("flow.py#flow", f"t{i}.py#act{i}") for i in range(3)} <= links(tmp_path)


def test_sub_classes_of_tools_are_tools_and_their_common_base_is_not(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.py": "from lib import BaseTool\nclass FileThing(BaseTool): pass\n",
            "b.py": "from a import FileThing\nclass Reader(FileThing): pass\n"
            "class Writer(FileThing): pass\nclass BaseX(FileThing): pass\n",
        },
    )
    assert tools(tmp_path) == {"b.py#Reader", "b.py#Writer"}


def test_a_schema_that_a_tool_uses_is_not_a_second_tool(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "schema.ts": "export const READ = { name: 'read', description: 'd', parameters: {} };",
            "read.ts": "import { READ } from './schema';\n"
            "export class ReadTool extends BaseTool { schema = READ; }",
        },
    )
    assert tools(tmp_path) == {"read.ts#ReadTool"}


def test_what_is_handed_to_add_tool_is_a_tool(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "act.py": "def act(): pass\n",
            "main.py": "from act import act\ndef setup(mcp): mcp.add_tool(act)\n",
        },
    )
    assert tools(tmp_path) == {"act.py#act"}


def test_private_helpers_are_part_of_their_tool(tmp_path: Path) -> None:
    from asf_core.graph.code.nodes import plain

    write(
        tmp_path,
        {
            "a.py": "@tool\ndef act(): return one()\n\n\ndef one(): return two(), shared()\n\n\n"
            "def two(): pass\n\n\ndef shared(): pass\n\n\n@tool\ndef other(): return shared()\n"
        },
    )
    nodes, _ = plain(read_codebase(tmp_path.resolve()).graph)
    assert {n.name: n.part_of for n in nodes if n.part_of} == {"one": "a.py#act", "two": "a.py#act"}
