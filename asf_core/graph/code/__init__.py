"""The graph of a codebase in Python, JavaScript, TypeScript and Go, read by tree-sitter.

Nothing is executed, imported or installed; a codebase is text.

*Node.* A module (a source file; in Go a package directory) or a top-level definition (function,
class, interface, type, enum, namespace, variable). Methods belong to their class or type. A tool
that is registered inside a definition, together with others, is a definition of its own. Left out:
modules that define nothing and join nothing (empty files, pure barrels).

*Link.* A reference from the body of a definition, or from module code, to a local or imported
definition; and an import from module to module. Imports are followed through barrels
(``export * from``, ``export {x} from``, ``__init__`` re-exports, ``module.exports``) to the module
that defines what is used, through tsconfig ``paths``/``baseUrl``, workspace packages,
``package.json`` ``exports``/``imports``, Python import roots and ``src`` layouts, and Go modules.
Local names that hide an imported one are no reference. A link joins two nodes once, whatever its
direction and number. Types count: who names a type depends on it. Unknown receivers do not: there
is no type inference, so ``x.method()`` refers to whatever ``x`` is, if that is a known name.

*Tool.* What the code registers as a tool or command: classes whose base is named …Tool or
…Command (directly or through classes of the codebase) and which are not abstract; classes named
…Tool that have a method to run them; functions decorated ``@tool``, ``@mcp.tool``,
``@app.command`` and the like; schema objects (a name, a description, and parameters, an input
schema or an action); calls such as ``server.tool("x", …)``, ``registerTool``, ``createTool``,
``add_tool``, ``NewTool``; click, typer, commander, yargs and cobra commands.

*Registration* is no link: a tool's base class, decorator or server, and its place in a list of
tools (a node, itself no tool, that refers to three tools or more). Otherwise the registry would
join all tools to one another and hide that nothing else does.

*Part.* A definition of the tool's own module that only the tool (or its parts) refers to counts as
part of the tool: private helpers do not end its isolation.
"""
