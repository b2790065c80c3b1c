"""Grades given by reading: 0 slop, 1 borderline, 2 worth keeping."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.errors import InputError

_GRADES = {"0": 0, "1": 1, "2": 2}


@dataclass(frozen=True, slots=True)
class Label:
    """One graded skill."""

    path: str
    """POSIX path of its directory below the labelled tree."""
    grade: int


def read_labels(file: Path) -> tuple[Label, ...]:
    """Read a table of grades: tab-separated, with columns ``path`` (of the SKILL.md) and ``grade``.

    Raises:
        InputError: It cannot be read, a grade is none, or a path comes twice.
    """
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"The labels {file} cannot be read", why=str(error)) from error
    labels: dict[str, Label] = {}
    for number, row in enumerate(rows, start=2):
        path, grade = row.get("path") or "", row.get("grade") or ""
        if grade not in _GRADES or not path or path in labels:
            raise InputError(
                f"{file}, line {number} is no label",
                why=f"path {path!r}, grade {grade!r}: a path of its own and 0, 1 or 2 are wanted",
                hint="A line has the columns path and grade, separated by tabs",
            )
        labels[path] = Label(path.rpartition("/")[0] or ".", _GRADES[grade])
    return tuple(labels.values())
