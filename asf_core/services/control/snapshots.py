"""Taking the ledger out as a text file, and bringing it back after everything in it was checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from asf_core.domain.errors import InputError, StoreError
from asf_core.domain.event import ChainHead, EventDraft, EventKind
from asf_core.domain.instant import instant
from asf_core.domain.policy import TrustPolicy
from asf_core.governance.audit import verify_ledger
from asf_core.governance.checks import policy_digest
from asf_core.governance.ledger_snapshot import LedgerSnapshot
from asf_core.governance.restoring import RestoreResult, get_restore_result, verify_restore
from asf_core.governance.snapshot_reading import LONGEST_LINE, read_snapshot
from asf_core.governance.snapshot_writing import write_snapshot
from asf_core.services.control.session import ControlSession
from asf_core.store.files import replace_lines
from asf_core.trust.chain import EMPTY
from asf_core.trust.strictjson import MalformedError, read_model


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore brought in."""

    result: RestoreResult
    policy_kept: bool
    """The workspace's own policy is in force, and not the snapshot's last one."""


class SnapshotService:
    """Snapshots of this workspace's ledger."""

    def __init__(self, session: ControlSession) -> None:
        self._session = session

    def export(self, path: Path) -> ChainHead:
        """Write the ledger to a file, after verifying it; the same ledger gives the same bytes.

        Raises:
            ConditionsError: The ledger does not verify.
            StoreError: The file cannot be written; what was there stays.
        """
        with self._session.records.reading() as reading:
            result = verify_ledger(reading)
            try:
                replace_lines(path, write_snapshot(reading))
            except OSError as error:
                raise StoreError(
                    "The snapshot cannot be written",
                    why=f"{error.filename or path}: {error.strerror}",
                    hint="Check the directory and the space on its disk; nothing was changed",
                ) from error
        return result.head

    def verify(self, path: Path) -> RestoreResult:
        """Check a snapshot against itself and against its own last policy."""
        snapshot, _ = self._read(path)
        return get_restore_result(snapshot, snapshot.policy(), EMPTY)

    def restore(
        self, path: Path, *, adopt_policy: bool = False, policy_file: Path | None = None
    ) -> Restored:
        """Bring a snapshot back.

        This workspace must be empty, or the beginning of the snapshot. Its policy stays in force
        and judges every active version in it, unless another one is named.

        Args:
            path: The snapshot.
            adopt_policy: Take over the snapshot's last policy.
            policy_file: A policy in JSON, as ``asf trust show --json`` prints it.

        Raises:
            ConditionsError: Something in it does not agree; nothing was changed.
            InputError: It cannot be read.
        """
        snapshot, digest = self._read(path)
        records = self._session.records
        with self._session.decision("restoring a snapshot") as now, records.deciding() as deciding:
            verify_ledger(deciding)
            policy = snapshot.policy() if adopt_policy else deciding.policy()
            if policy_file is not None:
                policy = _read_policy(policy_file)
            result = verify_restore(snapshot, policy, deciding.head())
            deciding.restore(snapshot)
            kept = policy != snapshot.policy()
            if kept:
                deciding.set_policy(policy)
                deciding.append(self._kept(policy, snapshot.policy(), now))
            deciding.append(
                EventDraft(
                    at=instant(now),
                    actor=self._session.actor,
                    kind=EventKind.SNAPSHOT_RESTORED,
                    facts={"sha256": digest, "events": str(len(snapshot.log))},
                )
            )
        return Restored(result, kept)

    def _kept(self, policy: TrustPolicy, other: TrustPolicy, now: datetime) -> EventDraft:
        return EventDraft(
            at=instant(now),
            actor=self._session.actor,
            kind=EventKind.POLICY_CHANGED,
            reason="keep this workspace's policy over the snapshot's",
            facts={"policy": policy_digest(policy), "before": policy_digest(other)},
        )

    def _read(self, path: Path) -> tuple[LedgerSnapshot, str]:
        digest = hashlib.sha256()

        def lines() -> Iterator[bytes]:
            with path.expanduser().open("rb") as file:
                while line := file.readline(LONGEST_LINE + 2):
                    digest.update(line)
                    yield line

        try:
            return read_snapshot(lines()), digest.hexdigest()
        except OSError as error:
            raise InputError(
                f"{path} cannot be read", why=error.strerror or "", hint="Check the path"
            ) from error
        except MalformedError as error:
            raise InputError(
                f"{path} is not a whole snapshot",
                why=str(error),
                hint="Take another one; nothing was changed",
            ) from error


def _read_policy(path: Path) -> TrustPolicy:
    try:
        return read_model(TrustPolicy, path.expanduser().read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read", why=error.strerror or "") from error
    except MalformedError as error:
        raise InputError(
            f"{path} is no trust policy",
            why=str(error),
            hint="Write one with: asf trust show --json",
        ) from error
