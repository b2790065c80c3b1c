"""What can be done while another process holds the workspace for its sync."""

from __future__ import annotations

import shutil
from pathlib import Path

from asf_core.store.workspace import Workspace
from tests.whole.process import Asf

REF = "sample_registry/science/citation-verifier"
TASK = "check the citations of my manuscript"


def test_decisions_do_not_wait_and_routing_goes_on(synced: Asf, tmp_path: Path) -> None:
    asf = Asf(tmp_path / "workspace", synced.cwd)
    shutil.copytree(synced.workspace, asf.workspace)
    with Workspace(asf.workspace).writer_lock(purpose="sync"):
        asf.run("quarantine", REF, "--reason", "checking a complaint")
        answer = asf.run("route", TASK, "--json", code=None)
        assert "as it was last synced" in " ".join(answer.stderr.split())
        assert f'"{REF}"' not in answer.stdout
        asf.run("release", REF, "--reason", "it was fine")
        assert f'"{REF}"' in asf.run("route", TASK, "--json").stdout
        refused = asf.run("sync", code=4)
        assert "for sync since" in refused.stderr
