"""The index of vectors and manifests, in LanceDB; the only module that imports it.

Importing LanceDB takes seconds, so it is imported at the first operation and never on the way of
a route, which reads the snapshot. A row is one skill under one model: rows of different models
stand side by side and no operation mixes them.

Writers hold the workspace's lock. Readers need none: each operation sees the newest whole version
of the table, and one that loses its version to a clean-up begins again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import AsfError, BusyError
from asf_core.store.arrays import IndexRow, StoredVectors, VectorBatch, join
from asf_core.store.files import discard
from asf_core.store.index_health import IndexHealth, disk_bytes
from asf_core.store.index_text import (
    REBUILD,
    IndexUnusableError,
    explained,
    filters,
    one_of,
    quoted,
)

_T = TypeVar("_T")
_TABLE = "skills"
_VECTOR_COLUMNS = (
    "id", "view_digest", "vector", "tokens", "n_tokens", "token_dimension", "scales",
)  # fmt: skip
_BATCH = 512
_MOST_FRAGMENTS = 32
# What the newest version of an empty table takes besides its rows.
_SLACK = 32 * 1024
# Of object storage: its client would try for minutes before it says that nobody answers.
_STORAGE = {"client_max_retries": "2", "connect_timeout": "5s"}


class VectorStore:
    """Vectors and manifests by skill id, for one model.

    Args:
        where: Directory, or an address that LanceDB understands.
        model: Fingerprint of the encoders that make the vectors.
        dimension: D, length of a vector.
    """

    def __init__(self, where: Path | str, *, model: str, dimension: int = 384) -> None:
        self._where = where
        self._model = model
        self._dimension = dimension
        self._table: Any = None

    def put(self, rows: Sequence[IndexRow]) -> None:
        """Insert skills, or replace those that are there under this model.

        Args:
            rows: Any number; of two with one id the last counts.

        Raises:
            StoreError: The index cannot be written, or has other columns or another vector size.
            ValueError: A row's arrays have the wrong shape, or a vector is not finite.
        """
        last = list({row.id: row for row in rows}.values())
        for row in last:
            row.check(self._dimension)
        for start in range(0, len(last), _BATCH):
            data = _to_arrow(last[start : start + _BATCH], self._model, self._dimension)
            self._write(partial(_merge, data=data))

    def delete(self, ids: Collection[str]) -> None:
        """Forget skills, under every model. Unknown ids are passed over.

        Raises:
            StoreError: The index cannot be written.
        """
        if self._open() is None:
            return
        for some in filters("id", ids):
            self._write(partial(_delete, where=some))

    def known(self) -> dict[str, str]:
        """Id and view digest of each skill."""
        return self._pairs("view_digest")

    def token_counts(self) -> dict[str, int]:
        """Id and number of tokens of each skill."""
        return self._pairs("n_tokens")

    def by_digest(self, view_digests: Collection[str]) -> dict[str, StoredVectors]:
        """The vectors of texts that were encoded before, by view digest, for reuse."""
        found: dict[str, StoredVectors] = {}
        for some in filters("view_digest", view_digests):
            for batch in self._read(partial(self._all, where=some)) or ():
                found.update((digest, stored) for _, digest, stored in batch.each())
        return found

    def batches(self) -> Iterator[VectorBatch]:
        """The vectors of all skills, in any order, a batch at a time.

        The caller holds the workspace's lock: a clean-up in between would break the stream.

        Raises:
            StoreError: The index cannot be read.
        """
        table = self._open()
        if table is None:
            return
        with explained(self._where):
            yield from self._scan(table)

    def scan(self) -> VectorBatch:
        """The vectors of all skills as one batch, sorted by id."""
        parts = self._read(self._all) or []
        return join(parts, self._dimension)

    def manifests(self, ids: Collection[str]) -> dict[str, str]:
        """Id and manifest, as JSON, of some skills; those that are not there are left out."""
        found: dict[str, str] = {}
        for some in filters("id", ids):
            found.update(self._pairs("manifest", some))
        return found

    def search(
        self, vector: NDArray[np.float32], k: int, ids: Collection[str] | None = None
    ) -> tuple[tuple[str, float], ...]:
        """The nearest skills, compared with every one.

        Args:
            vector: (D,), L2-normalised, so that the dot product is the cosine.
            k: How many at most.
            ids: Only among these; among all when left out.

        Returns:
            Id and cosine, best first, equal ones by id.

        Raises:
            StoreError: The index cannot be read.
        """
        if k < 1 or (ids is not None and not ids):
            return ()
        where = self._of_model() + ("" if ids is None else f" AND {one_of('id', ids)}")
        hits = self._read(partial(_nearest, vector=vector, k=k, where=where)) or []
        return tuple(sorted(hits, key=lambda hit: (-hit[1], hit[0])))

    def table(self) -> Any:
        """The table itself, for ``nearest``; made when absent."""
        return self._open(create=True)

    def compact(self, *, force: bool = False) -> bool:
        """Join small files, and remove old versions and what failed writes left.

        The caller holds the workspace's lock: files of a write that is going on would go too.

        Args:
            force: Also when little would be gained.

        Returns:
            Whether anything was done: there are many files, or more than half is left-overs.
        """
        health = self.health()
        most = 2 * health.live_bytes + _SLACK
        worth = health.fragments > _MOST_FRAGMENTS or health.disk_bytes > most
        if self._open() is None or not (force or worth):
            return False
        # Zero would do the same with a warning on the terminal.
        age = timedelta(milliseconds=1)
        self._write(lambda table: table.optimize(cleanup_older_than=age, delete_unverified=True))
        return True

    def health(self) -> IndexHealth:
        """What the index holds and what it takes."""
        return self._read(self._health) or IndexHealth(0, 0, 0, 0, 0)

    def drop_other_models(self) -> None:
        """Forget the rows of all other models, once this one's are complete."""
        if self._open() is not None:
            self._write(partial(_delete, where=f"NOT ({self._of_model()})"))

    def rebuild(self) -> None:
        """Drop the whole table, whatever became of it; snapshots go on answering meanwhile.

        Raises:
            StoreError: It cannot be removed.
        """
        self._table = None
        try:
            self._drop()
        except IndexUnusableError:
            if isinstance(self._where, str):
                raise
            # Too damaged even for that. What holds nothing else can go as files.
            discard(self._where)
            self._drop()

    def _drop(self) -> None:
        with explained(self._where):
            connection = _connect(self._where)
            if _TABLE in _names(connection):
                connection.drop_table(_TABLE)

    def _of_model(self) -> str:
        return f"model = {quoted(self._model)}"

    def _pairs(self, column: str, where: str = "true") -> dict[str, Any]:
        where = f"{self._of_model()} AND {where}"
        found = self._read(partial(_columns, columns=["id", column], where=where))
        if found is None:
            return {}
        return dict(zip(found["id"].to_pylist(), found[column].to_pylist(), strict=True))

    def _scan(self, table: Any, where: str = "true") -> Iterator[VectorBatch]:
        query = table.search().where(f"{self._of_model()} AND {where}")
        query = query.select(list(_VECTOR_COLUMNS)).limit(None)
        for batch in query.to_batches(batch_size=_BATCH):
            if batch.num_rows:
                yield _from_arrow(batch, self._dimension)

    def _all(self, table: Any, where: str = "true") -> list[VectorBatch]:
        return list(self._scan(table, where))

    def _health(self, table: Any) -> IndexHealth:
        stats = table.stats()
        fragments = stats["fragment_stats"]["num_fragments"]
        written = fragments * stats["fragment_stats"]["lengths"]["mean"]
        share = min(1.0, stats["num_rows"] / written) if written else 0.0
        return IndexHealth(
            rows=stats["num_rows"],
            rows_of_model=table.count_rows(self._of_model()),
            fragments=fragments,
            disk_bytes=disk_bytes(self._where),
            live_bytes=round(stats["total_bytes"] * share),
        )

    def _open(self, *, create: bool = False) -> Any:
        """The table, checked; ``None`` when there is none and none is to be made."""
        if self._table is None:
            with explained(self._where):
                connection = _connect(self._where)
                if _TABLE in _names(connection):
                    table = connection.open_table(_TABLE)
                    _check_schema(table.schema, _schema(self._dimension), self._where)
                    self._table = table
                elif create:
                    self._table = connection.create_table(_TABLE, schema=_schema(self._dimension))
        return self._table

    def _read(self, operation: Callable[[Any], _T]) -> _T | None:
        tries = 3
        while True:
            table = self._open()
            if table is None:
                return None
            try:
                with explained(self._where):
                    return operation(table)
            except (IndexUnusableError, BusyError):
                # A writer may have removed the version that was being read, or the table.
                self._table = None
                tries -= 1
                if not tries:
                    raise

    def _write(self, operation: Callable[[Any], object]) -> None:
        table = self._open(create=True)
        try:
            with explained(self._where):
                operation(table)
        except AsfError:
            self._table = None
            raise


def _connect(where: Path | str) -> Any:
    # Read when the library is loaded. Its log would be written over the workbench, and it counts
    # the cores of the machine instead of those that this process may use.
    os.environ.setdefault("LANCEDB_LOG", "off")
    os.environ.setdefault("LANCE_CPU_THREADS", str(_cores()))
    import lancedb

    return lancedb.connect(
        str(where), read_consistency_interval=timedelta(0), storage_options=_STORAGE
    )


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _names(connection: Any) -> list[str]:
    return list(connection.list_tables().tables)


def _schema(dimension: int) -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            ("id", pa.string()),
            ("registry", pa.string()),
            ("view_digest", pa.string()),
            ("model", pa.string()),
            ("vector", pa.list_(pa.float32(), dimension)),
            ("tokens", pa.large_binary()),
            ("n_tokens", pa.int32()),
            ("token_dimension", pa.int32()),
            ("scales", pa.large_binary()),
            ("manifest", pa.string()),
        ]
    )


def _check_schema(found: Any, wanted: Any, where: Path | str) -> None:
    types = {field.name: field.type for field in found}
    for field in wanted:
        if types.get(field.name) != field.type:
            has = types.get(field.name, "absent")
            raise IndexUnusableError(
                "The index was made for another model or by another program",
                why=f"{where}: column {field.name!r} is {has}, wanted is {field.type}",
                hint=REBUILD,
            )


def _to_arrow(rows: Sequence[IndexRow], model: str, dimension: int) -> Any:
    import pyarrow as pa

    vectors = np.array([row.vectors.vector for row in rows], np.float32)
    columns = [
        [row.id for row in rows],
        [row.registry for row in rows],
        [row.view_digest for row in rows],
        [model] * len(rows),
        pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimension),
        [row.vectors.tokens.tobytes() for row in rows],
        [row.vectors.tokens.shape[0] for row in rows],
        [row.vectors.tokens.shape[1] for row in rows],
        [row.vectors.scales.astype("<f4").tobytes() for row in rows],
        [row.manifest for row in rows],
    ]
    schema = _schema(dimension)
    arrays = [
        pa.array(c, f.type) if isinstance(c, list) else c
        for c, f in zip(columns, schema, strict=True)
    ]
    return pa.table(arrays, schema=schema)


def _from_arrow(batch: Any, dimension: int) -> VectorBatch:
    (token_dimension,) = set(batch["token_dimension"].to_pylist())
    lengths = batch["n_tokens"].to_numpy().astype(np.int64)
    tokens = np.frombuffer(b"".join(batch["tokens"].to_pylist()), np.int8)
    return VectorBatch(
        ids=batch["id"].to_pylist(),
        view_digests=batch["view_digest"].to_pylist(),
        vectors=batch["vector"].flatten().to_numpy().reshape(-1, dimension),
        tokens=tokens.reshape(int(lengths.sum()), token_dimension),
        lengths=lengths,
        scales=np.frombuffer(b"".join(batch["scales"].to_pylist()), "<f4"),
    )


def _merge(table: Any, data: Any) -> None:
    merge = table.merge_insert(["id", "model"]).when_matched_update_all()
    merge.when_not_matched_insert_all().execute(data)


def _delete(table: Any, where: str) -> None:
    table.delete(where)


def _columns(table: Any, columns: list[str], where: str) -> Any:
    return table.search().where(where).select(columns).limit(None).to_arrow()


def _nearest(
    table: Any, vector: NDArray[np.float32], k: int, where: str
) -> list[tuple[str, float]]:
    query = table.search(vector, vector_column_name="vector", query_type="vector")
    query = query.distance_type("dot").where(where, prefilter=True).bypass_vector_index()
    hits = query.select(["id", "_distance"]).limit(k).to_arrow()
    # LanceDB's dot distance is 1 minus the dot product.
    return [
        (skill_id, 1.0 - distance)
        for skill_id, distance in zip(
            hits["id"].to_pylist(), hits["_distance"].to_pylist(), strict=True
        )
    ]
