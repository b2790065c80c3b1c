"""Time and memory of ``asf measure`` on a large checkout that is made up for it.

    python -m tests.measure.large [FILES [SEED]]

writes a TypeScript workspace of so many files (3,000 by default: packages, path aliases, barrels,
tools, some 110 lines a file) into a temporary directory, measures it by the command line in a process
of its own, and prints one line. The bound is 60 seconds and 2 GB on two cores.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.measure.measure_trees import typescript_tree

MOST_SECONDS, MOST_MEGABYTES = 60, 2_048


def main(files: int = 3_000, seed: int = 7) -> int:
    """Measure, print, and leave with 1 over a bound."""
    with tempfile.TemporaryDirectory() as directory:
        root = typescript_tree(Path(directory), files, seed)
        lines = sum(path.read_text().count("\n") for path in root.rglob("*.ts"))
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "asf_core.cli.main", "measure", str(root), "--json"],
            stdout=subprocess.PIPE,
            check=True,
        )
        wall = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    # The largest process's peak; the others, which only read, hold less each.
    cores = min(len(os.sched_getaffinity(0)), 4)
    peak = used.ru_maxrss / 1024
    counts = json.loads(done.stdout)["counts"]
    print(
        f"{counts['files']:,} files, {lines:,} lines, {counts['nodes']:,} nodes, "
        f"{counts['links']:,} links: {wall:.1f} s wall, {used.ru_utime + used.ru_stime:.1f} s CPU "
        f"on {cores} cores, {peak:,.0f} MB in the largest process"
    )
    return int(wall > MOST_SECONDS or peak * (cores + 1) > MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
