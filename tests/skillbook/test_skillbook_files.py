"""The file on disk: two writers, interrupted saves, links, permissions."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from book_helpers import TRACE, Clock, add

from asf_core.domain.errors import BusyError, SkillbookFormatError, StoreError
from asf_core.skillbook import files
from asf_core.skillbook.files import ABSENT, SkillbookFile


@pytest.fixture
def file(tmp_path: Path) -> SkillbookFile:
    return SkillbookFile(tmp_path / "skillbook.json", Clock())


def test_a_file_that_is_not_there_is_an_empty_skillbook(file: SkillbookFile) -> None:
    book, version = file.read()
    assert (book.skills(), version) == ((), ABSENT)


def test_saved_and_read_again_it_is_the_same(file: SkillbookFile) -> None:
    book, version = file.read()
    add(book, "a b")
    saved = file.save(book, version)
    assert file.read() == (book, saved)


def test_who_read_before_another_saved_is_refused(file: SkillbookFile) -> None:
    mine, my_version = file.read()
    theirs, their_version = file.read()
    add(theirs, "theirs first")
    file.save(theirs, their_version)
    add(mine, "mine second")
    with pytest.raises(BusyError, match="changed meanwhile"):
        file.save(mine, my_version)
    assert [s.issue for s in file.read()[0].skills()] == ["theirs first"]


def test_a_file_that_went_away_meanwhile_is_not_made_again(file: SkillbookFile) -> None:
    book, version = file.read()
    add(book, "a b")
    version = file.save(book, version)
    file.path.unlink()
    with pytest.raises(BusyError, match="changed meanwhile"):
        file.save(book, version)


def test_writers_side_by_side_lose_nothing(file: SkillbookFile) -> None:
    def write(name: str) -> None:
        for number in range(8):
            with file.changing() as book:
                add(book, f"{name} {number}")

    threads = [threading.Thread(target=write, args=(name,)) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    issues = {skill.issue for skill in file.read()[0].skills()}
    assert issues == {f"{name} {number}" for name in ("one", "two", "three") for number in range(8)}


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from book_helpers import add
from asf_core.skillbook.files import SkillbookFile
sys.stdin.readline()  # both begin at once
for number in range(12):
    with SkillbookFile(Path(sys.argv[1])).changing() as book:
        add(book, f"{sys.argv[3]} {number}")
"""


def test_two_processes_lose_nothing(file: SkillbookFile) -> None:
    here = str(Path(__file__).parent)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file.path), here, name], stdin=subprocess.PIPE
        )
        for name in ("one", "two")
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"go\n")
        writer.stdin.close()
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    skills = file.read()[0].skills()
    assert [skill.id for skill in skills] == [f"context-{n:05d}" for n in range(1, 25)]
    assert {skill.issue for skill in skills} == {
        f"{name} {number}" for name in ("one", "two") for number in range(12)
    }


def test_a_block_that_raises_saves_nothing(file: SkillbookFile) -> None:
    def change() -> None:
        with file.changing() as book:
            add(book, "a b")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        change()
    assert not file.path.exists()


def test_another_holder_is_named_and_waited_for(file: SkillbookFile) -> None:
    with file.changing(), pytest.raises(BusyError, match=r"Skillbook .* is in use"):
        file.save(file.read()[0], ABSENT, wait=0)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interrupted_save_leaves_the_old_file(
    file: SkillbookFile, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    with file.changing() as book:
        add(book, "old one")
    before = file.path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def change() -> None:
        with file.changing() as book:
            add(book, "new one")
            if step == "fsync":
                monkeypatch.setattr(os, "fsync", fail)
            else:
                monkeypatch.setattr(Path, "replace", fail)

    with pytest.raises(StoreError, match="old file is whole"):
        change()
    monkeypatch.undo()
    assert file.path.read_bytes() == before
    assert [p.name for p in file.path.parent.iterdir() if "skillbook.json." in p.name] == [
        ".skillbook.json.lock"
    ]


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from book_helpers import add
from asf_core.skillbook.files import SkillbookFile
Path.replace = lambda *_: os._exit(9)  # the power goes between writing and renaming
with SkillbookFile(Path(sys.argv[1])).changing() as book:
    add(book, "new one")
"""


def test_a_full_disk_is_said_before_anything_is_read(
    file: SkillbookFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError, match=r"cannot be locked.*No space left"), file.changing():
        pass
    monkeypatch.undo()
    with file.changing(wait=0) as book:  # the lock was let go
        add(book, "a b")


def test_a_writer_that_dies_leaves_the_old_file_and_no_lock(file: SkillbookFile) -> None:
    with file.changing() as book:
        add(book, "old one")
    before = file.path.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(file.path), str(Path(__file__).parent)], timeout=60
    )
    assert done.returncode == 9
    assert file.path.read_bytes() == before
    with file.changing(wait=0) as book:
        book.tag_skill("context-1", 1, TRACE)
    assert file.read()[0].read_skill("context-1").used_count == 1


def test_a_save_that_changes_nothing_does_not_touch_the_file(file: SkillbookFile) -> None:
    with file.changing() as book:
        add(book, "a b")
    os.utime(file.path, (1, 1))
    with file.changing():
        pass
    assert file.path.stat().st_mtime == 1


def test_a_link_keeps_pointing_to_the_file(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    with SkillbookFile(real, Clock()).changing() as book:
        add(book, "a b")
    link = tmp_path / "link.json"
    link.symlink_to(real)
    with SkillbookFile(link, Clock()).changing() as book:
        add(book, "c d")
    assert link.is_symlink()
    assert len(SkillbookFile(real).read()[0].skills()) == 2


def test_a_directory_in_its_place_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        SkillbookFile(tmp_path).read()


def test_an_oversized_file_is_not_read(
    file: SkillbookFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asf_core.skillbook import format as skillbook_format

    file.path.write_bytes(b" " * 100)
    monkeypatch.setattr(files, "LARGEST", 50)
    monkeypatch.setattr(skillbook_format, "LARGEST", 50)
    with pytest.raises(SkillbookFormatError, match="v2 required"):
        file.read()
