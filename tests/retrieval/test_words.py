from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.retrieval.words import Analyser, name_key, script, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Converting the converters", ["convert", "convert"]),
        ("single-cell_QC", ["singl", "cell", "qc", "singlecellqc"]),
        ("cellCountQc", ["cell", "count", "qc", "cellcountqc"]),
        ("PDFReader", ["pdf", "reader", "pdfreader"]),
        ("pyproject.toml", ["pyproject", "toml", "pyprojecttoml"]),
        ("v1.10 is not 1.10 or 110", ["v1", "10", "v110", "1", "10", "1.10", "110"]),
        ("c++ C# F#", ["c++", "c#", "f#"]),
        ("issue #42", ["issu", "42"]),
        ("don't", []),
        ("rock'n'roll", ["rock", "n", "roll", "rocknroll"]),
        ("café CAFÉ", ["cafe", "cafe"]),
        ("пишу тесты", ["пишу", "тесты"]),
        ("sol\u200bder\u00ading", ["solder"]),
        ("柔和些", ["柔和", "和些"]),
        ("剪", ["剪"]),
        ("用python写代码", ["用", "python", "写代", "代码"]),
        ("ﾃｽﾄ テスト", ["テス", "スト", "テス", "スト"]),
        ("한국어", ["한국", "국어"]),
        ("-- ... ___ '' \\ (( %_'; --", []),
        ("AND OR NOT the of", []),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@given(st.text())
def test_any_text_gives_terms_of_its_own_and_the_same_ones_each_time(text: str) -> None:
    found = terms(text)
    assert all(found)
    assert found == Analyser().terms(text)


@given(st.lists(st.sampled_from(["cell", "count", "qc", "Json", "HTTP", "2"]), min_size=2))
def test_a_name_is_one_thing_however_its_parts_are_joined(parts: list[str]) -> None:
    keys = {name_key(glue.join(parts)) for glue in ("-", "_", ".", " ", "")}
    assert len(keys) == 1


def test_a_hash_does_not_swell_the_vocabulary() -> None:
    (found,) = terms("f" * 500)
    assert len(found) == 64


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("信太生硬了，写得柔和些", "cjk"),
        ("報告を短くまとめて", "cjk"),
        ("csv を整理して", "cjk"),
        ("summarise the 報告", "latin"),
        ("polish prose", "latin"),
        ("übersetze die Größe ins Tiếng Việt", "latin"),
        ("123 ...", "latin"),
        ("пишу тесты", "other"),
        ("ต้นมะม่วง", "other"),
        ("🙂", "other"),
        ("((", "other"),
        ("", "other"),
    ],
)
def test_the_script_of_a_task(text: str, expected: str) -> None:
    assert script(text) == expected
