"""Skills as a directory: exact bytes, all or nothing, never over somebody's edits."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from asf_core.domain.errors import InputError, RefusedError, StoreError
from asf_core.domain.skill import TreeEntry
from asf_core.export import directory
from asf_core.export.bundle import ExportBundle
from asf_core.export.directory import verify_directory
from asf_core.export.lock import LOCK
from asf_core.registry.tree import read_tree
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.tree import TreeRefusedError
from tests.export.export_values import make

FILES = {
    "SKILL.md": b"---\r\nname: pack\r\n---\r\nrun it\r\n",
    "scripts/run.sh": b"#!/bin/sh\n",
    "references/a.md": "ünïcode \N{SNOWMAN}\n".encode(),
}
BUNDLE = ExportBundle((make("pack", files=FILES), make("Other One", reviewed=False)))


def _all(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(p.relative_to(root)): (p.read_bytes(), p.stat().st_mode & 0o777)
        for p in sorted(root.rglob("*"))
        if p.is_file()
    }


def test_exact_bytes_with_their_digests(tmp_path: Path) -> None:
    target = tmp_path / "new" / "out"
    lock = BUNDLE.to_skill_md_dir(target)
    found = _all(target)
    assert found["pack/SKILL.md"] == (FILES["SKILL.md"], 0o644)
    assert found["pack/scripts/run.sh"] == (FILES["scripts/run.sh"], 0o755)
    assert set(found) == {f"pack/{p}" for p in FILES} | {"other-one/SKILL.md", LOCK}
    for skill in lock.skills:
        tree = read_tree(
            str(target / skill.directory),
            shown_at="x",
            main_file="SKILL.md",
            repository=None,
            directory="",
        )
        assert tree.digest == skill.digest
    pins = {skill.skill_id: skill.pin for skill in lock.skills}
    assert pins["reg/Other One"] is None
    assert pins["reg/pack"] is not None
    assert list(tmp_path.iterdir()) == [tmp_path / "new"]
    assert verify_directory(target) == (lock, ())


def test_equal_exports_are_equal_bytes(tmp_path: Path) -> None:
    """B134: whenever, wherever, in whatever order they were chosen."""
    BUNDLE.to_skill_md_dir(tmp_path / "one")
    ExportBundle(BUNDLE.skills[::-1]).to_skill_md_dir(tmp_path / "two")
    assert _all(tmp_path / "one") == _all(tmp_path / "two")


def _edit(root: Path) -> None:
    (root / "pack" / "SKILL.md").write_text("mine")


def _remove(root: Path) -> None:
    (root / "pack" / "references" / "a.md").unlink()


def _add(root: Path) -> None:
    (root / "pack" / "notes.txt").write_text("mine")


def _add_beside(root: Path) -> None:
    (root / "README.md").write_text("mine")


def _add_what_does_not_belong(root: Path) -> None:
    (root / "pack" / ".env").write_text("KEY=1")


def _mode(root: Path) -> None:
    (root / "pack" / "SKILL.md").chmod(0o755)


def _link(root: Path) -> None:
    (root / "pack" / "SKILL.md").unlink()
    (root / "pack" / "SKILL.md").symlink_to("/etc/hostname")


def _link_directory(root: Path) -> None:
    (root / "pack").rename(root.parent / "moved")
    (root / "pack").symlink_to(root.parent / "moved")


EDITS = {
    _edit: ("pack/SKILL.md", "changed"),
    _remove: ("pack/references/a.md", "missing"),
    _add: ("pack/notes.txt", "added"),
    _add_beside: ("README.md", "added"),
    _add_what_does_not_belong: ("pack/.env", "added"),
    _mode: ("pack/SKILL.md", "changed"),
    _link: ("pack/SKILL.md", "changed"),
    _link_directory: ("pack", "missing"),
}


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edit_is_found_and_not_written_over(
    edit: Callable[[Path], None], tmp_path: Path
) -> None:
    target = tmp_path / "out"
    BUNDLE.to_skill_md_dir(target)
    edit(target)
    _, found = verify_directory(target)
    assert [(d.path, d.what) for d in found] == [EDITS[edit]]
    with pytest.raises(RefusedError, match="edited since"):
        BUNDLE.to_skill_md_dir(target)
    assert [(d.path, d.what) for d in verify_directory(target)[1]] == [EDITS[edit]]
    BUNDLE.to_skill_md_dir(target, overwrite=True)
    assert verify_directory(target)[1] == ()


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "home"
    target.mkdir()
    (target / "thesis.tex").write_text("years")
    with pytest.raises(RefusedError, match="holds other things"):
        BUNDLE.to_skill_md_dir(target, overwrite=True)
    assert [p.name for p in target.iterdir()] == ["thesis.tex"]
    link = tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(RefusedError, match="no directory"):
        BUNDLE.to_skill_md_dir(link, overwrite=True)


@pytest.mark.parametrize(
    "path", ["../out.txt", "/etc/x", "a/../../b", "C:\\x", "a\\b", "", "a//b", "x\x00y"]
)
def test_no_path_leads_out(path: str, tmp_path: Path) -> None:
    entry = TreeEntry(path=path, kind="file", executable=False, size=1, sha256=sha256_hex(b"x"))
    skill = replace(make("evil"), tree=(entry,), contents={path: b"x"}, digest=None)
    with pytest.raises(TreeRefusedError):
        ExportBundle((skill,)).to_skill_md_dir(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_bytes_that_are_not_those_of_the_digest_are_refused(tmp_path: Path) -> None:
    skill = replace(make("pack"), contents={"SKILL.md": b"other"})
    with pytest.raises(RefusedError, match="not exported"):
        ExportBundle((skill,)).to_skill_md_dir(tmp_path / "out")
    skill = replace(make("pack"), digest="0" * 64)
    with pytest.raises(RefusedError, match="not exported"):
        ExportBundle((skill,)).to_skill_md_dir(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    BUNDLE.to_skill_md_dir(target)
    before = _all(target)

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(directory, "_write_tree", full)
    with pytest.raises(StoreError, match="cannot be written"):
        ExportBundle((make("another"),)).to_skill_md_dir(target)
    assert _all(target) == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "document",
    ["", "[]", "{", json.dumps({"schema": "asf.export/2", "skills": []}),
     json.dumps({"schema": "asf.export/1", "skills": [{"directory": "../x"}]}), "[" * 100_000],
)  # fmt: skip
def test_a_lock_that_is_none(document: str, tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text(document)
    with pytest.raises(InputError, match="no lock"):
        verify_directory(tmp_path)


def test_a_directory_without_a_lock(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not exported by this program"):
        verify_directory(tmp_path)
