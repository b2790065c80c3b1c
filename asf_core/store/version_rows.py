"""A version as a row."""

from __future__ import annotations

from typing import Any

from asf_core.domain.content import VersionRecord
from asf_core.domain.refusal import Refusal
from asf_core.trust.canonical import canonical_json
from asf_core.trust.strictjson import dump_canonical


def version_row(record: VersionRecord) -> dict[str, Any]:
    """All columns but the number."""
    content = record.content
    return {
        "content_hash": record.content_hash,
        "skill_id": content.skill_id,
        "version": content.version,
        "tree_digest": content.tree_digest,
        "content": dump_canonical(content).decode(),
        "tree": canonical_json([e.model_dump(mode="json") for e in record.tree]).decode(),
        "state": record.state.value,
        "terminal": record.terminal,
        "reasons": reasons_text(record.reasons),
    }


def reasons_text(reasons: tuple[Refusal, ...]) -> str:
    """Reasons as they are kept."""
    return canonical_json([reason.model_dump(mode="json") for reason in reasons]).decode()
