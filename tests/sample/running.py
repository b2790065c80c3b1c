"""Cases of scripts, the same for each group of the sample registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """One run of a script and what it must answer."""

    script: str
    args: Sequence[str]
    code: int
    files: dict[str, str] = field(default_factory=dict)
    out: Sequence[str] = ()
    """Words that must stand in what it prints."""
    err: Sequence[str] = ()
    absent: Sequence[str] = ()
    """Words that must not."""

    def __str__(self) -> str:
        skill, _, name = self.script.partition("/scripts/")
        return f"{skill.rpartition('/')[2]}-{name}-{self.code}"


def rows(*lines: str) -> str:
    """Lines as a file's text."""
    return "\n".join(lines) + "\n"


def check(case: Case, answer: Callable) -> None:
    """Run a case and compare."""
    result = answer(case.script, case.args, case.files)
    assert result.code == case.code, result
    assert [words for words in case.out if words not in result.out] == [], result
    assert [words for words in case.err if words not in result.err] == [], result
    assert [words for words in case.absent if words in result.out] == [], result


def covered(cases: Sequence[Case], programs: Sequence[str], group: str) -> None:
    """Every program of a group has a case."""
    assert {case.script for case in cases} == {p for p in programs if p.startswith(f"{group}/")}


COPIED = {
    "hardware/voltage-divider-tool/scripts/divider.py": "hardware/resistor-divider-picker/scripts/divider.py",
    "web/locale-lint/scripts/lint.js": "web/translation-file-check/scripts/check.js",
}
"""Scripts of copies, and whose they are: what is tested of the one holds of the other."""
