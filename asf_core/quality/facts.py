"""What the gate needs to know of one skill's text and scripts, read once and kept.

Everything in here depends on the skill alone. What depends on its neighbours (which lines others
have too, who is called alike, what lies near) is made from the facts of all, without reading any
skill again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from asf_core.domain.manifest import SkillManifest
from asf_core.quality import lexicon
from asf_core.quality.bodies import Kind, Line, lines
from asf_core.quality.codeprint import CodePrint, prints_of
from asf_core.quality.masking import key, masked, name_words

VERSION = "2"
"""Raised when equal skills give other facts, so that workspaces read theirs anew."""

_LEAST_WORDS = 4
"""A shorter line ("See also:") is nobody's."""
_SHORT_ITEM = 7
"""Words up to which a list's item without anything concrete is a bare name of a topic."""
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|\n+")


@dataclass(frozen=True, slots=True)
class LineFacts:
    """One line that another skill could have too."""

    key: int
    """Of the masked line."""
    words: int
    conditions: int


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What a body holds, filler included."""

    words: int
    """Of prose and code."""
    conditions: int
    generic: int
    """Words of praise and filler, description included."""
    items: int
    """Lines that are bare items of a list."""
    lines: int
    """Of prose, lists and code."""
    shared: tuple[LineFacts, ...]
    """The lines that another skill could have too, each once."""
    filler: tuple[LineFacts, ...]
    """Those of them that stand in the table of known templates."""


@dataclass(frozen=True, slots=True)
class DescriptionFacts:
    """What a description says."""

    detail: int
    """Different words that tell something and are not the name's."""
    occasion: bool
    """It, or a list of triggers, says when to use the skill."""
    words: int
    filled_in: int
    """Words in sentences that say no more than the name does."""
    sentences: tuple[tuple[int, int], ...]
    """Of each sentence the key of its masked text, and its words."""
    key: int
    """Of the whole text; equal texts have equal keys."""


@dataclass(frozen=True, slots=True)
class SkillFacts:
    """Everything that is read of one skill."""

    text: TextFacts
    description: DescriptionFacts
    body: str
    """SHA-256 of the body with its white space folded."""
    scripts: tuple[CodePrint, ...]
    """Sorted by path."""

    def dump(self) -> str:
        """As JSON for the store."""
        text, said = self.text, self.description
        return json.dumps(
            {
                "text": [text.words, text.conditions, text.generic, text.items, text.lines],
                "shared": [[s.key, s.words, s.conditions] for s in text.shared],
                "filler": [f.key for f in text.filler],
                "description": [said.detail, said.occasion, said.words, said.filled_in, said.key],
                "sentences": said.sentences,
                "body": self.body,
                "scripts": [[s.path, s.print, s.tokens] for s in self.scripts],
            },
            separators=(",", ":"),
        )  # fmt: skip

    @classmethod
    def load(cls, text: str) -> Self:
        """Read what :meth:`dump` wrote."""
        data: dict[str, Any] = json.loads(text)
        shared = tuple(LineFacts(*row) for row in data["shared"])
        filler = frozenset(data["filler"])
        known = tuple(line for line in shared if line.key in filler)
        words, conditions, generic, items, counted = data["text"]
        detail, occasion, said, filled_in, whole = data["description"]
        sentences = tuple((int(k), int(n)) for k, n in data["sentences"])
        return cls(
            text=TextFacts(words, conditions, generic, items, counted, shared, known),
            description=DescriptionFacts(detail, occasion, said, filled_in, sentences, whole),
            body=data["body"],
            scripts=tuple(CodePrint(*row) for row in data["scripts"]),
        )


def read_facts(
    manifest: SkillManifest, body: str, scripts: Mapping[str, bytes] | None = None
) -> SkillFacts:
    """Read a skill.

    Args:
        manifest: Its manifest.
        body: The text below the frontmatter.
        scripts: Bytes of its scripts by path; nothing of them is run.
    """
    own = name_words(manifest.slug, manifest.name, manifest.source.path.rpartition("/")[2])
    folded = " ".join(body.split())
    return SkillFacts(
        text=_text(list(lines(body)), own, manifest.description),
        description=_description(manifest, own),
        body=hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest(),
        scripts=prints_of(scripts or {}),
    )


def _text(all_lines: Sequence[Line], own: frozenset[str], description: str) -> TextFacts:
    words = conditions = items = counted = 0
    generic = lexicon.count_generic(description)
    shared: dict[int, LineFacts] = {}
    filler: set[int] = set()
    for line in all_lines:
        if line.kind is Kind.HEADING:
            continue
        counted += 1
        if line.kind is Kind.CODE:
            words += round(lexicon.count_words(line.text))
            continue
        cut = masked(line.text, own)
        facts = _line(line.text, cut)
        words += facts.words
        conditions += facts.conditions
        generic += lexicon.count_generic(line.text)
        items += line.kind is Kind.ITEM and _is_bare(line.text, facts.words)
        is_filler = lexicon.FILLER.match(cut) is not None
        if is_filler or cut.count(" ") >= _LEAST_WORDS - 1:
            shared.setdefault(facts.key, facts)
            filler.update([facts.key] if is_filler else [])
    kept = tuple(shared.values())
    known = tuple(line for line in kept if line.key in filler)
    return TextFacts(words, conditions, generic, items, counted, kept, known)


def _line(text: str, cut: str) -> LineFacts:
    words, conditions = lexicon.count_words(text), lexicon.count_conditions(text)
    return LineFacts(key(cut), round(words), conditions)


def _is_bare(text: str, words: int) -> bool:
    return words <= _SHORT_ITEM and not lexicon.CONCRETE.search(text)


def _description(manifest: SkillManifest, own: frozenset[str]) -> DescriptionFacts:
    text = manifest.description
    sentences = []
    filled_in = 0
    for sentence in _SENTENCE.split(text.strip()):
        cut = masked(sentence, own)
        words = max(1, round(lexicon.count_words(sentence)))
        if not _telling(sentence, own) or lexicon.PLACEHOLDER.search(cut):
            filled_in += words
        sentences.append((key(cut), words))
    return DescriptionFacts(
        detail=_telling(text, own),
        occasion=bool(lexicon.OCCASION.search(text) or manifest.triggers),
        words=sum(words for _, words in sentences),
        filled_in=filled_in,
        sentences=tuple(sentences),
        key=key(" ".join(text.split())),
    )


def _telling(text: str, own: frozenset[str]) -> int:
    """Different words that tell something and are not the name's."""
    words = lexicon.word_list(text)
    parts = {part for word in words for part in word.lower().split("-")}
    ideographs = lexicon.count_words(text) - len(words)
    return len(parts - own - lexicon.COMMON) + round(ideographs)
