"""The files of a skill on disk: what belongs, what is refused, what is never read."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from asf_core.domain.skill import SkillState
from asf_core.registry import disk
from asf_core.registry.belongs import belongs
from asf_core.registry.disk import read_file
from asf_core.trust.canonical import sha256_hex


@pytest.fixture
def skill(registry, text):
    registry.write("s/SKILL.md", text("s"))
    registry.write("s/references/body.md", "text")
    return registry


@pytest.fixture
def read(skill, read_all):
    return lambda: read_all(skill.path)["s"]


def paths(skill):
    return [entry.path for entry in skill.tree]


def rules(skill):
    return [finding.rule for finding in skill.findings]


BELONGS = [
    "SKILL.md",
    "scripts/run.py",
    ".hidden/x",
    ".gitignore",
    ".github/a",
    ".env.example",
    ".env.production.sample",
    "environment.md",
    "cache/x",
    ".cachet",
    "a.pycx",
    "pyc",
    ".vscode/a",
    "_cache",
    ".env.template",
    "dist/a",
    "vendor/x",
]
LEFT_OUT = [
    ".git/config",
    "sub/.git/config",
    ".git",
    ".hg/x",
    ".svn/x",
    ".env",
    ".env.local",
    ".env.production",
    "sub/.env",
    ".envrc",
    ".DS_Store",
    "sub/.DS_Store",
    "Thumbs.db",
    "__pycache__/x.pyc",
    "a.pyc",
    "sub/a.pyo",
    ".ruff_cache/x",
    ".pytest_cache/y",
    ".mypy_cache/a/b",
    "node_modules/p/index.js",
    ".venv/bin/x",
    ".tox/a",
    "._SKILL.md",
    "__MACOSX/a",
]


@pytest.mark.parametrize("path", BELONGS)
def test_what_belongs(path):
    assert belongs(path)


@pytest.mark.parametrize("path", LEFT_OUT)
def test_what_does_not_belong(path):
    assert not belongs(path)


def test_a_bundle_carries_no_secrets_and_no_caches(skill, read, open_source):
    for path in ["a.md", *LEFT_OUT]:
        if path != ".git":
            skill.write(f"s/{path}", "x")
    result = read()
    assert paths(result) == ["SKILL.md", "a.md", "references/body.md"]
    assert rules(result) == ["tree/left-out"]
    assert ".env" in result.findings[0].message
    source = open_source(skill.path)
    tree = source.tree(source.discover().skills[0])
    assert ".env" in tree.left_out
    assert list(tree.contents) == paths(result)


def test_contents_are_the_bytes_of_the_digest(skill, open_source):
    source = open_source(skill.path)
    tree = source.tree(source.discover().skills[0])
    assert [sha256_hex(tree.contents[entry.path]) for entry in tree.entries] == [
        entry.sha256 for entry in tree.entries
    ]


def link(skill, path, target):
    place = skill.path / "s" / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


OUTWARD = {
    "file": "../../../outside/private.txt",
    "directory": "../../../outside",
    "absolute": "/etc/hostname",
    "absolute inside": None,
    "sibling skill": "../../other/SKILL.md",
    "by way of another link": "../loop/../../../outside/private.txt",
}


@pytest.mark.parametrize("target", OUTWARD.values(), ids=OUTWARD.keys())
def test_links_that_leave_refuse_the_tree_and_are_never_read(target, skill, read, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "private.txt").write_text("MARK-OUTSIDE")
    skill.write("other/SKILL.md", "MARK-OUTSIDE")
    link(skill, "references/out.md", target or skill.path / "s" / "SKILL.md")
    result = read()
    assert result.digest is None
    assert rules(result) == ["tree/link-leaves"]
    assert result.findings[0].path == "s/references/out.md"
    assert "MARK-OUTSIDE" not in result.model_dump_json()
    assert result.state is SkillState.READY


def test_a_link_through_a_linked_directory_cannot_climb_out(skill, read, tmp_path):
    # By its text it stays inside; through the linked directory it does not.
    (tmp_path / "outside").mkdir()
    link(skill, "a/b/deep", "../..")
    link(skill, "out", "a/b/deep/../../x")
    link(skill, "jump", "a/b/deep/..")
    result = read()
    assert result.digest is None
    assert "tree/link-leaves" in rules(result)


def test_links_that_stay_inside_are_entries(skill, read):
    link(skill, "latest.md", "references/body.md")
    link(skill, "docs", "references")
    link(skill, "references/up.md", "../SKILL.md")
    result = read()
    assert result.digest is not None
    kinds = {entry.path: (entry.kind, entry.size) for entry in result.tree}
    assert kinds["latest.md"] == ("symlink", len("references/body.md"))
    assert kinds["docs"] == ("symlink", len("references"))
    assert "docs/body.md" not in kinds
    assert result.findings == ()


def test_the_target_of_a_link_is_part_of_the_digest(skill, read):
    link(skill, "latest.md", "references/body.md")
    before = read().digest
    (skill.path / "s/latest.md").unlink()
    link(skill, "latest.md", "./references/body.md")
    assert read().digest not in (None, before)


def test_a_link_to_nothing_is_noted(skill, read):
    link(skill, "gone.md", "references/gone.md")
    link(skill, "self.md", "self.md")
    result = read()
    assert result.digest is not None
    assert rules(result) == ["tree/link-dangles", "tree/link-dangles"]


def test_pipes_and_sockets_are_refused_without_waiting(skill, read):
    os.mkfifo(skill.path / "s" / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(skill.path / "s")
        server.bind("sock")
        result = read()
    assert result.digest is None
    assert rules(result) == ["tree/special-file", "tree/special-file"]
    assert "named pipe" in result.findings[0].message


@pytest.fixture(autouse=True)
def same_directory():
    """A socket's path is short, so one test changes the directory."""
    here = Path.cwd()
    yield
    os.chdir(here)


def test_names_that_collide_or_act_are_refused(skill, read):
    skill.write("s/Read.md", "a")
    skill.write("s/read.md", "b")
    skill.write("s/na\x1b[31mme.md", "c")
    skill.write("s/caf\udce9.md", "d")
    result = read()
    assert result.digest is None
    assert set(rules(result)) == {"tree/name"}
    assert result.model_dump_json()


def test_files_over_a_cap_are_refused(skill, read, monkeypatch):
    from asf_core.registry import tree

    monkeypatch.setattr(tree, "MAX_FILE_BYTES", 1_000)
    skill.write("s/big.bin", b"x" * 1_001)
    result = read()
    assert result.digest is None
    assert rules(result) == ["tree/cap"]
    assert result.findings[0].path == "s/big.bin"


def test_too_many_or_too_deep_files_are_one_finding(skill, read, monkeypatch):
    monkeypatch.setattr(disk, "MAX_FILES", 4)
    for number in range(9):
        skill.write(f"s/f{number}", "x")
    result = read()
    assert result.digest is None
    assert rules(result) == ["tree/cap"]
    monkeypatch.setattr(disk, "MAX_FILES", 5_000)
    monkeypatch.setattr(disk, "MAX_DEPTH", 2)
    skill.write("s/a/b/c/d/e", "x")
    assert rules(read()) == ["tree/cap"]


def test_files_that_cannot_be_read_refuse_the_tree(skill, read, monkeypatch):
    from asf_core.registry import tree

    def refuse(full, limit):
        if full.endswith("body.md"):
            raise PermissionError(13, "Permission denied", full)
        return read_file(full, limit)

    monkeypatch.setattr(tree, "read_file", refuse)
    result = read()
    assert result.digest is None
    assert rules(result) == ["tree/unreadable"]
    assert "Permission denied" in result.findings[0].message


def test_a_file_that_becomes_a_link_or_a_pipe_is_not_followed(tmp_path):
    (tmp_path / "secret").write_text("MARK-OUTSIDE")
    (tmp_path / "link").symlink_to("secret")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(OSError, match=r"symbolic|regular"):
            read_file(str(tmp_path / name), 100)
    assert read_file(str(tmp_path / "secret"), 4) == b"MARK"


def test_the_order_in_which_files_were_made_does_not_matter(registry, read_all, text):
    for directory, names in (("one", "abc"), ("two", "cba")):
        registry.write(f"{directory}/x/SKILL.md", text("x"))
        for name in names:
            registry.write(f"{directory}/x/{name}", name)
    skills = read_all(registry.path)
    assert skills["one/x"].digest == skills["two/x"].digest


def test_mode_and_content_change_the_digest(skill, read):
    digests = {read().digest}
    (skill.path / "s/references/body.md").chmod(0o755)
    digests.add(read().digest)
    skill.write("s/references/body.md", "Text")
    digests.add(read().digest)
    skill.write("s/empty", "")
    digests.add(read().digest)
    assert len(digests) == 4
    (skill.path / "s/references/body.md").chmod(0o700)
    assert read().digest in digests
