"""Makes the pictures of README from the sample registry: ``python -m tests.tui.pictures``.

The real program on the real engine, so that a picture shows what a reader will see.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from asf_tui.app import Workbench
from asf_tui.bridge import opener

ROOT = Path(__file__).parents[2]
TARGET = ROOT / ".github" / "pictures"
TASK = (
    "Find papers on PD-L1 expression in lung cancer, classify their TPS scores, "
    "draw a publication figure and check the citations"
)


async def _shoot(workspace: Path) -> None:
    app = Workbench(opener(workspace, create=True), ROOT / "sample_registry")
    async with app.run_test(size=(150, 40)) as pilot:
        await _idle(app, pilot, synced=True)
        await pilot.press("/", *"science", "enter", "down", "down")
        await _idle(app, pilot)
        _save(app, "skills")
        await pilot.press("escape", "escape", "2")
        await pilot.press(*TASK)
        for _ in range(3):  # the first one opens the models; a picture shows a warm route
            await pilot.press("enter")
            await _idle(app, pilot)
        _save(app, "routing")
        await pilot.press("escape", "3", "r")
        await _idle(app, pilot)
        _save(app, "measure")


async def _idle(app: Workbench, pilot: Pilot[int], *, synced: bool = False) -> None:
    """Wait until nothing is being worked on."""
    while synced and app.report is None:
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.5)
    await app.workers.wait_for_complete()
    await pilot.pause()


def _save(app: Workbench, name: str) -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    (TARGET / f"{name}.svg").write_text(app.export_screenshot(title=""), encoding="utf-8")


def main() -> None:
    """Make all pictures."""
    with tempfile.TemporaryDirectory() as workspace:
        asyncio.run(_shoot(Path(workspace)))


if __name__ == "__main__":
    main()
