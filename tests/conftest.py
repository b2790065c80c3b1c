"""What holds for every test: nothing is written to the real user's directory."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def _user_directory_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    os.environ["ASF_USER_DIR"] = str(tmp_path_factory.mktemp("user"))
