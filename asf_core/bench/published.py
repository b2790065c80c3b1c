"""The figures that were published for a router of this kind, to stand beside ours."""

from __future__ import annotations

from asf_core.domain.base import Value


class Baseline(Value):
    """A router's figures as its authors gave them: on other skills and other queries than ours."""

    hit_1: float
    mrr: float
    mean_skills: float
    """Of a plan."""
    mean_tokens: float
    p50: float
    """Milliseconds."""
    p95: float


PUBLISHED = Baseline(hit_1=0.78, mrr=0.81, mean_skills=4.2, mean_tokens=2520, p50=63, p95=94)
