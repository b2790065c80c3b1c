"""What a bundle saves against giving every skill whole (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asf_core.domain.routing import RoutableSkill, TokenFigures


@dataclass(frozen=True, slots=True)
class RegistryTotals:
    """Sums over all skills that could have been given; made once for an index."""

    skills: int
    tokens: int
    listing_tokens: int

    @classmethod
    def of(cls, skills: Iterable[RoutableSkill]) -> RegistryTotals:
        """Add them up."""
        count = tokens = listing = 0
        for skill in skills:
            count += 1
            tokens += skill.tokens
            listing += skill.listing_tokens
        return cls(count, tokens, listing)


def token_figures(
    totals: RegistryTotals, chosen: Iterable[RoutableSkill], price_per_million: float
) -> TokenFigures:
    """Compare a bundle with its registry.

    With N skills of T tokens on average and k of them chosen: naive N x T, bundle k x T (both as
    exact sums), savings (N - k) / N. Progressive disclosure gives names and descriptions of all N,
    then the bodies of the k.

    Args:
        totals: Of all N skills.
        chosen: The k skills of the plan.
        price_per_million: USD for a million input tokens.

    Returns:
        The figures; shares are 0 for an empty registry.
    """
    bundle = RegistryTotals.of(chosen)
    return TokenFigures(
        registry_skills=totals.skills,
        bundle_skills=bundle.skills,
        naive_tokens=totals.tokens,
        bundle_tokens=bundle.tokens,
        disclosure_tokens=totals.listing_tokens + bundle.tokens - bundle.listing_tokens,
        savings=_saved(totals.skills, bundle.skills),
        token_savings=_saved(totals.tokens, bundle.tokens),
        price_per_million=price_per_million,
        naive_cost=totals.tokens * price_per_million / 1_000_000,
        bundle_cost=bundle.tokens * price_per_million / 1_000_000,
    )


def _saved(whole: int, part: int) -> float:
    return (whole - part) / whole if whole else 0.0
