"""Whether a version's security receipts let it in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from asf_core.domain.findings import FindingCode
from asf_core.domain.instant import moment
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptFinding, ReceiptKind, SecurityReceipt
from asf_core.domain.refusal import Condition
from asf_core.governance.checks import Check, ref_of
from asf_core.governance.evidence import Evidence, age, too_old
from asf_core.trust.verify import VerifiedReceipt

_SATISFY = "Scan it with a trusted scanner: asf candidate scan "


def check_security(evidence: Evidence, *, since: datetime | None = None) -> Check:
    """A trusted scanner version found it clean, lately, and no scanner found otherwise.

    Args:
        evidence: Of the version.
        since: Receipts made before do not speak for it; for a rollback, when it was retired.
    """
    last = _last_words(evidence)
    for found in last.values():
        if objections := _objections(evidence, found):
            return _no_security(evidence, objections)
    proofs = [found for found in last.values() if not _weakness(evidence, found, since)]
    if proofs:
        names = ", ".join(
            f"{_security(p).scanner.name} {_security(p).scanner.version}" for p in proofs
        )
        keys = tuple(proof.key for proof in proofs)
        return Check(Condition.SECURITY_RECEIPT, f"Found clean by {names}.", evidence=keys)
    weak = " ".join(_weakness(evidence, found, since) for found in last.values())
    why = f"{weak} {evidence.problems(ReceiptKind.SECURITY)}".strip()
    return _no_security(evidence, why or "It was not scanned.")


def security_worth(
    evidence: Evidence, since: datetime | None = None
) -> Iterator[tuple[str, tuple[str, str]]]:
    """What each authentic security receipt says, and why it does not speak for a version.

    Yields:
        Its key; what it says and what it lacks, which is empty when it counts.
    """
    last = _last_words(evidence)
    for found in evidence.of(ReceiptKind.SECURITY):
        receipt = _security(found)
        scanner = receipt.scanner
        count = len(receipt.findings)
        what = "found it clean" if not count else f"reported {count} finding{'s' * (count > 1)}"
        if not receipt.complete:
            what = "did not finish"
        said = f"{scanner.name} {scanner.version} {what} at {receipt.scanned_at}."
        if last[scanner.name] is not found:
            lacks = f"A later receipt of {scanner.name} stands in its place."
        else:
            lacks = _objections(evidence, found) or _weakness(evidence, found, since)
        yield found.key, (said, lacks)


def _last_words(evidence: Evidence) -> dict[str, VerifiedReceipt]:
    """Each scanner's last receipt, by its name."""
    last: dict[str, VerifiedReceipt] = {}
    for found in evidence.of(ReceiptKind.SECURITY):
        scanner = _security(found).scanner.name
        before = last.get(scanner)
        # Of two made at one moment the one that objects is the last word.
        if before is None or age(before) < age(found) or _objections(evidence, found):
            last[scanner] = found
    return last


def _no_security(evidence: Evidence, why: str) -> Check:
    return Check(Condition.SECURITY_RECEIPT, why, _SATISFY + ref_of(evidence.record))


def _security(found: VerifiedReceipt) -> SecurityReceipt:
    assert isinstance(found.receipt, SecurityReceipt)  # noqa: S101 - by its kind
    return found.receipt


def _objections(evidence: Evidence, found: VerifiedReceipt) -> str:
    """What a scanner holds against a version; empty when it found it clean."""
    receipt = _security(found)
    if not receipt.complete:
        return f"The scan by {receipt.scanner.name} was not complete."
    open_ = [
        item
        for item in receipt.findings
        if blocks(item, evidence.policy) and not _waived(item, evidence.now)
    ]
    if not open_:
        return ""
    first = open_[0]
    return (
        f"{receipt.scanner.name} found {len(open_)} that block, first {first.code.value} "
        f"({first.severity.value}, {first.rule}) in {first.path} line {first.line}."
    )


def blocks(finding: ReceiptFinding, policy: TrustPolicy) -> bool:
    """Whether a finding keeps a version out unless it is waived."""
    return finding.code is FindingCode.UNKNOWN or finding.severity.rank >= policy.block_at.rank


def _waived(finding: ReceiptFinding, now: datetime) -> bool:
    return finding.waiver is not None and moment(finding.waiver.expires_at) > now


def _weakness(evidence: Evidence, found: VerifiedReceipt, since: datetime | None) -> str:
    """Why a clean receipt does not speak for a version; empty when it does."""
    receipt, policy = _security(found), evidence.policy
    scanner = receipt.scanner
    keys = {key.key_id for key in found.signers}
    if not any(
        (trusted.name, trusted.version) == (scanner.name, scanner.version)
        and trusted.key_id in keys
        for trusted in policy.scanners
    ):
        return f"Scanner {scanner.name} {scanner.version} with its key is not trusted."
    return too_old(found, evidence.now, policy.security_max_age_hours, since)
