"""A synced sample registry, made once for all whole-path tests, by the program itself."""

from __future__ import annotations

import shutil

import pytest

from tests.whole.process import SAMPLE, Asf


@pytest.fixture(scope="session")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Asf:
    """The sample registry, copied out of this repository's git and synced once."""
    base = tmp_path_factory.mktemp("whole")
    shutil.copytree(SAMPLE, base / "sample_registry", symlinks=True)
    asf = Asf(base / "workspace", base)
    asf.run("sync", "sample_registry")
    return asf
