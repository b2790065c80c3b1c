"""Any sequence of operations keeps what must always hold."""

from __future__ import annotations

from typing import Any

from book_helpers import Clock, HashEmbedder, words
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import Operation, Section, Skill, Trace, normalised_keywords
from asf_core.skillbook.book import Skillbook
from asf_core.skillbook.duplicates import propose
from asf_core.skillbook.format import dump, parse
from asf_core.skillbook.prompt import as_prompt
from asf_core.skillbook.report import report
from asf_core.skillbook.search import Wanted, search_skills

# Any text that UTF-8 can say: controls, escapes, bidi, astral planes; and words that collide.
TEXT = st.one_of(
    st.sampled_from(["git push", "tests hang", "a b", "Ünïcode", "日本語", "\x1b[31m\u202e"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40),
)
KEYWORDS = st.lists(st.sampled_from(["git", "Git ", "ci", "a, b", "İ", "ß", " "]), max_size=4)
TRACES = st.builds(
    lambda system, ref, learnt: Trace.of(system, ref, learning_text=learnt, epoch=len(ref)),
    st.sampled_from(["runs", "people"]),
    TEXT,
    TEXT,
)
REASON = st.sampled_from(["stale", "wrong", " "])


class SkillbookMachine(RuleBasedStateMachine):
    """Operations in any order, legal or not, against what must hold after each."""

    ids: Bundle[str] = Bundle("ids")

    @initialize()
    def start(self) -> None:
        self.book = Skillbook(now=Clock())
        self.seen: dict[str, Skill] = {}
        self.taken: set[str] = set()
        self.embedder = HashEmbedder()

    def _try(self, act: Any, *args: Any, **given: Any) -> Any:
        """Do it; a refusal must leave everything as it was."""
        before = (self.book.skills(removed=True), self.book.purged)
        try:
            return act(*args, **given)
        except InputError:
            assert (self.book.skills(removed=True), self.book.purged) == before
            return None

    @rule(
        target=ids,
        section=st.sampled_from(Section),
        issue=TEXT,
        insight=st.none() | TEXT,
        keywords=KEYWORDS,
        trace=TRACES,
    )
    def add(
        self, section: Section, issue: str, insight: str | None, keywords: list[str], trace: Trace
    ) -> Any:
        made = self._try(self.book.add_skill, section, issue, keywords, trace, insight=insight)
        legal = issue.strip() and normalised_keywords(keywords)
        legal = legal and (section is Section.HARNESS or (insight or "").strip())
        assert bool(made) == bool(legal)
        if not made:
            return multiple()
        assert made.id not in self.taken
        self.taken.add(made.id)
        return made.id

    @rule(
        ref=ids,
        issue=st.none() | TEXT,
        insight=st.none() | TEXT,
        keywords=st.none() | KEYWORDS,
        more=st.integers(-1, 3),
        trace=TRACES,
    )
    def update(
        self,
        ref: str,
        issue: str | None,
        insight: str | None,
        keywords: list[str] | None,
        more: int,
        trace: Trace,
    ) -> None:
        self._try(
            self.book.update_skill,
            ref,
            trace,
            issue=issue,
            insight=insight,
            keywords=keywords,
            occurrences=more,
        )

    @rule(ref=ids, delta=st.integers(-2, 2), trace=TRACES)
    def tag(self, ref: str, delta: int, trace: Trace) -> None:
        self._try(self.book.tag_skill, ref, delta, trace)

    @rule(ref=ids, reason=REASON, trace=TRACES)
    def remove(self, ref: str, reason: str, trace: Trace) -> None:
        self._try(self.book.remove_skill, ref, reason, trace)

    @rule(ref=ids, reason=REASON, trace=TRACES)
    def restore(self, ref: str, reason: str, trace: Trace) -> None:
        self._try(self.book.restore_skill, ref, reason, trace)

    @rule(keep=ids, other=ids, reason=REASON)
    def merge(self, keep: str, other: str, reason: str) -> None:
        self._try(self.book.merge_skills, keep, other, reason, "ann")

    @rule(one=ids, other=ids, reason=REASON)
    def keep_apart(self, one: str, other: str, reason: str) -> None:
        if self._try(self.book.keep_apart, one, other, reason, "ann"):
            pairs = {frozenset((p.keep, p.other)) for p in propose(self.book, self.embedder)}
            assert frozenset((one, other)) not in pairs

    @rule(ref=consumes(ids))
    def purge(self, ref: str) -> None:
        if self._try(self.book.purge, ref, person="ann", reason="secret"):
            self.seen.pop(ref)
        else:
            # Still there; the bundle forgets it, which is no harm.
            self.book.read_skill(ref)

    @precondition(lambda self: self.book.skills())
    @rule(query=TEXT, keywords=KEYWORDS, section=st.none() | st.sampled_from(Section))
    def search(self, query: str, keywords: list[str], section: Section | None) -> None:
        wanted = Wanted(query, section, tuple(keywords), limit=100)
        found = self._try(search_skills, self.book, wanted, self.embedder, words)
        if found is None:
            assert not query.strip()
            return
        ids = [hit.skill.id for hit in found]
        assert sorted(ids) == sorted(s.id for s in self.book.skills(section, keywords))
        # From the file alone, without any stored embedding, it is the same to the last digit.
        fresh = self._reloaded()
        assert search_skills(fresh, wanted, HashEmbedder(), words) == found

    @invariant()
    def the_file_is_its_inverse(self) -> None:
        data = dump(self.book.skills(removed=True), self.book.purged)
        fresh = self._reloaded()
        assert fresh == self.book
        assert dump(fresh.skills(removed=True), fresh.purged) == data
        assert b"embedding" not in data
        assert not set(data.decode()) & set("\x1b\u202e\u200b\u2028")

    def _reloaded(self) -> Skillbook:
        document = parse(dump(self.book.skills(removed=True), self.book.purged))
        return Skillbook(document.skills, document.purged)

    @invariant()
    def skills_keep_their_rules(self) -> None:
        for skill in self.book.skills(removed=True):
            assert skill.keywords
            assert skill.keywords == normalised_keywords(skill.keywords)
            assert skill.issue == skill.issue.strip() != ""
            assert skill.insight or skill.section is Section.HARNESS
            assert skill.used_count == (
                skill.helpful_count + skill.harmful_count + skill.neutral_count
            )
            assert skill.active or skill.removal_reason

    @invariant()
    def trails_and_occurrences_only_grow(self) -> None:
        for skill in self.book.skills(removed=True):
            old = self.seen.get(skill.id)
            if old is not None:
                assert skill.sources[: len(old.sources)] == old.sources
                assert skill.occurrences >= old.occurrences
                assert (skill == old) == (len(skill.sources) == len(old.sources))
            self.seen[skill.id] = skill

    @invariant()
    def views_agree_with_the_skills(self) -> None:
        active = self.book.skills()
        found = report(self.book, Clock()(), columns=3)
        assert found.totals.occurrences == sum(s.occurrences for s in active)
        counted = {row.id: row.earlier + sum(row.counts) for row in found.over_time.rows}
        assert counted == {s.id: s.occurrences for s in active}
        prompt = as_prompt(self.book)
        assert [line[3:16] for line in prompt.splitlines() if line.startswith("- [")] == sorted(
            s.id for s in active
        )
        headings = [line for line in prompt.splitlines() if line.startswith("#")]
        assert len(headings) == (1 + len({s.section for s in active}) if active else 0)

    @invariant()
    def ids_are_taken_for_ever(self) -> None:
        there = {s.id for s in self.book.skills(removed=True)}
        stones = {stone.id for stone in self.book.purged}
        assert there | stones == self.taken
        assert not there & stones

    @invariant()
    def a_merge_leaves_both_trails(self) -> None:
        for skill in self.book.skills(removed=True):
            for line in skill.sources:
                if line.operation_type is Operation.MERGE:
                    assert line.trace_id in self.taken


SkillbookMachine.TestCase.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None
)
TestSkillbookMachine = SkillbookMachine.TestCase
