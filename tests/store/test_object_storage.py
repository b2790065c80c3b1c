"""The index at an address: a real S3 protocol, spoken by a server of this process."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from moto.server import ThreadedMotoServer
from vector_rows import D, make, many

from asf_core.domain.errors import InputError, StoreError
from asf_core.services.engine import Engine
from asf_core.store.index_text import IndexUnusableError
from asf_core.store.vectors import VectorStore
from asf_core.store.workspace import Workspace
from tests.services.writing import procedure


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    bucket = urllib.request.Request(f"{address}/bucket", method="PUT")
    with urllib.request.urlopen(bucket) as answer:
        assert answer.status == 200
    yield address
    server.stop()


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    settings = {
        "AWS_ENDPOINT": endpoint,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return "s3://bucket"


def test_rows_are_kept_found_and_joined(bucket: str) -> None:
    store = VectorStore(f"{bucket}/rows", model="m1", dimension=D)
    for row in many(40):
        store.put([row])
    store.put([make("reg/s0003", digest="v2", seed=5)])
    store.delete(["reg/s0004"])
    assert store.health().rows == 39
    assert store.compact()
    assert store.health().fragments == 1
    again = VectorStore(f"{bucket}/rows", model="m1", dimension=D)
    assert again.known()["reg/s0003"] == "v2"
    wanted = make("reg/s0007").vectors.vector
    ((nearest, cosine),) = again.search(wanted, 1)
    assert nearest == "reg/s0007"
    assert cosine == pytest.approx(1.0)
    np.testing.assert_array_equal(again.by_digest({"v2"})["v2"].vector, _changed())
    again.rebuild()
    assert again.known() == {}


def _changed() -> np.ndarray:
    return make("reg/s0003", seed=5).vectors.vector


@pytest.mark.parametrize("place", ["s3://bucket/whole/", "file"])
def test_a_workspace_with_its_index_at_an_address(
    place: str, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = place if place != "file" else f"file://{tmp_path / 'far away'}"
    monkeypatch.setenv("ASF_INDEX", address)
    skill = tmp_path / "reg" / "bake-bread" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: bake-bread\ndescription: Helps with bread baking. Use for bread baking questions."
        f"\n---\n# bake-bread\n\n{procedure('bread baking')}"
    )
    with Engine.open(tmp_path / "w") as engine:
        engine.add_registry(tmp_path / "reg")
        assert engine.sync().registries[0].encoded == 1
        assert engine.route("help with bread baking").bundle.steps[0].slug == "bake-bread"
        skill.parent.rename(tmp_path / "reg" / "loaves")
        assert engine.sync().registries[0].encoded == 0
    assert not any((tmp_path / "w" / "index").iterdir())
    assert not (tmp_path / "w" / "index.json").exists()


@pytest.mark.parametrize(
    ("where", "changed", "says"),
    [
        ("s3://no-such-bucket/x", {}, "no such bucket"),
        ("s3://bucket/x", {"AWS_ENDPOINT": "http://127.0.0.1:1"}, "nobody answers"),
    ],
)
def test_a_way_that_does_not_lead_there_is_no_damage(
    where: str,
    changed: dict[str, str],
    says: str,
    bucket: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rebuild would be the wrong advice, and a sync must not begin one by itself."""
    for name, value in changed.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(StoreError) as error:
        VectorStore(where, model="m1", dimension=D).put([make("reg/a")])
    assert not isinstance(error.value, IndexUnusableError)
    assert says in (error.value.why or "")


@pytest.mark.parametrize("address", ["bucket/prefix", "https://host/x", "s3://", "db://name", "s3"])
def test_an_address_that_is_none(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASF_INDEX", address)
    with pytest.raises(InputError, match="no address of an index"):
        _ = Workspace(tmp_path).index_target
