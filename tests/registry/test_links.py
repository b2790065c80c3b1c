"""Links to files of the skill that are not there."""

from __future__ import annotations

import pytest

FILES = ["SKILL.md", "references/guide.md", "references/two words.md", "scripts/run.py", "a(b).md"]


def broken(parse, body, texts=None, files=FILES):
    text = f"---\nname: seeds\ndescription: x\n---\n{body}\n"
    parsed = parse(text, files=files, file_texts=texts or {})
    return [
        (finding.path, finding.line, finding.column)
        for finding in parsed.findings
        if finding.rule == "format/link-missing"
    ]


GOOD = {
    "file": "[g](references/guide.md)",
    "dot": "[g](./references/guide.md)",
    "up and down": "[g](scripts/../references/guide.md)",
    "anchor": "[g](references/guide.md#part)",
    "own anchor": "[g](#part)",
    "query": "[g](references/guide.md?raw=1)",
    "escaped": "[g](references/two%20words.md)",
    "angled": "[g](<references/two words.md>)",
    "title": '[g](references/guide.md "A title")',
    "directory": "[g](references/)",
    "image": "![g](references/guide.md)",
    "web": "[g](https://example.invalid/x.md)",
    "mail": "[g](mailto:a@example.invalid)",
    "absolute": "[g](/etc/hosts)",
    "leaves": "[g](../other/SKILL.md)",
    "placeholder": "[g](references/{topic}.md)",
    "code span": "`[g](missing.md)`",
    "fence": "```md\n[g](missing.md)\n```",
    "tilde fence": "~~~\n[g](missing.md)\n```\n[g](missing.md)\n~~~",
    "long fence": "````\n```\n[g](missing.md)\n````",
    "fence in a list": "- ```\n  [g](missing.md)\n  ```",
    "no link": "see [g] and (missing.md)",
    "reference": "[g]: references/guide.md",
    "footnote": "text [^1]\n\n[^1]: missing words here",
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD.keys())
def test_links_that_are_left_alone(body, parse):
    assert broken(parse, body) == []


BAD = {
    "file": ("see [g](missing.md)", (5, 9)),
    "anchor": ("[g](missing.md#part)", (5, 5)),
    "reference": ("[g]: missing.md", (5, 6)),
    "second on a line": ("[g](references/guide.md) [h](missing.md)", (5, 30)),
    "after a fence": ("```\n```\n[g](missing.md)", (7, 5)),
    "case": ("[g](references/Guide.md)", (5, 5)),
    "double escape": ("[g](references/two%2520words.md)", (5, 5)),
}


@pytest.mark.parametrize(("body", "place"), BAD.values(), ids=BAD.keys())
def test_links_to_nothing(body, place, parse):
    assert broken(parse, body) == [("skills/seeds/SKILL.md", *place)]


def test_links_of_other_files_start_from_their_own_directory(parse):
    texts = {
        "references/guide.md": "# Guide\n\n[a](../scripts/run.py) [b](../lost.md) [c](guide.md)\n"
    }
    path = "skills/seeds/references/guide.md"
    assert broken(parse, "ok", texts) == [(path, 3, 28)]


def test_nothing_is_said_where_the_files_are_not_known(parse):
    assert broken(parse, "[g](missing.md)", files=[]) == []


def test_a_page_of_broken_links_is_cut(parse):
    assert len(broken(parse, "[g](missing.md)\n" * 500)) == 50


@pytest.mark.parametrize("piece", ["[", "](", "`", "[a](", "![[", "](<", "[a]: "])
def test_hostile_lines_take_no_time(piece, parse):
    # A rule that looked back from every bracket would need hours for these.
    assert len(broken(parse, piece * 200_000)) <= 50
