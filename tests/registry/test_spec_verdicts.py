"""One verdict of lint and of the official validator, file by file, on files of our own."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.registry.spec_verdicts import ours, theirs

HEAD = "name: seeds\ndescription: Keep seeds."
FILES = {
    "good": f"---\n{HEAD}\n---\nBody\n",
    "no body": f"---\n{HEAD}\n---\n",
    "no frontmatter": "# Seeds\n",
    "rule first": "---\n\nText\n\n---\n\nMore\n",
    "not closed": f"---\n{HEAD}\nBody\n",
    "blank lines first": f"\n\n---\n{HEAD}\n---\nBody\n",
    "byte-order mark": f"\ufeff---\n{HEAD}\n---\nBody\n",
    "Windows line ends": f"---\n{HEAD}\n---\nBody\n".replace("\n", "\r\n"),
    "colon in prose": "---\nname: seeds\ndescription: two passes: first sort\n---\nBody\n",
    "a key twice": f"---\n{HEAD}\ndescription: y\n---\nBody\n",
    "an alias": f"---\n{HEAD}\nmetadata:\n  a: &x b\n  c: *x\n---\nBody\n",
    "a tag": f"---\n{HEAD}\nlicense: !x y\n---\nBody\n",
    "an object tag": "---\nname: !!python/object/apply:os.getcwd []\n---\nBody\n",
    "a list": "---\n- name: seeds\n---\nBody\n",
    "no name": "---\ndescription: x\n---\nBody\n",
    "no description": "---\nname: seeds\n---\nBody\n",
    "neither": "---\nlicense: MIT\n---\nBody\n",
    "empty name": "---\nname:\ndescription: x\n---\nBody\n",
    "empty description": '---\nname: seeds\ndescription: ""\n---\nBody\n',
    "another directory": "---\nname: other\ndescription: x\n---\nBody\n",
    "capitals": "---\nname: Seeds\ndescription: x\n---\nBody\n",
    "hyphens": "---\nname: -seeds--x-\ndescription: x\n---\nBody\n",
    "characters": "---\nname: seeds!\ndescription: x\n---\nBody\n",
    "long name": f"---\nname: {'n' * 65}\ndescription: x\n---\nBody\n",
    "long description": f"---\nname: seeds\ndescription: {'d' * 1025}\n---\nBody\n",
    "folded description": "---\nname: seeds\ndescription: >-\n  a\n  b\n---\nBody\n",
    "long compatibility": f"---\n{HEAD}\ncompatibility: {'c' * 501}\n---\nBody\n",
    "line end at the limit": f"---\n{HEAD}\ncompatibility: >\n  {'c' * 500}\n---\nBody\n",
    "no line end at the limit": f"---\n{HEAD}\ncompatibility: >-\n  {'c' * 500}\n---\nBody\n",
    "description with a line end": f"---\nname: seeds\ndescription: |\n  {'d' * 1024}\n---\nBody\n",
    "quoted blanks at the limit": f"---\nname: seeds\ndescription: '{'d' * 1024} '\n---\nBody\n",
    "unknown field": f"---\n{HEAD}\nfoo: bar\n---\nBody\n",
    "field of a host": f"---\n{HEAD}\nversion: 1.0\n---\nBody\n",
    "several at once": f"---\nname: Seeds--\ndescription: {'d' * 1025}\nfoo: bar\n---\nBody\n",
    "flow list": f"---\n{HEAD}\nmetadata:\n  tags: [a, b]\n---\nBody\n",
    "block list": f"---\n{HEAD}\nmetadata:\n  tags:\n    - a\n---\nBody\n",
    "tools as text": f"---\n{HEAD}\nallowed-tools: Read Grep\n---\nBody\n",
    "empty": "",
    "only a fence": "---\n",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_both_refuse_the_same(text):
    data = text.encode()
    assert ours(data, "seeds") == theirs(data, "seeds")


def test_bytes_that_are_no_text():
    assert ours(b"---\nname: \xff\n---\n", "seeds") == theirs(b"---\nname: \xff\n---\n", "seeds")


FIELDS = st.sampled_from(
    ["name: seeds", "name: Seeds", "name: other", "description: Keep seeds.", "license: MIT", "foo: bar", "version: 1.10", "compatibility: git", "allowed-tools: Read", "metadata:\n  a: b"]
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(st.lists(FIELDS, min_size=1, max_size=6, unique_by=lambda field: field.partition(":")[0]))
def test_any_set_of_fields(fields):
    data = "\n".join(["---", *fields, "---", "Body"]).encode()
    assert ours(data, "seeds") == theirs(data, "seeds")
