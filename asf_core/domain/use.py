"""What is kept of a skill's use: authorisations and feedback, never text of any kind (DESIGN 8)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from asf_core.domain.base import Value
from asf_core.domain.content import RetrievalTerms, ToolName
from asf_core.domain.instant import Instant
from asf_core.domain.pin import Pin, Scope, SourceMode, Word
from asf_core.domain.receipts import ReceiptId
from asf_core.domain.refusal import Condition

EvidenceReference = Annotated[
    str,
    StringConstraints(pattern=r"^(sha256:[0-9a-f]{64}|https://[!-~]{1,180}|[a-z]+:[!-~]{1,100})$"),
]
"""Points to evidence that is kept elsewhere: a digest or an address, no white space, no text."""


class Discovery(Value):
    """What anyone in scope may know of a skill: metadata and the exact pin, no instructions."""

    pin: Pin
    mode: SourceMode
    label: str
    scope: Scope
    retrieval: RetrievalTerms
    tools: tuple[ToolName, ...] | None
    active_since: Instant


class AuthorisationOutcome(StrEnum):
    """How a request for instructions ended."""

    ALLOWED = "allowed"
    REFUSED = "refused"


class Authorisation(Value):
    """One request for instructions, as it is retained."""

    id: ReceiptId
    grant_id: ReceiptId
    pin: Pin
    tenant: Word
    user: Word
    purpose: Word
    channel: Word
    tools: tuple[ToolName, ...]
    """Effective tools; empty when refused."""
    outcome: AuthorisationOutcome
    failed: tuple[Condition, ...]
    """Conditions that did not hold; empty when allowed."""
    at: Instant


class FeedbackOutcome(StrEnum):
    """How the use of a skill went; closed."""

    HELPFUL = "helpful"
    NEUTRAL = "neutral"
    HARMFUL = "harmful"
    FAILED = "failed"
    """It did not do what it says."""
    UNSAFE = "unsafe"
    """It did what it must not, or was stopped before it did."""
    CORRECTED = "corrected"
    """A person had to put right what it did."""

    @property
    def adverse(self) -> bool:
        """Whether something went wrong that can be learnt from."""
        return self not in (FeedbackOutcome.HELPFUL, FeedbackOutcome.NEUTRAL)


class Feedback(Value):
    """What came of one authorised use."""

    id: ReceiptId
    authorisation_id: ReceiptId
    pin: Pin
    purpose: Word
    channel: Word
    tools: tuple[ToolName, ...]
    """Tools that were used, each among the effective ones."""
    outcome: FeedbackOutcome
    score: Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)] | None = None
    """0 (bad) to 1 (good)."""
    evidence: EvidenceReference | None = None
    recommends_review: bool = False
    at: Instant
