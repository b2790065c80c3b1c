"""What the workbench holds and what a sync did, in words."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from asf_core.domain.sync import RegistrySync, SyncPhase, SyncProgress, SyncReport
from asf_core.domain.text import one_line
from asf_tui.blocks import BLANK, Block, Code, Pairs, Rule, Text
from asf_tui.glyphs import Glyphs
from asf_tui.library import Library
from asf_tui.text import amount, block, line

NO_REGISTRY = """No registry yet.

A registry is a directory tree of skills, usually a git checkout.
Press a to add one, or start with its path: asf-tui PATH"""

NO_SKILL = """No skill yet.

The registries hold no SKILL.md that was read so far.
Press s to sync them; l then tells what could not be read."""

_DOING = {
    SyncPhase.DISCOVER: "Looking through",
    SyncPhase.READ: "Reading",
    SyncPhase.ENCODE: "Encoding",
    SyncPhase.GRAPH: "Relating",
    SyncPhase.INDEX: "Indexing",
    SyncPhase.JUDGE: "Judging",
}


def count(number: int, one: str, many: str) -> str:
    """A number and its noun."""
    return f"{amount(number)} {one if number == 1 else many}"


def holdings(library: Library) -> str:
    """How much there is."""
    skills = count(len(library.index.rows), "skill", "skills")
    return f"{skills} in {count(len(library.registries), 'registry', 'registries')}"


def progress(value: SyncProgress) -> str:
    """How far a sync is."""
    text = f"{_DOING[value.phase]} {one_line(value.registry, 24)}"
    return f"{text} {amount(value.done)}/{amount(value.total)}" if value.total else text


def summary(report: SyncReport) -> str:
    """What a sync did, in one line."""
    registries = report.registries
    unread = sum(len(registry.unread) for registry in registries)
    totals = {
        "new": sum(registry.added for registry in registries),
        "changed": sum(registry.changed for registry in registries),
        "gone": sum(registry.removed for registry in registries),
    }
    parts = [f"{amount(number)} {word}" for word, number in totals.items() if number]
    text = "Sync stopped" if report.cancelled else "Synced"
    text += f": {', '.join(parts) or 'nothing changed'}"
    return text + (f"; {count(unread, 'file', 'files')} could not be read, see l" if unread else "")


def sync(report: SyncReport, glyphs: Glyphs) -> Iterator[Block]:
    """What a sync did, registry by registry."""
    yield Text(Content(summary(report)))
    for registry in report.registries:
        yield BLANK
        yield Rule(one_line(registry.registry))
        yield Pairs(_counts(registry))
        for skill_id in registry.broken:
            yield Text(Content.assemble((f"{glyphs.broken} broken  ", "$bad"), line(skill_id)))
        for finding in registry.unread:
            place = f"{finding.path}:{finding.line}"
            yield Text(Content.assemble((f"{glyphs.broken} not read  ", "$bad"), line(place)))
            yield Text(line(finding.message), "  ", "  ")
            if finding.snippet:
                yield Code(block(finding.snippet).plain, prefix="  ")


def _counts(registry: RegistrySync) -> list[tuple[str, Content]]:
    numbers = {
        "listed": registry.listed,
        "new": registry.added,
        "changed": registry.changed,
        "gone": registry.removed,
        "unchanged": registry.unchanged,
        "encoded": registry.encoded,
    }
    rows = [(name, Content(amount(number))) for name, number in numbers.items()]
    return [*rows, ("seconds", Content(f"{registry.seconds:.1f}"))]
