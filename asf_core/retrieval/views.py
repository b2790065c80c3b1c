"""What of a skill, and of a task, each engine reads.

A skill's encoder text is short on purpose: name, positive description and triggers say when it
applies, and the index keeps one vector a token of it. Its whole body is left to the words. What the
description says that the skill is not for is matched by no engine.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from asf_core.domain.manifest import SkillManifest
from asf_core.retrieval.positive import positive
from asf_core.retrieval.words import name_key

DENSE_VIEW = "dense-2"
"""Raised when the dense text's rule changes."""
TOKEN_VIEW = "token-2"  # noqa: S105
"""Raised when the token text's rule, or what becomes of its tokens, changes."""

_DENSE_CHARACTERS = 1200
_TOKEN_CHARACTERS = 800
"""About 160 tokens."""
_BODY_CHARACTERS = 400_000
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|[。！？；\n]+")
_ATOM = re.compile(r"[a-z0-9]+|[^\sa-z0-9]", re.IGNORECASE)


def dense_text(manifest: SkillManifest, body: str) -> str:
    """What the dense encoder reads of a skill: name, positive description, triggers."""
    return _cut(_head(manifest, body), _DENSE_CHARACTERS)


def token_text(manifest: SkillManifest, body: str) -> str:
    """What the token encoder reads of a skill: the same, of which it keeps less."""
    return _cut(_head(manifest, body), _TOKEN_CHARACTERS)


def lexical_fields(manifest: SkillManifest, body: str) -> dict[str, str]:
    """What the word index reads of a skill, by field.

    ``name`` has a line for each way the skill is called: its slug, its name, its directory.
    """
    directory = manifest.source.path.rsplit("/", 1)[-1]
    names = {name_key(name): name for name in (directory, manifest.name, manifest.slug)}
    return {
        "name": "\n".join(name for key, name in reversed(names.items()) if key),
        "description": positive(manifest.description),
        "triggers": "\n".join(manifest.triggers),
        "headings": "\n".join(_headings(body)),
        "body": body[:_BODY_CHARACTERS],
    }


def view_digest(manifest: SkillManifest, body: str) -> str:
    """SHA-256 of what the encoders read: equal digests have equal vectors."""
    texts = (DENSE_VIEW, dense_text(manifest, body), TOKEN_VIEW, token_text(manifest, body))
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def clean(text: str) -> str:
    """Text that any library takes: no lone surrogates, no NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def condensed(task: str, tokens: int, weight: Callable[[str], float]) -> str:
    """The most telling sentences of a long task, in their order.

    Args:
        task: The text.
        tokens: About how many tokens the result may have; a shorter task is returned as it is.
        weight: How telling a sentence is, for its length.

    Returns:
        Whole sentences as long as one fits, else the beginning of the best one.
    """
    if _size(task) <= tokens:
        return task
    sentences = [s.strip() for s in _SENTENCE.split(task) if s.strip()]
    ranked = sorted(range(len(sentences)), key=lambda i: (-weight(sentences[i]), i))
    chosen, room = [], tokens
    for place in ranked:
        size = _size(sentences[place])
        if size <= room:
            chosen.append(place)
            room -= size
    if not chosen:
        return _cut(sentences[ranked[0]], tokens * 4)
    return " ".join(sentences[i] for i in sorted(chosen))


def _head(manifest: SkillManifest, body: str) -> str:
    """Name, positive description and triggers; headings stand in where these say nothing."""
    said = [positive(manifest.description), *manifest.triggers]
    if not any(part.strip() for part in said):
        said = _headings(body)
    name = manifest.name or manifest.slug
    return clean(" ".join(f"{name}: {' '.join(said)}".split()))


def _headings(body: str) -> list[str]:
    """Text of the ATX headings outside fenced code."""
    found, fenced = [], False
    for line in clean(body[:_BODY_CHARACTERS]).split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (match := _HEADING.match(line)) and match[1]:
            found.append(match[1])
    return found


def _cut(text: str, most: int) -> str:
    """At most so many characters, ending with a whole word if there is one."""
    if len(text) <= most:
        return text
    return text[:most].rsplit(" ", 1)[0]


def _size(text: str) -> int:
    """About how many tokens: words of English prose have 1.3 each, other characters one."""
    atoms = _ATOM.findall(text)
    return round(sum(1.3 if len(atom) > 1 else 1.0 for atom in atoms))
