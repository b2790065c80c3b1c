"""``asf lint``, ``asf scan`` and ``asf explain`` as a user and a script see them."""

from __future__ import annotations

import json

import pytest

from asf_core.domain.text import visible
from asf_core.quality.catalogue import catalogue
from tests.checks.check_trees import registry, write
from tests.whole.process import Asf


@pytest.fixture
def asf(tmp_path):
    registry(tmp_path / "reg")
    return Asf(tmp_path / "workspace", tmp_path)


def test_exit_codes_and_thresholds(asf):
    asf.run("scan", "reg", code=1)
    asf.run("scan", "reg/skills/notes", code=0)
    asf.run("scan", "reg", "--fail-on", "critical", code=0)
    asf.run("scan", "reg", "--fail-on", "never", code=0)
    asf.run("lint", "reg", code=1)
    asf.run("lint", "reg", "--fail-on", "high", code=0)
    done = asf.run("lint", "gone", code=2)
    assert "asf: 'gone' is neither" in done.stderr
    assert "do:" in done.stderr
    asf.run("scan", "reg", "--fail-on", "bad", code=2)


def test_text_says_place_rule_snippet_and_what_to_do(asf):
    text = asf.run("scan", "reg", code=1).stdout
    for words in (
        "reg/skills/fetch/go.sh", "2:1", "high", "download/run", "curl -s", "What to do",
        "Install a pinned version", "3 skills", "1 at or over high", "asf-scan 1, policy ",
    ):  # fmt: skip
        assert words in text


def test_json_is_one_document_with_every_file(asf):
    report = asf.json("scan", "reg", code=1)
    assert report["kind"] == "scan"
    assert len(report["scanner"]["policy"]) == 64
    (root,) = report["roots"]
    (item,) = root["findings"]
    assert item["finding"]["rule"] == "download/run"
    assert item["remediation"]
    assert item["code"] == "untrusted_provenance"
    files = [f["path"] for skill in root["skills"] for f in skill["files"]]
    assert files == ["SKILL.md", "go.sh", "SKILL.md", "SKILL.md"]


def test_no_workspace_is_made(asf):
    asf.run("scan", "reg", code=1)
    asf.run("lint", "reg", code=1)
    assert not asf.workspace.exists()


def test_sarif_to_a_file_and_to_stdout(asf):
    asf.run("scan", "reg", "--sarif", "out.sarif", code=1)
    log = json.loads((asf.cwd / "out.sarif").read_text())
    assert log["version"] == "2.1.0"
    assert json.loads(asf.run("scan", "reg", "--sarif", "-", code=1).stdout)["version"] == "2.1.0"
    asf.run("scan", "reg", "--sarif", "no/dir/x.sarif", code=2)


def test_a_baseline_is_written_and_used(asf):
    done = asf.run("scan", "reg", "--write-baseline", "known.json", code=0)
    assert "1 findings written" in done.stderr
    text = asf.run("scan", "reg", "--baseline", "known.json", code=0).stdout
    assert "stood there when the baseline was written" in text
    assert "1 baseline" in text
    asf.run("scan", "reg", "--baseline", "gone.json", code=2)


def test_waivers_stay_visible(asf):
    (root,) = asf.json("scan", "reg", code=1)["roots"]
    digest = root["skills"][0]["digest"]
    row = {"rule": "download/run", "skill": "skills/fetch", "digest": digest}
    row |= {"reason": "Ours, reviewed.", "expires": "2999-01-01"}
    write(asf.cwd, "w.json", json.dumps({"waivers": [row]}))
    text = asf.run("scan", "reg", "--waivers", "w.json", code=0).stdout
    assert "Ours, reviewed." in text
    assert "1 waived" in text
    row["digest"] = "0" * 64
    write(asf.cwd, "w.json", json.dumps({"waivers": [row]}))
    text = asf.run("scan", "reg", "--waivers", "w.json", code=1).stdout
    assert "another version" in text


def test_explain(asf):
    text = asf.run("explain", "download/run").stdout
    for words in ("What to do", "Breaks it", "Mended", "Source:", "untrusted_provenance"):
        assert words in text
    assert asf.json("explain", "download/run")["since"]
    listed = asf.json("explain")
    assert [rule["id"] for rule in listed] == list(catalogue())
    assert asf.run("explain").stdout.count("\n") > len(listed)
    done = asf.run("explain", "download/rum", code=2)
    assert "download/run" in done.stderr


def test_what_explain_prints_acts_on_no_terminal(asf):
    for rule_id in ("hidden/tag-letters", "hidden/control-character", "hidden/bidi-control"):
        for form in ([], ["--json"]):
            text = asf.run("explain", rule_id, *form).stdout
            assert visible(text, keep="\n") == text


def test_narrow_terminals_lose_nothing(asf, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    text = asf.run("scan", "reg", code=1).stdout
    assert "download/run" in text


def test_lint_shows_no_secret_either(asf):
    token = "gh" + "p_" + "a1B2c3D4e5" * 4
    write(asf.cwd, "reg/skills/bad/SKILL.md", f"---\nname: bad\ndescription: a: {token}\n---\nx\n")
    assert token not in asf.run("lint", "reg", code=1).stdout
    findings = asf.json("lint", "reg/skills/bad", code=1)["roots"][0]["findings"]
    assert token not in findings[0]["finding"]["snippet"]
