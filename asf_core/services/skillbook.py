"""The Skillbook as front ends call it: the rules, the file, and the project's encoder together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import Section, Skill, Tombstone, Trace
from asf_core.services.person import current_user
from asf_core.skillbook.book import Skillbook
from asf_core.skillbook.files import SkillbookFile

if TYPE_CHECKING:
    from asf_core.domain.skillbook import Proposal, SearchHit
    from asf_core.domain.skillbook_report import Period, SkillbookOverview, SkillbookReport
    from asf_core.domain.use import Feedback
    from asf_core.services.skillbook_bench import SkillbookBench
    from asf_core.services.skillbook_exchange import ConvertResult, ImportResult
    from asf_core.skillbook.bridge import SkillDraft
    from asf_core.skillbook.search import Wanted
    from asf_core.skillbook.vectors import Embedder, Stored

Encoder = Callable[[], "Embedder"]


class SkillbookService:
    """One ``skillbook.json``. Every change is read, made and saved under one lock.

    Args:
        path: The file; it need not exist.
        encoder: Opens what encodes; called when something is searched for.
        now: The clock; the system's when left out.
        person: Who acts; the system's user when left out.
        prepare: Called before a change: makes the place where the file is.
        remark: Told what is worth knowing and harms nothing.
    """

    def __init__(
        self,
        path: Path,
        encoder: Encoder,
        *,
        now: Callable[[], datetime] | None = None,
        person: str | None = None,
        prepare: Callable[[], object] | None = None,
        remark: Callable[[str], None] | None = None,
    ) -> None:
        self._now = now or (lambda: datetime.now(UTC))
        self._encoder = encoder
        self._prepare = prepare or (lambda: None)
        self._remark = remark or (lambda _: None)
        self._cached: dict[str, Stored] = {}
        self.person = person or current_user()
        self.file = SkillbookFile(path, self._now)

    @cached_property
    def embedder(self) -> Embedder:
        """What encodes issues and questions."""
        return self._encoder()

    def trace(self, **facts: str | int | None) -> Trace:
        """Where a change comes from: the person at the keyboard, unless the facts say otherwise.

        Args:
            facts: Fields of :class:`Trace`.
        """
        from asf_core.skillbook.bridge import SYSTEM

        system = str(facts.pop("source_system", None) or "asf")
        if system == SYSTEM:
            raise InputError(
                f"The system {SYSTEM} speaks for itself",
                why="What it retained is looked up there, so that nobody can make it up",
                hint="Use: asf skillbook feedback",
            )
        trace_id = str(facts.pop("trace_id", None) or uuid4().hex)
        given = {name: value for name, value in facts.items() if value is not None}
        try:
            return Trace.of(system, trace_id, **{"display_name": self.person, **given})
        except ValueError as error:
            raise InputError(
                "The trace is not understood",
                why="A name or an id is too long (400 characters), or the epoch is negative",
                hint="Shorten it",
            ) from error

    def changing(self) -> AbstractContextManager[Skillbook]:
        """The Skillbook for a change of several steps, saved when the block ends without error."""
        self._prepare()
        return self.file.changing()

    def book(self) -> Skillbook:
        """The Skillbook as it stands; changes to it are not saved."""
        return self.file.read()[0]

    # The operations of DESIGN 9

    def add_skill(
        self,
        section: Section,
        issue: str,
        keywords: Sequence[str],
        trace: Trace,
        *,
        insight: str | None = None,
    ) -> Skill:
        """Record an issue. See :meth:`Skillbook.add_skill`."""
        with self.changing() as book:
            return book.add_skill(section, issue, keywords, trace, insight=insight)

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
        """Rewrite an issue, or say it was met again. See :meth:`Skillbook.update_skill`."""
        with self.changing() as book:
            return book.update_skill(
                skill_id,
                trace,
                issue=issue,
                insight=insight,
                keywords=keywords,
                occurrences=occurrences,
            )

    def tag_skill(self, skill_id: str, delta: int, trace: Trace) -> Skill:
        """Record a use and how it went. See :meth:`Skillbook.tag_skill`."""
        with self.changing() as book:
            return book.tag_skill(skill_id, delta, trace)

    def remove_skill(self, skill_id: str, reason: str, trace: Trace) -> Skill:
        """Take a skill out of use; it stays. See :meth:`Skillbook.remove_skill`."""
        with self.changing() as book:
            return book.remove_skill(skill_id, reason, trace)

    def restore_skill(self, skill_id: str, reason: str, trace: Trace) -> Skill:
        """Bring a removed skill back."""
        with self.changing() as book:
            return book.restore_skill(skill_id, reason, trace)

    def read_skill(self, skill_id: str) -> Skill:
        """One skill, removed or not."""
        return self.book().read_skill(skill_id)

    def search_skills(self, wanted: Wanted) -> tuple[SearchHit, ...]:
        """Find issues. See :func:`asf_core.skillbook.search.search_skills`.

        Raises:
            ModelMissingError: The encoder's model is missing: there is no search by words alone.
        """
        from asf_core.retrieval.words import terms
        from asf_core.skillbook.search import search_skills

        book = self._with_vectors()
        hits = search_skills(book, wanted, self.embedder, terms)
        self._keep_vectors(book)
        return hits

    def find(self, question: str, limit: int) -> tuple[SearchHit, ...]:
        """The active issues that a question is about, best first."""
        from asf_core.skillbook.search import Wanted

        return self.search_skills(Wanted(question, limit=limit))

    # Views

    def as_prompt(self, section: Section | None = None) -> str:
        """The active skills as an agent reads them."""
        from asf_core.skillbook.prompt import as_prompt

        return as_prompt(self.book(), section)

    def report(self, period: Period | None = None, columns: int = 12) -> SkillbookReport:
        """Issues by keyword, occurrences over time, effectiveness."""
        from asf_core.domain.skillbook_report import Period
        from asf_core.skillbook.report import report

        return report(self.book(), self._now(), period or Period.WEEK, columns)

    def overview(self, period: Period, columns: int = 12) -> SkillbookOverview:
        """Everything that a front end shows, of one reading of the file."""
        from asf_core.domain.skillbook_report import SkillbookOverview
        from asf_core.skillbook.report import report

        book = self.book()
        return SkillbookOverview(
            skills=book.skills(removed=True), report=report(book, self._now(), period, columns)
        )

    def stamp(self) -> str:
        """What changes whenever somebody saves the file; cheap."""
        try:
            found = self.file.path.stat()
        except OSError:
            return ""
        return f"{found.st_mtime_ns} {found.st_size} {found.st_ino}"

    # Upkeep, by people

    def duplicates(self, alike: float, same: float) -> tuple[Proposal, ...]:
        """Likely duplicates. See :func:`asf_core.skillbook.duplicates.propose`."""
        from asf_core.skillbook.duplicates import propose

        book = self._with_vectors()
        found = propose(book, self.embedder, alike=alike, same=same)
        self._keep_vectors(book)
        return found

    def likely_duplicates(self) -> tuple[Proposal, ...]:
        """Likely duplicates by the bounds that were measured."""
        from asf_core.skillbook.duplicates import ALIKE, SAME

        return self.duplicates(ALIKE, SAME)

    def merge(
        self,
        keep: str,
        other: str,
        reason: str,
        *,
        issue: str | None = None,
        insight: str | None = None,
    ) -> Skill:
        """Merge two skills, widening the one that stays if a text is given; all or nothing."""
        from asf_core.skillbook.duplicates import consolidate

        with self.changing() as book:
            return consolidate(
                book, keep, other, reason=reason, person=self.person, issue=issue, insight=insight
            )

    def keep_apart(self, one: str, other: str, reason: str) -> Skill:
        """Record that two likely duplicates are none."""
        with self.changing() as book:
            return book.keep_apart(one, other, reason, self.person)

    def purge(self, skill_id: str, reason: str) -> Tombstone:
        """Delete every word of a removed skill; front ends ask a person first."""
        with self.changing() as book:
            stone = book.purge(skill_id, person=self.person, reason=reason)
        # Its vector says much of the text. The cache is made again when it is needed.
        self.file.vectors.unlink(missing_ok=True)
        return stone

    # To and from elsewhere

    def import_file(self, source: Path) -> ImportResult:
        """Take over the skills of another Skillbook that this one lacks."""
        from asf_core.services.skillbook_exchange import import_file

        return import_file(self, source)

    def convert_file(self, source: Path, into: Path, section: Section) -> ConvertResult:
        """Make a new Skillbook of a version-1 file."""
        from asf_core.services.skillbook_exchange import convert_file

        return convert_file(source, into, section, self._now)

    def draft(
        self, skill_id: str, name: str, into: Path, description: str | None = None
    ) -> tuple[SkillDraft, Path]:
        """Write the draft of a skill directory, for review.

        Returns:
            The draft, and the file.
        """
        from asf_core.services.skillbook_exchange import write_draft
        from asf_core.skillbook.bridge import draft_skill

        draft = draft_skill(self.read_skill(skill_id), name, description)
        return draft, write_draft(draft, into)

    def record_feedback(
        self,
        feedback: Feedback,
        *,
        issue: str,
        keywords: Sequence[str],
        section: Section = Section.HARNESS,
        insight: str | None = None,
    ) -> Skill:
        """Record an adverse feedback of the control plane as an issue."""
        from asf_core.skillbook.bridge import record_feedback

        with self.changing() as book:
            return record_feedback(
                book,
                feedback,
                person=self.person,
                issue=issue,
                keywords=keywords,
                section=section,
                insight=insight,
            )

    def recorded_feedback(self) -> dict[str, str]:
        """Ids of the control plane's feedback that is recorded, each with its issue's id."""
        from asf_core.skillbook.bridge import recorded_feedback

        return recorded_feedback(self.book())

    def record_recurrence(self, feedback: Feedback, skill_id: str) -> Skill:
        """Record an adverse feedback as one more occurrence of a known issue."""
        from asf_core.skillbook.bridge import record_recurrence

        with self.changing() as book:
            return record_recurrence(book, feedback, skill_id, person=self.person)

    def bench(self, queries: Sequence[Path]) -> SkillbookBench:
        """Judge the search by queries with known answers."""
        from asf_core.services.skillbook_bench import bench

        book = self._with_vectors()
        found = bench(book, queries, self.embedder)
        self._keep_vectors(book)
        return found

    def _with_vectors(self) -> Skillbook:
        from asf_core.skillbook.vectors import load_cache

        book = self.book()
        self._cached = load_cache(self.file.vectors)
        known = {skill.id for skill in book.skills(removed=True)}
        book.vectors.update((ref, row) for ref, row in self._cached.items() if ref in known)
        return book

    def _keep_vectors(self, book: Skillbook) -> None:
        from asf_core.skillbook.vectors import save_cache

        if book.vectors == self._cached or not book.vectors:
            return
        try:
            save_cache(self.file.vectors, book.vectors)
        except OSError as error:
            self._remark(
                f"The embeddings are not kept ({error.strerror or error}): the next search "
                "makes them again"
            )
