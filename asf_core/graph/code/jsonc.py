"""JSON as configuration files have it: with comments and trailing commas."""

from __future__ import annotations

import json
import re
from typing import Any

# An unclosed string or comment runs to the end, so that no part is scanned twice.
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*[}\]])', re.DOTALL)


def loads(data: bytes) -> dict[str, Any]:
    """Read an object.

    Args:
        data: UTF-8, possibly with comments and trailing commas.

    Returns:
        The object; an empty one where there is none to read, since a broken configuration only
        costs the names that it would have resolved.
    """
    text = data.decode("utf-8-sig", "replace")
    # Twice: a comma may turn out to be the last one only when the comment after it is gone.
    for _ in range(2):
        text = _TOKEN.sub(lambda m: m.group() if m.group()[0] == '"' else "", text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
