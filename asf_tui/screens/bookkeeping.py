"""Changes of the Skillbook: each asks what it needs, is queued, and says how it came out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from asf_core.domain.skillbook import Proposal, Section, Skill
from asf_core.domain.text import one_line
from asf_tui.bridge.skillbook import (
    Skillbook,
    open_skillbook,
    wrong_with_change,
    wrong_with_new,
)
from asf_tui.screens.dialogs import AskDialog
from asf_tui.screens.forms import Choice, PickDialog
from asf_tui.screens.issue_form import Answers, Entry, IssueForm
from asf_tui.screens.signing import Asking
from asf_tui.text import amount

_SECTIONS = (
    Choice(Section.CONTEXT, "context", "what the agent should have known: needs an insight"),
    Choice(Section.HARNESS, "harness", "what stands around it and people have to build"),
)
_VERDICTS = (
    Choice("1", "helpful", "the insight helped"),
    Choice("0", "neutral", "it made no difference"),
    Choice("-1", "harmful", "it did harm"),
)
_NOT_WIDER = "Rewrite the issue or the insight so that it covers both; y merges as they are."


class Bookkeeping(Asking):
    """What a person does to the Skillbook. See :class:`Asking`."""

    @property
    def book(self) -> Skillbook:
        """The Skillbook."""
        return open_skillbook(self.app.work.engine)

    async def _write(self, doing: str, write: partial[Skill], done: str) -> None:
        await self.app.work.write(doing, write, lambda skill: f"{done} {skill.id}")

    async def new(self) -> None:
        """Record an issue."""
        section = await self.ask(PickDialog("Where does it belong?", _SECTIONS))
        if section is None:
            return

        def wrong(answers: Answers) -> str:
            return wrong_with_new({**answers, "section": section})

        form = IssueForm(
            f"A new issue of the section {section}", "", _entries(Section(section)), wrong
        )
        if answers := await self.ask(form):
            book = self.book
            write = partial(
                book.add_skill,
                Section(section),
                answers["issue"],
                answers["keywords"].split(","),
                book.trace(),
                insight=answers["insight"] or None,
            )
            await self._write("Recording the issue", write, "Recorded")

    async def edit(self, skill: Skill) -> None:
        """Rewrite an issue, or record that it was met again."""

        def wrong(answers: Answers) -> str:
            if not answers["seen"].strip().isdecimal():
                return "Say in a number how many more times it was met; 0 for none."
            changes = _changes(skill, answers)
            return wrong_with_change(skill, changes) if changes else "Nothing is changed yet."

        seen = Entry("seen", "Met again", "0", hint="times, since it was last recorded")
        entries = (*_entries(skill.section, skill), seen)
        met = f"met {amount(skill.occurrences)}x; the trail keeps what it said before"
        form = IssueForm(f"Rewrite {skill.id}", met, entries, wrong)
        if answers := await self.ask(form):
            book = self.book
            write = partial(book.update_skill, skill.id, book.trace(), **_changes(skill, answers))
            await self._write(f"Rewriting {skill.id}", write, "Rewrote")

    async def verdict(self, skill: Skill) -> None:
        """Record a use and how it went."""
        delta = await self.ask(PickDialog(f"How did the insight of {skill.id} fare?", _VERDICTS))
        if delta is not None:
            book = self.book
            write = partial(book.tag_skill, skill.id, int(delta), book.trace())
            await self._write(f"Tagging {skill.id}", write, "Tagged")

    async def remove(self, skill: Skill) -> None:
        """Take an issue out of use."""
        said = f"{one_line(skill.issue, 300)}\nIt stays in the list, out of searches and prompts."
        if reason := await self.ask(AskDialog(f"Remove {skill.id}", said, "reason")):
            book = self.book
            write = partial(book.remove_skill, skill.id, reason, book.trace())
            await self._write(f"Removing {skill.id}", write, "Removed")

    async def restore(self, skill: Skill) -> None:
        """Bring a removed issue back."""
        said = f"{one_line(skill.issue, 300)}\nRemoved: {one_line(skill.removal_reason, 300)}"
        if reason := await self.ask(AskDialog(f"Restore {skill.id}", said, "reason")):
            book = self.book
            write = partial(book.restore_skill, skill.id, reason, book.trace())
            await self._write(f"Restoring {skill.id}", write, "Restored")

    async def merge(self, found: Proposal, keep: Skill, other: Skill) -> None:
        """Take one of two into the other, as it stands."""
        said = f"{_both(keep, other)}\nThe second goes into the first and is removed."
        dialog = AskDialog(f"Merge {other.id} into {keep.id}", said, "reason")
        if reason := await self.ask(dialog):
            write = partial(self.book.merge, keep.id, other.id, reason)
            await self._write(f"Merging {other.id}", write, "Merged into")

    async def widen(self, found: Proposal, keep: Skill, other: Skill) -> None:
        """Rewrite the one that stays so that it covers both, then merge."""

        def wrong(answers: Answers) -> str:
            if not answers["reason"].strip():
                return "Please give the reason."
            texts = _changes(keep, answers)
            return wrong_with_change(keep, texts) if texts else _NOT_WIDER

        entries = (
            Entry("issue", "The issue, for both", keep.issue, 3),
            Entry("insight", "The insight, for both", keep.insight or "", 3),
            Entry("reason", "Reason"),
        )
        said = f"{_both(keep, other)}\nThe second goes into the first and is removed."
        form = IssueForm(f"Widen {keep.id}, then merge {other.id}", said, entries, wrong)
        if answers := await self.ask(form):
            texts = _changes(keep, answers)
            write = partial(self.book.merge, keep.id, other.id, answers["reason"], **texts)
            await self._write(f"Merging {other.id}", write, "Widened")

    async def keep_apart(self, found: Proposal, keep: Skill, other: Skill) -> None:
        """Record that two likely duplicates are none."""
        said = f"{_both(keep, other)}\nNot proposed again until the text of either changes."
        if reason := await self.ask(AskDialog("Keep both", said, "reason")):
            write = partial(self.book.keep_apart, keep.id, other.id, reason)
            await self._write("Keeping both", write, "Kept apart, in the trail of")


def _entries(section: Section, skill: Skill | None = None) -> Sequence[Entry]:
    needed = "needed" if section is Section.CONTEXT else "may be left empty"
    return (
        Entry("issue", "Issue", skill.issue if skill else "", 3, "what goes wrong, and when"),
        Entry(
            "insight",
            "Insight",
            (skill.insight or "") if skill else "",
            3,
            f"what to do about it; {needed}",
        ),
        Entry("keywords", "Keywords", ", ".join(skill.keywords) if skill else "", 1, "with commas"),
    )


def _changes(skill: Skill, answers: Answers) -> dict[str, Any]:
    """What the answers say otherwise than the issue does now; all else is left as it will be."""
    changes: dict[str, Any] = {}
    for field in ("issue", "insight"):
        if answers[field] != (getattr(skill, field) or ""):
            changes[field] = answers[field]
    if answers.get("keywords", ", ".join(skill.keywords)) != ", ".join(skill.keywords):
        changes["keywords"] = tuple(answers["keywords"].split(","))
    if seen := int(answers.get("seen", "0")):
        changes["occurrences"] = seen
    return changes


def _both(keep: Skill, other: Skill) -> str:
    return "\n".join(f"{skill.id}  {one_line(skill.issue, 300)}" for skill in (keep, other))
