"""How a person reads scores, duplicates and listings on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from asf_core.domain.listing import ListingFate
from asf_core.domain.quality import GATE_BELOW
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.listing import Collision, ListingCheck
    from asf_core.domain.quality import (
        Canonicalisation,
        DuplicateCluster,
        DuplicateEvidence,
        Judgement,
        QualityRow,
    )
    from asf_core.domain.skill import Skill, SkillRow

_MOST = 40
"""Entries of a long list that are printed; ``--json`` has all."""


def scores(rows: Sequence[QualityRow], states: Mapping[str, SkillRow], top: int) -> RenderableType:
    """The worst skills, two lines each, and how many there are of each kind."""
    if not rows:
        return Text("No skill has been judged. Sync a registry with: asf sync PATH")
    lines: list[RenderableType] = []
    for row in rows[:top] if top else rows:
        head = Text(f"{row.slop_score:.2f}  {states[row.skill_id].state.value:12}")
        head.append(one_line(row.skill_id), style="bold")
        head.append("  released" if row.released else "")
        said = "; ".join(row.worst) or "nothing lowers it"
        if row.canonical_id:
            said += f"; alias of {one_line(row.canonical_id)}"
        lines += [head, Text(f"{'':18}{said}", "dim", no_wrap=True, overflow="ellipsis")]
    rest = len(rows) - top if top else 0
    if rest > 0:
        lines.append(Text(f"and {rest} with higher scores (--all lists them)"))
    gated = sum(row.gated for row in rows)
    aliases = sum(row.canonical_id is not None for row in rows)
    lines.append(
        Text(
            f"\n{len(rows)} skills, {gated} taken out of routing by the gate (under {GATE_BELOW}), "
            f"{sum(row.released for row in rows)} released, {aliases} aliases"
        )
    )
    return Group(*lines)


def judgement(found: Judgement, skill: Skill) -> RenderableType:
    """One score taken apart."""
    facts = Table.grid(padding=(0, 2))
    for label, value in _facts(found, skill):
        facts.add_row(Text(label, style="bold"), Text(value))
    parts: list[RenderableType] = [facts, Text("\nWhat makes the score", style="bold")]
    parts.append(_signals(found))
    total = found.bias + sum(s.contribution for s in found.signals)
    made = f"{found.bias:+.2f} for the average skill and the column above: {total:+.2f} log-odds, "
    parts.append(Text(f"{made}a score of {found.slop_score:.2f}", style="dim"))
    if found.lifts:
        parts.append(Text("\nWhat would lift it, each by itself", style="bold"))
        lifts = Table.grid(padding=(0, 2))
        for lift in found.lifts[:5]:
            lifts.add_row(f"  {found.slop_score:.2f} -> {lift.score:.2f}", Text(lift.advice))
        parts.append(lifts)
    return Group(*parts)


def _facts(found: Judgement, skill: Skill) -> list[tuple[str, str]]:
    state = skill.state.value
    if skill.state_reason:
        state += f", {one_line(skill.state_reason)}"
    elif found.gated:
        state += ", released by a curator against the gate"
    rows = [
        ("skill", one_line(found.skill_id)),
        ("score", f"{found.slop_score:.2f} of 1, the gate takes out what is under {GATE_BELOW}"),
        ("state", state),
    ]
    if found.nearest is not None:
        near = f"{one_line(found.nearest.skill_id)}, cosine {found.nearest.cosine:.2f}"
        rows.append(("nearest", near))
    if found.canonical_id is not None:
        rows.append(("alias of", f"{one_line(found.canonical_id)} (asf dedup SKILL shows why)"))
    return rows


def _signals(found: Judgement) -> Table:
    table = Table("signal", "adds", "strength", "measured", box=None, pad_edge=False)
    for column in table.columns[1:3]:
        column.justify = "right"
        column.no_wrap = True
    table.columns[0].no_wrap = True
    for signal in sorted(found.signals, key=lambda s: s.contribution):
        strength = "?" if signal.strength is None else f"{signal.strength:.2f}"
        table.add_row(
            signal.title, f"{signal.contribution:+.2f}", strength, Text(one_line(signal.measured))
        )
    return table


def canonicalisation(found: Canonicalisation) -> RenderableType:
    """Clusters with evidence, then the count."""
    parts: list[RenderableType] = []
    for cluster in found.clusters:
        parts += _cluster(cluster)
    if found.unconfirmed:
        parts.append(Text("\nNearly equal descriptions that nothing else confirms", style="bold"))
        for pair in found.unconfirmed[:_MOST]:
            parts.append(Text(f"  {one_line(pair.first)}"))
            parts.append(Text(f"  {one_line(pair.second)}  {_cosine(pair)}"))
    parts.append(_folds(found))
    parts.append(
        Text(
            f"\nAliases by pass: {found.both} both, {found.semantic_only} semantic only, "
            f"{found.structural_only} structural only"
        )
    )
    return Group(*parts)


def _cluster(cluster: DuplicateCluster) -> list[RenderableType]:
    lines: list[RenderableType] = [
        Text(f"{cluster.canonical_score:.2f}  {'canonical':10}").append(
            one_line(cluster.canonical), style="bold"
        )
    ]
    for member in cluster.aliases:
        lines.append(Text(f"{member.slop_score:.2f}  {'alias':10}{one_line(member.skill_id)}"))
        lines += [
            Text(f"{'':16}{_said(pair)}", style="dim")
            for pair in cluster.evidence
            if member.skill_id in (pair.first, pair.second)
            and (cluster.canonical in (pair.first, pair.second) or len(cluster.evidence) == 1)
        ]
    return lines


def _said(pair: DuplicateEvidence) -> str:
    return f"{', '.join(pair.passes)}: {_cosine(pair)}; {one_line('; '.join(pair.because))}"


def _cosine(pair: DuplicateEvidence) -> str:
    return "cosine not known" if pair.cosine is None else f"cosine {pair.cosine:.3f}"


def _folds(found: Canonicalisation) -> Table:
    table = Table("\nregistry", "\nraw", "\naliases", "\ncanonical", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for fold in found.registries:
        table.add_row(
            one_line(fold.registry), str(fold.skills), str(fold.aliases), str(fold.canonical)
        )
    if len(found.registries) > 1:
        aliases = found.skills - found.canonical
        table.add_row("all", str(found.skills), str(aliases), str(found.canonical))
    return table


def listing(check: ListingCheck) -> RenderableType:
    """A host's list against its budget, and what is cut."""
    host = check.host
    verdict = "fits" if check.fits else "does not fit"
    parts: list[RenderableType] = [
        Text(
            f"{host.name}: {check.characters:,} of {check.budget:,} characters, {verdict}", "bold"
        ),
        Text(f"budget: {one_line(host.source)}", style="dim"),
        Text(
            f"{check.skills} skills; without aliases and what is in quarantine "
            f"{check.without_demoted:,} characters"
        ),
    ]
    counts = Counter(entry.fate for entry in check.entries)
    parts.append(Text(", ".join(f"{counts[fate]} {fate}" for fate in ListingFate if counts[fate])))
    cut = check.cut
    if cut:
        parts.append(Text())
        parts += [
            Text(f"{e.fate.value:10} {e.shown:6,} of {e.characters:6,}  {one_line(e.skill_id)}")
            for e in cut[:_MOST]
        ]
    if len(cut) > _MOST:
        parts.append(Text(f"and {len(cut) - _MOST} more (--json has all)"))
    return Group(*parts)


def colliding(found: Sequence[Collision]) -> RenderableType:
    """Pairs that run into each other, and what tells them apart."""
    if not found:
        return Text("No descriptions or names run into each other.")
    lines: list[RenderableType] = []
    for one in found[:_MOST]:
        cosine = "" if one.cosine is None else f", cosine {one.cosine:.3f}"
        lines.append(Text(f"{one.because}{cosine}"))
        for skill_id, words in ((one.first, one.only_first), (one.second, one.only_second)):
            line = Text("  ").append(one_line(skill_id), style="bold")
            said = one_line(", ".join(words), 80) or "nothing of its own"
            lines.append(line.append(f"  only here: {said}", style="dim"))
    if len(found) > _MOST:
        lines.append(Text(f"and {len(found) - _MOST} more (--json has all)"))
    return Group(*lines)
