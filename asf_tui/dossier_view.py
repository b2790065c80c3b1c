"""A version's dossier as blocks: what it needs, its receipts, what it binds, what it changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.receipts import ReceiptKind
from asf_tui import facts
from asf_tui.blocks import BLANK, Block, Pairs, Rule, Text
from asf_tui.dossier import Dossier, Step, named
from asf_tui.glyphs import Glyphs, Tone, Verdict
from asf_tui.text import amount, block, line, when

if TYPE_CHECKING:
    from asf_tui.bridge.shown import (
        Check,
        Difference,
        Drift,
        FileChange,
        VerifiedReceipt,
        Worth,
    )

_OF = {
    VersionState.CANDIDATE: "becoming active",
    VersionState.QUARANTINED: "becoming active",
    VersionState.ACTIVE: "being served",
    VersionState.RETIRED: "becoming active again",
}
_KINDS = {
    ReceiptKind.SECURITY: "scan",
    ReceiptKind.GOVERNANCE: "review",
    ReceiptKind.ROLLBACK: "review of a rollback",
    ReceiptKind.GRANT: "grant",
}


def head(record: VersionRecord, glyphs: Glyphs, step: Step | None = None) -> Content:
    """Name, state, and what comes next."""
    content = record.content
    state = facts.verdict(glyphs.version(record.state, terminal=record.terminal))
    lines = [
        Content.assemble(line(named(record), "bold"), "  ", line(content.skill_id, "$quiet")),
        Content.assemble(
            state, "  ", line(content.mode.label), "  ", line(f"for {content.scope}", "$quiet")
        ),
    ]
    if step is not None:
        lines.append(Content.assemble(("Next: ", "bold"), (step.value, "$note")))
    return Content("\n").join(lines)


def needs(dossier: Dossier, glyphs: Glyphs) -> Iterator[Block]:
    """Every condition and how it stands, those that are lacking first."""
    result = dossier.standing.result
    checks = sorted(result.checks, key=lambda check: check.holds)
    lacking = sum(not check.holds for check in checks)
    if lacking:
        words = f"{lacking} of {len(checks)} conditions of {_OF[dossier.record.state]} are lacking"
        yield Text(Content.styled(f"{glyphs.broken} {words}", "bold $bad"))
    else:
        words = f"All {len(checks)} conditions of {_OF[dossier.record.state]} hold"
        yield Text(Content.styled(f"{glyphs.ready} {words}", "bold $good"))
    yield BLANK
    for check in checks:
        yield from _check(check, glyphs)
    for reason in dossier.record.reasons:
        yield BLANK
        yield Text(line(f"In quarantine because: {reason.why}", "$warn"))


def _check(check: Check, glyphs: Glyphs) -> Iterator[Block]:
    name = check.condition.value.replace("_", " ")
    verdict = facts.verdict(glyphs.holds(check.holds))
    yield Text(Content.assemble(verdict, "  ", line(name, "bold")))
    yield Text(line(check.detail, "$quiet" if check.holds else ""), "  ", "  ")
    if not check.holds:
        yield Text(line(check.satisfy, "$note"), f"  {glyphs.out} ", "    ", "$note")


def receipts(dossier: Dossier, glyphs: Glyphs) -> Iterator[Block]:
    """Each receipt with what it proves and what it lacks, newest first."""
    found = dossier.standing.result.worth
    if not found:
        yield Text(Content.styled("No receipt yet: nobody has scanned or reviewed it.", "$quiet"))
    for worth in reversed(found):
        yield from _receipt(worth, glyphs)
    yield Text(
        Content.styled(
            "A receipt proves that whoever holds the key said this about exactly these bytes.",
            "$quiet",
        )
    )


def _receipt(worth: Worth, glyphs: Glyphs) -> Iterator[Block]:
    status = worth.status
    if worth.lacks:
        verdict = Verdict(glyphs.broken, "does not count", Tone.WARN)
    else:
        verdict = Verdict(glyphs.ready, "counts", Tone.GOOD)
    head = Content.assemble(
        (_KINDS[status.kind], "bold"), "  ", facts.verdict(verdict), "  ", line(_id(status.key))
    )
    yield Text(head)
    rows = [("proves", line(worth.proves))] if worth.proves else []
    rows += [("lacks", line(worth.lacks, "$warn"))] if worth.lacks else []
    if status.verified is not None:
        rows += _of_verified(status.verified)
    rows.append(("key", line(status.key, "$quiet")))
    yield Pairs(rows, 10)
    yield BLANK


def _id(key: str) -> str:
    return key.split(":")[1] if key.count(":") >= 2 else key


def _of_verified(found: VerifiedReceipt) -> list[tuple[str, Content]]:
    who = ", ".join(f"{key.name} (key {key.key_id[:12]})" for key in found.signers)
    rows = [("signed", line(f"by {who}"))]
    findings = getattr(found.receipt, "findings", ())
    for item in findings[:20]:
        waived = f", waived until {item.waiver.expires_at[:10]}" if item.waiver else ""
        said = f"{item.severity.value} {item.rule} {item.path}:{item.line}{waived}"
        rows.append(("finding", line(said)))
    if len(findings) > 20:
        rows.append(("", Content(f"and {len(findings) - 20} more")))
    compared = getattr(found.receipt, "compared_with", None)
    if hasattr(found.receipt, "compared_with"):
        said = f"version {compared[:12]}" if compared else "nothing: none was active"
        rows.append(("against", Content(said)))
    return rows


def bound(record: VersionRecord, drift: Drift | None, glyphs: Glyphs) -> Iterator[Block]:
    """What the content hash binds, and whether the files on disk are these."""
    content, source = record.content, record.content.source
    tools = "not declared" if content.tools is None else ", ".join(content.tools) or "none"
    size = sum(entry.size for entry in record.tree)
    rows = [
        ("version", line(f"{content.skill_id}@{content.version}")),
        ("content", line(record.content_hash)),
        ("description", line(content.retrieval.description)),
        ("tools", line(tools)),
        ("scope", line(str(content.scope))),
        ("label", line(f"{content.mode.label} ({content.mode.value})")),
        ("source", line(f"{source.system} {source.id}")),
        ("revision", line(source.revision)),
        ("imported", line(f"{when(content.imported_at)} by {content.imported_by}")),
        ("tree", line(content.tree_digest)),
        ("on disk", _drift(drift, glyphs)),
    ]
    yield Pairs(rows)
    yield BLANK
    yield Rule(f"Files: {len(record.tree)}, {amount(size)} bytes")
    for entry in record.tree:
        runs = "  runs" if entry.executable else ""
        yield Text(Content.assemble(line(entry.path), (f"  {amount(entry.size)}{runs}", "$quiet")))


def _drift(drift: Drift | None, glyphs: Glyphs) -> Content:
    if drift is None:
        return Content.styled("not among the synced skills", "$quiet")
    if not drift:
        return Content.styled(f"{glyphs.ready} the same files", "$good")
    return line(f"{glyphs.severities[2]} other files since: {drift}", "$warn")


def difference(found: Difference, glyphs: Glyphs) -> Iterator[Block]:
    """What a version changes against the active one: bound fields, files, text."""
    if found.against is None:
        yield Text(Content.styled("No version is active: all of it is new.", "$note"))
    else:
        yield Text(line(f"Against the active version {named(found.against)}", "$note"))
    if not found.fields and not found.files:
        yield Text(Content("No difference."))
    for file in found.files:
        yield BLANK
        yield from _file(file)
    yield BLANK
    yield Rule("What is bound")
    for item in found.fields:
        yield Text(line(item.field, "bold"))
        if found.against is not None:
            yield Text(line(item.before or "(absent)", "$bad"), "  - ", "    ", "$bad")
        yield Text(line(item.after or "(absent)", "$good"), "  + ", "    ", "$good")


def _file(file: FileChange) -> Iterator[Block]:
    sizes = [amount(size) for size in (file.size_before, file.size_after) if size is not None]
    yield Rule(line(f"{file.change}: {file.path} ({' to '.join(sizes)} bytes)").plain)
    if file.diff:
        yield DiffLines(file.diff)
    if file.note:
        yield Text(line(file.note, "$quiet"))


class DiffLines:
    """A unified diff, each line in the colour of its sign; long ones go on below.

    Args:
        diff: Hostile text, line by line.
    """

    STYLES = {"+": "$good", "-": "$bad", "@": "$note"}  # noqa: RUF012 - never changed

    def __init__(self, diff: tuple[str, ...]) -> None:
        self.diff = diff

    def lines(self, width: int) -> Iterator[Content]:
        """Fold each line to the width."""
        for text in self.diff:
            style = self.STYLES.get(text[:1], "")
            yield from block(text, style).fold(max(8, width)) or [Content("")]
