"""Findings as SARIF 2.1.0, for code hosts and editors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote

from asf_core.domain.checks import CheckedFinding, CheckedRoot, CheckReport, Standing
from asf_core.domain.findings import Finding, Severity
from asf_core.domain.rules import Rule
from asf_core.domain.text import visible
from asf_core.quality.catalogue import catalogue

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_LEVELS = {
    Severity.INFO: "note",
    Severity.LOW: "note",
    Severity.MEDIUM: "warning",
    Severity.HIGH: "error",
    Severity.CRITICAL: "error",
}
_SCORES = {
    Severity.INFO: "0.0",
    Severity.LOW: "3.0",
    Severity.MEDIUM: "5.5",
    Severity.HIGH: "8.0",
    Severity.CRITICAL: "9.5",
}
"""What code hosts sort by (``security-severity``), on the scale of CVSS."""


def to_sarif(report: CheckReport, version: str) -> dict[str, Any]:
    """Write a report as one SARIF log with one run.

    Args:
        report: What was found.
        version: Of this program.

    Returns:
        A document that JSON can write. Waived findings are suppressed results with the reason;
        those of a baseline are ``unchanged``. Text of skills has its control, bidi and zero-width
        characters shown.
    """
    items = {item.finding.rule: item for item in report.findings}
    used = sorted(items)
    rules = [catalogue().get(rule_id) or _foreign(items[rule_id]) for rule_id in used]
    index = {rule_id: number for number, rule_id in enumerate(used)}
    run: dict[str, Any] = {
        "tool": {"driver": _driver(report, version, rules)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            "SRCROOT": {"description": {"text": "The directory that the check was started in."}}
        },
        "invocations": [_invocation(report)],
        "results": [_result(root, item, index) for root in report.roots for item in root.findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _foreign(item: CheckedFinding) -> Rule:
    """A rule of another engine, as far as its finding tells."""
    return Rule(
        id=item.finding.rule,
        severity=item.finding.severity,
        title=visible(item.title),
        code=item.code,
        why=visible(item.title),
        remedy=visible(item.remediation),
        source="another engine",
    )


def _driver(report: CheckReport, version: str, rules: Sequence[Rule]) -> dict[str, Any]:
    driver: dict[str, Any] = {
        "name": f"asf {report.kind}",
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(rule) for rule in rules],
    }
    if report.scanner is not None:
        driver["properties"] = report.scanner.model_dump(mode="json")
    return driver


def _rule(rule: Rule) -> dict[str, Any]:
    lines = [rule.why, f"What to do: {rule.remedy}"]
    examples = [
        f"\n{label}:\n\n```\n{visible(text, keep=chr(10))}\n```"
        for label, text in (("Breaks it", rule.bad), ("Mended", rule.good))
        if text
    ]
    return {
        "id": rule.id,
        "name": "".join(part.capitalize() for part in rule.id.replace("/", "-").split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {
            "text": " ".join(lines),
            "markdown": "\n\n".join(lines) + "".join(examples) + f"\n\nSource: {rule.source}",
        },
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["security" if rule.family not in ("format", "registry") else "lint"],
            "security-severity": _SCORES[rule.severity],
            "code": rule.code.value,
            "source": rule.source,
            "since": rule.since,
        },
    }


def _invocation(report: CheckReport) -> dict[str, Any]:
    incomplete = [
        {
            "level": "error",
            "message": {"text": f"{visible(skill.path)} was not looked at whole."},
        }
        for root in report.roots
        for skill in root.skills
        if not skill.complete
    ]
    notes = [{"level": "warning", "message": {"text": visible(note)}} for note in report.notes]
    return {
        "executionSuccessful": not incomplete,
        "toolExecutionNotifications": [*incomplete, *notes],
    }


def _result(root: CheckedRoot, item: CheckedFinding, index: dict[str, int]) -> dict[str, Any]:
    finding = item.finding
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{visible(finding.message)} What to do: {item.remediation}"},
        "locations": [{"physicalLocation": _location(root, finding)}],
        "partialFingerprints": {"asfFinding/v1": item.fingerprint},
        "properties": {
            "severity": finding.severity.value,
            "security-severity": _SCORES[finding.severity],
            "code": item.code.value,
            "skill": visible(item.skill),
        },
        "baselineState": "unchanged" if item.standing is Standing.BASELINE else "new",
    }
    if finding.place is not None:
        result["properties"]["place"] = finding.place.value
    if item.standing is Standing.WAIVED:
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": visible(item.note)}
        ]
    if finding.repair is not None:
        result["fixes"] = list(_fixes(root, finding))
    return result


def _location(root: CheckedRoot, finding: Finding) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": finding.line, "startColumn": finding.column}
    if finding.snippet:
        region["snippet"] = {"text": visible(finding.snippet)}
    return {"artifactLocation": _artifact(root, finding.path), "region": region}


def _artifact(root: CheckedRoot, path: str) -> dict[str, str]:
    whole = path if root.path in ("", ".") else f"{root.path}/{path}"
    uri = quote(whole.encode("utf-8", "surrogatepass"), safe="/-._~")
    if whole.startswith("/"):
        return {"uri": f"file://{uri}"}
    return {"uri": uri, "uriBaseId": "SRCROOT"}


def _fixes(root: CheckedRoot, finding: Finding) -> Iterable[dict[str, Any]] | Iterator[Any]:
    repair = finding.repair
    if repair is not None:
        replacement = {
            "deletedRegion": {
                "startLine": repair.line,
                "startColumn": 1,
                "endLine": repair.end_line + 1,
                "endColumn": 1,
            },
            "insertedContent": {"text": repair.replacement + "\n"},
        }
        yield {
            "description": {"text": repair.summary},
            "artifactChanges": [
                {
                    "artifactLocation": _artifact(root, finding.path),
                    "replacements": [replacement],
                }
            ],
        }
