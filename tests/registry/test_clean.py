"""Clean, dirty, or not to be told: the work tree against HEAD, without git's own status."""

from __future__ import annotations

import os

import pytest

from asf_core.registry import clean


@pytest.fixture
def seeds(repo, read_all):
    """Read the skill of the repository anew."""
    return lambda: read_all(repo.path)["skills/seeds"]


def rows(skill):
    return {entry.path: entry for entry in skill.tree}


def test_a_clean_skill_has_the_files_of_head(repo, seeds):
    skill = seeds()
    assert list(rows(skill)) == ["SKILL.md", "references/months.md", "scripts/sort.sh"]
    assert [entry.executable for entry in skill.tree] == [False, False, True]
    assert skill.provenance.dirty is False


DIRTY = {
    "edited": lambda repo: repo.write("skills/seeds/references/months.md", "march\n"),
    "same size": lambda repo: repo.write(
        "skills/seeds/references/months.md", "january\nfebruarX\n"
    ),
    "added": lambda repo: repo.write("skills/seeds/new.md", "x"),
    "removed": lambda repo: (repo.path / "skills/seeds/references/months.md").unlink(),
    "mode": lambda repo: (repo.path / "skills/seeds/scripts/sort.sh").chmod(0o644),
    "renamed": lambda repo: (repo.path / "skills/seeds/references/months.md").rename(
        repo.path / "skills/seeds/references/year.md"
    ),
    "link instead of file": lambda repo: (
        (repo.path / "skills/seeds/references/months.md").unlink(),
        (repo.path / "skills/seeds/references/months.md").symlink_to("../SKILL.md"),
    ),
    "staged": lambda repo: (repo.write("skills/seeds/new.md", "x"), repo.git("add", "-A")),
    "lone carriage return": lambda repo: repo.write(
        "skills/seeds/references/months.md", "january\rfebruary\n"
    ),
    "some lines only": lambda repo: repo.write(
        "skills/seeds/references/months.md", "january\r\nfebruary\n\r"
    ),
}


@pytest.mark.parametrize("change", DIRTY.values(), ids=DIRTY.keys())
def test_any_change_is_seen(change, repo, seeds):
    before = seeds()
    change(repo)
    skill = seeds()
    assert skill.provenance.dirty is True
    assert skill.manifest.source.revision is None
    assert skill.provenance.head == before.provenance.head
    assert skill.digest not in (None, before.digest)


def test_a_change_that_git_has_not_noticed_is_seen(repo, seeds):
    # Same size and time as in git's index: plain git takes its word for it.
    path = repo.path / "skills/seeds/references/months.md"
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    path.write_bytes(b"january\nfebruarX\n")
    os.utime(path, ns=times)
    repo.git("update-index", "--assume-unchanged", "skills/seeds/references/months.md")
    assert repo.git("status", "--porcelain") == ""
    assert seeds().provenance.dirty is True


def test_a_change_elsewhere_is_no_change_here(repo, seeds):
    repo.write("README.md", "x")
    repo.write("skills/other/SKILL.md", "x")
    assert seeds().provenance.dirty is False


def test_a_windows_checkout_has_the_digest_of_the_blobs(repo, seeds):
    before = seeds()
    for path in ("SKILL.md", "references/months.md"):
        file = repo.path / "skills/seeds" / path
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    skill = seeds()
    assert skill.provenance.dirty is False
    assert skill.digest == before.digest
    assert skill.tree == before.tree
    assert "\r" not in skill.body


def test_line_ends_in_the_blob_are_part_of_it(repo, seeds):
    repo.write("skills/seeds/notes.txt", b"a\r\nb\r\n")
    repo.commit("crlf")
    skill = seeds()
    assert skill.provenance.dirty is False
    assert rows(skill)["notes.txt"].size == 6
    repo.write("skills/seeds/notes.txt", b"a\nb\n")
    assert seeds().provenance.dirty is True


def test_outside_git_twins_that_differ_in_line_ends_are_two(registry, read_all, text):
    registry.write("lf/SKILL.md", text("x"))
    registry.write("crlf/SKILL.md", text("x").replace("\n", "\r\n"))
    skills = read_all(registry.path)
    assert skills["lf"].digest != skills["crlf"].digest
    assert skills["lf"].body == skills["crlf"].body


def test_junk_and_ignored_files_do_not_make_it_dirty(repo, seeds):
    repo.write(".gitignore", "out/\n*.log\n")
    repo.commit("ignore")
    before = seeds()
    repo.write("skills/seeds/out/result.csv", "1")
    repo.write("skills/seeds/run.log", "1")
    repo.write("skills/seeds/__pycache__/a.pyc", "1")
    repo.write("skills/seeds/.env", "SECRET=1")
    skill = seeds()
    assert skill.provenance.dirty is False
    assert skill.digest == before.digest
    left_out = [finding.message for finding in skill.findings if finding.rule == "tree/left-out"]
    assert len(left_out) == 1
    assert all(
        name in left_out[0] for name in (".env", "__pycache__/", "out/result.csv", "run.log")
    )


def test_ignored_files_do_not_belong_to_a_dirty_skill_either(repo, seeds):
    repo.write(".gitignore", "*.log\n")
    repo.write("skills/seeds/run.log", "1")
    repo.write("skills/seeds/new.md", "1")
    skill = seeds()
    assert skill.provenance.dirty is True
    assert "new.md" in rows(skill)
    assert "run.log" not in rows(skill)


def test_a_tracked_file_belongs_although_it_is_ignored(repo, seeds):
    repo.write("skills/seeds/kept.log", "1")
    repo.commit("log")
    repo.write(".gitignore", "*.log\n")
    repo.commit("ignore")
    skill = seeds()
    assert skill.provenance.dirty is False
    assert "kept.log" in rows(skill)


def test_a_skill_that_is_ignored_as_a_whole_is_read_as_a_whole(repo, read_all, text):
    repo.write(".gitignore", "mine/\n")
    repo.write("mine/a/SKILL.md", text("a"))
    repo.write("mine/a/b.md", "x")
    skill = read_all(repo.path)["mine/a"]
    assert list(rows(skill)) == ["SKILL.md", "b.md"]
    assert (skill.provenance.tracked, skill.provenance.dirty) == (False, True)


@pytest.mark.parametrize(
    ("attribute", "encoding"),
    [("filter=lfs", "utf-8"), ("ident", "utf-8"), ("working-tree-encoding=UTF-16", "utf-16")],
)
def test_what_an_attribute_converts_cannot_be_told(attribute, encoding, repo, seeds):
    repo.write(".gitattributes", f"*.dat {attribute}\n")
    repo.git("config", "filter.lfs.clean", "false")
    repo.write("skills/seeds/model.dat", "version pointer\n".encode(encoding))
    repo.git("-c", "filter.lfs.clean=cat", "add", "-A")
    repo.git("-c", "filter.lfs.clean=cat", "commit", "-q", "-m", "data")
    # As long as the bytes are the blob's own, the attribute does not matter.
    assert seeds().provenance.dirty is (False if encoding == "utf-8" else None)
    repo.write("skills/seeds/model.dat", b"the real bytes")
    skill = seeds()
    assert skill.provenance.dirty is None
    assert "cannot be compared" in skill.provenance.note
    assert "model.dat" in skill.provenance.note
    assert skill.manifest.source.revision is None
    assert rows(skill)["model.dat"].size == 14


def test_an_attribute_on_one_file_excuses_no_other(repo, seeds):
    repo.write(".gitattributes", "*.dat filter=x\n")
    repo.write("skills/seeds/model.dat", "pointer\n")
    repo.commit("data")
    repo.write("skills/seeds/model.dat", "bytes")
    repo.write("skills/seeds/references/months.md", "march\n")
    assert seeds().provenance.dirty is True


def test_links_are_compared_by_their_text(repo, seeds):
    link = repo.path / "skills/seeds/latest.md"
    link.symlink_to("references/months.md")
    repo.commit("link")
    skill = seeds()
    assert skill.provenance.dirty is False
    assert rows(skill)["latest.md"].kind == "symlink"
    link.unlink()
    link.symlink_to("SKILL.md")
    assert seeds().provenance.dirty is True


def test_links_that_a_system_writes_as_files_are_links(repo, seeds):
    link = repo.path / "skills/seeds/latest.md"
    link.symlink_to("references/months.md")
    repo.commit("link")
    before = seeds()
    link.unlink()
    link.write_text("references/months.md")
    assert seeds().provenance.dirty is True
    repo.git("config", "core.symlinks", "false")
    skill = seeds()
    assert skill.provenance.dirty is False
    assert skill.digest == before.digest


def test_modes_do_not_count_where_the_file_system_has_none(repo, seeds):
    before = seeds()
    repo.git("config", "core.fileMode", "false")
    (repo.path / "skills/seeds/scripts/sort.sh").chmod(0o644)
    skill = seeds()
    assert skill.provenance.dirty is False
    assert skill.digest == before.digest


def test_a_sparse_checkout_is_filled_from_the_blobs(repo, seeds):
    before = seeds()
    repo.git("sparse-checkout", "set", "--no-cone", "/skills/*/SKILL.md", "/skills/*/scripts/")
    assert not (repo.path / "skills/seeds/references/months.md").exists()
    skill = seeds()
    assert skill.provenance.dirty is False
    assert skill.digest == before.digest


def test_a_sparse_checkout_of_a_partial_clone_is_unknown_and_fetches_nothing(
    repo, tmp_path, read_all
):
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = type(repo)(tmp_path / "clone")
    arguments = ("clone", "-q", "--filter=blob:none", "--sparse", "--no-checkout")
    repo.git(*arguments, f"file://{repo.path}", str(clone.path))
    clone.git("sparse-checkout", "set", "--no-cone", "/skills/*/SKILL.md")
    clone.git("checkout", "-q", "main")
    objects = sorted(path.name for path in (clone.path / ".git/objects").rglob("*"))
    skill = read_all(clone.path)["skills/seeds"]
    assert skill.provenance.dirty is None
    assert "not in the clone" in skill.provenance.note
    assert sorted(path.name for path in (clone.path / ".git/objects").rglob("*")) == objects


def test_a_submodule_inside_a_skill_is_unknown(repo, tmp_path, seeds):
    other = type(repo)(tmp_path / "other")
    other.path.mkdir()
    other.git("init", "-q", "-b", "main")
    other.write("a.md", "x")
    other.commit("a")
    repo.git("submodule", "add", "-q", str(other.path), "skills/seeds/lib")
    repo.commit("submodule")
    skill = seeds()
    assert skill.provenance.dirty is None
    assert "submodule" in skill.provenance.note
    assert "lib/a.md" in rows(skill)


def test_case_and_composition_of_names_are_compared_as_written(repo, seeds):
    repo.write("skills/seeds/Caf\u00e9.md", "x")
    repo.commit("accent")
    assert seeds().provenance.dirty is False
    (repo.path / "skills/seeds/Caf\u00e9.md").rename(repo.path / "skills/seeds/Cafe\u0301.md")
    assert seeds().provenance.dirty is True


def test_nested_skills_are_part_of_the_outer_one(repo, read_all, text):
    repo.write("skills/seeds/inner/SKILL.md", text("inner"))
    repo.commit("inner")
    skills = read_all(repo.path)
    assert "inner/SKILL.md" in rows(skills["skills/seeds"])
    repo.write("skills/seeds/inner/SKILL.md", text("inner", "Changed."))
    skills = read_all(repo.path)
    assert skills["skills/seeds"].provenance.dirty is True
    assert skills["skills/seeds/inner"].provenance.dirty is True


def test_the_rule_for_unknown_is_closed():
    assert clean.Comparison(None, True).files == {}
