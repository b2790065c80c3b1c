"""The bundled models, opened once for all tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from asf_core.retrieval.models.loading import Encoders

# Test modules share helpers of this directory.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def encoders() -> Encoders:
    """The bundled models, opened once."""
    return Encoders().start()
