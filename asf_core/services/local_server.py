"""A server on a Unix socket for one user: requests of a line, answers of one or more.

It keeps to itself what every such server needs, and knows nothing of what is asked: the place and
its lock, who may ask, how large and how slow a request may be, several clients at once, signs of
life while it works, and a clean end.
"""

from __future__ import annotations

import json
import queue
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from asf_core.services.socket_place import claimed, is_at, is_same_user


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client may take."""

    clients: int = 32
    """At once; one more is told to help itself."""
    request_bytes: int = 1024 * 1024
    request_seconds: float = 5.0
    """From the first byte of a request to its last."""
    idle_seconds: float = 600.0
    """Between two requests on one connection."""
    answer_seconds: float = 10.0
    """For a client to take what it is sent."""
    sign_seconds: float = 1.0
    """Between two signs of life."""
    ending_seconds: float = 10.0
    """For requests that are being answered when the server is stopped."""


@dataclass(slots=True)
class Exchange:
    """One request that is being answered."""

    cancelled: threading.Event = field(default_factory=threading.Event)
    """Set when the client has gone, or the server is to end: stop at the next safe point."""
    _out: queue.SimpleQueue[bytes | None] = field(default_factory=queue.SimpleQueue)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a line of JSON."""
        self._out.put(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def send_line(self, line: str) -> None:
        """Send a line as it is; it ends with its line break."""
        self._out.put(line.encode())


Handler = Callable[[bytes, Exchange], None]
"""Answers a request (a line without its end) by sending lines; called in a thread of its own."""


class LocalServer:
    """Serves until it is stopped.

    Args:
        places: Where its socket may be, best first.
        handler: Answers requests.
        limits: Of what clients may take.
    """

    def __init__(
        self, places: Sequence[Path], handler: Handler, limits: Limits | None = None
    ) -> None:
        self._places = places
        self._handler = handler
        self._limits = limits or Limits()
        self._slots = threading.BoundedSemaphore(self._limits.clients)
        self._open: set[_Connection] = set()
        self._guard = threading.Lock()
        self._wake, self._waker = socket.socketpair()
        self._stopping = False

    def stop(self) -> None:
        """Ask it to end; safe in a signal handler and from any thread."""
        self._stopping = True
        with suppress(OSError):
            self._waker.send(b"x")

    def run(self, ready: Callable[[Path], None]) -> None:
        """Serve until :meth:`stop`, or until the socket's file is gone.

        Args:
            ready: Told where the socket is, once clients can connect.

        Raises:
            BusyError: Another server has the place.
            MissingError: No place will do.
        """
        with claimed(self._places) as (listener, place):
            ready(place)
            inode = place.stat().st_ino
            while not self._stopping and is_at(place, inode):
                readable, _, _ = select.select([listener, self._wake], [], [], 5.0)
                if listener in readable:
                    self._accept(listener)
        self._finish()

    def _accept(self, listener: socket.socket) -> None:
        try:
            client, _ = listener.accept()
        except OSError:
            return  # It has gone already.
        if not is_same_user(client) or not self._slots.acquire(blocking=False):
            with client, suppress(OSError):
                client.settimeout(0.1)
                client.sendall(b'{"refused": "not for this user, or too many at once"}\n')
            return
        connection = _Connection(client, self._handler, self._limits)
        with self._guard:
            self._open.add(connection)
        threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: _Connection) -> None:
        try:
            connection.serve()
        finally:
            with self._guard:
                self._open.discard(connection)
            self._slots.release()

    def _finish(self) -> None:
        """Let what is being answered end; connections without a question end at once."""
        deadline = time.monotonic() + self._limits.ending_seconds
        while time.monotonic() < deadline:
            with self._guard:
                rest = list(self._open)
            if not rest:
                return
            for connection in rest:
                connection.end()
            time.sleep(0.02)


class _Connection:
    """One client."""

    def __init__(self, client: socket.socket, handler: Handler, limits: Limits) -> None:
        self._client = client
        self._handler = handler
        self._limits = limits
        self._exchange: Exchange | None = None
        self._ending = False
        self._rest = b""

    def serve(self) -> None:
        """Answer requests until the client has no more."""
        with self._client, suppress(OSError):
            while not self._ending and (line := self._line()) is not None:
                self._answer(line)

    def end(self) -> None:
        """Take no more requests; the one that is being answered stops at its next safe point."""
        self._ending = True
        exchange = self._exchange
        if exchange is not None:
            exchange.cancelled.set()
            return
        with suppress(OSError):
            self._client.shutdown(socket.SHUT_RD)

    def _line(self) -> bytes | None:
        """The next request; ``None`` at the end, or where it is too long or too slow."""
        deadline = None
        while b"\n" not in self._rest:
            if not self._fits(self._rest):
                return None
            now = time.monotonic()
            deadline = deadline or (now + self._limits.request_seconds if self._rest else None)
            self._client.settimeout(
                self._limits.idle_seconds if deadline is None else max(0.001, deadline - now)
            )
            try:
                more = self._client.recv(65536)
            except TimeoutError:
                self._refuse("the request did not come to its end in time")
                return None
            if not more:
                return None
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line if self._fits(line) else None

    def _fits(self, request: bytes) -> bool:
        if len(request) <= self._limits.request_bytes:
            return True
        self._refuse(f"a request has {self._limits.request_bytes} bytes at most")
        return False

    def _refuse(self, why: str) -> None:
        self._send(json.dumps({"refused": why}).encode() + b"\n")

    def _answer(self, line: bytes) -> None:
        exchange = self._exchange = Exchange()
        work = threading.Thread(target=self._work, args=(line, exchange), daemon=True)
        work.start()
        try:
            for message in self._messages(exchange):
                self._send(message)
        except OSError:
            exchange.cancelled.set()
            raise
        finally:
            work.join()
            self._exchange = None

    def _work(self, line: bytes, exchange: Exchange) -> None:
        try:
            self._handler(line, exchange)
        finally:
            exchange._out.put(None)

    def _messages(self, exchange: Exchange) -> Iterator[bytes]:
        while True:
            try:
                message = exchange._out.get(timeout=self._limits.sign_seconds)
            except queue.Empty:
                if self._has_gone():
                    exchange.cancelled.set()
                    continue
                message = b'{"alive": true}\n'
            if message is None:
                return
            yield message

    def _has_gone(self) -> bool:
        self._client.setblocking(False)
        try:
            return not self._client.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _send(self, data: bytes) -> None:
        self._client.settimeout(self._limits.answer_seconds)
        self._client.sendall(data)
