"""Relations that the frontmatter declares, with the lines on which it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asf_core.domain.graph import EdgeKind, EdgeOrigin, Reference, ReferenceForm
from asf_core.domain.manifest import Relations

_FIELDS = (
    EdgeKind.DEPENDS_ON,
    EdgeKind.REQUIRED_SUB_SKILLS,
    EdgeKind.COMPLEMENTS,
    EdgeKind.CO_USED_WITH,
    EdgeKind.CONFLICTS_WITH,
    EdgeKind.TESTED_BY,
    EdgeKind.EXTENDS,
)


def declared(relations: Relations, frontmatter: str, file: str) -> Iterator[Reference]:
    """Give each declared relation: EXTRACTED, 1.0.

    Args:
        relations: As parsed.
        frontmatter: The file's text above the body, for the line numbers; may be empty.
        file: The file, relative to the skill's directory.

    Yields:
        References; on line 1 where the line is not found.
    """
    lines = frontmatter.split("\n")
    for kind, ref in _pairs(relations):
        line = _line_of(kind, ref, lines)
        text = lines[line - 1].strip() if frontmatter else ""
        yield Reference(
            target=ref,
            form=ReferenceForm.DECLARED,
            kind=kind,
            confidence=1.0,
            origin=EdgeOrigin.EXTRACTED,
            file=file,
            line=line,
            text=(text or f"{kind.value}: {ref}")[:200],
        )


def _pairs(relations: Relations) -> Iterator[tuple[EdgeKind, str]]:
    for kind in _FIELDS:
        for ref in getattr(relations, kind.value):
            yield kind, ref
    if relations.version_of:
        yield EdgeKind.VERSION_OF, relations.version_of


def _line_of(kind: EdgeKind, ref: str, lines: list[str]) -> int:
    """The first line at or below the field's own that holds the name; its own where none does."""
    key = re.compile(rf"\s*[\"']?{kind.value.replace('_', '[_-]')}[\"']?\s*:")
    start = next((n for n, line in enumerate(lines) if key.match(line)), None)
    if start is None:
        return 1
    word = re.compile(rf"(?<![\w./-]){re.escape(ref)}(?![\w./-])")
    return next((n + 1 for n in range(start, len(lines)) if word.search(lines[n])), start + 1)
