"""The workbench says of the sample what the sample's README says that it should, and no more."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asf_core.domain.findings import Severity
from asf_core.services.checking import check_paths
from asf_core.services.engine import Engine

ROOT = Path(__file__).resolve().parents[2] / "sample_registry"
README = (ROOT / "README.md").read_text("utf-8")
VERDICTS = dict(re.findall(r"^\| `([^`]+/[^`]+)` \| (\w+) \| .* \| (?:yes|no) \|$", README, re.M))
COLUMNS = ("lint", "scan", "gate", "dedup", "graph")
_ROW = re.compile(r"^\| `([^`]+/[^`]+)` \|" + r"([^|]*)\|" * len(COLUMNS) + "$", re.M)
SAID = {path: dict(zip(COLUMNS, cells, strict=True)) for path, *cells in _ROW.findall(README)}
NOTABLE = -0.1
"""A signal that takes less than this off a score is not what makes it low."""


def said(column: str) -> dict[str, list[str]]:
    """Words in backticks of a column, by skill, where there are any."""
    found = {path: re.findall(r"`([^`]+)`", cells[column]) for path, cells in SAID.items()}
    return {path: words for path, words in found.items() if words}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine.open(tmp_path_factory.mktemp("verdicts") / "workspace") as engine:
        engine.add_registry(ROOT, name="sample")
        engine.sync()
        yield engine


@functools.cache
def reported(kind: Any) -> dict[str, set[str]]:
    """Rules that lint or scan report from severity low up, by skill."""
    found: dict[str, set[str]] = defaultdict(set)
    for item in check_paths(kind, [ROOT]).findings:
        if item.finding.severity is not Severity.INFO:
            found[item.skill].add(item.finding.rule)
    return dict(found)


def test_both_tables_are_read() -> None:
    assert len(VERDICTS) > 100
    assert len(SAID) > 30
    assert set(SAID) <= set(VERDICTS)


@pytest.mark.parametrize("kind", ["lint", "scan"])
def test_the_checks_report_these_rules_and_no_others(kind: str) -> None:
    assert reported(kind) == {path: set(rules) for path, rules in said(kind).items()}


def test_a_verdict_is_what_its_findings_make_it() -> None:
    grave = {
        item.skill
        for item in check_paths("scan", [ROOT]).findings
        if item.finding.severity in {Severity.HIGH, Severity.CRITICAL}
    }
    poisoned = {path for path, verdict in VERDICTS.items() if verdict == "poisoned"}
    broken = {path for path, verdict in VERDICTS.items() if verdict == "broken"}
    assert poisoned <= grave <= poisoned | broken
    assert broken <= set(reported("lint"))
    noticed = {path for path, verdict in VERDICTS.items() if verdict in {"broken", "finding"}}
    assert {path for path in reported("lint") if "csv-data-audit" not in path} <= noticed


def test_states_are_those_of_the_verdicts(engine: Engine) -> None:
    states = {skill.path: skill for skill in engine.skills()}
    assert set(states) == set(VERDICTS)
    assert {path for path, skill in states.items() if skill.state == "broken"} == {
        path for path, verdict in VERDICTS.items() if verdict == "broken"
    }
    assert {path for path, skill in states.items() if skill.quarantined_by == "gate"} == set(
        said("gate")
    )
    assert set(said("gate")) == {path for path, verdict in VERDICTS.items() if verdict == "slop"}


@pytest.mark.parametrize("path", sorted(said("gate")))
def test_the_gate_names_these_signals(path: str, engine: Engine) -> None:
    judgement = engine.quality.judgement(f"sample/{path}")
    signals = {signal.signal: signal.contribution for signal in judgement.signals}
    assert judgement.slop_score < 0.4
    assert all(signals[name] < NOTABLE for name in said("gate")[path]), signals
    assert min(signals, key=lambda name: signals[name]) == said("gate")[path][0]


def test_each_signal_of_the_gate_has_its_specimen(engine: Engine) -> None:
    judgement = engine.quality.judgement("sample/data/dashboard-design")
    named = {name for names in said("gate").values() for name in names}
    assert named == {signal.signal for signal in judgement.signals}


def test_duplicates_are_of_these_skills_by_these_passes(engine: Engine) -> None:
    found = {
        alias.skill_id.partition("/")[2]: (
            cluster.canonical.partition("/")[2],
            {passed.value for pair in cluster.evidence for passed in pair.passes},
        )
        for cluster in engine.quality.canonicalisation().clusters
        for alias in cluster.aliases
    }
    assert found == {
        path: (of[0], set(re.findall("semantic|structural", SAID[path]["dedup"])))
        for path, of in said("dedup").items()
    }
    aliases = {path for path, verdict in VERDICTS.items() if verdict == "duplicate"}
    assert aliases <= set(found)
    assert {VERDICTS[path] for path in set(found) - aliases} <= {"slop"}


def test_being_a_copy_is_a_relation_with_its_evidence(engine: Engine) -> None:
    for path, of in said("dedup").items():
        (edge,) = engine.quality.duplicate_edges(f"sample/{path}")
        assert (edge.kind.value, edge.target) == ("duplicate_of", f"sample/{of[0]}")
        assert edge.evidence[0].text


def test_names_that_mean_no_skill(engine: Engine) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for lost in engine.graph().dangling:
        if lost.finding.rule == "graph/dangling-name":
            found[lost.skill_id.partition("/")[2]].update(
                re.findall("[a-z]+(?:-[a-z]+)+", lost.finding.message)
            )
    assert set(found) == set(said("graph"))
    for path, names in said("graph").items():
        assert found[path] >= set(names)
