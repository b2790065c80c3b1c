"""Baselines: findings that stood there already, so that only new ones count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from asf_core.domain.checks import CheckedFinding, Standing
from asf_core.domain.errors import InputError
from asf_core.trust.canonical import canonical_json, sha256_hex

SCHEMA = "asf.baseline/1"


def fingerprint(rule: str, path: str, snippet: str, nth: int) -> str:
    """What makes a finding the same finding on another day.

    Args:
        rule: Its rule.
        path: Its file, relative to the registry.
        snippet: The line that it stands on, secrets masked; white space does not count.
        nth: Which one it is of those that agree in all of this, from 0.
    """
    return sha256_hex(canonical_json(["asf.finding/1", rule, path, " ".join(snippet.split()), nth]))


class Baseline:
    """The fingerprints of a baseline.

    Args:
        known: The fingerprints.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)

    @classmethod
    def load(cls, path: Path) -> Baseline:
        """Read a baseline that :func:`write_baseline` has written.

        Raises:
            InputError: It cannot be read, or is no baseline.
        """
        try:
            value = json.loads(path.read_text("utf-8"))
        except OSError as error:
            raise InputError(
                f"The baseline {path} cannot be read",
                why=error.strerror or "",
                hint=f"Write one with: --write-baseline {path}",
            ) from error
        except ValueError as error:
            raise InputError(f"The baseline {path} is no JSON", why=str(error)) from error
        rows = value.get("findings") if isinstance(value, dict) else None
        if not isinstance(rows, list) or value.get("schema") != SCHEMA:
            raise InputError(f"{path} is no baseline", why=f"It does not say {SCHEMA!r}")
        return cls(str(row.get("fingerprint")) for row in rows if isinstance(row, dict))

    def apply(self, item: CheckedFinding) -> CheckedFinding:
        """Mark a finding that stood there already."""
        if item.standing is Standing.OPEN and item.fingerprint in self._known:
            note = "stood there when the baseline was written"
            return item.model_copy(update={"standing": Standing.BASELINE, "note": note})
        return item


def write_baseline(path: Path, findings: Iterable[CheckedFinding]) -> int:
    """Write the findings that stand open or in a baseline; returns how many.

    Raises:
        InputError: The file cannot be written.
    """
    rows = [
        {
            "fingerprint": item.fingerprint,
            "rule": item.finding.rule,
            "path": item.finding.path,
            "line": item.finding.line,
        }
        for item in findings
        if item.standing is not Standing.WAIVED
    ]
    text = json.dumps({"schema": SCHEMA, "findings": rows}, indent=1) + "\n"
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written", why=error.strerror or "") from error
    return len(rows)


class Fingerprints:
    """Counts findings that agree, to tell them apart."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def fingerprint(self, rule: str, path: str, snippet: str) -> str:
        """The fingerprint of the next finding of this kind."""
        key = (rule, path, " ".join(snippet.split()))
        nth = self._seen[key]
        self._seen[key] += 1
        return fingerprint(rule, path, snippet, nth)
