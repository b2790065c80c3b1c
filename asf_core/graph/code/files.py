"""Which files of a directory are its source code, and their bytes. Nothing is executed."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

from asf_core.graph.code.facts import name_set

MAX_BYTES = 1 << 20
"""Larger source files are generated or data; they are listed, not read."""
_MINIFIED_BYTES, _MINIFIED_LINE = 20_000, 500

LANGUAGES = {
    **dict.fromkeys((".py", ".pyw"), "python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), "typescript"),
    ".go": "go",
}
_MANIFEST = re.compile(r"(?:.*\.json|pnpm-workspace\.yaml|go\.mod)\Z")
VENDORED = name_set(
    "node_modules bower_components jspm_packages vendor _vendor third_party site-packages venv "
    "__pycache__ __pypackages__ coverage htmlcov"
)
"""Directories that hold other people's code or none. Hidden ones are left out too."""
BUILT = name_set("dist build out target")
"""Left out as well, but not below ``src`` and not where they are Python packages."""
_TEST_DIR = re.compile(
    r"(?:tests?|__tests?__|__mocks__|__fixtures__|__snapshots__|e2e|testdata|fixtures|"
    r"test[-_]utils|[a-z0-9]+[-_]tests?)\Z"
)
_TEST_FILE = re.compile(
    r"(?:test_.*\.pyw?|.*_tests?\.(?:py|go)|conftest\.py|.*\.(?:test|spec|bench|stories)\.[cm]?[jt]sx?|"
    r"(?:test|vitest|jest|karma|playwright|cypress)[-.].*(?:setup|config).*|setupTests\.[jt]sx?)\Z"
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read."""

    path: str
    """POSIX path relative to the root, undecodable bytes escaped."""
    disk: str
    """Where it is, as the file system spells it."""
    language: str


@dataclass(slots=True)
class Tree:
    """What a walk found; every list sorted."""

    root: Path
    files: list[SourceFile] = field(default_factory=list)
    manifests: dict[str, str] = field(default_factory=dict)
    """Path to place on disk: package.json, go.mod, and any JSON that a tsconfig may extend."""
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason."""
    tests: int = 0
    """Test files left out."""
    vendored: list[str] = field(default_factory=list)
    """Directories left out."""


def is_test(path: str) -> bool:
    """Whether a path is that of a test file.

    Args:
        path: POSIX, relative to the root.
    """
    *directories, name = path.split("/")
    return bool(_TEST_FILE.match(name)) or any(_TEST_DIR.match(part) for part in directories)


def walk(root: Path, *, tests: bool = False) -> Tree:
    """Find the source files below a directory.

    Symbolic links are never followed: what they show inside the root is reached by its own path,
    and what lies outside is not this codebase.

    Args:
        root: The directory, resolved.
        tests: Keep test files.
    """
    tree = Tree(root)
    pending = [("", os.fspath(root))]
    while pending:
        prefix, directory = pending.pop()
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda e: e.name)
        except OSError as error:
            tree.unread.append((prefix or ".", f"cannot be listed: {error.strerror}"))
            continue
        names = {entry.name for entry in entries}
        for entry in entries:
            path = prefix + _shown(entry.name)
            if entry.is_symlink():
                _link(entry, path, tree)
            elif entry.is_dir(follow_symlinks=False):
                if _is_left_out(entry, prefix):
                    tree.vendored.append(path)
                else:
                    pending.append((path + "/", entry.path))
            elif entry.is_file(follow_symlinks=False):
                _file(entry, path, names, tree, tests=tests)
    tree.files.sort(key=lambda f: f.path)
    tree.unread.sort()
    tree.vendored.sort()
    return tree


def _shown(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _link(entry: os.DirEntry[str], path: str, tree: Tree) -> None:
    if os.path.splitext(entry.name)[1] not in LANGUAGES:  # noqa: PTH122 - a name, not a path
        return
    target = os.path.realpath(entry.path)
    if not Path(target).is_relative_to(tree.root):
        tree.unread.append((path, "a symbolic link that leaves the root"))


def _is_left_out(entry: os.DirEntry[str], prefix: str) -> bool:
    name = entry.name
    if name.startswith(".") or name in VENDORED:
        return True
    inside = Path(entry.path)
    if name in BUILT and "src" not in prefix.split("/"):
        return not (inside / "__init__.py").is_file()
    return (inside / "pyvenv.cfg").is_file()


def _file(entry: os.DirEntry[str], path: str, names: set[str], tree: Tree, *, tests: bool) -> None:
    if _MANIFEST.match(entry.name):
        tree.manifests[path] = entry.path
        return
    language = LANGUAGES.get(os.path.splitext(entry.name)[1].lower())  # noqa: PTH122
    if language is None or _is_output(entry.name, names):
        return
    if not tests and is_test(path):
        tree.tests += 1
        return
    tree.files.append(SourceFile(path, entry.path, language))


def _is_output(name: str, names: set[str]) -> bool:
    """Whether the compiler wrote this file beside its source."""
    declaration = re.sub(r"\.d\.([cm]?)ts\Z", r".\1", name)
    if declaration != name:
        stem = declaration
        return not names.isdisjoint(stem + end for end in ("js", "ts", "tsx", "jsx"))
    match = re.match(r"(.*)\.([cm]?)js(x?)\Z", name)
    return bool(match) and f"{match[1]}.{match[2]}ts{match[3]}" in names if match else False


def read_source(disk: str, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a source file, as UTF-8.

    Args:
        disk: Where it is.
        limit: In bytes.

    Raises:
        ValueError: It is too large, binary or minified; the message says which.
        OSError: It cannot be read, or it is no plain file any more.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(disk, flags), "rb") as handle:
        status = os.fstat(handle.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("not a plain file")
        if status.st_size > limit:
            raise ValueError(f"larger than {limit // 1024} KiB")
        data = handle.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"larger than {limit // 1024} KiB")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data:
        raise ValueError("binary")
    if is_minified(data):
        raise ValueError("minified")
    return data


def is_minified(data: bytes) -> bool:
    """Whether its lines are so long that no person wrote them; parsing such takes long."""
    lines = data.count(b"\n") + 1
    return len(data) > _MINIFIED_BYTES and len(data) > _MINIFIED_LINE * lines
