"""The stages of a route, filling as they end, each against its budget."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from asf_core.domain.routing import RouteResult, StageName, StageTrace
from asf_tui.glyphs import Glyphs
from asf_tui.text import amount, fit

TOTAL_BUDGET = 65.0
"""Milliseconds for the whole, encoding included (DESIGN 5)."""

MARK = 2 / 3
"""Where on a bar its budget stands; what lies beyond is over."""


NAME, FIGURES, FLOW = 8, 21, 13
"""Cells of a stage's name, its milliseconds, and its counts."""


class StageBars(Widget):
    """One line a stage and one for the whole.

    Args:
        glyphs: The signs.
    """

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = """
    StageBars { height: 6; padding: 0 1; background: $background; color: $foreground; }
    """

    traces: reactive[tuple[StageTrace, ...]] = reactive(())
    running: reactive[bool] = reactive(False)
    total: reactive[float | None] = reactive(None)

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs = glyphs

    def begin(self) -> None:
        """Empty the bars: a task is on its way."""
        self.traces, self.running, self.total = (), True, None

    def add(self, trace: StageTrace) -> None:
        """Fill a bar."""
        self.traces = (*self.traces, trace)

    def finish(self, result: RouteResult | None) -> None:
        """Show the whole; ``None`` when it failed or was given up."""
        self.running = False
        if result is not None:
            self.traces, self.total = result.stages, result.milliseconds - result.opening_ms

    def render(self) -> Content:
        """All lines; on a low screen one, with the figures alone."""
        if self.size.height == 1:
            return self._short()
        done = {trace.stage: trace for trace in self.traces}
        lines: list[Content] = []
        waiting = self.running
        for stage in StageName:
            if trace := done.get(stage):
                lines.append(self._line(stage, trace.milliseconds, trace.budget_ms, _flow(trace)))
            else:
                lines.append(self._blank(stage, self.glyphs.wait if waiting else ""))
                waiting = False
        if self.total is None:
            lines.append(self._blank("total", ""))
        else:
            lines.append(self._line("total", self.total, TOTAL_BUDGET, ""))
        return Content("\n").join(lines)

    def _short(self) -> Content:
        parts = [] if self.total is None else [Content.styled(f"{self.total:.1f} ms", "bold")]
        for trace in self.traces:
            over = trace.budget_ms is not None and trace.milliseconds > trace.budget_ms
            word = f"{trace.stage} {trace.milliseconds:.1f}" + (" over" if over else "")
            parts.append(Content.styled(word, "$warn" if over else "$quiet"))
        if self.running:
            parts.append(Content.styled(self.glyphs.wait, "$note"))
        return Content("  ").join(parts).truncate(self.size.width, ellipsis=True)

    @property
    def _roomy(self) -> bool:
        """Whether there is room for how many skills went in and came out."""
        return self.size.width >= NAME + 20 + FIGURES + FLOW

    def _room(self) -> int:
        rest = NAME + 1 + FIGURES + (FLOW if self._roomy else 0)
        return max(4, min(60, self.size.width - rest))

    def _line(self, name: str, spent: float, budget: float | None, flow: str) -> Content:
        over = budget is not None and spent > budget
        tone = "$warn" if over else "$good"
        share = spent / budget * MARK if budget else spent / TOTAL_BUDGET * MARK
        word = " over" if over else ""
        figures = f"{spent:6.1f}" + (f" / {budget:g} ms" if budget else " ms")
        return Content.assemble(
            (fit(name, NAME), "bold" if name == "total" else ""),
            self._bar(share, tone, marked=budget is not None),
            (fit(f"{figures}{word}", FIGURES), tone if over else ""),
            (flow if self._roomy else "", "$quiet"),
        )

    def _bar(self, share: float, tone: str, *, marked: bool) -> Content:
        room = self._room()
        bar = gauge(share, MARK if marked else None, room, tone, self.glyphs)
        return bar + " "

    def _blank(self, name: str, word: str) -> Content:
        return Content.assemble(
            (fit(name, NAME), "$quiet"),
            (self.glyphs.trough * self._room(), "$panel"),
            (f"  {word}", "$note"),
        )


def gauge(share: float, mark: float | None, width: int, tone: str, glyphs: Glyphs) -> Content:
    """A bar, with a mark across it.

    Args:
        share: How much is filled, 0 to 1.
        mark: Where the mark stands, 0 to 1; ``None`` for none.
        width: Cells.
        tone: Style of the filled part.
        glyphs: The signs.
    """
    done, left = glyphs.bar(share, width)
    bar = Content.assemble((done, tone), (left, "$panel"))
    if mark is None:
        return bar
    at = min(width - 1, int(width * mark))
    return Content.assemble(bar[:at], (glyphs.budget, "bold $foreground"), bar[at + 1 :])


def _flow(trace: StageTrace) -> str:
    if trace.stage is StageName.ENCODE:
        return ""
    return f"{amount(trace.entered)} > {amount(trace.left)}"
