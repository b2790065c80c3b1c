"""What the services of the control plane share: one workspace that is the user's, one clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property

from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import ChainHead
from asf_core.domain.refusal import Condition, Refusal
from asf_core.services.control.ownership import place_of
from asf_core.services.person import current_user
from asf_core.store.binding import Binding, Bindings
from asf_core.store.keyring import KeyInfo, Keyring
from asf_core.store.lock import hold
from asf_core.store.records import Records
from asf_core.store.workspace import Workspace
from asf_core.trust.chain import event_digest

Passphrase = Callable[[KeyInfo], bytes | None]
"""Asks for the passphrase of a locked key."""


def no_passphrase(_: KeyInfo) -> bytes | None:
    """For keys without one; a locked key is then refused."""
    return None


class ControlSession:
    """One workspace as its user sees it.

    Args:
        workspace: Where it is.
        records: Gives those of its database, opened when they are first needed.
        now: The clock; each operation reads it once.
        actor: Who acts; the system's user when left out.
    """

    def __init__(
        self,
        workspace: Workspace,
        records: Callable[[], Records],
        *,
        now: Callable[[], datetime] | None = None,
        actor: str | None = None,
    ) -> None:
        self.workspace = workspace
        self._records = records
        self.now = now or (lambda: datetime.now(UTC))
        self.actor = actor or current_user()

    @property
    def records(self) -> Records:
        """The records of the database that is there now."""
        return self._records()

    @cached_property
    def place(self) -> str:
        """Where the ledger is: the workspace's directory, or the address of a shared database."""
        return place_of(self.workspace)

    @cached_property
    def bindings(self) -> Bindings:
        """Which workspaces are the user's."""
        return Bindings()

    @cached_property
    def keyring(self) -> Keyring:
        """The user's signing keys."""
        return Keyring()

    def require_own(self) -> Binding:
        """The note that this workspace is the user's, and its chain as it was last seen.

        Raises:
            ConditionsError: It is not theirs, or events that were there are gone.
        """
        binding = self.bindings.require(self.records.workspace_id() or "", self.place)
        self._check_head(binding.head)
        return binding

    @contextmanager
    def decision(self, purpose: str) -> Iterator[datetime]:
        """Hold the workspace for one decision, and note the chain's new head afterwards.

        Yields:
            The reference time.

        Raises:
            ConditionsError: The workspace is not the user's.
            BusyError: Another process holds it.
        """
        # A lock of its own: a curator need not wait for a sync to end.
        with hold(self.workspace.control_lock, wait=10.0, purpose=purpose):
            binding = self.require_own()
            try:
                yield self.now()
            finally:
                # A refusal is on record too, so the head moves also when this ends in an error.
                self.note_head(binding)

    def note_head(self, binding: Binding) -> None:
        """Keep the chain's head in the user's directory."""
        with self.records.reading() as reading:
            head = reading.head()
        if head != binding.head:
            self.bindings.put(Binding(binding.workspace_id, binding.place, binding.bound_at, head))

    def _check_head(self, seen: ChainHead) -> None:
        if seen.count == 0:
            return
        with self.records.reading() as reading:
            if (found := reading.head().count) < seen.count:
                why = f"Events were cut off: expected at least {seen.count}, found {found}."
            elif event_digest(next(reading.documents(seen.count))) != seen.digest:
                why = f"Event {seen.count} is not the one that was seen: the chain was rewritten."
            else:
                return
        refusal = Refusal(
            condition=Condition.LEDGER_INTACT,
            why=why,
            satisfy="Find out who wrote to the ledger, then restore a snapshot that verifies",
        )
        raise ConditionsError("The ledger is not the one that was last seen", [refusal])
