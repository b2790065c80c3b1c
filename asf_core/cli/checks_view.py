"""How a person reads findings and rules on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from asf_core.domain.findings import Severity
from asf_core.domain.scan import FileState
from asf_core.domain.text import one_line, visible
from asf_core.quality.scan.mask import masked

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.checks import CheckedFinding, CheckedRoot, CheckReport
    from asf_core.domain.rules import Rule

MAX_LISTED = 400
"""Most findings that are listed without ``--all``."""
_SIGNS = {
    Severity.INFO: ("·", "dim"),
    Severity.LOW: ("∘", ""),
    Severity.MEDIUM: ("▲", "yellow"),
    Severity.HIGH: ("✘", "bold red"),
    Severity.CRITICAL: ("✘", "bold white on red"),
}


def render(report: CheckReport, threshold: Severity | None, *, show_all: bool) -> RenderableType:
    """Lay out findings by file, what to do about each rule, and the count.

    Args:
        report: What was found.
        threshold: From which severity on the command fails; ``None``: never.
        show_all: List findings of every severity, however many.
    """
    least = Severity.INFO if show_all else Severity.LOW
    return Group(*_parts(report, threshold, least, None if show_all else MAX_LISTED))


def _parts(
    report: CheckReport, threshold: Severity | None, least: Severity, most: int | None
) -> Iterator[RenderableType]:
    shown = [i for i in report.findings if i.finding.severity.rank >= least.rank]
    listed = shown[:most]
    kept = {id(item) for item in listed}
    for root in report.roots:
        mine = [item for item in root.findings if id(item) in kept]
        for path, items in groupby(mine, key=lambda item: item.finding.path):
            yield Text(one_line(_shown(root, path)), style="bold", overflow="fold")
            for item in items:
                yield from _finding(item)
    if len(shown) > len(listed):
        yield Text(f"\n{len(shown) - len(listed):,} more are not listed: --all lists every one.")
    yield from _remedies(listed)
    yield from _unseen(report)
    for note in report.notes:
        yield Text(f"note: {one_line(note)}", overflow="fold")
    yield _summary(report, threshold)


def _shown(root: CheckedRoot, path: str) -> str:
    return path if root.path in ("", ".") else f"{root.path}/{path}"


def _finding(item: CheckedFinding) -> Iterator[RenderableType]:
    finding = item.finding
    sign, style = _SIGNS[finding.severity]
    line = Text(f"{finding.line}:{finding.column}  ", overflow="fold")
    line.append(f"{sign} {finding.severity.value}", style=style if item.counts else "dim")
    line.append(f"  {one_line(finding.message)}  ")
    line.append(finding.rule, style="cyan")
    yield Padding(line, (0, 0, 0, 2), expand=False)
    if finding.snippet.strip():
        yield Padding(
            Text(one_line(finding.snippet, 160), style="dim", no_wrap=True, overflow="ellipsis"),
            (0, 0, 0, 6),
            expand=False,
        )
    if item.note:
        word = "" if item.counts else f"{item.standing.value}: "
        yield Padding(
            Text(f"{word}{one_line(item.note)}", style="italic"), (0, 0, 0, 6), expand=False
        )
    if finding.repair is not None:
        said = (
            f"repair: {finding.repair.summary}: {one_line(masked(finding.repair.replacement), 120)}"
        )
        yield Padding(Text(said, style="green"), (0, 0, 0, 6), expand=False)


def _remedies(items: Sequence[CheckedFinding]) -> Iterator[RenderableType]:
    """What to do, once for each rule."""
    remedies = {item.finding.rule: item.remediation for item in items if item.counts}
    if not remedies:
        return
    yield Text("\nWhat to do", style="bold")
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for rule, remedy in sorted(remedies.items()):
        table.add_row(Text(f"  {rule}", style="cyan"), Text(one_line(remedy)))
    yield table
    yield Text("  Why, with examples: asf explain RULE", style="dim")


def _unseen(report: CheckReport) -> Iterator[RenderableType]:
    """Files that the scan could not look into; none of them counts as clean."""
    states = Counter(
        record.state for root in report.roots for skill in root.skills for record in skill.files
    )
    if states:
        words = ", ".join(
            f"{states[state]:,} {state.value}" for state in FileState if states[state]
        )
        yield Text(f"\nFiles: {words}", style="dim")
    for root in report.roots:
        for skill in root.skills:
            for record in skill.files:
                if record.reason:
                    path = _shown(root, f"{skill.path}/{record.path}")
                    yield Text(f"  not seen: {one_line(path)}: {one_line(record.reason)}")


def _summary(report: CheckReport, threshold: Severity | None) -> RenderableType:
    skills = sum(len(root.skills) for root in report.roots)
    counts = Counter(item.finding.severity for item in report.findings if item.counts)
    words = [f"{counts[level]:,} {level.value}" for level in reversed(Severity) if counts[level]]
    silent = Counter(item.standing.value for item in report.findings if not item.counts)
    words += [f"{number:,} {word}" for word, number in sorted(silent.items())]
    line = Text(f"\n{skills:,} {'skill' if skills == 1 else 'skills'} in {report.seconds:.1f} s: ")
    line.append(", ".join(words) or "no findings")
    if threshold is not None:
        over = report.over(threshold)
        verdict = (
            f"{over:,} at or over {threshold.value}"
            if over
            else f"none at or over {threshold.value}"
        )
        line.append(f"  {'✘' if over else '✔'} {verdict}", style="bold red" if over else "green")
    if report.scanner is not None:
        who = report.scanner
        said = f"\n{one_line(who.name)} {one_line(who.version)}, policy {who.policy[:12]}"
        line.append(said, style="dim")
    return line


def render_rules(rules: Sequence[Rule]) -> RenderableType:
    """Every rule on a line.

    Args:
        rules: Sorted by id.
    """
    table = Table("rule", "severity", "code", "finds", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    table.columns[3].overflow = "fold"
    for rule in rules:
        cells = (rule.id, rule.severity.value, rule.code.value, rule.title)
        table.add_row(*(Text(cell) for cell in cells))
    return table


def render_rule(rule: Rule) -> RenderableType:
    """One rule whole.

    Args:
        rule: The rule.
    """
    parts: list[RenderableType] = [
        Text.assemble((rule.id, "bold"), f"  {rule.title}"),
        Text(f"{rule.severity.value}; in receipts: {rule.code.value}", style="dim"),
        Text(f"\n{rule.why}"),
        Text.assemble(("\nWhat to do  ", "bold"), rule.remedy),
    ]
    for label, text in (("Breaks it", rule.bad), ("Mended", rule.good)):
        if text:
            parts.append(Text(f"\n{label}", style="bold"))
            shown = visible(text if len(text) < 400 else f"{text[:200]}…", keep="\n")
            parts.append(Padding(Text(shown, overflow="fold"), (0, 0, 0, 2)))
    parts.append(Text(f"\nSource: {rule.source}. Since {rule.since}.", style="dim"))
    return Group(*parts)
