"""Builders of values for the store's tests."""

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from asf_core.domain.findings import Finding, Severity
from asf_core.domain.manifest import Quality, SkillManifest, SourceRef
from asf_core.domain.skill import Provenance, Skill, SkillState, TreeEntry
from asf_core.store.database import Database
from asf_core.store.records import Records
from asf_core.store.values import SkillRecord

# Test modules and the child processes that they start share helpers of this directory.
sys.path.insert(0, str(Path(__file__).parent))

MakeRecord = Callable[..., SkillRecord]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    target: Path | URL = tmp_path / "asf.db"
    if request.param == "postgresql":
        target = request.getfixturevalue("postgresql_url")
    with Database.open(target, busy_seconds=0.05) as opened:
        yield opened


@pytest.fixture
def records(database: Database) -> Records:
    made = Records(database)
    made.add_registry("reg", Path("/srv/reg"))
    return made


@pytest.fixture
def make_record() -> MakeRecord:
    def make(
        path: str,
        *,
        registry: str = "reg",
        slug: str | None = None,
        description: str = "Use when needed.",
        state: SkillState = SkillState.READY,
        severities: tuple[Severity, ...] = (),
        dirty: bool | None = False,
        body: str = "Do it.\n",
        view_digest: str = "v1",
        slop_score: float | None = None,
        digest: str | None = None,
    ) -> SkillRecord:
        name = slug or path.rsplit("/", 1)[-1]
        manifest = SkillManifest(
            id=f"{registry}/{path}",
            slug=name,
            name=name,
            version="1.10",
            description=description,
            source=SourceRef(registry=registry, path=path),
            quality=Quality(slop_score=slop_score),
            allowed_tools=(),
            metadata=(("author", "Zoë"),),
        )
        skill = Skill(
            manifest=manifest,
            body=body,
            body_line=4,
            state=state,
            state_reason="No frontmatter" if state is SkillState.BROKEN else "",
            tree=(
                TreeEntry(path="SKILL.md", kind="file", executable=False, size=3, sha256="0" * 64),
            ),
            digest=digest or hashlib.sha256(path.encode()).hexdigest(),
            findings=tuple(
                Finding(rule="format/x", severity=s, message="m", path=f"{path}/SKILL.md")
                for s in severities
            ),
            provenance=Provenance(kind="directory", dirty=dirty),
        )
        return SkillRecord(skill, f"fp-{path}", view_digest, 120, 12)

    return make
