"""Whether a version's governance receipts let it in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from asf_core.domain.receipts import ReceiptKind, ReviewReceipt, Verdict
from asf_core.domain.refusal import Condition
from asf_core.governance.checks import Check, ref_of
from asf_core.governance.evidence import Evidence, age, too_old
from asf_core.trust.keys import PublicKey
from asf_core.trust.verify import VerifiedReceipt

_SATISFY = "Have a trusted reviewer decide: asf review approve "


def check_reviews(
    evidence: Evidence, kind: ReceiptKind, active: str | None, *, since: datetime | None = None
) -> Check:
    """Enough trusted reviewers approve, lately, and none rejects.

    Args:
        evidence: Of the version.
        kind: Governance for an admission, rollback for a rollback.
        active: Content hash of what is active now. An approval was given over a comparison with
            what was active then; when another is now, it was not about this change.
        since: Approvals given before do not count; for a rollback, when it was retired.
    """
    last = _last_words(evidence.of(kind))
    for found in last.values():
        receipt = _review(found)
        if receipt.verdict is Verdict.REJECT:
            return _no_review(evidence, f"{_who(found)} rejected it: {receipt.reason}")
    weak = {spki: _review_weakness(evidence, found, active, since) for spki, found in last.items()}
    count, needed = list(weak.values()).count(""), evidence.policy.reviewers_needed
    if count >= needed:
        proofs = [found for spki, found in last.items() if not weak[spki]]
        who = ", ".join(_who(found) for found in proofs)
        keys = tuple(dict.fromkeys(found.key for found in proofs))
        return Check(Condition.GOVERNANCE_RECEIPT, f"Approved by {who}.", evidence=keys)
    said = [why for why in weak.values() if why]
    problems = evidence.problems(kind)
    told = f"Approved by {count} of the {needed} reviewers it needs."
    return _no_review(evidence, " ".join(filter(None, [told, *said, problems])))


def review_worth(
    evidence: Evidence, kind: ReceiptKind, active: str | None, since: datetime | None = None
) -> Iterator[tuple[str, tuple[str, str]]]:
    """What each authentic review says, and why it does not speak for a version.

    Yields:
        Its key; what it says and what it lacks, which is empty when it counts.
    """
    for of_kind in (ReceiptKind.GOVERNANCE, ReceiptKind.ROLLBACK):
        words = evidence.of(of_kind)
        last = {id(found) for found in _last_words(words).values()}
        for found in words:
            receipt = _review(found)
            verb = "rejected" if receipt.verdict is Verdict.REJECT else "approved"
            back = " going back to" if of_kind is ReceiptKind.ROLLBACK else ""
            said = f"{_who(found)} {verb}{back} it at {receipt.reviewed_at}: {receipt.reason}"
            lacks = _review_lacks(evidence, found, active, since)
            if of_kind is not kind:
                lacks = f"It is about {_STEPS[of_kind]}, not about {_STEPS[kind]}."
            elif id(found) not in last:
                lacks = "A later decision of the same reviewer stands in its place."
            yield found.key, (said, lacks)


_STEPS = {ReceiptKind.GOVERNANCE: "admission", ReceiptKind.ROLLBACK: "a rollback"}


def _review_lacks(
    evidence: Evidence, found: VerifiedReceipt, active: str | None, since: datetime | None
) -> str:
    if _review(found).verdict is Verdict.REJECT:
        return "It speaks against the version, until the same reviewer decides otherwise."
    return _review_weakness(evidence, found, active, since)


def _no_review(evidence: Evidence, why: str) -> Check:
    return Check(Condition.GOVERNANCE_RECEIPT, why, _SATISFY + ref_of(evidence.record))


def _last_words(found: Iterable[VerifiedReceipt]) -> dict[bytes, VerifiedReceipt]:
    """Each reviewer's last receipt, by public key; of two at one moment the rejection."""
    last: dict[bytes, VerifiedReceipt] = {}
    for item in found:
        for signer in item.signers:
            spki = PublicKey.from_base64(signer.spki).spki
            before = last.get(spki)
            rejects = _review(item).verdict is Verdict.REJECT
            if before is None or age(before) < age(item) or rejects:
                last[spki] = item
    return last


def _review(found: VerifiedReceipt) -> ReviewReceipt:
    assert isinstance(found.receipt, ReviewReceipt)  # noqa: S101 - by its kind
    return found.receipt


def _who(found: VerifiedReceipt) -> str:
    return " and ".join(f"{key.name} (key {key.key_id[:12]})" for key in found.signers)


def _review_weakness(
    evidence: Evidence, found: VerifiedReceipt, active: str | None, since: datetime | None
) -> str:
    """Why an approval does not count; empty when it does."""
    receipt = _review(found)
    known = {item.key for item in evidence.receipts if item.kind is ReceiptKind.SECURITY}
    if not known.intersection(receipt.security):
        return f"{_who(found)} decided without a security receipt of this content."
    if active is not None and receipt.compared_with != active:
        seen = receipt.compared_with
        against = f"version {seen[:12]}" if seen else "no active version"
        return f"{_who(found)} compared it with {against}, but {active[:12]} is active now."
    return too_old(found, evidence.now, evidence.policy.review_max_age_hours, since)
