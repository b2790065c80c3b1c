"""What a skill's own files say of other skills, whichever these are: read once for each content."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from asf_core.domain.graph import Reference
from asf_core.domain.skill import Skill
from asf_core.graph.code.files import is_minified
from asf_core.graph.declared import declared

MOST = 1_000
"""References kept of one skill."""
MAX_BYTES = 256 * 1024
"""Larger scripts are generated or data."""
MAX_SCRIPTS = 300
_TOTAL_BYTES = 1024 * 1024
"""Of all scripts of a skill together."""
_SUFFIXES = {
    **dict.fromkeys((".py", ".pyw"), "python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), "javascript"),
    **dict.fromkeys((".sh", ".bash", ".zsh", ".ksh"), "shell"),
}
_SHEBANG = re.compile(rb"#![^\n]{0,80}?\b(python|node|deno|bun|bash|dash|zsh|ksh|sh)[\d.]*\b")
_PROGRAMS = {"python": "python", "node": "javascript", "deno": "javascript", "bun": "javascript"}


def references_of(
    skill: Skill, main_file: str, contents: Mapping[str, bytes]
) -> tuple[Reference, ...]:
    """Read the frontmatter's relations, the scripts, and the commands in the instructions.

    Args:
        skill: As read from disk.
        main_file: Name of its SKILL.md.
        contents: Bytes of its files by POSIX path relative to its directory. Links among them hold
            a path, no script: nothing outside is looked at.

    Returns:
        In the order of the files: frontmatter, instructions, scripts by path.
    """
    found = [*_own_file(skill, main_file, contents), *_scripts(skill, main_file, contents)]
    return tuple(found[:MOST])


def _own_file(skill: Skill, main_file: str, contents: Mapping[str, bytes]) -> Iterator[Reference]:
    from asf_core.graph.scripts import commands
    from asf_core.graph.scripts.found import Found

    whole = contents.get(main_file, b"").decode("utf-8", "replace").removeprefix("\ufeff")
    lines = whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head = "\n".join(lines[: skill.body_line - 1])
    yield from declared(skill.manifest.graph, head, main_file)
    found = Found(main_file, "\n".join(lines))
    commands.read(skill.body, skill.body_line, found)
    yield from found.references()


def _scripts(skill: Skill, main_file: str, contents: Mapping[str, bytes]) -> Iterator[Reference]:
    room, left = _TOTAL_BYTES, MAX_SCRIPTS
    for entry in skill.tree:
        if entry.kind != "file" or entry.path == main_file:
            continue
        data = contents.get(entry.path, b"")
        language = _language(entry.path, data)
        if not language or not left or len(data) > min(MAX_BYTES, room):
            continue
        if b"\0" in data or is_minified(data):
            continue
        room, left = room - len(data), left - 1
        if _may_reach(data):
            yield from _script(entry.path, language, data)


def _language(path: str, data: bytes) -> str:
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if stem and dot:
        return _SUFFIXES.get(f".{suffix}", "")
    said = _SHEBANG.match(data)
    return _PROGRAMS.get(said[1].decode(), "shell") if said else ""


def _may_reach(data: bytes) -> bool:
    """Parsing is the cost, and most scripts reach nothing: no way up, no other skill, no name."""
    return b".." in data or b"parent" in data or b"dirname" in data or b"skill" in data.lower()


def _script(path: str, language: str, data: bytes) -> Iterator[Reference]:
    from asf_core.graph.scripts import javascript, python, shell
    from asf_core.graph.scripts.found import Found

    source = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    found = Found(path, source.decode("utf-8", "replace"))
    if language == "python":
        python.read(source, found)
    elif language == "javascript":
        javascript.read(path, source, found)
    else:
        shell.read(source, found)
    yield from found.references()
