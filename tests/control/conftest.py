"""A workspace of its own with a registry in git, driven through the services."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from asf_core.domain.pin import Scope
from asf_core.domain.policy import Role
from asf_core.domain.receipts import Verdict
from asf_core.registry.source import RegistrySource
from asf_core.services.control import ControlPlane
from asf_core.services.control.scanner import SCANNER_NAME, program_version
from asf_core.services.control.session import no_passphrase
from asf_core.services.engine import Engine
from asf_core.store.records import Records
from asf_core.store.values import SkillRecord

PRODUCT = Scope.parse("product:default")
SKILL = "reg/carver"


@dataclass
class Desk:
    """A curator at work."""

    engine: Engine
    registry: Path
    control: ControlPlane = field(init=False)
    now: datetime = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def __post_init__(self) -> None:
        self.control = self.plane()

    @property
    def records(self) -> Records:
        return self.engine._records

    def plane(self, actor: str = "kim") -> ControlPlane:
        """The control plane as another curator at the same workspace has it."""
        return ControlPlane(self.engine.workspace, lambda: self.records, now=self.tick, actor=actor)

    def tick(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.invalid")
        done = subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.registry,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, path: str, text: str, *, commit: bool = True) -> None:
        file = self.registry / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        if commit:
            self.git("add", "-A")
            self.git("commit", "-q", "-m", path)
        self.read()

    def read(self) -> None:
        """Take the registry's skills into the records, as a sync does, without encoders."""
        with RegistrySource.open(self.registry, "reg") as source:
            found = source.discover().skills
            known = self.records.fingerprints("reg").keys()
            self.records.drop_skills(
                [f"reg/{path}" for path in known - {skill.path for skill in found}]
            )
            self.records.put_skills(
                "reg",
                [SkillRecord(source.read(f), source.fingerprint(f), f.path, 1, 1) for f in found],
            )

    def trust_everything(self) -> None:
        trust = self.control.trust
        for role in Role:
            trust.new_key(role, role.value, None)
        trust.add_key("reviewer", Role.REVIEWER)
        trust.add_key("grantor", Role.GRANTOR)
        trust.add_scanner("scanner", SCANNER_NAME, program_version())
        trust.register_tools(["Read"])
        trust.set_channel("chat", ["Read"])

    def admit(self, ref: str) -> None:
        """Trust its source, scan it and approve it."""
        self.control.trust.allow_sources([ref])
        self.control.receipts.scan(ref, key=None, passphrase=no_passphrase)
        self.control.receipts.review(
            ref, Verdict.APPROVE, "reads well", key=None, passphrase=no_passphrase
        )

    def make_active(self, ref: str = SKILL) -> str:
        """Take in a skill as it is on disk and make it active; its version as a reference."""
        record = self.control.versions.add_skill(ref, scope=PRODUCT).record
        named = f"{record.content.skill_id}@{record.content.version}"
        self.admit(named)
        self.control.versions.activate(named)
        return named


def skill_text(version: str = "1.0.0", body: str = "Carve it.", name: str = "carver") -> str:
    return (
        f"---\nname: {name}\ndescription: Carves wood when asked to.\nversion: {version}\n"
        f"allowed-tools: Read\n---\n{body}\n"
    )


@pytest.fixture
def user_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's directory of one test."""
    directory = tmp_path / "user"
    monkeypatch.setenv("ASF_USER_DIR", str(directory))
    return directory


@pytest.fixture
def new_desk(tmp_path: Path, user_directory: Path) -> Iterator[Callable[[], Desk]]:
    """Makes the desk of the same workspace, or finds it again."""
    opened: list[Engine] = []
    assert user_directory

    def make() -> Desk:
        engine = Engine.open(tmp_path / "workspace")
        opened.append(engine)
        registry = tmp_path / "registry"
        desk = Desk(engine, registry)
        if not registry.exists():
            registry.mkdir()
            desk.git("init", "-q", "-b", "main")
            engine.add_registry(registry, "reg")
            desk.write("carver/SKILL.md", skill_text())
        return desk

    yield make
    for engine in opened:
        engine.close()


@pytest.fixture
def desk(new_desk: Callable[[], Desk]) -> Desk:
    """A desk whose workspace trusts its own keys."""
    made = new_desk()
    made.trust_everything()
    return made
