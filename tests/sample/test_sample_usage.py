"""Every script of the sample registry explains itself and refuses wrong usage in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

WRONG = {
    "lookup.py": ["--limit", "three"],
    "size.py": ["means", "--sd", "0"],
    "layout.py": ["--seed", "1", "--group", "a"],
    "ddct.py": ["gone", "--target", "T", "--reference", "R", "--control", "c"],
    "diff-openapi.js": ["gone", "gone"],
    "lockdiff.js": ["gone", "gone"],
    "timeline.py": ["--source", "a=gone"],
    "changelog.py": ["--current", "one"],
    "changelog.sh": ["not a version"],
    "new-skill.sh": ["only-a-name"],
    "actions.py": ["gone", "--date", "2026-06-11"],
    "clauses.py": ["gone", "gone"],
    "match.py": ["gone", "gone", "gone"],
    "merge.py": ["gone", "gone", "--check"],
}


def test_help_and_no_arguments(program: str, answer: Callable, tmp_path: Path) -> None:
    helped = answer(program, ["--help"])
    assert helped.code == 0
    assert "usage" in helped.out.lower()
    assert helped.err == ""
    bare = answer(program, [])
    assert bare.code == 2
    assert bare.out == ""
    assert bare.err
    assert "Traceback" not in bare.err
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_read_is_an_error_in_words(program: str, answer: Callable) -> None:
    result = answer(program, WRONG.get(Path(program).name, ["gone"]))
    assert result.code == 2, result
    assert result.err.strip()
    assert "Traceback" not in result.err
    assert "    at " not in result.err
