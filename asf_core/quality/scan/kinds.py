"""What a file is: told from its bytes first and from its name second."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePosixPath


class Kind(StrEnum):
    """What a file, or a fenced block of Markdown, is written in."""

    MARKDOWN = "markdown"
    SHELL = "shell"
    POWERSHELL = "powershell"
    BATCH = "batch"
    PYTHON = "python"
    JAVASCRIPT = "javascript"
    CODE = "code"
    """Any other programming language."""
    MAKE = "make"
    """Makefiles, Dockerfiles and the like: shell commands between other lines."""
    HTML = "html"
    DATA = "data"
    """JSON, YAML, TOML, CSV and the like."""
    TEXT = "text"
    BINARY = "binary"


COMMANDS = frozenset({Kind.SHELL, Kind.POWERSHELL, Kind.BATCH, Kind.MAKE})
"""Kinds whose lines are commands."""
PROGRAMS = COMMANDS | {Kind.PYTHON, Kind.JAVASCRIPT, Kind.CODE}
"""Kinds that run."""

_WORDS: dict[Kind, str] = {
    Kind.MARKDOWN: "md markdown mdx mdc",
    Kind.SHELL: "sh bash zsh fish ksh dash shell console terminal shell-session shellsession envrc",
    Kind.POWERSHELL: "ps1 psm1 psd1 powershell pwsh",
    Kind.BATCH: "bat cmd batch dos",
    Kind.PYTHON: "py pyw python python3 ipynb py3 pyi",
    Kind.JAVASCRIPT: "js mjs cjs ts mts cts tsx jsx javascript typescript node",
    Kind.CODE: "rb pl php lua r go rs java kt swift scala groovy c cc cpp h hpp cs applescript"
    " ruby perl golang rust kotlin csharp c++ osascript tcl awk vbs jl ex exs dart",
    Kind.MAKE: "mk makefile dockerfile docker containerfile justfile gradle",
    Kind.HTML: "html htm xhtml svg xml vue svelte",
    Kind.DATA: "json jsonl json5 jsonc yaml yml toml ini cfg conf csv tsv properties env lock plist"
    " service timer sql",
}
_BY_WORD = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_NAMES = {
    "makefile": Kind.MAKE,
    "dockerfile": Kind.MAKE,
    "containerfile": Kind.MAKE,
    "justfile": Kind.MAKE,
    "vagrantfile": Kind.CODE,
    "rakefile": Kind.CODE,
    "gemfile": Kind.CODE,
    ".envrc": Kind.SHELL,
    ".bashrc": Kind.SHELL,
    ".profile": Kind.SHELL,
}
_SHEBANGS = (
    (b"python", Kind.PYTHON),
    (b"node", Kind.JAVASCRIPT),
    (b"deno", Kind.JAVASCRIPT),
    (b"bun", Kind.JAVASCRIPT),
    (b"pwsh", Kind.POWERSHELL),
    (b"sh", Kind.SHELL),
    (b"make", Kind.MAKE),
)
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x7fELF", "elf"),
    (b"MZ", "pe"),
    (b"\xcf\xfa\xed\xfe", "mach-o"),
    (b"\xca\xfe\xba\xbe", "java-class"),
    (b"\x00asm", "wasm"),
    (b"RIFF", "riff"),
    (b"OggS", "ogg"),
    (b"ID3", "mp3"),
    (b"wOFF", "woff"),
    (b"wOF2", "woff"),
    (b"\x00\x01\x00\x00", "truetype"),
    (b"OTTO", "opentype"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"\xd0\xcf\x11\xe0", "ole"),
    (b"\x80\x02", "pickle"),
    (b"\x80\x04\x95", "pickle"),
    (b"\x80\x05\x95", "pickle"),
)
EXECUTABLES = frozenset({"elf", "pe", "mach-o", "java-class", "wasm", "python-bytecode"})
ARCHIVES = frozenset({"zip", "gzip", "bzip2", "xz", "7z", "rar", "zstd", "tar"})
_OFFICE = frozenset(
    [
        "docx",
        "xlsx",
        "pptx",
        "odt",
        "ods",
        "odp",
        "epub",
        "dotx",
        "xltx",
        "potx",
        "docm",
        "xlsm",
        "pptm",
    ]
)
_PICTURES = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "webp",
        "bmp",
        "ico",
        "pdf",
        "mp3",
        "mp4",
        "wav",
        "ttf",
        "woff",
        "woff2",
        "otf",
    ]
)
_PYC = re.compile(rb"[\x00-\xff]{2}\r\n")


def kind_of(path: str, data: bytes) -> Kind:
    """The kind of a text file.

    Args:
        path: POSIX path.
        data: Its bytes.
    """
    if data.startswith(b"#!"):
        line = data[:200].split(b"\n", 1)[0]
        return next((kind for word, kind in _SHEBANGS if word in line), Kind.CODE)
    pure = PurePosixPath(path.lower())
    named = _NAMES.get(pure.name) or _BY_WORD.get(pure.suffix.removeprefix("."))
    return named or (Kind.MAKE if pure.name.startswith(("dockerfile", "makefile")) else Kind.TEXT)


def kind_of_fence(info: str) -> Kind:
    """The kind of a fenced block; without a language it is taken for commands.

    Args:
        info: What stands after the fence.
    """
    word = info.strip().strip("{.}").split(" ")[0].split(",")[0].split(":")[0].lower()
    if not word:
        return Kind.SHELL
    return _BY_WORD.get(word, Kind.TEXT)


def binary_type(path: str, data: bytes) -> str:
    """What a file that is no text is, by its first bytes; empty when these say nothing."""
    if path.endswith((".pyc", ".pyo")) and _PYC.match(data):
        return "python-bytecode"
    found = next((name for magic, name in _MAGIC if data.startswith(magic)), "")
    if found == "zip" and suffix(path) in _OFFICE:
        return "office"
    if not found and data[257:262] == b"ustar":
        return "tar"
    return found


def suffix(path: str) -> str:
    """The last suffix of a path, lower case, without its dot."""
    return PurePosixPath(path).suffix.lower().removeprefix(".")


def is_picture_name(path: str) -> bool:
    """Whether the name promises a picture, sound, font or PDF: no text to any reader."""
    return suffix(path) in _PICTURES
