"""What a process has taken of the machine's memory."""

from __future__ import annotations

import resource
import sys


def peak_mb() -> float:
    """The most that this process ever held at once, in MiB; mapped pages included."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
