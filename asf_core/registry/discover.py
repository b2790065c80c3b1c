"""Finding the skills of a directory tree: every SKILL.md becomes a skill or a finding.

A SKILL.md below ``assets``, ``tests``, ``references`` and the like of another skill is content of
that skill (a template, a fixture), and one below ``node_modules`` or a cache belongs to somebody
else's package; neither is a skill. Every other nested SKILL.md is. Hidden directories are walked:
``.github``, ``.claude`` and ``.agents`` are where many skills live.

Links to directories are not walked. A link inside the registry is another name of a directory that is
walked by its own name, so each skill is listed once; only where that directory is one that the walk
leaves out does the skill get the link's name.
"""

# Paths are strings here: the walk touches every entry, and Path would rewrite some of them.
# ruff: noqa: PTH110, PTH112, PTH118, PTH208

from __future__ import annotations

import os
from dataclasses import dataclass, field

from asf_core.domain.findings import Finding, Severity
from asf_core.registry import rules
from asf_core.registry.belongs import CACHE_DIRECTORIES, VCS_NAMES
from asf_core.registry.parse import SKILL_FILE
from asf_core.registry.rules import Rule
from asf_core.registry.tree import is_text, join

MAX_DIRECTORIES = 200_000
MAX_DEPTH = 64
MAX_VENDORED_DIRECTORIES = 20_000
"""Most directories of third-party packages that are searched for SKILL.md files to report."""

CONTENT = frozenset(
    {"assets", "evals", "examples", "fixtures", "references", "scripts", "testdata", "tests"}
)
"""Directories of a skill in which a SKILL.md is content."""
_CONTENT_BELOW = frozenset({"templates"})
"""Directories of a skill below which it is content, but which may be a skill themselves."""
_VENDORED = CACHE_DIRECTORIES | {"bower_components", "site-packages"}
_PACKAGE_FILES = frozenset({"package.json", "pyproject.toml", "setup.py", "Cargo.toml"})
_BUILD_NAMES = frozenset({"dist", "build"})


@dataclass(frozen=True, slots=True)
class FoundSkill:
    """A SKILL.md that is a skill."""

    path: str
    """POSIX path of its directory inside the registry, ``.`` for the root."""
    file_name: str = SKILL_FILE
    """As it is on disk, which may have the wrong case."""
    contained: tuple[str, ...] = ()
    """SKILL.md files below it that are its content, relative to the registry, sorted."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a registry holds."""

    skills: tuple[FoundSkill, ...]
    """Sorted by path."""
    findings: tuple[Finding, ...]
    """About places that are no skill."""
    repositories: tuple[str, ...] = ()
    """POSIX paths of directories below the root that are the top of a git work tree of their own."""


@dataclass(slots=True)
class _Place:
    """A directory that waits to be walked."""

    full: str
    path: str
    depth: int
    outer: str | None = None
    """Path of the skill that it stands in."""
    zone: str = ""
    """``content``, ``vendored`` or empty."""


@dataclass(slots=True)
class _Walk:
    root: str
    skills: dict[str, str] = field(default_factory=dict)
    contained: dict[str, list[str]] = field(default_factory=dict)
    vendored: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    directories: int = 0
    vendored_directories: int = 0

    def report(self, rule: Rule, path: str, message: str, severity: Severity | None = None) -> None:
        shown = path.encode("utf-8", "backslashreplace").decode()
        finding = Finding(
            rule=rule.id, severity=severity or rule.severity, message=message, path=shown
        )
        self.findings.append(finding)


def discover(root: str) -> Discovery:
    """Walk a registry.

    Args:
        root: Its directory, absolute, symlinks resolved.

    Returns:
        Skills and findings, the same for the same tree whatever order the disk lists it in.
    """
    walk = _Walk(root)
    waiting = [_Place(root, ".", 0)]
    while waiting:
        place = waiting.pop()
        if walk.directories >= MAX_DIRECTORIES:
            message = f"More than {MAX_DIRECTORIES:,} directories; from here on nothing was walked."
            walk.report(rules.REGISTRY_CAP, place.path, message)
            break
        waiting.extend(reversed(_visit(walk, place)))
    _settle_links(walk)
    _report_vendored(walk)
    skills = tuple(
        FoundSkill(path, name, tuple(sorted(walk.contained.get(path, ()))))
        for path, name in sorted(walk.skills.items())
    )
    findings = tuple(sorted(walk.findings, key=lambda found: (found.path, found.rule)))
    return Discovery(skills, findings, tuple(sorted(walk.repositories)))


def _visit(walk: _Walk, place: _Place) -> list[_Place]:
    """Take in one directory; returns those below it, sorted."""
    walk.directories += 1
    try:
        with os.scandir(place.full) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        message = f"The directory cannot be listed: {error.strerror}; skills in it are not known."
        walk.report(rules.REGISTRY_UNREADABLE, place.path, message)
        return []
    names = {entry.name for entry in entries}
    if ".git" in names and place.path != ".":
        walk.repositories.append(place.path)
    outer = _take_skill_files(walk, place, entries)
    is_package = not names.isdisjoint(_PACKAGE_FILES)
    below = []
    for entry in entries:
        if entry.is_symlink():
            if outer is None and not place.zone and _may_mean_skill(entry):
                walk.links.append(join(place.path, entry.name))
        elif entry.is_dir(follow_symlinks=False) and entry.name not in VCS_NAMES:
            below.append(_below(place, entry, outer, is_package=is_package))
    return [inner for inner in below if _may_enter(walk, inner)]


def _may_mean_skill(link: os.DirEntry[str]) -> bool:
    """A link to a directory, to nothing, or to a file without a suffix: a skill may be meant.

    Links inside a skill are files of its tree and are judged there.
    """
    # Not link.is_dir(): that one raises on a link that leads to itself.
    has_target = os.path.exists(link.path)
    return not has_target or os.path.isdir(link.path) or "." not in link.name


def _below(
    place: _Place, entry: os.DirEntry[str], outer: str | None, *, is_package: bool
) -> _Place:
    name, zone = entry.name, place.zone
    if not zone:
        is_cache = name in _VENDORED or (name.startswith(".") and name.endswith("_cache"))
        is_built = name in _BUILD_NAMES and is_package
        if is_cache or is_built or _is_environment(entry):
            zone = "vendored"
        elif outer is not None and name in CONTENT:
            zone = "content"
        elif place.outer is not None and place.path.rpartition("/")[2] in _CONTENT_BELOW:
            # Below templates/ of a skill, unless templates/ is a skill itself.
            zone = "content" if outer == place.outer else ""
    return _Place(entry.path, join(place.path, name), place.depth + 1, outer, zone)


def _is_environment(entry: os.DirEntry[str]) -> bool:
    """A Python environment, whatever it is called."""
    return entry.name in {"venv", "env"} and os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))


def _may_enter(walk: _Walk, place: _Place) -> bool:
    if place.depth > MAX_DEPTH:
        message = f"More than {MAX_DEPTH} directories deep; not walked."
        walk.report(rules.REGISTRY_CAP, place.path, message)
        return False
    if place.zone == "vendored":
        walk.vendored_directories += 1
        if walk.vendored_directories == MAX_VENDORED_DIRECTORIES + 1:
            message = (
                f"More than {MAX_VENDORED_DIRECTORIES:,} directories of third-party packages;"
                " the rest was not searched for SKILL.md files to report."
            )
            walk.report(rules.REGISTRY_VENDORED, place.path, message)
        return walk.vendored_directories <= MAX_VENDORED_DIRECTORIES
    return True


def _take_skill_files(walk: _Walk, place: _Place, entries: list[os.DirEntry[str]]) -> str | None:
    """Take the SKILL.md of a directory in; returns the skill that directories below stand in."""
    files = [entry for entry in entries if entry.name.lower() == SKILL_FILE.lower()]
    usable = [entry for entry in files if entry.is_symlink() or entry.is_file()]
    for entry in files:
        if entry not in usable and not place.zone:
            message = f"{entry.name} is not a file."
            walk.report(rules.REGISTRY_NOT_A_FILE, join(place.path, entry.name), message)
    if not usable:
        return place.outer
    usable.sort(key=lambda entry: (entry.name != SKILL_FILE, entry.name))
    path = join(place.path, usable[0].name)
    if place.zone:
        inside = place.outer
        (walk.vendored if inside is None else walk.contained.setdefault(inside, [])).append(path)
        return inside
    if not is_text(path):
        message = "The path is not UTF-8, so it can be no skill's id; rename it."
        walk.report(rules.REGISTRY_NAME, path, message)
        return place.outer
    for other in usable[1:]:
        message = f"{usable[0].name} stands beside it and is the one that counts."
        walk.report(rules.REGISTRY_SECOND_FILE, join(place.path, other.name), message)
    walk.skills[place.path] = usable[0].name
    return place.path


def _settle_links(walk: _Walk) -> None:
    """Report linked directories, and list the skill of one that the walk left out."""
    names = {path: path for path in walk.skills}
    for link in sorted(walk.links):
        full = os.path.join(walk.root, link)
        real = os.path.realpath(full)
        relative = os.path.relpath(real, walk.root).replace(os.sep, "/")
        if not os.path.exists(real):
            walk.report(rules.REGISTRY_LINK, link, "The link points at nothing.")
        elif relative.split("/", 1)[0] == "..":
            message = "The link leaves the registry; it is not followed."
            walk.report(rules.REGISTRY_LINK, link, message)
        elif not os.path.isdir(real):
            message = "The link points at a file, not at a skill."
            walk.report(rules.REGISTRY_LINK, link, message, Severity.LOW)
        elif relative in names:
            message = f"The link is another name of {names[relative]}, which is listed."
            walk.report(rules.REGISTRY_LINK_TWIN, link, message)
        elif is_text(link) and (name := _skill_file(real)) is not None:
            walk.skills[link] = name
            names[relative] = link
            walk.vendored = [path for path in walk.vendored if path != join(relative, name)]


def _skill_file(directory: str) -> str | None:
    try:
        names = sorted(os.listdir(directory))
    except OSError:
        # The walk has reported the directory under its own name.
        return None
    fitting = [name for name in names if name.lower() == SKILL_FILE.lower()]
    return SKILL_FILE if SKILL_FILE in fitting else next(iter(fitting), None)


def _report_vendored(walk: _Walk) -> None:
    """Say of every SKILL.md of somebody else's package why it is no skill."""
    for path in sorted(walk.vendored):
        message = (
            "It stands below third-party packages or a cache, so it is no skill of the registry."
        )
        walk.report(rules.REGISTRY_VENDORED, path, message)
