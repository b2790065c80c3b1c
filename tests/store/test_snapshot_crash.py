import os
import subprocess
import sys
from pathlib import Path

import asf_core

PACKAGES = Path(asf_core.__file__).parents[1]
SCRIPT = Path(__file__).with_name("crash_snapshot.py")


def _run(root: Path, mode: str, **environment: str) -> list[int]:
    found = subprocess.run(
        [sys.executable, str(SCRIPT), str(root), mode],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGES), **environment},
    )
    assert (found.returncode, found.stderr) == (0, "")
    return [int(word) for word in found.stdout.split()]


def test_dying_at_any_point_leaves_a_whole_generation(tmp_path: Path) -> None:
    """As after kill -9 or a power cut, at every touch of the disk (case B073)."""
    points, *codes = _run(tmp_path / "snapshots", "die")
    assert points > 60
    assert codes == [0, 9]


def test_an_error_at_any_point_leaves_a_whole_generation(tmp_path: Path) -> None:
    """As with a full disk: an error that says so, or all is done."""
    points, *codes = _run(tmp_path / "snapshots", "fail", POINTS="70")
    assert points == 70
    assert 7 in codes
