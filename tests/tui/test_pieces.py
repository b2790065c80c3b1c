"""The small parts: texts that fit, signs, themes, columns, blocks, jobs, problems."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from driving import acting
from fake_skills import SKILLS, row_of
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.content import Content

from asf_core.domain.errors import BusyError, InputError, MissingError, RefusedError
from asf_core.domain.findings import Severity
from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillRow, SkillState
from asf_core.domain.sync import SyncPhase, SyncProgress
from asf_tui import themes
from asf_tui.blocks import Code, Grid, Pairs, Rule, Text
from asf_tui.glyphs import ASCII, UNICODE, Glyphs, Guard, Tone, ascii_twin
from asf_tui.jobs import LatestOnly, Rereads, Running, Throttle, WriteQueue
from asf_tui.library import tell_apart
from asf_tui.problems import LOG_LIMIT, Problem, exit_code
from asf_tui.text import fit, share, when
from asf_tui.widgets.columns import GAP, Column, Piece, arrange, excerpt, fill, mark

PRINTABLE = st.text(
    alphabet=st.characters(exclude_categories=("Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp"))
)


# Texts


@given(PRINTABLE, st.integers(1, 60), st.booleans())
def test_fitted_text_fills_its_cells(text: str, width: int, right: bool) -> None:
    assert cell_len(fit(text, width, right=right)) == width


@pytest.mark.parametrize(
    ("stamp", "shown"),
    [
        (None, "never"),
        ("2026-11-30T09:52:07+00:00", "2026-11-30 09:52"),
        ("2026-11-30T09:52:07.123Z", "2026-11-30 09:52"),
        ("2026-11-30T09:52:07+01:00", "2026-11-30 09:52 +01:00"),
        ("yesterday \x1b[1m", "yesterday ␛[1m"),
    ],
)
def test_times(stamp: str | None, shown: str) -> None:
    assert when(stamp) == shown


@pytest.mark.parametrize(
    ("part", "shown"), [(0, "0 %"), (0.5, "50 %"), (0.9996, "99.9 %"), (1.0, "100 %")]
)
def test_a_share_is_whole_only_when_it_is(part: float, shown: str) -> None:
    assert share(part) == shown


# Signs


@given(st.text())
def test_the_ascii_twin_is_ascii_and_as_wide(text: str) -> None:
    from asf_core.domain.text import visible

    safe = visible(text)
    assert ascii_twin(safe).isascii()
    if not any(cell_len(char) == 0 for char in safe):
        assert len(ascii_twin(safe)) == sum(map(cell_len, safe))


@given(st.text(), st.booleans())
def test_nothing_that_acts_passes_the_guard(text: str, ascii_only: bool) -> None:
    passed = Guard(ascii_only=ascii_only).apply([Segment(text)], Color(0, 0, 0))
    assert not acting("".join(segment.text for segment in passed)) - {"U+000A"}
    assert "\n" not in "".join(segment.text for segment in passed)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_verdict_has_a_glyph_a_word_and_a_tone(glyphs: Glyphs) -> None:
    verdicts = [
        *map(glyphs.state, SkillState),
        *map(glyphs.severity, Severity),
        *map(glyphs.risk, Risk),
    ]
    for verdict in verdicts:
        assert cell_len(verdict.glyph) == 1
        assert verdict.word
        assert verdict.tone in Tone


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@given(share=st.floats(-1, 2), width=st.integers(1, 80))
def test_a_bar_is_as_long_as_asked(glyphs: Glyphs, share: float, width: int) -> None:
    done, left = glyphs.bar(share, width)
    assert cell_len(done + left) == width
    assert bool(done) == (share > 0)


# Themes


@pytest.mark.parametrize("theme", [t for t in themes.THEMES if not t.ansi], ids=lambda t: t.name)
def test_every_text_colour_can_be_read_on_every_ground(theme: themes.Theme) -> None:
    grounds = [theme.background, theme.surface, theme.panel]
    grounds += [theme.variables["cursor"], theme.variables["code"]]
    names = ["good", "warn", "bad", "note", "quiet", "match"]
    texts = {name: theme.variables[name] for name in names} | {"foreground": theme.foreground}
    poor = {
        (name, ground): round(ratio, 2)
        for name, text in texts.items()
        for ground in grounds
        if (ratio := contrast(str(text), str(ground))) < 4.5
    }
    assert poor == {}


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast of two colours."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
        for c in Color.parse(colour).normalized
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize(
    ("environ", "wanted"), [({}, False), ({"NO_COLOR": ""}, False), ({"NO_COLOR": "1"}, True)]
)
def test_an_empty_no_color_counts_as_not_set(environ: dict[str, str], wanted: bool) -> None:
    assert themes.no_colour(environ) is wanted
    assert ("NO_COLOR" in environ) is wanted


# Columns


def column(title: str, least: int, most: int, rank: int) -> Column[str]:
    return Column(title, lambda row, width: (Piece(row),), least, most, rank)


COLUMNS = [
    column("a", 1, 1, 0),
    column("b", 18, 34, 0),
    column("c", 12, 12, 1),
    column("d", 24, 400, 2),
]


@given(st.integers(1, 300))
def test_columns_never_overflow(width: int) -> None:
    chosen = arrange(COLUMNS, width)
    used = sum(cells for _, cells in chosen) + GAP * (len(chosen) - 1)
    assert used <= max(width, 4)


@pytest.mark.parametrize(("width", "titles"), [(30, "ab"), (40, "abc"), (80, "abcd")])
def test_the_least_important_column_goes_first(width: int, titles: str) -> None:
    assert "".join(c.title for c, _ in arrange(COLUMNS, width)) == titles


@given(st.lists(st.text(), max_size=4), st.integers(1, 40), st.booleans())
def test_a_cell_is_exactly_as_wide_and_safe(texts: list[str], width: int, right: bool) -> None:
    pieces = fill([Piece(text) for text in texts], width, right=right)
    text = "".join(piece.text for piece in pieces)
    assert cell_len(text) == width
    assert not acting(text)
    assert "\n" not in text


def test_matches_are_marked_and_nothing_is_lost() -> None:
    import re

    marked = mark([Piece("review-deploy", "quiet")], re.compile("dep|re"))
    assert marked == [
        Piece("re", "match"),
        Piece("view-", "quiet"),
        Piece("dep", "match"),
        Piece("loy", "quiet"),
    ]


def test_a_match_that_would_be_cut_off_is_brought_into_sight() -> None:
    import re

    cell = [Piece("a long way to go before the word appears", "quiet")]
    assert excerpt(cell, re.compile("word"), 80) == cell
    assert "word" in fill(excerpt(cell, re.compile("word"), 20), 20)[0].text
    assert excerpt(cell, None, 20) == cell


# Blocks


@given(PRINTABLE, st.integers(20, 100))
def test_blocks_stay_within_the_width(text: str, width: int) -> None:
    content = Content(text)
    blocks = [
        Text(content, "• ", "  "),
        Code(text, "python", "▎ "),
        Rule("title"),
        Pairs([("name", content), ("other", content)]),
        Grid([Content("a"), Content("b")], [[content, content], [content]]),
    ]
    for made in blocks:
        assert all(line.cell_length <= width for line in made.lines(width)), made


# Jobs


def test_only_the_latest_counts_and_none_is_left_waiting() -> None:
    started: list[tuple[int, str]] = []
    jobs: LatestOnly[str] = LatestOnly(lambda serial, item: started.append((serial, item)))
    jobs.ask("a")
    jobs.ask("b")
    last = jobs.ask("c")
    assert started == [(1, "a")]
    assert not jobs.is_current(1)
    jobs.done()
    assert started == [(1, "a"), (last, "c")]
    assert jobs.is_current(last)
    jobs.done()
    assert not jobs.busy
    jobs.drop()
    assert not jobs.is_current(last)


def test_decisions_are_written_in_order_and_all_of_them() -> None:
    written: list[int] = []
    gate = threading.Event()
    queue = WriteQueue()
    queue.put(lambda: gate.wait(10) and None)
    for number in range(50):
        queue.put(lambda number=number: written.append(number))
    assert written == []
    gate.set()
    queue.finish()
    assert written == list(range(50))
    queue.finish()


def test_progress_shows_ends_of_phases_and_no_more_than_an_eye_follows() -> None:
    clock = iter([0.0, 0.01, 0.02, 0.2, 0.21, 0.22])
    throttle = Throttle(lambda: next(clock))
    steps = [
        (SyncPhase.READ, 0),
        (SyncPhase.READ, 1),
        (SyncPhase.READ, 2),
        (SyncPhase.READ, 3),
        (SyncPhase.READ, 9),
        (SyncPhase.ENCODE, 0),
    ]
    let = [throttle.lets_progress(SyncProgress("r", phase, done, 9)) for phase, done in steps]
    assert let == [True, False, False, True, True, True]


def test_the_list_is_read_again_at_each_phase_and_now_and_then() -> None:
    clock = iter([0.0, 1.0, 2.0, 2.1, 7.0, 7.0, 8.0])
    rereads = Rereads(lambda: next(clock))
    steps = [SyncPhase.DISCOVER, SyncPhase.READ, SyncPhase.READ, SyncPhase.READ, SyncPhase.ENCODE]
    due = [rereads.due(SyncProgress("r", phase, 1, 9)) for phase in steps]
    assert due == [False, True, False, True, True]


def test_a_list_is_read_again_soon_at_first_and_seldom_later() -> None:
    now = 0.0
    rereads = Rereads(lambda: now)
    read = []
    for tenth in range(100):
        now = tenth / 10
        if rereads.due(SyncProgress("r", SyncPhase.READ, tenth, 100)):
            read.append(now)
    assert read == [0.0, 0.3, 0.8, 1.8, 3.9, 6.9, 9.9]


def row_named(skill_id: str) -> SkillRow:
    row = row_of(SKILLS[0], SKILLS[0].state, "")
    return replace(row, id=skill_id, slug=skill_id.rpartition("/")[2])


APART = {
    "two registries": (["a/x/pdf", "b/x/pdf"], ["a", "b"]),
    "two directories": (["a/s/one/pdf", "a/s/two/pdf"], ["one", "two"]),
    "one deeper": (["a/pdf", "a/old/pdf"], ["pdf", "old"]),
    "both": (["a/one/pdf", "a/two/pdf", "b/one/pdf"], ["a/one", "a/two", "b/one"]),
    "other names": (["a/pdf", "a/docx"], [None, None]),
}


@pytest.mark.parametrize(("ids", "shown"), APART.values(), ids=APART.keys())
def test_skills_of_one_name_are_told_apart(ids: list[str], shown: list[str | None]) -> None:
    apart = tell_apart([row_named(skill_id) for skill_id in ids])
    assert [apart.get(skill_id) for skill_id in ids] == shown


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_a_loss_goes_to_the_left_of_the_axis(glyphs: Glyphs) -> None:
    for part in (-1.0, -0.4, -0.01, 0.0, 0.01, 0.4, 1.0):
        before, bar, after = glyphs.diverging(part, 12)
        assert len(before + bar + after) == 12
        assert (glyphs.axis in after) == (part < 0)
        assert (before + bar + after).index(glyphs.axis) == 5
        assert bool(bar) == (part != 0)
    assert len(glyphs.diverging(-1.0, 13)[1]) == len(glyphs.diverging(1.0, 13)[1]) == 6


def test_a_wide_column_comes_only_when_the_others_have_what_they_wish() -> None:
    columns = [
        Column("name", lambda row, width: (), 10, 40, wish=24),
        Column("extra", lambda row, width: (), 10, 10, rank=2),
    ]
    assert [width for _, width in arrange(columns, 35)] == [35]
    assert [width for _, width in arrange(columns, 36)] == [24, 10]


def test_running_work_is_waited_for_only_so_long() -> None:
    running = Running()
    assert running.wait(0)
    with running:
        assert not running.wait(0)
    assert running.wait(0)


# Problems


def test_an_error_of_ours_needs_no_log(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "asf-tui.log"
    error = MissingError("No \x1b[1mstore", why="Why [/x]", hint="Do this")
    problem = Problem.of(error, "Reading", log)
    assert problem.lines == ("No ␛[1mstore", "Why [/x]", "Do this")
    assert not log.exists()


def test_any_other_error_goes_to_the_log_with_its_traceback(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "asf-tui.log"
    try:
        raise ValueError("bad \x1b]0;x\x07 text")
    except ValueError as error:
        problem = Problem.of(error, "Reading the skill", log)
    assert problem.what == "Reading the skill failed unexpectedly"
    assert problem.why == "ValueError: bad ␛]0;x␇ text"
    assert str(log) in problem.hint
    text = log.read_text()
    assert "Traceback" in text
    assert not acting(text)


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file in the way")
    problem = Problem.of(ValueError("x"), "Reading", tmp_path / "logs" / "asf-tui.log")
    assert "could not be written" in problem.hint


def test_a_full_log_starts_again(tmp_path: Path) -> None:
    log = tmp_path / "asf-tui.log"
    log.write_text("x" * (LOG_LIMIT + 1))
    Problem.of(ValueError("new"), "Reading", log)
    assert log.stat().st_size < LOG_LIMIT
    assert (tmp_path / "asf-tui.old.log").stat().st_size > LOG_LIMIT


@pytest.mark.parametrize(
    ("error", "code"), [(InputError, 2), (RefusedError, 3), (MissingError, 4), (BusyError, 4)]
)
def test_exit_codes(error: type[InputError], code: int) -> None:
    assert exit_code(error("x")) == code
