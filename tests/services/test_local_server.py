"""The server by itself: who may ask, how much and how slowly, and how it ends."""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from asf_core.domain.errors import BusyError, MissingError
from asf_core.services.local_server import Exchange, Limits, LocalServer
from asf_core.services.socket_place import claimed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets")
QUICK = Limits(
    clients=3,
    request_bytes=100,
    request_seconds=30,
    idle_seconds=30,
    sign_seconds=0.05,
    ending_seconds=10,
)


def echo(line: bytes, exchange: Exchange) -> None:
    exchange.send({"echo": line.decode()})


@contextmanager
def serving(
    place: Path, handler: Callable[[bytes, Exchange], None] = echo, limits: Limits = QUICK
) -> Iterator[LocalServer]:
    server, ready = LocalServer([place], handler, limits), threading.Event()
    thread = threading.Thread(target=server.run, args=(lambda _: ready.set(),))
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "s.sock"


class Client:
    def __init__(self, place: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(str(place))
        self.lines = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def line(self) -> Any:
        line = self.lines.readline()
        return json.loads(line) if line else None

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


def test_requests_are_answered_in_order_on_one_connection(place: Path) -> None:
    with serving(place):
        client = Client(place)
        client.send(b"one\ntwo\nthr")
        assert [client.line(), client.line()] == [{"echo": "one"}, {"echo": "two"}]
        client.send(b"ee\n")
        assert client.line() == {"echo": "three"}
        client.close()


def test_the_socket_is_for_its_user_alone_and_goes_with_the_server(place: Path) -> None:
    before = os.umask(0)
    try:
        with serving(place):
            assert stat.S_IMODE(place.stat().st_mode) == 0o600
    finally:
        os.umask(before)
    assert not place.exists()


def test_another_users_process_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(socket, "SO_PEERCRED"):
        pytest.skip("the system does not say whose a peer is")
    mine = os.geteuid()
    with serving(place):
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
        client = Client(place)
        assert "refused" in client.line()
        assert client.line() is None
        client.close()


def test_several_are_served_at_once_and_one_more_helps_itself(place: Path) -> None:
    together = threading.Barrier(QUICK.clients)

    def wait(line: bytes, exchange: Exchange) -> None:
        together.wait(20)
        exchange.send({"done": True})

    with serving(place, wait):
        clients = [Client(place) for _ in range(QUICK.clients)]
        for client in clients[1:]:
            client.send(b"go\n")
        extra = Client(place)
        assert "refused" in extra.line()
        clients[0].send(b"go\n")
        for client in (*clients, extra):
            if client is not extra:
                while (found := client.line()) == {"alive": True}:
                    pass
                assert found == {"done": True}
            client.close()


def test_it_gives_signs_of_life_while_it_works(place: Path) -> None:
    going_on = threading.Event()

    def work(line: bytes, exchange: Exchange) -> None:
        going_on.wait(20)
        exchange.send({"done": True})

    with serving(place, work):
        client = Client(place)
        client.send(b"go\n")
        assert client.line() == {"alive": True}
        going_on.set()
        while (found := client.line()) == {"alive": True}:
            pass
        assert found == {"done": True}
        client.close()


@pytest.mark.parametrize("request_", [b"x" * 200, b"x" * 200 + b"\n" + b"y" * 50, b"half"])
def test_too_large_or_too_slow_is_refused(place: Path, request_: bytes) -> None:
    with serving(place, limits=replace(QUICK, request_seconds=0.2)):
        client = Client(place)
        client.send(request_)
        assert "refused" in client.line()
        assert client.line() is None
        client.close()
        # And the place is free again.
        again = Client(place)
        again.send(b"ok\n")
        assert again.line() == {"echo": "ok"}
        again.close()


def test_a_client_that_goes_cancels_its_request(place: Path) -> None:
    cancelled, began = threading.Event(), threading.Event()

    def work(line: bytes, exchange: Exchange) -> None:
        began.set()
        if exchange.cancelled.wait(20):
            cancelled.set()

    with serving(place, work):
        client = Client(place)
        client.send(b"go\n")
        assert began.wait(20)
        client.close()
        assert cancelled.wait(20)


def test_stopping_cancels_what_runs_and_waits_for_it(place: Path) -> None:
    began = threading.Event()

    def work(line: bytes, exchange: Exchange) -> None:
        began.set()
        assert exchange.cancelled.wait(20)
        exchange.send({"done": "as far as it came"})

    with serving(place, work) as server:
        idle, client = Client(place), Client(place)
        client.send(b"go\n")
        assert began.wait(20)
        server.stop()
        while (found := client.line()) == {"alive": True}:
            pass
        assert found == {"done": "as far as it came"}
        assert idle.line() is None
        for one in (idle, client):
            one.close()


def test_a_handler_that_fails_takes_only_its_request_along(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def work(line: bytes, exchange: Exchange) -> None:
        if line == b"bad":
            raise RuntimeError
        echo(line, exchange)

    with serving(place, work):
        client = Client(place)
        client.send(b"bad\ngood\n")
        assert client.line() == {"echo": "good"}
        client.close()


def test_one_server_a_place(place: Path) -> None:
    with serving(place), pytest.raises(BusyError, match="already"), claimed([place]):
        pass
    assert not place.exists()


def test_a_stale_socket_is_taken_over(place: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(place))
    left.close()
    with serving(place):
        client = Client(place)
        client.send(b"hello\n")
        assert client.line() == {"echo": "hello"}
        client.close()


def test_a_socket_that_was_removed_ends_the_server_and_another_ones_stays(place: Path) -> None:
    with claimed([place]) as (_, at):
        at.unlink()
        at.write_text("of somebody else")
    assert place.read_text() == "of somebody else"


def test_the_next_place_is_taken_where_one_will_not_do(tmp_path: Path) -> None:
    too_long = tmp_path / ("x" * 120) / "s.sock"
    too_long.parent.mkdir()
    with claimed([too_long, tmp_path / "run" / "s.sock"]) as (_, place):
        assert place == tmp_path / "run" / "s.sock"
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    with pytest.raises(MissingError, match="No socket"), claimed([too_long]):
        pass
    with pytest.raises(MissingError, match="XDG_RUNTIME_DIR"), claimed([]):
        pass
