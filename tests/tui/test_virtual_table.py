"""The table that draws only what is on screen."""

from fake_skills import many_rows
from textual.app import App, ComposeResult

from asf_core.domain.skill import SkillRow
from asf_tui import themes
from asf_tui.filtering import Query, highlighter
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable


class Bench(App[None]):
    """A table and nothing else; counts the cells that are made."""

    def __init__(self, rows: tuple[SkillRow, ...]) -> None:
        super().__init__()
        self.rows = rows
        self.made = 0
        self.told: list[str | None] = []
        self.chosen: list[str] = []
        self.register_theme(themes.DARK)
        self.theme = themes.DEFAULT

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(themes.DARK.variables)

    def compose(self) -> ComposeResult:
        columns = (
            Column("name", self.name_cell, 10, 30, searched=True),
            Column("id", lambda row, width: (Piece(row.id),), 10, 60, rank=1),
        )
        yield VirtualTable(
            columns, key=lambda row: row.id, name_of=lambda row: row.slug, empty="None.\nAdd one."
        )

    def name_cell(self, row: SkillRow, width: int) -> Cell:
        self.made += 1
        return (Piece(row.slug),)

    @property
    def table(self) -> VirtualTable[SkillRow]:
        return self.query_one(VirtualTable)

    def on_mount(self) -> None:
        self.table.show(self.rows)

    def on_virtual_table_highlighted(self, event: VirtualTable.Highlighted) -> None:
        self.told.append(event.row.slug if event.row else None)

    def on_virtual_table_chosen(self, event: VirtualTable.Chosen) -> None:
        self.chosen.append(event.row.slug)


ROWS = many_rows(25_000)
SIZE = (60, 20)
PAGE = 19


def lines(app: Bench) -> list[str]:
    return [app.table.render_line(y).text for y in range(SIZE[1])]


async def test_only_rows_on_screen_are_made() -> None:
    app = Bench(ROWS)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.made <= 3 * SIZE[1]
        await pilot.press("end")
        await pilot.pause()
        assert app.made <= 6 * SIZE[1]
        assert ROWS[-1].slug in lines(app)[-1]


async def test_keys_move_the_cursor_and_keep_it_in_sight() -> None:
    app = Bench(ROWS)
    async with app.run_test(size=SIZE) as pilot:
        for keys, position in (
            (["down", "j", "down"], 3),
            (["up", "k"], 1),
            (["up", "up", "up"], 0),
            (["pagedown"], PAGE),
            (["pagedown", "pagedown"], 3 * PAGE),
            (["pageup"], 2 * PAGE),
            (["end"], 24_999),
            (["down"], 24_999),
            (["home"], 0),
            (["G", "g"], 0),
        ):
            await pilot.press(*keys)
            await pilot.pause()
            assert app.table.cursor == position
            assert any(ROWS[position].slug in line for line in lines(app)[1:])


async def test_every_move_is_told_once() -> None:
    app = Bench(ROWS[:3])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.told.clear()
        await pilot.press("down", "down", "down")
        await pilot.pause()
        assert app.told == [ROWS[1].slug, ROWS[2].slug]


async def test_the_cursor_follows_its_row_when_rows_change() -> None:
    app = Bench(ROWS[:100])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pagedown", "down")
        here = app.table.current
        app.table.show(tuple(reversed(ROWS[:100])))
        await pilot.pause()
        assert app.table.current == here
        app.table.show(ROWS[50:60])
        await pilot.pause()
        assert app.table.cursor == 0
        app.table.show(())
        await pilot.pause()
        assert app.table.current is None
        assert app.told[-1] is None


async def test_no_rows_are_said_in_words() -> None:
    app = Bench(())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "enter", "end")
        await pilot.pause()
        assert [line.strip() for line in lines(app)[:3]] == ["", "None.", "Add one."]
        assert app.chosen == []


async def test_jumping_by_name_takes_what_is_typed() -> None:
    app = Bench(ROWS)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f", "n", "o", "t", "e", "s", "minus", "l")
        await pilot.pause()
        row = app.table.current
        assert row is not None
        assert row.slug.startswith("notes-l")
        assert "go to: notes-l" in lines(app)[0]
        await pilot.press("backspace", "d", "escape", "j")
        await pilot.pause()
        assert app.table.typed is None
        assert lines(app)[0].split() == ["name", "id"]


async def test_enter_and_a_double_click_choose() -> None:
    app = Bench(ROWS)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "enter")
        await pilot.click(VirtualTable, offset=(3, 5), times=2)
        await pilot.pause()
        assert app.chosen == [ROWS[1].slug, ROWS[4].slug]
        await pilot.click(VirtualTable, offset=(3, 0))
        assert app.table.cursor == 4


async def test_matches_are_underlined_where_they_are_searched() -> None:
    app = Bench(ROWS[:5])
    async with app.run_test(size=SIZE) as pilot:
        app.table.show(ROWS[:5], pattern=highlighter(Query.parse("REVIEW")))
        await pilot.pause()
        found = [
            segment.text
            for y in range(1, 6)
            for segment in app.table.render_line(y)
            if segment.style and segment.style.underline
        ]
        assert found
        assert set(found) == {"review"}


async def test_resizing_never_loses_the_cursor() -> None:
    app = Bench(ROWS)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("end", "pageup")
        here = app.table.cursor
        for size in ((200, 60), (20, 5), (60, 20), (3, 2), (1, 1), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert app.table.cursor == here
        text = [app.table.render_line(y).text for y in range(24)]
        assert any(ROWS[here].slug in line for line in text[1:])
