"""The one place that calls git, with everything that a repository could make it run switched off.

A registry is untrusted, and a repository's own config names programs: a file monitor, hooks, an
external diff, filters, pagers, signing tools, credential helpers, transports. Three things keep
them asleep. Only plumbing is called that has no use for most of them (``rev-parse``,
``symbolic-ref``, ``ls-tree``, ``ls-files``, ``check-attr``, ``check-ignore``, ``cat-file --batch``,
``log --name-only``, ``config --list``; never ``status``, ``diff`` or ``checkout``). Each call overrides
the settings on its command line, which beats every file. And it runs in an environment of its own:
no ``GIT_*`` variable of the caller reaches it, no transport is allowed, nothing is fetched, asked or
written.

This calls ``subprocess`` and not GitPython's ``Git.execute``, because that one copies the caller's
whole environment (a ``GIT_DIR`` set by a hook would redirect every call, and cannot be unset), goes
to the process's own directory when the repository's cannot be entered, and starts ``git version`` on
import.

The user's own choice of trusted directories (``safe.directory``) still counts: git says so when a
repository belongs to somebody else, and that is passed on as a note, not overruled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

TIMEOUT_SECONDS = 120
"""Longest that one call may take; a repository on a hanging mount must not hold a sync for ever."""

_OFF: Mapping[str, str] = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.editor": "false",
    "core.askPass": "",
    "core.sshCommand": "false",
    "core.gitProxy": "none",
    "core.alternateRefsCommand": "",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.quotePath": "false",
    "core.useReplaceRefs": "false",
    "credential.helper": "",
    "sequence.editor": "false",
    "diff.external": "",
    "diff.orderFile": os.devnull,
    "diff.renames": "false",
    "diff.relative": "false",
    "diff.ignoreSubmodules": "all",
    "diff.submodule": "short",
    "log.showSignature": "false",
    "log.follow": "false",
    "log.mailmap": "false",
    "log.decorate": "false",
    "log.showRoot": "true",
    "mailmap.file": os.devnull,
    "mailmap.blob": "",
    "gpg.program": "false",
    "gpg.openpgp.program": "false",
    "gpg.x509.program": "false",
    "gpg.ssh.program": "false",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "protocol.allow": "never",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "color.ui": "false",
    "i18n.logOutputEncoding": "UTF-8",
    "safe.bareRepository": "explicit",
}
"""Settings and the values that make them harmless."""

_KEPT = frozenset(
    {
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_EXEC_PATH",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER",
    }
)
"""Variables of the caller that choose which git runs and where it looks, and nothing else."""

_OWN = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_EDITOR": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "C",
    "LC_ALL": "C",
    "SSH_ASKPASS": "",
}


@dataclass(frozen=True, slots=True)
class GitOutput:
    """What a call gave back."""

    code: int
    """Exit code; 124 when it was stopped for taking too long."""
    stdout: bytes
    stderr: str

    @property
    def ok(self) -> bool:
        """It ended well."""
        return self.code == 0

    @property
    def text(self) -> str:
        """The output as text, without its last line end."""
        return self.stdout.decode("utf-8", "replace").rstrip("\n")

    @property
    def complaint(self) -> str:
        """The first line of what git complained of."""
        line = self.stderr.strip().partition("\n")[0]
        return line.removeprefix("fatal: ").removeprefix("error: ")


def git_program() -> str | None:
    """Absolute path of git; ``None`` when there is none.

    A git found relative to the current directory is not taken: that directory may be the registry.
    """
    found = shutil.which("git")
    return found if found is not None and Path(found).is_absolute() else None


class GitHost:
    """The machine's git, ready to be used in any number of repositories. Close it when done.

    Raises:
        FileNotFoundError: There is no git.
    """

    def __init__(self) -> None:
        program = git_program()
        if program is None:
            raise FileNotFoundError("git")
        self._program = program
        self._directory: tempfile.TemporaryDirectory[str] | None = None
        self._environment = _environment(self._trust_file())

    def at(self, directory: str) -> Git:
        """Git in a directory."""
        return Git(self._program, directory, self._environment)

    def close(self) -> None:
        """Remove what was written for the calls."""
        if self._directory is not None:
            self._directory.cleanup()
            self._directory = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _trust_file(self) -> str:
        """A global config with the user's ``safe.directory`` entries and nothing else.

        A file and not ``-c``: git before 2.38 believes these entries from files only.
        """
        trusted = _trusted_directories(self._program)
        if not trusted:
            return os.devnull
        self._directory = tempfile.TemporaryDirectory(prefix="asf-git-")
        path = Path(self._directory.name, "gitconfig")
        quoted = [entry.replace("\\", "\\\\").replace('"', '\\"') for entry in trusted]
        lines = ["[safe]", *(f'\tdirectory = "{entry}"' for entry in quoted if "\n" not in entry)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
        return str(path)


def _environment(global_config: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT
    }
    return kept | _OWN | {"GIT_CONFIG_GLOBAL": global_config}


def _trusted_directories(program: str) -> list[str]:
    """The ``safe.directory`` entries of the user's and the system's own config, in order."""
    command = [program, "config", "--null", "--get-all", "safe.directory"]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith("GIT_CONFIG") or name in _KEPT
    }
    # It names no repository, so that no repository's config is read for this question.
    environment["GIT_DIR"] = os.devnull
    done = subprocess.run(  # noqa: S603 - a fixed command
        command,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=environment,
        cwd=Path(program).anchor,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    text = os.fsdecode(done.stdout) if done.returncode == 0 else ""
    return text.split("\0")[:-1]


class Git:
    """Git in one directory."""

    def __init__(self, program: str, directory: str, environment: Mapping[str, str]) -> None:
        self.directory = directory
        settings = (part for key, value in _OFF.items() for part in ("-c", f"{key}={value}"))
        self._head = [program, "--no-pager", *settings]
        self._environment = dict(environment)

    def run(self, *arguments: str, stdin: bytes = b"") -> GitOutput:
        """Run one command to its end.

        Args:
            arguments: The subcommand and its arguments.
            stdin: What it reads.

        Returns:
            Its exit code and output; nothing raises when git complains.
        """
        try:
            done = subprocess.run(  # noqa: S603 - the program is absolute, no shell
                [*self._head, *arguments],
                input=stdin,
                capture_output=True,
                env=self._environment,
                cwd=self.directory,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return GitOutput(124, b"", f"git took longer than {TIMEOUT_SECONDS} s")
        return GitOutput(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    @contextmanager
    def stream(self, *arguments: str) -> Iterator[IO[bytes]]:
        """Read a command's output while it runs; it is stopped when the block ends.

        Args:
            arguments: The subcommand and its arguments.

        Yields:
            Its standard output.
        """
        process = subprocess.Popen(  # noqa: S603 - the program is absolute, no shell
            [*self._head, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            cwd=self.directory,
        )
        assert process.stdout is not None  # noqa: S101 - asked for as a pipe
        try:
            yield process.stdout
        finally:
            process.kill()
            process.stdout.close()
            process.wait()
