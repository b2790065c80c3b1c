"""An issue of the Skillbook as blocks: what it says, how it fared, its trail. No widget in here."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from asf_core.domain.skillbook import Advice, InsightSource, Proposal, SearchHit, Skill
from asf_core.domain.skillbook_report import EffectRow, OverTime, SkillbookReport
from asf_tui import heat
from asf_tui.blocks import BLANK, Block, Pairs, Rule, Text
from asf_tui.glyphs import Glyphs, Tone, Verdict
from asf_tui.text import amount, block, line, when

ADVICE: dict[Advice, str] = {
    Advice.MERGE: "merge: one issue in other words",
    Advice.WIDEN: "widen: two cases of one issue",
    Advice.KEEP: "keep: two issues after all",
}
"""What a likely duplicate may call for, in words."""


def state(skill: Skill, glyphs: Glyphs) -> Verdict:
    """Whether an issue is in use."""
    if skill.active:
        return Verdict(glyphs.ready, "active", Tone.GOOD)
    return Verdict(glyphs.quarantined, "removed", Tone.WARN)


def totals(report: SkillbookReport, *, short: bool = False) -> str:
    """The whole Skillbook in a line.

    Args:
        report: Its figures.
        short: In at most 80 cells, as long as the figures are not large.
    """
    t = report.totals
    if short:
        return (
            f"{amount(t.active)} issues, met {amount(t.occurrences)}x, used {amount(t.used)}x: "
            f"helpful {amount(t.helpful)}, harmful {amount(t.harmful)}"
        )
    gone = f", {amount(t.removed)} removed" if t.removed else ""
    gone += f", {amount(t.purged)} purged" if t.purged else ""
    return (
        f"{amount(t.active)} issues ({t.context} context, {t.harness} harness){gone}, "
        f"met {amount(t.occurrences)}x, used {amount(t.used)}x: "
        f"helpful {amount(t.helpful)}, harmful {amount(t.harmful)}, neutral {amount(t.neutral)}"
    )


def head(skill: Skill, hit: SearchHit | None, glyphs: Glyphs) -> Content:
    """Two lines or more: the issue; state, id, how often; why it was removed; how it was found."""
    verdict = state(skill, glyphs)
    lines = [
        line(skill.issue, "bold", 400),
        Content.assemble(
            (f"{verdict.glyph} {verdict.word}", verdict.tone.style),
            (f"  {skill.id}  met {amount(skill.occurrences)}x", "$quiet"),
        ),
    ]
    if not skill.active:
        lines.append(line(skill.removal_reason, verdict.tone.style))
    if hit is not None:
        words = f"words {hit.bm25_rank}" if hit.bm25_rank else "no words"
        said = f"found by {words}, meaning {hit.dense_rank} (cosine {hit.cosine:.2f})"
        lines.append(Content.styled(said, "$note"))
    return Content("\n").join(lines)


def pair_head(found: Proposal) -> Content:
    """Two lines: which two, and what may be done."""
    ids = Content.assemble((found.keep, "bold"), " and ", (found.other, "bold"))
    return Content("\n").join([ids, Content.styled(ADVICE[found.advice], "$quiet")])


def issue(
    skill: Skill, effect: EffectRow | None, over: OverTime, glyphs: Glyphs
) -> Iterator[Block]:
    """What goes wrong, what to do, and how that fared."""
    yield Text(block(skill.issue))
    yield BLANK
    yield Rule("Insight")
    yield Text(block(skill.insight) if skill.insight else Content.styled("none yet", "$quiet"))
    yield BLANK
    yield Rule("How it fared")
    yield Pairs(_fared(skill, effect, over, glyphs))
    yield BLANK
    yield Pairs(
        [
            ("section", Content(skill.section.value)),
            ("keywords", line(", ".join(skill.keywords))),
            ("created", Content(when(skill.created_at))),
            ("updated", Content(when(skill.updated_at))),
        ]
    )


def _fared(
    skill: Skill, effect: EffectRow | None, over: OverTime, glyphs: Glyphs
) -> list[tuple[str, Content]]:
    most = max(skill.helpful_count, skill.harmful_count, skill.neutral_count)
    rows = [
        ("met", Content(f"{amount(skill.occurrences)}x")),
        *_over_time(skill, over, glyphs),
        ("used", Content(f"{amount(skill.used_count)}x")),
        ("helpful", _bar(skill.helpful_count, most, "$good", glyphs)),
        ("harmful", _bar(skill.harmful_count, most, "$bad", glyphs)),
        ("neutral", _bar(skill.neutral_count, most, "$quiet", glyphs)),
    ]
    if effect is not None and effect.helpful_share is not None and effect.at_least is not None:
        said = f"{effect.helpful_share:.2f} helpful, at least {effect.at_least:.2f}"
        rows.append(("share", Content(said)))
    return rows


def _bar(count: int, most: int, tone: str, glyphs: Glyphs) -> Content:
    full, rest = glyphs.bar(count / most if most else 0.0, 16)
    return Content.assemble((full, tone), (rest, "$panel"), f" {amount(count)}")


def _over_time(skill: Skill, over: OverTime, glyphs: Glyphs) -> list[tuple[str, Content]]:
    row = next((row for row in over.rows if row.id == skill.id), None)
    if row is None:
        return []
    shades = heat.cells(row.counts, max(row.counts), 2 * len(row.counts), glyphs)
    parts = [Content.styled(text, f"${tone}") for text, tone in shades]
    said = Content("").join(parts)
    return [("", Content.assemble(said, (f"  {len(row.counts)} {over.period.value}s", "$quiet")))]


def trail(skill: Skill) -> Iterator[Block]:
    """Every mutation, the newest first: what, when, from where, what it replaced."""
    for number, source in enumerate(reversed(skill.sources)):
        if number:
            yield BLANK
        yield from _line(source)


def _line(source: InsightSource) -> Iterator[Block]:
    yield Text(
        Content.assemble(
            (when(source.recorded_at), "$quiet"),
            "  ",
            (source.operation_type.value, "bold"),
            "  ",
            line(source.relation),
        )
    )
    rows: list[tuple[str, Content]] = [
        ("from", line(source.trace_uid)),
        ("by", line(source.display_name)),
        ("met", Content(f"{amount(source.occurrences)}x" if source.occurrences else "")),
        ("asked", block(source.sample_question)),
        ("epoch", Content("" if source.epoch is None else str(source.epoch))),
        ("error", block(source.error_identification)),
        ("learnt", block(source.learning_text)),
        *((f"old {item.field}", block(item.text)) for item in source.replaced),
    ]
    yield Pairs([(f"  {name}", value) for name, value in rows if value.plain], least=14)


def proposal(found: Proposal, keep: Skill, other: Skill) -> Iterator[Block]:
    """Two issues that may be one, one under the other, and what may be done."""
    yield Text(line(found.why))
    shared = ", ".join(found.shared_keywords) or "none"
    yield Pairs([("cosine", Content(f"{found.cosine:.3f}")), ("keywords in common", line(shared))])
    for role, skill in (("Stays", keep), ("Goes into it", other)):
        yield BLANK
        yield Rule(f"{role}: {skill.id}, met {amount(skill.occurrences)}x")
        yield Text(block(skill.issue))
        yield BLANK
        yield Text(block(skill.insight) if skill.insight else Content("no insight"), "  ", "  ")
