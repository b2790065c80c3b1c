"""Rules about relations between skills."""

from __future__ import annotations

from functools import partial

from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.rules import Rule

_rule = partial(
    Rule,
    code=FindingCode.UNKNOWN,
    source="ASF's skill knowledge graph, README",
    since="2026-11-30",
)

DANGLING_NAME = _rule(
    "graph/dangling-name",
    Severity.MEDIUM,
    "a relation to a skill that is not there",
    why="A plan that needs the skill can never be complete.",
    remedy="Correct the name, or sync the registry that holds the skill.",
    bad="depends_on: [no-such-skill]",
    good="depends_on: [citation-verifier]",
)
AMBIGUOUS_NAME = _rule(
    "graph/ambiguous-name",
    Severity.MEDIUM,
    "a relation that several skills answer to",
    why="Which one is meant cannot be told, so none is taken.",
    remedy="Name the skill by its id: registry and path.",
    bad="depends_on: [deploy], where two registries have one",
    good="depends_on: [registry-one/skills/deploy]",
)
CONTRADICTION = _rule(
    "graph/contradiction",
    Severity.MEDIUM,
    "a skill that needs and excludes another",
    why="No bundle can hold both and lack one.",
    remedy="Remove one of the two relations.",
    bad="depends_on: [a] beside conflicts_with: [a]",
    good="depends_on: [a]",
)

ALL: tuple[Rule, ...] = (DANGLING_NAME, AMBIGUOUS_NAME, CONTRADICTION)
