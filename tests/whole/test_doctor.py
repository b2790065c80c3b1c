"""``asf doctor`` as a person and a script call it."""

from __future__ import annotations

from pathlib import Path

from asf_core.domain.doctor import HealthReport
from asf_core.domain.text import visible
from tests.whole.process import Asf


def test_nothing_is_missing_here(synced: Asf) -> None:
    report = HealthReport.model_validate_json(synced.run("doctor", "--json").stdout)
    assert report.workspace == str(synced.workspace)
    assert report.missing == 0
    areas = [check.area for check in report.checks]
    assert list(dict.fromkeys(areas)) == [
        "program",
        "models",
        "store",
        "user",
        "git",
        "terminal",
        "extras",
    ]
    page = synced.run("doctor").stdout
    for word in ("models dense", "store workspace", "git version", "Nothing needed is missing"):
        assert word in page
    assert visible(page, keep="\n") == page


def test_it_leaves_with_4_and_says_what_to_do(synced: Asf, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    done = synced.run("doctor", "--model-dir", str(tmp_path / "models"), code=4)
    assert "1 missing" in done.stdout
    assert "do: Put an ONNX export there" in done.stdout
    assert "Traceback" not in done.stderr
    report = synced.json("doctor", "--model-dir", str(tmp_path / "models"), code=4)
    (lacking,) = (check for check in report["checks"] if check["health"] == "missing")
    assert (lacking["area"], lacking["name"]) == ("models", "dense")


def test_a_fresh_machine_is_told_how_to_begin(synced: Asf, tmp_path: Path) -> None:
    fresh = Asf(tmp_path / "ws", tmp_path)
    assert "asf sync DIR" in fresh.run("doctor").stdout
    assert list(tmp_path.iterdir()) == []
