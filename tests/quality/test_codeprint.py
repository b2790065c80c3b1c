"""Fingerprints of scripts."""

from __future__ import annotations

import pytest

from asf_core.quality.codeprint import MAX_BYTES, prints_of


def print_of(path: str, text: str) -> str:
    (found,) = prints_of({path: text.encode()})
    return found.print


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("a.py", "def f(x):\n    return x+1  # add\n", "# new\ndef f( x ):\n\n  return x + 1\n"),
        ("a.js", "const a = 1; // one\nf(a)", "/* x */ const a=1;\n\nf( a )"),
        ("a.ts", "let x: number = 2", "let x:number=2 // two"),
        ("a.go", "package a\nfunc F() int { return 1 }", "package a\n\n// F\nfunc F() int {\n\treturn 1\n}"),
        ("a.sh", "#!/bin/sh\nset -e\n# run\nls", "#!/bin/sh\n\nset   -e\n\n  ls\n"),
        ("a.rb", "x = 1 \n", "# c\nx = 1"),
    ],
)  # fmt: skip
def test_layout_and_comments_leave_a_print_as_it_is(path: str, one: str, other: str) -> None:
    assert print_of(path, one) == print_of(path, other)


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("a.py", "x = 1", "x = 2"),
        ("a.py", "if a:\n    b\n    c\n", "if a:\n    b\nc\n"),
        ("a.js", "f(a, b)", "f(b, a)"),
        ("a.sh", "rm a", "rm b"),
    ],
)
def test_another_program_has_another_print(path: str, one: str, other: str) -> None:
    assert print_of(path, one) != print_of(path, other)


def test_what_is_no_program_has_no_print() -> None:
    assert prints_of({"a.py": b"", "b.py": b"# only a comment\n", "c.sh": b"\x00\x01"}) == ()
    assert prints_of({"big.py": b"x = 1\n" * MAX_BYTES}) == ()


@pytest.mark.parametrize(
    "data", [b"(" * 20_000, b"def f(:\n" * 500, b"\xff\xfe" * 100, b"[" * 5_000 + b"]" * 5_000]
)
def test_hostile_code_is_survived(data: bytes) -> None:
    for path in ("a.py", "a.js", "a.tsx", "a.go", "a.sh"):
        prints_of({path: data})
