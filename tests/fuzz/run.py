"""A coverage-guided run over one target, bounded in time and memory. Needs ``atheris``.

    python -m tests.fuzz.run scan --seconds 600 [--corpus DIR]

Leaves with another code than 0 when the target raised, hung or took too much memory; the input that
did it is then a file ``crash-*``, ``timeout-*`` or ``oom-*`` in the current directory.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["asf_core", "yaml"]):
    from tests.fuzz.targets import SEEDS, TARGETS

HANG_SECONDS = 20
MEMORY_MB = 2048
MAX_BYTES = 16_384


def main() -> None:
    """Fuzz until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, help="directory that keeps what is found")
    given = parser.parse_args()
    corpus = given.corpus or Path(tempfile.mkdtemp(prefix="asf-fuzz-"))
    corpus.mkdir(exist_ok=True)
    for number, seed in enumerate(SEEDS[given.target]):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [
        f"-max_total_time={given.seconds}",
        f"-timeout={HANG_SECONDS}",
        f"-rss_limit_mb={MEMORY_MB}",
        f"-max_len={MAX_BYTES}",
        "-print_final_stats=1",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], str(corpus), *options], TARGETS[given.target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
