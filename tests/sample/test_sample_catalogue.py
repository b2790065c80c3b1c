"""The sample registry says of itself what is there: table, tasks, relations, format."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from skills_ref import validate

ROOT = Path(__file__).resolve().parents[2] / "sample_registry"
CONTENT = {"engineering/skill-scaffolder/assets/template"}
VERDICTS = {"ready", "finding", "broken", "slop", "duplicate", "poisoned"}
RELATIONS = {
    "depends_on",
    "required_sub_skills",
    "complements",
    "co_used_with",
    "conflicts_with",
    "tested_by",
    "extends",
    "version_of",
}
ROW = re.compile(r"^\| `([^`]+/[^`]+)` \| (\w+) \| (.*) \| (yes|no) \|$", re.MULTILINE)
TABLE = {
    path: (verdict, note, valid == "yes")
    for path, verdict, note, valid in ROW.findall((ROOT / "README.md").read_text("utf-8"))
}


def tasks(name: str) -> list[dict]:
    return [json.loads(line) for line in (ROOT / name).read_text("utf-8").splitlines()]


TASKS, HUNDRED = tasks("tasks.jsonl"), tasks("sample_100.jsonl")


@functools.cache
def skill_files() -> dict[str, Path]:
    files = [path for path in ROOT.rglob("*") if path.name.lower() == "skill.md"]
    return {path.parent.relative_to(ROOT).as_posix(): path for path in files}


@functools.cache
def front(path: Path) -> dict[str, object]:
    """Frontmatter of a well-formed skill, our fields lifted to the top, names in snake case."""
    fields = yaml.safe_load(path.read_text("utf-8").split("---\n")[1])
    flat: dict[str, object] = {}
    pending = [fields]
    while pending:
        for name, value in pending.pop().items():
            if name in {"metadata", "asf", "graph"}:
                pending.append(value)
            flat[name.replace("-", "_")] = value
    return flat


def well_formed() -> list[str]:
    return [path for path, (verdict, _, _) in TABLE.items() if verdict != "broken"]


def names(value: object) -> list[str]:
    return [value] if isinstance(value, str) else [str(name) for name in value or ()]


def test_every_skill_has_a_row_and_every_row_a_skill() -> None:
    assert set(TABLE) == set(skill_files()) - CONTENT
    assert {verdict for verdict, _, _ in TABLE.values()} == VERDICTS


def test_the_registry_is_large_enough_to_try_things_on() -> None:
    groups = {path.split("/")[0] for path in TABLE}
    ready = [path for path, (verdict, _, _) in TABLE.items() if verdict == "ready"]
    assert {"science", "engineering", "office", "malformed"} <= groups
    assert len(groups) >= 10
    assert len(ready) >= 70


@pytest.mark.parametrize("path", sorted(TABLE))
def test_official_validator_says_what_the_table_says(path: str) -> None:
    try:
        problems = validate(ROOT / path)
    except UnicodeDecodeError as error:
        problems = [str(error)]
    assert (problems == []) is TABLE[path][2], problems


@pytest.mark.parametrize("path", sorted(path for path in TABLE if TABLE[path][0] == "ready"))
def test_good_skills_are_whole(path: str) -> None:
    text = skill_files()[path].read_text("utf-8")
    if path.startswith("malformed/"):
        return
    fields = front(skill_files()[path])
    assert 60 <= text.count("\n") <= 150
    assert 80 <= len(str(fields["description"])) <= 1024
    assert fields["name"] == path.rsplit("/", 1)[-1]
    assert fields["license"] == "Apache-2.0"
    assert fields["version"]


def test_every_kind_of_relation_is_declared() -> None:
    declared = {name for path in well_formed() for name in front(skill_files()[path])}
    assert declared >= RELATIONS


def test_declared_relations_name_skills_that_exist() -> None:
    known = {path.rsplit("/", 1)[-1] for path in TABLE} | set(TABLE)
    missing = {
        (path, target)
        for path in well_formed()
        for relation in RELATIONS
        for target in names(front(skill_files()[path]).get(relation))
        if target not in known
    }
    assert missing == {
        ("malformed/dangling-relation", "paper-folding-basics"),
        ("malformed/dangling-relation", "bookbinding-glue"),
    }


def test_links_to_files_resolve() -> None:
    broken = []
    for path in well_formed():
        file = skill_files()[path]
        text = re.sub(r"^```.*?^```", "", file.read_text("utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if not target.startswith("https://") and not (file.parent / target).exists():
                broken.append((path, target))
    assert broken == [("malformed/dangling-relation", "../leather-paring/SKILL.md")]


def test_commands_name_scripts_that_exist() -> None:
    named = {
        (path, script)
        for path in well_formed()
        for script in re.findall(
            r"(?:python3|node|sh) (scripts/[\w.-]+)", skill_files()[path].read_text("utf-8")
        )
    }
    assert len(named) >= 60
    assert [pair for pair in named if not (skill_files()[pair[0]].parent / pair[1]).is_file()] == []


def test_the_pd_l1_chain_is_typed_as_designed() -> None:
    chain = {
        "scientific-research-lookup": (["query:string"], ["papers:list[Paper]"]),
        "classify-pd-l1-tps": (["papers:list[Paper]"], ["tps_scores:dict"]),
        "publication-figure-style": (["tps_scores:dict"], ["figure:Path"]),
        "citation-verifier": (["papers:list[Paper]"], ["bibtex:string"]),
    }
    for name, types in chain.items():
        capability = front(ROOT / "science" / name / "SKILL.md")["capability"]
        assert (capability["inputs"], capability["outputs"]) == types


def test_frontmatter_comes_in_the_forms_that_real_registries_use() -> None:
    heads = {
        path: skill_files()[path].read_text("utf-8").split("---\n")[1] for path in well_formed()
    }
    forms = {
        "top level": r"^depends_on:",
        "metadata": r"^metadata:\n(  .*\n)*  depends_on:",
        "metadata.asf": r"^metadata:\n(  .*\n)*  asf:",
        "asf": r"^asf:",
        "metadata.graph": r"^  graph:",
        "kebab case": r"^ +co-used-with:",
        "snake case": r"^ +co_used_with:",
        "version 1.10": r'^  version: "1\.10"',
        "switched off": r"^disable-model-invocation: true",
        "triggers": r"^ *triggers:",
        "hosts": r"^  compatibility:\n    claude_code: true",
        "tools as words": r"^allowed-tools: \S+ \S+",
        "tools with commas": r"^allowed-tools: [^\[\n]+, ",
        "tools as a flow list": r"^allowed-tools: \[",
        "tools as a block list": r"^allowed-tools:\n  - ",
        "one tool": r"^allowed-tools: Read$",
        "no tools": r"\A(?!.*allowed-tools)",
        "flow list": r"^ *\w+: \[\w",
        "empty list": r": \[\]",
        "one word for a list": r"^  complements: [a-z-]+$",
    }
    absent = [
        form
        for form, pattern in forms.items()
        if not any(re.search(pattern, head, re.M) for head in heads.values())
    ]
    assert absent == []


@pytest.mark.parametrize(("source", "listed"), [("sample", TASKS), ("sample_100", HUNDRED)])
def test_tasks_have_the_fields_of_the_query_sets(source: str, listed: list[dict]) -> None:
    fields = {"id", "query", "relevant", "kind", "names_skill", "source"}
    for task in listed:
        assert set(task) - {"plan"} == fields, task["id"]
        assert task["source"] == source
        assert isinstance(task["names_skill"], bool)
        assert task["query"].strip()


def test_no_task_is_there_twice() -> None:
    every = [*TASKS, *HUNDRED]
    assert len({task["id"] for task in every}) == len({task["query"] for task in every})
    assert len({task["query"] for task in every}) == len(every)


def test_tasks_refer_to_skills_that_can_be_routed() -> None:
    routable = {
        path for path, (verdict, _, _) in TABLE.items() if verdict in {"ready", "duplicate"}
    }
    routable.discard("office/month-end-close")
    for task in [*TASKS, *HUNDRED]:
        assert set(task["relevant"]) <= routable, task["id"]
        assert bool(task["relevant"]) == (task["kind"] == "positive"), task["id"]
        assert set(task.get("plan", [])) <= routable, task["id"]


def test_tasks_are_many_and_of_every_kind() -> None:
    asked = {path for task in [*TASKS, *HUNDRED] for path in task["relevant"]}
    ready = {path for path, (verdict, _, _) in TABLE.items() if verdict == "ready"}
    assert len(TASKS) >= 50
    assert sum(task["kind"] == "negative" for task in TASKS) >= 15
    assert sum("plan" in task for task in TASKS) >= 8
    assert {path for path in ready - asked if not path.startswith("malformed/")} == {
        "office/month-end-close"
    }


def test_the_hundred_are_a_hundred_with_their_plans_and_thirty_negatives() -> None:
    positive = [task for task in HUNDRED if task["kind"] == "positive"]
    assert (len(positive), len(HUNDRED) - len(positive)) == (100, 30)
    assert all(set(task["relevant"]) & set(task["plan"]) for task in positive)
    assert sum(len(task["plan"]) > 1 for task in positive) >= 25


def test_a_plan_holds_what_its_skills_require_and_before_them() -> None:
    known = {path.rsplit("/", 1)[-1]: path for path in TABLE if path != "science/csv-data-audit"}
    for task in [*TASKS, *HUNDRED]:
        plan = task.get("plan", [])
        for at, path in enumerate(plan if task["source"] == "sample_100" else ()):
            fields = front(skill_files()[path])
            for relation in ("depends_on", "required_sub_skills"):
                needed = [known[name.rsplit("/", 1)[-1]] for name in names(fields.get(relation))]
                assert set(needed) <= set(plan[:at]), (task["id"], path)


def test_a_task_names_its_skill_only_where_it_says_so() -> None:
    for task in [*TASKS, *HUNDRED]:
        named = any(path.rsplit("/", 1)[-1] in task["query"].lower() for path in task["relevant"])
        assert named == task["names_skill"], task["id"]


def test_duplicates_share_what_the_table_says() -> None:
    def script(path: str) -> bytes:
        return next((ROOT / path / "scripts").iterdir()).read_bytes()

    def parts(path: str) -> tuple[object, list[str]]:
        file = ROOT / path / "SKILL.md"
        return front(file)["description"], file.read_text("utf-8").split("---\n", 2)[2].split()

    for copy, canonical in {
        "office/csv-data-audit": "science/csv-data-audit",
        "office/workbook-formula-checker": "office/spreadsheet-formula-audit",
        "hardware/voltage-divider-tool": "hardware/resistor-divider-picker",
    }.items():
        assert script(copy) == script(canonical)
    lint, check = script("web/locale-lint"), script("web/translation-file-check")
    assert lint != check
    assert b"".join(lint.split())[-2000:] == b"".join(check.split())[-2000:]
    assert parts("office/csv-data-audit")[0] == parts("science/csv-data-audit")[0]
    assert parts("security/permission-checker")[0] == parts("security/access-review")[0]
    assert parts("media/describe-images")[0] != parts("media/alt-text-writer")[0]
    assert parts("media/describe-images")[1] == parts("media/alt-text-writer")[1]
    assert {path for path, (verdict, _, _) in TABLE.items() if verdict == "duplicate"} == {
        "home/scale-a-recipe",
        "media/describe-images",
        "office/csv-data-audit",
        "office/workbook-formula-checker",
        "web/locale-lint",
    }


def test_the_directories_are_counted_right() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    said = {
        name: int(count)
        for name, count in re.findall(r"^\| `(\w+)/` \| .* \| (\d+) \|$", text, re.M)
    }
    assert said == Counter(path.split("/")[0] for path in TABLE)
    domains = re.findall(r"^\| `(\w+)/` \| (.*?) \|", text, re.M)
    assert len(said) >= 10
    assert len({domain for _, them in domains for domain in them.split(", ")}) >= 20
