"""Helpers of the measurement's tests."""

import sys
from pathlib import Path

import pytest

# Test modules share the trees and graphs of this directory.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def own_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry is measured as its workspace says: never the one of whoever runs the tests."""
    monkeypatch.setenv("ASF_WORKSPACE", str(tmp_path / "workspace"))
