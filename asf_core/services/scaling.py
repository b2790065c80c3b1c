"""How time, size and memory grow with the number of skills, over synthetic registries.

Every size is built in one process and served in another, so that each peak of memory is its own.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from asf_core.bench.metrics import percentile
from asf_core.domain.base import Value
from asf_core.domain.errors import InputError
from asf_core.domain.routing import RouteRequest

if TYPE_CHECKING:
    from asf_core.services.engine import Engine
    from asf_core.services.synthetic import SyntheticRegistry

SIZES = (1_000, 10_000, 100_000)
_QUERIES = 200
_DEPTH = 100
_MOST_ORIGINALS = 3_000
_P = ParamSpec("_P")
_T = TypeVar("_T")

Progress = Callable[[str, int, int], None]


class Built(Value):
    """Making the index of one size."""

    index_s: float
    """LanceDB: writing vectors and rows."""
    snapshot_s: float
    """Word index, vectors and rows of what routing reads."""
    index_mb: float
    snapshot_mb: float
    peak_mb: float


class Searched(Value):
    """HNSW against comparing with every vector, for the first hundred."""

    build_s: float
    exact_ms: float
    """Median, over the memory-mapped vectors in one thread, as the router does it."""
    hnsw_ms: float
    """Median, by LanceDB."""
    recall: float
    """Mean share of the true hundred that HNSW finds, 0 to 1."""


class Served(Value):
    """Routing over one size, warm, whole tasks with their encoding."""

    open_ms: float
    p50_ms: float
    p95_ms: float
    stage_p50_ms: dict[str, float]
    peak_mb: float
    """Mapped pages included, which the system takes back when it needs them."""


class Scale(Value):
    """One size."""

    skills: int
    built: Built
    searched: Searched
    served: Served


class ScaleResult(Value):
    """All sizes, smallest first."""

    originals: int
    """Real skills that the synthetic ones are recombined from."""
    setting: str
    sizes: tuple[Scale, ...]


def scale(
    engine: Engine,
    registries: Sequence[str],
    sizes: Sequence[int],
    *,
    setting: str = "balanced",
    progress: Progress | None = None,
) -> ScaleResult:
    """Build and route synthetic registries of several sizes, in a directory that is removed.

    Args:
        engine: With the real registries synced.
        registries: Names to recombine; empty for all of the workspace.
        sizes: Numbers of skills.
        setting: That routes; it must need no token vectors.
        progress: Told before each size.

    Raises:
        InputError: There is no skill to recombine, or a size below 100.
    """
    if any(size < _DEPTH for size in sizes):
        raise InputError(f"A size is below {_DEPTH}", hint=f"Give sizes from {_DEPTH} on")
    ids = [r.id for r in engine.skills() if not registries or r.registry in registries]
    if not ids:
        raise InputError(
            "There is no skill to recombine", hint="Sync a registry first: asf sync DIR"
        )
    found = []
    for done, size in enumerate(sorted(sizes)):
        if progress:
            progress(f"{size:,} skills", done, len(sizes))
        with tempfile.TemporaryDirectory(prefix="asf-scale-") as directory:
            where = (str(engine.workspace.root), tuple(ids), size, directory)
            built = _alone(_build, *where)
            searched = _alone(_search, *where)
            served = _alone(_serve, *where, setting)
        found.append(Scale(skills=size, built=built, searched=searched, served=served))
    return ScaleResult(
        originals=min(len(ids), _MOST_ORIGINALS), setting=setting, sizes=tuple(found)
    )


def _alone(work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Run in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(work, *args, **kwargs).result()


def _registry(workspace: str, ids: Sequence[str], size: int) -> SyntheticRegistry:
    from asf_core.retrieval.views import lexical_fields
    from asf_core.services.synthetic import Original, SyntheticRegistry
    from asf_core.store.database import Database
    from asf_core.store.records import Records
    from asf_core.store.snapshot import Snapshot
    from asf_core.store.workspace import Workspace

    home = Workspace(Path(workspace))
    with Snapshot.open(home.snapshots) as snapshot:
        known = [i for i in ids if i in snapshot.row_of][:_MOST_ORIGINALS]
        vectors = np.array(snapshot.vectors[[snapshot.row_of[i] for i in known]])
    database = Database.open(home.database)
    originals = [
        Original(lexical_fields(r.skill.manifest, r.skill.body), r.tokens, r.listing_tokens)
        for r in Records(database).some(known)
    ]
    database.close()
    return SyntheticRegistry(originals, vectors, size)


def _build(workspace: str, ids: Sequence[str], size: int, directory: str) -> Built:
    from asf_core.retrieval.indexing import LEXICAL_VERSION, build_lexical
    from asf_core.store.snapshot_content import SnapshotContent
    from asf_core.store.snapshot_writer import SnapshotWriter

    registry = _registry(workspace, ids, size)
    began = time.perf_counter()
    _fill_index(registry, Path(directory) / "index")
    index_s = time.perf_counter() - began

    def lexical(where: Path, order: Sequence[str]) -> None:
        build_lexical(where, map(registry.fields, range(len(order))))

    began = time.perf_counter()
    content = SnapshotContent(
        rows=list(registry.rows()),
        links=(),
        model=_model(workspace),
        lexical_version=LEXICAL_VERSION,
    )
    SnapshotWriter(Path(directory) / "snapshots").write(content, registry, lexical)
    return Built(
        index_s=index_s,
        snapshot_s=time.perf_counter() - began,
        index_mb=_megabytes(Path(directory) / "index"),
        snapshot_mb=_megabytes(Path(directory) / "snapshots"),
        peak_mb=_peak_mb(),
    )


def _fill_index(registry: SyntheticRegistry, where: Path) -> None:
    from asf_core.services.synthetic import REGISTRY
    from asf_core.store.arrays import IndexRow
    from asf_core.store.vectors import VectorStore

    store = VectorStore(where, model="synthetic")
    for batch in registry.batches():
        rows = [
            IndexRow(id=id_, registry=REGISTRY, view_digest=digest, manifest="{}", vectors=stored)
            for id_, digest, stored in batch.each()
        ]
        store.put(rows)
    store.compact(force=True)


def _search(workspace: str, ids: Sequence[str], size: int, directory: str) -> Searched:
    from asf_core.store.nearest import build_hnsw, search_hnsw
    from asf_core.store.snapshot import Snapshot
    from asf_core.store.vectors import VectorStore

    table = VectorStore(Path(directory) / "index", model="synthetic").table()
    began = time.perf_counter()
    build_hnsw(table)
    build_s = time.perf_counter() - began
    with Snapshot.open(Path(directory) / "snapshots") as snapshot:
        queries = _query_vectors(snapshot.vectors)
        exact, hnsw, shares = [], [], []
        for query in queries:
            began = time.perf_counter()
            true = _exact(snapshot.vectors, query)
            exact.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            found = search_hnsw(table, query, _DEPTH)
            hnsw.append((time.perf_counter() - began) * 1000)
            shares.append(len({snapshot.ids[row] for row in true} & set(found)) / _DEPTH)
    return Searched(
        build_s=build_s,
        exact_ms=percentile(exact, 0.5),
        hnsw_ms=percentile(hnsw, 0.5),
        recall=float(np.mean(shares)),
    )


def _query_vectors(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Tasks lie about as far from their skill (cosine 0.73) as real ones do."""
    rng = np.random.default_rng(7)
    rows = vectors[rng.integers(0, len(vectors), _QUERIES)]
    noise = rng.standard_normal(rows.shape, dtype=np.float32)
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    mixed = rows + 0.95 * noise
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), np.float32)


def _exact(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.int64]:
    found = np.einsum("ij,j->i", vectors, query)
    return np.asarray(np.argpartition(-found, _DEPTH)[:_DEPTH], np.int64)


def _serve(workspace: str, ids: Sequence[str], size: int, directory: str, setting: str) -> Served:
    from asf_core.retrieval.lexical import LexicalIndex
    from asf_core.retrieval.models.loading import Encoders
    from asf_core.retrieval.pipeline import Router
    from asf_core.services.planning import GraphPlanning
    from asf_core.store.snapshot import Snapshot

    tasks = _tasks(workspace, ids)
    began = time.perf_counter()
    encoders = Encoders().start()
    snapshot = Snapshot.open(Path(directory) / "snapshots")
    lexical = LexicalIndex.load(snapshot.lexical_dir)
    router = Router(snapshot, lexical, encoders, GraphPlanning(snapshot))
    request = RouteRequest(setting=setting)
    router.route(tasks[0], request)
    open_ms = (time.perf_counter() - began) * 1000
    for task in tasks[:20]:
        router.route(task, request)
    results = [router.route(task, request) for task in tasks]
    stages = {trace.stage.value for result in results for trace in result.stages}
    return Served(
        open_ms=open_ms,
        p50_ms=percentile([r.milliseconds for r in results], 0.5),
        p95_ms=percentile([r.milliseconds for r in results], 0.95),
        stage_p50_ms={
            stage: percentile(
                [t.milliseconds for r in results for t in r.stages if t.stage.value == stage], 0.5
            )
            for stage in sorted(stages)
        },
        peak_mb=_peak_mb(),
    )


def _tasks(workspace: str, ids: Sequence[str]) -> list[str]:
    """First sentences of real descriptions: of a task's length, in a task's words."""
    from asf_core.store.snapshot import Snapshot
    from asf_core.store.workspace import Workspace

    with Snapshot.open(Workspace(Path(workspace)).snapshots) as snapshot:
        known = [i for i in ids if i in snapshot.row_of]
        step = max(1, len(known) // _QUERIES)
        texts = [snapshot.skill(i).description.split(". ")[0] for i in known[::step]]
    return [text for text in texts if text.strip()][:_QUERIES]


def _model(workspace: str) -> str:
    from asf_core.store.snapshot import Snapshot
    from asf_core.store.workspace import Workspace

    with Snapshot.open(Workspace(Path(workspace)).snapshots) as snapshot:
        return snapshot.model


def _megabytes(directory: Path) -> float:
    return sum(file.stat().st_size for file in directory.rglob("*") if file.is_file()) / 2**20


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
