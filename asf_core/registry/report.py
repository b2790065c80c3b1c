"""Collects what is wrong with one SKILL.md while it is read."""

from __future__ import annotations

from asf_core.domain.findings import Finding, Repair, Severity
from asf_core.registry.frontmatter import Frontmatter
from asf_core.registry.rules import BREAKING, Rule
from asf_core.registry.yamltree import Node, Pair, Scalar


class Report:
    """Findings of one file, placed by the nodes that they are about."""

    def __init__(self, frontmatter: Frontmatter) -> None:
        self._frontmatter = frontmatter
        self.source = frontmatter.source
        self.findings: list[Finding] = list(frontmatter.findings)

    def at_node(
        self,
        rule: Rule,
        message: str,
        node: Node,
        *,
        severity: Severity | None = None,
        repair: Repair | None = None,
    ) -> None:
        """Add a finding about a key or a value of the frontmatter."""
        self.at(
            rule, message, self._frontmatter.offset + node.start, severity=severity, repair=repair
        )

    def at(
        self,
        rule: Rule,
        message: str,
        offset: int = 0,
        *,
        severity: Severity | None = None,
        repair: Repair | None = None,
    ) -> None:
        """Add a finding about an offset of the file."""
        finding = self.source.finding(rule, message, offset, severity=severity, repair=repair)
        self.findings.append(finding)

    def rename_key(self, key: Scalar, new: str) -> Repair | None:
        """The repair that spells a key in another way; ``None`` where it shares its line."""
        offset = self._frontmatter.offset + key.start
        start, end = self.source.line_span(offset)
        line = self.source.text[start:end]
        if not line.strip().startswith(key.text):
            return None
        number, column = self.source.place(offset)
        replacement = line[: column - 1] + new + line[column - 1 + len(key.text) :]
        return Repair(
            summary=f"Rename the field to {new}",
            line=number,
            end_line=number,
            replacement=replacement,
        )

    def replace_value(self, pair: Pair, new: str, summary: str) -> Repair | None:
        """The repair that replaces a one-line plain value; ``None`` for any other."""
        value = pair.value
        if not isinstance(value, Scalar) or not value.plain:
            return None
        offset = self._frontmatter.offset + value.start
        start, end = self.source.line_span(offset)
        stop = self._frontmatter.offset + value.end
        if stop > end or pair.key.start + self._frontmatter.offset < start:
            return None
        number = self.source.place(offset)[0]
        text = self.source.text
        replacement = text[start:offset] + new + text[stop:end]
        return Repair(summary=summary, line=number, end_line=number, replacement=replacement)

    @property
    def is_broken(self) -> bool:
        """A finding stands that makes the skill unfit to be routed."""
        return any(finding.rule in BREAKING for finding in self.findings)
