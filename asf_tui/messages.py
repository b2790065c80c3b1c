"""What workers report and screens ask for. Workers post these; handlers change state."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from textual.message import Message

from asf_core.domain.measure import MeasureProgress, MeasureReport
from asf_core.domain.routing import RouteResult, StageTrace
from asf_core.domain.sync import SyncProgress, SyncReport
from asf_tui import comparing
from asf_tui.bridge import Session
from asf_tui.library import Library, SkillView
from asf_tui.problems import Problem


@dataclass
class Opened(Message):
    """The workspace is open."""

    session: Session


@dataclass
class OpenFailed(Message):
    """The workspace cannot be opened; there is nothing to go on with."""

    problem: Problem
    error: BaseException


@dataclass
class LibraryRead(Message):
    """The rows of all skills were read."""

    library: Library


@dataclass
class SyncMoved(Message):
    """A sync came further."""

    progress: SyncProgress


@dataclass
class SyncEnded(Message):
    """A sync ended: whole, or stopped."""

    report: SyncReport


@dataclass
class RegistryAdded(Message):
    """A registry is in the workspace and wants to be synced."""

    name: str


@dataclass
class SkillRead(Message):
    """A skill was read for the detail view."""

    serial: int
    view: SkillView


@dataclass
class SkillUnread(Message):
    """A skill could not be read for the detail view."""

    serial: int
    problem: Problem


@dataclass
class StageDone(Message):
    """Routing went through a stage."""

    serial: int
    trace: StageTrace


@dataclass
class Routed(Message):
    """Routing came to an answer."""

    serial: int
    result: RouteResult


@dataclass
class Compared(Message):
    """A task was routed under two settings."""

    serial: int
    compared: comparing.Compared


@dataclass
class MeasureMoved(Message):
    """A measurement came further."""

    progress: MeasureProgress


@dataclass
class Measured(Message):
    """A measurement ended; without a report when it was stopped."""

    report: MeasureReport | None


@dataclass
class Written(Message):
    """A decision was written, or refused."""

    doing: str
    """What it was called on its way."""
    done: str
    """What was done, in words."""
    problem: Problem | None
    outcome: object
    """What the writing gave back; ``None`` when it was refused."""
    waiting: asyncio.Future[Any]
    """Who asked for it waits here."""


@dataclass
class Revised(Message):
    """The workspace was looked at."""

    revision: str


@dataclass
class PulseFailed(Message):
    """The workspace could not be looked at."""

    problem: Problem


@dataclass
class Loaded(Message):
    """Something was read for a screen, or could not be; see :class:`asf_tui.loading.Loader`."""

    loader: str
    serial: int
    value: object
    """``None`` when there is a problem."""
    problem: Problem | None


@dataclass
class ShowSkill(Message):
    """Open this skill in Skills."""

    skill_id: str


@dataclass
class WorkFailed(Message):
    """Work in the background failed."""

    problem: Problem
