"""A registry as a whole: opened, walked, fingerprinted, read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from asf_core.domain.errors import InputError
from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillState
from asf_core.registry.discover import FoundSkill
from asf_core.registry.source import RegistrySource


def rules(skill):
    return [finding.rule for finding in skill.findings]


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", " a", "a\n", "\x1b"])
def test_names_that_cannot_be_part_of_an_id_are_refused(name, tmp_path):
    with pytest.raises(InputError) as caught:
        RegistrySource.open(tmp_path, name)
    assert caught.value.hint


@pytest.mark.parametrize("path", ["nowhere", "file"])
def test_what_is_no_directory_is_refused(path, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="no directory"):
        RegistrySource.open(tmp_path / path, "reg")


def test_a_skill_as_a_whole(repo, read_all):
    skill = read_all(repo.path)["skills/seeds"]
    manifest = skill.manifest
    assert manifest.id == "reg/skills/seeds"
    assert manifest.slug == "seeds"
    assert manifest.source.path == "skills/seeds"
    assert manifest.risk is Risk.EXEC
    assert manifest.inferred == ("capability.type", "risk")
    assert skill.body == "# seeds\n\nDo it.\n"
    assert skill.body_line == 5
    assert skill.state is SkillState.READY
    assert skill.state_reason == ""
    assert skill.findings == ()


def test_one_broken_skill_hides_no_other(registry, read_all, text):
    registry.write("good/SKILL.md", text("good"))
    registry.write("bytes/SKILL.md", b"---\nname: bytes\ndescription: \xb2\xe2\n---\nBody\n")
    registry.write("yaml/SKILL.md", text("yaml", "one: two"))
    registry.write("none/SKILL.md", "# No frontmatter\n")
    skills = read_all(registry.path)
    broken = {path for path, skill in skills.items() if skill.state is SkillState.BROKEN}
    assert broken == {"bytes", "yaml", "none"}
    for path in broken:
        assert skills[path].state_reason.startswith("Line ")
        assert skills[path].digest is not None
        assert skills[path].manifest.slug == path
    assert skills["yaml"].manifest.description == "one: two"


def test_contained_files_are_one_finding_of_the_outer_skill(registry, read_all, text):
    registry.write("diary/SKILL.md", text("diary"))
    for path in ["assets/t", "node_modules/p", ".venv/l", "evals/f"]:
        registry.write(f"diary/{path}/SKILL.md", "---\nname: <placeholder>\n---\n")
    skills = read_all(registry.path)
    assert list(skills) == ["diary"]
    assert rules(skills["diary"]) == ["tree/left-out", "format/contained-skill"]
    assert "4 SKILL.md" in skills["diary"].findings[1].message
    assert [entry.path for entry in skills["diary"].tree] == [
        "SKILL.md",
        "assets/t/SKILL.md",
        "evals/f/SKILL.md",
    ]


def test_a_skill_file_that_is_a_link_inside_the_skill(registry, read_all, text):
    registry.write("a/docs/main.md", text("a"))
    (registry.path / "a/SKILL.md").symlink_to("docs/main.md")
    skill = read_all(registry.path)["a"]
    assert skill.state is SkillState.READY
    assert skill.manifest.description == "Sort seeds by month."


@pytest.mark.parametrize("target", ["../shared.md", "/etc/hostname", "gone.md", "SKILL.md", ".env"])
def test_a_skill_file_that_is_another_link_is_listed_as_broken(target, registry, read_all):
    registry.write("shared.md", "---\nname: a\ndescription: MARK-OUTSIDE\n---\nBody\n")
    registry.write("a/x.md", "x")
    registry.write("a/.env", "MARK-OUTSIDE")
    (registry.path / "a/SKILL.md").symlink_to(target)
    skill = read_all(registry.path)["a"]
    assert skill.state is SkillState.BROKEN
    assert "format/unreadable" in rules(skill)
    assert "MARK-OUTSIDE" not in skill.model_dump_json()
    assert skill.manifest.tools_readable is False


def test_a_skill_file_over_the_cap_is_listed_as_broken(registry, read_all):
    registry.write("a/SKILL.md", b"---\nname: a\ndescription: x\n---\n" + b"x" * 4_200_000)
    skill = read_all(registry.path)["a"]
    assert skill.state is SkillState.BROKEN
    assert rules(skill) == ["format/too-large"]
    assert "4,200,0" in skill.findings[0].message
    assert skill.digest is not None


def test_a_directory_that_goes_away_is_listed_as_broken(registry, open_source, text, tmp_path):
    registry.write("a/SKILL.md", text("a"))
    source = open_source(registry.path)
    found = source.discover().skills[0]
    (registry.path / "a").rename(tmp_path / "moved")
    skill = source.read(found)
    assert skill.state is SkillState.BROKEN
    assert skill.digest is None
    assert source.tree(found) is None
    (registry.path / "a").symlink_to(tmp_path / "moved")
    assert source.read(found).state is SkillState.BROKEN


def test_a_path_that_leaves_is_not_read(registry, open_source, text, tmp_path):
    (tmp_path / "SKILL.md").write_text(text("x", "MARK-OUTSIDE"))
    skill = open_source(registry.path).read(FoundSkill(".."))
    assert skill.state is SkillState.BROKEN
    assert "MARK-OUTSIDE" not in skill.model_dump_json()


def test_a_linked_skill_is_read_under_its_own_name(registry, read_all, text):
    registry.write("node_modules/p/SKILL.md", text("p"))
    registry.write("skills/x/y", "")
    (registry.path / "skills/p").symlink_to("../node_modules/p")
    skill = read_all(registry.path)["skills/p"]
    assert skill.manifest.id == "reg/skills/p"
    assert skill.state is SkillState.READY


def test_a_registry_that_is_a_skill_itself(registry, read_all, text):
    registry.write("SKILL.md", text("alone"))
    registry.write("scripts/a.py", "print(1)")
    skill = read_all(registry.path)["."]
    assert skill.manifest.id == "reg/."
    assert skill.manifest.slug == "alone"
    assert [entry.path for entry in skill.tree] == ["SKILL.md", "scripts/a.py"]


def test_binary_files_are_entries_and_no_text(registry, read_all, text):
    registry.write("a/SKILL.md", text("a"))
    registry.write("a/pic.py", b"\x00\x01sudo rm -rf /")
    registry.write("a/latin.md", b"[x](gone.md) caf\xe9")
    skill = read_all(registry.path)["a"]
    assert len(skill.tree) == 3
    assert rules(skill) == ["format/link-missing"]
    assert skill.manifest.risk is Risk.EXEC


@pytest.fixture
def mark(repo):
    """The fingerprint of the skill, as a new opening of the registry sees it."""

    def run():
        with RegistrySource.open(repo.path, "reg") as source:
            found = {skill.path: skill for skill in source.discover().skills}
            return source.fingerprint(found["skills/seeds"])

    return run


def test_a_fingerprint_stays_while_nothing_changes(repo, mark, text):
    first = mark()
    assert len(first) == 64
    repo.write("skills/other/SKILL.md", text("other"))
    repo.write("skills/seeds/__pycache__/x.pyc", "x")
    first_again = mark()
    repo.write("skills/seeds/__pycache__/y.pyc", "y")
    assert mark() == first_again
    repo.git("status")
    repo.git("update-index", "--refresh")
    assert mark() == first_again


CHANGES = {
    "content": lambda repo: repo.write("skills/seeds/references/months.md", "march\n"),
    "same size": lambda repo: repo.write(
        "skills/seeds/references/months.md", "january\nfebruarX\n"
    ),
    "new file": lambda repo: repo.write("skills/seeds/new", "x"),
    "removed": lambda repo: (repo.path / "skills/seeds/scripts/sort.sh").unlink(),
    "mode": lambda repo: (repo.path / "skills/seeds/scripts/sort.sh").chmod(0o644),
    "link": lambda repo: (repo.path / "skills/seeds/l").symlink_to("SKILL.md"),
    "commit": lambda repo: repo.commit("next"),
    "branch": lambda repo: repo.git("checkout", "-q", "-b", "side"),
    "detached": lambda repo: repo.git("checkout", "-q", "--detach"),
    "remote": lambda repo: repo.git("remote", "add", "origin", "https://example.invalid/a.git"),
    "untracked": lambda repo: repo.git("rm", "-q", "--cached", "skills/seeds/SKILL.md"),
    "contained": lambda repo: repo.write("skills/seeds/node_modules/p/SKILL.md", "x"),
    "left out": lambda repo: repo.write("skills/seeds/.env", "x"),
    "replaced in place": lambda repo: replace_keeping_times(
        repo.path / "skills/seeds/references/months.md"
    ),
}


def replace_keeping_times(path: Path) -> None:
    facts = path.stat()
    path.write_bytes(b"january\nfebruarX\n")
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_any_change_changes_the_fingerprint(change, repo, mark):
    before = mark()
    change(repo)
    assert mark() != before


def test_equal_fingerprints_mean_equal_skills_again_and_again(repo, mark, read_all):
    assert mark() == mark()
    assert read_all(repo.path) == read_all(repo.path)


def test_a_fingerprint_of_what_is_gone(registry, open_source, text):
    registry.write("a/SKILL.md", text("a"))
    source = open_source(registry.path)
    found = source.discover().skills[0]
    before = source.fingerprint(found)
    (registry.path / "a/SKILL.md").unlink()
    (registry.path / "a").rmdir()
    assert source.fingerprint(found) != before


def test_closing_twice_is_fine(repo):
    source = RegistrySource.open(repo.path, "reg")
    source.discover()
    source.close()
    source.close()


def test_the_branch_of_a_large_switch_is_not_mixed(repo, read_all, text):
    for number in range(40):
        repo.write(f"skills/jar-{number}/SKILL.md", text(f"jar-{number}", "Old."))
    repo.commit("old")
    repo.git("checkout", "-q", "-b", "next")
    for number in range(0, 40, 2):
        repo.write(f"skills/jar-{number}/SKILL.md", text(f"jar-{number}", "New."))
    repo.git("rm", "-q", "-r", "skills/jar-1")
    repo.commit("new")
    skills = read_all(repo.path)
    assert "skills/jar-1" not in skills
    assert {s.manifest.description for p, s in skills.items() if "jar" in p} == {"Old.", "New."}
    repo.git("checkout", "-q", "main")
    back = read_all(repo.path)
    assert {s.manifest.description for p, s in back.items() if "jar" in p} == {"Old."}
    assert {s.provenance.dirty for s in back.values()} == {False}


def test_a_checkout_that_is_under_way_is_seen(repo, open_source):
    source = open_source(repo.path)
    source.discover()
    assert source.being_written() is None
    lock = repo.write(".git/index.lock", "")
    assert source.being_written() == os.path.realpath(lock)
