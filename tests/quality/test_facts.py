"""What the gate reads of one skill."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.quality import lexicon
from asf_core.quality.bodies import Kind, lines
from asf_core.quality.facts import SkillFacts
from asf_core.quality.masking import key, masked, name_words
from tests.quality.writing import DESCRIPTION, GOOD, facts

ANY = st.text(alphabet=st.characters(codec=None), max_size=300)  # lone surrogates and NUL too


def test_lines_are_told_apart() -> None:
    body = (
        "# Title\n\nProse.\n- item\n2. [x] done\n```sh\nls -l  # list\n# comment\n```\n"
        "<!-- hidden\nstill hidden -->\n~~~\n```\n~~~\nLast\n"
    )
    assert [(line.kind, line.text) for line in lines(body)] == [
        (Kind.HEADING, "Title"),
        (Kind.PROSE, "Prose."),
        (Kind.ITEM, "item"),
        (Kind.ITEM, "done"),
        (Kind.CODE, "ls -l  # list"),
        (Kind.CODE, "# comment"),
        (Kind.CODE, "```"),
        (Kind.PROSE, "Last"),
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("two words", 2),
        ("", 0),
        ("don't re-run", 2),
        ("備份檢查", 2),
        ("use 備份 now", 3),
        ("---", 0),
    ],
)
def test_words_are_counted_in_any_script(text: str, count: int) -> None:
    assert lexicon.count_words(text) == count


def test_a_template_shows_through_the_topic() -> None:
    one = masked("- Working on **quant analyst** tasks", name_words("quant-analyst"))
    other = masked("* working on Network-Engineer tasks.", name_words("network-engineer"))
    assert one == other == "working on § tasks"
    assert key(one) == key(other) != key("working on my tasks")


def test_a_good_body_is_counted() -> None:
    text = facts().text
    assert text.words > 100
    assert text.conditions >= 8
    assert text.items == 0
    assert text.filler == ()


@pytest.mark.parametrize(
    "line",
    [
        "Clarify goals, constraints, and required inputs.",
        "Apply relevant best practices and validate outcomes.",
        "You need a different domain or tool outside this scope",
        "Instructions will follow.",
        "TODO",
        "Use the upstream install or setup path that matches your environment:",
    ],
)
def test_lines_of_known_templates_are_filler(line: str) -> None:
    assert len(facts(body=f"- {line}\n").text.filler) == 1
    assert len(facts(body=line).text.filler) == 1


def test_ordinary_lines_are_no_filler() -> None:
    assert facts(body=GOOD).text.filler == ()


@pytest.mark.parametrize(
    ("name", "description", "filled"),
    [
        ("mcp-server-builder", "MCP Server Builder", True),
        ("data-helper", "Helps with data.", True),
        ("microservices-excellence", "Expert guidance for Microservices.", True),
        ("review", "Use when working with review", True),
        ("ml-pipeline", "Design and implement a complete ML pipeline for: $ARGUMENTS", True),
        ("demo", "A sample skill for testing the validator.", True),
        ("pdf", "Join, split and rotate PDF files.", False),
        ("restic-care", DESCRIPTION, False),
    ],
)
def test_descriptions_that_only_fill_in_the_name(name: str, description: str, filled: bool) -> None:
    said = facts(name, description).description
    assert (said.filled_in == said.words) is filled


@pytest.mark.parametrize(
    ("description", "occasion"),
    [
        ("Use when a backup fails.", True),
        ("Triggers: backup, restore", True),
        ("For when the disk is full", True),
        ("Checks backups and restores.", False),
        ("在备份失败时使用。", True),
        ("Quando o backup falha.", True),
        ("", False),
    ],
)
def test_occasions(description: str, occasion: bool) -> None:
    assert facts("x", description).description.occasion is occasion
    assert facts("x", description, triggers=("my disk is full",)).description.occasion


def test_conditions_are_heard_in_other_languages() -> None:
    for text in ("如果失败，不要重试。", "必ず確認し、エラーの場合は中止。", "Eğer hata olursa asla silmeyin.",
                 "Wenn es fehlschlägt, niemals löschen.", "Se o teste falha, nunca apague."):  # fmt: skip
        assert facts(body=text).text.conditions >= 1, text


@settings(deadline=None)
@given(ANY, ANY, ANY)
def test_facts_survive_the_store_whatever_the_text(name: str, description: str, body: str) -> None:
    found = facts(name or "x", description, body, {"a.py": body.encode("utf-8", "replace")})
    assert SkillFacts.load(found.dump()) == found
    assert found.dump().isascii()


def test_a_huge_body_is_read_in_linear_time() -> None:
    for text in ("a" * 400_000, "`" * 400_000, "- x\n" * 100_000, "/" * 400_000, "§ " * 200_000):
        facts(body=text)
