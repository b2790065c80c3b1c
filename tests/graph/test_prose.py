"""What a text says of other skills."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.graph.prose import MOST_MENTIONS, Mention, read_mentions

KNOWN = frozenset(
    {"paper-search", "chart-style", "cite-check", "pdf", "test", "deploy", "me-skill"}
)


def read(text: str) -> tuple[Mention, ...]:
    return read_mentions(text, KNOWN, frozenset({"me-skill"}))


def told(text: str) -> list[tuple[str, str, float]]:
    return [(m.name, m.kind.value, m.confidence) for m in read(text)]


SECTIONS = {
    "related": ("## Related skills\n\n- paper-search", "complements"),
    "related, numbered and with an emoji": ("### 8. 🔗 Related Skills\n- `paper-search`", "complements"),
    "related topics, names between bars": ("## Related Topics\n\ncite-check | paper-search", "complements"),
    "see also": ("## See also\n- [search](../paper-search/SKILL.md)", "complements"),
    "integration": ("## Integration With Other Skills\n* **paper-search** → input", "complements"),
    "next steps": ("## Next steps\nThen `paper-search`.", "complements"),
    "japanese": ("## 関連スキル\n- `paper-search`", "complements"),
    "chinese": ("## 相关技能\n- `paper-search`", "complements"),
    "korean": ("## 관련 스킬\n- `paper-search`", "complements"),
    "turkish": ("## İlgili Beceriler\n- `paper-search`", "complements"),
    "required": ("## Required\n- `paper-search`", "depends_on"),
    "prerequisites": ("## Prerequisites\n- `/paper-search` has run", "depends_on"),
    "inputs and prerequisites": ("## Inputs / Prerequisites\n- `paper-search`", "depends_on"),
    "dependencies": ("## Dependencies\n- `paper-search`", "depends_on"),
    "prerequisites in chinese": ("## 前置条件\n- `paper-search`", "depends_on"),
    "works well with": ("## Works well with\n- `paper-search`", "co_used_with"),
    "often used with": ("## Often used with\n- paper-search", "co_used_with"),
    "combine with": ("When relevant, combine with:\n\n- `paper-search`", "co_used_with"),
    "conflicts": ("## Conflicts\n- `paper-search`", "conflicts_with"),
    "incompatible": ("## Incompatible with\n- paper-search", "conflicts_with"),
    "references": ("## References\n- [search](../paper-search/SKILL.md)", "references"),
    "a sub-skill that is required": ("**REQUIRED SUB-SKILL:** Use superpowers:paper-search", "required_sub_skills"),
    "a label inside a related section": ("## Related Skills\nWorks well with: `paper-search`", "co_used_with"),
    "a bold label over a list": ("## Integration\n\n**Pairs with:**\n- **paper-search** - always", "co_used_with"),
    "a heading passes its role down": ("## Prerequisites\n\n### Data\n- `paper-search`", "depends_on"),
    "a setext heading is text, a mention in it counts": ("Using `paper-search`\n----", "complements"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), SECTIONS.values(), ids=SECTIONS)
def test_what_a_section_gives(text: str, kind: str) -> None:
    last = told(text)[-1]
    assert (
        last[0].rpartition(":")[2].removesuffix("/SKILL.md").removeprefix("../"),
        *last[1:],
    ) == (
        "paper-search",
        kind,
        0.7,
    )


FORMS = {
    "a word with a hyphen at the head of an item": "## Related skills\n- paper-search for archives",
    "words with hyphens one after the other": "## Related skills\n- no-such, cite-x, paper-search",
    "a word that is asked for in a list of skills": "## Related skills\nThen use paper-search on it.",
    "examples of skills to use": "Use library skills (e.g. `paper-search`).",
    "a linked example": "Example: [x](../paper-search/SKILL.md)",
    "a command among commands": "Then `/test` and `/deploy`.",
    "back ticks": "See `paper-search`.",
    "bold": "Use **paper-search** for that.",
    "back ticks in bold": "Use **`paper-search`** for that.",
    "slash": "Run /paper-search on it.",
    "slash in back ticks, with arguments": "Run `/paper-search --deep set-pin`.",
    "at": "Ask @paper-search about it.",
    "wiki link": "Set up via [[paper-search]].",
    "plugin prefix": "Use `superpowers:paper-search`.",
    "the word skill after it": "the paper-search skill explains why",
    "the word skill before it": "See skill: `paper-search` for more",
    "use the pdf skill": "Use the pdf skill for that.",
    "a bare name in back ticks next to skill": "the `pdf` skill does it",
    "a bare name in a list of skills": "## Related skills\n- `pdf`",
    "bare names between bars": "## Related topics\n\npdf | test",
    "in a table row": "| Task | Skill |\n|---|---|\n| Find | `paper-search` |",
    "in a quote": "> then `paper-search`",
    "in a heading": "### Step 2 - `/paper-search`",
    "a stray back tick in another row": "| a ` b | c |\n| d | `paper-search` |",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_how_a_name_is_written(text: str) -> None:
    assert told(text)


PATHS = {
    "a link to a sibling": ("[x](../paper-search/SKILL.md)", "../paper-search/SKILL.md"),
    "a link to its directory": ("[x](../paper-search/)", "../paper-search/"),
    "a link to a file of it, with an anchor": ("[x](../paper-search/TASKS.md#run)", "../paper-search/TASKS.md"),
    "a path in back ticks": ("see `skills/paper-search/SKILL.md`", "skills/paper-search/SKILL.md"),
    "a plain path with a line": ("see paper-search/SKILL.md:48-62", "paper-search/SKILL.md"),
    "at a path": ("see @skills/paper-search/SKILL.md", "skills/paper-search/SKILL.md"),
    "at in brackets": ("see `@[skills/paper-search]`", "skills/paper-search"),
    "a page of a git host": (
        "[x](https://github.com/o/r/tree/main/skills/paper-search)",
        "skills/paper-search",
    ),
    "a link definition": ("[x]: ../paper-search/SKILL.md", "../paper-search/SKILL.md"),
    "the name in a link's text counts once, by the link": (
        "[`paper-search`](../paper-search/SKILL.md)",
        "../paper-search/SKILL.md",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "path"), PATHS.values(), ids=PATHS)
def test_paths(text: str, path: str) -> None:
    [mention] = read(f"Uses paper-search. {text}" if "]:" not in text else text)
    assert mention.is_path
    assert mention.name == path


SILENT = {
    "fenced code": "```bash\npaper-search run\n/paper-search\n```",
    "fenced code in a list": "- do\n  ```\n  /paper-search\n  ```",
    "tildes": "~~~\n`paper-search`\n~~~",
    "a heading inside a fence": "```\n## Related skills\n- paper-search\n```",
    "indented code": "text\n\n    use `paper-search`",
    "a comment": "<!-- use `paper-search` -->",
    "a comment of several lines": "<!--\n## Related skills\n- `paper-search`\n-->",
    "a plain word with a hyphen": "A paper-search takes long.",
    "a bare word in back ticks": "Run `test` and `pdf` and `deploy`.",
    "a bare word in bold": "**test** the thing",
    "a bare word in a sentence of a related section": "## Related skills\nthen test and deploy it",
    "a bare word in prerequisites: a tool": "## Prerequisites\n- `pdf` installed",
    "a command that starts with the name": "`paper-search --help`",
    "other case": "`Paper-Search`",
    "an agent": "Dispatch the `paper-search` agent.",
    "an agent, told before": "- Agent: `paper-search`",
    "a package": "the `paper-search` package",
    "a repository": "in the `paper-search` repository",
    "packages in brackets": "the packages (cite-check, `paper-search`)",
    "its own name": "`me-skill` and [x](../me-skill/SKILL.md)" * 0 + "`me-skill`",
    "forbidden": "Do not use `paper-search` here.",
    "forbidden, loudly": "NEVER directly invoke `/paper-search`.",
    "forbidden, with marks": "Do **not** use `/paper-search`.",
    "a url": "see https://example.com/paper-search",
    "a folder of code": "under src/paper-search-x/",
    "a label of examples": "Examples: `cite-check`, `paper-search`",
    "a label of examples over a list": "**Examples:**\n- `paper-search` - finds",
    "a column of examples": "| Kind | Example skills |\n|---|---|\n| look up | `paper-search` |",
    "an example of a name": "Lower case with hyphens (e.g., `paper-search`)",
    "an example of a task": "For example, when writing a `paper-search` skill, look around.",
    "a directory": "Shared parts in `/test`, the rest in `/deploy`.",
    "a route among others": "Pages: `/about`, `/test`, `/contact`.",
    "a package of npm": "With `@paper-search/core` and `@paper-search/SKILL`.",
    "an adjective in a list of skills": "## Related skills\n- Tables for paper-search in archives",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_what_names_no_skill(text: str) -> None:
    assert told(text) == []


WORDING = {
    "instead": ("For charts use `chart-style` instead.", "complements", 0.4),
    "instead, in a related section": ("## Related skills\n- `chart-style` instead of this", "complements", 0.7),
    "when not to use": ("## When NOT to use\n- charts → `chart-style`", "complements", 0.4),
    "do not use this skill for": ("**Do NOT use for:** charts (use `chart-style`)", "complements", 0.4),
    "use another skill when": ("## Use Another Skill When\n- charts -> `chart-style`", "complements", 0.4),
    "when not to use, in japanese": ("## 使用しないとき\n- `chart-style`", "complements", 0.4),
    "no replacement": ("It is not a replacement for `chart-style`.", "complements", 0.4),
    "unlike": ("Unlike `chart-style`, it draws nothing.", "complements", 0.4),
    "rather than": ("Picks colours rather than shapes, as `chart-style` does.", "complements", 0.4),
    "owned by": ("Colours are owned by `chart-style`.", "complements", 0.4),
    "alternative workflow": ("**Alternative workflow:**\n- **chart-style** - the same", "complements", 0.4),
    "a negation about something else": ("If there is no plan, run `chart-style`.", "complements", 0.7),
    "not this, use that": ("Do not use this skill for charts; use `chart-style`.", "complements", 0.7),
    "requires": ("It requires `chart-style` to be set up.", "depends_on", 0.7),
    "depends on": ("This depends on the `chart-style` skill.", "depends_on", 0.7),
    "required background": ("**REQUIRED BACKGROUND:** You MUST understand chart-style skill", "depends_on", 0.7),
    "must be completed": ("The **chart-style** skill **MUST** be completed before.", "depends_on", 0.7),
    "prerequisite, in brackets": ("## Related skills\n- `chart-style` (prerequisite)", "depends_on", 0.7),
    "first": ("If there is none, run `chart-style` first.", "depends_on", 0.6),
    "first, in prerequisites": ("## Prerequisites\nRun `chart-style` first.", "depends_on", 0.7),
    "optional, in prerequisites": ("## Prerequisites\n- Optional: `/chart-style`", "complements", 0.7),
    "a word that starts with first": ("`chart-style` first-class support", "complements", 0.7),
    "over a line break": ("Colours belong\n  to `chart-style`.", "complements", 0.4),
    "conflicts with": ("It conflicts with `chart-style`.", "conflicts_with", 0.7),
    "not together": ("Do not use together with `chart-style`.", "conflicts_with", 0.7),
}  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "confidence"), WORDING.values(), ids=WORDING)
def test_what_the_wording_changes(text: str, kind: str, confidence: float) -> None:
    assert told(text) == [("chart-style", kind, confidence)]


def test_the_sentence_decides_not_the_paragraph() -> None:
    text = "Use `cite-check` instead. Then `chart-style` draws it."
    assert told(text) == [("cite-check", "complements", 0.4), ("chart-style", "complements", 0.7)]


def test_lines_and_excerpts() -> None:
    text = "intro\n\n## Related skills\n\n- one\n- `cite-check`\n  and\n  `chart-style` too\n"
    assert [(m.line, m.text) for m in read(text)] == [
        (6, "- `cite-check`"),
        (8, "`chart-style` too"),
    ]
    table = "| a | b |\n|---|---|\n| x | `cite-check` |\n"
    assert [m.line for m in read(table)] == [3]
    wide = "x " * 300 + "`chart-style`" + " y" * 300
    [mention] = read(wide)
    assert "chart-style" in mention.text
    assert len(mention.text) <= 200


MUST_RESOLVE = {
    "an item of a list of skills": ("## Related Skills\n- `no-such` - about", ["no-such"]),
    "several names": ("## Related Skills\nWorks well with: `no-such`, `pdf`, `not-here`", ["no-such", "not-here"]),
    "a link to a SKILL.md anywhere": ("see [x](../no-such/SKILL.md)", ["../no-such/SKILL.md"]),
    "an identifier inside a description": ("## Related Skills\n- `pdf` - `some-lib` and `a_b.h`", []),
    "a section that does not speak of skills": ("## See also\n- `no-such`", []),
    "a tool in a sentence": ("needs `no-such`", []),
    "a plain word": ("## Related Skills\n- no-such", []),
    "a file": ("## Related Skills\n- `notes-file.md`", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "names"), MUST_RESOLVE.values(), ids=MUST_RESOLVE)
def test_names_that_are_worth_a_finding(text: str, names: list[str]) -> None:
    found = [m.name for m in read(text) if m.must_resolve]
    assert [name for name in found if name not in KNOWN] == names


HOSTILE = {
    "names without end": "`paper-search` " * 5_000,
    "one long word": "a" * 100_000,
    "dots and dashes": "a" + ".-" * 50_000,
    "slashes": "a/" * 50_000,
    "brackets": "[" * 20_000,
    "at brackets": "@[" * 20_000,
    "open links": "[a](../" * 5_000,
    "stars": "*a **" * 5_000,
    "deep lists": "- " * 3_000 + "paper-search",
    "an open fence": "`" * 10_000 + "\npaper-search",
    "an open comment": "<!-- " + "`paper-search` " * 1_000,
    "controls": "\x00\x1b[2J\u202e `paper-search` \ud7ff\ufffe",
    "nothing": "",
    "line feeds": "\n" * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_end(text: str) -> None:
    assert len(read(text + "\n\n`paper-search`")) <= MOST_MENTIONS


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("#-*`[]()/@\n .:|>abs") | st.sampled_from("例é\u200b")))
def test_any_text_can_be_read_and_lines_are_its_lines(text: str) -> None:
    known = frozenset({"a", "b-a", "s"})
    for mention in read_mentions(text + "\n`b-a`", known):
        assert 1 <= mention.line <= text.count("\n") + 2
