"""Where skills come from, in every state that a repository can be in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from asf_core.registry import provenance as module
from asf_core.registry.remote import remote_url, without_credentials


def seeds(read_all, repo, path="skills/seeds"):
    return read_all(repo.path)[path]


def test_a_branch(repo, read_all):
    repo.git("remote", "add", "origin", "https://ann:token@example.invalid/seeds.git")
    skill = seeds(read_all, repo)
    provenance = skill.provenance
    head = repo.git("rev-parse", "HEAD")
    assert provenance.kind == "git"
    assert provenance.repository == os.path.realpath(repo.path)
    assert provenance.remote == "https://example.invalid/seeds.git"
    assert (provenance.head, provenance.branch) == (head, "main")
    assert (provenance.tracked, provenance.dirty, provenance.note) == (True, False, "")
    assert skill.manifest.source.revision == head
    commit = provenance.last_commit
    assert commit is not None
    assert commit.sha == head
    assert commit.author == "Ann Author <ann@example.invalid>"
    assert commit.when == "2026-01-02T03:04:05+00:00"
    assert commit.subject == "first"


def test_a_detached_head_is_named_by_its_commit(repo, read_all):
    repo.git("tag", "v1")
    repo.git("checkout", "-q", "v1")
    provenance = seeds(read_all, repo).provenance
    head = repo.git("rev-parse", "HEAD")
    assert (provenance.head, provenance.branch) == (head, None)
    assert provenance.note == f"detached at {head[:12]}"
    assert provenance.dirty is False


def test_before_the_first_commit(registry, read_all, text):
    registry.git("init", "-q", "-b", "trunk")
    registry.write("skills/seeds/SKILL.md", text("seeds"))
    skill = seeds(read_all, registry)
    provenance = skill.provenance
    assert (provenance.head, provenance.branch, provenance.tracked) == (None, None, False)
    assert provenance.dirty is True
    assert provenance.last_commit is None
    assert provenance.note == "no commit yet on trunk"
    assert skill.digest is not None
    registry.git("add", "-A")
    assert seeds(read_all, registry).provenance.tracked is True


def test_a_shallow_clone_does_not_guess(repo, tmp_path, read_all, text):
    repo.write("skills/late/SKILL.md", text("late"))
    repo.commit("second")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(clone))
    skills = read_all(clone)
    note = skills["skills/seeds"].provenance.note
    assert skills["skills/seeds"].provenance.last_commit is None
    assert "shallow clone" in note
    assert "before the history" in note
    assert skills["skills/seeds"].provenance.dirty is False


def test_a_commit_above_the_shallow_end_is_known(repo, tmp_path, read_all, text):
    repo.write("skills/late/SKILL.md", text("late"))
    repo.commit("second")
    head = repo.commit("third")
    repo.write("skills/late/a.md", "x")
    last = repo.commit("fourth")
    assert head != last
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.path}", str(clone))
    commit = read_all(clone)["skills/late"].provenance.last_commit
    assert commit is not None
    assert commit.subject == "fourth"


def test_a_bare_repository_is_a_finding(repo, tmp_path, open_source):
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    discovery = open_source(bare).discover()
    assert discovery.skills == ()
    assert [finding.rule for finding in discovery.findings] == ["registry/bare"]


def test_files_that_dress_up_as_a_bare_repository_are_read_as_files(repo, read_all, text):
    # With HEAD, objects and refs a directory is a repository to git, config and all.
    repo.write("skills/odd/HEAD", "ref: refs/heads/main\n")
    repo.write("skills/odd/objects/x", "x")
    repo.write("skills/odd/refs/x", "x")
    repo.write("skills/odd/config", "[core]\n\tfsmonitor = touch RAN\n")
    repo.write("skills/odd/SKILL.md", text("odd"))
    repo.commit("odd")
    assert read_all(repo.path)["skills/odd"].provenance.dirty is False
    skill = read_all(repo.path / "skills/odd")["."]
    assert skill.provenance.kind == "directory"
    assert "bare" in skill.provenance.note


def test_a_linked_work_tree(repo, tmp_path, read_all):
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    provenance = read_all(tmp_path / "side")["skills/seeds"].provenance
    assert (provenance.branch, provenance.dirty) == ("side", False)
    assert provenance.repository == os.path.realpath(tmp_path / "side")


def test_a_submodule_is_a_repository_of_its_own(repo, tmp_path, read_all, text):
    outer = type(repo)(tmp_path / "outer")
    outer.path.mkdir()
    outer.git("init", "-q", "-b", "outer")
    outer.write("own/SKILL.md", text("own"))
    outer.git("submodule", "add", "-q", str(repo.path), "vendor/seeds")
    outer.commit("with submodule")
    skills = read_all(outer.path)
    inner = skills["vendor/seeds/skills/seeds"].provenance
    assert inner.repository == os.path.realpath(outer.path / "vendor/seeds")
    assert inner.head == repo.git("rev-parse", "HEAD")
    assert inner.dirty is False
    assert skills["own"].provenance.branch == "outer"
    assert skills["own"].provenance.dirty is False


def test_a_directory_of_clones(repo, tmp_path, read_all, text):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    repo.git("clone", "-q", str(repo.path), str(shelf / "one"))
    plain = type(repo)(shelf)
    plain.write("two/SKILL.md", text("two"))
    skills = read_all(shelf)
    assert skills["one/skills/seeds"].provenance.kind == "git"
    assert skills["two"].provenance.kind == "directory"
    assert skills["two"].provenance.dirty is None
    assert skills["two"].manifest.source.revision is None


def test_outside_git(registry, read_all, text):
    registry.write("skills/seeds/SKILL.md", text("seeds"))
    provenance = seeds(read_all, registry).provenance
    assert provenance.kind == "directory"
    assert (provenance.head, provenance.tracked, provenance.dirty) == (None, None, None)
    assert "no history" in provenance.note


def test_without_git_installed(repo, monkeypatch, read_all):
    monkeypatch.setenv("PATH", str(repo.path / "nothing"))
    skill = seeds(read_all, repo)
    assert skill.provenance.kind == "directory"
    assert "git is not installed" in skill.provenance.note
    assert skill.digest is not None


def test_a_git_beside_the_registry_is_not_taken(repo, monkeypatch, read_all):
    repo.write("git", "#!/bin/sh\ntouch RAN\n", executable=True)
    monkeypatch.chdir(repo.path)
    monkeypatch.setenv("PATH", ".")
    assert "git is not installed" in seeds(read_all, repo).provenance.note
    assert not (repo.path / "RAN").exists()


def test_a_registry_of_another_owner_names_cause_and_command(repo, monkeypatch, read_all):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    skill = seeds(read_all, repo)
    assert skill.provenance.kind == "git"
    assert skill.provenance.head is None
    assert "another user owns" in skill.provenance.note
    expected = f"git config --global --add safe.directory '{os.path.realpath(repo.path)}'"
    assert expected in skill.provenance.note
    assert skill.digest is not None
    assert skill.manifest.source.revision is None


@pytest.mark.parametrize("entry", ["{path}", "*"])
def test_the_users_own_trust_counts(entry, repo, monkeypatch, read_all, tmp_path):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    config = tmp_path / "home" / ".gitconfig"
    trusted = entry.format(path=os.path.realpath(repo.path))
    config.write_text(f'[safe]\n\tdirectory = "{trusted}"\n[core]\n\tfsmonitor = touch RAN\n')
    provenance = seeds(read_all, repo).provenance
    assert provenance.head is not None
    assert provenance.dirty is False


def test_a_repository_cannot_trust_itself(repo, monkeypatch, read_all):
    repo.git("config", "safe.directory", "*")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert seeds(read_all, repo).provenance.head is None


def test_the_last_commit_of_each_skill_in_one_pass(repo, monkeypatch, open_source, text):
    shas = {"skills/seeds": repo.git("rev-parse", "HEAD")}
    for number in range(5):
        repo.write(f"skills/s{number}/SKILL.md", text(f"s{number}"))
        shas[f"skills/s{number}"] = repo.commit(f"add {number}")
    repo.write("skills/s1/references/deep/a.md", "x")
    shas["skills/s1"] = repo.commit("touch 1")
    repo.write("README.md", "x")
    repo.commit("elsewhere")
    passes = []
    real = module.last_commits
    monkeypatch.setattr(module, "last_commits", lambda *a: passes.append(a) or real(*a))
    source = open_source(repo.path)
    skills = {found.path: source.read(found) for found in source.discover().skills}
    assert {path: skill.provenance.last_commit.sha for path, skill in skills.items()} == shas
    assert len(passes) == 1


def test_a_skill_read_before_the_walk_has_its_commit_too(repo, open_source):
    from asf_core.registry.discover import FoundSkill

    skill = open_source(repo.path).read(FoundSkill("skills/seeds"))
    assert skill.provenance.last_commit is not None


def test_odd_subjects_authors_and_names(repo, read_all, text):
    repo.write("skills/日本 x/SKILL.md", text("x"))
    repo.commit("emoji 🌱 \x1b[31m \x01 end", GIT_AUTHOR_NAME="Zoë <b>")
    repo.write("skills/quiet/SKILL.md", text("quiet"))
    repo.git("add", "-A")
    repo.git("commit", "-q", "--allow-empty-message", "-m", "")
    skills = read_all(repo.path)
    odd = skills["skills/日本 x"].provenance.last_commit
    assert odd is not None
    assert odd.subject.startswith("emoji 🌱")
    assert "Zoë" in odd.author
    quiet = skills["skills/quiet"].provenance.last_commit
    assert quiet is not None
    assert quiet.subject == ""
    assert skills["skills/seeds"].provenance.last_commit.subject == "first"


def test_a_merge_counts_for_what_it_changes_itself(repo, read_all, text):
    repo.git("checkout", "-q", "-b", "side")
    repo.write("skills/side/SKILL.md", text("side"))
    side = repo.commit("on the side")
    repo.git("checkout", "-q", "main")
    repo.write("README.md", "x")
    repo.commit("on main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    commit = read_all(repo.path)["skills/side"].provenance.last_commit
    assert commit is not None
    assert commit.sha == side


def test_a_skill_that_was_never_committed_has_no_commit(repo, read_all, text):
    repo.write("skills/new/SKILL.md", text("new"))
    provenance = read_all(repo.path)["skills/new"].provenance
    assert (provenance.tracked, provenance.dirty) == (False, True)
    assert provenance.last_commit is None
    assert "not committed" in provenance.note


def test_history_is_searched_up_to_a_limit(repo, monkeypatch, read_all):
    for number in range(4):
        repo.write("README.md", str(number))
        repo.commit(f"c{number}")
    monkeypatch.setattr(module, "MAX_COMMITS", 2)
    provenance = seeds(read_all, repo).provenance
    assert provenance.last_commit is None
    assert "among the last 2" in provenance.note


def test_a_registry_below_the_top_of_the_work_tree(repo, read_all):
    provenance = read_all(repo.path / "skills")["seeds"].provenance
    assert provenance.repository == os.path.realpath(repo.path)
    assert provenance.dirty is False
    assert provenance.last_commit is not None


def test_a_registry_reached_by_a_link(repo, tmp_path, read_all):
    (tmp_path / "alias").symlink_to(repo.path)
    assert read_all(tmp_path / "alias")["skills/seeds"].provenance.dirty is False


def test_sha256_repositories(registry, read_all, text):
    registry.git("init", "-q", "--object-format=sha256", "-b", "main")
    registry.write("skills/seeds/SKILL.md", text("seeds"))
    head = registry.commit("first")
    provenance = seeds(read_all, registry).provenance
    assert len(head) == 64
    assert (provenance.head, provenance.dirty) == (head, False)


def test_replaced_objects_are_not_believed(repo, read_all):
    blob = repo.git("rev-parse", "HEAD:skills/seeds/SKILL.md")
    other = repo.path / "other"
    other.write_text("---\nname: seeds\ndescription: replaced\n---\nBody\n")
    repo.git("replace", blob, repo.git("hash-object", "-w", "other"))
    other.unlink()
    assert seeds(read_all, repo).provenance.dirty is False


def test_many_openings_leave_no_files_and_no_processes(repo, open_source):
    def count():
        return len(list(Path("/proc/self/fd").iterdir())), children()

    def children():
        found = subprocess.run(
            ["ps", "--ppid", str(os.getpid()), "-o", "comm="], capture_output=True
        )
        return [line for line in found.stdout.split() if line == b"git"]

    def once():
        source = open_source(repo.path)
        for found in source.discover().skills:
            source.read(found)
        source.close()

    once()
    before = count()
    for _ in range(15):
        once()
    assert count() == before


URLS = {
    "https://host.example/a.git": "https://host.example/a.git",
    "https://user@host.example/a.git": "https://host.example/a.git",
    "https://user:pa%40ss@host.example/a": "https://host.example/a",
    "https://a:b@c@host.example/a": "https://host.example/a",
    "https://host.example/a.git?access_token=1#x": "https://host.example/a.git",
    "ssh://git@host.example:22/a.git": "ssh://git@host.example:22/a.git",
    "ssh://git:secret@host.example/a.git": "ssh://git@host.example/a.git",
    "git@host.example:team/a.git": "git@host.example:team/a.git",
    "user:secret@host.example:a.git": "user@host.example:a.git",
    "/srv/git/a.git": "/srv/git/a.git",
    "file:///srv/git/a.git": "file:///srv/git/a.git",
    "ext::sh -c secret": "ext::(not shown)",
    "": "",
}


@pytest.mark.parametrize(("url", "shown"), URLS.items())
def test_urls_lose_their_credentials(url, shown):
    assert without_credentials(url) == shown


def test_the_upstream_comes_before_origin_before_the_first():
    settings = [("remote.a.url", "u-a"), ("remote.origin.url", "u-o"), ("branch.b.remote", "a")]
    assert remote_url(settings, "b") == "u-a"
    assert remote_url(settings, None) == "u-o"
    assert remote_url(settings[:1], "c") == "u-a"
    assert remote_url([], "b") is None


def test_a_corrupt_repository_is_a_note_and_no_crash(repo, read_all):
    tree = repo.git("rev-parse", "HEAD^{tree}")
    (repo.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    skill = seeds(read_all, repo)
    assert skill.provenance.dirty is None
    assert "cannot be listed" in skill.provenance.note
    assert skill.manifest.source.revision is None


def test_a_path_that_is_not_utf8_is_shown_escaped(registry, tmp_path, read_all, text):
    odd = type(registry)(tmp_path / "caf\udce9")
    odd.path.mkdir()
    odd.git("init", "-q", "-b", "main")
    odd.write("a/SKILL.md", text("a"))
    odd.commit("first")
    skill = read_all(odd.path)["a"]
    assert skill.provenance.repository is not None
    assert skill.provenance.repository.endswith("caf\\xe9")
    assert skill.provenance.dirty is False
    assert skill.model_dump_json()
