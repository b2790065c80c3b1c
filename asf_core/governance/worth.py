"""What each receipt of a version proves, and what it lacks to count: for display, one by one.

The checks of an admission look at all receipts together and give one answer. This says of each alone
why it is part of that answer or not, by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from asf_core.domain.receipts import ReceiptKind
from asf_core.governance.evidence import Evidence, ReceiptStatus
from asf_core.governance.review_proof import review_worth
from asf_core.governance.security_proof import security_worth


@dataclass(frozen=True, slots=True)
class Worth:
    """One receipt, and what it is worth now."""

    status: ReceiptStatus
    proves: str
    """What it says, one sentence; empty for one that is not authentic. May quote hostile text."""
    lacks: str
    """Why it does not speak for the version; empty when it does."""


def weigh(
    evidence: Evidence, review: ReceiptKind, active: str | None, since: datetime | None = None
) -> tuple[Worth, ...]:
    """Weigh all receipts of a version for one step.

    Args:
        evidence: Of the version.
        review: The kind of approval that the step needs.
        active: Content hash of what is active now.
        since: What was made before does not count; for a rollback, when it was retired.
    """
    said = {**dict(security_worth(evidence, since))}
    said |= dict(review_worth(evidence, review, active, since))
    return tuple(_each(evidence, said))


def _each(evidence: Evidence, said: dict[str, tuple[str, str]]) -> Iterator[Worth]:
    for status in evidence.receipts:
        proves, lacks = said.get(status.key, ("", ""))
        yield Worth(status, proves, status.problem or lacks)
