"""Starting and leaving ``asf-tui`` as a process."""

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fake_skills import LOOKUP

from asf_core.domain.errors import StoreError
from asf_tui.bridge import opener

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

RUN = "import sys; sys.argv[0] = 'asf-tui'; from asf_tui.main import run; run()"

STUBBORN = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]
import threading
from pathlib import Path
from fake_engine import FakeEngine
from asf_tui.app import Workbench
from asf_tui.main import leave, show
import asf_tui.main

asf_tui.main.PATIENCE = 0.2
engine = FakeEngine()
engine.holds["sync"] = threading.Event()
app = Workbench(lambda: engine.session(Path("/nowhere/log")))
leave(show(app, mouse=False), app)
"""


def asf_tui(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environ},
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


class Terminal:
    """A process on a terminal of its own."""

    def __init__(self, *command: str, **environ: str) -> None:
        self.parent, child = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=child,
            stdout=child,
            stderr=child,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", **environ},
            start_new_session=True,
        )
        os.close(child)
        self.seen = ""

    def read_until(self, text: str) -> None:
        while text not in self.seen:
            assert select.select([self.parent], [], [], 60)[0], self.seen[-3000:]
            self.seen += os.read(self.parent, 65536).decode("utf-8", "replace")

    def press(self, keys: str) -> None:
        os.write(self.parent, keys.encode())

    def wait(self) -> int:
        """The exit code; what is still written is read, so that nothing blocks."""
        while select.select([self.parent], [], [], 60)[0]:
            try:
                data = os.read(self.parent, 65536)
            except OSError:  # the other end was closed
                break
            if not data:
                break
            self.seen += data.decode("utf-8", "replace")
        os.close(self.parent)
        return self.process.wait(60)


def test_help_needs_no_textual_and_names_what_there_is() -> None:
    code = (
        "import sys\n"
        "sys.argv = ['asf-tui', '--help']\n"
        "from asf_tui.main import run\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "heavy = {'textual', 'asf_core.services', 'lancedb', 'onnxruntime', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert done.stdout.rstrip().endswith("[]"), done.stdout + done.stderr
    for option in ("--workspace", "--theme", "--ascii", "--no-mouse", "--version", "PATH"):
        assert option in done.stdout


def test_the_version_is_told() -> None:
    done = asf_tui("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("asf-tui ")


def test_without_a_terminal_it_says_so_in_one_line_each() -> None:
    done = asf_tui()
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[0] == "The workbench needs a terminal"
    assert "--json" in done.stderr
    assert "\x1b" not in done.stderr


def test_wrong_usage_is_a_line_and_a_code() -> None:
    done = asf_tui("--no-such-option")
    assert done.returncode == 2
    assert "No such option" in done.stderr
    assert "Traceback" not in done.stderr


def test_only_a_named_registry_makes_a_workspace(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no workspace"):
        opener(tmp_path / "ws", create=False)()
    assert list(tmp_path.iterdir()) == []
    for made in (tmp_path / "ws", None):
        session = opener(tmp_path / "ws", create=True)()
        assert session.made == made
        session.engine.close()


def test_an_empty_name_of_a_workspace_is_refused() -> None:
    terminal = Terminal("-c", RUN, "--workspace", "")
    assert terminal.wait() == 2
    assert "is empty" in terminal.seen


def test_a_closed_stream_is_no_terminal() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -c "$1" >&-', sys.executable, RUN],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert "Traceback" not in done.stderr


REFUSED = {
    "a path that is too long": (["-c", RUN, "x" * 5000], {}, "too long"),
    "a dumb terminal": (["-c", RUN], {"TERM": "dumb"}, "cannot place the cursor"),
    "a path that is not there": (["-c", RUN, "/no/\x1b[31mwhere"], {}, "There is no such path"),
    "a file": (["-c", RUN, __file__], {}, "It is a file"),
    "a theme that is not there": (
        ["-c", RUN, "--theme", "pink"],
        {},
        "Use dark, light, safe or mono",
    ),
}


@pytest.mark.parametrize(("command", "environ", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_work_is_refused_before_the_screen(
    command: list[str], environ: dict[str, str], words: str
) -> None:
    terminal = Terminal(*command, **environ)
    assert terminal.wait() == 2
    assert words in terminal.seen
    assert "\x1b" not in terminal.seen


def test_quitting_does_not_wait_for_work_that_does_not_end() -> None:
    terminal = Terminal("-c", STUBBORN)
    terminal.read_until("api-docs")
    terminal.press("s")
    terminal.read_until("Syncing")
    terminal.press("q")
    assert terminal.wait() == 0
    assert "\x1b[?1049l" in terminal.seen  # back from the alternate screen


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back(number: signal.Signals) -> None:
    terminal = Terminal("-c", STUBBORN)
    terminal.read_until("api-docs")
    terminal.process.send_signal(number)
    assert terminal.wait() == 128 + number
    assert "\x1b[?1049l" in terminal.seen


def test_without_the_mouse_none_is_asked_for() -> None:
    terminal = Terminal("-c", STUBBORN)
    terminal.read_until("api-docs")
    terminal.press("q")
    terminal.wait()
    assert "\x1b[?1000h" not in terminal.seen


def test_keys_that_come_in_one_burst_are_typed_not_run() -> None:
    terminal = Terminal("-c", STUBBORN)
    terminal.read_until("api-docs")
    terminal.press("/citation?q")  # one write: the terminal hands all of it over at once
    terminal.read_until("citation?q")
    terminal.press("\x11")
    assert terminal.wait() == 0
    assert "Theme:" not in terminal.seen
    assert "Add a registry" not in terminal.seen


def test_a_burst_opens_the_routing_lab_and_types_a_task() -> None:
    terminal = Terminal("-c", STUBBORN)
    terminal.read_until("api-docs")
    terminal.press("2what is quick?\r")
    terminal.read_until("A plan of 4 skills")
    terminal.press("\x11")
    assert terminal.wait() == 0
    assert "what is quick?" in terminal.seen


def test_a_burst_opens_a_dialog_and_answers_it() -> None:
    terminal = Terminal("-c", STUBBORN)
    terminal.read_until("api-docs")
    terminal.press("xquite quick\r")
    terminal.read_until("Quarantined api-docs")
    terminal.press("q")
    assert terminal.wait() == 0


EDITING = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]
from pathlib import Path
from fake_engine import FakeEngine
from asf_tui.app import Workbench
from asf_tui.main import leave, show

engine = FakeEngine()
engine.root = Path(sys.argv[1])
app = Workbench(lambda: engine.session(engine.root / "ws" / "logs" / "log"))
leave(show(app, mouse=False), app)
"""


def test_the_editor_gets_the_terminal_and_gives_it_back(tmp_path: Path) -> None:
    skill = tmp_path / LOOKUP
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: x\n---\n")
    terminal = Terminal(
        "-c", EDITING, str(tmp_path), VISUAL="sh -c 'echo edited $(cat $0 | wc -l) lines'"
    )
    terminal.read_until("api-docs")
    terminal.press(f"/{LOOKUP}\r")
    terminal.read_until(" of 30")
    terminal.press("e")
    terminal.read_until("edited 3 lines")
    terminal.read_until("reads what you changed")
    terminal.press("p")
    terminal.read_until("Saved")
    terminal.press("q")
    assert terminal.wait() == 0
    (picture,) = (tmp_path / "ws" / "screenshots").iterdir()
    assert picture.read_text().startswith("<svg")
