"""The project's own negative queries: what the abstention was calibrated on, beside the good ones."""

from __future__ import annotations

import json
from pathlib import Path

from asf_core.bench.queries import load_queries

FILE = Path(__file__).with_name("negatives.jsonl")


def test_a_hundred_negatives_of_many_kinds() -> None:
    queries = load_queries([FILE]).queries
    assert (
        len({query.id for query in queries})
        == len({json.dumps(query.query) for query in queries})
        == 100
    )
    assert {query.kind for query in queries} == {"negative"}
    notes = {json.loads(line)["note"] for line in FILE.read_text("utf-8").splitlines()}
    assert len(notes) >= 15
