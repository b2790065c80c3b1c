from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.domain.manifest import SkillManifest, SourceRef
from asf_core.retrieval.views import (
    clean,
    condensed,
    dense_text,
    lexical_fields,
    token_text,
    view_digest,
)


def _manifest(
    name: str = "csv-tidy", description: str = "Tidy files.", **fields: object
) -> SkillManifest:
    source = SourceRef(registry="r", path=str(fields.pop("path", "skills/csv-tidy")))
    slug = str(fields.pop("slug", name))
    return SkillManifest(
        id=f"r/{source.path}",
        slug=slug,
        name=name,
        description=description,
        source=source,
        **fields,
    )


_BODY = """# Tidy

## When to use ##
```sh
# not a heading
```
#no heading either
### Steps
"""


def test_the_encoders_read_what_says_when_a_skill_applies() -> None:
    manifest = _manifest(triggers=("clean my export",))
    assert dense_text(manifest, _BODY) == "csv-tidy: Tidy files. clean my export"
    assert token_text(manifest, _BODY) == "csv-tidy: Tidy files. clean my export"


def test_headings_stand_in_for_a_skill_that_says_nothing() -> None:
    bare = _manifest(description=" ")
    assert dense_text(bare, _BODY) == "csv-tidy: Tidy When to use Steps"
    assert token_text(bare, "") == "csv-tidy:"


def test_what_a_skill_is_not_for_is_read_by_no_engine() -> None:
    manifest = _manifest(description="Tidy files. Do NOT use for images (use image-tidy).")
    assert "image" not in dense_text(manifest, "") + token_text(manifest, "")
    assert lexical_fields(manifest, "")["description"] == "Tidy files."


def test_the_name_field_has_each_way_a_skill_is_called_once() -> None:
    assert lexical_fields(_manifest(), "")["name"] == "csv-tidy"
    assert lexical_fields(_manifest(), _BODY)["headings"] == "Tidy\nWhen to use\nSteps"
    odd = _manifest(name="CSV tidy", slug="csv-tidy", path="skills/tables.v2")
    assert set(lexical_fields(odd, "")["name"].split("\n")) == {"csv-tidy", "tables.v2"}
    root = _manifest(name="", slug="tidy", path=".")
    assert lexical_fields(root, "body") == {
        "name": "tidy",
        "description": "Tidy files.",
        "triggers": "",
        "headings": "",
        "body": "body",
    }


def test_encoded_texts_are_short() -> None:
    manifest = _manifest(description="word " * 5000)
    body = "\n".join(f"# Heading {i}" for i in range(5000))
    assert len(dense_text(manifest, body)) <= 1200
    assert len(token_text(manifest, body)) <= 800


def test_the_digest_changes_only_with_what_is_encoded() -> None:
    base = view_digest(_manifest(), _BODY)
    assert view_digest(_manifest(), _BODY + "\nmore prose") == base
    assert view_digest(_manifest(version="2", license="MIT"), _BODY) == base
    assert view_digest(_manifest(path="elsewhere/csv-tidy"), _BODY) == base
    assert view_digest(_manifest(description="Other."), _BODY) != base
    assert view_digest(_manifest(triggers=("now",)), _BODY) != base
    bare = _manifest(description="")
    assert view_digest(bare, _BODY + "\n# More") != view_digest(bare, _BODY)


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "\udfff\ud800"])
def test_any_library_takes_a_clean_text(text: str) -> None:
    assert "\0" not in clean(text)
    clean(text).encode()


def _rare(sentence: str) -> float:
    return float("wombat" in sentence.casefold())


def test_a_short_task_is_read_whole() -> None:
    assert condensed("Find the wombat. Then stop.", 64, _rare) == "Find the wombat. Then stop."


def test_of_a_page_the_telling_sentences_are_read_in_their_order() -> None:
    page = "Nothing here. " * 40 + "Count the wombat tracks! " + "Still nothing. " * 40
    page += "Draw a wombat."
    found = condensed(page, 20, _rare)
    assert found.index("Count the wombat tracks!") < found.index("Draw a wombat.")
    assert len(found) < 120


def test_one_endless_sentence_is_cut_to_whole_words() -> None:
    found = condensed("alpha " * 1000, 64, _rare)
    assert 0 < len(found) <= 256
    assert set(found.split()) == {"alpha"}


@given(st.text(min_size=1), st.integers(8, 64))
def test_a_condensed_task_is_never_empty_nor_longer(text: str, tokens: int) -> None:
    found = condensed(text, tokens, len)
    assert len(found) <= len(text)
    assert found.strip() or not text.strip()
