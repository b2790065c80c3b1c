"""The rules of the security scan, by family."""

from __future__ import annotations

from types import ModuleType

from asf_core.domain.rules import Rule
from asf_core.quality.scan.model import Detector, TextRule
from asf_core.quality.scan.rules import (
    actions,
    code,
    common,
    download,
    exfiltration,
    files,
    hidden,
    hooks,
    injection,
    secrets,
    steering,
    tools,
)

_FAMILIES: tuple[ModuleType, ...] = (
    hidden,
    injection,
    steering,
    exfiltration,
    download,
    code,
    actions,
    secrets,
    tools,
    hooks,
    files,
)

TEXT_RULES: tuple[TextRule, ...] = tuple(
    rule for family in _FAMILIES for rule in getattr(family, "RULES", ())
)
"""The rules that are patterns."""

DETECTORS: tuple[Detector, ...] = tuple(
    family.detect for family in _FAMILIES if hasattr(family, "detect")
)
"""The rules that are more than a pattern."""

ALL: tuple[Rule, ...] = tuple(
    value
    for family in (*_FAMILIES, common)
    for value in vars(family).values()
    if isinstance(value, Rule)
)
"""Every rule of the scan, by family."""
