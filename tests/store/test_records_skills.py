from pathlib import Path

import pytest

from asf_core.domain.errors import AmbiguousSkillError, StoreError, UnknownSkillError
from asf_core.domain.findings import Severity
from asf_core.domain.skill import SkillState
from asf_core.store.records import Records

HOSTILE = "nul \x00 esc \x1b[2J bidi \u202e quote ' \" emoji 🦜 separator \u2028 tag \U000e0041"


def test_a_skill_comes_back_as_it_went_in(records: Records, make_record) -> None:
    record = make_record(
        "o'brien/ünï", description=HOSTILE, body=HOSTILE * 100, severities=(Severity.LOW,)
    )
    records.put_skills("reg", [record])
    assert records.skill("reg/o'brien/ünï") == record.skill
    assert list(records.records()) == [record]
    assert records.rows()[0].description == HOSTILE.replace("\x00", "␀")


def test_rows_are_light_and_sorted(records: Records, make_record) -> None:
    records.put_skills(
        "reg",
        [
            make_record("b", severities=(Severity.LOW, Severity.HIGH, Severity.INFO)),
            make_record("a", dirty=None, slop_score=0.25),
            make_record("c", state=SkillState.BROKEN, dirty=True, view_digest=""),
        ],
    )
    found = [
        (r.id, r.path, r.state, r.state_reason, r.findings, r.worst, r.dirty, r.slop_score)
        for r in records.rows()
    ]
    ready, broken = SkillState.READY, SkillState.BROKEN
    assert found == [
        ("reg/a", "a", ready, "", 0, None, None, 0.25),
        ("reg/b", "b", ready, "", 3, Severity.HIGH, False, None),
        ("reg/c", "c", broken, "No frontmatter", 0, None, True, None),
    ]
    assert {(r.version, r.tokens, r.registry) for r in records.rows()} == {("1.10", 120, "reg")}
    assert [r.skills for r in records.registries()] == [3]


def test_putting_again_replaces(records: Records, make_record) -> None:
    records.put_skills("reg", [make_record("a"), make_record("b")])
    changed = make_record("a", body="Other.\n", view_digest="v2")
    records.put_skills("reg", [changed])
    records.put_skills("reg", [])
    assert records.skill("reg/a") == changed.skill
    assert records.view_digests() == {"reg/a": "v2", "reg/b": "v1"}
    assert len(records.rows()) == 2


def test_fingerprints_and_view_digests_are_by_registry(records: Records, make_record) -> None:
    records.add_registry("two", Path("/srv/two"))
    records.put_skills("reg", [make_record("a"), make_record("x/y", view_digest="")])
    records.put_skills("two", [make_record("a", registry="two")])
    assert records.fingerprints("reg") == {"a": "fp-a", "x/y": "fp-x/y"}
    assert records.fingerprints("none") == {}
    assert records.view_digests("reg") == {"reg/a": "v1"}
    assert records.view_digests() == {"reg/a": "v1", "two/a": "v1"}
    assert [row.id for row in records.rows("two")] == ["two/a"]
    assert [r.skill.manifest.id for r in records.records("two")] == ["two/a"]


def test_dropping_passes_over_what_is_not_there(records: Records, make_record) -> None:
    records.put_skills("reg", [make_record(f"s{n}") for n in range(5)])
    records.drop_skills([f"reg/s{n}" for n in range(1, 12_000)])
    assert [row.id for row in records.rows()] == ["reg/s0"]
    with pytest.raises(UnknownSkillError):
        records.skill("reg/s1")


def test_records_come_page_by_page_in_order(records: Records, make_record) -> None:
    some = [make_record(f"s{n:04}") for n in range(1_001)]
    records.put_skills("reg", some[::-1])
    assert list(records.records()) == some


def test_a_registry_that_is_gone_refuses_skills(records: Records, make_record) -> None:
    records.remove_registry("reg")
    with pytest.raises(StoreError):
        records.put_skills("reg", [make_record("a")])


def test_a_skill_of_another_registry_is_a_mistake(records: Records, make_record) -> None:
    with pytest.raises(ValueError, match="two/a"):
        records.put_skills("reg", [make_record("a", registry="two")])
    assert records.rows() == ()


@pytest.fixture
def named(records: Records, make_record) -> Records:
    records.add_registry("two", Path("/srv/two"))
    records.put_skills("reg", [make_record("a/pdf"), make_record("b/csv"), make_record("docx")])
    records.put_skills("two", [make_record("z/pdf", registry="two")])
    # A slug that is the id of another skill: the id goes first.
    records.put_skills("two", [make_record("odd", registry="two", slug="reg/docx")])
    return records


@pytest.mark.parametrize(
    ("ref", "skill_id"),
    [("csv", "reg/b/csv"), ("two/z/pdf", "two/z/pdf"), ("reg/docx", "reg/docx")],
)
def test_a_reference_resolves(named: Records, ref: str, skill_id: str) -> None:
    assert named.resolve(ref) == skill_id


def test_an_ambiguous_slug_lists_the_choices(named: Records) -> None:
    with pytest.raises(AmbiguousSkillError) as caught:
        named.resolve("pdf")
    assert caught.value.choices == ("reg/a/pdf", "two/z/pdf")


@pytest.mark.parametrize(
    ("ref", "nearest"),
    [("CSW", "reg/b/csv"), ("reg/a/pdg", "reg/a/pdf"), ("dcox", "reg/docx")],
)
def test_an_unknown_reference_names_the_nearest(named: Records, ref: str, nearest: str) -> None:
    with pytest.raises(UnknownSkillError) as caught:
        named.resolve(ref)
    assert nearest in caught.value.nearest
    with pytest.raises(UnknownSkillError) as caught:
        named.skill(ref)
    assert nearest in caught.value.nearest


@pytest.mark.parametrize("ref", ["", "qqqqqqqq", "%", "' OR 1=1 --"])
def test_a_far_reference_names_none(named: Records, ref: str) -> None:
    with pytest.raises(UnknownSkillError) as caught:
        named.resolve(ref)
    assert caught.value.nearest == ()
