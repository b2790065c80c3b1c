"""Splitting a task into the things it asks for.

"Find papers on X, classify their scores, draw a figure and check the citations" asks for four;
each may need a skill of its own. The rule is simple and errs on the side of one task: a clause
begins at a list item, at ``;``, at "then", or at a comma, "and" or the end of a sentence that a
verb of command follows. A text longer than a few sentences stays whole.
"""

from __future__ import annotations

import re

from asf_core.retrieval.words import terms

MOST_CLAUSES = 6
_LONGEST = 600
"""Characters: a page of instructions is not a list of tasks."""

_VERBS = (
    "add analyse analyze annotate apply assemble assess attach audit benchmark build calculate "
    "calibrate capture categorise categorize chart check classify clean collect compare compile "
    "compose compress compute configure convert copy count create crop debug decide dedupe "
    "deliver deploy describe detect diagnose diff digest download draft draw edit email estimate "
    "evaluate explain export extract fetch file fill filter find fix forecast format gather "
    "generate get give grade group hand identify import improve index inspect install integrate "
    "invoice judge label line lint list load mail make map mask measure merge migrate minify "
    "monitor normalise normalize notify optimise optimize organise organize outline package parse "
    "paste pick plan plot post predict prepare print profile proofread prove publish pull push "
    "put rank rate read rebuild recommend reconcile redact refactor reformat refresh rehearse "
    "release remove rename render reply report reproduce rerun resize restore retrieve review "
    "rewrite run save scaffold scan schedule score scrape search seed segment select send set "
    "shorten show shrink simulate sketch slim sort split store strip suggest summarise summarize "
    "swap tag take tally test tidy transcribe transform translate triage trim tune turn unpack "
    "update upload validate verify visualise visualize warn wrap write"
)
_VERB = (
    r"(?:(?:please|also|finally|next|lastly|afterwards)[,]? )?(?:" + "|".join(_VERBS.split()) + ")"
)
_THEN = r"(?:and )?(?:then|after that|afterwards|finally|lastly|next),? "
_CUT = re.compile(
    rf"\s*;\s*(?:{_THEN}|and )?"
    rf"|[,.!?]?\s+{_THEN}"
    rf"|[,.!?]\s+(?:and |& )?(?={_VERB}\b)"
    rf"|\s+(?:and|&) (?={_VERB}\b)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•])\s+(.+)$", re.MULTILINE)


def clauses(task: str) -> tuple[tuple[int, int], ...]:
    """Where a task's clauses stand.

    Args:
        task: The text.

    Returns:
        Begin and end in characters of each clause, in order; empty for a task that asks for one
        thing. Each clause has two telling words or more: a shorter one stays with the one before.
    """
    if len(task) > _LONGEST:
        return ()
    items = [match.span(1) for match in _ITEM.finditer(task)]
    spans = items if len(items) > 1 else _cut(task)
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and len(terms(task[start:end])) < 2:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    if len(joined) > 1 and len(terms(task[slice(*joined[0])])) < 2:
        joined[:2] = [(joined[0][0], joined[1][1])]
    return tuple(joined[:MOST_CLAUSES]) if len(joined) > 1 else ()


def _cut(task: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for match in _CUT.finditer(task):
        if match.start() > start:
            spans.append((start, match.start()))
        start = match.end()
    if task[start:].strip():
        spans.append((start, len(task)))
    return spans
