#!/usr/bin/env python3
"""Find tests with both verdicts on one commit in a tree of JUnit XML reports.

Layout: DIR/<commit>/<run>.xml. Exit codes: 0 no flaky test, 1 some found, 2 wrong usage or input.
"""

import argparse
import json
import math
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path


def cases(path):
    """(test id, failed, seconds, message) of each case in one report; skips are left out."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("skipped") is not None:
            continue
        problem = case.find("failure")
        problem = problem if problem is not None else case.find("error")
        name = "::".join(filter(None, [case.get("classname", ""), case.get("name", "")]))
        message = ""
        if problem is not None:
            message = (problem.get("message") or problem.text or "").strip().split("\n")[0][:120]
        try:
            seconds = float(case.get("time") or 0)
        except ValueError:
            seconds = 0.0
        yield name, problem is not None, seconds, message


def collect(root):
    """Verdicts by test and commit, and the files that could not be read."""
    runs, unreadable = defaultdict(lambda: defaultdict(list)), []
    for path in sorted(Path(root).glob("*/*.xml")):
        try:
            found = list(cases(path))
        except (ElementTree.ParseError, OSError) as error:
            unreadable.append(f"{path}: {error}")
            continue
        for name, failed, seconds, message in found:
            runs[name][path.parent.name].append((failed, seconds, message))
    return runs, unreadable


def clean_runs_needed(rate):
    """Runs without failure that make a mended test credible at 95%."""
    return math.ceil(math.log(0.05) / math.log(1 - rate)) if 0 < rate < 1 else 1


def flakes(runs):
    """One row a flaky test, the most expensive first."""
    rows = []
    for name, commits in runs.items():
        mixed = {sha: verdicts for sha, verdicts in commits.items()
                 if len({failed for failed, _, _ in verdicts}) == 2}
        if not mixed:
            continue
        verdicts = [verdict for found in mixed.values() for verdict in found]
        failures = [verdict for verdict in verdicts if verdict[0]]
        rate = len(failures) / len(verdicts)
        rows.append({"test": name, "commits": sorted(mixed), "runs": len(verdicts),
                     "failures": len(failures), "rate": round(rate, 4),
                     "seconds_lost": round(sum(seconds for _, seconds, _ in failures), 3),
                     "messages": sorted({message for _, _, message in failures if message}),
                     "clean_runs_needed": clean_runs_needed(rate)})
    return sorted(rows, key=lambda row: (-row["failures"], -row["seconds_lost"], row["test"]))


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", help="directory with one directory a commit")
    parser.add_argument("--top", type=int, default=10, help="rows of the table on stderr")
    args = parser.parse_args(argv)
    if not Path(args.reports).is_dir():
        print(f"flakes: {args.reports} is no directory", file=sys.stderr)
        return 2
    runs, unreadable = collect(args.reports)
    for line in unreadable:
        print(f"flakes: skipped, not readable: {line}", file=sys.stderr)
    if not runs:
        print(f"flakes: no test case in {args.reports}/<commit>/<run>.xml", file=sys.stderr)
        return 2
    rows = flakes(runs)
    print(json.dumps(rows, indent=1))
    for row in rows[: args.top]:
        message = row["messages"][0] if row["messages"] else "(no message)"
        print(f"{row['failures']:3}/{row['runs']:<3} {row['rate']:6.1%} {row['seconds_lost']:8.1f}s "
              f"{row['test']}  {message}", file=sys.stderr)
    return 1 if rows else 0


if __name__ == "__main__":
    sys.exit(main())
