"""One task under two settings: what moved, what it costs. Values and blocks, no widget in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from asf_core.domain.routing import Candidate, RouteResult, StageName, StageTrace
from asf_tui.blocks import Grid
from asf_tui.glyphs import Glyphs
from asf_tui.text import amount, line, share


@dataclass(frozen=True, slots=True)
class Moved:
    """A candidate under two settings."""

    skill_id: str
    slug: str
    first: Candidate | None
    """As the first setting ranks it; ``None`` where it is not among its candidates."""
    second: Candidate | None
    planned: tuple[bool, bool]
    """Whether it is in the plan of each."""

    @property
    def change(self) -> int | None:
        """Ranks won under the second setting, negative for lost; ``None`` where one has none."""
        if self.first is None or self.second is None:
            return None
        return self.first.rank - self.second.rank


@dataclass(frozen=True, slots=True)
class Compared:
    """Two answers to one task."""

    first: RouteResult
    second: RouteResult

    @property
    def rows(self) -> tuple[Moved, ...]:
        """All candidates of both, in the order of the second, then what only the first has."""
        before = {c.skill_id: c for c in candidates(self.first.stages)}
        after = {c.skill_id: c for c in candidates(self.second.stages)}
        plans = [{step.skill_id for step in r.bundle.steps} for r in (self.first, self.second)]
        return tuple(
            Moved(
                skill_id,
                (after.get(skill_id) or before[skill_id]).slug,
                before.get(skill_id),
                after.get(skill_id),
                (skill_id in plans[0], skill_id in plans[1]),
            )
            for skill_id in dict.fromkeys([*after, *before])
        )


def candidates(stages: Sequence[StageTrace]) -> tuple[Candidate, ...]:
    """What came out of the last stage that ranks."""
    by_name = {trace.stage: trace.candidates for trace in stages}
    return by_name.get(StageName.RERANK) or by_name.get(StageName.RECALL) or ()


def figures(compared: Compared, width: int, glyphs: Glyphs) -> Content:
    """Plan, confidence, time, tokens and cost of both, one line each."""
    head = [Content(word) for word in ("", "plan", "sure", "time", "tokens", "saved", "cost")]
    rows = [_figures(result, glyphs) for result in (compared.first, compared.second)]
    lines = list(Grid(head, rows).lines(width))
    return Content("\n").join([lines[0], *lines[2:]])


def _figures(result: RouteResult, glyphs: Glyphs) -> list[Content]:
    tokens, steps = result.tokens, len(result.bundle.steps)
    if result.abstained or not steps:
        plan = Content.styled(f"{glyphs.quarantined} none", "$warn")
    else:
        plan = Content.styled(f"{glyphs.ready} {steps}", "$good")
    return [
        line(result.setting, "bold", 24),
        plan,
        Content(f"{result.confidence:.2f}"),
        Content(f"{result.milliseconds:.1f} ms"),
        Content(amount(tokens.bundle_tokens)),
        Content(share(tokens.token_savings) if steps else "-"),
        Content(f"${tokens.bundle_cost:.3f}"),
    ]


def plan_text(result: RouteResult) -> str:
    """A plan as plain text, for the clipboard; hostile text made visible."""
    lines = [f"Task: {line(result.query).plain}", f"Setting: {line(result.setting).plain}", ""]
    for step in result.bundle.steps:
        lines.append(f"{step.position}. {line(step.slug).plain}  ({line(step.skill_id).plain})")
        for binding in step.bindings:
            source = binding.from_skill or "the task"
            lines.append(f"   takes {line(str(binding.input)).plain} from {line(source).plain}")
        lines += [f"   gives {line(str(given)).plain}" for given in step.outputs]
    if not result.bundle.steps:
        lines.append("No skill fits." if result.abstained else "No plan.")
    lines += [line(problem.message).plain for problem in result.bundle.problems]
    tokens = result.tokens
    lines += ["", f"{amount(tokens.bundle_tokens)} of {amount(tokens.naive_tokens)} tokens"]
    return "\n".join(lines) + "\n"
