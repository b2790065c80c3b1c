"""Keeping secrets out of findings: a finding tells where a secret stands, never what it is."""

from __future__ import annotations

import re

_SHAPES = re.compile(
    r"\b(?:gh[pousr]_|github_pat_|glpat-|xox[abposr]-|xapp-|sk-(?:ant-|proj-|or-v1-)?|AIza|ya29\.|[sr]k_live_|whsec_|npm_|pypi-|hf_|nvapi-|SG\."
    r"|dop_v1_|shpat_|lin_api_|ntn_|figd_|dckr_pat_|tfp_|atlasv1\.|sbp_|r8_|gsk_|xai-|AKIA|ASIA|eyJ)(?P<token>[A-Za-z0-9_.=+/-]{12,})"
    r"|\b\d{8,10}:(?P<bot>AA[A-Za-z0-9_-]{20,})"
    r"|://[^\s:/@\"'`]{1,60}:(?P<password>[^\s@/\"'`]{3,100})@"
    r"|(?:key|token|secret|passw(?:or)?d|bearer)[\w-]{0,20}[\"']?\s{0,3}(?::=|[:=])\s{0,3}[\"'`]?(?P<value>[^\s\"'`<>{}$]{12,120})"
    r"|services/T[A-Z0-9]{6,20}/B[A-Z0-9]{6,20}/(?P<hook>[A-Za-z0-9]{16,40})"
    r"|(?P<blob>[A-Za-z0-9+]{40,}={0,2})",
    re.IGNORECASE,
)
_KEPT = 4


def masked(text: str) -> str:
    """Replace the secret part of everything in a text that has the shape of a secret.

    Args:
        text: A snippet, at most some hundreds of characters.

    Returns:
        The text with the first four characters of each such part and the number of the others.
    """
    return _SHAPES.sub(_mask, text)


def _mask(match: re.Match[str]) -> str:
    group = match.lastgroup
    if group is None:
        return match.group()
    start, end = match.span(group)
    whole, offset = match.group(), match.start()
    secret = match.group(group)
    hidden = f"{secret[:_KEPT]}…[{len(secret) - _KEPT} hidden]"
    return whole[: start - offset] + hidden + whole[end - offset :]
