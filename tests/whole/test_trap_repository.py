"""A repository in which everything that git could run is a trap: no command of ours springs one.

Each trap writes a file of its own name. That plain git springs them is proved first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.whole.process import Asf

GOOD = "---\nname: {name}\ndescription: Keep {name} in order.\n---\nSort the {name} by date.\n"
HOOKS = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "reference-transaction",
    "sendemail-validate",
]
SETTINGS = {
    "core.fsmonitor": "{trap}",
    "core.pager": "{trap}",
    "core.editor": "{trap}",
    "core.askPass": "{trap}",
    "core.sshCommand": "{trap}",
    "core.gitProxy": "{trap}",
    "core.alternateRefsCommand": "{trap}",
    "diff.external": "{trap}",
    "diff.trap.command": "{trap}",
    "diff.trap.textconv": "{trap}",
    "filter.trap.clean": "{trap}; cat",
    "filter.trap.smudge": "{trap}; cat",
    "filter.trap.process": "{trap}",
    "merge.trap.driver": "{trap}",
    "mergetool.trap.cmd": "{trap}",
    "difftool.trap.cmd": "{trap}",
    "interactive.diffFilter": "{trap}",
    "gpg.program": "{trap}",
    "gpg.ssh.program": "{trap}",
    "log.showSignature": "true",
    "credential.helper": "!{trap}",
    "sequence.editor": "{trap}",
    "alias.st": "!{trap}",
    "alias.ls-files": "!{trap}",
    "alias.rev-parse": "!{trap}",
    "alias.cat-file": "!{trap}",
    "pager.log": "{trap}",
    "pager.ls-files": "{trap}",
    "pager.config": "{trap}",
    "man.trap.cmd": "{trap}",
    "browser.trap.cmd": "{trap}",
    "trailer.trap.command": "{trap}",
    "uploadpack.packObjectsHook": "{trap}",
    "remote.origin.url": "ext::{trap}",
    "remote.origin.promisor": "true",
    "remote.origin.uploadpack": "{trap}",
    "remote.origin.receivepack": "{trap}",
    "extensions.partialClone": "origin",
    "protocol.ext.allow": "always",
    "submodule.inner.update": "!{trap}",
    "submodule.recurse": "true",
    "init.templateDir": "{hooks}",
}


def git(cwd: Path, *arguments: str, check: bool = True) -> None:
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    env |= {
        f"GIT_{who}_{what}": "a@b.invalid"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    subprocess.run(
        ["git", *arguments], cwd=cwd, env=env, capture_output=True, check=check, timeout=60
    )


class Traps:
    """A registry under git, and the directory that sprung traps write to."""

    def __init__(self, base: Path) -> None:
        self.base, self.root, self.marks = base, base / "reg", base / "marks"
        self.marks.mkdir(parents=True)

    def command(self, name: str) -> str:
        """A program that leaves a mark of this name."""
        file = self.base / "traps" / name.replace("/", "-")
        file.parent.mkdir(exist_ok=True)
        file.write_text(f'#!/bin/sh\n: > "{self.marks}/{name.replace("/", "-")}"\n')
        file.chmod(0o755)
        return str(file)

    def sprung(self) -> list[str]:
        return sorted(path.name for path in self.marks.iterdir())

    def arm(self, repository: Path, config: str, label: str) -> None:
        """Fill a repository's config and hooks with traps."""
        hooks = (
            repository / ".git" / "hooks"
            if (repository / ".git").is_dir()
            else self.base / f"hooks-{label}"
        )
        hooks.mkdir(parents=True, exist_ok=True)
        for hook in HOOKS:
            shutil.copy(self.command(f"{label}-hook-{hook}"), hooks / hook)
        lines = [
            f'[include]\n\tpath = "{self.included(label)}"',
            f'[includeIf "gitdir:/"]\n\tpath = "{self.included(label)}"',
        ]
        for key, value in SETTINGS.items():
            section, _, rest = key.partition(".")
            middle, _, last = rest.rpartition(".")
            head = f'[{section} "{middle}"]' if middle else f"[{section}]"
            text = value.format(trap=self.command(f"{label}-{key}"), hooks=hooks)
            lines.append(f'{head}\n\t{last} = "{text}"')
        with Path(config).open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def included(self, label: str) -> Path:
        file = self.base / f"included-{label}"
        file.write_text(f'[core]\n\tfsmonitor = "{self.command(f"{label}-included")}"\n')
        return file


@pytest.fixture(scope="module")
def traps(tmp_path_factory) -> Traps:
    """Skills that are clean, changed and new; a nested repository, a submodule, a linked work tree."""
    made = Traps(tmp_path_factory.mktemp("traps"))
    root = made.root
    for name in ("seeds", "notes", "rooms"):
        (root / "skills" / name).mkdir(parents=True)
        (root / "skills" / name / "SKILL.md").write_text(GOOD.format(name=name))
    (root / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n")
    (root / ".gitmodules").write_text(
        f'[submodule "inner"]\n\tpath = inner\n\turl = ext::{made.command("gitmodules-url")}\n\tupdate = !{made.command("gitmodules-update")}\n'
    )
    git(root, "init", "-q")
    git(root, "add", "skills")
    git(root, "commit", "-qm", "one")
    for nested in ("nested", "inner"):
        place = root / nested
        (place / "skills/maps").mkdir(parents=True)
        (place / "skills/maps/SKILL.md").write_text(GOOD.format(name="maps"))
        git(place, "init", "-q")
        git(place, "add", ".")
        git(place, "commit", "-qm", "one")
        made.arm(place, str(place / ".git/config"), nested)
    git(root, "config", "extensions.worktreeConfig", "true")
    made.arm(root, str(root / ".git/config"), "root")
    made.arm(root, str(root / ".git/config.worktree"), "worktree")
    (root / "skills/notes/SKILL.md").write_text(GOOD.format(name="notes") + "Changed.\n")
    (root / "skills/pears").mkdir()
    (root / "skills/pears/SKILL.md").write_text(GOOD.format(name="pears"))
    (root / "skills/pears/.envrc").write_text(made.command("envrc") + "\n")
    (root / "skills/pears/go.sh").write_text("#!/bin/sh\n" + made.command("script") + "\n")
    for path in made.marks.iterdir():
        path.unlink()
    return made


def test_plain_git_springs_the_traps(traps: Traps, tmp_path: Path) -> None:
    """Or the test below would prove nothing."""
    copy = tmp_path / "copy"
    shutil.copytree(traps.base / "reg", copy, symlinks=True)
    for arguments in (
        ["status"],
        ["diff"],
        ["log", "-p", "-1"],
        ["add", "."],
        ["st"],
        ["-p", "log"],
    ):
        git(copy, *arguments, check=False)
    git(copy / "nested", "status", check=False)
    sprung = set(traps.sprung())
    assert {"worktree-core.fsmonitor", "root-alias.st", "nested-core.fsmonitor"} <= sprung
    assert any("filter.trap" in name for name in sprung)
    assert any("-hook-" in name for name in sprung)
    for path in traps.marks.iterdir():
        path.unlink()


COMMANDS = {
    "add": ("registry", "add", "reg"),
    "sync": ("sync",),
    "sync again": ("sync", "--rebuild"),
    "skills": ("skills",),
    "show": ("show", "seeds"),
    "route": ("route", "sort the seeds by date"),
    "lint": ("lint", "reg"),
    "lint one": ("lint", "reg/skills/notes"),
    "scan": ("scan", "reg"),
    "scan one": ("scan", "reg/skills/pears/SKILL.md"),
    "measure": ("measure", "reg"),
    "measure as code": ("measure", "reg", "--as", "codebase"),
}


def test_none_of_our_commands_springs_one(traps: Traps) -> None:
    asf = Asf(traps.base / "workspace", traps.base)
    before = sorted((path, path.lstat().st_mtime_ns) for path in traps.root.rglob("*"))
    for name, arguments in COMMANDS.items():
        done = asf.run(*arguments, code=None)
        assert "Traceback" not in done.stderr, (name, done.stderr)
        assert traps.sprung() == [], name
    rows = {row["slug"] for row in asf.json("skills")}
    assert {"seeds", "notes", "pears", "maps"} <= rows
    assert sorted((path, path.lstat().st_mtime_ns) for path in traps.root.rglob("*")) == before


def test_from_inside_the_repository_too(traps: Traps) -> None:
    """The current directory is the registry's: no program and no config is taken from it."""
    for name in ("git", "sh", "python3"):
        shutil.copy(traps.command(f"cwd-{name}"), traps.root / name)
    asf = Asf(traps.base / "workspace", traps.root)
    for arguments in (("lint", "."), ("scan", "."), ("sync",), ("measure", ".")):
        done = asf.run(*arguments, code=None)
        assert "Traceback" not in done.stderr
        assert traps.sprung() == [], arguments
