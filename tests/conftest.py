"""What holds for every test: nothing is written to the real user's directory, and tests that need
a PostgreSQL server say by name when there is none."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.engine import URL

from tests import postgresql

_NOT_RUN: list[str] = []


@pytest.fixture(scope="session", autouse=True)
def _user_directory_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    os.environ["ASF_USER_DIR"] = str(tmp_path_factory.mktemp("user"))


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str | None]:
    """The address of a server of the tests' own; ``None`` where there can be none."""
    if postgresql.why_not():
        yield None
        return
    with postgresql.server() as address:
        yield address


@pytest.fixture
def postgresql_url(postgresql_server: str | None, request: pytest.FixtureRequest) -> Iterator[URL]:
    """An empty database on it."""
    if postgresql_server is None:
        _NOT_RUN.append(request.node.nodeid)
        pytest.skip(postgresql.why_not())
    url = make_url(postgresql_server).set(drivername="postgresql+psycopg")
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that a missing server kept from running."""
    if _NOT_RUN:
        terminalreporter.section("not run over PostgreSQL")
        terminalreporter.line(postgresql.why_not())
        for name in _NOT_RUN:
            terminalreporter.line(f"  {name}")
