"""How often real skills get a high finding, and whether each of those was read and judged.

    python -m tests.scan.corpora DIR

DIR holds registries. Prints the share of skills with a high or critical finding, every such finding,
and which of them ``corpora_judgements.tsv`` lacks; leaves with 1 when one is missing or the share is
over two in a hundred.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from asf_core.domain.checks import CheckedFinding
from asf_core.domain.findings import Severity
from asf_core.services.checking import check_paths

TABLE = Path(__file__).parent / "corpora_judgements.tsv"
MOST = 0.02
"""Share of skills that may get a high or critical finding."""


def judged() -> dict[tuple[str, str], dict[str, str]]:
    """The table, by skill and rule."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {(row["skill"], row["rule"]): row for row in rows}


def grave(directory: Path) -> tuple[int, Iterator[CheckedFinding]]:
    """How many skills there are, and the findings of high weight or more."""
    report = check_paths("scan", [directory])
    skills = sum(len(root.skills) for root in report.roots)
    return skills, (i for i in report.findings if i.finding.severity.rank >= Severity.HIGH.rank)


def main(directory: Path) -> int:
    """Print what was found; returns the exit code."""
    skills, found = grave(directory)
    items = list(found)
    known = judged()
    missing = [item for item in items if (item.skill, item.finding.rule) not in known]
    share = len({item.skill for item in items}) / max(skills, 1)
    print(f"{skills} skills, {share:.2%} with a high or critical finding")
    for item in items:
        row = known.get((item.skill, item.finding.rule))
        said = row["judgement"] if row else "NOT JUDGED"
        print(f"{item.skill}  {item.finding.rule}  line {item.finding.line}  {said}")
    return 1 if missing or share > MOST else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
