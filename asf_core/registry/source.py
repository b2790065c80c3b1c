"""A registry on disk: what it holds, whether it changed, and each skill as a whole."""

# Paths are strings here, as in the walk that names them.
# ruff: noqa: PTH112, PTH118

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from asf_core.domain.errors import InputError
from asf_core.domain.findings import Finding
from asf_core.domain.skill import ParsedSkill, Provenance, Skill, SkillState
from asf_core.registry import rules
from asf_core.registry.discover import Discovery, FoundSkill, discover
from asf_core.registry.disk import list_directory
from asf_core.registry.infer import is_script
from asf_core.registry.parse import parse_skill, unreadable_skill
from asf_core.registry.provenance import directory_provenance, git_provenance
from asf_core.registry.repositories import Repositories
from asf_core.registry.repository import Repository, directory_of, looks_bare
from asf_core.registry.rules import BREAKING
from asf_core.registry.sourcetext import MAX_FILE_BYTES
from asf_core.registry.tree import SkillTree, join, read_tree

MAX_TEXT_BYTES = 256 * 1024
"""Largest file of a skill, other than its SKILL.md, that is read as text for inference."""


@dataclass(frozen=True, slots=True)
class Look:
    """A skill as checks take it: read once, without history."""

    parsed: ParsedSkill
    tree: SkillTree | None
    """``None`` when its directory is gone."""
    findings: tuple[Finding, ...]
    """Of the file and of the tree."""


class RegistrySource:
    """A registry's directory, opened for reading; nothing in it is ever written or run.

    It is a picture: git is asked once, when first needed. Open a new one to see later commits.
    """

    def __init__(self, root: str, name: str) -> None:
        self.root = root
        """Absolute, symlinks resolved."""
        self.name = name
        self._repositories = Repositories(root)
        self._discovery: Discovery | None = None

    @classmethod
    def open(cls, root: Path, name: str) -> Self:
        """Open a registry.

        Args:
            root: Its directory.
            name: What it is called in the workspace: the first part of its skills' ids.

        Raises:
            InputError: There is no such directory, or the name cannot be part of an id.
        """
        if (
            not name
            or name.strip() != name
            or any(char in "/\\" or ord(char) < 32 for char in name)
        ):
            raise InputError(
                f"{name!r} cannot be a registry's name",
                why="It becomes the first part of its skills' ids",
                hint="Take letters, digits, hyphens and underscores",
            )
        real = os.path.realpath(root)
        if not os.path.isdir(real):
            raise InputError(
                f"There is no directory {str(root)!r}",
                why="A registry is a directory tree of skills",
                hint="Check the path; a skill archive must be unpacked first",
            )
        return cls(real, name)

    def close(self) -> None:
        """Release what git needed."""
        self._repositories.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def discover(self) -> Discovery:
        """Walk the registry; every SKILL.md below it gives a skill or a finding."""
        found = discover(self.root)
        self._repositories.announce(found.repositories, [skill.path for skill in found.skills])
        findings = [*found.findings, *self._repositories.findings()]
        if looks_bare(self.root) and not found.skills:
            rule = rules.REGISTRY_BARE
            message = "This is a bare repository: it has no files. Clone it, and add the clone."
            findings.append(
                Finding(rule=rule.id, severity=rule.severity, message=message, path=".")
            )
        self._discovery = Discovery(found.skills, tuple(findings), found.repositories)
        return self._discovery

    def assume(self, repositories: Sequence[str]) -> None:
        """Take what a walk in another process has found, instead of walking again.

        Args:
            repositories: :attr:`Discovery.repositories` of that walk.
        """
        self._repositories.announce(repositories, [])

    def being_written(self) -> str | None:
        """The lock of a git command that is writing one of the registry's repositories right now.

        What is read meanwhile may be a mix of two commits: read it again, and decide nothing on it.
        """
        return self._repositories.lock()

    def fingerprint(self, found: FoundSkill) -> str:
        """A cheap mark that stays the same while there is nothing new to read.

        Made of names, sizes, times and modes of the skill's files, of the commit checked out and of
        the names of branch and remote. A mark that differs means only that the skill must be read.

        Returns:
            64 hexadecimal characters.
        """
        real = self._real(found)
        digest = hashlib.sha256(f"{found.path}\0{found.file_name}\0".encode())
        for path in found.contained:
            digest.update(os.fsencode(path) + b"\0")
        if real is None:
            return digest.hexdigest()
        listing = list_directory(real)
        for path, file in listing.files.items():
            digest.update(os.fsencode(f"{path}\0{file.stamp}\0"))
        for name in listing.left_out:
            digest.update(os.fsencode(name) + b"\0")
        for issue in listing.issues:
            digest.update(os.fsencode(f"{issue.rule.id}\0{issue.path}\0{issue.message}\0"))
        digest.update(os.fsencode(self._repositories.state(real, found.file_name)))
        return digest.hexdigest()

    def tree(self, found: FoundSkill) -> SkillTree | None:
        """The skill's files with their bytes, as digest, scan and export take them.

        Returns:
            The files; ``None`` when its directory is gone or was moved out of the registry.
        """
        real = self._real(found)
        return None if real is None else self._tree(found, real)

    def read(self, found: FoundSkill) -> Skill:
        """Read a skill as a whole. Never raises on what the skill holds."""
        return self.read_with_tree(found)[0]

    def read_with_tree(self, found: FoundSkill) -> tuple[Skill, SkillTree | None]:
        """Read a skill together with the files that it was read from, as :meth:`tree` has them."""
        real = self._real(found)
        if real is None:
            parsed = self._unreadable(found, "The directory is gone, or a link leads elsewhere.")
            return _skill(parsed, None, (), directory_provenance("the directory is gone")), None
        tree = self._tree(found, real)
        provenance = self._provenance(real, tree)
        revision = provenance.head if provenance.dirty is False else None
        parsed = self._parse(found, tree, revision)
        return _skill(parsed, tree, self._contained(found), provenance), tree

    def look(self, found: FoundSkill) -> Look:
        """Read a skill without its history, for checks. Never raises on what the skill holds."""
        tree = self.tree(found)
        if tree is None:
            parsed = self._unreadable(found, "The directory is gone, or a link leads elsewhere.")
            return Look(parsed, None, parsed.findings)
        parsed = self._parse(found, tree, None)
        return Look(parsed, tree, (*parsed.findings, *tree.findings, *self._contained(found)))

    def _tree(self, found: FoundSkill, real: str) -> SkillTree:
        repository = self._repositories.of(real)
        readable = repository if isinstance(repository, Repository) else None
        return read_tree(
            real,
            shown_at=found.path,
            main_file=found.file_name,
            repository=readable,
            directory=directory_of(readable, real) if readable is not None else "",
        )

    def _real(self, found: FoundSkill) -> str | None:
        """The skill's directory without links; ``None`` when it is not in the registry (any more)."""
        real = os.path.realpath(os.path.join(self.root, found.path))
        inside = real == self.root or real.startswith(self.root.rstrip(os.sep) + os.sep)
        return real if inside and os.path.isdir(real) else None

    def _provenance(self, real: str, tree: SkillTree) -> Provenance:
        repository = self._repositories.of(real)
        if isinstance(repository, str):
            return directory_provenance(repository)
        if not isinstance(repository, Repository):
            return git_provenance(repository)
        directory = directory_of(repository, real)
        commit, why = self._repositories.history(repository).last_commit(directory)
        return git_provenance(
            repository.facts,
            tracked=tree.tracked,
            dirty=tree.dirty,
            last_commit=commit,
            notes=(tree.note, why),
        )

    def _parse(self, found: FoundSkill, tree: SkillTree, revision: str | None) -> ParsedSkill:
        data = self._main_bytes(found, tree)
        if isinstance(data, ParsedSkill):
            return data
        return parse_skill(
            data,
            registry=self.name,
            path=found.path,
            file_name=found.file_name,
            revision=revision,
            files=[entry.path for entry in tree.entries],
            file_texts=dict(_texts(tree.contents, found.file_name)),
        )

    def _main_bytes(self, found: FoundSkill, tree: SkillTree) -> bytes | ParsedSkill:
        """The bytes of the skill's file, which may be a link to another file of the same skill."""
        path, name = found.file_name, found.file_name
        kinds = {entry.path: entry.kind for entry in tree.entries}
        if kinds.get(path) == "symlink":
            target = os.fsdecode(tree.contents[path])
            path = os.path.normpath(target).replace(os.sep, "/")
            if kinds.get(path) != "file":
                message = f"{name} is a link to {target!r}, which is no file of the skill."
                return self._unreadable(found, message)
        data = tree.contents.get(path)
        if data is None:
            return self._unreadable(found, f"{name} cannot be read; see the other findings.")
        if len(data) > MAX_FILE_BYTES:
            message = f"The file has {len(data):,} bytes; the cap is {MAX_FILE_BYTES:,}."
            return self._unreadable(found, message, rules.TOO_LARGE)
        return data

    def _unreadable(
        self, found: FoundSkill, message: str, rule: rules.Rule = rules.UNREADABLE
    ) -> ParsedSkill:
        return unreadable_skill(
            message, registry=self.name, path=found.path, file_name=found.file_name, rule=rule
        )

    def _contained(self, found: FoundSkill) -> tuple[Finding, ...]:
        if not found.contained:
            return ()
        names = [os.path.relpath(path, found.path).replace(os.sep, "/") for path in found.contained]
        shown = ", ".join(name.encode("utf-8", "backslashreplace").decode() for name in names[:10])
        more = f" and {len(names) - 10} more" if len(names) > 10 else ""
        rule = rules.CONTAINED_SKILL
        message = f"{len(names)} SKILL.md below it are its content, not skills: {shown}{more}."
        path = join(found.path, found.file_name)
        return (Finding(rule=rule.id, severity=rule.severity, message=message, path=path),)


def _texts(contents: Mapping[str, bytes], main_file: str) -> Iterator[tuple[str, str]]:
    """Scripts and Markdown files as text; what is not UTF-8 or too large is left out."""
    for path, data in contents.items():
        if path == main_file or len(data) > MAX_TEXT_BYTES or b"\0" in data[:1024]:
            continue
        is_markdown = path.lower().endswith((".md", ".markdown"))
        if is_markdown or data.startswith(b"#!") or is_script(path):
            yield path, data.decode("utf-8", "replace").replace("\r\n", "\n")


def _skill(
    parsed: ParsedSkill,
    tree: SkillTree | None,
    extra: tuple[Finding, ...],
    provenance: Provenance,
) -> Skill:
    tree_findings = tree.findings if tree is not None else ()
    return Skill(
        manifest=parsed.manifest,
        body=parsed.body,
        body_line=parsed.body_line,
        state=parsed.state,
        state_reason=_reason(parsed),
        tree=tree.entries if tree is not None else (),
        digest=tree.digest if tree is not None else None,
        findings=(*parsed.findings, *tree_findings, *extra),
        provenance=provenance,
    )


def _reason(parsed: ParsedSkill) -> str:
    if parsed.state is not SkillState.BROKEN:
        return ""
    breaking = [finding for finding in parsed.findings if finding.rule in BREAKING]
    return " ".join(f"Line {finding.line}: {finding.message}" for finding in breaking[:2])
