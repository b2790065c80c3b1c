"""The scripts of the media group run, offline, and say what their skills promise."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.sample.running import Case, check, covered, rows

SHIFT = "media/subtitle-retimer/scripts/shift.py"
RETIME = "media/subtitle-retimer-v2/scripts/retime.py"
CHAPTERS = "media/podcast-chapters/scripts/chapters.py"
PLAN = "media/photo-archive-renamer/scripts/plan.js"

FILM = """1
00:00:01,000 --> 00:00:01,500
Hi

2
00:00:04,000 --> 00:00:06,000
Second line that is fairly long for two seconds only, is it not?

3
00:00:06,040 --> 00:00:09,000
<i>Third</i>
"""
MARKS = rows(
    "00:00:00 Who is Mira Kol?", "00:04:12 How do you count bees at night?", "00:05:00 Ads"
)


def photo(path: str, taken: str = "", model: str = "X100V") -> dict[str, str]:
    return {"SourceFile": path, **({"DateTimeOriginal": taken, "Model": model} if taken else {})}


PHOTOS = [
    photo("p/DSCF1234.RAF", "2024:07:14 14:30:12"),
    photo("p/DSCF1234.JPG", "2024:07:14 14:30:14"),
    photo("p/DSCF1234-edit.tif"),
    photo("q/DSCF1234.RAF", "2024:07:14 14:30:12"),
    photo("w/IMG-WA0001.jpg"),
    photo("x/a.jpg", "1980:01:01 00:00:05", "Old"),
    photo("x/b.jpg", "2044:01:01 00:00:05", "Old"),
]

CASES = [
    Case(
        SHIFT,
        ["f.srt", "--by", "-2"],
        1,
        {"f.srt": FILM},
        out=["1\n00:00:02,000 --> 00:00:04,000\nSecond", "2\n00:00:04,040 --> 00:00:07,000\n<i>"],
        err=["2 subtitles by -2 s, 1 fell before zero"],
    ),
    Case(SHIFT, ["f.srt", "--by", "61.5"], 0, {"f.srt": FILM}, out=["00:01:02,500 --> 00:01:03,000"]),
    Case(
        SHIFT,
        ["f.srt", "--by", "1"],
        2,
        {"f.srt": "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n"},
        err=["block 1 has no line such as"],
    ),
    Case(
        RETIME,
        ["f.srt", "--anchor", "00:00:01=00:00:01", "--anchor", "00:01:00=00:01:01"],
        1,
        {"f.srt": FILM},
        out=["00:00:04,051 --> 00:00:06,085"],
        err=["2 fast     31.5", "2 wide     64 characters", "1 short", "3 tight    41 ms"],
    ),
    Case(
        RETIME,
        ["f.srt", "--rate", "25:24", "--check", "--speed", "40", "--width", "70"],
        1,
        {"f.srt": FILM},
        out=["1 short    0.52 s", "3 tight    42 ms"],
        absent=["fast", "wide", "-->"],
    ),
    Case(
        RETIME,
        ["f.srt", "--check"],
        0,
        {"f.srt": "1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n"},
    ),
    Case(
        RETIME,
        ["f.srt", "--anchor", "00:00:10=00:00:10", "--anchor", "00:00:20=00:00:05"],
        2,
        {"f.srt": FILM},
        err=["run backwards"],
    ),
    Case(
        CHAPTERS,
        ["c.txt", "--length", "00:30:00", "--json"],
        1,
        {"c.txt": MARKS},
        out=['"startTime": 252'],
        err=["at night?: 48 s, join it", "Ads: 25 minutes"],
    ),
    Case(CHAPTERS, ["c.txt", "--length", "00:10:00"], 0, {"c.txt": "00:00:00 All of it\n"}),
    Case(CHAPTERS, ["c.txt", "--length", "00:04:30"], 2, {"c.txt": MARKS}, err=["line 3: after the end"]),
    Case(
        PLAN,
        ["l.json", "--clock", "X100V=+01:00:00", "--today", "2026-01-01"],
        1,
        {"l.json": json.dumps(PHOTOS)},
        out=[
            "p/DSCF1234.RAF,2024/2024-07/2024-07-14_153012_x100v_DSCF1234.raf",
            # The picture's other files go by the raw file's time, also one that says none.
            "p/DSCF1234.JPG,2024/2024-07/2024-07-14_153012_x100v_DSCF1234.jpg",
            "p/DSCF1234-edit.tif,2024/2024-07/2024-07-14_153012_x100v_DSCF1234-edit.tif",
        ],
        err=[
            "two-for-one q/DSCF1234.RAF  as p/DSCF1234.RAF",
            "no-date     w/IMG-WA0001.jpg",
            "epoch       x/a.jpg",
            "future      x/b.jpg",
        ],
    ),
    Case(PLAN, ["l.json"], 0, {"l.json": json.dumps(PHOTOS[:1])}, out=["2024-07-14_143012"]),
    Case(PLAN, ["l.json", "--clock", "X=1"], 2, {"l.json": "[]"}, err=["X=1 is not MODEL=+HH:MM:SS"]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_script_answers(case: Case, answer: Callable) -> None:
    check(case, answer)


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    covered(CASES, programs, "media")


def test_both_versions_shift_a_file_in_the_same_way(answer: Callable) -> None:
    files = {"f.srt": FILM}
    first = answer(SHIFT, ["f.srt", "--by", "3"], files).out
    second = answer(RETIME, ["f.srt", "--anchor", "00:00:01=00:00:04"], files).out
    assert first.strip() == second.strip()


def test_old_encodings_are_read(answer: Callable, tmp_path) -> None:
    (tmp_path / "old.srt").write_bytes("1\n00:00:01,000 --> 00:00:02,000\nGrüße\n".encode("cp1252"))
    assert "Grüße" in answer(SHIFT, ["old.srt", "--by", "1"]).out
