import os
from pathlib import Path

import pytest

from asf_core.domain.errors import InputError
from asf_core.domain.findings import Finding, Severity
from asf_core.store.records import Records

FINDINGS = tuple(
    Finding(rule="format/encoding", severity=Severity.HIGH, message=m, path=f"{m}/SKILL.md")
    for m in ("b", "a", "ü\x00\x1b[31m")
)


def test_a_registry_is_added_once(records: Records) -> None:
    first = records.add_registry("other", Path("/srv/other"))
    assert records.add_registry("other", Path("/srv/other")) == first
    assert [(r.name, r.path, r.skills, r.synced_at) for r in records.registries()] == [
        ("other", "/srv/other", 0, None),
        ("reg", "/srv/reg", 0, None),
    ]


@pytest.mark.parametrize(
    ("name", "path", "what"),
    [
        ("reg", Path("/srv/elsewhere"), "'reg' already"),
        ("copy", Path("/srv/reg"), "in the workspace already"),
        ("", Path("/x"), "cannot be the name"),
        (".", Path("/x"), "cannot be the name"),
        ("..", Path("/x"), "cannot be the name"),
        ("a/b", Path("/x"), "cannot be the name"),
        ("a\\b", Path("/x"), "cannot be the name"),
        (" a", Path("/x"), "cannot be the name"),
        ("a\n", Path("/x"), "cannot be the name"),
        ("a\u202eb", Path("/x"), "cannot be the name"),
        ("x" * 101, Path("/x"), "cannot be the name"),
        ("ok", Path("relative"), "not absolute"),
        ("ok", Path(os.fsdecode(b"/srv/\xff")), "not UTF-8"),
    ],
)
def test_a_registry_that_is_refused(records: Records, name: str, path: Path, what: str) -> None:
    before = records.registries()
    with pytest.raises(InputError) as caught:
        records.add_registry(name, path)
    assert what in caught.value.what
    assert caught.value.hint
    assert records.registries() == before


def test_removing_takes_all_but_decisions(records: Records, make_record) -> None:
    records.put_skills("reg", [make_record("b"), make_record("a")])
    records.put_registry_findings("reg", FINDINGS)
    records.start_run("reg")
    assert records.remove_registry("reg") == ("reg/a", "reg/b")
    assert records.registries() == ()
    assert records.rows() == ()
    assert records.registry_findings("reg") == ()
    assert records.last_run("reg") is None


def test_removing_an_unknown_one_names_the_known(records: Records) -> None:
    with pytest.raises(InputError) as caught:
        records.remove_registry("rag")
    assert "reg" in caught.value.why


def test_registry_findings_are_replaced_and_keep_their_order(records: Records) -> None:
    records.put_registry_findings("reg", FINDINGS)
    assert records.registry_findings("reg") == FINDINGS
    records.put_registry_findings("reg", FINDINGS[:1])
    assert records.registry_findings("reg") == FINDINGS[:1]
    records.put_registry_findings("reg", ())
    assert records.registry_findings("reg") == ()


def test_a_run_that_is_done_dates_the_registry(records: Records) -> None:
    number = records.start_run("reg")
    assert records.registries()[0].synced_at is None
    records.finish_run(number, "done", '{"added": 1}')
    run = records.last_run("reg")
    assert run is not None
    assert (run.number, run.outcome, run.report) == (number, "done", '{"added": 1}')
    assert records.registries()[0].synced_at == run.finished_at


@pytest.mark.parametrize("outcome", ["cancelled", "failed"])
def test_a_run_that_was_stopped_does_not(records: Records, outcome: str) -> None:
    records.finish_run(records.start_run("reg"), outcome)
    assert records.registries()[0].synced_at is None


def test_a_run_whose_process_died_is_closed_by_the_next(records: Records) -> None:
    records.start_run("reg")
    number = records.start_run("reg")
    records.finish_run(number, "failed")
    assert records.last_run("reg").number == number
    third = records.start_run("reg")
    assert records.last_run("reg").outcome is None
    assert third > number
