"""What ``asf doctor`` found of the machine and the workspace."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from asf_core.domain.base import Value
from asf_core.domain.errors import AsfError


class Health(StrEnum):
    """How a part is."""

    OK = "ok"
    NOTE = "note"
    """It works, but not as one would expect."""
    OPTIONAL = "optional"
    """Absent, and only needed by who wants it."""
    MISSING = "missing"
    """Something needed is absent or cannot be used."""


class HealthCheck(Value):
    """One part that was looked at."""

    area: str
    """``program``, ``models``, ``store``, ``user``, ``git``, ``terminal`` or ``extras``."""
    name: str
    health: Health
    found: str
    """What was found, for a person."""
    hint: str = ""
    """What to do; empty where nothing is to be done."""

    @classmethod
    def ok(cls, area: str, name: str, found: str) -> Self:
        """A part that is as it should be."""
        return cls(area=area, name=name, health=Health.OK, found=found)

    @classmethod
    def note(cls, area: str, name: str, found: str, hint: str) -> Self:
        """A part that works, but not as one would expect."""
        return cls(area=area, name=name, health=Health.NOTE, found=found, hint=hint)

    @classmethod
    def optional(cls, area: str, name: str, found: str, hint: str) -> Self:
        """A part that is absent and that only some need."""
        return cls(area=area, name=name, health=Health.OPTIONAL, found=found, hint=hint)

    @classmethod
    def missing(cls, area: str, name: str, error: AsfError) -> Self:
        """A part that cannot be used, as its own error says it."""
        found = f"{error.what}: {error.why}" if error.why else error.what
        return cls(area=area, name=name, health=Health.MISSING, found=found, hint=error.hint or "")


class HealthReport(Value):
    """Everything that was looked at, in the order in which it is needed."""

    workspace: str
    """Directory of the workspace that applies here, whether or not it is there; empty where it
    cannot be told."""
    checks: tuple[HealthCheck, ...]

    @property
    def missing(self) -> int:
        """How many parts are missing."""
        return sum(check.health is Health.MISSING for check in self.checks)
