"""The plan: its steps with what each takes and gives, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from asf_core.domain.routing import Bundle, PlanStep, RouteResult, TokenFigures
from asf_tui.commands import bindings
from asf_tui.commands.routing import PLAN
from asf_tui.glyphs import Glyphs
from asf_tui.text import amount, block, line, share
from asf_tui.widgets.stage_bars import gauge

_REASONS = {
    "routed": "fits the task",
    "required": "needed by",
    "complements": "complements",
    "co_used_with": "used with",
}

HOW_TO = """Type a task and press Enter.

For example: find papers on PD-L1 and draw a figure of the scores.
The bars above fill as the stages end; the plan comes here."""


class PlanView(OptionList, inherit_bindings=False):
    """Steps in order; Enter opens a step's skill.

    Args:
        glyphs: The signs.
    """

    BINDINGS = bindings(PLAN)
    DEFAULT_CSS = """
    PlanView, PlanView:focus {
        border: none;
        padding: 0;
        background: $background;
        background-tint: transparent;
        scrollbar-size-vertical: 1;

        & > .option-list--option { padding: 0 1; }
        & > .option-list--option-disabled { color: $foreground; }
        & > .option-list--option-highlighted { background: $panel; color: $foreground; text-style: none; }
        &:focus > .option-list--option-highlighted { background: $cursor; }
        &:ansi > .option-list--option-highlighted { text-style: underline; }
        &:ansi:focus > .option-list--option-highlighted { text-style: reverse; }
    }
    """

    class Chosen(Message):
        """Enter on a step."""

        def __init__(self, skill_id: str) -> None:
            super().__init__()
            self.skill_id = skill_id

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="plan", markup=False)
        self.glyphs = glyphs

    def say(self, text: str) -> None:
        """Show words in the place of a plan."""
        self.clear_options()
        self.add_option(Option(words(text), disabled=True))

    def show(self, result: RouteResult) -> None:
        """Show the plan of a result."""
        bundle = result.bundle
        self.clear_options()
        if troubles := list(_troubles(result, self.glyphs)):
            self.add_option(Option(Content("\n").join(troubles), disabled=True))
        if not bundle.steps:
            self.add_option(Option(words(_no_plan(result)), disabled=True))
            return
        self.add_options(
            Option(content, id=f"{step.position} {step.skill_id}")
            for step, content in zip(bundle.steps, steps(bundle, self.glyphs), strict=True)
        )
        below = Content("\n").join([*_left_out(result), *_figures(result.tokens)])
        self.add_option(Option(below, disabled=True))
        self.highlighted = 1 if troubles else 0

    @property
    def current_skill(self) -> str | None:
        """Id of the skill of the step at the cursor."""
        if self.highlighted is None:
            return None
        step = self.get_option_at_index(self.highlighted).id
        return step.partition(" ")[2] if step else None

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_id is not None:
            self.post_message(self.Chosen(event.option_id.partition(" ")[2]))


def words(text: str) -> Content:
    """A first line that stands out, then the rest."""
    first, _, rest = text.partition("\n")
    return Content.assemble("\n", line(first, "bold"), "\n", block(rest, "$quiet"))


def _troubles(result: RouteResult, glyphs: Glyphs) -> Iterator[Content]:
    for missing in result.degraded:
        yield line(f"{glyphs.severities[2]} degraded: {missing}", "$warn")
    for problem in result.bundle.problems:
        kind = problem.kind.replace("_", " ")
        yield line(f"{glyphs.broken} {kind}: {problem.message}", "$bad")


def _no_plan(result: RouteResult) -> str:
    if result.abstained:
        return (
            f"No skill fits this task.\n"
            f"The best candidate reaches {result.confidence:.2f}; "
            f"a plan needs {result.threshold:.2f}.\nNear misses shows what came closest."
        )
    return "No plan.\nThe problems above say why; Candidates shows what was found."


def steps(bundle: Bundle, glyphs: Glyphs) -> Iterator[Content]:
    """Each step in some lines."""
    numbers = {step.skill_id: step.position for step in bundle.steps}
    slugs = {step.skill_id: step.slug for step in bundle.steps}
    for step in bundle.steps:
        lines = [_title(step, slugs), *_takes(step, numbers, slugs, glyphs), *_gives(step, glyphs)]
        if not step.typed:
            lines.append(Content.styled("    untyped: placed by its relations", "$quiet"))
        yield Content("\n").join(lines)


def _title(step: PlanStep, slugs: dict[str, str]) -> Content:
    reason = _REASONS[step.reason]
    if step.because_of is not None:
        reason += f" {slugs.get(step.because_of, step.because_of)}"
    if step.score is not None:
        reason += f", score {step.score:.2f}"
    return Content.assemble(
        (f"{step.position:2}  ", "$quiet"),
        line(step.slug, "bold"),
        (f"  {amount(step.tokens)} tokens", "$quiet"),
        ("\n    why    ", "$quiet"),
        line(reason, "$note"),
    )


def _takes(
    step: PlanStep, numbers: dict[str, int], slugs: dict[str, str], glyphs: Glyphs
) -> Iterator[Content]:
    bound = {binding.input: binding for binding in step.bindings}
    for wanted in step.inputs:
        binding = bound.get(wanted)
        if binding is None:
            source = Content.styled(f"{glyphs.broken} nothing gives it", "$bad")
        elif binding.from_skill is None:
            source = Content.styled("the task", "$good")
        else:
            number = numbers.get(binding.from_skill, 0)
            slug = slugs.get(binding.from_skill, binding.from_skill)
            source = Content.assemble((f"{number} ", "$quiet"), line(slug, "$good"))
        yield Content.assemble(
            ("    takes  ", "$quiet"), line(str(wanted)), (f"  {glyphs.into} ", "$quiet"), source
        )


def _gives(step: PlanStep, glyphs: Glyphs) -> Iterator[Content]:
    for given in step.outputs:
        yield Content.assemble(("    gives  ", "$quiet"), line(str(given)))


def _left_out(result: RouteResult) -> Iterator[Content]:
    dropped = [(trace.stage, drop) for trace in result.stages for drop in trace.dropped]
    if dropped:
        yield Content.styled("\nLeft out", "bold")
    for stage, drop in dropped:
        yield Content.assemble("    ", line(drop.skill_id))
        yield Content.assemble("    ", line(f"{stage}: {drop.reason}", "$quiet"))


def _figures(figures: TokenFigures) -> Iterator[Content]:
    left_out = figures.registry_skills - figures.bundle_skills
    yield Content.styled("\nTokens", "bold")
    for number, words in (
        (figures.bundle_tokens, f"in this plan of {figures.bundle_skills}"),
        (figures.disclosure_tokens, "with the names and descriptions of all skills first"),
        (figures.naive_tokens, f"in all {amount(figures.registry_skills)} skills"),
    ):
        yield Content.assemble(f"{amount(number):>13}  ", (words, "$quiet"))
    yield Content.styled(
        f"    {amount(left_out)} skills stay out: {share(figures.savings)} of them", "$quiet"
    )


def verdict(result: RouteResult, glyphs: Glyphs) -> Content:
    """What came of a task, in a few lines: the answer, how sure, what it saves."""
    lines = [_answer(result, glyphs), _sure(result, glyphs)]
    if result.bundle.steps:
        figures = result.tokens
        tokens = f"{amount(figures.bundle_tokens)} of {amount(figures.naive_tokens)} tokens"
        saved = share(figures.token_savings)
        lines.append(Content.assemble(tokens, (f", saves {saved}", "$quiet")))
        cost = f"${figures.bundle_cost:.2f} instead of ${figures.naive_cost:.2f}"
        lines.append(Content.assemble(cost, (" for the input", "$quiet")))
    return Content("\n").join(lines)


def _answer(result: RouteResult, glyphs: Glyphs) -> Content:
    count = len(result.bundle.steps)
    if result.abstained:
        return Content.styled(f"{glyphs.quarantined} No skill fits this task", "bold $warn")
    if result.bundle.problems:
        kinds = ", ".join(p.kind.replace("_", " ") for p in result.bundle.problems)
        return Content.styled(f"{glyphs.broken} The plan does not hold: {kinds}", "bold $bad")
    skills = "1 skill" if count == 1 else f"{count} skills"
    answer = Content.styled(f"{glyphs.ready} A plan of {skills}", "bold $good")
    answer += line(f", {result.setting}", "$quiet", 20)
    if result.degraded:
        answer += Content.styled(f"  {glyphs.severities[2]} degraded", "bold $warn")
    return answer


def _sure(result: RouteResult, glyphs: Glyphs) -> Content:
    over = result.confidence >= result.threshold
    tone = "$good" if over else "$warn"
    return Content.assemble(
        "confidence ",
        gauge(result.confidence, result.threshold, 12, tone, glyphs),
        f" {result.confidence:.2f}",
        (f", needs {result.threshold:.2f}", "$quiet"),
    )
