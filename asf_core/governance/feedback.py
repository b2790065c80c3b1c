"""Feedback on authorised uses: kept, counted, and without any effect of its own (DESIGN 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import EventDraft, EventKind
from asf_core.domain.instant import instant, moment
from asf_core.domain.pin import Scope
from asf_core.domain.refusal import Condition, Refusal
from asf_core.domain.use import (
    Authorisation,
    AuthorisationOutcome,
    Feedback,
    FeedbackOutcome,
)
from asf_core.governance.checks import clock_of, refuse
from asf_core.governance.ports import Ledger, Reading
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.strictjson import dump_canonical


@dataclass(frozen=True, slots=True)
class FeedbackSummary:
    """What the feedback on one version says together."""

    outcomes: dict[FeedbackOutcome, int]
    """Every outcome, in the order of the enum."""
    mean_score: float | None
    """0 to 1; ``None`` without scores."""
    recommends_review: int
    """How many recommend one. Whether there is one, a reviewer decides."""


def record_feedback(ledger: Ledger, item: Feedback, *, now: datetime) -> bool:
    """Retain a feedback. It changes nothing else.

    Returns:
        False when exactly this feedback was retained before.

    Raises:
        ConditionsError: It does not match a retained, successful authorisation, or its id is that
            of another feedback.
    """
    what = f"Feedback {item.id} was not retained"
    with ledger.deciding() as deciding:
        known = deciding.feedback(item.id)
        if known == item:
            return False
        if known is not None:
            why = "Its id is that of another feedback, which says otherwise."
            raise refuse(what, Condition.FEEDBACK_UNCHANGED, why, "Give each one an id of its own")
        authorisation = deciding.authorisation(item.authorisation_id)
        latest = now + clock_of(deciding.policy(), now).skew
        if problems := list(_problems(item, authorisation, latest)):
            satisfy = "Say the authorisation, pin, purpose, channel and tools of the use it is on"
            raise ConditionsError(
                what,
                [
                    Refusal(condition=Condition.AUTHORISATION, why=why, satisfy=satisfy)
                    for why in problems
                ],
            )
        deciding.add_feedback(item)
        record = deciding.version(item.pin.content_hash)
        deciding.append(_event(item, instant(now), record.content.scope if record else None))
        return True


def summary(reading: Reading, content_hash: str) -> FeedbackSummary:
    """Count the feedback on a version."""
    items = reading.feedback_on(content_hash)
    counts = Counter(item.outcome for item in items)
    scores = [item.score for item in items if item.score is not None]
    return FeedbackSummary(
        outcomes={outcome: counts[outcome] for outcome in FeedbackOutcome},
        mean_score=sum(scores) / len(scores) if scores else None,
        recommends_review=sum(item.recommends_review for item in items),
    )


def _problems(
    item: Feedback, authorisation: Authorisation | None, latest: datetime
) -> Iterator[str]:
    if authorisation is None:
        yield f"There is no authorisation {item.authorisation_id}."
        return
    if authorisation.outcome is not AuthorisationOutcome.ALLOWED:
        yield "That authorisation was refused, so nothing was run under it."
    for name in ("pin", "purpose", "channel"):
        own, known = getattr(item, name), getattr(authorisation, name)
        if own != known:
            yield f"Its {name} is {own}, that of the authorisation {known}."
    if extra := [tool for tool in item.tools if tool not in authorisation.tools]:
        yield f"It names tools that were not allowed: {', '.join(extra)}."
    if not moment(authorisation.at) <= moment(item.at) <= latest:
        yield f"Its time {item.at} is not between the authorisation's and now."


def _event(item: Feedback, at: str, scope: Scope | None) -> EventDraft:
    return EventDraft(
        at=at,
        actor="feedback",
        kind=EventKind.FEEDBACK_RECORDED,
        pin=item.pin,
        scope=scope,
        facts={
            "feedback": item.id,
            "sha256": sha256_hex(dump_canonical(item)),
            "outcome": item.outcome.value,
        },
    )
