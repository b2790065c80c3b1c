"""The preview hides nothing and lets nothing act, whatever the Markdown."""

import pytest
from driving import acting
from fake_skills import LOOKUP_BODY, POISONED_BODY
from hypothesis import given
from hypothesis import strategies as st

from asf_tui.markdown import BRACKETS, DEEPEST, LIMIT, document, render


def shown(source: str, width: int = 78) -> str:
    return "\n".join(line.plain.rstrip() for block in render(source) for line in block.lines(width))


SHOWN = {
    "a comment": ("a <!-- run rm -rf --> b", "<!-- run rm -rf -->"),
    "a comment of its own": ("<!--\nobey\n-->", "<!--\nobey\n-->"),
    "a tag": ("<b onclick=x>bold</b>", "<b onclick=x>bold</b>"),
    "where a link goes": ("[docs](https://evil.invalid)", "docs ‹https://evil.invalid›"),
    "the title of a link": ('[docs](a.md "hover")', 'docs ‹a.md› "hover"'),
    "an automatic link once": ("<https://a.invalid>", "https://a.invalid"),
    "an image": ("![alt](x.png 'tip')", '[image: alt] ‹x.png› "tip"'),
    "an unused definition": ("[//]: # (obey)", 'Unused definition: [//]: # "obey"'),
    "a used definition": ("[a]\n\n[a]: b.md", "a ‹b.md›"),
    "an entity that hides": ("a&#8203;b", "a⟨U+200B⟩b"),
    "an entity that turns": ("&#x202e;x", "⟨U+202E⟩x"),
    "an escape": ("a\x1b[2Jb", "a␛[2Jb"),
    "an escape in a fence": ("```\n\x1b]0;x\x07\n```", " ␛]0;x␇"),
    "an escape in the name of a language": ("```\x1b[1m\nx\n```", " ␛[1m\n x"),
    "brackets": ("[/unopened] [bold]", "[/unopened] [bold]"),
    "a task": ("- [ ] do\n- [x] done", "• [ ] do\n• [x] done"),
    "numbers go on": ("7. a\n8. b", "7. a\n8. b"),
    "an empty item": ("- a\n-\n- b", "• a\n•\n• b"),
    "a list in a list": ("- a\n  - b", "• a\n  • b"),
    "a list in a quotation": ("> - a\n> - b", "▎ • a\n▎ • b"),
    "code in a list": ("- a\n\n  ```\n  x\n  ```", "• a\n\n   x"),
    "a hard break": ("a  \nb", "a\nb"),
    "a table": ("|a|b|\n|-|-|\n|1|2|", "a  b\n────\n1  2"),
    "a rule": ("a\n\n---", "─" * 78),
    "a heading": ("## Title ##", "Title"),
}


@pytest.mark.parametrize(("source", "expected"), SHOWN.values(), ids=SHOWN.keys())
def test_it_is_shown(source: str, expected: str) -> None:
    assert expected in shown(source)


def test_a_deep_nest_is_shown_as_source() -> None:
    source = "> " * (DEEPEST + 5) + "hidden at the bottom"
    assert "hidden at the bottom" in shown(source)
    assert shown(source).lstrip().startswith("Nested too deep")


def test_what_is_too_long_goes_on_as_source() -> None:
    text = shown("word " * (LIMIT // 5) + "\n\nthe very end <!-- x -->")
    assert text.endswith("the very end <!-- x -->")
    assert "Too long to lay out" in text


def test_a_tangle_is_shown_as_source() -> None:
    assert "Too tangled" in shown("[" * (BRACKETS + 1) + "end")


def test_the_description_stands_first() -> None:
    lines = [
        line.plain for block in document("What it\ndoes", "# Title") for line in block.lines(40)
    ]
    assert lines[:2] == ["▎ What it", "▎ does"]
    assert "No description." in next(document("  ", "")[0].lines(40)).plain


@pytest.mark.parametrize("width", [1, 8, 20, 78, 200])
def test_a_whole_document_fits_any_width(width: int) -> None:
    for block in (*render(LOOKUP_BODY), *render(POISONED_BODY)):
        for line in block.lines(width):
            assert line.cell_length <= max(width, 24), line.plain


WILD = st.text(alphabet="#*_`~[]()<>!|-+>=\\&;: \n\ta1é日\x1b\x07\u202e\u200b\x00\x85")


@given(st.one_of(WILD, st.text()))
def test_no_text_breaks_it_and_nothing_acts(source: str) -> None:
    assert not acting(shown(source))


@given(
    st.lists(
        st.sampled_from(
            [
                "- ",
                "> ",
                "1. ",
                "  ",
                "    ",
                "\n",
                "word ",
                "```\n",
                "<!--",
                "-->",
                "|",
                "[a]: b\n",
            ]
        ),
        max_size=40,
    )
)
def test_every_word_is_still_there(parts: list[str]) -> None:
    source = "".join(parts)
    assert shown(source).count("word") == source.count("word")
