"""Bringing records, vectors and index up to what stands on disk.

A sync commits in small steps, each of which leaves the workspace whole: records by batches of
skills, vectors by batches of texts, then one snapshot that readers switch to at once. Stopped
anywhere, the next sync finds by digest what is done and goes on from there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.findings import Finding
from asf_core.domain.skill import SkillState
from asf_core.domain.sync import RegistryRow, RegistrySync, SyncPhase, SyncProgress, SyncReport
from asf_core.services.indexing import Cancelled, Indexer
from asf_core.services.judging import Judging
from asf_core.services.reading import read_skill

if TYPE_CHECKING:
    from asf_core.registry.discover import FoundSkill
    from asf_core.registry.source import RegistrySource
    from asf_core.services.routing import RouterHolder
    from asf_core.store.records import Records
    from asf_core.store.values import Outcome, SkillRecord
    from asf_core.store.workspace import Workspace

_READ_BATCH = 128

Progress = Callable[[SyncProgress], None]
_Close = Callable[["Outcome", Sequence[RegistrySync]], None]


@dataclass
class _Tally:
    """What happened in one registry so far."""

    row: RegistryRow
    started: float
    listed: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    unread: tuple[Finding, ...] = ()
    seconds: float = 0.0
    touched: list[str] = field(default_factory=list)


class Syncer:
    """One sync over some registries of a workspace."""

    def __init__(
        self,
        workspace: Workspace,
        records: Records,
        router: RouterHolder,
        *,
        degraded: bool = False,
    ) -> None:
        self._workspace = workspace
        self._records = records
        self._indexer = Indexer(workspace, records, router, degraded=degraded)
        self._judging = Judging(records, router, degraded=degraded)

    def run(
        self,
        names: Sequence[str] | None,
        progress: Progress,
        cancel: threading.Event,
        *,
        rebuild: bool = False,
        check: bool = False,
        wait: float = 10.0,
    ) -> SyncReport:
        """Sync the registries of these names, ``None`` for all. See :meth:`Engine.sync`."""
        started = time.perf_counter()
        rows = [row for row in self._records.registries() if names is None or row.name in names]
        tallies: list[_Tally] = []
        cancelled = False
        with self._workspace.writer_lock(wait=wait, purpose="sync"), self._runs(rows) as close:
            try:
                if rebuild:
                    self._records.drop_strays()
                    self._indexer.forget()
                    self._judging.forget()
                for row in rows:
                    tallies.append(_Tally(row, time.perf_counter()))
                    if len(rows) > 1 and not Path(row.path).is_dir():
                        # One registry that is gone must not keep the others from being synced.
                        tallies[-1].unread = (_gone(row),)
                        continue
                    self._read(tallies[-1], progress, cancel, rebuild)
                self._indexer.run(progress, cancel, whole=check or rebuild)
                self._judging.run(progress, cancel)
            except Cancelled:
                cancelled = True
            summaries = tuple(self._summary(tally) for tally in tallies)
            close("cancelled" if cancelled else "done", summaries)
        return SyncReport(
            registries=summaries,
            generation=self._indexer.generation,
            gated=len(self._records.gated()),
            aliases=len(self._records.aliases()),
            cancelled=cancelled,
            seconds=time.perf_counter() - started,
        )

    @contextmanager
    def _runs(self, rows: Sequence[RegistryRow]) -> Iterator[_Close]:
        """Keep the record of runs: begun, and ended as they did, whatever happens."""
        numbers = {row.name: self._records.start_run(row.name) for row in rows}

        def close(outcome: Outcome, summaries: Sequence[RegistrySync]) -> None:
            reports = {summary.registry: summary.model_dump_json() for summary in summaries}
            for name, number in numbers.items():
                self._records.finish_run(number, outcome, reports.get(name, ""))
            numbers.clear()

        try:
            yield close
        except Exception:
            close("failed", ())
            raise

    def reindex(self) -> None:
        """Renew index and judgements after records went away."""
        for step in (self._indexer, self._judging):
            step.run(lambda _: None, threading.Event())

    def _read(
        self, tally: _Tally, progress: Progress, cancel: threading.Event, rebuild: bool
    ) -> None:
        from asf_core.registry.source import RegistrySource

        name = tally.row.name
        progress(SyncProgress(name, SyncPhase.DISCOVER, 0, 0))
        with RegistrySource.open(Path(tally.row.path), name) as source:
            discovery = source.discover()
            tally.listed = len(discovery.skills)
            tally.unread = discovery.findings
            progress(SyncProgress(name, SyncPhase.DISCOVER, tally.listed, tally.listed))
            known = self._records.fingerprints(name)
            seen = dict.fromkeys(known, "") if rebuild else known
            stale = self._stale(source, discovery.skills, seen, tally)
            found = {_id(name, skill.path) for skill in discovery.skills}
            self._drop(tally, self._records.ids(name) - found)
            self._read_stale(source, stale, tally, progress, cancel)
        self._records.put_registry_findings(name, discovery.findings)
        tally.seconds = time.perf_counter() - tally.started

    def _stale(
        self,
        source: RegistrySource,
        skills: tuple[FoundSkill, ...],
        known: dict[str, str],
        tally: _Tally,
    ) -> list[tuple[FoundSkill, str]]:
        from asf_core.graph.version import GRAPH_VERSION

        stale = []
        for found in skills:
            # Read by other rules, equal files give other references: then all are read anew.
            fingerprint = _with_version(f"{GRAPH_VERSION}-{source.fingerprint(found)}")
            if known.get(found.path) == fingerprint:
                tally.unchanged += 1
                continue
            tally.added += found.path not in known
            tally.changed += found.path in known
            stale.append((found, fingerprint))
        return stale

    def _drop(self, tally: _Tally, gone: set[str]) -> None:
        if gone:
            self._records.drop_skills(sorted(gone))
            tally.removed = len(gone)

    def _read_stale(
        self,
        source: RegistrySource,
        stale: list[tuple[FoundSkill, str]],
        tally: _Tally,
        progress: Progress,
        cancel: threading.Event,
    ) -> None:
        name = tally.row.name
        batch: list[SkillRecord] = []
        for number, (found, fingerprint) in enumerate(stale, start=1):
            skill, tree = read_skill(source, found)
            batch.append(self._indexer.record(skill, tree, fingerprint))
            if len(batch) == _READ_BATCH or number == len(stale):
                self._records.put_skills(name, batch)
                batch = []
                progress(SyncProgress(name, SyncPhase.READ, number, len(stale)))
                if cancel.is_set():
                    raise Cancelled

    def _summary(self, tally: _Tally) -> RegistrySync:
        name = tally.row.name
        return RegistrySync(
            registry=name,
            listed=tally.listed,
            added=tally.added,
            changed=tally.changed,
            removed=tally.removed,
            unchanged=tally.unchanged,
            encoded=self._indexer.encoded[name],
            broken=tuple(
                row.id
                for row in self._records.rows()
                if row.registry == name and row.state is SkillState.BROKEN
            ),
            unread=tally.unread,
            seconds=tally.seconds,
        )


def _with_version(fingerprint: str) -> str:
    """The fingerprint of files and of the way in which they are read."""
    from asf_core.quality.facts import VERSION

    return f"{fingerprint}.{VERSION}"


def _id(registry: str, path: str) -> str:
    return f"{registry}/{path}"


def _gone(row: RegistryRow) -> Finding:
    from asf_core.registry.rules import REGISTRY_GONE

    return Finding(
        rule=REGISTRY_GONE.id,
        severity=REGISTRY_GONE.severity,
        message=(
            f"The directory of registry {row.name} is gone; what was last read of it still "
            f"answers. Bring it back, or forget it with: asf registry remove {row.name}"
        ),
        path=row.path,
    )
