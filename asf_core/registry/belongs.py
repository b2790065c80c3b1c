"""The one rule of what belongs to a skill: for its digest, its scan and its export alike.

Everything below the skill's directory does, but version control's own data, local environment files,
an operating system's droppings, and caches that tools write beside the files they read.
"""

from __future__ import annotations

import re

VCS_NAMES = frozenset({".git", ".hg", ".svn", ".jj", ".bzr", "CVS"})
CACHE_DIRECTORIES = frozenset(
    {"__pycache__", "node_modules", ".venv", ".tox", ".nox", ".ipynb_checkpoints", "__MACOSX"}
)
_CACHE = re.compile(r"\..*_cache\Z")
_DROPPINGS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".directory"})
_ENV_EXAMPLE = re.compile(r"\.env\..*(?:example|sample|template|dist)\Z")


def belongs_name(name: str) -> bool:
    """Whether a file or directory of this name belongs to a skill."""
    if name in VCS_NAMES or name in CACHE_DIRECTORIES or name in _DROPPINGS:
        return False
    if name.startswith("."):
        # .env holds secrets of one machine; .env.example is documentation without any.
        if name.startswith(".env") and not _ENV_EXAMPLE.match(name):
            return False
        return not (name.startswith("._") or _CACHE.match(name))
    return not name.endswith((".pyc", ".pyo"))


def belongs(path: str) -> bool:
    """Whether a file at this POSIX path, relative to the skill, belongs to it."""
    return all(belongs_name(part) for part in path.split("/"))
