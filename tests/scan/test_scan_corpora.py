"""The table of judgements holds, and its tool tells what it lacks."""

from __future__ import annotations

from asf_core.quality.catalogue import catalogue
from tests.checks.check_trees import registry
from tests.scan.corpora import judged, main


def test_each_judgement_names_a_rule_and_a_reason():
    rows = judged()
    assert rows
    for (skill, rule), row in rows.items():
        assert skill.count("/") >= 1
        assert rule in catalogue()
        assert row["judgement"].split(",")[0] in {"true", "false alarm", "arguable"}
        assert len(row["reason"]) > 40


def test_what_was_not_judged_is_told(tmp_path, capsys):
    assert main(registry(tmp_path)) == 1
    printed = capsys.readouterr().out
    assert "33.33% with a high" in printed
    assert "skills/fetch  download/run  line 2  NOT JUDGED" in printed
