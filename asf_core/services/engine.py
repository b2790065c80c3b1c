"""One engine behind the workbench and the command line."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from asf_core.domain.errors import InputError, StoreError
from asf_core.domain.routing import RouteRequest
from asf_core.domain.sync import RegistryRow, SyncProgress, SyncReport
from asf_core.services.person import current_user
from asf_core.services.recordkeeping import RecordsHolder
from asf_core.services.routing import RouterHolder
from asf_core.store.workspace import Workspace

if TYPE_CHECKING:
    from types import TracebackType

    from asf_core.domain.findings import Finding
    from asf_core.domain.graph import Edge
    from asf_core.domain.models import ModelStatus
    from asf_core.domain.routing import RouteResult, StageTrace
    from asf_core.domain.skill import Skill, SkillRow
    from asf_core.domain.skill_graph import Neighbourhood, SkillGraph
    from asf_core.retrieval.evidence import PoolEvidence
    from asf_core.retrieval.models.loading import Encoders
    from asf_core.services.control import ControlPlane
    from asf_core.services.quality import QualityDesk
    from asf_core.services.skillbook import SkillbookService
    from asf_core.services.skillbook_embedder import ProjectEmbedder
    from asf_core.services.syncing import Syncer
    from asf_core.store.records import Records


class Engine:
    """Everything that a front end can ask for.

    Safe to call from several threads. A sync takes the workspace's writer lock; reads and decisions
    need none, so a decision can be made while a sync runs and holds from the next route on.
    """

    def __init__(self, workspace: Workspace, *, model_dir: Path | None = None) -> None:
        self.workspace = workspace
        self._model_dir = model_dir
        self._holder = RecordsHolder(workspace)
        self._router = RouterHolder(workspace, model_dir)

    @classmethod
    def open(cls, workspace: Path | None = None, *, model_dir: Path | None = None) -> Self:
        """Open the workspace that applies here.

        Nothing is made where there is none: reading then raises, and only :meth:`create`,
        :meth:`sync` and taking in a registry make it.

        Args:
            workspace: Its directory. Default: ``ASF_WORKSPACE``, else ``.asf/`` found upwards from
                the current directory, else the user data directory.
            model_dir: Directory of ONNX models to use instead of the bundled ones.

        Raises:
            RefusedError: It belongs to another user, and was only found on the way up.
        """
        return cls(Workspace.find(workspace), model_dir=model_dir)

    def create(self) -> bool:
        """Make the workspace where there is none.

        Returns:
            Whether there was none.

        Raises:
            StoreError: It cannot be made, or its database is gone.
        """
        return self._holder.create()

    @classmethod
    def below(cls, directory: Path) -> Self:
        """Open the workspace ``directory/.asf``, whether or not it is there yet.

        Raises:
            InputError: There is no such directory.
        """
        if not directory.is_dir():
            raise InputError(
                f"{directory} is not a directory", hint="Make it first, or name another one"
            )
        return cls(Workspace(directory.resolve() / ".asf"))

    def close(self) -> None:
        """Let go of models, index and database."""
        self._router.close()
        self._holder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def _records(self) -> Records:
        return self._holder.records

    @cached_property
    def control(self) -> ControlPlane:
        """The control plane: trust, versions, receipts, use and audit."""
        from asf_core.services.control import ControlPlane

        return ControlPlane(self.workspace, lambda: self._records)

    @cached_property
    def quality(self) -> QualityDesk:
        """Scores taken apart, duplicates, listings."""
        from asf_core.services.quality import QualityDesk

        return QualityDesk(self._records, self._router)

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
        self.create()
        return self._records.add_registry(name or root.name, root)

    def remove_registry(self, name: str) -> None:
        """Forget a registry and what was indexed of it; decisions about its skills stay."""
        records = self._records
        with self.workspace.writer_lock(purpose="removing a registry"):
            records.remove_registry(name)
            self._syncer().reindex()
        self._holder.note()

    def registry_for(self, ref: str) -> RegistryRow:
        """The registry of this directory or name; a directory that is new is registered.

        Raises:
            InputError: It is neither a directory nor the name of a registry.
        """
        path = Path(ref).expanduser()
        if path.is_dir():
            self.create()
        rows = self._records.registries()
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
        check: bool = False,
        degraded: bool = False,
        wait: float = 10.0,
    ) -> SyncReport:
        """Bring records, vectors and index up to what stands on disk, and mend what is damaged.

        Args:
            names: Registries to look at; ``None`` for all.
            progress: Told after every batch, from this thread.
            cancel: When set, the sync stops at the next safe point; what is done is kept.
            rebuild: Read and encode everything anew. Routing goes on over the old index meanwhile.
            check: Compare every byte of index and snapshot with what was written, not only what
                may have changed since that was last done.
            degraded: Where a model is missing, make an index of words alone instead of raising.
            wait: Seconds to wait for another process that syncs.

        Raises:
            ModelMissingError: A model is missing, and ``degraded`` is not set.
            BusyError: Another process is writing to the workspace.
            StoreError: The database is damaged (looked for with ``check``).
        """
        self.create()
        if check:
            from asf_core.services.mending import check_database

            check_database(self.workspace)
        report = self._syncer(degraded=degraded).run(
            names,
            progress or _ignore,
            cancel or threading.Event(),
            rebuild=rebuild,
            check=check,
            wait=wait,
        )
        self._holder.note()
        return report

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
        """The relations from and to a skill, what it is a copy of among them."""
        skill_id = self.resolve(ref)
        return (*self._records.edges_of(skill_id), *self.quality.duplicate_edges(skill_id))

    def dangling_of(self, ref: str) -> tuple[Finding, ...]:
        """Names in a skill's relations that mean no skill."""
        return self._records.dangling(self.resolve(ref))

    def graph(self, registry: str | None = None) -> SkillGraph:
        """The graph of all synced skills that can be read, or of one registry's."""
        from asf_core.services.graphing import skill_graph

        if registry is not None and registry not in {row.name for row in self.registries()}:
            names = ", ".join(row.name for row in self.registries()) or "none yet"
            raise InputError(f"There is no registry {registry!r}", hint=f"Use one of: {names}")
        return skill_graph(self._records, registry)

    def neighbourhood(self, ref: str) -> Neighbourhood:
        """One skill's relations, community and dangling names.

        Raises:
            InputError: The skill is broken: it is no node.
        """
        from asf_core.services.graphing import neighbourhood

        skill_id = self.resolve(ref)
        graph = self.graph()
        if all(node.id != skill_id for node in graph.nodes):
            raise InputError(
                f"{skill_id} cannot be read, so it is in no graph",
                hint=f"See what breaks it with: asf show {skill_id}",
            )
        return neighbourhood(graph, self.edges_of(skill_id), skill_id)

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
        # One transaction, and no lock besides: a curator need not wait for a sync to end.
        decide(
            skill.manifest.id,
            digest=skill.digest,
            reason=reason,
            actor=actor or current_user(),
            when=datetime.now(UTC),
        )
        self._holder.note()
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
            StoreError: There is no registry, or no index yet.
        """
        result = self._route(query, request or RouteRequest(), on_stage)
        if not result.tokens.registry_skills and not self._records.registries():
            # "No skill fits" would be true, and help nobody.
            raise StoreError(
                "There is no registry yet",
                why=f"The workspace {self.workspace.root} has none to choose skills from",
                hint="Take one in: asf route --registry DIR, or asf sync DIR",
            )
        return result

    def _route(
        self, query: str, request: RouteRequest, on_stage: Callable[[StageTrace], None] | None
    ) -> RouteResult:
        if not request.active_only and not self._records.active_only():
            return self._router.route(query, request, on_stage, self._records)
        from asf_core.services.control.active import active_skills, local_subject, with_pins

        session = self.control.session
        allowed = active_skills(session, request.subject or local_subject())
        result = self._router.route(query, request, on_stage, self._records, only=allowed.pins)
        return with_pins(session, result, allowed)

    def evidence(self, query: str, request: RouteRequest) -> PoolEvidence:
        """What the router's engines say of a task's pool, unweighed: see ``services.fitting``."""
        return self._router.evidence(query, request)

    def lacking(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids that some skills require, directly, and that are not among them."""
        return self._router.lacking(ids)

    @property
    def encoders(self) -> Encoders:
        """The models; each is opened when it is first used."""
        return self._router.encoders

    # Skillbook

    def skillbook(
        self, path: Path | None = None, remark: Callable[[str], None] | None = None
    ) -> SkillbookService:
        """The Skillbook: issues met, and what was learnt of them.

        Args:
            path: Its file; that of the workspace when left out.
            remark: Told what is worth knowing and harms nothing.
        """
        from asf_core.services.skillbook import SkillbookService
        from asf_core.skillbook.files import FILE_NAME

        def embedder() -> ProjectEmbedder:
            from asf_core.services.skillbook_embedder import ProjectEmbedder

            return ProjectEmbedder(self._router.encoders, self._model_dir)

        if path is not None:
            return SkillbookService(path.expanduser(), embedder, remark=remark)
        where = self.workspace.root / FILE_NAME
        return SkillbookService(where, embedder, prepare=self.create, remark=remark)

    # Models

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

    def revision(self) -> str:
        """What changes whenever a sync or a decision, of any process, has changed something.

        Cheap enough to be asked every other second.
        """
        return self._holder.revision()

    def _syncer(self, *, degraded: bool = False) -> Syncer:
        from asf_core.services.syncing import Syncer

        return Syncer(self.workspace, self._records, self._router, degraded=degraded)


def _ignore(_: SyncProgress) -> None:
    pass
