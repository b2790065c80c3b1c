"""What one source file says of itself: definitions, imports, exports, references, tools.

Plain values without syntax trees, so that a file's tree is freed before the next one is read and
so that one module links all languages.
"""

from __future__ import annotations

from dataclasses import dataclass

MODULE_CODE = -1
"""Owner of a reference that stands outside every definition."""
WHOLE = "*"
"""As an imported name: the module itself. As an exported name: everything that the module has."""
REQUIRED = "="
"""As an imported name: what ``require`` gives, a module's sole export or the module itself."""
DEFAULT = "default"


def name_set(text: str) -> frozenset[str]:
    """The words of a text, for tables of names."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Definition:
    """A top-level definition, or a tool registered inside one."""

    name: str
    kind: str
    """``class``, ``function``, ``interface``, ``type``, ``enum``, ``namespace``, ``variable`` or
    ``tool`` (a registration that has no top-level definition of its own)."""
    line: int
    """1-based."""


@dataclass(frozen=True, slots=True)
class Import:
    """A name that a file takes from another module."""

    local: str
    """What the file calls it; empty where the import binds nothing."""
    specifier: str
    """As written: ``./a.js``, ``pkg.mod``, ``..mod``, ``example.com/m/pkg``."""
    name: str
    """What the other module calls it, or :data:`WHOLE`, :data:`REQUIRED`, :data:`DEFAULT`."""
    line: int


@dataclass(frozen=True, slots=True)
class Export:
    """A name that a file passes on under another name or from another module."""

    name: str
    """As seen from outside; :data:`WHOLE` for everything of ``specifier``."""
    specifier: str | None
    """``None``: the name is one of the file's own."""
    source: str
    """The name there."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A use of an imported or top-level name."""

    owner: int
    """Index of the definition that it stands in, or :data:`MODULE_CODE`."""
    name: str
    members: tuple[str, ...]
    """Names that follow after dots, three at most."""
    registers: bool
    """True where the use only registers a tool: its decorator, its server, an argument of
    ``add_tool``."""
    line: int


@dataclass(frozen=True, slots=True)
class Base:
    """A class that a definition inherits from."""

    owner: int
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolMark:
    """A definition that is registered as a tool or as a command."""

    owner: int
    name: str
    """The tool's own name."""
    how: str
    """What makes it a tool, in words."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name handed to a registering call: what it means is a tool."""

    name: str
    members: tuple[str, ...]
    how: str


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All of one file."""

    path: str
    """POSIX, relative to the root."""
    language: str
    """``python``, ``javascript``, ``typescript`` or ``go``."""
    package: str
    """Go: the package clause; else empty."""
    definitions: tuple[Definition, ...]
    imports: tuple[Import, ...]
    exports: tuple[Export, ...]
    references: tuple[Reference, ...]
    bases: tuple[Base, ...]
    tools: tuple[ToolMark, ...]
    named: tuple[Named, ...]
    damaged: bool
    """True when the grammar could not read all of it; what could be read is kept."""
