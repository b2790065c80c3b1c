"""One set of encoders for all engines of this directory: opening them takes longer than a test."""

from __future__ import annotations

import pytest

from asf_core.retrieval.models.loading import Encoders
from asf_core.services.routing import RouterHolder


@pytest.fixture(scope="session")
def encoders() -> Encoders:
    return Encoders().start()


@pytest.fixture
def shared_encoders(encoders: Encoders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RouterHolder, "encoders", encoders)
