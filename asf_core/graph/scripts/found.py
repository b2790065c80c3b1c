"""Collects what a script reaches."""

from __future__ import annotations

import re
from collections.abc import Sequence

from asf_core.domain.graph import EdgeKind, EdgeOrigin, Reference, ReferenceForm
from asf_core.graph.scripts.places import Base, Place, Value, as_place

EXTRACTED = 1.0
INFERRED = 0.6
MOST = 200
"""Kept of one file."""
_FORMS = {
    Base.SKILL: ReferenceForm.EXACT,
    Base.HERE: ReferenceForm.RELATIVE,
    Base.SOMEWHERE: ReferenceForm.TAIL,
}
SKILL_NAME = re.compile(r"(?:[\w.-]{1,64}:)?[a-z0-9][a-z0-9-]{1,63}\Z")
CALLS_A_SKILL = re.compile(
    r"(?:run|invoke|use|call|load|execute|activate|trigger)_?skill\Z|\ASkill\Z", re.IGNORECASE
)
"""Names of functions that take a skill's name."""


class Found:
    """References of one file, in the order of its text.

    Args:
        file: Its POSIX path relative to the skill's directory.
        text: Its text.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.here = Place(Base.SKILL, file)
        """The script itself."""
        self._lines = text.split("\n")
        self._found: dict[tuple[ReferenceForm, str, int, float], Reference] = {}

    def needs(self, place: Place, line: int) -> None:
        """The file does not work without what stands there; less is said of a mere end of a path."""
        if place.leads_out:
            sure = place.base is not Base.SOMEWHERE
            self._add(_FORMS[place.base], place.path, line, sure=sure)

    def starts(self, place: Place, line: int) -> None:
        """The file opens it or starts a process with it."""
        if place.leads_out:
            self._add(_FORMS[place.base], place.path, line, sure=False)

    def starts_any(self, values: Sequence[Value], line: int) -> None:
        """A command line: whichever of its words is a path."""
        for value in values:
            if isinstance(value, Place) or (isinstance(value, str) and "/" in value):
                self.starts(as_place(value), line)

    def calls(self, name: str, line: int) -> None:
        """It calls a skill by its name."""
        if SKILL_NAME.match(name):
            self._add(ReferenceForm.NAME, name, line, sure=False)

    def take(self, reference: Reference, line: int) -> None:
        """Keep what was read of a part of the file, at its line in the whole."""
        self._add(reference.form, reference.target, line, sure=reference.confidence == EXTRACTED)

    def references(self) -> tuple[Reference, ...]:
        """All of them."""
        return tuple(self._found.values())

    def _add(self, form: ReferenceForm, target: str, line: int, *, sure: bool) -> None:
        confidence = EXTRACTED if sure else INFERRED
        key = (form, target, line, confidence)
        if len(self._found) < MOST and key not in self._found:
            text = self._lines[line - 1] if line <= len(self._lines) else ""
            self._found[key] = Reference(
                target=target,
                form=form,
                kind=EdgeKind.DEPENDS_ON,
                confidence=confidence,
                origin=EdgeOrigin.EXTRACTED if sure else EdgeOrigin.INFERRED,
                file=self.file,
                line=line,
                text=text.strip()[:200],
            )
