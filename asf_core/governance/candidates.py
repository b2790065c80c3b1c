"""Taking in candidates: immutable from the first moment, and never in place of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from asf_core.domain.content import BoundContent, VersionRecord, VersionState
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import EventDraft, EventKind
from asf_core.domain.refusal import Condition, Refusal
from asf_core.domain.skill import TreeEntry
from asf_core.governance.checks import refuse, same_but_import
from asf_core.governance.ports import Deciding, Ledger, Reading
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.content import content_hash
from asf_core.trust.tree import tree_digest


@dataclass(frozen=True, slots=True)
class CandidateDraft:
    """A content with the bytes that it binds, from one reading of its source."""

    content: BoundContent
    tree: tuple[TreeEntry, ...]
    """Its files; their digest is ``content.tree_digest``."""
    files: Mapping[str, bytes]
    """The bytes of each, by path."""
    instructions: bytes
    """UTF-8."""


@dataclass(frozen=True, slots=True)
class Added:
    """A candidate after it was taken in."""

    record: VersionRecord
    new: bool
    """False when exactly this content was there already."""


def add_candidates(ledger: Ledger, drafts: Sequence[CandidateDraft]) -> tuple[Added, ...]:
    """Take in candidates, all or none.

    Args:
        ledger: Where they are kept, with copies of their bytes.
        drafts: What was read, each from one reading of its source.

    Raises:
        ConditionsError: A draft's bytes are not those that it binds, its id and version are in use
            for other content, or its skill came in by another mode.
    """
    blobs = [_checked(draft) for draft in drafts]
    with ledger.deciding() as deciding:
        return tuple(_add(deciding, draft, data) for draft, data in zip(drafts, blobs, strict=True))


def _add(deciding: Deciding, draft: CandidateDraft, data: Mapping[str, bytes]) -> Added:
    content = draft.content
    known = _known(deciding, content)
    if known is not None:
        return Added(known, new=False)
    record = VersionRecord(
        content=content,
        content_hash=content_hash(content),
        tree=tuple(sorted(draft.tree, key=lambda entry: entry.path)),
        state=VersionState.CANDIDATE,
    )
    deciding.add_version(record, data)
    source = content.source
    deciding.append(
        EventDraft(
            at=content.imported_at,
            actor=content.imported_by,
            kind=EventKind.CANDIDATE_ADDED,
            pin=record.pin,
            scope=content.scope,
            facts={
                "mode": content.mode.value,
                "source": f"{source.system} {source.id}",
                "revision": source.revision,
                "tree": content.tree_digest,
            },
        )
    )
    return Added(record, new=True)


def _known(reading: Reading, content: BoundContent) -> VersionRecord | None:
    """The version that a content is already.

    Raises:
        ConditionsError: Its id and version, or its skill's mode, say something else.
    """
    what = f"{content.skill_id}@{content.version} was not taken in"
    found: list[Refusal] = []
    for record in reading.versions(content.skill_id):
        if record.content.mode is not content.mode:
            why = f"The skill came in as {record.content.mode.value}, not {content.mode.value}."
            satisfy = "Give the other one another id; a skill's mode is never changed"
            raise refuse(what, Condition.MODE_KEPT, why, satisfy)
        if record.content.version != content.version:
            continue
        if same_but_import(record.content, content):
            return record
        found.append(
            Refusal(
                condition=Condition.VERSION_UNUSED,
                why=f"Version {content.version} is {record.pin}, with other content.",
                satisfy="Give the changed skill a new version; a version never changes",
            )
        )
    if found:
        raise ConditionsError(what, found)
    return None


def _checked(draft: CandidateDraft) -> dict[str, bytes]:
    """The bytes by their digests, which are computed here.

    Raises:
        ConditionsError: They are not those that the draft binds.
    """
    content = draft.content
    what = f"{content.skill_id}@{content.version} was not taken in"
    files = {sha256_hex(data): data for data in draft.files.values()}
    listed = {entry.path: (entry.sha256, entry.size) for entry in draft.tree}
    read = {path: (sha256_hex(data), len(data)) for path, data in draft.files.items()}
    own = (sha256_hex(draft.instructions), len(draft.instructions))
    if (
        tree_digest(draft.tree) != content.tree_digest
        or listed != read
        or own != (content.instructions_sha256, content.instructions_bytes)
    ):
        why = "The bytes that were read are not those that the content binds."
        raise refuse(what, Condition.CONTENT_INTACT, why, "Read it again once it is at rest")
    return files | {own[0]: draft.instructions}
