"""The Skillbook in memory: its operations and what always holds of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from asf_core.domain.errors import InputError, UnknownIssueError
from asf_core.domain.instant import instant
from asf_core.domain.skillbook import (
    Operation,
    Section,
    Skill,
    Tombstone,
    Trace,
    full_id,
    id_key,
    issue_id,
    normalised_keywords,
    section_of,
)
from asf_core.skillbook import changes
from asf_core.skillbook.changes import RECURRENCE, blank_to_none, changed, checked, source

if TYPE_CHECKING:
    from asf_core.skillbook.vectors import Stored

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The system's clock."""
    return datetime.now(UTC)


class Skillbook:
    """Skills in the order in which they came, and the ids that are for ever taken.

    Every operation that changes a skill appends to its audit trail and drops its embedding; one
    that is refused changes nothing. Not safe to change from two threads at once.

    Args:
        skills: As they were saved.
        purged: What is left of purged skills.
        now: The clock.

    Raises:
        ValueError: An id comes twice.
    """

    def __init__(
        self,
        skills: Iterable[Skill] = (),
        purged: Iterable[Tombstone] = (),
        *,
        now: Clock = utc_now,
    ) -> None:
        self._skills: dict[str, Skill] = {}
        self._purged: dict[str, Tombstone] = {}
        self._now = now
        self.vectors: dict[str, Stored] = {}
        """Embeddings by id, kept beside and never in the file of the Skillbook."""
        for skill in skills:
            self._take_id(skill.id)
            self._skills[skill.id] = skill
        for stone in purged:
            self._take_id(stone.id)
            self._purged[stone.id] = stone

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Skillbook):
            return NotImplemented
        mine = (tuple(self._skills.values()), tuple(self._purged.values()))
        return mine == (tuple(other._skills.values()), tuple(other._purged.values()))

    __hash__ = None  # type: ignore[assignment]  # it changes

    # Reading

    def skills(
        self,
        section: Section | None = None,
        keywords: Iterable[str] = (),
        *,
        removed: bool = False,
    ) -> tuple[Skill, ...]:
        """Skills in the order in which they came.

        Args:
            section: Of this section only.
            keywords: That carry every one of these.
            removed: Removed ones too.
        """
        wanted = set(normalised_keywords(keywords))
        return tuple(
            skill
            for skill in self._skills.values()
            if (removed or skill.active)
            and (section is None or skill.section is section)
            and wanted <= set(skill.keywords)
        )

    @property
    def purged(self) -> tuple[Tombstone, ...]:
        """What is left of purged skills, in the order in which they went."""
        return tuple(self._purged.values())

    def read_skill(self, skill_id: str) -> Skill:
        """One skill, removed or not.

        Raises:
            UnknownIssueError: There is none of this id, or it was purged.
        """
        ref = full_id(skill_id)
        if stone := self._purged.get(ref):
            raise UnknownIssueError(
                skill_id, f"It was purged on {stone.purged_at[:10]} by {stone.purged_by}"
            )
        if ref not in self._skills:
            raise UnknownIssueError(skill_id)
        return self._skills[ref]

    # Changing

    def add_skill(
        self,
        section: str,
        issue: str,
        keywords: Sequence[str],
        trace: Trace,
        *,
        insight: str | None = None,
        occurrences: int = 1,
    ) -> Skill:
        """Record an issue that was met.

        Args:
            section: Where it belongs: ``context`` or ``harness``.
            issue: What goes wrong, and when.
            keywords: At least one.
            trace: Where it was met.
            insight: What to do about it; needed in the section context.
            occurrences: How often it was met already, at least once.

        Raises:
            InputError: Something that is needed is missing, or there is no such section.
        """
        where = section_of(section)
        with checked("The issue was not added"):
            line = source(trace, Operation.ADD, self._at(), occurrences=occurrences)
            fields = {
                "keywords": tuple(keywords),
                "issue": issue,
                "insight": blank_to_none(insight),
            }
            return self._put(changes.added(self._next(where), where, fields, line))

    def update_skill(
        self,
        skill_id: str,
        trace: Trace,
        *,
        issue: str | None = None,
        insight: str | None = None,
        keywords: Sequence[str] | None = None,
        occurrences: int = 0,
    ) -> Skill:
        """Rewrite an issue, or report that it was met again.

        Args:
            skill_id: An active one.
            trace: Where that was learnt.
            issue: The new text; ``None`` leaves the old one.
            insight: The new text; empty takes it away; ``None`` leaves the old one.
            keywords: All of the new ones; ``None`` leaves the old ones.
            occurrences: How many more times it was met.

        Raises:
            InputError: It is removed, nothing would change, or a rule is broken.
        """
        skill = self._active(skill_id)
        given: dict[str, Any] = {
            "issue": issue.strip() if issue is not None else skill.issue,
            "insight": blank_to_none(insight.strip()) if insight is not None else skill.insight,
            "keywords": skill.keywords if keywords is None else normalised_keywords(keywords),
        }
        replaced = changes.replaced_by(skill, given)
        if not replaced and occurrences == 0:
            raise InputError(
                f"Nothing would change in {skill.id}",
                hint="Give a new issue, insight or keywords, or say that it was met again (--seen)",
            )
        with checked(f"{skill.id} was not changed"):
            line = source(
                trace,
                Operation.UPDATE,
                self._at(skill),
                occurrences=occurrences,
                replaced=replaced,
                relation=RECURRENCE if occurrences else "",
            )
            return self._put(changed(skill, line, **given))

    def tag_skill(self, skill_id: str, delta: int, trace: Trace) -> Skill:
        """Record one use of an insight and how it went.

        Args:
            skill_id: An active one.
            delta: 1 helpful, 0 neutral, -1 harmful.
            trace: Where it was used.
        """
        skill = self._active(skill_id)
        if delta not in changes.VERDICTS:
            raise InputError(
                f"{delta} is no verdict", hint="Use 1 (helpful), 0 (neutral) or -1 (harmful)"
            )
        with checked(f"{skill.id} was not tagged"):
            return self._put(changes.tagged(skill, delta, trace, self._at(skill)))

    def remove_skill(self, skill_id: str, reason: str, trace: Trace) -> Skill:
        """Take a skill out of searches and prompts. It stays, with the reason."""
        return self._end(self._active(skill_id), Operation.REMOVE, reason, trace)

    def restore_skill(self, skill_id: str, reason: str, trace: Trace) -> Skill:
        """Bring a removed skill back."""
        skill = self.read_skill(skill_id)
        if skill.active:
            raise InputError(f"{skill.id} is not removed", hint="There is nothing to restore")
        return self._end(skill, Operation.RESTORE, reason, trace)

    def merge_skills(self, keep: str, other: str, reason: str, person: str) -> Skill:
        """Take a skill of the same issue into another, and remove it.

        The one that stays gains the other's keywords and occurrences. Verdicts stay where they
        were given: they judge the other's insight.

        Args:
            keep: The one to go on with.
            other: The one that goes.
            reason: Why they are one.
            person: Who confirmed it.

        Returns:
            The one that stays.
        """
        kept, gone = self._pair(keep, other)
        _need(reason, f"{gone.id} was not merged into {kept.id}")
        words = normalised_keywords((*kept.keywords, *gone.keywords))
        said = f"merged into {kept.id}: {reason.strip()}"
        with checked(f"{gone.id} was not merged into {kept.id}"):
            line = source(
                between(gone, reason, person),
                Operation.MERGE,
                self._at(kept),
                occurrences=gone.occurrences,
                replaced=changes.replaced_by(kept, {"keywords": words}),
            )
            merged = changed(kept, line, keywords=words)
            self._end(gone, Operation.REMOVE, said, between(kept, said, person))
        return self._put(merged)

    def keep_apart(self, one: str, other: str, reason: str, person: str) -> Skill:
        """Record that two likely duplicates are none; they are not proposed again.

        That holds until the text of either changes.

        Returns:
            The older one, whose trail says it.
        """
        first, second = sorted(self._pair(one, other), key=lambda skill: id_key(skill.id))
        _need(reason, f"{first.id} and {second.id} were not marked")
        with checked(f"{first.id} and {second.id} were not marked"):
            line = source(between(second, reason, person), Operation.KEEP, self._at(first))
            return self._put(changed(first, line))

    # Only for people, and for taking skills over

    def purge(self, skill_id: str, *, person: str, reason: str) -> Tombstone:
        """Delete every word of a removed skill, as when a secret got into it. No way back.

        None of the operations that agents have: only for a person who was asked.

        Args:
            skill_id: A removed one.
            person: Who says so.
            reason: Why; it stays, so it must not repeat what is to be forgotten.
        """
        skill = self.read_skill(skill_id)
        if skill.active:
            raise InputError(
                f"{skill.id} is active",
                why="Only what was removed can be purged",
                hint=f"Remove it first: asf skillbook remove {skill.id} --reason TEXT",
            )
        with checked(f"{skill.id} was not purged"):
            stone = Tombstone(id=skill.id, purged_at=self._at(), purged_by=person, reason=reason)
        del self._skills[skill.id]
        self.vectors.pop(skill.id, None)
        self._purged[skill.id] = stone
        return stone

    def adopt(self, skill: Skill, trace: Trace) -> Skill:
        """Take over a skill of another Skillbook with its trail, under an id of this one.

        Args:
            skill: As it is there.
            trace: The file it comes from.
        """
        with checked(f"{skill.id} was not taken over"):
            line = source(trace, Operation.IMPORT, self._at(skill))
            new_id = issue_id(skill.section, self._next(skill.section))
            return self._put(changed(skill, line, id=new_id))

    def _end(self, skill: Skill, operation: Operation, reason: str, trace: Trace) -> Skill:
        _need(reason, f"{skill.id} was not changed")
        with checked(f"{skill.id} was not changed"):
            why = trace.model_copy(update={"learning_text": reason.strip()})
            line = source(why, operation, self._at(skill))
            return self._put(changed(skill, line, active=operation is Operation.RESTORE))

    def _pair(self, one: str, other: str) -> tuple[Skill, Skill]:
        first, second = self._active(one), self._active(other)
        if first.id == second.id:
            raise InputError(f"{first.id} was named twice", hint="Name two skills")
        return first, second

    def _active(self, skill_id: str) -> Skill:
        skill = self.read_skill(skill_id)
        if not skill.active:
            raise InputError(
                f"{skill.id} is removed",
                why=skill.removal_reason,
                hint=f"Bring it back first: asf skillbook restore {skill.id} --reason TEXT",
            )
        return skill

    def _put(self, skill: Skill) -> Skill:
        self._skills[skill.id] = skill
        self.vectors.pop(skill.id, None)
        return skill

    def _take_id(self, skill_id: str) -> None:
        if skill_id in self._skills or skill_id in self._purged:
            raise ValueError(f"the id {skill_id} comes twice")

    def _next(self, section: Section) -> int:
        taken = (id_key(ref) for ref in (*self._skills, *self._purged))
        return 1 + max((number for kind, number in taken if kind == section.value), default=0)

    def _at(self, skill: Skill | None = None) -> str:
        """Now, and not before the skill's last change should the clock have been set back."""
        return max(instant(self._now()), skill.updated_at if skill else "")


def between(skill: Skill, reason: str, person: str) -> Trace:
    """What one skill's trail says of another: the source is that skill, the reason a person's."""
    return Trace.of("skillbook", skill.id, display_name=person, learning_text=reason.strip())


def _need(reason: str, what: str) -> None:
    if not reason.strip():
        raise InputError(what, why="A reason is needed, and is kept", hint="Give it with --reason")
