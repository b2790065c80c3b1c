"""Findings about relations that lead nowhere, anywhere, or against each other."""

from __future__ import annotations

from collections.abc import Sequence

from asf_core.domain.findings import Finding, Severity
from asf_core.domain.graph import Edge
from asf_core.graph import rules


def dangling_declaration(
    file: str, line: int, field: str, ref: str, text: str, nearest: str | None
) -> Finding:
    """A declared relation to a name that no synced skill carries."""
    return Finding(
        rule=rules.DANGLING_NAME.id,
        severity=Severity.MEDIUM,
        message=f"{field} names {ref!r}, and no synced skill is called that{_hint(nearest)}",
        path=file,
        line=line,
        snippet=text[:200],
    )


def dangling_call(file: str, line: int, ref: str, text: str, nearest: str | None) -> Finding:
    """A script that calls a skill by a name that no synced skill carries."""
    return Finding(
        rule="graph/dangling-name",
        severity=Severity.MEDIUM,
        message=f"The script calls a skill {ref!r}, and no synced skill is called that{_hint(nearest)}",
        path=file,
        line=line,
        snippet=text[:200],
    )


def dangling_mention(file: str, line: int, ref: str, text: str, nearest: str | None) -> Finding:
    """A section that lists skills, or a link to a SKILL.md, that leads to none."""
    return Finding(
        rule=rules.DANGLING_NAME.id,
        severity=Severity.LOW,
        message=f"The text names a skill {ref!r}, and no synced skill is called that{_hint(nearest)}",
        path=file,
        line=line,
        snippet=text[:200],
    )


def _hint(nearest: str | None) -> str:
    return f" (nearest: {nearest!r})" if nearest else ""


def ambiguous_declaration(
    file: str, line: int, field: str, ref: str, choices: Sequence[str]
) -> Finding:
    """A declared relation that several skills answer to, with nothing to tell them apart."""
    shown = ", ".join(choices[:5]) + (", ..." if len(choices) > 5 else "")
    return Finding(
        rule=rules.AMBIGUOUS_NAME.id,
        severity=Severity.MEDIUM,
        message=f"{field} names {ref!r}, which {len(choices)} skills are called: {shown}",
        path=file,
        line=line,
        snippet=ref,
    )


def contradiction(file: str, edge: Edge) -> Finding:
    """A skill that needs another and declares that the two must not be used together."""
    kinds = sorted({evidence.kind.value for evidence in edge.evidence})
    return Finding(
        rule=rules.CONTRADICTION.id,
        severity=Severity.MEDIUM,
        message=f"It says of {edge.target!r} both: {', '.join(kinds)}",
        path=file,
        line=edge.evidence[0].line,
        snippet=edge.evidence[0].text,
    )
