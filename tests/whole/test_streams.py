"""Arguments and streams as a shell can make them: no traceback, and never the code of a defect."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.whole.process import SAMPLE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of another kind")


def _shell(script: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run a script in which ``$asf`` is the program; stdout of it all is what the script prints."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ASF_")}
    env |= {"PYTHONPATH": str(SAMPLE.parent), "XDG_DATA_HOME": str(cwd / "data"), **environ}
    call = f'asf() {{ {sys.executable} -m asf_core.cli.main "$@"; }}; {script}'
    return subprocess.run(["bash", "-c", call], capture_output=True, cwd=cwd, env=env, timeout=120)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with a workspace that has a registry."""
    (tmp_path / "reg").mkdir()
    done = _shell("asf init && asf registry add reg", tmp_path)
    assert done.returncode == 0, done.stderr
    return tmp_path


LONG = '"$(printf x%.0s {1..5000})"'
WRONG = {
    "a task that is no text": r"asf route $'\xff'",
    "a reason that is no text": r"asf quarantine x --reason $'a\xffb'",
    "a workspace that is no text": r"asf skills --workspace $'\xff'",
    "a variable that is no text": r"ASF_WORKSPACE=$'\xff' asf skills",
    "an option that is no text": r"asf $'--\xff'",
    "a workspace with a long name": f"asf skills --workspace {LONG}",
    "a variable with a long name": f"ASF_WORKSPACE={LONG} asf skills",
    "a registry with a long name": f"asf sync {LONG}",
    "a registry to add with a long name": f"asf registry add {LONG}",
    "a registry to route over with a long name": f"asf route --registry {LONG} task",
    "a path to measure with a long name": f"asf measure {LONG}",
}


@pytest.mark.parametrize("script", WRONG.values(), ids=WRONG.keys())
def test_wrong_arguments_are_refused_in_words(place: Path, script: str) -> None:
    done = _shell(script, place)
    assert done.returncode == 2, done.stderr
    assert b"do:" in done.stderr
    assert b"Traceback" not in done.stderr


LOST = {
    "a full disk": "asf registry list > /dev/full",
    "a full disk and JSON": "asf registry list --json > /dev/full",
    "a full disk and help": "asf --help > /dev/full",
    "a full disk and the version": "asf --version > /dev/full",
    "closed": "asf registry list >&-",
    "closed and help": "asf --help >&-",
    "all closed": "asf registry list >&- 2>&- <&-",
    "a full disk for both": "asf registry list > /dev/full 2>&1",
}


@pytest.mark.parametrize("script", LOST.values(), ids=LOST.keys())
def test_output_that_cannot_be_written_is_an_error(place: Path, script: str) -> None:
    done = _shell(script, place)
    assert done.returncode == 4, done.stderr
    assert done.stderr == b"" or b"could not be written" in done.stderr
    assert b"Traceback" not in done.stderr


QUIET = {
    "a table": "asf registry list",
    "JSON": "asf registry list --json",
    "help": "asf --help",
    "the version": "asf --version",
}


@pytest.mark.parametrize("command", QUIET.values(), ids=QUIET.keys())
def test_a_closed_pipe_ends_it_quietly(place: Path, command: str) -> None:
    done = _shell(f"{command} | true; echo ${{PIPESTATUS[0]}}", place)
    assert done.stdout.split() == [str(128 + signal.SIGPIPE).encode()]
    assert done.stderr == b""


def test_lost_errors_change_no_code(place: Path) -> None:
    for redirect in ("2> /dev/full", "2>&-", "2>&1 | true; exit ${PIPESTATUS[0]}"):
        assert _shell(f"asf show nothing {redirect}", place).returncode == 2


def test_a_closed_stream_is_not_given_to_a_file(place: Path) -> None:
    """The database would be opened in its place, and printed into."""
    done = _shell("asf registry add reg --name reg >&- 2>&-; asf registry list --json", place)
    assert b'"name": "reg"' in done.stdout


def test_a_locale_without_the_letters_is_named(place: Path) -> None:
    (place / "café").mkdir()
    script = "asf registry add café --json"
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    refused = _shell(script, place, **plain)
    assert refused.returncode == 2
    assert b"UTF-8 locale" in refused.stderr
    assert _shell(script, place, LC_ALL="C.UTF-8").returncode == 0
