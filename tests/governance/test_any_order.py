"""Whatever curators do, in whatever order: the ledger verifies, and what must never be is not."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from asf_core.domain.content import VersionState
from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.pin import Pin
from asf_core.domain.receipts import Grant, ReceiptKind, Verdict
from asf_core.governance.audit import get_ledger_result
from asf_core.governance.grants import revoke
from asf_core.governance.restoring import get_restore_result
from asf_core.governance.snapshot_reading import read_snapshot
from asf_core.governance.snapshot_writing import write_snapshot
from asf_core.trust.chain import EMPTY
from tests.governance.memory_ledger import MemoryLedger
from tests.governance.world import ADA, BOB, POLICY, World, finding

_SKILLS = st.sampled_from(["reg/a", "reg/b"])
_REVIEWERS = st.sampled_from([ADA, BOB])
_SPANS = st.sampled_from([0, 1, 60, 3_600, 8 * 24 * 3_600, 31 * 24 * 3_600])


class Curators(RuleBasedStateMachine):
    """Two skills, two reviewers, a scanner, a grantor, and time."""

    versions = Bundle("versions")
    grants = Bundle("grants")

    def __init__(self) -> None:
        super().__init__()
        self.world = World(MemoryLedger())
        self.world.policy()
        self.count = 0
        self.ended: set[str] = set()
        self.log: list[bytes] = []

    @rule(target=versions, skill=_SKILLS, body=st.sampled_from(["one", "two", "three"]))
    def add(self, skill: str, body: str) -> Pin:
        self.count += 1
        return self.world.add(f"{self.count}.0.0", skill_id=skill, body=f"{body}\n").pin

    @rule(pin=versions, clean=st.booleans())
    def scan(self, pin: Pin, clean: bool) -> None:
        self.world.scan(pin, findings=() if clean else (finding(),))

    @rule(pin=versions, key=_REVIEWERS, yes=st.booleans(), back=st.booleans())
    def review(self, pin: Pin, key: object, yes: bool, back: bool) -> None:
        kind = ReceiptKind.ROLLBACK if back else ReceiptKind.GOVERNANCE
        verdict = Verdict.APPROVE if yes else Verdict.REJECT
        self.world.approve(pin, key, kind=kind, verdict=verdict)  # type: ignore[arg-type]

    @rule(pin=versions)
    def admit(self, pin: Pin) -> None:
        self.world.scan(pin)
        self.world.approve(pin)
        with suppress(ConditionsError):
            self.world.activate(pin)

    @rule(pin=versions)
    def activate(self, pin: Pin) -> None:
        with suppress(ConditionsError):
            self.world.activate(pin)

    @rule(pin=versions)
    def go_back(self, pin: Pin) -> None:
        self.world.scan(pin)
        self.world.approve(pin, kind=ReceiptKind.ROLLBACK)
        with suppress(ConditionsError):
            self.world.roll_back(pin)

    @rule(pin=versions)
    def end(self, pin: Pin) -> None:
        with suppress(ConditionsError):
            self.world.quarantine(pin)
        self.ended.add(pin.content_hash)

    @rule(seconds=_SPANS)
    def wait(self, seconds: int) -> None:
        self.world.later(seconds=seconds)

    @rule(needed=st.integers(1, 2), sources=st.booleans())
    def change_policy(self, needed: int, sources: bool) -> None:
        kept = POLICY.sources if sources else ()
        self.world.policy(reviewers_needed=needed, sources=kept)

    @rule(target=grants, pin=versions)
    def give(self, pin: Pin) -> Grant:
        return self.world.grant(pin)

    @rule(grant=grants)
    def use(self, grant: Grant) -> None:
        active = self.world.active(grant.pin.skill_id)
        try:
            used = self.world.use(grant)
        except ConditionsError:
            return
        assert grant.pin.content_hash == active
        assert set(used.authorisation.tools) <= {"Read", "Grep"}

    @rule(grant=grants)
    def take_back(self, grant: Grant) -> None:
        with suppress(InputError):
            revoke(self.world.ledger, grant.id, reason="r", actor="gil", now=self.world.now)

    @invariant()
    def the_ledger_verifies(self) -> None:
        with self.world.ledger.reading() as reading:
            assert get_ledger_result(reading).problems == ()

    @invariant()
    def at_most_one_version_of_a_skill_is_active_and_none_that_ended(self) -> None:
        with self.world.ledger.reading() as reading:
            records = reading.versions()
            pointers = reading.pointers()
        active = {r.content.skill_id: r for r in records if r.state is VersionState.ACTIVE}
        assert {skill: r.content_hash for skill, r in active.items()} == pointers
        ended = {r.content.tree_digest for r in records if r.content_hash in self.ended}
        for record in active.values():
            assert record.content_hash not in self.ended
            assert record.content.tree_digest not in ended

    @invariant()
    def history_only_grows(self) -> None:
        with self.world.ledger.reading() as reading:
            log = list(reading.documents())
        assert log[: len(self.log)] == self.log
        self.log = log

    @invariant()
    def a_snapshot_says_the_same(self) -> None:
        with self.world.ledger.reading() as reading:
            lines = list(write_snapshot(reading))
        snapshot = read_snapshot(lines)
        assert list(write_snapshot(snapshot)) == lines
        result = get_restore_result(snapshot, snapshot.policy(), EMPTY)
        assert all(r.condition.value != "snapshot" for r in result.refusals)


TestCurators = Curators.TestCase
TestCurators.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
