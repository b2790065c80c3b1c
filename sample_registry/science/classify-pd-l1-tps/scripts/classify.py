#!/usr/bin/env python3
"""Group PD-L1 readings of Paper records by tumour proportion score.

Exit codes: 0 at least one case grouped, 1 none, 2 wrong usage or unreadable input.
"""

import argparse
import json
import sys

GROUPS = ("<1%", "1-49%", ">=50%")
PRINTED = {"<1": "<1%", "<1%": "<1%", "1-49": "1-49%", "1-49%": "1-49%",
           ">=50": ">=50%", ">=50%": ">=50%", "≥50": ">=50%", "≥50%": ">=50%"}
MIN_CELLS = 100


def group_of(value, low, high):
    """Group of one printed value, or None when it is no reading."""
    if isinstance(value, str):
        return PRINTED.get(value.replace(" ", "").replace("–", "-"))
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 100:
        return None
    return GROUPS[0] if value < low else GROUPS[1] if value < high else GROUPS[2]


def refusal(paper, row, present):
    """Why a reading is left out, or an empty string."""
    if paper.get("status") == "retracted":
        return "retracted"
    if paper.get("preprint_of") in present:
        return "preprint"
    if row.get("score", "TPS") != "TPS":
        return "not_tps"
    cells = row.get("cells", MIN_CELLS)
    if isinstance(cells, bool) or not isinstance(cells, (int, float)):
        return "unreadable"
    return "too_few_cells" if cells < MIN_CELLS else ""


def classify(papers, low=1.0, high=50.0, prefer=("22C3", "SP263", "28-8", "SP142")):
    """The tps-scores/1 document for a list of Paper records."""
    order = {clone: place for place, clone in enumerate(prefer)}
    present = {paper.get("id") for paper in papers}
    best, excluded = {}, []

    def leave_out(paper, row, reason):
        excluded.append({"paper": paper.get("id"), "case": row.get("case"),
                         "assay": row.get("assay"), "reason": reason})

    for paper in papers:
        for row in paper.get("observations", []):
            reason = refusal(paper, row, present)
            group = group_of(row.get("value"), low, high)
            if reason or group is None:
                leave_out(paper, row, reason or "unreadable")
                continue
            key = (paper.get("id"), row.get("case"))
            entry = (order.get(row.get("assay"), len(order)), paper, row, group)
            if key in best and best[key][0] <= entry[0]:
                leave_out(paper, row, "other_clone")
                continue
            if key in best:
                leave_out(best[key][1], best[key][2], "other_clone")
            best[key] = entry
    cases = [{"paper": paper.get("id"), "case": row.get("case"), "assay": row.get("assay"),
              "value": row.get("value"), "group": group, "as_printed": isinstance(row["value"], str)}
             for _, paper, row, group in best.values()]
    return {"schema": "tps-scores/1", "cutoffs": [low, high],
            "counts": {name: sum(case["group"] == name for case in cases) for name in GROUPS},
            "cells_unknown": sum("cells" not in row for _, _, row, _ in best.values()),
            "cases": cases, "excluded": excluded}


def by_paper(result):
    """Counts of each group, a paper at a time."""
    table = {}
    for case in result["cases"]:
        table.setdefault(case["paper"], dict.fromkeys(GROUPS, 0))[case["group"]] += 1
    return table


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", help="JSON array of Paper records, or - for standard input")
    parser.add_argument("--low", type=float, default=1.0, help="lower cut-off in percent (default 1)")
    parser.add_argument("--high", type=float, default=50.0, help="upper cut-off (default 50)")
    parser.add_argument("--prefer", default="22C3,SP263,28-8,SP142",
                        help="clones, preferred first, comma separated")
    parser.add_argument("--by-paper", action="store_true", help="add the counts of each paper")
    args = parser.parse_args(argv)
    if not 0 < args.low < args.high <= 100:
        parser.error("cut-offs must satisfy 0 < low < high <= 100")
    try:
        text = sys.stdin.read() if args.papers == "-" else open(args.papers, encoding="utf-8").read()
        papers = json.loads(text)
        if not isinstance(papers, list) or not all(isinstance(paper, dict) for paper in papers):
            raise ValueError("expected a JSON array of Paper records")
    except (OSError, ValueError) as error:
        print(f"classify: cannot read {args.papers}: {error}", file=sys.stderr)
        return 2
    result = classify(papers, args.low, args.high, tuple(args.prefer.split(",")))
    if args.by_paper:
        result["by_paper"] = by_paper(result)
    print(json.dumps(result, ensure_ascii=False, indent=1))
    if not result["cases"]:
        print("classify: no evaluable TPS reading in these papers", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
