"""One engine behind the workbench and the command line."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from asf_core.domain.errors import InputError
from asf_core.domain.routing import RouteRequest
from asf_core.domain.sync import RegistryRow, SyncProgress, SyncReport
from asf_core.services.person import current_user
from asf_core.services.routing import RouterHolder
from asf_core.store.workspace import Workspace

if TYPE_CHECKING:
    from types import TracebackType

    from asf_core.domain.findings import Finding
    from asf_core.domain.graph import Edge
    from asf_core.domain.models import ModelStatus
    from asf_core.domain.routing import RouteResult, StageTrace
    from asf_core.domain.skill import Skill, SkillRow
    from asf_core.services.control import ControlPlane
    from asf_core.services.syncing import Syncer
    from asf_core.store.database import Database
    from asf_core.store.records import Records


class Engine:
    """Everything that a front end can ask for.

    Safe to call from several threads; a sync and a decision each take the workspace's writer
    lock, reads take none.
    """

    def __init__(self, workspace: Workspace, *, model_dir: Path | None = None) -> None:
        self.workspace = workspace
        self._model_dir = model_dir
        self._lock = threading.Lock()
        self._router = RouterHolder(workspace, model_dir)

    @classmethod
    def open(cls, workspace: Path | None = None, *, model_dir: Path | None = None) -> Self:
        """Open the workspace that applies here, making it if it is new.

        Args:
            workspace: Its directory. Default: ``ASF_WORKSPACE``, else ``.asf/`` found upwards from
                the current directory, else the user data directory.
            model_dir: Directory of ONNX models to use instead of the bundled ones.

        Raises:
            StoreError: The workspace cannot be read or written.
        """
        found = Workspace.find(workspace)
        found.create()
        return cls(found, model_dir=model_dir)

    @staticmethod
    def create_workspace(directory: Path) -> Path:
        """Make ``directory/.asf``.

        Returns:
            The workspace's absolute path.
        """
        if not directory.is_dir():
            raise InputError(
                f"{directory} is not a directory", hint="Make it first, or name another one"
            )
        workspace = Workspace(directory.resolve() / ".asf")
        workspace.create()
        return workspace.root

    def close(self) -> None:
        """Let go of models, index and database."""
        self._router.close()
        if "_database" in self.__dict__:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @cached_property
    def _records(self) -> Records:
        from asf_core.store.records import Records

        return Records(self._database)

    @cached_property
    def _database(self) -> Database:
        from asf_core.services.control.ownership import own_new_workspace
        from asf_core.store.database import Database

        database = Database.open(self.workspace.database_target)
        if database.created:
            own_new_workspace(self.workspace, database)
        return database

    @cached_property
    def control(self) -> ControlPlane:
        """The control plane: trust, versions, receipts, use and audit."""
        from asf_core.services.control import ControlPlane

        return ControlPlane(self.workspace, self._records)

    # Registries

    def registries(self) -> tuple[RegistryRow, ...]:
        """The registries of the workspace, by name."""
        return self._records.registries()

    def add_registry(self, path: Path, name: str | None = None) -> RegistryRow:
        """Register a directory tree of skills. Nothing in it is read yet.

        Args:
            path: The tree's root.
            name: First part of its skills' ids. Default: the directory's name.

        Raises:
            InputError: There is no such directory, or the name is taken or not usable.
        """
        root = Path(path).expanduser()
        if not root.is_dir():
            raise InputError(
                f"{path} is not a directory",
                why="A registry is a directory tree with SKILL.md files in it",
                hint="Check the path",
            )
        root = root.resolve()
        with self.workspace.writer_lock():
            return self._records.add_registry(name or root.name, root)

    def remove_registry(self, name: str) -> None:
        """Forget a registry and what was indexed of it; decisions about its skills stay."""
        with self.workspace.writer_lock(purpose="removing a registry"):
            self._records.remove_registry(name)
            self._syncer().reindex()

    def registry_for(self, ref: str) -> RegistryRow:
        """The registry of this directory or name; a directory that is new is registered.

        Raises:
            InputError: It is neither a directory nor the name of a registry.
        """
        rows = self._records.registries()
        path = Path(ref).expanduser()
        if path.is_dir():
            root = str(path.resolve())
            known = next((row for row in rows if row.path == root), None)
            return known or self.add_registry(path)
        named = next((row for row in rows if row.name == ref), None)
        if named is None:
            names = ", ".join(row.name for row in rows) or "none yet"
            raise InputError(
                f"{ref!r} is neither a directory nor a registry",
                why=f"Registries of this workspace: {names}",
                hint="Add it with: asf registry add PATH",
            )
        return named

    # Skills

    def sync(
        self,
        names: Sequence[str] | None = None,
        progress: Callable[[SyncProgress], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        rebuild: bool = False,
        degraded: bool = False,
    ) -> SyncReport:
        """Bring records, vectors and index up to what stands on disk.

        Args:
            names: Registries to look at; ``None`` for all.
            progress: Told after every batch, from this thread.
            cancel: When set, the sync stops at the next safe point; what is done is kept.
            rebuild: Read and encode everything anew. Routing goes on over the old index meanwhile.
            degraded: Where a model is missing, make an index of words alone instead of raising.

        Raises:
            ModelMissingError: A model is missing, and ``degraded`` is not set.
            BusyError: Another process is writing to the workspace.
        """
        return self._syncer(degraded=degraded).run(
            names, progress or _ignore, cancel or threading.Event(), rebuild=rebuild
        )

    def skills(self) -> tuple[SkillRow, ...]:
        """All skills as light rows, by id."""
        return self._records.rows()

    def resolve(self, ref: str) -> str:
        """The id of the skill that an id or an unambiguous slug means."""
        return self._records.resolve(ref)

    def skill(self, ref: str) -> Skill:
        """One skill whole."""
        return self._records.skill(self.resolve(ref))

    def edges_of(self, ref: str) -> tuple[Edge, ...]:
        """The relations from and to a skill."""
        return self._records.edges_of(self.resolve(ref))

    def dangling_of(self, ref: str) -> tuple[Finding, ...]:
        """Names in a skill's relations that mean no skill."""
        return self._records.dangling(self.resolve(ref))

    def quarantine(self, ref: str, reason: str, actor: str | None = None) -> str:
        """Take a skill out of routing, from the next task on.

        Returns:
            The skill's id.
        """
        return self._decide("quarantine", ref, reason, actor)

    def release(self, ref: str, reason: str, actor: str | None = None) -> str:
        """Let a quarantined skill back into routing.

        Returns:
            The skill's id.
        """
        return self._decide("release", ref, reason, actor)

    def _decide(self, verb: str, ref: str, reason: str, actor: str | None) -> str:
        skill = self.skill(ref)
        decide = self._records.set_quarantine if verb == "quarantine" else self._records.release
        with self.workspace.writer_lock():
            decide(
                skill.manifest.id,
                digest=skill.digest,
                reason=reason,
                actor=actor or current_user(),
                when=datetime.now(UTC),
            )
        return skill.manifest.id

    # Routing

    def prepare(self) -> None:
        """Begin to load the models in the background; the first route then waits less."""
        self._router.prepare()

    def route(
        self,
        query: str,
        request: RouteRequest | None = None,
        on_stage: Callable[[StageTrace], None] | None = None,
    ) -> RouteResult:
        """Route a task over what is synced.

        Args:
            query: The task in plain words.
            request: How; default: all registries, balanced.
            on_stage: Told after each stage, from this thread.

        Raises:
            InputError: The task is empty, or a registry of the request is not known.
            ModelMissingError: A model is absent and the request does not allow to go without.
            ConditionsError: Only active pins are to be routed over, and the workspace is not the
                user's, or a pin no longer is what was reviewed.
        """
        wanted = request or RouteRequest()
        if not wanted.active_only and not self._records.active_only():
            return self._router.route(query, wanted, on_stage, self._records)
        from asf_core.services.control.active import active_skills, local_subject, with_pins

        session = self.control.session
        allowed = active_skills(session, wanted.subject or local_subject())
        result = self._router.route(query, wanted, on_stage, self._records, only=allowed.pins)
        return with_pins(session, result, allowed)

    def models(self) -> tuple[ModelStatus, ...]:
        """The encoders and whether their files are what they should be."""
        from asf_core.domain.models import ModelStatus
        from asf_core.retrieval.models.files import model_status

        return tuple(
            ModelStatus(
                role=row.role.value,
                name=row.name,
                licence=row.licence,
                path=str(row.path) if row.path else None,
                ok=row.problem is None,
                problem=str(row.problem or ""),
            )
            for row in model_status(self._model_dir)
        )

    def _syncer(self, *, degraded: bool = False) -> Syncer:
        from asf_core.services.syncing import Syncer

        return Syncer(self.workspace, self._records, self._router, degraded=degraded)


def _ignore(_: SyncProgress) -> None:
    pass
