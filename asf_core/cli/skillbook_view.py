"""How a person reads the Skillbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from asf_core.domain.text import one_line, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.skillbook import InsightSource, Proposal, SearchHit, Skill
    from asf_core.domain.use import Feedback
    from asf_core.services.skillbook_bench import SkillbookBench
    from asf_core.services.skillbook_exchange import ConvertResult
    from asf_core.skillbook.book import Skillbook


def table(skills: Sequence[Skill]) -> RenderableType:
    """Two lines an issue."""
    lines: list[Text] = []
    for skill in skills:
        lines += [_head(skill), _issue(skill)]
    return Group(*lines)


def hits(found: Sequence[SearchHit]) -> RenderableType:
    """Each hit with why it stands where it does."""
    lines: list[Text] = []
    for place, hit in enumerate(found, start=1):
        words = f"words {hit.bm25_rank}" if hit.bm25_rank else "no words"
        why = f"    {words}, meaning {hit.dense_rank} (cosine {hit.cosine:.2f})"
        lines += [Text(f"{place:>2}. ").append_text(_head(hit.skill)), _issue(hit.skill, 4)]
        if hit.skill.insight:
            lines += [_clipped(f"{'':4}-> {one_line(hit.skill.insight, 200)}")]
        lines += [Text(why, "dim")]
    return Group(*lines)


def nothing(book: Skillbook, *, removed: bool) -> RenderableType:
    """Why there is nothing to show.

    Args:
        book: Where it was looked for.
        removed: Removed issues were looked at too.
    """
    everything = book.skills(removed=True)
    if not everything:
        return Text("No issues yet. Record one with: asf skillbook add --help")
    if not removed and not book.skills():
        return Text(f"No active issues: all {len(everything)} are removed. See them with --all")
    return Text("No issue passes the filters.")


def page(skill: Skill) -> RenderableType:
    """One issue whole, with its trail."""
    facts = Table.grid(padding=(0, 2))
    for label, value in _facts(skill):
        facts.add_row(Text(label, style="bold"), Text(value))
    parts: list[RenderableType] = [facts, Text("\nTrail", style="bold")]
    for line in skill.sources:
        parts += _trail(line)
    return Group(*parts)


def proposals(found: Sequence[Proposal], texts: Mapping[str, str]) -> RenderableType:
    """Pairs side by side, with the command that would do it."""
    if not found:
        return Text("No two active issues are that much alike.")
    parts: list[RenderableType] = []
    for item in found:
        head = Text(f"{item.advice.value:6}", "bold").append(f" cosine {item.cosine:.3f}  ")
        parts.append(head.append(one_line(item.why), "dim"))
        for ref in (item.keep, item.other):
            parts.append(_clipped(f"  {ref}  {one_line(texts.get(ref, ''), 200)}"))
        parts.append(Text(f"  {_command(item)}", "dim"))
    return Group(*parts)


def _command(item: Proposal) -> str:
    verb = "keep" if item.advice.value == "keep" else "merge"
    wider = " --issue TEXT" if item.advice.value == "widen" else ""
    return f"asf skillbook {verb} {item.keep} {item.other}{wider} --reason TEXT"


def adverse_feedback(found: Sequence[Feedback], recorded: Mapping[str, str]) -> RenderableType:
    """What went wrong in authorised uses, and the issue that was made of it."""
    if not found:
        return Text("No adverse feedback. It is given with: asf feedback AUTHORISATION")
    lines: list[Text] = []
    for item in found:
        head = Text(item.id, "bold").append(f"  {item.outcome.value}  {item.at[:19]}")
        issue = recorded.get(item.id)
        lines.append(head.append(f"  in {issue}" if issue else "  not recorded", "dim"))
        lines.append(_clipped(f"  {one_line(str(item.pin))}, {item.purpose} on {item.channel}"))
    if any(item.id not in recorded for item in found):
        lines.append(
            Text("Record one: asf skillbook feedback FEEDBACK --issue TEXT -k WORD", "dim")
        )
    return Group(*lines)


def converted(found: ConvertResult) -> RenderableType:
    """What was made, and what the old file did not say, by field."""
    by_field: dict[str, list[str]] = {}
    for item in found.unknown:
        by_field.setdefault(f"{item.field}: {item.put}", []).append(item.id or item.old_id)
    number = "1 issue" if found.skills == 1 else f"{found.skills} issues"
    lines = [Text(f"{number} in {visible(found.path)}")]
    if by_field:
        lines.append(Text("\nNot known from version 1, and what stands there now", "bold"))
    for what, refs in by_field.items():
        more = f" and {len(refs) - 4} more" if len(refs) > 5 else ""
        shown = refs if len(refs) <= 5 else refs[:4]
        lines.append(Text(f"  {one_line(what)}  ").append(", ".join(shown) + more, "dim"))
    return Group(*lines)


def bench_table(found: SkillbookBench) -> RenderableType:
    """The three ways of searching, side by side."""
    rows = Table("questions", "search", "hit@1", "hit@5", "MRR", box=None, pad_edge=False)
    for column in rows.columns[2:]:
        column.justify = "right"
    by_source = found.by_source if len(found.by_source) > 1 else {}
    for source, scores in {"all": found.scores, **by_source}.items():
        for row in scores:
            figures = (row.hit_at_1, row.hit_at_5, row.mrr)
            rows.add_row(
                Text(one_line(source, 30)), row.method, *(f"{figure:.3f}" for figure in figures)
            )
    said = f"\n{found.queries} questions, {found.skills} issues"
    said += f", {found.left_out} left out: their issue is not here" if found.left_out else ""
    return Group(rows, Text(said))


def _head(skill: Skill) -> Text:
    head = Text(skill.id, "bold")
    head.append(f"  met {skill.occurrences}x  used {skill.used_count}")
    head.append(f"  +{skill.helpful_count} -{skill.harmful_count}")
    head.append(f"  {one_line(', '.join(skill.keywords), 60)}", "dim")
    return head if skill.active else head.append("  removed", "bold")


def _issue(skill: Skill, indent: int = 2) -> Text:
    return _clipped(f"{'':{indent}}{one_line(skill.issue, 200)}")


def _clipped(said: str) -> Text:
    return Text(said, no_wrap=True, overflow="ellipsis")


def _facts(skill: Skill) -> list[tuple[str, str]]:
    rows = [
        ("issue", f"{skill.id}, {skill.section.value}"),
        ("state", "active" if skill.active else f"removed: {skill.removal_reason}"),
        ("what", skill.issue),
        ("insight", skill.insight or "none"),
        ("keywords", ", ".join(skill.keywords)),
        ("met", f"{skill.occurrences}x"),
        ("used", str(skill.used_count)),
        ("helpful", f"{skill.helpful_count}, harmful {skill.harmful_count}, "
                    f"neutral {skill.neutral_count}"),
        ("created", skill.created_at[:19]),
        ("updated", skill.updated_at[:19]),
    ]  # fmt: skip
    return [(label, visible(value, keep="\n")) for label, value in rows]


def _trail(line: InsightSource) -> list[RenderableType]:
    head = Text(f"  {line.recorded_at[:19]}  {line.operation_type.value:8}")
    head.append(f"{one_line(line.relation, 24):<16}  {one_line(line.trace_uid, 60)}")
    head.append(f"  {one_line(line.display_name, 40)}", "dim")
    said = [
        ("met", f"{line.occurrences}x" if line.occurrences else ""),
        ("asked", line.sample_question),
        ("epoch", "" if line.epoch is None else str(line.epoch)),
        ("error", line.error_identification),
        ("learnt", line.learning_text),
        *((f"old {item.field}", item.text) for item in line.replaced),
    ]
    return [head, *(Text(f"{'':23}{name}: {one_line(text)}") for name, text in said if text)]
