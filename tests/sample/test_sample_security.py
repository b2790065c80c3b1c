"""The scripts of the security group run, offline, and say what their skills promise."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest

from tests.sample.running import Case, check, covered, rows

REVIEW = "security/access-review/scripts/review.py"
STRIDE = "security/threat-model-sketch/scripts/stride.py"
LICENSES = "security/license-inventory/scripts/licenses.js"
PSEUDONYMS = "security/pseudonymise-table/scripts/pseudonymise.py"

PEOPLE = rows(
    "person,team,status,left_on",
    "ines,finance,left,2026-03-31",
    "omar,finance,active,",
    "lea,sales,active,",
)
GRANTS = rows(
    "person,system,right,last_used",
    "ines,payroll,pay:approve,2026-04-02",
    "omar,payroll,pay:create,2026-06-01",
    "omar,payroll,pay:approve,2026-06-01",
    "lea,crm,read,2026-01-01",
    "lea,payroll,read,2026-06-10",
    "build,crm,admin,",
)
ROLES = rows("team,system,right", "finance,payroll,pay:create", "finance,payroll,pay:approve", "sales,crm,read")  # fmt: skip
FLOWS = {
    "zones": {"browser": 0, "edge": 1, "core": 2},
    "parts": {"app": "browser", "gateway": "edge", "orders": "core"},
    "flows": [
        {"from": "app", "to": "gateway", "data": "order", "auth": "session", "encrypted": True},
        {"from": "gateway", "to": "orders", "data": "order", "auth": None, "encrypted": False},
    ],
}


def lock(**licenses: str | None) -> str:
    """An npm lock file; a name that begins with dev_ is needed for development only."""
    entries = {
        f"node_modules/{name}": {"version": "1.0.0", "license": spdx, "dev": name[:4] == "dev_"}
        for name, spdx in licenses.items()
    }
    return json.dumps({"lockfileVersion": 3, "packages": {"": {"license": "MIT"}, **entries}})


POLICY = json.dumps(
    {
        "allow": ["MIT", "Apache-2.0"],
        "ask": ["MPL-2.0"],
        "deny": ["GPL-3.0-only"],
        "accepted": {"bought@1.0.0": "contract 2025-118"},
    }
)
MEMBERS = rows(
    "name,email,birth,postcode,remarks,fee",
    "Ana Roth,ana@x.example,1980-02-03,10115,calls often,12",
    "Ana Roth, ANA@x.example ,1980-07-09,10117,,15",
    "Ben Kay,ben@x.example,1931-01-01,20095,,9",
)
KEY = {"k.key": "0123456789abcdef0123456789abcdef", "m.csv": MEMBERS}

CASES = [
    Case(
        REVIEW,
        ["p.csv", "g.csv", "--roles", "r.csv", "--today", "2026-06-11",
         "--apart", "pay:create,pay:approve"],
        1,
        {"p.csv": PEOPLE, "g.csv": GRANTS, "r.csv": ROLES},
        out=[
            "leaver         ines",
            "left 2026-03-31, last used 2026-04-02",
            "apart          omar",
            "unknown_person build",
            "beyond_role    lea          payroll",
            "not used for 161 days",
        ],
        err=["6 rights of 3 people, 5 to decide"],
    ),
    Case(
        REVIEW,
        ["p.csv", "g.csv", "--today", "2026-06-11"],
        0,
        {"p.csv": PEOPLE, "g.csv": rows("person,system,right,last_used", "lea,crm,read,2026-06-10")},
        err=["0 to decide"],
    ),
    Case(REVIEW, ["p.csv", "g.csv"], 2, {"p.csv": PEOPLE, "g.csv": "a,b\n"}, err=["no column"]),
    Case(
        STRIDE,
        ["flows.json"],
        1,
        {"flows.json": json.dumps(FLOWS)},
        out=[
            "T1   S 6  gateway -> orders (order): how does orders know who sends?",
            "app -> gateway (order): what if it comes ten thousand times?",
            "does gateway check every field again?",
        ],
    ),
    Case(
        STRIDE,
        ["flows.json"],
        2,
        {"flows.json": json.dumps({**FLOWS, "parts": {"app": "moon"}})},
        err=["app is in zone moon, which is not listed"],
    ),
    Case(
        LICENSES,
        ["l.json", "p.json", "--shipped"],
        1,
        {
            "l.json": lock(
                fine="(MIT OR GPL-3.0-only)", both="(MIT AND GPL-3.0-only)", weak="MPL-2.0",
                blank=None, bought="GPL-3.0-only", dev_tool="GPL-3.0-only",
            ),
            "p.json": POLICY,
        },
        out=[
            "deny      both@1.0.0  (MIT AND GPL-3.0-only)",
            "ask       weak@1.0.0",
            "ask       blank@1.0.0  UNKNOWN",
            "accepted  bought@1.0.0  GPL-3.0-only  contract 2025-118",
        ],
        err=["5 packages, 3 to decide"],
        absent=["fine@", "dev_tool"],
    ),
    Case(
        LICENSES,
        ["l.json", "p.json", "--notices"],
        0,
        {"l.json": lock(b="MIT", a="Apache-2.0 WITH LLVM-exception"), "p.json": POLICY},
        out=["a@1.0.0  Apache-2.0 WITH LLVM-exception\nb@1.0.0  MIT"],
    ),
    Case(
        PSEUDONYMS,
        ["m.csv", "--key", "k.key", "--replace", "email", "--replace", "name", "--year", "birth",
         "--prefix", "postcode:3", "--drop", "remarks", "--quasi", "birth,postcode", "--k", "2"],
        1,
        KEY,
        out=["name,email,birth,postcode,fee", ",1980,101**,12", ",1931,200**,9"],
        err=["1 of k=2: 1931, 200**"],
        absent=["Roth", "@", "calls"],
    ),
    Case(
        PSEUDONYMS, ["m.csv", "--key", "k.key", "--replace", "mail"], 2, KEY, err=["no column 'mail'"]
    ),
    Case(
        PSEUDONYMS, ["m.csv", "--key", "k.key"], 2, {**KEY, "k.key": "secret"}, err=["at least 16"]
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_script_answers(case: Case, answer: Callable) -> None:
    check(case, answer)


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    covered(CASES, programs, "security")


def test_a_person_gets_the_same_pseudonym_under_one_key_only(answer: Callable) -> None:
    arguments = ["m.csv", "--key", "k.key", "--replace", "email"]

    def words(key: str) -> list[str]:
        run = answer(PSEUDONYMS, arguments, {**KEY, "k.key": key})
        return [row["email"] for row in csv.DictReader(io.StringIO(run.out))]

    first, other = words("0123456789abcdef"), words("another key of mine")
    assert first == words("0123456789abcdef")
    assert len(set(first)) == 2  # written in two ways, one person
    assert not set(first) & set(other)
