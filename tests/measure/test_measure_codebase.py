"""Whole codebases: verdicts, hostile files, order, processes, progress."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from measure_trees import LOOSE_STYLES, config_tree, loose_tree, typescript_tree, write

from asf_core.domain.errors import InputError
from asf_core.domain.measure import FailureMode, MeasurePhase, MeasureProgress
from asf_core.graph.code import pool
from asf_core.graph.code.files import is_test, walk
from asf_core.graph.measure import measure


def test_one_object_that_everything_reaches_is_coupling_lock(tmp_path: Path) -> None:
    report = measure(config_tree(tmp_path))
    assert report.verdict == "Coupling Lock"
    assert [mode.mode for mode in report.modes] == [FailureMode.COUPLING]
    first = report.modes[0].nodes[0]
    assert (first.name, first.path, first.line) == ("Config", "app/config.py", 1)
    assert report.counts.tools == 18


@pytest.mark.parametrize("style", LOOSE_STYLES)
def test_hundreds_of_loose_tools_are_isolation_and_fragmentation(
    tmp_path: Path, style: str
) -> None:
    report = measure(loose_tree(tmp_path, style))
    assert [mode.mode for mode in report.modes] == [
        FailureMode.ISOLATION,
        FailureMode.FRAGMENTATION,
    ]
    assert report.verdict == "Tool Isolation and Fragmentation Collapse"
    assert report.counts.tools >= 200
    assert report.counts.isolated == report.counts.tools
    assert report.risk == "HIGH"
    assert all(mode.nodes for mode in report.modes)


def test_the_report_is_the_same_each_run_and_in_any_number_of_processes(tmp_path: Path) -> None:
    typescript_tree(tmp_path, 20)
    first = measure(tmp_path)
    assert measure(tmp_path) == first
    assert measure(tmp_path, workers=2) == first
    assert first.counts.files == 20
    assert first.counts.links > 50


def test_time_grows_with_the_files_and_not_faster(tmp_path: Path) -> None:
    """3,000 files take some 20 s of CPU; a tenth of them must stay far below a tenth of 60 s.

    The whole size: ``python -m tests.measure.large``.
    """
    typescript_tree(tmp_path, 150)
    started = time.process_time()
    measure(tmp_path, workers=1)
    assert time.process_time() - started < 6


def test_the_report_does_not_depend_on_the_order_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typescript_tree(tmp_path, 16)
    config_tree(tmp_path / "py", 2, 6)
    first = measure(tmp_path)
    for seed in range(4):

        def shuffled(
            read: object, items: Sequence[object], workers: object, s: int = seed
        ) -> object:
            mixed = list(items)
            random.Random(s).shuffle(mixed)
            return pool.read_all(read, mixed, 1)  # type: ignore[arg-type]

        monkeypatch.setattr("asf_core.graph.code.codebase.read_all", shuffled)
        assert measure(tmp_path) == first


def test_where_no_process_can_be_had_one_does_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no semaphores here")

    monkeypatch.setattr(pool, "ProcessPoolExecutor", refuse)
    assert list(pool.read_all(str, [1, 2], workers=2)) == [(1, "1"), (2, "2")]


def test_progress_goes_forward_and_can_stop_the_measurement(tmp_path: Path) -> None:
    typescript_tree(tmp_path, 45)
    seen: list[MeasureProgress] = []
    measure(tmp_path, progress=seen.append)
    assert list(dict.fromkeys(step.phase for step in seen)) == list(MeasurePhase)
    reads = [step for step in seen if step.phase is MeasurePhase.READ]
    assert [step.done for step in reads] == [0, 20, 40, 45]
    assert {step.total for step in reads} == {45}

    def stop(step: MeasureProgress) -> None:
        if step.done == 20:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        measure(tmp_path, progress=stop)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/a.py", True),
        ("src/__tests__/a.ts", True),
        ("a/test_x.py", True),
        ("a/x_test.go", True),
        ("a/x.test.ts", True),
        ("a/x.spec.tsx", True),
        ("conftest.py", True),
        ("pkg/testdata/a.go", True),
        ("integration-tests/a.ts", True),
        ("src/testing/a.py", False),
        ("src/contest.py", False),
        ("src/latest.ts", False),
        ("src/attestation/a.ts", False),
    ],
)
def test_test_files(path: str, expected: bool) -> None:
    assert is_test(path) is expected


def test_tests_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def f(): pass", "tests/test_a.py": "from a import f\nf()\n"})
    assert measure(tmp_path).counts.files == 1
    assert "1 test files" in measure(tmp_path).left_out
    assert measure(tmp_path, tests=True).counts.files == 2


@pytest.mark.parametrize(
    "directory",
    [
        "node_modules/x", "vendor/x", ".venv/lib", "dist", "build", "target/x", "__pycache__",
        "lib/site-packages/x", ".git/hooks", "third_party/x", "out",
    ],
)  # fmt: skip
def test_vendored_and_built_directories_are_left_out(tmp_path: Path, directory: str) -> None:
    write(tmp_path, {"a.py": "def f(): pass", f"{directory}/b.py": "def g(): pass"})
    assert [f.path for f in walk(tmp_path).files] == ["a.py"]


@pytest.mark.parametrize("path", ["pkg/build/__init__.py", "src/build/a.ts", "building/a.py"])
def test_directories_that_only_sound_like_it_are_read(tmp_path: Path, path: str) -> None:
    write(tmp_path, {path: ""})
    assert [f.path for f in walk(tmp_path).files] == [path]


def test_an_environment_of_any_name_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "myenv/pyvenv.cfg": "", "myenv/lib/b.py": ""})
    assert [f.path for f in walk(tmp_path).files] == ["a.py"]


@pytest.mark.parametrize(
    "names", [("a.ts", "a.js"), ("a.js", "a.d.ts"), ("a.ts", "a.d.ts"), ("a.mts", "a.mjs")]
)
def test_what_the_compiler_wrote_beside_its_source_is_left_out(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    write(tmp_path, dict.fromkeys(names, "export const a = 1;\n"))
    assert [f.path for f in walk(tmp_path).files] == [names[0]]


def test_files_that_cannot_be_read_are_listed_with_reasons(tmp_path: Path) -> None:
    write(tmp_path, {"ok.py": "def f(): pass\n", "long.js": "a;" * 30_000})
    (tmp_path / "big.py").write_text("x = 1\n" * 200_000)
    (tmp_path / "binary.ts").write_bytes(b"\0\1\2")
    (tmp_path / "wide.py").write_bytes("def g(): pass\n".encode("utf-16"))
    report = measure(tmp_path)
    assert {item.path: item.reason for item in report.unread} == {
        "big.py": "larger than 1024 KiB",
        "binary.ts": "binary",
        "long.js": "minified",
    }
    assert report.counts.files == 2
    assert report.counts.definitions == 2


def test_links_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"root/a.py": "def f(): pass\n", "secret/b.py": "def g(): pass\n"})
    root = tmp_path / "root"
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "b.py").symlink_to(tmp_path / "secret/b.py")
    (root / "again.py").symlink_to(root / "a.py")
    (root / "loop").symlink_to(root)
    report = measure(root)
    assert report.counts.files == 1
    assert [item.path for item in report.unread] == ["b.py"]
    assert "leaves the root" in report.unread[0].reason


def test_special_files_do_not_block(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def f(): pass\n"})
    os.mkfifo(tmp_path / "pipe.py")
    assert measure(tmp_path).counts.files == 1


def test_names_that_are_no_text_are_escaped(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def f(): pass\n"})
    (tmp_path / "a.py").rename(tmp_path / os.fsdecode(b"\xff\x1b.py"))
    report = measure(tmp_path)
    assert report.hubs == ()
    assert report.model_dump_json()


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.js", "program" + '.command("a")\n' * 20_000),
        ("a.js", "(\n" * 100_000),
        ("a.ts", "{a;\n" * 20_000),
        ("a.ts", "type A = " + "B<\n" * 60_000),
        ("a.py", "import a\n@a" + ".a\\\n" * 50_000 + "\ndef f(): pass\n"),
        ("a.py", "(\n" * 100_000),
        ("a.go", "package a\nvar x = a" + ".\nb" * 50_000 + "\n"),
        ("a.go", "package a\n" + "func f() {\n" * 10_000),
        ("a.ts", "s.tool('a', {}, f);\n" * 4_000),
    ],
)
def test_hostile_nesting_is_read_in_one_pass(tmp_path: Path, path: str, source: str) -> None:
    write(tmp_path, {path: source, "ok.py": "def f(): pass\n"})
    assert measure(tmp_path).counts.files == 2


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "No file ends in"),
        ({"readme.md": "x"}, "No file ends in"),
        ({"tests/test_a.py": ""}, "Only 1 test files"),
        ({"a.py": "\0"}, "cannot be read"),
    ],
)
def test_nothing_to_measure(tmp_path: Path, files: dict[str, str], why: str) -> None:
    write(tmp_path, files)
    with pytest.raises(InputError) as error:
        measure(tmp_path)
    assert why in error.value.why
    assert error.value.hint


def test_a_file_is_no_codebase(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": ""})
    for path in (tmp_path / "a.py", tmp_path / "gone"):
        with pytest.raises(InputError):
            measure(path)


def test_nothing_is_executed(tmp_path: Path) -> None:
    ran = tmp_path / "RAN"
    write(tmp_path / "code", {"a.py": f"open({str(ran)!r}, 'w')\n", "conftest.py": "1 / 0\n"})
    measure(tmp_path / "code", tests=True)
    assert not ran.exists()
