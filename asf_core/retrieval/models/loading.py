"""The encoders of a process, opened when they are first needed, side by side."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Self, TypeVar

from asf_core.retrieval.models.catalogue import Role
from asf_core.retrieval.models.encoders import (
    CrossEncoder,
    DenseEncoder,
    TokenEncoder,
    fingerprint,
)
from asf_core.retrieval.models.files import ModelFiles, find_model
from asf_core.retrieval.models.runtime import OnnxModel
from asf_core.retrieval.views import DENSE_VIEW, TOKEN_VIEW

_Found = TypeVar("_Found")

BGE_INSTRUCTION = "Represent this sentence for searching relevant passages: "
"""Set before a task (not a skill) for the bundled dense model, as its authors advise. On the
development queries dense hit@1 0.485 with it, 0.422 without; fused 0.714 and 0.702."""


class Encoders:
    """The three models. Each property opens its model if need be and raises what that raises.

    Args:
        model_dir: Where to look before the bundled models, see ``find_model``.
    """

    def __init__(self, model_dir: Path | None = None) -> None:
        self._model_dir = model_dir
        self._futures: dict[str, Future[Any]] = {}
        self._lock = Lock()

    def start(self, *roles: Role) -> Self:
        """Begin to open models in the background; a failure is raised where it is used."""
        for role in roles or (Role.DENSE, Role.LATE):
            self._begin(role, partial(self._open, role))
        return self

    @property
    def dense(self) -> DenseEncoder:
        """The dense encoder.

        Raises:
            ModelMissingError: Its files are absent, altered or cannot be opened.
        """
        found: DenseEncoder = self._opened(Role.DENSE)
        return found

    @property
    def late(self) -> TokenEncoder:
        """The token encoder.

        Raises:
            ModelMissingError: Its files are absent, altered or cannot be opened.
        """
        found: TokenEncoder = self._opened(Role.LATE)
        return found

    @property
    def cross(self) -> CrossEncoder:
        """The cross-encoder.

        Raises:
            ModelMissingError: Its files are absent, altered or cannot be opened.
        """
        found: CrossEncoder = self._opened(Role.CROSS)
        return found

    @property
    def fingerprint(self) -> str:
        """What stored vectors depend on: the dense and the token model, and the texts they read.

        Raises:
            ModelMissingError: A file of either is absent or altered.
        """
        dense = fingerprint(self._files(Role.DENSE), DENSE_VIEW)
        late = fingerprint(self._files(Role.LATE), TOKEN_VIEW)
        return sha256(f"{dense}\n{late}".encode()).hexdigest()[:16]

    def _opened(self, role: Role) -> Any:
        return self.start(role)._futures[role].result()

    def _open(self, role: Role) -> Any:
        return _OPEN[role](self._files(role))

    def _files(self, role: Role) -> ModelFiles:
        """The checked files of a role: read once a process."""
        return self._begin(f"files of {role}", lambda: find_model(role, self._model_dir)).result()

    def _begin(self, key: str, work: Callable[[], _Found]) -> Future[_Found]:
        with self._lock:
            if key not in self._futures:
                # A thread of its own, gone afterwards: nothing waits behind it in a queue.
                pool = ThreadPoolExecutor(1, thread_name_prefix="asf-model")
                self._futures[key] = pool.submit(work)
                pool.shutdown(wait=False)
            return self._futures[key]


def _dense(files: ModelFiles) -> DenseEncoder:
    return DenseEncoder(OnnxModel(files), BGE_INSTRUCTION if files.bundled else "")


def _late(files: ModelFiles) -> TokenEncoder:
    return TokenEncoder(OnnxModel(files))


def _cross(files: ModelFiles) -> CrossEncoder:
    return CrossEncoder(OnnxModel(files))


_OPEN: dict[Role, Callable[[ModelFiles], Any]] = {
    Role.DENSE: _dense,
    Role.LATE: _late,
    Role.CROSS: _cross,
}
