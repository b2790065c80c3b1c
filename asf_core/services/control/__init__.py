"""The control plane of one workspace, as front ends call it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from asf_core.services.control.session import ControlSession

if TYPE_CHECKING:
    from asf_core.services.control.audit import AuditService
    from asf_core.services.control.receipts import ReceiptService
    from asf_core.services.control.snapshots import SnapshotService
    from asf_core.services.control.trust import TrustService
    from asf_core.services.control.use import UseService
    from asf_core.services.control.versions import VersionService
    from asf_core.store.records import Records
    from asf_core.store.workspace import Workspace


class ControlPlane:
    """Trust, versions, receipts, use and audit of one workspace.

    Args:
        workspace: Where it is.
        records: Gives those of its database, opened when they are first needed.
        now: The clock; the system's when left out.
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
        self.session = ControlSession(workspace, records, now=now, actor=actor)

    @cached_property
    def trust(self) -> TrustService:
        """The trust policy, the user's keys, and whose workspace this is."""
        from asf_core.services.control.trust import TrustService

        return TrustService(self.session)

    @cached_property
    def versions(self) -> VersionService:
        """Versions: taken in, compared, made active, gone back to, ended."""
        from asf_core.services.control.versions import VersionService

        return VersionService(self.session)

    @cached_property
    def receipts(self) -> ReceiptService:
        """Scans and reviews, signed."""
        from asf_core.services.control.receipts import ReceiptService

        return ReceiptService(self.session)

    @cached_property
    def use(self) -> UseService:
        """Discovery, grants, instructions, feedback."""
        from asf_core.services.control.use import UseService

        return UseService(self.session, self.receipts)

    @cached_property
    def audit(self) -> AuditService:
        """The audit log."""
        from asf_core.services.control.audit import AuditService

        return AuditService(self.session)

    @cached_property
    def snapshots(self) -> SnapshotService:
        """The ledger as a file."""
        from asf_core.services.control.snapshots import SnapshotService

        return SnapshotService(self.session)
