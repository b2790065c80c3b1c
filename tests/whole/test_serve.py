"""``asf serve`` and ``asf route`` as processes: the same answers, at once, and no trace when it ends."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from asf_core.store.places import find_root, socket_places
from tests.whole.process import PDL1, SAMPLE, Asf

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets")
WHALES = """---
name: whale-songs
description: Identifies whale species from hydrophone recordings of their songs. Use when somebody has
  a recording of a humpback, a fin or a blue whale and wants to know which one is singing.
---
# Whale songs

1. Cut the recording into phrases at pauses of more than three seconds. If none is that long, the
   boat's engine was running: filter below 80 Hz first and say so.
2. Measure each phrase's lowest and highest frequency, and after how many seconds it comes again. When
   fewer than four phrases repeat, stop: that is no song, and a species cannot be told from it.
3. Compare with the table of known songs. Fin whales pulse at 20 Hz every fifteen seconds; blue whales
   moan below 100 Hz for longer than ten; humpbacks sing themes that go up to 4 kHz.
4. Name the species with how sure the match is. Never give one that fits in frequency alone, unless the
   place and the month of the recording agree with its migration.

Fails on recordings under a minute, and warns when the sampling rate is below 8 kHz.
"""
TASK = "check the citations of my manuscript"
STAGE = re.compile(r"(encode|recall|rerank|walk|plan|total|stage)\b")
SHOWN = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Server:
    asf: Asf
    process: subprocess.Popen[str]
    place: Path

    def asked(self, line: bytes) -> dict[str, Any]:
        """What another program gets."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            client.connect(str(self.place))
            client.sendall(line + b"\n")
            with client.makefile() as lines:
                while (found := json.loads(lines.readline())) == {"alive": True}:
                    pass
        return found

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


def start(asf: Asf, *options: str, **environ: str) -> Server:
    env = {k: v for k, v in os.environ.items() if not k.startswith("ASF_")}
    env |= {"ASF_WORKSPACE": str(asf.workspace), "PYTHONPATH": str(SAMPLE.parent), **environ}
    process = subprocess.Popen(
        [sys.executable, "-m", "asf_core.cli.main", "serve", *options],
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        cwd=asf.cwd,
    )
    line = process.stderr.readline()
    found = re.search(r" at (\S+) \(process (\d+)\)", line)
    assert found, line + process.stderr.read()
    assert int(found[2]) == process.pid
    return Server(asf, process, Path(found[1]))


@pytest.fixture(scope="module")
def server(synced: Asf, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that leave it as it is."""
    base = tmp_path_factory.mktemp("serve")
    shutil.copytree(synced.workspace, base / "ws")
    running = start(Asf(base / "ws", synced.cwd))
    yield running
    assert running.end() == 0
    assert not running.place.exists()


def _without_times(text: str) -> list[str]:
    """What is printed, but for times, their bars, and the wait of a cold start."""
    kept = []
    for line in text.splitlines():
        words = SHOWN.sub("", line).split()
        if words and STAGE.match(words[0]):
            kept.append(" ".join([words[0], *words[2:]]).replace("█", ""))
        elif words[:1] != ["opening"]:
            kept.append(line.rstrip())
    return [" ".join(line.split()) for line in kept]


SAME = {
    "a plan": ("route", PDL1),
    "over one registry": ("route", "--registry", "sample_registry", TASK),
    "as it is": ("route", "--no-sync", TASK, "--candidates", "2"),
    "nothing fits": ("route", "qwrt zzkpl vvxw brrm"),
    "over budget": ("route", TASK, "--budget=100"),
    "another setting": ("route", "--setting", "fast", TASK),
    "inputs": ("route", "--input", "papers:list[Paper]", TASK),
    "an empty task": ("route", ""),
    "no such registry": ("route", "--registry", "nowhere", TASK),
    "no such setting": ("route", "--setting", "deep", TASK),
    "an input that is none": ("route", "--input", "a:list[", TASK),
}


@pytest.mark.parametrize("command", SAME.values(), ids=SAME.keys())
def test_it_answers_as_the_command_itself(server: Server, command: tuple[str, ...]) -> None:
    here = server.asf.run(*command, "--no-server", code=None)
    there = server.asf.run(*command, "--debug", code=None)
    assert f"server: process {server.process.pid}" in there.stderr
    said = [line for line in there.stderr.splitlines() if not line.startswith("server:")]
    assert (there.returncode, said) == (here.returncode, here.stderr.splitlines())
    assert _without_times(there.stdout) == _without_times(here.stdout)


def test_its_json_is_the_same(server: Server) -> None:
    here, there = (server.asf.json("route", PDL1, *o) for o in (("--no-server",), ()))
    for found in (here, there):
        found.pop("milliseconds"), found.pop("opening_ms")
        for stage in found["stages"]:
            stage.pop("milliseconds")
    assert there == here


def test_a_client_imports_next_to_nothing(server: Server) -> None:
    code = (
        "import sys\n"
        "sys.argv = ['asf', 'route', 'check the citations', '--debug']\n"
        "from asf_core.cli.main import run\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "heavy = {'typer', 'rich', 'numpy', 'pydantic', 'sqlalchemy', 'asf_core.services'}\n"
        "sys.stderr.write(f'heavy: {heavy & sys.modules.keys()}')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "ASF_WORKSPACE": str(server.asf.workspace),
            "PYTHONPATH": str(SAMPLE.parent),
        },
        timeout=120,
    )
    assert "server: process" in done.stderr
    assert done.stderr.endswith("heavy: set()")


def test_other_programs_are_answered_by_the_line(server: Server) -> None:
    found = server.asked(TASK.encode())
    assert found["bundle"]["steps"]
    found = server.asked(b'{"query": "plot a figure", "id": 7, "setting": "fast"}')
    assert (found["id"], found["setting"]) == (7, "fast")
    assert server.asked(b'{"query": 1}')["error"]["code"] == 2
    assert server.asked(b"\xff")["error"]["what"] == "The line is not UTF-8"


def test_several_clients_are_answered_at_once(server: Server) -> None:
    tasks = [TASK, PDL1, "review a pull request", "plan a rota"] * 3
    with ThreadPoolExecutor(len(tasks)) as pool:
        found = list(pool.map(lambda task: server.asked(task.encode()), tasks))
    plans = [[step["slug"] for step in one["bundle"]["steps"]] for one in found]
    assert plans[:4] == plans[4:8] == plans[8:]
    assert [one["query"] for one in found] == tasks


REFUSED = {
    "another build": {"build": "of yesterday"},
    "another protocol": {"asf": 99},
    "another workspace": {"workspace": "/"},
    "other models": {"ask": {"task": TASK, "model_dir": "/elsewhere"}},
    "what it does not know": {"ask": {"task": TASK, "model_dir": None, "new": 1}},
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_it_answers_only_for_its_own(server: Server, change: dict[str, Any]) -> None:
    from asf_core.cli.build import build

    request = {
        "asf": 1,
        "build": build(),
        "workspace": str(server.asf.workspace),
        "progress": False,
        "terminal": {"tty": False, "width": 100, "environ": {}},
        "ask": {"task": TASK, "model_dir": None},
    }
    assert "done" in server.asked(json.dumps(request).encode())
    assert "refused" in server.asked(json.dumps({**request, **change}).encode())


def test_who_is_refused_answers_itself_without_a_word(server: Server, tmp_path: Path) -> None:
    (tmp_path / "models" / "cross").mkdir(parents=True)
    done = server.asf.run("route", "--model-dir", str(tmp_path / "models"), TASK)
    assert done.stderr == ""
    debugged = server.asf.run("route", "--model-dir", str(tmp_path / "models"), "--debug", TASK)
    assert "server: not used" in debugged.stderr
    assert "other models" in debugged.stderr


def test_a_second_server_is_refused(server: Server) -> None:
    done = server.asf.run("serve", code=4)
    assert "already" in done.stderr
    assert server.asked(TASK.encode())["bundle"]["steps"]


def test_a_terminal_gets_colours_and_its_width(server: Server) -> None:
    import pty

    parent, child = pty.openpty()
    env = {**os.environ, "ASF_WORKSPACE": str(server.asf.workspace), "TERM": "xterm-256color"}
    env |= {"PYTHONPATH": str(SAMPLE.parent), "COLUMNS": "60"}
    env.pop("NO_COLOR", None)
    shown = []
    for option in ("--no-server", "--quiet"):
        with subprocess.Popen(
            [sys.executable, "-m", "asf_core.cli.main", "route", TASK, option],
            stdout=child, stderr=subprocess.DEVNULL, stdin=child, env=env, cwd=server.asf.cwd,
        ) as process:  # fmt: skip
            text = b""
            while process.poll() is None or select.select([parent], [], [], 0.2)[0]:
                if select.select([parent], [], [], 0.2)[0]:
                    text += os.read(parent, 65536)
        shown.append(text.decode().replace("\r", ""))
    os.close(child)
    os.close(parent)
    here, there = shown
    assert "\x1b[1m" in there
    assert _without_times(there) == _without_times(here)


def test_decisions_changes_and_a_new_index_are_taken_up(synced: Asf, tmp_path: Path) -> None:
    shutil.copytree(synced.workspace, tmp_path / "ws")
    shutil.copytree(SAMPLE / "science", tmp_path / "reg")
    asf = Asf(tmp_path / "ws", tmp_path)
    asf.run("sync", "reg")
    server = start(asf)

    def slugs(task: str) -> list[str]:
        done = asf.run("route", "--registry", "reg", task, "--json", "--debug", code=None)
        assert "server: process" in done.stderr
        return [step["slug"] for step in json.loads(done.stdout)["bundle"]["steps"]]

    assert "citation-verifier" in slugs(TASK)
    asf.run("quarantine", "reg/citation-verifier", "--reason", "looking into it")
    assert "citation-verifier" not in slugs(TASK)
    asf.run("release", "reg/citation-verifier", "--reason", "it was fine")
    skill = tmp_path / "reg" / "whales"
    skill.mkdir()
    (skill / "SKILL.md").write_text(WHALES)
    task = "tell a humpback whale from its song on a hydrophone recording"
    assert slugs(task) == ["whale-songs"]
    shutil.rmtree(skill)
    asf.run("sync", "reg")
    assert "whale-songs" not in slugs(task)
    # The process that dies leaves its socket, which the next one takes over.
    assert server.end(signal.SIGKILL) == -signal.SIGKILL
    assert server.place.exists()
    done = asf.run("route", TASK, "--debug")
    assert "server: not used" in done.stderr
    again = start(asf)
    assert stat.S_IMODE(again.place.stat().st_mode) == 0o600
    assert again.end(signal.SIGINT) == 0
    assert not again.place.exists()


def test_a_workspace_with_a_long_path_has_its_socket_elsewhere(
    synced: Asf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    deep = tmp_path / ("d" * 100) / "ws"
    shutil.copytree(synced.workspace, deep)
    # Not below tmp_path, which is too long for a socket itself.
    runtime = Path(tempfile.mkdtemp(prefix="run"))
    request.addfinalizer(lambda: shutil.rmtree(runtime))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    asf = Asf(deep, synced.cwd)
    server = start(asf)
    assert server.place.parent == runtime / "asf"
    assert [str(server.place)] == socket_places(find_root(str(deep)))
    assert "server: process" in asf.run("route", TASK, "--debug").stderr
    assert server.end() == 0
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert "XDG_RUNTIME_DIR" in asf.run("serve", code=4).stderr


def test_without_a_workspace_there_is_nothing_to_serve(tmp_path: Path) -> None:
    assert "no workspace" in Asf(tmp_path / "ws", tmp_path).run("serve", code=4).stderr
    assert list(tmp_path.iterdir()) == []
