"""What a sync calls: vectors in batches that can be kept one by one, and the word index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.manifest import SkillManifest
from asf_core.retrieval.lexical import FORMAT, LexicalIndex
from asf_core.retrieval.models.encoders import TokenVectors
from asf_core.retrieval.views import dense_text, token_text

LEXICAL_VERSION = str(FORMAT)
"""Another version is another index: it is to be built anew though no skill changed."""


class TextVectors(Protocol):
    """What indexing asks of a dense encoder."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, D), L2-normalised."""


class TextTokenVectors(Protocol):
    """What indexing asks of a token encoder."""

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Of each text its token vectors."""


@dataclass(frozen=True, slots=True)
class SkillText:
    """What encoding needs of a skill."""

    manifest: SkillManifest
    body: str


@dataclass(frozen=True, slots=True)
class EncodedSkill:
    """A skill's vectors."""

    skill_id: str
    vector: NDArray[np.float32]
    """(D,), L2-normalised."""
    tokens: NDArray[np.int8]
    """(t, D')."""
    scales: NDArray[np.float32]
    """(t,)."""


def encode_skills(
    skills: Iterable[SkillText], dense: TextVectors, late: TextTokenVectors, batch: int = 32
) -> Iterator[tuple[EncodedSkill, ...]]:
    """Encode skills, a batch at a time.

    Each batch is whole when it is yielded: keep it, and a sync that is stopped goes on after it.
    A skill's vectors do not depend on its batch.

    Args:
        skills: In any order.
        dense: The dense encoder.
        late: The token encoder.
        batch: Skills a batch; 32 take about two seconds on two cores.
    """
    rest = iter(skills)
    while some := tuple(islice(rest, batch)):
        vectors = dense.encode([dense_text(s.manifest, s.body) for s in some])
        tokens = late.encode([token_text(s.manifest, s.body) for s in some])
        yield tuple(
            EncodedSkill(skill.manifest.id, vector, token.values, token.scales)
            for skill, vector, token in zip(some, vectors, tokens, strict=True)
        )


def build_lexical(directory: Path, documents: Iterable[Mapping[str, str]]) -> None:
    """Build the word index and write it.

    Args:
        directory: Where ``LexicalIndex.load`` will find it.
        documents: ``lexical_fields`` of each skill, in the order of the index's rows.
    """
    LexicalIndex.build(documents).save(directory)
