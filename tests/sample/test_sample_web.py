"""The scripts of the web group run, offline, and say what their skills promise."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.sample.running import COPIED, Case, check, covered, rows

AUDIT = "web/page-accessibility-audit/scripts/audit.js"
CHECK = "web/translation-file-check/scripts/check.js"
REDIRECTS = "web/redirect-map/scripts/redirects.js"
BUDGET = "web/bundle-budget/scripts/budget.js"

BAD_PAGE = """<html><head><meta name="viewport" content="user-scalable=no"></head><body>
<!-- <h2>not there</h2> --><h1>Shop</h1><h3>Shoes</h3><img src="a.png"><img src="b.png" alt="">
<input placeholder="Name"><label>City <input name="city"></label>
<button><svg></svg></button><a href="/"><img src="logo.png" alt="Start page"></a>
<div tabindex="3"></div></body></html>"""
GOOD_PAGE = """<!doctype html><html lang="en"><head><title>Shop</title></head><body><main>
<h1>Shop</h1><label for="n">Name</label><input id="n"><button aria-label="Close"></button>
</main></body></html>"""

ENGLISH = {
    "greet": "Hello {name}",
    "file_one": "{n} file",
    "file_other": "{n} files",
    "menu": {"save": "<b>Save</b> all", "cancel": "Cancel", "brand": "Acorn"},
    "count": "{n, plural, one {# day} other {# days}}",
    "ok": "OK then",
}
POLISH = {
    "greet": "Cześć {imie}",
    "file_one": "{n} plik",
    "file_other": "{n} plików",
    "menu": {"save": "Zapisz", "cancel": "Cancel", "brand": "Acorn"},
    "count": "{n, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}",
    "old": "nic",
}
MAP = rows(
    "# moved", "/a,/b", "/b,/c", "/x,/y", "/y,/x", "/old/*,/new/*", "/old/1,/c", "/gone,", "/p,/q"
)

CASES = [
    Case(
        AUDIT,
        ["p.html", "--pair", "#767676,#ffffff", "--pair", "#0a7,#fff"],
        1,
        {"p.html": BAD_PAGE},
        out=[
            "no-lang", "no-title", "no-main", "zoom-off",
            "heading-skip  1.3.1  <h3> after h1",
            "<img src=a.png> has no alt",
            "<input> has no label, only a placeholder",
            "<button> says nothing",
            "tabindex 3",
            "#0a7,#fff: 2.99:1, 4.5:1 is needed",
        ],
        err=["10 findings"],
        absent=["b.png", "#767676"],
    ),
    Case(AUDIT, ["p.html", "--pair", "#0a7,#fff", "--large"], 1, {"p.html": GOOD_PAGE},
         out=["3:1 is needed"], err=["1 findings"]),
    Case(AUDIT, ["p.html"], 0, {"p.html": GOOD_PAGE}, err=["0 findings"]),
    Case(AUDIT, ["p.html", "--pair", "red,#fff"], 2, {"p.html": GOOD_PAGE}, err=["red is no hex"]),
    Case(
        CHECK,
        ["en.json", "pl.json", "--language", "pl", "--names", "names.txt"],
        1,
        {"en.json": json.dumps(ENGLISH), "pl.json": json.dumps(POLISH), "names.txt": "Acorn\n"},
        out=[
            "error placeholder greet  {name} became {imie}",
            "error plural      file  needs few, many",
            "error tag         menu.save",
            'error missing     ok  "OK then"',
            'note  same        menu.cancel  "Cancel"',
            "note  orphan      old",
        ],
        absent=["brand", "count"],
    ),
    Case(CHECK, ["en.json", "en.json", "--language", "en"], 0, {"en.json": json.dumps(ENGLISH)}),
    Case(
        REDIRECTS,
        ["m.csv", "--old", "old.txt", "--new", "new.txt"],
        1,
        {"m.csv": MAP, "old.txt": rows("/old/2", "/zz", "/c", "/gone"), "new.txt": rows("/c", "/", "/new/2")},
        out=[
            "chain  /a  /a -> /b -> /c",
            "loop   /x  /x -> /y -> /x",
            "dead   /p  to /q, which is not on the new site",
            "lost   /zz",
        ],
        absent=["/gone", "/old/2"],
    ),
    Case(
        REDIRECTS,
        ["m.csv", "--nginx"],
        0,
        {"m.csv": MAP},
        out=["location ~ ^/gone$ { return 410; }", "rewrite ^/old/(.*)$ /new/$1 permanent;"],
    ),
    Case(
        REDIRECTS,
        ["m.csv"],
        1,
        {"m.csv": rows(*(f"/{n},/" for n in range(5)), "/1,/elsewhere")},
        out=["home   /  5 old addresses", "twice  /1"],
    ),
    Case(REDIRECTS, ["m.csv"], 2, {"m.csv": "/a\n"}, err=["line 1: /a is not OLD,NEW"]),
    Case(
        BUDGET,
        ["b.json", "a.json", "--limit", "main=100000"],
        1,
        {
            "b.json": json.dumps({"files": {"main.3fa9aa11.js": 96100, "main.css": 2000}}),
            "a.json": json.dumps(
                {
                    "outputs": {
                        "dist/main-AB12CD34.js": {
                            "bytes": 118400,
                            "inputs": {"node_modules/moment/moment.js": {"bytesInOutput": 17900}},
                        },
                        "dist/main-AB12CD34.js.map": {"bytes": 999999},
                        "dist/main.css": {"bytes": 2000},
                    }
                }
            ),
        },
        out=[
            "96.1 kB -> 118.4 kB (+23%) over the limit of 100.0 kB, grew by more than 5%",
            "main.css         2.0 kB -> 2.0 kB (+0%)\n",
            "+17.9 kB  moment (new)",
        ],
    ),
    Case(BUDGET, ["b.json", "b.json"], 0, {"b.json": json.dumps({"files": {"app.js": 10}})}),
    Case(BUDGET, ["b.json", "b.json", "--limit", "main=9"], 2,
         {"b.json": json.dumps({"files": {"app.js": 10}})}, err=["no chunk is called main"]),
]  # fmt: skip

CASES += [
    replace(case, script=copy) for case in CASES for copy in COPIED if case.script == COPIED[copy]
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_script_answers(case: Case, answer: Callable) -> None:
    check(case, answer)


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    covered(CASES, programs, "web")


def test_rules_are_written_with_exact_lines_first(answer: Callable) -> None:
    written = answer(REDIRECTS, ["m.csv", "--nginx"], {"m.csv": MAP}).out.splitlines()
    assert written.index("rewrite ^/old/1$ /c permanent;") < written.index(
        "rewrite ^/old/(.*)$ /new/$1 permanent;"
    )
