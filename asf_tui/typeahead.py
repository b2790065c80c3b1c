"""Keys that come faster than the screen answers, kept in their order and for whom they were meant.

Textual hands every key to the widget that has the focus when the key is read from the terminal, and
runs its command only when the key has come up from there to the app. What is typed right behind
``/`` would so be taken for commands. Here one key is under way at a time: the next one leaves when
a message that went the same way has come up behind it, and meets the focus and the screen that its
forerunner left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from textual import events
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

if TYPE_CHECKING:
    from textual.app import App

PATIENCE = 2.0
"""Seconds after which a key counts as done, though nothing came up: its widget is gone."""

Typed = events.Key | events.Paste
Deliver = Callable[[events.Event], Awaitable[None]]


class Landed(Message, namespace="typeahead"):
    """The key in front of this one has come all the way up.

    Args:
        number: Which key.
        screen: The screen that was on top when it set out.
    """

    def __init__(self, number: int, screen: Screen[object]) -> None:
        super().__init__()
        self.number = number
        self.screen = screen


class Typeahead:
    """Lets one key after the other to its widget.

    Args:
        app: Whose keys.
        deliver: Takes a key to the widget that has the focus now.
    """

    def __init__(self, app: App[Any], deliver: Deliver) -> None:
        self._app = app
        self._deliver = deliver
        self._waiting: deque[Typed] = deque()
        self._number = 0
        self._under_way = False
        self._timer: Timer | None = None

    async def take(self, event: Typed) -> None:
        """Deliver a key, now or after those before it."""
        self._waiting.append(event)
        await self._go_on()

    async def landed(self, message: Landed) -> None:
        """A key came up: the next one may go, once a screen that it opened stands."""
        if message.number != self._number or not self._under_way:
            return
        if message.screen is not self._app.screen:
            self._follow(self._app.screen)
            return
        self._done()
        await self._go_on()

    async def _go_on(self) -> None:
        while self._waiting and not self._under_way:
            event = self._waiting.popleft()
            target = self._app.focused or self._app.screen
            await self._deliver(event)
            self._number += 1
            self._under_way = True
            self._timer = self._app.set_timer(PATIENCE, self._give_up)
            self._follow(target)

    def _follow(self, target: Widget) -> None:
        message = Landed(self._number, self._app.screen)
        if not target.post_message(message):  # it is being removed
            self._app.post_message(message)

    async def _give_up(self) -> None:
        self._done()
        await self._go_on()

    def _done(self) -> None:
        self._under_way = False
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
