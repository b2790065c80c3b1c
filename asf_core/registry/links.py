"""Links of a skill's Markdown files to files of its own that are not there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from urllib.parse import unquote

from asf_core.domain.findings import Finding
from asf_core.registry import rules
from asf_core.registry.sourcetext import SNIPPET_CHARS, SourceText

MAX_FINDINGS = 50
"""Most findings of one file: a page of broken links needs one look, not a thousand lines."""

_FENCE = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])?[ \t]*(?P<fence>`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"`+[^`\n]*`+")
_INLINE_TARGET = re.compile(r"[ \t]*(?:<(?P<angled>[^<>\n]{1,400})>|(?P<bare>[^\s()<>]{1,400}))")
_REFERENCE = re.compile(r" {0,3}\[[^\]\[\n]{1,200}\]:[ \t]+<?(?P<target>[^\s<>]{1,400})>?[ \t]*\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PLACEHOLDER = re.compile(r"[{}$<>|*]")


def missing_links(
    source: SourceText, files: Sequence[str], skill_path: str, texts: Mapping[str, str]
) -> list[Finding]:
    """Find relative links whose target is no file or directory of the skill.

    Read are the SKILL.md and every other Markdown file, each link relative to its own file. Left
    alone are code, web and mail addresses, anchors, absolute paths, placeholders, and links that
    leave the skill (what stands there is not known here).

    Args:
        source: The SKILL.md.
        files: POSIX paths of the skill's files, relative to its directory; empty when not known.
        skill_path: POSIX path of the skill's directory inside the registry.
        texts: Text of the other files, by path.
    """
    if not files:
        return []
    known = {*files, *(parent for file in files for parent in _parents(file))}
    findings = list(_missing(source.text, source.path, "", known))
    for path, text in texts.items():
        if path.lower().endswith((".md", ".markdown")) and path in known:
            shown = path if skill_path == "." else f"{skill_path}/{path}"
            if shown != source.path:
                findings.extend(_missing(text, shown, posixpath.dirname(path), known))
    return findings


def _parents(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path


def _missing(text: str, path: str, directory: str, known: Collection[str]) -> Iterator[Finding]:
    count = 0
    for number, line, column, target in _targets(text):
        resolved = _resolve(target, directory)
        if resolved is None or resolved in known:
            continue
        count += 1
        if count > MAX_FINDINGS:
            return
        yield Finding(
            rule=rules.LINK_MISSING.id,
            severity=rules.LINK_MISSING.severity,
            message=f"The link {target!r} leads to {resolved!r}, which is no file of the skill.",
            path=path,
            line=number,
            column=column,
            snippet=line[:SNIPPET_CHARS],
        )


def _resolve(target: str, directory: str) -> str | None:
    """The path inside the skill that a link means; ``None`` when it means none."""
    if _SCHEME.match(target) or target.startswith(("#", "/", "?")) or _PLACEHOLDER.search(target):
        return None
    plain = unquote(re.split(r"[#?]", target, maxsplit=1)[0])
    resolved = posixpath.normpath(posixpath.join(directory, plain)) if plain else "."
    return None if resolved == "." or resolved.split("/", 1)[0] == ".." else resolved


def _targets(text: str) -> Iterator[tuple[int, str, int, str]]:
    """Line number, line, column and target of every link outside of code."""
    if "](" not in text and "]:" not in text:
        return
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        opening = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            if opening and opening["fence"].startswith(fence):
                fence = ""
        elif opening:
            fence = opening["fence"]
        elif "](" in line or "]:" in line:
            masked = _CODE_SPAN.sub(lambda match: " " * len(match.group()), line)
            for column, target in _line_targets(masked):
                yield number, line, column, target


def _line_targets(line: str) -> Iterator[tuple[int, str]]:
    if reference := _REFERENCE.match(line):
        yield reference.start("target") + 1, reference["target"]
        return
    at = line.find("](")
    while at != -1:
        if match := _INLINE_TARGET.match(line, at + 2):
            yield at + 3, match["angled"] or match["bare"]
        at = line.find("](", at + 2)
