"""From what a skill's files reach to edges, with the place that says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from asf_core.graph.build import GraphResult, build_edges
from asf_core.graph.references import MAX_BYTES, MAX_SCRIPTS
from asf_core.registry.source import RegistrySource
from asf_core.services.reading import graph_input, read_skill

SAMPLE = Path(__file__).resolve().parents[2] / "sample_registry"
HEAD = "---\nname: {name}\ndescription: D of {name}.\n---\n\n# T\n\nDo it.\n"


def registry(root: Path, files: Mapping[str, str]) -> Path:
    """Skills ``a-a``, ``b-b`` and ``deep/c-c``, and further files."""
    skills = {
        f"{path}/SKILL.md": HEAD.format(name=path.rpartition("/")[2])
        for path in ("a-a", "b-b", "deep/c-c")
    }
    for path, text in {**skills, **files}.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


def graph(root: Path) -> GraphResult:
    with RegistrySource.open(root, "r") as source:
        skills = [read_skill(source, found)[0] for found in source.discover().skills]
    return build_edges(map(graph_input, skills))


def told(result: GraphResult) -> list[tuple[str, str, str, str, float, str, int]]:
    return [
        (
            e.source[2:],
            e.target[2:],
            e.kind.value,
            e.origin.value,
            e.confidence,
            e.evidence[0].path,
            e.evidence[0].line,
        )
        for e in result.edges
    ]


EDGES = {
    "an import": (
        {"a-a/scripts/x.js": "// x\nrequire('../../b-b/scripts/y.js')\n"},
        [("a-a", "b-b", "depends_on", "EXTRACTED", 1.0, "a-a/scripts/x.js", 2)],
    ),
    "into a directory further down": (
        {"a-a/x.sh": '. "$(dirname "$0")/../deep/c-c/lib.sh"\n'},
        [("a-a", "deep/c-c", "depends_on", "EXTRACTED", 1.0, "a-a/x.sh", 1)],
    ),
    "a process": (
        {"a-a/x.py": "import subprocess\nsubprocess.run(['python3', '../b-b/y.py'])\n"},
        [("a-a", "b-b", "depends_on", "INFERRED", 0.6, "a-a/x.py", 2)],
    ),
    "the end of a path": (
        {"a-a/x.sh": 'sh "$ROOT/skills/c-c/y.sh"\n'},
        [("a-a", "deep/c-c", "depends_on", "INFERRED", 0.6, "a-a/x.sh", 1)],
    ),
    "a name": (
        {"a-a/x.py": "invoke_skill('b-b')\n"},
        [("a-a", "b-b", "depends_on", "INFERRED", 0.6, "a-a/x.py", 1)],
    ),
    "a command in the instructions": (
        {"a-a/SKILL.md": HEAD.format(name="a-a") + "\n```sh\npython3 ../b-b/y.py\n```\n"},
        [("a-a", "b-b", "depends_on", "INFERRED", 0.6, "a-a/SKILL.md", 11)],
    ),
    "a script without an ending": (
        {"a-a/bin/run": "#!/usr/bin/env bash\n. $(dirname $0)/../../b-b/x\n"},
        [("a-a", "b-b", "depends_on", "EXTRACTED", 1.0, "a-a/bin/run", 2)],
    ),
    "a directory that is no skill": ({"a-a/x.js": "require('../lib/y.js'); require('../../..')"}, []),
    "beyond the registry": ({"a-a/x.js": "require('../../../../b-b/y.js'); require('/b-b/y.js')"}, []),
    "itself": ({"a-a/x.js": "require('../a-a/y.js')"}, []),
    "data": ({"a-a/x.json": "require('../b-b/y.js')", "a-a/x.md": "`python ../b-b/y.py`"}, []),
}  # fmt: skip


@pytest.mark.parametrize(("files", "edges"), EDGES.values(), ids=EDGES)
def test_edges(files: dict[str, str], edges: list[tuple[object, ...]], tmp_path: Path) -> None:
    assert told(graph(registry(tmp_path, files))) == edges


def test_a_name_that_no_skill_carries_is_a_finding(tmp_path: Path) -> None:
    result = graph(registry(tmp_path, {"a-a/x.py": "run_skill('b-bb')\n"}))
    assert result.edges == ()
    (found,) = result.dangling
    assert (found.finding.rule, found.finding.path, found.finding.line) == ("graph/dangling-name", "a-a/x.py", 1)  # fmt: skip
    assert "nearest: 'b-b'" in found.finding.message


def test_a_name_means_a_broken_skill_and_not_its_namesake(tmp_path: Path) -> None:
    body = HEAD.format(name="a-a") + "\nUse `x-x`.\n"
    good = HEAD.format(name="x-x")
    files = {"en/a-a/SKILL.md": body, "en/x-x/SKILL.md": "", "fr/x-x/SKILL.md": good}
    edges = graph(registry(tmp_path, files)).edges
    assert [(e.source, e.target) for e in edges] == [("r/en/a-a", "r/en/x-x")]


def test_bounds_on_what_is_read(tmp_path: Path) -> None:
    reach = "require('../b-b/y.js')\n"
    big = registry(tmp_path / "big", {"a-a/x.js": reach + "// " + "x" * MAX_BYTES})
    assert graph(big).edges == ()
    binary = registry(tmp_path / "binary", {"a-a/x.js": reach + "\0"})
    assert graph(binary).edges == ()
    many = {f"a-a/s/f{i:04}.js": "require('..')\n" for i in range(MAX_SCRIPTS)}
    crowded = registry(tmp_path / "many", {**many, "a-a/z.js": reach})
    assert graph(crowded).edges == ()


def test_a_link_to_another_skills_script_is_not_followed(tmp_path: Path) -> None:
    root = registry(tmp_path, {"b-b/y.js": "require('../deep/c-c/z.js')\n"})
    (root / "a-a" / "x.js").symlink_to("../b-b/y.js")
    assert {(e.source, e.target) for e in graph(root).edges} == {("r/b-b", "r/deep/c-c")}


def test_declared_relations_stand_on_their_line(tmp_path: Path) -> None:
    head = "---\nname: a-a\ndescription: D.\ncomplements:\n  - b-b\n---\n\n# A\n\nDo.\n"
    (edge,) = graph(registry(tmp_path, {"a-a/SKILL.md": head})).edges
    assert (edge.evidence[0].path, edge.evidence[0].line, edge.evidence[0].text) == ("a-a/SKILL.md", 5, "- b-b")  # fmt: skip


def test_the_samples_scripts() -> None:
    """The relations that the sample's README says stand in scripts."""
    found = {
        edge.source.partition("/")[2]: (edge.target.rpartition("/")[2], said.kind.value, said.confidence)
        for edge in graph(SAMPLE).edges
        for said in edge.evidence
        if said.path.endswith((".js", ".sh", ".py"))
    }  # fmt: skip
    assert found == {
        "data/seasonal-forecast": ("time-series-gap-fill", "depends_on", 1.0),
        "engineering/api-breaking-change-review": ("dependency-upgrade-triage", "depends_on", 1.0),
        "engineering/container-image-slimming": ("shell-script-hardening", "depends_on", 1.0),
        "engineering/incident-response/postmortem-draft": ("incident-timeline", "depends_on", 1.0),
    }
