"""``asf graph`` on the synced sample registry."""

from __future__ import annotations

import io
import json

import networkx as nx
import pytest

from asf_core.domain.skill_graph import Neighbourhood, SkillGraph
from asf_core.domain.text import visible
from tests.whole.process import READABLE, Asf

REF = "sample_registry/engineering/container-image-slimming"


def test_neighbours_with_kinds_confidence_and_evidence(synced: Asf) -> None:
    near = Neighbourhood.model_validate_json(synced.run("graph", REF, "--json").stdout)
    edges = {edge.target.rpartition("/")[2]: edge for edge in near.edges}
    needed = edges["shell-script-hardening"]
    assert (needed.kind.value, needed.confidence, needed.origin.value) == ("depends_on", 1.0, "EXTRACTED")  # fmt: skip
    places = {(said.path.rpartition("/")[2], said.origin.value) for said in needed.evidence}
    assert places == {("audit.sh", "EXTRACTED"), ("SKILL.md", "INFERRED")}
    assert {node.slug for node in near.neighbours} == {"shell-script-hardening", "dependency-upgrade-triage"}  # fmt: skip
    assert REF in near.community.members
    page = synced.run("graph", REF).stdout
    for word in (
        "-> depends_on 1.0 EXTRACTED",
        "scripts/audit.sh:6",
        "It says of others",
        "community",
    ):
        assert word in page


def test_the_whole_in_figures_with_communities_and_dangling_names(synced: Asf) -> None:
    whole = SkillGraph.model_validate_json(synced.run("graph", "--json").stdout)
    ids = {node.id for node in whole.nodes}
    assert all(edge.source in ids and edge.target in ids for edge in whole.edges)
    assert sorted(member for group in whole.communities for member in group.members) == sorted(ids)
    assert any(group.name == "science" for group in whole.communities)
    lost = [found.finding.message for found in whole.dangling]
    assert any("paper-folding-basics" in message for message in lost)
    page = synced.run("graph").stdout
    for word in ("Relations", "Best joined", "Communities", "science", "paper-folding-basics"):
        assert word in page


@pytest.mark.parametrize("arguments", [(), (REF,)])
def test_exports_are_read_by_networkx(synced: Asf, arguments: tuple[str, ...]) -> None:
    graphml = synced.run("graph", *arguments, "--format", "graphml").stdout
    linked = synced.run("graph", *arguments, "--format", "json").stdout
    one = nx.read_graphml(io.BytesIO(graphml.encode()))
    other = nx.node_link_graph(json.loads(linked), edges="edges")
    assert set(one.edges) == set(other.edges)
    assert set(one) == set(other)
    assert len(one) == (3 if arguments else READABLE)
    assert synced.run("graph", *arguments, "--format", "dot").stdout.startswith("digraph skills {")


def test_wrong_usage(synced: Asf) -> None:
    assert "graphml, dot, json" in synced.run("graph", "--format", "png", code=2).stderr
    assert "no registry" in synced.run("graph", "--registry", "zoo", code=2).stderr
    broken = synced.run("graph", "sample_registry/malformed/no-frontmatter", code=2)
    assert "cannot be read" in broken.stderr
    synced.run("graph", "no-such-skill", code=2)


@pytest.mark.parametrize("form", [(), ("--json",), ("--format", "dot"), ("--format", "json"), ("--format", "graphml")])  # fmt: skip
def test_nothing_that_acts_on_a_terminal_is_printed(synced: Asf, form: tuple[str, ...]) -> None:
    for arguments in ((), ("sample_registry/office/quick-translate",)):
        printed = synced.run("graph", *arguments, *form).stdout
        assert visible(printed, keep="\n") == printed


def test_an_empty_workspace_says_what_to_do(synced: Asf, tmp_path) -> None:  # type: ignore[no-untyped-def]
    empty = Asf(tmp_path / "workspace", synced.cwd)
    assert "asf sync" in empty.run("graph", code=4).stderr
