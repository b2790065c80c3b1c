"""The scripts of the science group run, offline, and say what their skills promise."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest


def rows(*lines: str) -> str:
    """Lines as a file's text."""
    return "\n".join(lines) + "\n"


AUDIT = rows(
    "id,length,gene,seen",
    "1,10.1,TP53,03/04/2025",
    "2,254,2-Sep,05/06/2025",
    "3,10.3,KRAS,07/08/2025",
    "4,n/a,EGFR,01/02/2025",
    "5,10.2,MYC,02/03/2025",
    "5,10.2,MYC,02/03/2025",
    "6,9",
)

# script, arguments, exit code, and: files, stdin, words that must stand in out and err
CASES = [
    (
        "science/scientific-research-lookup/scripts/lookup.py",
        ["reference genes hypoxia", "--limit", "2"],
        0,
        {"out": ['"asf-p08"'], "err": ["Reference gene stability"]},
    ),
    (
        "science/scientific-research-lookup/scripts/lookup.py",
        ["zeppelin"],
        1,
        {"out": ["[]"], "err": ["no paper matches 'zeppelin'"]},
    ),
    (
        "science/scientific-research-lookup/scripts/lookup.py",
        ["--about"],
        0,
        {"out": ["12 invented"]},
    ),
    (
        "science/classify-pd-l1-tps/scripts/classify.py",
        ["-", "--by-paper"],
        0,
        {
            "stdin": json.dumps(
                [
                    {
                        "id": "p",
                        "observations": [
                            {"case": "1", "value": 0.9, "assay": "22C3"},
                            {"case": "2", "value": 49.6},
                            {"case": "3", "value": "≥50"},
                            {"case": "4", "value": 60, "cells": 41},
                            {"case": "5", "value": 30, "score": "CPS"},
                            {"case": "6", "value": 120},
                        ],
                    }
                ]
            ),
            "out": [
                '"<1%": 1',
                '"1-49%": 1',
                '">=50%": 1',
                "too_few_cells",
                "not_tps",
                "unreadable",
            ],
        },
    ),
    (
        "science/classify-pd-l1-tps/scripts/classify.py",
        ["papers.json"],
        1,
        {"files": {"papers.json": "[]"}, "err": ["no evaluable TPS reading"]},
    ),
    (
        "science/publication-figure-style/scripts/figure.py",
        ["scores.json", "--out", "f.svg", "--ramp"],
        0,
        {"files": {"scores.json": '{"counts": {"low & lower": 3, "high": 1}}'}, "out": ["f.svg"]},
    ),
    (
        "science/publication-figure-style/scripts/figure.py",
        ["scores.json"],
        2,
        {"files": {"scores.json": '{"counts": {"low": -3}}'}, "err": ["not a whole number"]},
    ),
    (
        "science/citation-verifier/scripts/verify.py",
        ["--check", "refs.bib", "--year", "2026"],
        1,
        {
            "files": {
                "refs.bib": rows(
                    "@article{one,",
                    " author = {Bo Li}, title = {On {PD-L1}}, journal = {J}, year = 3021,",
                    " doi = {https://doi.org/10.5555/x}",
                    "@book{one, title = {Two}, year = 2001}",
                )
            },
            "err": [
                "braces",
                "key_twice",
                "doi_malformed",
                "year_impossible",
                "author_form",
                "publisher",
            ],
        },
    ),
    (
        "science/citation-verifier/scripts/verify.py",
        ["papers.json", "--year", "2026"],
        0,
        {
            "files": {
                "papers.json": json.dumps(
                    [
                        {
                            "id": "x",
                            "title": "The mRNA of 5% of cells",
                            "authors": ["Grün, Käthe"],
                            "year": 2024,
                            "journal": "J",
                            "pages": "1-9",
                            "doi": "10.5555/x",
                        }
                    ]
                )
            },
            "out": ["@article{grun2024mrna,", r"{mRNA} of {5\%}", "1--9"],
        },
    ),
    (
        "science/sample-size-planner/scripts/size.py",
        ["means", "--difference", "5", "--sd", "12", "--power", "0.9", "--dropout", "0.15"],
        0,
        {"out": ["arm 1 123, arm 2 123", "arm 1 145, arm 2 145, total 290"]},
    ),
    (
        "science/sample-size-planner/scripts/size.py",
        ["means", "--difference", "0.5", "--sd", "1"],
        0,
        {"out": ["arm 1 64, arm 2 64"]},
    ),
    (
        "science/sample-size-planner/scripts/size.py",
        ["proportions", "--p1", "0.01", "--p2", "0.5"],
        0,
        {"err": ["exact method"]},
    ),
    (
        "science/sample-size-planner/scripts/size.py",
        ["means", "--sd", "12", "--n", "40"],
        0,
        {"out": ["7.52"]},
    ),
    (
        "science/csv-data-audit/scripts/audit.py",
        ["t.csv"],
        1,
        {
            "files": {"t.csv": AUDIT},
            "out": [
                "unit_slip",
                "spreadsheet_date",
                "ragged_row",
                "two_date_orders",
                "hidden_missing",
                "duplicate_row",
            ],
        },
    ),
    (
        "science/plate-layout-designer/scripts/layout.py",
        ["--seed", "1", "--group", "a:97"],
        2,
        {"err": ["97 wells asked for, 96 usable"]},
    ),
    (
        "science/plate-layout-designer/scripts/layout.py",
        ["--plate", "384", "--seed", "1", "--group", "a:30", "--group", "b:30", "--block", "row"],
        0,
        {"out": ["well,row,column,group,replicate,order"], "err": ["a: 30 wells"]},
    ),
    (
        "science/qpcr-delta-delta-ct/scripts/ddct.py",
        ["w.csv", "--target", "T", "--reference", "R", "--reference", "S", "--control", "c"],
        0,
        {
            "files": {
                "w.csv": rows(
                    "sample,group,gene,ct",
                    *(
                        f"{group}{n},{group},{gene},{ct + n / 10}"
                        for group, shift in (("c", 0), ("x", -2))
                        for n in range(3)
                        for gene, ct in (("T", 26 + shift), ("R", 20), ("S", 24))
                    ),
                )
            },
            "out": ["x 3 -2.00", " 4.00 "],
        },
    ),
    (
        "science/qpcr-delta-delta-ct/scripts/ddct.py",
        ["w.csv", "--target", "T", "--reference", "R", "--control", "c"],
        2,
        {
            "files": {"w.csv": rows("sample,group,gene,ct", "1,c,T,abc")},
            "err": ["line 2: Ct 'abc' is no number"],
        },
    ),
    (
        "science/systematic-review-screening/scripts/prisma.py",
        ["d.csv"],
        1,
        {
            "files": {
                "d.csv": rows(
                    "id,source,stage,screener_a,screener_b,final,reason",
                    "r1,A,title,in,in,in,",
                    "r2,A,title,in,out,in,",
                    "r3,B,title,out,out,out,",
                    "r4,B,title,,,duplicate,",
                    "r1,A,full,in,in,in,",
                    "r2,A,full,out,out,out,",
                )
            },
            "out": [
                "identified 4",
                "duplicates removed 1",
                "screened 3",
                "included 1",
                "kappa 0.40",
            ],
            "err": ["r2 (full): excluded at full text without a reason"],
        },
    ),
]


@pytest.mark.parametrize(("script", "args", "code", "more"), CASES)
def test_script_answers(
    script: str, args: list[str], code: int, more: dict, answer: Callable
) -> None:
    result = answer(script, args, more.get("files"), more.get("stdin", ""))
    assert result.code == code, result
    assert [words for words in more.get("out", ()) if words not in result.out] == [], result
    assert [words for words in more.get("err", ()) if words not in result.err] == [], result


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    assert {case[0] for case in CASES} == {path for path in programs if path.startswith("science/")}


def test_the_pd_l1_chain_runs_from_question_to_bibliography(
    answer: Callable, tmp_path: Path
) -> None:
    science = "science/"
    papers = answer(
        science + "scientific-research-lookup/scripts/lookup.py",
        ["PD-L1 tumour proportion score lung", "--limit", "8"],
    )
    (tmp_path / "papers.json").write_text(papers.out, encoding="utf-8")
    scores = answer(science + "classify-pd-l1-tps/scripts/classify.py", ["papers.json"])
    (tmp_path / "scores.json").write_text(scores.out, encoding="utf-8")
    assert json.loads(scores.out)["counts"] == {"<1%": 9, "1-49%": 7, ">=50%": 6}
    assert len(json.loads(scores.out)["excluded"]) == 13
    figure = answer(
        science + "publication-figure-style/scripts/figure.py",
        ["scores.json", "--out", "figure.svg"],
    )
    assert (figure.code, figure.out, figure.err) == (0, "figure.svg\n", "")
    svg = ElementTree.parse(tmp_path / "figure.svg").getroot()
    texts = [node.text for node in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"n = 22", "9 (41%)", "7 (32%)", "6 (27%)"} <= set(texts)
    verified = answer(
        science + "citation-verifier/scripts/verify.py",
        ["papers.json", "--out", "refs.bib", "--year", "2026"],
    )
    assert verified.code == 1
    assert [line.split()[0] for line in verified.err.splitlines()[:-1]] == [
        "duplicate",
        "retracted",
        "superseded",
    ]
    assert (tmp_path / "refs.bib").read_text("utf-8").count("\n@") == 6


def test_a_plate_layout_repeats_and_is_balanced(answer: Callable) -> None:
    script = "science/plate-layout-designer/scripts/layout.py"
    arguments = [
        "--empty-rim",
        "--seed",
        "7",
        "--group",
        "a:12",
        "--group",
        "b:12",
        "--group",
        "c:6",
    ]
    first, again = (answer(script, arguments) for _ in range(2))
    assert first == again
    wells = list(csv.DictReader(io.StringIO(first.out)))
    assert len({well["well"] for well in wells}) == 30
    assert not {"1", "12"} & {well["column"] for well in wells}
    for group in "abc":
        counts = [
            sum(well["group"] == group and well["column"] == str(column) for well in wells)
            for column in range(2, 12)
        ]
        assert max(counts) - min(counts) <= 1
