"""The built-in scanner: reads a skill's files, runs the rules, gives a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

from asf_core.domain.findings import Finding, Severity
from asf_core.domain.scan import (
    FileRecord,
    FileState,
    ScanFinding,
    ScannerIdentity,
    ScanResult,
    ScanTarget,
)
from asf_core.domain.skill import ParsedSkill, TreeEntry
from asf_core.quality.scan import rules as scan_rules
from asf_core.quality.scan.mask import masked
from asf_core.quality.scan.match import MAX_HITS, match_patterns
from asf_core.quality.scan.model import Draft, Subject
from asf_core.quality.scan.rules.common import MORE
from asf_core.quality.scan.rules.files import INCOMPLETE
from asf_core.quality.scan.text import MAX_TEXT_BYTES, FileText, Opened, open_file
from asf_core.registry import rules as registry_rules
from asf_core.registry.parse import parse_skill
from asf_core.trust.canonical import Json, canonical_json, sha256_hex

NAME = "asf-scan"
VERSION = "1"
"""Raised whenever the same bytes and rules could give another result."""
MAX_SKILL_TEXT = 32 * 1024 * 1024
"""Most bytes of text of one skill that are scanned; beyond, files are skipped and the scan is
incomplete."""

_READING = {
    rule.id: rule.code
    for rule in (
        *(rule for rule in registry_rules.ALL if rule.family == "tree" and rule.severity.rank >= 3),
        registry_rules.YAML_OBJECT_TAG,
        registry_rules.NAME_SCRIPTS,
        registry_rules.DUPLICATE_KEY,
        registry_rules.RISK_UNDERSTATED,
    )
}
"""What reading finds that a security receipt must say too."""


class BuiltinScanner:
    """Scans one skill at a time; holds no state but its compiled rules."""

    @cached_property
    def identity(self) -> ScannerIdentity:
        """Its name, its version and the fingerprint of its rules and limits."""
        return ScannerIdentity(name=NAME, version=VERSION, policy=policy_fingerprint())

    def scan(self, target: ScanTarget) -> ScanResult:
        """Scan one skill. See :class:`asf_core.domain.scan.Scanner`."""
        opened = list(_open(target))
        records = tuple(_record(entry, made) for entry, made in opened)
        files = [made.text for _, made in opened if made.text is not None]
        subject = Subject(target, files, _parse(target))
        findings = [_finding(draft) for draft in _drafts(subject)]
        findings += [_incomplete(record) for record in records if record.reason]
        kept = {
            (f.finding.path, f.finding.line, f.finding.column, f.finding.rule): f
            for f in reversed(findings)
        }
        kept |= {(f.path, f.line, f.column, f.rule): _read(f) for f in _reading(subject)}
        return ScanResult(
            scanner=self.identity,
            digest=target.digest,
            complete=target.digest is not None and not any(record.reason for record in records),
            findings=tuple(kept[key] for key in sorted(kept)),
            files=records,
        )


@cache
def policy_fingerprint() -> str:
    """SHA-256 over all that decides what is found and what it weighs.

    Rules, their weights and the limits, and the source of this package, since much of a judgement is
    code: two results of one fingerprint were made by the same scanner.
    """
    rows: list[Json] = [[rule.id, rule.severity.value, rule.code.value] for rule in scan_rules.ALL]
    patterns: list[Json] = [
        [
            rule.rule.id,
            rule.pattern,
            rule.runs,
            sorted(rule.kinds or ()),
            sorted(map(list, rule.weights.items())),
        ]
        for rule in scan_rules.TEXT_RULES
    ]
    limits: dict[str, Json] = {"text": MAX_TEXT_BYTES, "skill": MAX_SKILL_TEXT, "hits": MAX_HITS}
    value: dict[str, Json] = {
        "version": VERSION,
        "rules": rows,
        "patterns": patterns,
        "limits": limits,
        "code": _source_digest(),
    }
    return sha256_hex(canonical_json(value))


def _source_digest() -> str:
    package = Path(__file__).parent
    files = sorted(package.rglob("*.py"), key=lambda file: file.relative_to(package).as_posix())
    rows: list[Json] = [
        [file.relative_to(package).as_posix(), sha256_hex(file.read_bytes())] for file in files
    ]
    return sha256_hex(canonical_json(rows))


def _open(target: ScanTarget) -> Iterator[tuple[TreeEntry, Opened]]:
    total = 0
    for entry in target.entries:
        data = target.contents.get(entry.path, b"")
        if entry.kind == "symlink":
            yield entry, Opened(FileState.SCANNED, "link")
            continue
        if total > MAX_SKILL_TEXT:
            reason = f"more than {MAX_SKILL_TEXT:,} bytes of text in one skill"
            yield entry, Opened(FileState.SKIPPED, "", reason)
            continue
        is_main = entry.path == target.main_file
        made = open_file(entry.path, data, executable=entry.executable, is_main=is_main)
        total += len(data) if made.text is not None else 0
        yield entry, made


def _record(entry: TreeEntry, made: Opened) -> FileRecord:
    return FileRecord(
        path=entry.path,
        state=made.state,
        size=entry.size,
        sha256=entry.sha256,
        kind=made.kind,
        reason=made.reason,
    )


def _parse(target: ScanTarget) -> ParsedSkill | None:
    data = target.contents.get(target.main_file)
    if data is None:
        return None
    return parse_skill(data, registry="scan", path=".", file_name=target.main_file)


def _drafts(subject: Subject) -> Iterator[Draft]:
    """What every rule finds, at most so many of one rule in one file."""
    counts: Counter[tuple[str, str]] = Counter()
    for draft in _every_draft(subject):
        counts[draft.rule.id, draft.path] += 1
        count = counts[draft.rule.id, draft.path]
        if count <= MAX_HITS:
            yield draft
        elif count == MAX_HITS + 1 and draft.rule is not MORE:
            message = f"More findings of {draft.rule.id} in this file are not listed."
            yield Draft(MORE, message, draft.path, Severity.INFO, draft.file, draft.start)


def _every_draft(subject: Subject) -> Iterator[Draft]:
    for file in subject.files:
        yield from match_patterns(subject, file)
    for detector in scan_rules.DETECTORS:
        yield from detector(subject)


def _finding(draft: Draft) -> ScanFinding:
    line, column, snippet = draft.line or 1, draft.column, draft.snippet or ""
    if draft.file is not None:
        line, column = draft.file.place(draft.start)
        snippet = draft.file.around(draft.start)
    finding = Finding(
        rule=draft.rule.id,
        severity=draft.severity,
        message=draft.message,
        path=draft.path,
        line=line,
        column=column,
        snippet=masked(snippet),
        place=draft.place,
    )
    return ScanFinding(finding=finding, code=draft.rule.code)


def _incomplete(record: FileRecord) -> ScanFinding:
    finding = Finding(
        rule=INCOMPLETE.id,
        severity=INCOMPLETE.severity,
        message=f"{record.path} was not scanned whole: {record.reason}.",
        path=record.path,
    )
    return ScanFinding(finding=finding, code=INCOMPLETE.code)


def _reading(subject: Subject) -> Iterable[Finding]:
    parsed = subject.parsed.findings if subject.parsed is not None else ()
    for finding in (*subject.target.findings, *parsed):
        if finding.rule in _READING and finding.severity is not Severity.INFO:
            yield finding.model_copy(update={"snippet": masked(finding.snippet)})


def _read(finding: Finding) -> ScanFinding:
    return ScanFinding(finding=finding, code=_READING[finding.rule])


def opened_text(path: str, data: bytes, *, is_main: bool = False) -> FileText | None:
    """The text of one file as the scan sees it; for tests and for showing findings in place."""
    return open_file(path, data, is_main=is_main).text
