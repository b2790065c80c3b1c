from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.retrieval.positive import positive


@pytest.mark.parametrize(
    ("description", "kept"),
    [
        ("Join PDF files.", "Join PDF files."),
        ("", ""),
        (
            "Join PDF files. Do NOT use for images. Use when asked to merge.",
            "Join PDF files. Use when asked to merge.",
        ),
        ("Join PDF files. Not for images.", "Join PDF files."),
        ("Join PDF files DO NOT USE FOR: images", "Join PDF files"),
        ("Join files. For images, use image-join.", "Join files."),
        ("Join files. To split them, see pdf-split.", "Join files."),
        ("Join files. Use image-join instead for images.", "Join files."),
        ("Join files. Don’t use for images.", "Join files."),
        ("Join PDF files of any length, not for images", "Join PDF files of any length"),
        ("Join PDF files of any length, but do not use for images", "Join PDF files of any length"),
        ("- Join files\n- Never use for images\n- Split files", "- Join files - Split files"),
        ("Do not use.", "Do not use."),
        ("Finds what does not work and says so.", "Finds what does not work and says so."),
        ("Use when: merging files, even large ones.", "Use when: merging files, even large ones."),
    ],
)
def test_what_a_skill_is_not_for_is_cut(description: str, kept: str) -> None:
    assert positive(description) == kept


@given(st.text(max_size=200))
def test_nothing_is_added_and_something_always_stays(description: str) -> None:
    found = positive(description)
    assert len(found) <= len(description)
    assert found or not description
