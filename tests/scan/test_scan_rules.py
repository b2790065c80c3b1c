"""Every rule is declared whole, its examples are true, and its code is one of the closed list."""

from __future__ import annotations

import re
from datetime import date

import pytest

from asf_core.domain.errors import InputError
from asf_core.domain.findings import FindingCode
from asf_core.quality.catalogue import catalogue, code_of, rule_of
from asf_core.quality.scan import policy_fingerprint
from asf_core.quality.scan import rules as scan_rules
from asf_core.quality.scan.scanner import policy_fingerprint as fingerprint
from asf_core.registry.parse import parse_skill
from tests.scan.skill_files import HEAD, rules, skill

WITH_OWN_TEST = {
    "paths/archive-escape", "hooks/editor", "provenance/executable-binary", "provenance/archive",
    "provenance/disguised", "integrity/checksum", "evaluation/empty", "scan/incomplete",
    "scan/more-findings", "scan/left-out",
}  # fmt: skip
"""Rules whose example is a file and not a text; test_scan_files.py breaks each."""


@pytest.mark.parametrize("rule", catalogue().values(), ids=catalogue().keys())
def test_each_rule_is_declared_whole(rule):
    assert re.fullmatch(r"[a-z]+/[a-z0-9-]+", rule.id)
    assert all((rule.title, rule.why, rule.remedy, rule.bad, rule.good, rule.source))
    assert rule.why[0].isupper()
    assert rule.why.endswith(".")
    assert (
        rule.title[0].islower()
        or not rule.title[0].isalpha()
        or rule.title[:2].isupper()
        or "SKILL" in rule.title
    )
    assert date.fromisoformat(rule.since)


def test_ids_are_unique_and_each_has_one_code():
    assert len(catalogue()) == len({rule.id for rule in catalogue().values()})
    assert {code_of(rule_id) for rule_id in catalogue()} <= set(FindingCode)
    assert all(isinstance(rule.code, FindingCode) for rule in catalogue().values())


def test_each_code_of_the_closed_list_has_a_rule():
    assert {rule.code for rule in scan_rules.ALL} == set(FindingCode)


def test_a_rule_from_elsewhere_is_unknown_and_never_clean():
    assert code_of("other/engine-rule") is FindingCode.UNKNOWN


def places(text: str) -> list[dict[str, str | bytes]]:
    """Where an example may stand: in a SKILL.md, or in a script of one language or another."""
    if text.startswith("---\n"):
        return [{"SKILL.md": text}]
    named = [
        {"SKILL.md": HEAD, name: text + "\n"} for name in ("a.sh", "a.py", "a.js", "package.json")
    ]
    return [skill(text), *named]


TEXTUAL = [rule for rule in scan_rules.ALL if rule.id not in WITH_OWN_TEST]


@pytest.mark.parametrize("rule", TEXTUAL, ids=[rule.id for rule in TEXTUAL])
def test_the_examples_of_the_scan_are_true(rule):
    assert any(rule.id in rules(files) for files in places(rule.bad)), (
        "its bad example is not found"
    )
    assert not any(rule.id in rules(files) for files in places(rule.good)), "its good one is"


FORMAT = [
    rule
    for rule in catalogue().values()
    if rule.family in ("format", "security") and "\n" in rule.bad and rule.bad.startswith("---")
]


@pytest.mark.parametrize("rule", FORMAT, ids=[rule.id for rule in FORMAT])
def test_the_examples_of_the_format_are_true(rule):
    for text, broken in ((rule.bad, True), (rule.good, False)):
        parsed = parse_skill(text.encode(), registry="r", path="tidy")
        assert (rule.id in {f.rule for f in parsed.findings}) is broken


def test_an_unknown_rule_names_the_nearest():
    with pytest.raises(InputError, match="injection/override"):
        rule_of("injection/overide")
    with pytest.raises(InputError, match="download/run"):
        rule_of("run")


def test_the_policy_has_a_fingerprint_that_stays(monkeypatch):
    first = policy_fingerprint()
    assert re.fullmatch(r"[0-9a-f]{64}", first)
    fingerprint.cache_clear()
    assert fingerprint() == first
    fingerprint.cache_clear()
    monkeypatch.setattr("asf_core.quality.scan.scanner.MAX_SKILL_TEXT", 1)
    assert fingerprint() != first
    fingerprint.cache_clear()
