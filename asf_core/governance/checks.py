"""The small checks that decisions are made of: each gives a refusal, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from asf_core.domain.content import BoundContent, VersionRecord
from asf_core.domain.errors import ConditionsError
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.refusal import Condition, Refusal
from asf_core.domain.text import shell_word
from asf_core.governance.ports import Reading
from asf_core.trust.canonical import canonical_json, sha256_hex
from asf_core.trust.content import content_hash
from asf_core.trust.strictjson import dump_canonical
from asf_core.trust.tree import TreeRefusedError, tree_digest
from asf_core.trust.verify import Clock


@dataclass(frozen=True, slots=True)
class Check:
    """One condition, and how it stands."""

    condition: Condition
    detail: str
    """What was found; one sentence."""
    satisfy: str = ""
    """What would satisfy it; empty when it holds."""
    evidence: tuple[str, ...] = ()
    """Keys of the receipts that it holds by."""

    @property
    def holds(self) -> bool:
        """Whether the condition is met."""
        return not self.satisfy

    @property
    def refusal(self) -> Refusal:
        """The check as a refusal; only for one that does not hold."""
        return Refusal(condition=self.condition, why=self.detail, satisfy=self.satisfy)


def refusals(checks: Sequence[Check]) -> tuple[Refusal, ...]:
    """The checks that do not hold."""
    return tuple(check.refusal for check in checks if not check.holds)


def refuse(what: str, condition: Condition, why: str, satisfy: str) -> ConditionsError:
    """An error for one condition, to be raised."""
    return ConditionsError(what, [Refusal(condition=condition, why=why, satisfy=satisfy)])


def clock_of(policy: TrustPolicy, now: datetime) -> Clock:
    """The reference time of an operation under a policy."""
    return Clock(now, timedelta(seconds=policy.clock_skew_seconds))


def policy_digest(policy: TrustPolicy) -> str:
    """SHA-256 of a policy in canonical JSON."""
    return sha256_hex(dump_canonical(policy))


def check_not_quarantined(reading: Reading, content: BoundContent) -> Check:
    """Neither the skill nor its bytes are in quarantine."""
    found = reading.quarantine(content.skill_id, content.tree_digest)
    if found is None:
        return Check(Condition.NOT_QUARANTINED, "Neither the skill nor its files are quarantined.")
    if found.terminal:
        satisfy = "Change the files and add them as a new version; this quarantine is for good"
    else:
        satisfy = f"Look at it and release it: asf release {shell_word(found.about)} --reason TEXT"
    where = "" if found.about == content.skill_id else f", decided about {found.about}"
    return Check(
        Condition.NOT_QUARANTINED,
        f"It is in quarantine since {found.decided_at} by {found.actor}{where}: {found.reason}",
        satisfy,
    )


def check_source(policy: TrustPolicy, content: BoundContent) -> Check:
    """The source's revision is on the trusted list."""
    source = content.source
    named = f"Revision {source.revision} of {source.system} source {source.id}"
    if any(trusted.covers(content.mode, source) for trusted in policy.sources):
        return Check(Condition.SOURCE_TRUSTED, f"{named} is trusted.")
    return Check(
        Condition.SOURCE_TRUSTED,
        f"{named} is not on the trusted list.",
        "If you trust exactly this revision, allow it: "
        "asf trust allow-source " + shell_word(f"{content.skill_id}@{content.version}"),
    )


def check_tools(policy: TrustPolicy, content: BoundContent) -> Check:
    """Every declared tool is registered."""
    unknown = [tool for tool in content.tools or () if tool not in policy.tools]
    if not unknown:
        count = len(content.tools or ())
        return Check(Condition.TOOLS_REGISTERED, f"All {count} declared tools are registered.")
    return Check(
        Condition.TOOLS_REGISTERED,
        f"Not registered: {', '.join(unknown)}.",
        "If skills may use them, register them: asf trust register-tool "
        + " ".join(map(shell_word, unknown)),
    )


def check_content(reading: Reading, record: VersionRecord) -> Check:
    """Content hash, tree digest and kept bytes agree, computed again from the bytes."""
    problem = next(_content_problems(reading, record), None)
    if problem is None:
        size = sum(entry.size for entry in record.tree)
        return Check(
            Condition.CONTENT_INTACT,
            f"Content hash, tree digest and {len(record.tree)} kept files ({size:,} bytes) agree.",
        )
    return Check(
        Condition.CONTENT_INTACT,
        problem,
        "Restore the workspace from a snapshot, or add the skill as a new version",
    )


def _content_problems(reading: Reading, record: VersionRecord) -> Iterator[str]:
    content = record.content
    if content_hash(content) != record.content_hash:
        yield "The content is not the one that its hash names."
    try:
        digest = tree_digest(record.tree)
    except TreeRefusedError as error:
        yield f"{error}."
        return
    if digest != content.tree_digest:
        yield "The list of files is not the one that the content binds."
    wanted = [(entry.path, entry.sha256, entry.size) for entry in record.tree]
    wanted.append(("the instructions", content.instructions_sha256, content.instructions_bytes))
    for name, sha256, size in wanted:
        data = reading.blob(sha256)
        if data is None:
            yield f"The kept bytes of {name} are gone."
        elif (len(data), sha256_hex(data)) != (size, sha256):
            yield f"The kept bytes of {name} were changed."


def ref_of(record: VersionRecord) -> str:
    """A version as a word of a command line."""
    return shell_word(f"{record.content.skill_id}@{record.content.version}")


def same_but_import(one: BoundContent, other: BoundContent) -> bool:
    """Whether two contents differ in nothing but who imported them and when."""
    return _without_import(one) == _without_import(other)


def _without_import(content: BoundContent) -> bytes:
    return canonical_json(content.model_dump(mode="json", exclude={"imported_by", "imported_at"}))
