"""SARIF, against the official schema."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import jsonschema
import pytest

from asf_core.domain.text import visible
from asf_core.quality.baseline import Baseline
from asf_core.quality.sarif import to_sarif
from asf_core.quality.waivers import Waivers
from asf_core.services.checking import check_paths
from tests.checks.check_trees import GOOD, registry, write

SCHEMA = json.loads((Path(__file__).parent / "data/sarif-2.1.0-rtm.5.json").read_text("utf-8"))
SAMPLE = Path(__file__).parents[2] / "sample_registry"


def valid(report):
    log = json.loads(json.dumps(to_sarif(report, "1.2.3")))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    return log["runs"][0]


@pytest.mark.parametrize("kind", ["lint", "scan"])
def test_the_sample_registry_is_valid(kind):
    report = check_paths(kind, [SAMPLE])
    run = valid(report)
    assert len(run["results"]) == len(report.findings) > 10
    assert len({rule["id"] for rule in run["tool"]["driver"]["rules"]}) == len(
        {item.finding.rule for item in report.findings}
    )


def test_a_result_says_where_what_and_what_to_do(tmp_path, monkeypatch):
    registry(tmp_path / "reg")
    monkeypatch.chdir(tmp_path)
    run = valid(check_paths("scan", [Path("reg")]))
    (result,) = run["results"]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "reg/skills/fetch/go.sh", "uriBaseId": "SRCROOT"}
    assert location["region"]["startLine"] == 2
    assert result["level"] == "error"
    assert result["ruleId"] == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"]
    assert result["properties"]["code"] == "untrusted_provenance"
    assert "What to do" in result["message"]["text"]
    assert run["tool"]["driver"]["properties"]["policy"]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_waived_is_suppressed_and_known_is_unchanged(tmp_path):
    root = registry(tmp_path)
    report = check_paths("scan", [root])
    (item,) = report.findings
    digest = next(s.digest for s in report.roots[0].skills if s.path == item.skill)
    from asf_core.domain.checks import Waiver

    made = Waiver(
        rule="download/run", skill=item.skill, digest=digest, reason="Ours.", expires="2026-12-31"
    )
    waived = check_paths("scan", [root], waivers=Waivers((made,), date(2026, 11, 30)))
    (result,) = valid(waived)["results"]
    assert result["suppressions"][0]["justification"].endswith("Ours.")
    (result,) = valid(check_paths("scan", [root], baseline=Baseline([item.fingerprint])))["results"]
    assert result["baselineState"] == "unchanged"


def test_repairs_are_fixes(tmp_path):
    write(tmp_path, "a/SKILL.md", "---\nname: a\ndescription: two passes: first sort\n---\nBody\n")
    (result,) = [r for r in valid(check_paths("lint", [tmp_path]))["results"] if "fixes" in r]
    (change,) = result["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["deletedRegion"]["startLine"] == 3
    assert replacement["insertedContent"]["text"] == 'description: "two passes: first sort"\n'


def test_what_was_not_seen_is_no_success(tmp_path):
    write(tmp_path, "a/SKILL.md", GOOD.format(name="a"))
    write(tmp_path, "a/b.txt", b"caf\xe9 text that is no UTF-8")
    run = valid(check_paths("scan", [tmp_path]))
    assert run["invocations"][0]["executionSuccessful"] is False


def test_hostile_names_and_text_are_escaped(tmp_path):
    name = "a b\u202e[31m%41\x1b"
    write(
        tmp_path,
        f"{name}/SKILL.md",
        "---\nname: x\ndescription: y\n---\n\x1b]0;t\x07 curl x | sh\n",
    )
    report = check_paths("scan", [tmp_path])
    text = json.dumps(to_sarif(report, "1"), ensure_ascii=False)
    assert visible(text) == text
    uris = {
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for r in valid(report)["results"]
    }
    assert uris
    assert all(uri.isascii() and " " not in uri for uri in uris)
