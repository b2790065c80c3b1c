"""What routing a task gives back (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from asf_core.domain.base import Value
from asf_core.domain.graph import EdgeKind
from asf_core.domain.iotype import IOType
from asf_core.domain.limits import MOST_DOLLARS, MOST_TOKENS


class StageName(StrEnum):
    """The traced steps, in order. Encoding is a step of its own, not a stage."""

    ENCODE = "encode"
    RECALL = "recall"
    RERANK = "rerank"
    WALK = "walk"
    PLAN = "plan"


@dataclass(frozen=True, slots=True)
class RoutableSkill:
    """What the walk and the plan need to know of a skill; a registry holds many, so it is light."""

    id: str
    slug: str
    registry: str
    description: str
    version: str | None
    tokens: int
    """Of name, description and body."""
    listing_tokens: int
    """Of name and description."""
    inputs: tuple[IOType, ...] = ()
    outputs: tuple[IOType, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of the graph as the walk sees it: resolved, one a pair and kind."""

    source: str
    target: str
    kind: EdgeKind
    confidence: float


class RouteRequest(Value):
    """How a task is to be routed."""

    registries: tuple[str, ...] = ()
    """Names of the registries to route over; empty for all."""
    task_inputs: tuple[IOType, ...] = (IOType(name="query", type="string"),)
    token_budget: Annotated[int, Field(ge=1, le=MOST_TOKENS)] = 12_000
    """Most tokens that the plan's instructions may take."""
    max_skills: Annotated[int, Field(ge=1, le=1_000)] = 8
    """Most skills that may enter the plan by their own score."""
    setting: str = ""
    """Name of a router setting; empty for the workspace's own, ``balanced`` unless calibrated."""
    allow_degraded: bool = False
    """Answer without a missing model, labelled, instead of raising."""
    price_per_million: Annotated[float, Field(ge=0, le=MOST_DOLLARS, allow_inf_nan=False)] = 3.0
    """USD for a million input tokens."""


class Candidate(Value):
    """A skill at one point of the pipeline."""

    skill_id: str
    slug: str
    rank: int
    """1-based."""
    previous_rank: int | None = None
    """Its rank when it entered the stage; ``None`` when the stage brought it in."""
    score: float
    """The stage's own score, higher is better."""
    evidence: Mapping[str, float] = Field(default_factory=dict)
    """Name of each part of the score and its value, as ``{"bm25": 1.3, "dense": 0.8}``."""
    matched: tuple[str, ...] = ()
    """Words of the task that the skill's text has, most telling first: hostile text."""


class Dropped(Value):
    """A skill that a stage left out, and why."""

    skill_id: str
    reason: str


class StageTrace(Value):
    """What went into a stage, what came out, and how long it took."""

    stage: StageName
    entered: int
    left: int
    milliseconds: float
    budget_ms: float | None
    """The design's budget; ``None`` where there is none."""
    candidates: tuple[Candidate, ...] = ()
    """What came out, best first."""
    dropped: tuple[Dropped, ...] = ()
    """Left out for a reason other than rank."""
    notes: tuple[str, ...] = ()


class Binding(Value):
    """Where one input of a step comes from."""

    input: IOType
    output: IOType
    """What is bound to it; its type equals the input's."""
    from_skill: str | None
    """Id of the earlier step that yields it; ``None`` for an input of the task."""


class PlanStep(Value):
    """One skill of the plan, in its place."""

    position: int
    """1-based."""
    skill_id: str
    slug: str
    description: str
    reason: Literal["routed", "required", "complements", "co_used_with"]
    because_of: str | None = None
    """Id of the skill that brought it in, unless it was routed itself."""
    score: float | None = None
    """The router's score; ``None`` for a skill that the walk brought in."""
    tokens: int
    """Of its instructions (name, description, body)."""
    inputs: tuple[IOType, ...] = ()
    outputs: tuple[IOType, ...] = ()
    bindings: tuple[Binding, ...] = ()
    typed: bool = True
    """False for a skill that declares no types: placed by its edges."""


class PlanProblem(Value):
    """Why a chain was rejected."""

    kind: Literal["cycle", "unmet_input", "type_mismatch", "over_budget", "missing", "conflict"]
    message: str
    """Names the step, the input, the type wanted and the nearest type offered."""
    skill_ids: tuple[str, ...]


class TokenFigures(Value):
    """What the bundle saves (DESIGN 5)."""

    registry_skills: int
    """N: the skills that could have been given whole."""
    bundle_skills: int
    """k: the skills in the plan."""
    naive_tokens: int
    """All N instructions."""
    bundle_tokens: int
    """The k instructions of the plan."""
    disclosure_tokens: int
    """Names and descriptions of all N, then the k bodies."""
    savings: float
    """(N - k) / N, 0 to 1."""
    token_savings: float
    """1 - bundle_tokens / naive_tokens, 0 to 1."""
    price_per_million: float
    """USD for a million input tokens, from the configuration."""
    naive_cost: float
    bundle_cost: float


class Bundle(Value):
    """The ordered plan."""

    steps: tuple[PlanStep, ...] = ()
    problems: tuple[PlanProblem, ...] = ()
    task_inputs: tuple[IOType, ...] = ()


class RouteResult(Value):
    """The answer to one task."""

    query: str
    bundle: Bundle
    stages: tuple[StageTrace, ...]
    near_misses: tuple[Candidate, ...] = ()
    """Best candidates that did not make the plan, best first."""
    abstained: bool
    """True when no skill fits: the plan is empty, near misses show the best."""
    confidence: float
    """Calibrated score of the best candidate."""
    threshold: float
    """Below it the router abstains."""
    tokens: TokenFigures
    milliseconds: float
    """From the question to the answer, opening included."""
    opening_ms: float = 0.0
    """Waited for models and index to be opened, before the first stage: about 0 once they are."""
    degraded: tuple[str, ...] = ()
    """What was missing and done without, in words; empty when nothing was."""
    setting: str
    """Name of the setting, as ``balanced``."""
    generation: str
    """Which index answered."""
