"""Lint and scan of paths: which skills they mean, read in parallel, reported as one."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.checks import (
    CheckedFinding,
    CheckedRoot,
    CheckedSkill,
    CheckKind,
    CheckProgress,
    CheckReport,
)
from asf_core.domain.errors import InputError
from asf_core.domain.findings import Finding, Severity
from asf_core.domain.scan import ScanFinding, Scanner, ScanResult
from asf_core.quality.baseline import Baseline, Fingerprints
from asf_core.quality.catalogue import catalogue, code_of
from asf_core.quality.lint import NamedSkill, names_in_conflict
from asf_core.quality.scan import BuiltinScanner, scan_skill
from asf_core.quality.scan.mask import masked
from asf_core.registry.discover import FoundSkill
from asf_core.registry.parse import SKILL_FILE
from asf_core.registry.source import RegistrySource
from asf_core.registry.tree import join

if TYPE_CHECKING:
    from asf_core.quality.waivers import Waivers

Progress = Callable[[CheckProgress], None]
MIN_PARALLEL = {"lint": 8_000, "scan": 500}
"""From how many skills on a second process pays for its start."""
_CHUNK = 40


@dataclass(frozen=True, slots=True)
class _Root:
    """Skills below one directory."""

    directory: Path
    """Absolute, symlinks resolved."""
    skills: tuple[FoundSkill, ...]
    findings: tuple[Finding, ...]
    repositories: tuple[str, ...]
    """Paths below it that are the top of a git work tree of their own."""
    whole: bool
    """All skills below the directory are meant, so that names can be compared."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """What came of one skill."""

    path: str
    file_name: str
    name: str
    digest: str | None
    findings: tuple[ScanFinding, ...]
    """Paths relative to the root."""
    result: ScanResult | None


def check_paths(
    kind: CheckKind,
    paths: Sequence[Path],
    *,
    scanner: Scanner | None = None,
    waivers: Waivers | None = None,
    baseline: Baseline | None = None,
    progress: Progress | None = None,
    processes: int | None = None,
) -> CheckReport:
    """Lint or scan skills. Nothing of them is run, and nothing is written.

    Args:
        kind: ``lint`` or ``scan``.
        paths: Registries, skills' directories, or SKILL.md files.
        scanner: For a scan; default: the built-in one.
        waivers: What a curator accepts.
        baseline: What stood there already.
        progress: Told as skills are done, from this thread.
        processes: How many to use; default: one for a few skills, else one a core.

    Raises:
        InputError: A path is not there, or has no skill.
        MissingError: The scanner is absent.
    """
    started = time.perf_counter()
    engine = (scanner or BuiltinScanner()) if kind == "scan" else None
    identity = engine.identity if engine is not None else None
    roots = list(_roots(paths))
    total = sum(len(root.skills) for root in roots)
    count = processes or (min(os.cpu_count() or 1, 8) if total >= MIN_PARALLEL[kind] else 1)
    done = 0
    checked = []
    with ExitStack() as stack:
        pool = None
        if count > 1:
            context = get_context("spawn")
            pool = stack.enter_context(ProcessPoolExecutor(count, mp_context=context))
        for root in roots:
            looked: list[_Looked] = []
            for batch in _look(root, engine, pool):
                looked += batch
                done += len(batch)
                if progress is not None:
                    progress(CheckProgress(done, total))
            checked.append(_checked(kind, root, looked, waivers, baseline))
    return CheckReport(
        kind=kind,
        scanner=identity,
        roots=tuple(checked),
        notes=tuple(waivers.notes()) if waivers is not None else (),
        seconds=time.perf_counter() - started,
    )


def _roots(paths: Iterable[Path]) -> Iterator[_Root]:
    """The skills that paths mean; single skills of one directory come together."""
    single: dict[Path, dict[str, FoundSkill]] = {}
    for path in paths:
        real = Path(os.path.realpath(path.expanduser()))
        if real.is_file() and real.name.lower() == SKILL_FILE.lower():
            real = real.parent
        elif not real.is_dir():
            raise InputError(
                f"{str(path)!r} is neither a directory nor a SKILL.md",
                why="A registry is a directory tree of skills"
                if real.exists()
                else "It is not there",
                hint="Name a registry, a skill's directory or a SKILL.md",
            )
        found = _open(real)
        if isinstance(found, FoundSkill):
            single.setdefault(real.parent, {})[found.path] = found
        else:
            yield found
    for directory, skills in sorted(single.items()):
        chosen = tuple(skills[key] for key in sorted(skills))
        nested = tuple(
            path for path in sorted(skills) if os.path.lexists(directory / path / ".git")
        )
        yield _Root(directory, chosen, (), nested, whole=False)


def _open(directory: Path) -> _Root | FoundSkill:
    with RegistrySource.open(directory, _name(directory)) as source:
        discovery = source.discover()
    is_skill = [skill.path for skill in discovery.skills] == ["."]
    if is_skill and directory.parent != directory:
        (inner,) = discovery.skills
        contained = tuple(f"{directory.name}/{path}" for path in inner.contained)
        return FoundSkill(directory.name, inner.file_name, contained)
    return _Root(
        directory, discovery.skills, discovery.findings, discovery.repositories, whole=True
    )


def _name(directory: Path) -> str:
    """A name for the registry, whatever its directory is called."""
    name = directory.name.strip()
    printable = all(ord(char) >= 32 and char not in "/\\" for char in name)
    return name if name and printable else "registry"


def _look(
    root: _Root, engine: Scanner | None, pool: ProcessPoolExecutor | None
) -> Iterator[list[_Looked]]:
    chunks = [root.skills[at : at + _CHUNK] for at in range(0, len(root.skills), _CHUNK)]
    if pool is None:
        with _source(root.directory, root.repositories) as source:
            for chunk in chunks:
                yield [_look_at_one(source, found, engine) for found in chunk]
        return
    work = [
        pool.submit(_look_elsewhere, root.directory, root.repositories, chunk, engine)
        for chunk in chunks
    ]
    for future in work:
        yield future.result()


def _source(directory: Path, repositories: tuple[str, ...]) -> RegistrySource:
    source = RegistrySource.open(directory, _name(directory))
    source.assume(repositories)
    return source


@cache
def _kept_source(directory: Path, repositories: tuple[str, ...]) -> RegistrySource:
    """A process of the pool asks git once a root, and gives back what it holds when it ends."""
    source = _source(directory, repositories)
    atexit.register(source.close)
    return source


def _look_elsewhere(
    directory: Path,
    repositories: tuple[str, ...],
    skills: Sequence[FoundSkill],
    engine: Scanner | None,
) -> list[_Looked]:
    """Read some skills of a root in a process of the pool."""
    source = _kept_source(directory, repositories)
    return [_look_at_one(source, found, engine) for found in skills]


def _look_at_one(source: RegistrySource, found: FoundSkill, engine: Scanner | None) -> _Looked:
    look = source.look(found)
    digest = look.tree.digest if look.tree is not None else None
    result = None
    findings = tuple(_known(finding) for finding in look.findings)
    if engine is not None and look.tree is not None:
        result = scan_skill(
            look.tree, shown_at=found.path, main_file=found.file_name, scanner=engine
        )
        findings = tuple(_moved(item, found.path) for item in result.findings)
    name = look.parsed.manifest.name
    return _Looked(found.path, found.file_name, name, digest, findings, result)


def _known(finding: Finding) -> ScanFinding:
    """A finding of reading, with secrets masked as those of the scan are."""
    shown = {"snippet": masked(finding.snippet), "message": masked(finding.message)}
    return ScanFinding(finding=finding.model_copy(update=shown), code=code_of(finding.rule))


def _moved(item: ScanFinding, directory: str) -> ScanFinding:
    path = join(directory, item.finding.path)
    return item.model_copy(update={"finding": item.finding.model_copy(update={"path": path})})


def _checked(
    kind: CheckKind,
    root: _Root,
    looked: Sequence[_Looked],
    waivers: Waivers | None,
    baseline: Baseline | None,
) -> CheckedRoot:
    digests = {item.path: item.digest for item in looked}
    found = list(_once(looked))
    if kind == "lint":
        found += [("", _known(finding)) for finding in root.findings]
    if kind == "lint" and root.whole:
        owners = {join(item.path, item.file_name): item.path for item in looked}
        named = [NamedSkill(i.path, i.name, i.file_name, i.digest) for i in looked]
        found += [(owners[f.path], _known(f)) for f in names_in_conflict(named)]
    marks = Fingerprints()
    findings = []
    for skill, finding in sorted(found, key=_order):
        item = _item(skill, finding, marks)
        if waivers is not None:
            item = waivers.apply(item, digests.get(skill))
        findings.append(baseline.apply(item) if baseline is not None else item)
    return CheckedRoot(
        name=_name(root.directory),
        path=_shown(root.directory),
        skills=tuple(_skill(item) for item in looked),
        findings=tuple(findings),
    )


def _once(looked: Sequence[_Looked]) -> Iterator[tuple[str, ScanFinding]]:
    """Findings by skill; one in a skill that stands inside another is the inner one's only."""
    seen: set[tuple[str, int, int, str]] = set()
    for item in sorted(looked, key=lambda item: item.path.count("/"), reverse=True):
        mine = {_order((item.path, finding)): finding for finding in item.findings}
        for key, finding in mine.items():
            if key not in seen:
                yield item.path, finding
        seen |= mine.keys()


def _order(found: tuple[str, ScanFinding]) -> tuple[str, int, int, str]:
    finding = found[1].finding
    return finding.path, finding.line, finding.column, finding.rule


def _item(skill: str, made: ScanFinding, marks: Fingerprints) -> CheckedFinding:
    finding = made.finding
    rule = catalogue().get(finding.rule)
    return CheckedFinding(
        skill=skill,
        finding=finding,
        code=made.code,
        title=rule.title if rule is not None else made.title,
        remediation=rule.remedy if rule is not None else made.remediation,
        fingerprint=marks.fingerprint(finding.rule, finding.path, finding.snippet),
    )


def _skill(item: _Looked) -> CheckedSkill:
    complete = item.result.complete if item.result is not None else item.digest is not None
    return CheckedSkill(
        path=item.path,
        name=item.name,
        digest=item.digest,
        complete=complete,
        files=item.result.files if item.result is not None else (),
    )


def _shown(directory: Path) -> str:
    """Below the current directory the relative path, else the absolute one, with slashes."""
    here = Path.cwd()
    try:
        return directory.relative_to(here).as_posix()
    except ValueError:
        return directory.as_posix()


def severity_of(word: str, option: str) -> Severity | None:
    """The severity that a word means; ``None`` for ``never``.

    Raises:
        InputError: It means none.
    """
    if word == "never":
        return None
    try:
        return Severity(word.lower())
    except ValueError as error:
        choices = ", ".join([*Severity, "never"])
        raise InputError(
            f"{option} {word!r} is not known", hint=f"Take one of: {choices}"
        ) from error


def engine_of(word: str, program: Path | None) -> Scanner:
    """The scanner that a word means.

    Args:
        word: ``builtin`` or ``cisco``.
        program: Executable of the other engine, where it is not where it is looked for.

    Raises:
        InputError: It means none.
        MissingError: It is not installed.
    """
    if word == "builtin":
        return BuiltinScanner()
    if word == "cisco":
        from asf_core.quality.scan.cisco import CiscoScanner

        return CiscoScanner.find(program)
    raise InputError(f"--engine {word!r} is not known", hint="Take builtin or cisco")
