"""What is given out: the reviewed bytes from the ledger, or a refusal that says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from asf_core.domain.errors import ConditionsError, RefusedError
from asf_core.domain.pin import Scope
from asf_core.domain.refusal import Condition
from asf_core.services.control.active import local_subject
from asf_core.services.exporting import Exporter
from tests.control.conftest import SKILL, Desk, skill_text
from tests.governance.test_candidates import refused


@pytest.fixture
def exporter(desk: Desk) -> Exporter:
    return Exporter(desk.control.session, len)


def test_the_reviewed_bytes_go_out_whatever_stands_on_disk(
    desk: Desk, exporter: Exporter, tmp_path: Path
) -> None:
    named = desk.make_active()
    desk.write("carver/SKILL.md", skill_text("2.0.0", "Carve it otherwise."))
    (skill,) = exporter.bundle([SKILL]).skills
    assert skill.instructions == "Carve it.\n"
    assert f"{skill.id}@{skill.version}" == named
    assert skill.pin is not None
    lock = exporter.bundle([SKILL]).to_skill_md_dir(tmp_path / "out")
    assert (tmp_path / "out" / "carver" / "SKILL.md").read_text() == skill_text()
    assert lock.skills[0].pin == skill.pin
    assert exporter.verify(tmp_path / "out") == (lock, ())


def test_what_nobody_reviewed_goes_out_only_when_asked_and_marked(
    desk: Desk, exporter: Exporter
) -> None:
    desk.write("saw/SKILL.md", skill_text(name="saw"))
    desk.make_active()
    with pytest.raises(RefusedError, match="1 of 2 skills have no reviewed version") as error:
        exporter.bundle([SKILL, "reg/saw"])
    assert "--allow-unreviewed" in error.value.hint
    bundle = exporter.bundle(["reg/saw", SKILL, "reg/saw"], allow_unreviewed=True)
    assert [skill.id for skill in bundle.skills] == ["reg/saw", SKILL]
    assert bundle.to_mcp().unreviewed == ("reg/saw",)


def test_a_version_goes_to_those_only_that_it_is_for(desk: Desk, exporter: Exporter) -> None:
    desk.control.versions.add_skill(SKILL, scope=Scope.parse("tenant:acme"))
    desk.admit("reg/carver@1.0.0")
    desk.control.versions.activate("reg/carver@1.0.0")
    with pytest.raises(ConditionsError) as error:
        exporter.bundle([SKILL], allow_unreviewed=True)
    assert refused(error) == {Condition.SCOPE}
    assert exporter.bundle([SKILL], subject=local_subject(None, "acme")).skills


def test_a_source_that_is_no_longer_trusted_stops_it(desk: Desk, exporter: Exporter) -> None:
    desk.make_active()
    (source,) = desk.control.trust.policy().sources
    desk.control.trust.remove("source", source.id)
    with pytest.raises(ConditionsError):
        exporter.bundle([SKILL], allow_unreviewed=True)


@pytest.mark.parametrize(
    ("text", "says"),
    [("no frontmatter", "was not exported"), (None, "quarantine")],
    ids=["broken", "quarantined"],
)
def test_a_skill_that_is_not_routed_is_not_given_out(
    text: str | None, says: str, desk: Desk, exporter: Exporter
) -> None:
    if text is None:
        desk.engine.quarantine(SKILL, "quarantine it")
    else:
        desk.write("carver/SKILL.md", text)
    with pytest.raises(RefusedError) as error:
        exporter.bundle([SKILL], allow_unreviewed=True)
    assert says in f"{error.value.what} {error.value.why}"
