"""From a name to the skills that it can mean."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from asf_core.graph.names import NameIndex


@dataclass(frozen=True)
class Skill:
    id: str
    slug: str
    registry: str
    path: str


def skill(ref: str, slug: str = "") -> Skill:
    registry, _, path = ref.partition("/")
    return Skill(ref, slug or path.rpartition("/")[2], registry, path)


SKILLS = [
    skill("r/skills/a"),
    skill("r/skills/b"),
    skill("r/skills/named", slug="other-name"),
    skill("r/skills/nest"),
    skill("r/skills/nest/inner"),
    skill("r/docs/ja/skills/a"),
    skill("r/docs/ja/skills/b"),
    skill("r/docs/zh/skills/only-zh-and-tr"),
    skill("r/docs/tr/skills/only-zh-and-tr"),
    skill("r/common/security"),
    skill("r/ios/security"),
    skill("r/.github/common/security"),
    skill("s/x/a"),
    skill("s/x/only-s"),
    skill("t/y/in-t-and-u"),
    skill("u/y/in-t-and-u"),
]
BY_ID = {s.id: s for s in SKILLS}
INDEX = NameIndex(SKILLS)

RESOLVE = {
    "an exact id beats all": ("r/skills/a", "s/x/a", ["s/x/a"]),
    "a slug": ("r/skills/a", "other-name", ["r/skills/named"]),
    "a directory's name": ("r/skills/a", "named", ["r/skills/named"]),
    "the same parent directory first": ("r/docs/ja/skills/b", "a", ["r/docs/ja/skills/a"]),
    "and not the translation": ("r/skills/b", "a", ["r/skills/a"]),
    "the own registry before another": ("s/x/only-s", "a", ["s/x/a"]),
    "another registry at last": ("r/skills/a", "only-s", ["s/x/only-s"]),
    "several, as near as each other": (
        "r/skills/a",
        "only-zh-and-tr",
        ["r/docs/tr/skills/only-zh-and-tr", "r/docs/zh/skills/only-zh-and-tr"],
    ),
    "several in other registries": (
        "r/skills/a",
        "in-t-and-u",
        ["t/y/in-t-and-u", "u/y/in-t-and-u"],
    ),
    "a relative path": ("r/skills/a", "../b", ["r/skills/b"]),
    "a relative path to the file": ("r/skills/a", "../b/SKILL.md", ["r/skills/b"]),
    "down": ("r/skills/nest", "inner/SKILL.md", ["r/skills/nest/inner"]),
    "up": ("r/skills/nest/inner", "../SKILL.md", ["r/skills/nest"]),
    "a path from the root of the registry": ("r/ios/security", "skills/a", ["r/skills/a"]),
    "the tail of a path": (
        "r/ios/security",
        "zh/skills/only-zh-and-tr",
        ["r/docs/zh/skills/only-zh-and-tr"],
    ),
    "a whole path before the tail of another": ("r/ios/security", "common/security", ["r/common/security"]),
    "a plugin prefix": ("r/skills/a", "super:named", ["r/skills/named"]),
    "nothing": ("r/skills/a", "none", []),
    "no directory": ("r/skills/a", "../none", []),
    "out of the registry": ("r/skills/a", "../../../../s/x/a", []),
    "other case": ("r/skills/a", "Other-Name", []),
    "empty": ("r/skills/a", "", []),
    "dots": ("r/skills/a", "..", []),
}  # fmt: skip


@pytest.mark.parametrize(("source", "ref", "ids"), RESOLVE.values(), ids=RESOLVE)
def test_resolve(source: str, ref: str, ids: list[str]) -> None:
    assert list(INDEX.resolve(BY_ID[source], ref).ids) == ids


PATHS = {
    "a file of another skill": ("r/skills/a", "../b/references/x.md", ["r/skills/b"]),
    "a file of one's own": ("r/skills/a", "references/x.md", ["r/skills/a"]),
    "a flattened registry: by the directory's name": (
        "r/skills/a",
        "../../libs/b/SKILL.md",
        ["r/skills/b"],
    ),
    "owner and name are a file of one's own at most": ("r/skills/a", "owner/named", ["r/skills/a"]),
    "a script directory is no skill": ("r/skills/a", "lib/a/run.py", ["r/skills/a"]),
}


@pytest.mark.parametrize(("source", "path", "ids"), PATHS.values(), ids=PATHS)
def test_by_path(source: str, path: str, ids: list[str]) -> None:
    assert list(INDEX.by_path(BY_ID[source], path).ids) == ids


def test_foreign_names_are_marked() -> None:
    assert INDEX.by_name(BY_ID["r/skills/a"], "only-s").foreign
    assert not INDEX.by_name(BY_ID["r/skills/a"], "b").foreign
    assert INDEX.by_name(BY_ID["r/skills/a"], "only-s", home=True).ids == ()


COLLECTIONS = NameIndex(
    [
        one := skill("r/one/skills/a-a"),
        skill("r/one/skills/only-one"),
        skill("r/two/skills/b-b"),
        near := skill("r/two/skills/c/x"),
        skill("r/two/skills/c/search"),
        skill("r/two/skills/d/search"),
    ]
)


def test_a_checkout_of_several_collections_is_several_registries() -> None:
    assert COLLECTIONS.by_name(one, "only-one", home=True).ids == ("r/one/skills/only-one",)
    assert COLLECTIONS.by_name(one, "b-b", home=True).ids == ()
    assert COLLECTIONS.by_name(one, "b-b").ids == ("r/two/skills/b-b",)
    assert COLLECTIONS.by_name(one, "b-b").foreign
    fields = [skill("r/office/a-a"), skill("r/science/b-b")]
    assert NameIndex(fields).by_name(fields[0], "b-b", home=True).ids == ("r/science/b-b",)


def test_near_is_beside_inside_or_around() -> None:
    assert COLLECTIONS.by_name(near, "search", near=True).ids == ("r/two/skills/c/search",)
    assert COLLECTIONS.by_name(near, "b-b", home=True, near=True).ids == ()
    outer = BY_ID["r/skills/nest"]
    assert INDEX.by_name(outer, "inner", near=True).ids == ("r/skills/nest/inner",)
    assert INDEX.by_name(BY_ID["r/skills/nest/inner"], "nest", near=True).ids == ("r/skills/nest",)


TAILS = {
    "below skills": ("~/.claude/skills/a/scripts/x.py", ["r/skills/a"]),
    "with its scripts": ("lib/named/scripts/x.sh", ["r/skills/named"]),
    "with the directory it stands in": ("root/ios/security/x.sh", ["r/ios/security"]),
    "the innermost": ("skills/nest/inner/x.py", ["r/skills/nest/inner"]),
    "a file of that name": ("lib/a", []),
    "a word in a path": ("usr/a/lib/x.py", []),
    "nothing": ("skills/none/x.py", []),
    "one part": ("a", []),
}


@pytest.mark.parametrize(("path", "ids"), TAILS.values(), ids=TAILS)
def test_the_end_of_a_path(path: str, ids: list[str]) -> None:
    assert list(INDEX.by_tail(BY_ID["r/skills/b"], path).ids) == ids


def test_a_skill_at_the_root_of_its_registry() -> None:
    root, other = Skill("r/.", "root-skill", "r", "."), Skill("r/a", "a", "r", "a")
    index = NameIndex([root, other])
    assert index.resolve(other, "root-skill").ids == ("r/.",)
    assert index.resolve(root, "a/SKILL.md").ids == ("r/a",)
    assert index.resolve(other, "../SKILL.md").ids == ("r/.",)


def test_the_nearest_name() -> None:
    assert INDEX.nearest(BY_ID["r/skills/a"], "other-nam") == "other-name"
    assert INDEX.nearest(BY_ID["r/skills/a"], "zzzz") is None
