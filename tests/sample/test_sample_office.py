"""The scripts of the office group run, offline, and say what their skills promise."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable

import pytest


def rows(*lines: str) -> str:
    """Lines as a file's text."""
    return "\n".join(lines) + "\n"


PLAN = {
    "start": "2026-07-01",
    "days": 7,
    "shifts": ["day", "night"],
    "need": {"day": 2, "night": 1},
    "people": [
        {"name": "Ana", "max": 6, "skills": ["key"], "cannot": ["2026-07-04"]},
        {"name": "Ben", "max": 6, "skills": ["key"]},
        {"name": "Cem", "max": 6},
        {"name": "Dora", "max": 6, "skills": ["key"], "rather_not": ["night"]},
    ],
    "require": {"day": "key"},
    "rest_after": "night",
}
KEYLESS = {
    **PLAN,
    "people": [{**person, "skills": []} for person in PLAN["people"]],
}
SHEET = rows(
    "item,net,gross",
    "a,10,=B2*1.19",
    "b,20,=B3*1.19",
    "c,30,35",
    "d,40,=B5*1.19",
    "e,50,=B6*1.19",
    'total,=SUM(B2:B5),"=IFERROR(SUM(C2:C6),0)"',
)
CLAIM = rows(
    "date,category,amount,currency,rate,base_amount,merchant,receipt",
    "2026-06-08,meal,38,EUR,1,38,Roma,r1",
    "2026-06-08,meal,39,EUR,1,39,Roma,r2",
    "2026-06-09,taxi,30,GBP,1.2,40,Cab Co,",
    "2026-06-10,hotel,170,EUR,1,170,Hotel A,r3",
    "2026-06-11,hotel,170,EUR,1,170,Hotel A,r3",
    "2026-06-12,rail,90,EUR,1,90,Rail,r4",
)

# script, arguments, exit code, and: files, stdin, words that must stand in out and err
CASES = [
    (
        "office/csv-data-audit/scripts/audit.py",
        ["t.tsv", "--json"],
        0,
        {"files": {"t.tsv": "a\tb\n1\tx\n2\ty\n"}, "out": ['"findings": []']},
    ),
    (
        "office/meeting-minutes/scripts/actions.py",
        ["n.txt", "--date", "2026-06-11"],
        1,
        {
            "files": {
                "n.txt": rows(
                    "D: supplier B",
                    "Ben will send the draft by Friday. We will see.",
                    "A: Ana: call legal by 2026-06-13",
                    "- A: somebody should tell legal asap",
                    "Q: is May right?",
                )
            },
            "out": ['"number": "2026-06-11/1"', '"owner": "Ben"', '"due": "2026-06-12"'],
            "err": ["line 3: due on a weekend", "line 4: no owner, vague date"],
        },
    ),
    (
        "office/action-follow-up/scripts/remind.py",
        ["a.json", "--today", "2026-06-25"],
        1,
        {
            "files": {
                "a.json": json.dumps(
                    [
                        {"owner": "Ana", "what": "call legal", "due": "2026-06-12"},
                        {"owner": "Ana", "what": "sign", "due": "2026-07-30"},
                        {"owner": None, "what": "tell legal", "due": None},
                    ]
                )
            },
            "out": ["[choose]\nHello Ana", "call legal (due 2026-06-12, 13 days ago)"],
            "err": ["yours to settle: tell legal"],
        },
    ),
    (
        "office/expense-report-audit/scripts/audit_expenses.py",
        ["c.csv", "--today", "2026-06-15"],
        1,
        {
            "files": {"c.csv": CLAIM},
            "out": [
                "row 3: over_limit: 77.00 for meal",
                "row 3: split",
                "row 4: conversion",
                "row 4: no_receipt",
                "row 6: near_duplicate",
            ],
            "err": ["298.00 can be paid now"],
        },
    ),
    (
        "office/contract-clause-diff/scripts/clauses.py",
        ["a.txt", "b.txt"],
        1,
        {
            "files": {
                "a.txt": rows(
                    '1. "Fees" means the sums in Annex A.',
                    "2. The supplier shall deliver within 30 days.",
                    "9.1 Liability is limited to the Fees of twelve months before the claim.",
                    "10 Notices go to the address above.",
                ),
                "b.txt": rows(
                    '1. "Fees" means the sums in Annex B.',
                    "2. The supplier may deliver within 30 days.",
                    "9.2 Liability is limited to the Fees of three months before the claim.",
                ),
            },
            "out": [
                "[3] changed 2 -> 2",
                "[-shall-]",
                "[3] changed 9.1 -> 9.2",
                "removed 10",
                'defines "Fees", used in: 9.2',
            ],
        },
    ),
    (
        "office/invoice-three-way-match/scripts/match.py",
        ["po.csv", "gr.csv", "inv.csv"],
        1,
        {
            "files": {
                "po.csv": rows(
                    "po,line,item,quantity,price,tax_rate",
                    "7,1,bolt,100,2.50,20",
                    "7,2,nut,10,1.00,20",
                ),
                "gr.csv": rows("po,line,quantity,date", "7,1,50,2026-06-01", "7,1,30,2026-06-02"),
                "inv.csv": rows(
                    "invoice,supplier,po,line,quantity,price,tax",
                    "A1,Acme,7,1,60,2.50,30.00",
                    "A2,Acme,7,1,40,2.50,20.00",
                    "A2,Acme,7,1,40,2.50,20.00",
                    "A3,Acme,7,2,10,12.00,24",
                    "A4,Acme,8,1,1,1,0",
                ),
            },
            "out": [
                "pay      150.00",
                "part      50.00",
                "seen before",
                "another unit?",
                "no such order",
            ],
            "err": ["200.00 net can be paid"],
        },
    ),
    (
        "office/mail-merge-letters/scripts/merge.py",
        ["p.csv", "t.txt", "--check", "--key", "id"],
        1,
        {
            "files": {
                "p.csv": rows(
                    "id,first_name,email",
                    "1,Kim,kim.m@a.test",
                    "2,,b@a.test",
                    "3,MEYER,KIMM@a.test",
                ),
                "t.txt": "Dear {{first_name}},\nDear {{firstname}},\n",
            },
            "err": [
                "unknown_field: no column firstname",
                "empty_field",
                "shouting",
                "duplicate_address",
            ],
        },
    ),
    (
        "office/mail-merge-letters/scripts/merge.py",
        ["p.csv", "t.txt", "--out", "letters", "--key", "id"],
        0,
        {
            "files": {
                "p.csv": rows("id,first_name,email", "1,Kim,k@a.test", "2,,b@a.test"),
                "t.txt": "Dear {{first_name|colleague}},\n",
            },
            "out": ["2 letters in letters"],
        },
    ),
    (
        "office/plain-language-rewrite/scripts/readability.py",
        ["-"],
        1,
        {
            "stdin": "Notification is hereby given, and the provision of services may be subject to the "
            "suspension that is not explained anywhere in this letter, without any further notice "
            "to its recipients. Please pay.\n",
            "out": ["longest: 30  over the limit", "line 1: 30 words, passive"],
        },
    ),
    (
        "office/plain-language-rewrite/scripts/readability.py",
        ["-"],
        0,
        {
            "stdin": "We stop the work on Friday. You can call us until then.\n",
            "out": ["sentences: 2"],
        },
    ),
    (
        "office/rota-planner/scripts/rota.py",
        ["plan.json"],
        0,
        {
            "files": {"plan.json": json.dumps(PLAN)},
            "out": ["2026-07-01,Wed,day,Ana Ben"],
            "err": ["Dora: "],
        },
    ),
    (
        "office/rota-planner/scripts/rota.py",
        ["plan.json"],
        1,
        {
            "files": {"plan.json": json.dumps(KEYLESS)},
            "err": ["impossible; furthest: 2026-07-01 day (needs 2 with key)"],
        },
    ),
    (
        "office/spreadsheet-formula-audit/scripts/formulas.py",
        ["s.csv"],
        1,
        {
            "files": {"s.csv": SHEET},
            "out": ["C4: number_in_run", "B7: short_range", "C2: hard_coded", "C7: hidden_error"],
        },
    ),
    (
        "office/workbook-formula-checker/scripts/formulas.py",
        ["s.csv"],
        2,
        {"files": {"s.csv": "a,b\n1,2\n"}, "err": ["no formula found"]},
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
    assert {case[0] for case in CASES} == {path for path in programs if path.startswith("office/")}


def test_a_rota_keeps_its_rules(answer: Callable) -> None:
    result = answer(
        "office/rota-planner/scripts/rota.py", ["plan.json"], {"plan.json": json.dumps(PLAN)}
    )
    shifts = list(csv.DictReader(io.StringIO(result.out)))
    assert len(shifts) == 14
    for early, late in itertools.pairwise(shifts):
        if early["shift"] == "night":
            assert not set(early["people"].split()) & set(late["people"].split())
    days = [set(shift["people"].split()) for shift in shifts if shift["shift"] == "day"]
    assert all(len(team) == 2 and team != {"Cem"} for team in days)
    assert not any(shift["date"] == "2026-07-04" and "Ana" in shift["people"] for shift in shifts)
