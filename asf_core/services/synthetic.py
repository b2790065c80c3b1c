"""Registries of any size, recombined from real skills by a seeded generator: for scale alone.

A synthetic skill takes its name from two real ones, its description from two, and its body's
paragraphs from three, so that words keep the frequencies and the company that they have in real
texts. Its vector is a mixture of two real vectors and noise, perturbed instead of encoded: encoding
100,000 texts would take half an hour and say nothing about routing over them. Nothing of this
measures whether an answer is right.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.routing import RoutableSkill
from asf_core.store.arrays import VectorBatch
from asf_core.store.snapshot_content import SnapshotRow

_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_BATCH = 1024
# Cosine of a synthetic vector with the nearer of its two parents: about 0.9, as between real
# skills of one trade.
_NEARER, _FARTHER, _NOISE = 0.75, 0.25, 0.3
REGISTRY = "synthetic"


@dataclass(frozen=True, slots=True)
class Original:
    """A real skill to recombine."""

    fields: Mapping[str, str]
    """As ``retrieval.views.lexical_fields`` makes them."""
    tokens: int
    listing_tokens: int


class SyntheticRegistry:
    """So many skills, the same for the same originals, size and seed.

    Args:
        originals: Real skills.
        vectors: (len(originals), D), theirs, L2-normalised.
        size: How many to make.
        seed: Of all that is drawn.
    """

    def __init__(
        self,
        originals: Sequence[Original],
        vectors: NDArray[np.float32],
        size: int,
        seed: int = 0,
    ) -> None:
        self._originals = originals
        self._paragraphs = [_PARAGRAPH.split(o.fields["body"]) for o in originals]
        self._sentences = [_SENTENCE.split(o.fields["description"]) for o in originals]
        self._names = [re.split(r"[-_\s]+", o.fields["name"].split("\n")[0]) for o in originals]
        self._vectors = vectors
        self._seed = seed
        self._parents = np.random.default_rng(seed).integers(0, len(originals), (size, 3))

    def __len__(self) -> int:
        return len(self._parents)

    def id(self, place: int) -> str:
        """Of the skill at a place; ids sort as places do."""
        return f"{REGISTRY}/s{place:07d}"

    def fields(self, place: int) -> dict[str, str]:
        """What the word index reads of it."""
        rng = np.random.default_rng((self._seed, place))
        a, b, c = self._parents[place]
        body = [self._some(rng, self._paragraphs[parent]) for parent in (a, b, c)]
        half = [self._some(rng, self._sentences[parent]) for parent in (a, b)]
        return {
            "name": "-".join([*self._names[a][:2], *self._names[b][-1:], str(place)]),
            "description": " ".join(chain.from_iterable(half)),
            "triggers": self._originals[a].fields["triggers"],
            "headings": self._originals[b].fields["headings"],
            "body": "\n\n".join(chain.from_iterable(body)),
        }

    def rows(self) -> Iterator[SnapshotRow]:
        """The skills as a snapshot holds them, by id."""
        for place in range(len(self)):
            fields = self.fields(place)
            first = self._originals[self._parents[place, 0]]
            digest = hashlib.sha256(f"{self._seed}/{place}".encode()).hexdigest()
            yield SnapshotRow(
                skill=RoutableSkill(
                    id=self.id(place),
                    slug=fields["name"],
                    registry=REGISTRY,
                    description=fields["description"],
                    version=None,
                    tokens=first.tokens,
                    listing_tokens=first.listing_tokens,
                ),
                view_digest=digest,
                lexical_digest=digest,
            )

    def vectors(self, start: int, stop: int) -> NDArray[np.float32]:
        """(stop - start, D), L2-normalised."""
        noise = np.random.default_rng((self._seed, start, 1)).standard_normal(
            (stop - start, self._vectors.shape[1]), dtype=np.float32
        )
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        near, far, _ = self._parents[start:stop].T
        mixed = _NEARER * self._vectors[near] + _FARTHER * self._vectors[far] + _NOISE * noise
        return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), np.float32)

    def token_counts(self) -> dict[str, int]:
        """None has token vectors: the default setting asks for none."""
        return {self.id(place): 0 for place in range(len(self))}

    def batches(self) -> Iterator[VectorBatch]:
        """All vectors, a batch at a time."""
        width = self._vectors.shape[1]
        for start in range(0, len(self), _BATCH):
            places = range(start, min(start + _BATCH, len(self)))
            yield VectorBatch(
                ids=[self.id(place) for place in places],
                view_digests=[
                    hashlib.sha256(f"{self._seed}/{place}".encode()).hexdigest() for place in places
                ],
                vectors=self.vectors(places.start, places.stop),
                tokens=np.zeros((0, width), np.int8),
                lengths=np.zeros(len(places), np.int64),
                scales=np.zeros(0, np.float32),
            )

    @staticmethod
    def _some(rng: np.random.Generator, parts: Sequence[str]) -> list[str]:
        """A third of the parts and one more, in their order."""
        picked = rng.random(len(parts)) < 1 / 3
        picked[int(rng.integers(0, len(parts)))] = True
        return [part for part, keep in zip(parts, picked, strict=True) if keep]
