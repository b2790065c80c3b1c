"""Codebases written into a directory, each from a seed or a few numbers."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path


def write(root: Path, files: Mapping[str, str]) -> Path:
    """Write files below ``root``."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


def typescript_tree(root: Path, files: int, seed: int = 7) -> Path:
    """A workspace as large codebases are: packages, aliases, barrels, tools, 200 lines a file."""
    rng = random.Random(seed)
    packages = max(2, files // 400)
    made: list[tuple[int, str, str]] = []
    texts: dict[str, str] = {
        "package.json": json.dumps({"name": "root", "workspaces": ["packages/*"]}),
        "tsconfig.base.json": '{ // shared\n "compilerOptions": {"strict": true,}, }',
    }
    for p in range(packages):
        texts[f"packages/p{p}/package.json"] = json.dumps(
            {"name": f"@syn/p{p}", "main": "dist/index.js"}
        )
        texts[f"packages/p{p}/tsconfig.json"] = json.dumps(
            {
                "extends": "../../tsconfig.base.json",
                "compilerOptions": {"paths": {"@/*": ["./src/*"]}},
            }
        )
        texts[f"packages/p{p}/src/index.ts"] = ""
    for i in range(files - packages):
        p = rng.randrange(packages)
        area = f"area{rng.randrange(20)}"
        path = f"packages/p{p}/src/{area}/mod{i}.ts"
        texts[path] = _module(rng, i, p, area, made)
        texts[f"packages/p{p}/src/index.ts"] += f"export * from './{area}/mod{i}.js';\n"
        made.append((p, area, f"mod{i}"))
    return write(root, texts)


def _module(rng: random.Random, i: int, p: int, area: str, made: list[tuple[int, str, str]]) -> str:
    lines, names = [], []
    # Mostly neighbours, sometimes something far away, as code grows.
    near = [m for m in made[-400:] if m[0] == p and m[1] == area][-6:]
    far = [m for m in made if m[0] == p]
    picks = near[:4] + rng.sample(far, min(3, len(far))) + rng.sample(made, min(2, len(made)))
    for q, where, module in dict.fromkeys(picks):
        number = module.removeprefix("mod")
        name = rng.choice((f"Service{number}", f"make{number}", f"Options{number}"))
        names.append(name)
        if q != p:
            lines.append(f"import {{ {name} }} from '@syn/p{q}';")
        elif where == area:
            lines.append(f"import {{ {name} }} from './{module}.js';")
        else:
            lines.append(f"import {{ {name} }} from '@/{where}/{module}';")
    use = names or ["Object"]
    lines.append(f"export interface Options{i} {{ name: string; depth: number; items: string[]; }}")
    for k in range(rng.randrange(3, 8)):
        lines.append(f"/** Step {k} of module {i}. */")
        lines.append(f"export function step{i}x{k}(input: string, options: Options{i}): string {{")
        for j in range(rng.randrange(8, 22)):
            lines.append(
                f"  const value{j} = input.slice({j}) + String(options.depth * {j + 1});"
                f" if (value{j}.length > {j}) {{ console.log(value{j}, {rng.choice(use)}); }}"
            )
        lines.append("  return input;\n}")
    lines.append(f"export const make{i} = (o: Options{i}) => new Service{i}(o);")
    lines.append(f"export class Service{i} {{\n  constructor(private o: Options{i}) {{}}")
    for k in range(4):
        lines.append(f"  method{k}(a: number) {{ return step{i}x{k % 3}(String(a), this.o); }}")
    lines.append("}")
    if i % 10 == 0:
        lines.append(
            f"export class Job{i}Tool extends BaseTool {{ async execute() {{ "
            f"return {rng.choice(use)}; }} }}"
        )
    return "\n".join(lines) + "\n"


def config_tree(root: Path, areas: int = 6, modules: int = 18) -> Path:
    """Python: areas of modules that work together, tools included, and one object in all of them."""
    files = {"app/__init__.py": "", "app/config.py": "class Config:\n    root = '.'\n"}
    for a in range(areas):
        base = f"app/area{a}"
        files[f"{base}/__init__.py"] = ""
        for m in range(modules):
            before, after = (m - 1) % modules, (m + 1) % modules
            tool = "@mcp.tool()\n" if m % 6 == 0 else ""
            files[f"{base}/part{m}.py"] = (
                "from app.config import Config\n"
                f"from app.area{a}.part{after} import step{after}\n\n\n"
                f"{tool}def step{m}(config: Config):\n    return step{after}(config)\n\n\n"
                f"def check{m}(config: Config):\n    return step{m}(config)\n"
            )
            if m % 3 == 0:
                files[f"{base}/part{m}.py"] += (
                    f"\n\ndef review{m}():\n"
                    f"    from app.area{a}.part{before} import check{before}\n"
                    f"    return check{before}(Config()), check{m}(Config())\n"
                )
    return write(root, files)


LOOSE_STYLES = ("decorated", "one_file", "based", "listed", "typescript", "cobra")


def loose_tree(root: Path, style: str, tools: int = 200) -> Path:
    """Tools that nothing joins but their registration, in the ways that people register tools."""
    files: dict[str, str] = {}
    for i in range(tools):
        if style == "decorated":
            files["server.py"] = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n"
            files[f"t/tool_{i}.py"] = (
                "from server import mcp\nimport json\n\n\n"
                f"@mcp.tool()\ndef act{i}(text: str):\n    return json.dumps(text)\n"
            )
        elif style == "one_file":
            head = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n"
            files.setdefault("server.py", head)
            files["server.py"] += (
                f"\n\n@mcp.tool()\ndef act{i}(text: str):\n    return text[{i}:]\n"
            )
        elif style == "based":
            files["base.py"] = "class BaseTool:\n    def run(self): raise NotImplementedError\n"
            files[f"t/tool_{i}.py"] = (
                "from base import BaseTool\n\n\n"
                f"class Act{i}Tool(BaseTool):\n    def run(self): return {i}\n"
            )
        elif style == "listed":
            files[f"t/tool_{i}.py"] = f"class Act{i}Tool:\n    def run(self): return {i}\n"
            files["registry.py"] = (
                "".join(f"from t.tool_{k} import Act{k}Tool\n" for k in range(tools))
                + "TOOLS = ["
                + ", ".join(f"Act{k}Tool()" for k in range(tools))
                + "]\n"
            )
        elif style == "typescript":
            files["src/index.ts"] = "".join(f"export * from './t{k}.js';\n" for k in range(tools))
            files["src/server.ts"] = "export const server = new McpServer({ name: 'x' });\n"
            files[f"src/t{i}.ts"] = (
                "import { server } from './server.js';\n"
                f"server.tool('act{i}', {{ text: z.string() }}, async (a) => a.text);\n"
            )
        else:
            files["go.mod"] = "module example.com/cli\n"
            files["cmd/root.go"] = 'package cmd\nvar rootCmd = &cobra.Command{Use: "cli"}\n'
            files[f"cmd/act{i}.go"] = (
                f'package cmd\nvar act{i}Cmd = &cobra.Command{{Use: "act{i}", '
                f"Run: func(c *cobra.Command, a []string) {{ println({i}) }}}}\n"
                f"func init() {{ rootCmd.AddCommand(act{i}Cmd) }}\n"
            )
    return write(root, files)
