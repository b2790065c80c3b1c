"""Every SKILL.md becomes a skill or a finding."""

from __future__ import annotations

import os

import pytest

from asf_core.registry import discover as module
from asf_core.registry.discover import discover


def found(repo):
    return discover(os.path.realpath(repo.path))


def paths(repo):
    return [skill.path for skill in found(repo).skills]


def rules(repo):
    return [(finding.rule, finding.path) for finding in found(repo).findings]


def test_skills_anywhere_also_in_hidden_directories(registry):
    where = ["a", ".github/plugins/x/skills/y", ".claude/skills/b", "docs/ja/c", "deep/" * 12 + "d"]
    for path in where:
        registry.write(f"{path}/SKILL.md", "x")
    registry.write("README.md", "x")
    registry.write("e/SKILL.md.bak", "x")
    assert paths(registry) == sorted(where)
    assert found(registry).findings == ()


def test_an_empty_registry_and_one_that_is_a_skill_itself(registry):
    assert found(registry).skills == ()
    registry.write("SKILL.md", "x")
    registry.write("inner/SKILL.md", "x")
    assert paths(registry) == [".", "inner"]


def test_content_of_a_skill_is_no_skill(registry):
    inner = ["assets/t", "evals/files", "examples/e", "fixtures/f", "tests/t", "testdata/d"]
    inner += ["references/r", "scripts/s", "templates/x", "assets", "tests/a/b/c", "templates/x/y"]
    for path in inner:
        registry.write(f"skills/diary/{path}/SKILL.md", "x")
    registry.write("skills/diary/SKILL.md", "x")
    discovery = found(registry)
    assert [skill.path for skill in discovery.skills] == ["skills/diary"]
    assert discovery.skills[0].contained == tuple(
        sorted(f"skills/diary/{path}/SKILL.md" for path in inner)
    )


def test_other_nested_files_are_skills_of_their_own(registry):
    inner = ["models/deploy", "models/deploy/preset", "templates", "2d-games", "build", "venv"]
    registry.write("skills/games/SKILL.md", "x")
    for path in inner:
        registry.write(f"skills/games/{path}/SKILL.md", "x")
    assert paths(registry) == sorted(["skills/games", *(f"skills/games/{path}" for path in inner)])


def test_a_skill_inside_a_templates_skill_is_one_again(registry):
    for path in ["app", "app/templates", "app/templates/react"]:
        registry.write(f"{path}/SKILL.md", "x")
    assert paths(registry) == ["app", "app/templates", "app/templates/react"]


def test_content_directories_group_skills_where_no_skill_is_around_them(registry):
    for path in ["examples/a", "tests/b", "templates/c", "scripts/d"]:
        registry.write(f"{path}/SKILL.md", "x")
    assert paths(registry) == ["examples/a", "scripts/d", "templates/c", "tests/b"]


VENDORED = [
    "node_modules/p",
    ".venv/lib",
    "lib/site-packages/p",
    "__pycache__",
    ".tox/a",
    ".x_cache/a",
]


@pytest.mark.parametrize("path", VENDORED)
def test_packages_of_others_are_no_skills(path, registry):
    registry.write(f"{path}/SKILL.md", "x")
    assert paths(registry) == []
    assert rules(registry) == [("registry/vendored", f"{path}/SKILL.md")]
    registry.write("SKILL.md", "x")
    discovery = found(registry)
    assert discovery.findings == ()
    assert discovery.skills[0].contained == (f"{path}/SKILL.md",)


def test_built_output_of_a_package_is_none_and_a_skill_called_build_is(registry):
    registry.write("pkg/package.json", "{}")
    registry.write("pkg/dist/skills/a/SKILL.md", "x")
    registry.write("skills/build/SKILL.md", "x")
    registry.write("env/pyvenv.cfg", "")
    registry.write("env/x/SKILL.md", "x")
    assert paths(registry) == ["skills/build"]
    assert len(rules(registry)) == 2


def test_git_directories_are_not_walked(registry):
    registry.write(".git/hooks/SKILL.md", "x")
    registry.write("a/.hg/SKILL.md", "x")
    assert found(registry).skills == ()
    assert found(registry).findings == ()


@pytest.mark.parametrize("name", ["skill.md", "Skill.MD", "SKILL.MD"])
def test_a_wrong_case_is_found_under_its_own_name(name, registry):
    registry.write(f"a/{name}", "x")
    assert [(skill.path, skill.file_name) for skill in found(registry).skills] == [("a", name)]


def test_the_right_name_wins_over_a_wrong_one(registry):
    registry.write("a/skill.md", "x")
    registry.write("a/SKILL.md", "x")
    assert [(skill.path, skill.file_name) for skill in found(registry).skills] == [
        ("a", "SKILL.md")
    ]
    assert rules(registry) == [("registry/second-file", "a/skill.md")]


def test_a_directory_or_a_pipe_called_skill_md_is_a_finding(registry):
    (registry.path / "a" / "SKILL.md").mkdir(parents=True)
    (registry.path / "b").mkdir()
    os.mkfifo(registry.path / "b" / "SKILL.md")
    assert paths(registry) == []
    assert rules(registry) == [
        ("registry/not-a-file", "a/SKILL.md"),
        ("registry/not-a-file", "b/SKILL.md"),
    ]


def link(registry, path, target):
    place = registry.path / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def test_linked_skill_directories(registry):
    registry.write("src/moss/SKILL.md", "x")
    registry.write("src/plain.txt", "x")
    link(registry, "skills/moss", "../src/moss")
    link(registry, "skills/dangling", "../nowhere")
    link(registry, "skills/to-file", "../src/plain.txt")
    link(registry, "CLAUDE.md", "src/plain.txt")
    assert paths(registry) == ["src/moss"]
    assert rules(registry) == [
        ("registry/link", "skills/dangling"),
        ("registry/link-twin", "skills/moss"),
        ("registry/link", "skills/to-file"),
    ]


def test_links_that_leave_are_findings_and_are_not_followed(registry, tmp_path):
    outside = tmp_path / "outside"
    (outside / "x").mkdir(parents=True)
    (outside / "x" / "SKILL.md").write_text("MARK-OUTSIDE")
    link(registry, "skills/x", outside / "x")
    link(registry, "all", outside)
    link(registry, "up", "..")
    assert paths(registry) == []
    assert {rule for rule, _ in rules(registry)} == {"registry/link"}
    assert len(rules(registry)) == 3


def test_loops_of_links_end(registry):
    registry.write("a/SKILL.md", "x")
    link(registry, "b/loop", "../b")
    link(registry, "c/self", "self")
    link(registry, "d/root", "..")
    assert paths(registry) == ["a"]


def test_a_link_to_a_directory_that_is_left_out_lists_its_skill_once(registry):
    registry.write("node_modules/p/SKILL.md", "x")
    link(registry, "skills/p", "../node_modules/p")
    link(registry, "skills/again", "../node_modules/p")
    assert paths(registry) == ["skills/again"]
    assert rules(registry) == [("registry/link-twin", "skills/p")]


def test_links_inside_a_skill_are_left_to_its_tree(registry):
    registry.write("a/SKILL.md", "x")
    link(registry, "a/references/out", "/etc")
    link(registry, "a/gone", "nowhere")
    assert paths(registry) == ["a"]
    assert rules(registry) == []


def test_a_linked_file_is_still_listed(registry):
    link(registry, "a/SKILL.md", "../elsewhere.md")
    assert paths(registry) == ["a"]


def test_directories_that_cannot_be_listed_are_findings(registry, monkeypatch):
    registry.write("a/SKILL.md", "x")
    registry.write("locked/SKILL.md", "x")
    real = os.scandir

    def scandir(path):
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(module.os, "scandir", scandir)
    assert paths(registry) == ["a"]
    assert rules(registry) == [("registry/unreadable", "locked")]
    assert "Permission denied" in found(registry).findings[0].message


def test_a_path_that_is_not_utf8_is_a_finding(registry):
    registry.write("caf\udce9/SKILL.md", "x")
    assert paths(registry) == []
    assert rules(registry) == [("registry/name", "caf\\udce9/SKILL.md")]


@pytest.mark.parametrize("name", ["a b", "a\x1b[31m", "日本", "-x", "a\nb", "a'b\"c"])
def test_odd_but_legal_names_are_listed(name, registry):
    registry.write(f"{name}/SKILL.md", "x")
    assert paths(registry) == [name]


def test_caps_are_findings_and_never_silent(registry, monkeypatch):
    for number in range(6):
        registry.write(f"s{number}/SKILL.md", "x")
    registry.write("x/y/z/w/SKILL.md", "x")
    monkeypatch.setattr(module, "MAX_DEPTH", 3)
    assert ("registry/cap", "x/y/z/w") in rules(registry)
    monkeypatch.setattr(module, "MAX_DIRECTORIES", 4)
    discovery = found(registry)
    assert len(discovery.skills) == 3
    assert [finding.rule for finding in discovery.findings] == ["registry/cap"]


def test_a_forest_of_packages_is_searched_up_to_a_limit(registry, monkeypatch):
    for number in range(5):
        registry.write(f"node_modules/p{number}/SKILL.md", "x")
    monkeypatch.setattr(module, "MAX_VENDORED_DIRECTORIES", 3)
    messages = [finding.message for finding in found(registry).findings]
    assert any("was not searched" in message for message in messages)


def test_the_result_does_not_depend_on_the_order_of_the_disk(registry, monkeypatch):
    for path in ["b", "a", "c/d", "node_modules/x", "c/d/tests/t"]:
        registry.write(f"{path}/SKILL.md", "x")
    first = found(registry)
    real = os.scandir

    class Reversed:
        def __init__(self, path):
            with real(path) as entries:
                self.entries = list(entries)[::-1]

        def __enter__(self):
            return iter(self.entries)

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(module.os, "scandir", Reversed)
    assert found(registry) == first


def test_repositories_below_the_root_are_named(registry):
    registry.write("one/.git/HEAD", "x")
    registry.write("two/.git", "gitdir: elsewhere")
    registry.write("two/skills/a/SKILL.md", "x")
    assert found(registry).repositories == ("one", "two")
