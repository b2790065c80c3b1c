"""Skills and repositories made in temporary directories, with the real git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from asf_core.domain.skill import ParsedSkill, Skill
from asf_core.registry.parse import parse_skill
from asf_core.registry.source import RegistrySource

GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ann Author",
    "GIT_AUTHOR_EMAIL": "ann@example.invalid",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05+00:00",
    "GIT_COMMITTER_NAME": "Cam Committer",
    "GIT_COMMITTER_EMAIL": "cam@example.invalid",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05+00:00",
}


class Repo:
    """A git work tree under a temporary directory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def git(self, *arguments: str, **environment: str) -> str:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.path,
            env=kept | GIT_ENVIRONMENT | environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, path: str, text: str | bytes, *, executable: bool = False) -> Path:
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        if executable:
            target.chmod(0o755)
        return target

    def commit(self, subject: str = "change", **environment: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject, **environment)
        return self.git("rev-parse", "HEAD")


def skill_text(name: str, description: str = "Sort seeds by month.", extra: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{extra}---\n# {name}\n\nDo it.\n"


@pytest.fixture(autouse=True)
def clean_git_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the config or the variables of whoever runs it."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def registry(tmp_path: Path) -> Repo:
    """A registry outside git: ``write`` works, ``git`` does not."""
    path = tmp_path / "registry"
    path.mkdir()
    return Repo(path)


@pytest.fixture
def repo(registry: Repo) -> Repo:
    """A registry that is a git work tree with one committed skill."""
    registry.git("init", "-q", "-b", "main")
    registry.write("skills/seeds/SKILL.md", skill_text("seeds"))
    registry.write("skills/seeds/references/months.md", "january\nfebruary\n")
    registry.write("skills/seeds/scripts/sort.sh", "#!/bin/sh\nsort\n", executable=True)
    registry.commit("first")
    return registry


@pytest.fixture
def parse() -> Callable[..., ParsedSkill]:
    def run(text: str | bytes, path: str = "skills/seeds", **options: object) -> ParsedSkill:
        data = text.encode() if isinstance(text, str) else text
        return parse_skill(data, registry="reg", path=path, **options)

    return run


@pytest.fixture
def fields(parse: Callable[..., ParsedSkill]) -> Callable[..., ParsedSkill]:
    """Parse a whole skill whose frontmatter has some more fields."""

    def run(extra: str, **options: object) -> ParsedSkill:
        return parse(skill_text("seeds", extra=extra), **options)

    return run


@pytest.fixture
def open_source() -> Iterator[Callable[[Path], RegistrySource]]:
    opened: list[RegistrySource] = []

    def run(path: Path) -> RegistrySource:
        opened.append(RegistrySource.open(path, "reg"))
        return opened[-1]

    yield run
    for source in opened:
        source.close()


@pytest.fixture
def read_all(open_source: Callable[[Path], RegistrySource]) -> Callable[[Path], dict[str, Skill]]:
    """Every skill of a registry, by its path."""

    def run(path: Path) -> dict[str, Skill]:
        source = open_source(path)
        return {found.path: source.read(found) for found in source.discover().skills}

    return run


@pytest.fixture
def text() -> Callable[..., str]:
    """Text of a whole SKILL.md."""
    return skill_text
