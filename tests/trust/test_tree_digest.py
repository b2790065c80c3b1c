"""The tree digest: any change changes it, no order does, and unsafe trees have none."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.skill import TreeEntry
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.tree import TreeRefusedError, check_tree, tree_digest


def entry(path: str, data: bytes = b"", kind: str = "file", executable: bool = False) -> TreeEntry:
    return TreeEntry(
        path=path, kind=kind, executable=executable, size=len(data), sha256=sha256_hex(data)
    )


PARTS = st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True)
FILES = st.dictionaries(
    st.tuples(PARTS, PARTS).map(lambda parts: f"{parts[0]}.d/{parts[1]}.md"),
    st.tuples(st.binary(max_size=8), st.booleans()),
    min_size=1,
    max_size=6,
).map(lambda files: [entry(path, data, executable=x) for path, (data, x) in files.items()])


def test_the_digest_is_of_the_documented_json():
    entries = [entry("b", b"2"), entry("a", b"1", executable=True)]
    rows = [
        {"executable": True, "kind": "file", "path": "a", "sha256": sha256_hex(b"1"), "size": 1},
        {"executable": False, "kind": "file", "path": "b", "sha256": sha256_hex(b"2"), "size": 1},
    ]
    text = json.dumps({"entries": rows, "schema": "asf.tree/1"}, separators=(",", ":"))
    assert tree_digest(entries) == hashlib.sha256(text.encode()).hexdigest()


def test_an_empty_tree_has_a_digest_of_its_own():
    assert tree_digest([]) != tree_digest([entry("a")])


@settings(deadline=None)
@given(FILES, st.randoms())
def test_order_never_matters(entries, random):
    shuffled = list(entries)
    random.shuffle(shuffled)
    assert tree_digest(shuffled) == tree_digest(entries)


CHANGES = {
    "other bytes": lambda e: e.model_copy(update={"sha256": sha256_hex(b"changed!!")}),
    "other size": lambda e: e.model_copy(update={"size": e.size + 1}),
    "other mode": lambda e: e.model_copy(update={"executable": not e.executable}),
    "other name": lambda e: e.model_copy(update={"path": e.path + "x"}),
    "link instead of file": lambda e: e.model_copy(update={"kind": "symlink", "executable": False}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@settings(deadline=None)
@given(entries=FILES, data=st.data())
def test_any_change_to_one_row_changes_the_digest(change, entries, data):
    at = data.draw(st.integers(0, len(entries) - 1))
    changed = [*entries[:at], change(entries[at]), *entries[at + 1 :]]
    assert tree_digest(changed) != tree_digest(entries)


@settings(deadline=None)
@given(entries=FILES)
def test_one_file_more_or_less_changes_the_digest(entries):
    assert tree_digest(entries[1:]) != tree_digest(entries)
    assert tree_digest([*entries, entry("zz-new.md")]) != tree_digest(entries)


def test_names_and_contents_cannot_be_shifted_into_each_other():
    # Joined without lengths, these three would be the same characters.
    trees = [
        [entry("SKILL.md", b"ab"), entry("a", b"c")],
        [entry("SKILL.md", b"a"), entry("a", b"bc")],
        [entry("SKILL.md", b"ab"), entry("a", b"c"), entry("empty", b"")],
    ]
    assert len({tree_digest(tree) for tree in trees}) == 3


REFUSED = {
    "empty path": (["", "a"], "empty path"),
    "absolute": (["/etc/passwd"], "absolute"),
    "drive": (["C:/x"], "absolute"),
    "climbs": (["../x"], "'..'"),
    "climbs inside": (["a/../../x"], "'..'"),
    "dot": (["./a"], "'.'"),
    "double slash": (["a//b"], "empty"),
    "trailing slash": (["a/"], "empty"),
    "back slash": (["a\\b"], "back slash"),
    "escape": (["a\x1b[31m"], "control"),
    "line feed": (["a\nb"], "control"),
    "line separator": (["a\u2028b"], "control"),
    "not UTF-8": (["a\udcff"], "UTF-8"),
    "twice": (["a", "a"], "twice"),
    "case": (["Read.md", "read.md"], "some systems"),
    "case beyond ASCII": (["STRASSE", "straße"], "some systems"),
    "composition": (["caf\u00e9", "cafe\u0301"], "some systems"),
    "directory case": (["A/x", "a/y"], "some systems"),
    "file and directory": (["a", "a/b"], "directory"),
    "file and directory by case": (["A", "a/b"], "directory"),
}


@pytest.mark.parametrize(("paths", "word"), REFUSED.values(), ids=REFUSED.keys())
def test_trees_without_one_meaning_are_refused(paths, word):
    entries = [entry(path) for path in paths]
    problems = check_tree(entries)
    assert any(word in problem.message for problem in problems), problems
    with pytest.raises(TreeRefusedError) as caught:
        tree_digest(entries)
    assert caught.value.problems == problems
    assert caught.value.hint


def test_problems_do_not_depend_on_order():
    entries = [entry("b"), entry("B"), entry("../x"), entry("a\\c")]
    assert check_tree(entries) == check_tree(entries[::-1])


def test_an_executable_link_is_refused():
    link = entry("a", b"b", kind="symlink").model_copy(update={"executable": True})
    assert [problem.message for problem in check_tree([link])] == ["is a link marked executable"]


def test_names_that_only_look_alike_are_kept_apart():
    # Latin a and Cyrillic a fold to different names on every system.
    assert check_tree([entry("pa.md"), entry("p\u0430.md")]) == ()
