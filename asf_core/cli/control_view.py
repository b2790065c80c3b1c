"""Versions, their conditions and their differences, for people and for JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from asf_core.domain.content import VersionState
from asf_core.domain.text import one_line, shell_word, visible

if TYPE_CHECKING:
    from asf_core.domain.content import VersionRecord
    from asf_core.domain.policy import TrustPolicy
    from asf_core.governance.candidates import Added
    from asf_core.governance.difference import Difference, FileChange
    from asf_core.services.control.receipts import Examination, SignedScan
    from asf_core.services.control.versions import Standing
    from asf_core.trust.verify import VerifiedReceipt

_WIDTH = 14


def record_facts(record: VersionRecord) -> dict[str, Any]:
    """A version for JSON."""
    content = record.content
    return {
        "pin": record.pin.model_dump(mode="json"),
        "state": record.state.value,
        "terminal": record.terminal,
        "label": content.mode.label,
        "reasons": [reason.model_dump(mode="json") for reason in record.reasons],
        "content": content.model_dump(mode="json"),
    }


def ref_of(record: VersionRecord) -> str:
    """A version as commands take it."""
    return one_line(f"{record.content.skill_id}@{record.content.version}")


def short_key(key: str) -> str:
    """A receipt's key with its digest cut: the id says which it is."""
    kind, _, rest = key.partition(":")
    id_, _, digest = rest.partition(":")
    return one_line(f"{kind}:{id_}:{digest[:12]}…" if digest else key)


def added_view(added: Sequence[Added]) -> RenderableType:
    """What was taken in."""
    lines = []
    for item in added:
        what = "Candidate" if item.new else "Already here"
        lines.append(_line(f"{what}: {ref_of(item.record)}", item.record.content_hash[:12]))
        lines.append(_line(f"  {item.record.content.mode.label}, for {item.record.content.scope}"))
    if any(item.new for item in added):
        lines.append(Text(f"Next: asf candidate scan {shell_word(ref_of(added[0].record))}"))
    return Group(*lines)


def versions_view(records: Sequence[VersionRecord], drifted: Container[str] = ()) -> RenderableType:
    """Two lines a version: an id is never cut."""
    if not records:
        return Text("No versions yet. Add one with: asf candidate add SKILL")
    lines = []
    for record in records:
        content = record.content
        lines.append(_line(f"{record.state.value:12}{ref_of(record)}", record.content_hash[:12]))
        ended = ", for good" if record.terminal else ""
        why = f": {record.reasons[0].why}" if record.reasons else ""
        said = f"{content.mode.label}, for {content.scope}, by {content.imported_by}{ended}{why}"
        if record.content_hash in drifted:
            lines.append(Text(f"{'':12}drifted: its files on disk are others (asf candidate show)"))
        lines.append(Text(f"{'':12}{one_line(said, 160)}", "dim"))
    return Group(*lines)


def standing_facts(standing: Standing) -> dict[str, Any]:
    """A version with its conditions, for JSON."""
    value = record_facts(standing.record)
    result = standing.result
    value["conditions"] = [
        {
            "condition": check.condition.value,
            "holds": check.holds,
            "detail": check.detail,
            "satisfy": check.satisfy,
            "evidence": list(check.evidence),
        }
        for check in result.checks
    ]
    value["receipts"] = [
        {
            "key": status.key,
            "authentic": status.verified is not None,
            "problem": status.problem,
            "proves": worth.proves,
            "lacks": worth.lacks,
            "receipt": status.verified.receipt.model_dump(mode="json") if status.verified else None,
            "signers": [k.key_id for k in status.verified.signers] if status.verified else [],
        }
        for worth in result.worth
        for status in (worth.status,)
    ]
    value["drift"] = dataclasses.asdict(standing.drift) if standing.drift is not None else None
    return value


def standing_view(standing: Standing) -> RenderableType:
    """A version: what it binds, its receipts, its conditions."""
    parts = [_fact(label, said) for label, said in _bound(standing.record)]
    result = standing.result
    parts += _drift(standing)
    if result.receipts:
        parts.append(Text("\nReceipts", "bold"))
    for worth in result.worth:
        good = "authentic" if worth.status.verified else "worth nothing"
        parts.append(_line(f"  {good:14}{short_key(worth.status.key)}"))
        for label, said in (("", worth.proves), ("lacks: ", worth.lacks)):
            parts += [_line(f"  {'':14}{label}{one_line(said, 300)}")] if said else []
    parts.append(Text(f"\nConditions of {_NEXT[standing.record.state]}", "bold"))
    for check in result.checks:
        word = "holds" if check.holds else "LACKS"
        parts.append(_line(f"  {word}  {check.condition.value}: {one_line(check.detail)}"))
        if not check.holds:
            parts.append(_line(f"         do: {one_line(check.satisfy)}"))
    return Group(*parts)


def difference_view(found: Difference) -> RenderableType:
    """What a version changes."""
    against = ref_of(found.against) if found.against else "nothing: no version is active"
    parts = [_line(f"{ref_of(found.version)} against {against}")]
    for item in found.fields:
        before = one_line(item.before, 200) if item.before else "(absent)"
        after = one_line(item.after, 200) if item.after else "(absent)"
        parts.append(_line(f"  {item.field}"))
        parts += [_line(f"    - {before}")] if found.against else []
        parts.append(_line(f"    + {after}"))
    for file in found.files:
        parts += _file(file)
    if not found.fields and not found.files:
        parts.append(Text("No difference."))
    return Group(*parts)


def scan_facts(signed: SignedScan | Examination) -> dict[str, Any]:
    """A scan for JSON; without a receipt where nothing was signed."""
    receipt = _receipt(signed)
    return {
        "pin": signed.record.pin.model_dump(mode="json"),
        "receipt": receipt.key if receipt else None,
        "complete": signed.result.complete,
        "findings": [
            {
                **finding.for_receipt().model_dump(mode="json"),
                "message": finding.message,
                "remediation": finding.remediation,
            }
            for finding in signed.result.findings
        ],
    }


def scan_view(signed: SignedScan | Examination, policy: TrustPolicy) -> RenderableType:
    """A scan for people."""
    from asf_core.governance.security_proof import blocks

    lines = []
    for finding in signed.result.findings:
        word = "BLOCKS" if blocks(finding.for_receipt(), policy) else "noted"
        word = "waived" if finding.waiver else word
        where = f"{one_line(finding.path)}:{finding.line}"
        lines.append(
            _line(
                f"{word:7} {finding.severity.value:8} {finding.code.value}  {where}  "
                f"{one_line(finding.message)}"
            )
        )
        if finding.waiver:
            until = finding.waiver.expires_at[:10]
            lines.append(_line(f"        until {until}: {one_line(finding.waiver.reason)}"))
        else:
            lines.append(_line(f"        do: {one_line(finding.remediation)}"))
    if not signed.result.complete:
        lines.append(Text("BLOCKS  The scan was not complete."))
    count = len(signed.result.findings)
    clean = "clean" if not lines else f"{count} finding{'' if count == 1 else 's'}"
    word = shell_word(ref_of(signed.record))
    receipt = _receipt(signed)
    if receipt is None:
        lines.append(_line(f"Not signed: {clean}. To sign it: asf candidate scan {word}"))
        return Group(*lines)
    lines.append(_line(f"Signed: {clean}, {short_key(receipt.key)}"))
    if not any(line.plain.startswith("BLOCKS") for line in lines):
        lines.append(
            _line(f"Next: asf candidate diff {word}; asf review approve {word} --reason ...")
        )
    return Group(*lines)


def _receipt(scanned: SignedScan | Examination) -> VerifiedReceipt | None:
    found: VerifiedReceipt | None = getattr(scanned, "receipt", None)
    return found


def _bound(record: VersionRecord) -> Iterable[tuple[str, str]]:
    content = record.content
    tools = "not declared" if content.tools is None else ", ".join(content.tools) or "none"
    source = content.source
    yield "version", f"{content.skill_id}@{content.version}"
    yield "content hash", record.content_hash
    yield "state", record.state.value + (", for good" if record.terminal else "")
    for reason in record.reasons:
        yield "because", f"{reason.condition.value}: {reason.why}"
    yield "label", f"{content.mode.label} ({content.mode.value})"
    yield "scope", str(content.scope)
    yield "description", content.retrieval.description
    yield "tools", tools
    yield "tree digest", content.tree_digest
    yield "files", f"{len(record.tree)}, {sum(entry.size for entry in record.tree):,} bytes"
    yield "source", f"{source.system} {source.id} at {source.revision}"
    yield "imported", f"{content.imported_at} by {content.imported_by}"
    for item in content.evidence:
        yield item.kind, item.reference
    if content.playbook:
        yield "global prompt", content.playbook.global_prompt_sha256
        yield "evaluated on", ", ".join(content.playbook.evaluation_case_ids)


_NEXT = {
    VersionState.CANDIDATE: "becoming active",
    VersionState.QUARANTINED: "becoming active",
    VersionState.ACTIVE: "being served",
    VersionState.RETIRED: "becoming active again",
}


def _drift(standing: Standing) -> list[Text]:
    if standing.drift is None:
        return [_fact("on disk", "not among the synced skills")]
    if not standing.drift:
        return [_fact("on disk", "the same files")]
    lines = [_fact("on disk", f"drifted: {standing.drift}")]
    for word, paths in dataclasses.asdict(standing.drift).items():
        lines += [_line(f"{'':{_WIDTH}}{word} {one_line(path)}") for path in paths]
    return lines


def _file(file: FileChange) -> list[Text]:
    sizes = " -> ".join(
        f"{size:,}" for size in (file.size_before, file.size_after) if size is not None
    )
    lines = [_line(f"{file.change}: {one_line(file.path)} ({sizes} bytes)")]
    styles = {"+": "green", "-": "red", "@": "dim"}
    for text in file.diff:
        shown = visible(text, keep="\t")
        lines.append(Text("  " + shown, styles.get(text[:1], "")))
    if file.note:
        lines.append(_line(f"  ({file.note})"))
    return lines


def _fact(label: str, said: str) -> Text:
    return Text(f"{label:{_WIDTH}}", "bold").append(one_line(said), "not bold")


def _line(said: str, dim: str = "") -> Text:
    line = Text(said)
    return line.append(f"  {dim}", "dim") if dim else line
