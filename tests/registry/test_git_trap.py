"""A repository that names a program in every setting: none of them may ever run."""

from __future__ import annotations

import os
import subprocess

import pytest

from asf_core.registry.git import GitHost
from asf_core.registry.remote import programs
from asf_core.registry.repository import Repository, open_repository

PROGRAMS = {
    "core.fsmonitor": "{run}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{run}",
    "core.editor": "{run}",
    "core.askPass": "{run}",
    "core.sshCommand": "{run}",
    "core.gitProxy": "{run}",
    "core.alternateRefsCommand": "{run}",
    "diff.external": "{run}",
    "diff.trap.command": "{run}",
    "diff.trap.textconv": "{run}",
    "filter.trap.clean": "{run}",
    "filter.trap.smudge": "{run}",
    "filter.trap.process": "{run}",
    "filter.trap.required": "true",
    "merge.trap.driver": "{run}",
    "interactive.diffFilter": "{run}",
    "gpg.program": "{run}",
    "gpg.ssh.program": "{run}",
    "log.showSignature": "true",
    "credential.helper": "!{run}",
    "credential.https://example.invalid.helper": "!{run}",
    "sequence.editor": "{run}",
    "alias.log": "!{run}",
    "alias.ls-tree": "!{run}",
    "alias.rev-parse": "!{run}",
    "pager.log": "{run}",
    "pager.ls-tree": "{run}",
    "remote.origin.url": "ext::{run}",
    "remote.origin.promisor": "true",
    "remote.origin.uploadpack": "{run}",
    "remote.origin.vcs": "trap",
    "extensions.partialClone": "origin",
    "protocol.ext.allow": "always",
    "protocol.allow": "always",
    "submodule.sub.update": "!{run}",
    "submodule.recurse": "true",
    "uploadpack.packObjectsHook": "{run}",
    "trailer.trap.command": "{run}",
    "include.path": "{included}",
}
HOOKS = ["fsmonitor-watchman", "post-index-change", "post-checkout", "reference-transaction"]
HOOKS += ["pre-auto-gc", "post-rewrite", "p4-pre-submit", "pre-commit"]


@pytest.fixture
def trap(repo, tmp_path):
    """A work tree with one skill clean, one dirty, one untracked, and traps everywhere."""
    repo.write("skills/dirty/SKILL.md", "---\nname: dirty\ndescription: x\n---\nBody\n")
    repo.write(".gitattributes", "*.md filter=trap diff=trap merge=trap ident\n*.sh diff=trap\n")
    repo.commit("second")
    repo.write("skills/dirty/SKILL.md", "---\nname: dirty\ndescription: y\n---\nBody\n")
    repo.write("skills/new/SKILL.md", "---\nname: new\ndescription: z\n---\nBody\n")
    marks = tmp_path / "marks"
    marks.mkdir()
    run = tmp_path / "run.sh"
    run.write_text(f'#!/bin/sh\necho "$0 $*" >> "{marks}/ran"\nexit 1\n')
    run.chmod(0o755)
    hooks = tmp_path / "hooks"
    for directory in (hooks, repo.path / ".git" / "hooks"):
        directory.mkdir(exist_ok=True)
        for hook in HOOKS:
            (directory / hook).write_text(run.read_text())
            (directory / hook).chmod(0o755)
    included = tmp_path / "included"
    included.write_text(f"[core]\n\tfsmonitor = {run}\n[diff]\n\texternal = {run}\n")
    # git reads the config before each call, so it is written at once and not by git itself.
    lines = []
    for key, value in PROGRAMS.items():
        section, name = key.split(".", 1)
        middle, dot, last = name.rpartition(".")
        head = f'[{section} "{middle}"]' if dot else f"[{section}]"
        text = value.format(run=run, hooks=hooks, included=included).replace('"', '\\"')
        lines.append(f'{head}\n\t{last} = "{text}"')
    config = repo.path / ".git" / "config"
    config.write_text(config.read_text() + "\n".join(lines) + "\n")
    repo.marks = marks
    repo.run_script = run
    return repo


def ran(trap) -> str:
    log = trap.marks / "ran"
    return log.read_text() if log.exists() else ""


def test_the_traps_are_armed(trap):
    """Plain git falls for them, or the test below would prove nothing."""
    subprocess.run(["git", "status"], cwd=trap.path, capture_output=True)
    assert ran(trap)


def test_opening_discovering_reading_and_fingerprinting_run_nothing(trap, open_source):
    source = open_source(trap.path)
    skills = source.discover().skills
    assert [skill.path for skill in skills] == ["skills/dirty", "skills/new", "skills/seeds"]
    for skill in skills:
        source.fingerprint(skill)
        read = source.read(skill)
        assert read.digest is not None
        assert read.provenance.head is not None
        source.tree(skill)
    assert source.read(skills[2]).provenance.last_commit is not None
    source.close()
    assert list(trap.marks.iterdir()) == []


def test_every_call_of_a_repository_runs_nothing(trap):
    with GitHost() as host:
        repository = open_repository(host, os.path.realpath(trap.path))
        assert isinstance(repository, Repository)
        rows = repository.rows
        # Also a blob that is not here: a partial clone would fetch it from the remote.
        assert len(repository.blobs([*(row.oid for row in rows), "1" * 40])) == len(
            {row.oid for row in rows}
        )
        assert repository.converted(["skills/dirty/SKILL.md"]) == {"skills/dirty/SKILL.md"}
        assert repository.ignored(["a.tmp"]) == frozenset()
    assert ran(trap) == ""


def test_settings_that_name_programs_are_findings(trap, open_source):
    findings = open_source(trap.path).discover().findings
    named = {finding.message.split(" in ")[1].split(";")[0] for finding in findings}
    assert {"core.fsmonitor", "diff.external", "filter.trap.clean", "alias.log"} <= named
    assert {"include.path", "gpg.program", "credential.helper"} <= named
    assert {finding.rule for finding in findings} == {"registry/git-config"}
    assert {finding.path for finding in findings} == {".git/config"}


def test_ordinary_settings_are_no_findings():
    ordinary = [
        ("core.filemode", "true"),
        ("core.fsmonitor", "true"),
        ("core.fsmonitor", "false"),
        ("remote.origin.url", "https://example.invalid/a.git"),
        ("filter.lfs.clean", "git-lfs clean -- %f"),
        ("alias.st", "status"),
        ("submodule.x.update", "none"),
        ("pager.log", "false"),
    ]
    assert programs(ordinary) == []


def test_variables_of_the_caller_do_not_reach_git(repo, tmp_path, monkeypatch, read_all):
    other = tmp_path / "other"
    other.mkdir()
    mark = tmp_path / "mark"
    for name, value in {
        "GIT_DIR": str(other),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / "index"),
        "GIT_OBJECT_DIRECTORY": str(other),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": f"touch {mark}",
        "GIT_EXTERNAL_DIFF": f"touch {mark}",
        "GIT_TRACE": str(mark),
        "GIT_PAGER": f"touch {mark}",
        "GIT_ALLOW_PROTOCOL": "ext:file",
        "GIT_NAMESPACE": "x",
    }.items():
        monkeypatch.setenv(name, value)
    skill = read_all(repo.path)["skills/seeds"]
    assert skill.provenance.tracked is True
    assert skill.provenance.dirty is False
    assert not mark.exists()


def test_nothing_in_the_repository_is_written(repo, open_source):
    def picture():
        return {
            path: (path.stat().st_mtime_ns, path.stat().st_size)
            for path in sorted(repo.path.rglob("*"))
        }

    # An index whose times are stale is what git would like to refresh.
    os.utime(repo.path / "skills/seeds/SKILL.md", (1, 1))
    before = picture()
    source = open_source(repo.path)
    for skill in source.discover().skills:
        source.fingerprint(skill)
        source.read(skill)
    assert picture() == before


def test_a_gitdir_file_may_point_elsewhere_without_harm(registry, tmp_path, read_all):
    registry.write("skills/a/SKILL.md", "---\nname: a\ndescription: x\n---\nBody\n")
    registry.write(".git", f"gitdir: {tmp_path}/nowhere\n")
    provenance = read_all(registry.path)["skills/a"].provenance
    assert provenance.kind == "git"
    assert provenance.head is None
    assert "cannot read this repository" in provenance.note


def test_a_work_tree_that_is_configured_elsewhere_is_not_believed(repo, tmp_path, read_all):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    repo.git("config", "core.worktree", str(elsewhere))
    provenance = read_all(repo.path)["skills/seeds"].provenance
    assert provenance.head is None
    assert "another directory" in provenance.note
