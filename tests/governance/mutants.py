"""Removes the rules of the control plane one by one, in a copy, and looks for a test that fails.

    python -m tests.governance.mutants [WORD]

Each mutant is one line of the program made to say something else. A mutant that no test notices is
a rule without a test. Takes a few minutes, so it is run by hand.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mutant:
    """One change."""

    file: str
    """Below asf_core."""
    before: str
    after: str
    tests: str = "tests/governance"


G, T = "governance/", "trust/"
MUTANTS = [
    Mutant(G + "candidates.py", "if record.content.mode is not content.mode:", "if False:"),
    Mutant(G + "candidates.py", "if found:\n        raise", "if False:\n        raise"),
    Mutant(G + "candidates.py", "or listed != read", "or False"),
    Mutant(G + "candidates.py", "or own !=", "or () and own !="),
    Mutant(G + "checks.py", "if found is None:\n        return Check(Condition.NOT_Q", "if True:\n        return Check(Condition.NOT_Q"),
    Mutant(G + "checks.py", "if any(trusted.covers(content.mode, source)", "if True or any(trusted.covers(content.mode, source)"),
    Mutant(G + "checks.py", "for tool in content.tools or () if tool not in", "for tool in () if tool not in"),
    Mutant(G + "checks.py", "elif (len(data), sha256_hex(data)) != (size, sha256):", "elif False:"),
    Mutant(G + "checks.py", "if content_hash(content) != record.content_hash:", "if False:"),
    Mutant(G + "evidence.py", "if named == keys:", "if True:"),
    Mutant(G + "evidence.py", "if now - made > timedelta(hours=hours):", "if False:"),
    Mutant(G + "evidence.py", "if since is not None and made < since:", "if False:"),
    Mutant(G + "evidence.py", "content_hash=record.content_hash,", "content_hash=None,"),
    Mutant(G + "security_proof.py", "if not receipt.complete:", "if False:"),
    Mutant(G + "security_proof.py", "finding.code is FindingCode.UNKNOWN or", "False or"),
    Mutant(G + "security_proof.py", ">= policy.block_at.rank", "> policy.block_at.rank"),
    Mutant(G + "security_proof.py", "moment(finding.waiver.expires_at) > now", "True"),
    Mutant(G + "security_proof.py", "(trusted.name, trusted.version) == (scanner.name, scanner.version)", "True"),
    Mutant(G + "security_proof.py", "if proofs:", "if True:"),
    Mutant(G + "security_proof.py", "or _objections(evidence, found):", "or False:"),
    Mutant(G + "security_proof.py", "if objections := _objections(evidence, found):\n            return", "if objections := '':\n            return"),
    Mutant(G + "review_proof.py", "if receipt.verdict is Verdict.REJECT:", "if False:"),
    Mutant(G + "review_proof.py", "if count >= needed:", "if count >= 1:"),
    Mutant(G + "review_proof.py", "if count >= needed:", "if True:"),
    Mutant(G + "review_proof.py", "if not known.intersection(receipt.security):", "if False:"),
    Mutant(G + "review_proof.py", "if active is not None and receipt.compared_with != active:", "if False:"),
    Mutant(G + "admission.py", "check_security(evidence, since=retired)", "check_security(evidence)"),
    Mutant(G + "admission.py", "ReceiptKind.ROLLBACK, active, since=retired", "ReceiptKind.ROLLBACK, active"),
    Mutant(G + "admission.py", "check_reviews(evidence, ReceiptKind.ROLLBACK", "check_reviews(evidence, ReceiptKind.GOVERNANCE"),
    Mutant(G + "admission.py", "if record.state is VersionState.RETIRED and was:", "if was:"),
    Mutant(G + "admission.py", "if record.state is VersionState.RETIRED and was:", "if True:"),
    Mutant(G + "admission.py", "    if waits:\n", "    if True:\n"),
    Mutant(G + "lifecycle.py", "deciding.unpoint(record.content.skill_id)", "pass"),
    Mutant(G + "lifecycle.py", "VersionState.QUARANTINED, terminal=True, reasons=(why,)", "VersionState.QUARANTINED, reasons=(why,)"),
    Mutant(G + "lifecycle.py", "deciding.set_state(previous.pin, VersionState.RETIRED)", "pass"),
    Mutant(G + "lifecycle.py", "deciding.set_state(record.pin, VersionState.QUARANTINED, reasons=result.refusals)", "pass"),
    Mutant(G + "receiving.py", "elif known.key != found.key:", "elif False:"),
    Mutant(G + "receiving.py", "receipt.verdict is Verdict.REJECT:", "False:"),
    Mutant(G + "clamp.py", "all(tool in limit for limit in limits)", "any(tool in limit for limit in limits)"),
    Mutant(G + "clamp.py", "frozenset(limit or ())", "frozenset(limit if limit else declared or ())"),
    Mutant(G + "discovery.py", "if exactly is not None and exactly != record.pin:", "if False:"),
    Mutant(G + "discovery.py", "if scope.admits(subject):", "if True:"),
    Mutant(G + "grants.py", "if active == record.content_hash:", "if True:"),
    Mutant(G + "grants.py", "if not other:", "if True:"),
    Mutant(G + "grants.py", '"channel": (grant.channel, request.channel),', ""),
    Mutant(G + "grants.py", '"purpose": (grant.purpose, request.purpose),', ""),
    Mutant(G + "grants.py", '"tenant": (grant.tenant, request.subject.tenant),', ""),
    Mutant(G + "grants.py", '"user": (grant.user, request.subject.user),', ""),
    Mutant(G + "receiving.py", "found.receipt.pin != record.pin", "False"),
    Mutant(G + "grants.py", "<= now < moment(grant.expires_at)", "<= now"),
    Mutant(G + "grants.py", "if moment(grant.not_before) <= now <", "if now <"),
    Mutant(G + "grants.py", "if stored.revoked_at is None:\n        return Check", "if True:\n        return Check"),
    Mutant(G + "grants.py", "if any(channel.name == name", "if True or any(channel.name == name"),
    Mutant(G + "grants.py", "        check_content(reading, record),\n", ""),
    Mutant(G + "grants.py", "        check_source(policy, record.content),\n", ""),
    Mutant(G + "grants.py", "*visibility(reading, record, request.subject),", ""),
    Mutant(G + "grants.py", "record.pin != request.pin", "False"),
    Mutant(G + "grants.py", "_retain(deciding, authorisation, record)", "pass"),
    Mutant(G + "feedback.py", "if authorisation.outcome is not AuthorisationOutcome.ALLOWED:", "if False:"),
    Mutant(G + "feedback.py", 'for name in ("pin", "purpose", "channel"):', 'for name in ("purpose", "channel"):'),
    Mutant(G + "feedback.py", "if known == item:\n            return False", "if known:\n            return False"),
    Mutant(G + "feedback.py", "if extra := [", "if extra := [][:0] and ["),
    Mutant(G + "feedback.py", "if not moment(authorisation.at) <=", "if False and not moment(authorisation.at) <="),
    Mutant(G + "audit.py", "if (told.state, told.terminal) != (record.state, record.terminal):", "if False:"),
    Mutant(G + "audit.py", "if digests != replay.policies:", "if False:"),
    Mutant(G + "audit.py", "if made != replay.decisions:", "if False:"),
    Mutant(G + "audit.py", "elif records[name] != events[name]:", "elif False:"),
    Mutant(G + "replay.py", "if not {ReceiptKind.SECURITY.value, review.value} <= kinds:", "if False:"),
    Mutant(G + "replay.py", "if replay.receipts.get(key) != pin.content_hash:", "if False:"),
    Mutant(G + "replay.py", "if pin.skill_id in replay.active:", "if False:"),
    Mutant(G + "sources/playbook.py", "if number != skill.version:", "if False:"),
    Mutant(G + "sources/directory.py", "if skill.digest is None:", "if False:"),
    Mutant(G + "sources/directory.py", "if skill.state is SkillState.BROKEN:", "if False:"),
    Mutant(G + "sources/directory.py", "elif not is_semver(version):", "elif False:"),
    Mutant(T + "verify.py", "if key.role is not role:", "if False:"),
    Mutant(T + "verify.py", "elif not public.verifies(signature.signature, envelope.signed):", "elif False:"),
    Mutant(T + "verify.py", "if public.key_id == key.key_id:", "if True:"),
    Mutant(T + "verify.py", "if content_hash is not None and subject != content_hash:", "if False:"),
    Mutant(T + "verify.py", "if isinstance(receipt, Grant) and receipt.pin.content_hash != subject:", "if False:"),
    Mutant(T + "verify.py", "if made > clock.now + clock.skew:", "if False:"),
    Mutant(T + "verify.py", "if made > clock.now + clock.skew:", "if made >= clock.now + clock.skew:"),
    Mutant(T + "statements.py", "if statement.predicate_type != kind.predicate_type:", "if False:"),
    Mutant(T + "statements.py", '"subject": content_hash, "receipt": fields', '"receipt": fields'),
    Mutant(T + "strictjson.py", "if len(found) != len(pairs):", "if False:", "tests/governance tests/trust"),
    Mutant(T + "dsse.py", "return pae(PAYLOAD_TYPE, self.payload)", "return self.payload"),
    Mutant(T + "chain.py", "elif event.previous != head.digest:", "elif False:"),
    Mutant(T + "chain.py", "if event.number != position:", "if False:"),
    Mutant(T + "chain.py", "if expected.count > head.count:", "if False:"),
    Mutant(T + "chain.py", "if seen[expected.count] != expected.digest:", "if False:"),
    Mutant(T + "chain.py", "if event_document(event) != document:", "if False:"),
    Mutant("store/binding.py", "if binding is None:", "if False:", "tests/control/test_ownership.py"),
    Mutant("store/binding.py", "elif binding.root != root.resolve():", "elif False:", "tests/control/test_ownership.py"),
    Mutant("store/keyring.py", "if os.name != \"nt\" and mode & _OTHERS:", "if False:", "tests/control/test_ownership.py"),
    Mutant("services/control/session.py", "        self._check_head(binding.head)\n", "", "tests/control/test_ownership.py"),
    Mutant("services/control/trust.py", "            if found.strange:", "            if False:", "tests/control/test_ownership.py"),
    Mutant("services/control/trust.py", "            if found.ledger.problems:", "            if False:", "tests/control/test_ownership.py"),
    Mutant("services/control/active.py", "if digest != record.content.tree_digest:", "if False:", "tests/control/test_active_only.py"),
    Mutant("services/control/active.py", "if found := refusals([check_content(reading, record)]):", "if found := ():", "tests/control/test_active_only.py"),
    Mutant("services/control/active.py", "if record is None or reading.active(pin.skill_id) != pin.content_hash:", "if record is None:", "tests/control/test_active_only.py"),
    Mutant("store/quarantine.py", "_SAME_BYTES):", "_SAME_BYTES.where(False)):", "tests/control/test_control_sources.py"),
    Mutant("store/quarantine.py", "_OF_VERSIONS):", "_OF_VERSIONS.where(False)):", "tests/control/test_control_sources.py"),
    Mutant("store/decisions.py", "    if found.terminal:\n", "    if False:\n", "tests/control/test_control_sources.py"),
]  # fmt: skip


def survives(mutant: Mutant, copy: Path) -> bool:
    """Whether all tests pass on a copy of the program with one change."""
    file = copy / "asf_core" / mutant.file
    honest = file.read_text("utf-8")
    if mutant.before not in honest:
        raise SystemExit(f"{mutant.file} no longer says: {mutant.before}")
    file.write_text(honest.replace(mutant.before, mutant.after, 1), "utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider",
             *mutant.tests.split()],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
        )  # fmt: skip
    finally:
        file.write_text(honest, "utf-8")
    return done.returncode == 0


def main() -> None:
    """Try each mutant; leave with 1 when one survives."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [m for m in MUTANTS if word in m.file]
    alive = 0
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory)
        for name in ("asf_core", "asf_tui", "tests"):
            shutil.copytree(ROOT / name, copy / name)
        shutil.copy(ROOT / "pyproject.toml", copy)
        for mutant in chosen:
            lives = survives(mutant, copy)
            alive += lives
            state = "LIVES" if lives else "found"
            print(f"{state}  {mutant.file}  {mutant.before[:70]!r} -> {mutant.after[:40]!r}")
            sys.stdout.flush()
    print(f"{len(chosen) - alive} of {len(chosen)} found")
    sys.exit(1 if alive else 0)


if __name__ == "__main__":
    main()
