"""What a check looks for, declared once: the source of lint, scan, explain and SARIF metadata."""

from __future__ import annotations

from dataclasses import dataclass

from asf_core.domain.findings import FindingCode, Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. Its id is stable: it stands in waivers, baselines, SARIF and other people's scripts."""

    id: str
    """``family/kebab-case``."""
    severity: Severity
    """Of a finding where nothing says otherwise; the place of a text can lower or raise it."""
    title: str
    """What is wrong, in a few words, for a list of rules."""
    code: FindingCode
    """What a security receipt calls it; each rule has exactly one code."""
    why: str
    """What can go wrong, in one or two sentences."""
    remedy: str
    """What to do about a finding, in the imperative."""
    bad: str = ""
    """The shortest text that breaks the rule; empty where no text does."""
    good: str = ""
    """The same, mended."""
    source: str = ""
    """Where the rule comes from: a specification, a standard, a published attack."""
    since: str = ""
    """The day on which the rule was written or last changed, ``YYYY-MM-DD``."""

    @property
    def family(self) -> str:
        """The part of the id before the slash."""
        return self.id.partition("/")[0]
