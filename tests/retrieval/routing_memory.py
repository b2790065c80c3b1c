"""An index in memory, encoders without models, and a plan without a graph."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from asf_core.domain.errors import ModelMissingError
from asf_core.domain.manifest import SkillManifest, SourceRef
from asf_core.domain.routing import (
    Bundle,
    Candidate,
    Dropped,
    Link,
    PlanStep,
    RoutableSkill,
    TokenFigures,
)
from asf_core.retrieval.indexing import SkillText, encode_skills
from asf_core.retrieval.lexical import LexicalIndex
from asf_core.retrieval.models.encoders import QueryTokens, normalised, quantised
from asf_core.retrieval.pipeline import Router
from asf_core.retrieval.views import lexical_fields
from asf_core.retrieval.words import terms

WIDTH = 512


def skill(
    name: str,
    description: str = "",
    body: str = "",
    *,
    registry: str = "reg",
    path: str = "",
    triggers: Sequence[str] = (),
    invocable: bool = True,
) -> SkillText:
    """A skill as indexing reads it."""
    path = path or name
    manifest = SkillManifest(
        id=f"{registry}/{path}",
        slug=name,
        name=name,
        description=description,
        triggers=tuple(triggers),
        source=SourceRef(registry=registry, path=path),
        model_invocable=invocable,
    )
    return SkillText(manifest, body)


def _word_vector(word: str) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)


@dataclass
class WordVectors:
    """Encoders that know a text by its words: close where words are shared, nothing more."""

    fingerprint: str = "words"
    asked: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([self._vector(text) for text in texts])

    def encode_query(self, text: str) -> np.ndarray:
        self.asked.append(text)
        return self._vector(text)

    @staticmethod
    def _vector(text: str) -> np.ndarray:
        total = sum((_word_vector(w) for w in terms(text)), np.zeros(WIDTH, np.float32))
        # Real encoders find any two texts half alike.
        return normalised(normalised(total) + normalised(_word_vector("")))


class WordTokens:
    """A token encoder of the same kind."""

    def encode(self, texts: Sequence[str]) -> list[Any]:
        return [quantised(self.encode_query(text).vectors) for text in texts]

    def encode_query(self, text: str) -> QueryTokens:
        words, spans, start = text.split(), [], 0
        for word in words:
            start = text.index(word, start)
            spans.append((start, start + len(word)))
            start += len(word)
        rows = [WordVectors._vector(word) for word in words]
        vectors = np.stack(rows) if rows else np.zeros((0, WIDTH), np.float32)
        return QueryTokens(vectors, np.array(spans, np.int32).reshape(-1, 2))


class WordPairs:
    """A cross-encoder of the same kind."""

    def scores(self, query: str, texts: Sequence[str]) -> np.ndarray:
        wanted = set(terms(query))
        return np.array([len(wanted & set(terms(text))) for text in texts], np.float32)


@dataclass
class Shelf:
    """Encoders of which some may be missing."""

    dense_encoder: Any = field(default_factory=WordVectors)
    late_encoder: Any = field(default_factory=WordTokens)
    cross_encoder: Any = field(default_factory=WordPairs)
    fingerprint: str = "words"

    @property
    def dense(self) -> Any:
        return self._or_missing(self.dense_encoder, "dense")

    @property
    def late(self) -> Any:
        return self._or_missing(self.late_encoder, "late")

    @property
    def cross(self) -> Any:
        return self._or_missing(self.cross_encoder, "cross")

    @staticmethod
    def _or_missing(found: Any, role: str) -> Any:
        if found is None:
            raise ModelMissingError(f"The {role} model is absent", why="a test", hint="none")
        return found


@dataclass
class MemoryView:
    """An index in memory."""

    generation: str
    model: str
    ids: tuple[str, ...]
    registries: tuple[str, ...]
    registry_codes: np.ndarray
    model_invocable: np.ndarray
    vectors: np.ndarray
    tokens: np.ndarray
    token_offsets: np.ndarray
    token_scales: np.ndarray
    rows: tuple[RoutableSkill, ...]
    edges: tuple[Link, ...] = ()

    def skills(self) -> Sequence[RoutableSkill]:
        return self.rows

    def links(self) -> Sequence[Link]:
        return self.edges


def memory_view(skills: Sequence[SkillText], shelf: Any) -> MemoryView:
    """Index skills in memory. Without a dense encoder the vectors have no width."""
    skills = sorted(skills, key=lambda s: s.manifest.id)
    manifests = [s.manifest for s in skills]
    registries = tuple(sorted({m.source.registry for m in manifests}))
    found = [e for some in encode_skills(skills, shelf.dense, shelf.late) for e in some]
    counts = [len(e.tokens) for e in found]
    return MemoryView(
        generation="g1",
        model=shelf.fingerprint,
        ids=tuple(m.id for m in manifests),
        registries=registries,
        registry_codes=np.array([registries.index(m.source.registry) for m in manifests], np.int32),
        model_invocable=np.array([m.model_invocable for m in manifests], bool),
        vectors=np.stack([e.vector for e in found]) if found else np.zeros((0, 0), np.float32),
        tokens=np.concatenate([e.tokens for e in found]) if found else np.zeros((0, 0), np.int8),
        token_offsets=np.cumsum([0, *counts]),
        token_scales=np.concatenate([e.scales for e in found]) if found else np.zeros(0, "f4"),
        rows=tuple(
            RoutableSkill(m.id, m.slug, m.source.registry, m.description, m.version, 100, 10)
            for m in manifests
        ),
    )


@dataclass(frozen=True)
class Kept:
    """A member of a plan."""

    skill_id: str
    score: float | None


@dataclass(frozen=True)
class Walked:
    """What a walk without a graph comes to."""

    members: tuple[Kept, ...]
    dropped: tuple[Dropped, ...] = ()


@dataclass
class SeedsOnly:
    """A plan of the seeds alone, in their order; it remembers what it was asked."""

    view: MemoryView
    asked: list[tuple[tuple[str, ...], int, Set[str]]] = field(default_factory=list)

    def walk(
        self, seeds: Sequence[Candidate], budget: int, excluded: Set[str], copies: Set[str]
    ) -> Walked:
        self.asked.append((tuple(seed.skill_id for seed in seeds), budget, excluded))
        return Walked(tuple(Kept(seed.skill_id, seed.score) for seed in seeds))

    def plan(self, walked: Walked, task_inputs: Any) -> Bundle:
        steps = [self._step(i, kept) for i, kept in enumerate(walked.members, start=1)]
        return Bundle(steps=tuple(steps), task_inputs=tuple(task_inputs))

    def _step(self, position: int, kept: Kept) -> PlanStep:
        found = self.view.rows[self.view.ids.index(kept.skill_id)]
        return PlanStep(
            position=position,
            skill_id=found.id,
            slug=found.slug,
            description=found.description,
            reason="routed",
            score=kept.score,
            tokens=found.tokens,
        )

    def figures(self, bundle: Bundle, offered: np.ndarray, price: float) -> TokenFigures:
        n, k = int(offered.sum()), len(bundle.steps)
        return TokenFigures(
            registry_skills=n,
            bundle_skills=k,
            naive_tokens=100 * n,
            bundle_tokens=100 * k,
            disclosure_tokens=10 * n + 100 * k,
            savings=(n - k) / n if n else 0.0,
            token_savings=1 - k / n if n else 0.0,
            price_per_million=price,
            naive_cost=1e-4 * n * price,
            bundle_cost=1e-4 * k * price,
        )


def lexical_of(skills: Sequence[SkillText]) -> LexicalIndex:
    """The word index of skills, in the order of ``memory_view``."""
    ordered = sorted(skills, key=lambda s: s.manifest.id)
    return LexicalIndex.build(lexical_fields(s.manifest, s.body) for s in ordered)


def make_router(skills: Sequence[SkillText], shelf: Any = None, **kwargs: Any) -> Router:
    """A router over skills in memory."""
    shelf = shelf or Shelf()
    view = memory_view(skills, kwargs.pop("indexed_with", shelf))
    return Router(view, lexical_of(skills), shelf, SeedsOnly(view), **kwargs)
