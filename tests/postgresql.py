"""A PostgreSQL server of the tests' own, where the programs for one are installed.

It listens on a socket in a temporary directory, on no port, and ends with the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_USER = "postgres"
"""Who runs it when the tests run as root: the server refuses to."""


def programs() -> Path | None:
    """The directory of ``initdb`` and ``pg_ctl``; ``None`` when they are not installed."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return known[-1].parent if known else None


def why_not() -> str:
    """Why there can be no server here; empty when there can."""
    if programs() is None:
        return "PostgreSQL is not installed (initdb is not found)"
    if os.geteuid() == 0:
        import pwd

        try:
            pwd.getpwnam(_USER)
        except KeyError:
            return f"PostgreSQL does not run as root, and there is no user {_USER}"
    return ""


@contextmanager
def server() -> Iterator[str]:
    """A running server; gives the address of its database."""
    directory = programs()
    assert directory is not None
    as_user = {"user": _USER} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="asf-pg-") as place:
        base = Path(place)
        if as_user:
            shutil.chown(base, _USER)
        base.chmod(0o755)
        data, options = base / "data", f"-k {base} -c listen_addresses='' -c fsync=off"

        def run(program: str, *arguments: str) -> None:
            subprocess.run(
                [directory / program, *arguments],
                check=True,
                capture_output=True,
                cwd=base,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
                **as_user,  # type: ignore[call-overload]
            )

        run("initdb", "-D", str(data), "-U", "asf", "-A", "trust", "-E", "UTF8", "--no-sync")
        run("pg_ctl", "-D", str(data), "-l", str(base / "log"), "-w", "-o", options, "start")
        try:
            yield f"postgresql://asf@/postgres?host={base}"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
