"""Events of the audit log in words and signs. Values in, values out; no widget in here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from asf_core.domain.event import Event, EventKind
from asf_core.domain.text import one_line
from asf_tui.blocks import BLANK, Block, Pairs, Rule, Text
from asf_tui.glyphs import Glyphs, Tone, Verdict
from asf_tui.text import amount, line, when

if TYPE_CHECKING:
    from asf_tui.bridge.shown import LedgerResult

_WORDS = {
    EventKind.POLICY_CHANGED: ("trust changed", Tone.NOTE),
    EventKind.CANDIDATE_ADDED: ("candidate added", Tone.PLAIN),
    EventKind.RECEIPT_RECORDED: ("receipt", Tone.PLAIN),
    EventKind.ADMISSION_REFUSED: ("refused", Tone.WARN),
    EventKind.ACTIVATED: ("activated", Tone.GOOD),
    EventKind.RETIRED: ("retired", Tone.QUIET),
    EventKind.ROLLBACK_REFUSED: ("rollback refused", Tone.WARN),
    EventKind.ROLLED_BACK: ("rolled back to", Tone.GOOD),
    EventKind.VERSION_QUARANTINED: ("ended", Tone.BAD),
    EventKind.SKILL_QUARANTINED: ("quarantined", Tone.WARN),
    EventKind.SKILL_RELEASED: ("released", Tone.GOOD),
    EventKind.GRANT_ISSUED: ("grant", Tone.PLAIN),
    EventKind.GRANT_REVOKED: ("grant revoked", Tone.WARN),
    EventKind.AUTHORISED: ("used", Tone.PLAIN),
    EventKind.AUTHORISATION_REFUSED: ("use refused", Tone.WARN),
    EventKind.FEEDBACK_RECORDED: ("feedback", Tone.PLAIN),
    EventKind.SNAPSHOT_RESTORED: ("restored", Tone.NOTE),
}


def verdict(event: Event, glyphs: Glyphs) -> Verdict:
    """What happened, as sign, word and tone."""
    word, tone = _WORDS[event.kind]
    if event.kind is EventKind.RECEIPT_RECORDED:
        word = _receipt(event)
    signs = {
        Tone.GOOD: glyphs.ready,
        Tone.WARN: glyphs.quarantined,
        Tone.BAD: glyphs.broken,
        Tone.NOTE: glyphs.both,
        Tone.QUIET: glyphs.retired,
        Tone.PLAIN: glyphs.bullet,
    }
    return Verdict(signs[tone], word, tone)


def _receipt(event: Event) -> str:
    if given := event.facts.get("verdict"):
        return {"approve": "approved", "reject": "rejected"}.get(given, "reviewed")
    return "scanned"


def about(event: Event) -> str:
    """What it is about, in one line of safe text."""
    if event.pin is not None:
        return one_line(f"{event.pin.skill_id.rpartition('/')[2]}@{event.pin.version}")
    return one_line(event.facts.get("skill_id", "").rpartition("/")[2])


def detail(event: Event) -> str:
    """What else there is to say of it, in one line of safe text."""
    if event.reason:
        return one_line(event.reason, 400)
    facts = event.facts
    if event.kind is EventKind.RECEIPT_RECORDED:
        count = facts.get("findings", "0")
        return one_line(f"by {facts.get('scanner', '')}, findings: {count}", 400)
    if "failed" in facts:
        return one_line(f"lacks {facts['failed'].replace('_', ' ')}", 400)
    return one_line(", ".join(f"{name} {value}" for name, value in facts.items() if value), 400)


def whole(event: Event) -> Iterator[Block]:
    """Everything that an event says."""
    rows = [
        ("number", Content(amount(event.number))),
        ("what", line(event.kind.value.replace("_", " "), "bold")),
        ("when", Content(f"{when(event.at)}  ({one_line(event.at, 60)})")),
        ("who", line(event.actor)),
    ]
    if event.pin is not None:
        rows.append(("version", line(f"{event.pin.skill_id}@{event.pin.version}")))
        rows.append(("content", line(event.pin.content_hash)))
    if event.scope is not None:
        rows.append(("for", line(str(event.scope))))
    if event.reason:
        rows.append(("why", line(event.reason)))
    yield Pairs(rows, 10)
    if event.evidence:
        yield BLANK
        yield Rule("On these receipts")
        yield from (Text(line(key)) for key in event.evidence)
    if event.facts:
        yield BLANK
        yield Rule("Facts")
        yield Pairs([(line(name).plain, line(value)) for name, value in event.facts.items()])
    yield BLANK
    yield Pairs([("previous", line(event.previous, "$quiet"))], 10)


def chain(found: LedgerResult | None, glyphs: Glyphs) -> Content:
    """Whether the log holds; ``None`` for one that was not looked at."""
    if found is None:
        return Content.styled("The chain was not verified yet.", "$quiet")
    if found.problems:
        count = len(found.problems)
        words = f"{count} problem{'s' * (count > 1)}: "
        return Content.assemble(
            (f"{glyphs.broken} {words}", "bold $bad"), line(found.problems[0], "$bad")
        )
    words = (
        f"{glyphs.ready} The chain holds: {amount(found.head.count)} events, "
        f"{amount(found.versions)} versions, {amount(found.receipts)} receipts"
    )
    return Content.assemble((words, "$good"), (f"  head {found.head.digest[:12]}", "$quiet"))
