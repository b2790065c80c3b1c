"""Every rule of the program, by id: what lint, scan, ``asf explain`` and SARIF draw on."""

from __future__ import annotations

import difflib
from functools import cache

from asf_core.domain.errors import InputError
from asf_core.domain.findings import FindingCode
from asf_core.domain.rules import Rule


@cache
def catalogue() -> dict[str, Rule]:
    """All rules by id, sorted by it."""
    from asf_core.graph import rules as graph_rules
    from asf_core.quality.scan import rules as scan_rules
    from asf_core.registry import rules as registry_rules

    every = (*registry_rules.ALL, *graph_rules.ALL, *scan_rules.ALL)
    return {rule.id: rule for rule in sorted(every, key=lambda rule: rule.id)}


def rule_of(rule_id: str) -> Rule:
    """The rule of an id.

    Raises:
        InputError: There is none; the nearest ids are named.
    """
    rules = catalogue()
    if rule_id in rules:
        return rules[rule_id]
    nearest = difflib.get_close_matches(rule_id, rules, n=3, cutoff=0.5)
    nearest += [known for known in rules if known.endswith(f"/{rule_id}") and known not in nearest]
    hint = f"Did you mean: {', '.join(nearest)}?" if nearest else "List them with: asf explain"
    raise InputError(f"There is no rule {rule_id!r}", hint=hint)


def code_of(rule_id: str) -> FindingCode:
    """What a security receipt calls a rule: total over the catalogue, ``unknown`` outside it."""
    rule = catalogue().get(rule_id)
    return rule.code if rule is not None else FindingCode.UNKNOWN
