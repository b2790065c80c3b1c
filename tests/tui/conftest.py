"""The workbench's tests: a pinned environment, and an app on an engine in memory."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pytest_textual_snapshot import SVGImageExtension

# The plug-in names the extension as syrupy did before version 5; without this, files end in .raw.
SVGImageExtension.file_extension = "svg"

# How long an example takes says how busy the machine is, nothing else.
settings.register_profile("workbench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("workbench")

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def pinned_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the terminal that the tests run in reaches a picture."""
    for name in ("NO_COLOR", "TEXTUAL", "TEXTUAL_THEME", "COLUMNS", "LINES", "ASF_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TZ", "UTC")
