"""What a description says that a skill is for, without what it says that it is not for.

"Do NOT use for PDF files (use pdf-join instead)" names another skill's work: to every engine its
words are as good as praise. Such sentences are cut from what is matched; the description that a
person or a model reads keeps them.
"""

from __future__ import annotations

import re

# Where a denial of use begins, or a pointer to another skill.
_DENIAL = re.compile(
    r"\b(?:do(?:es)?\s+not|don['’]t|never|not)\s+(?:be\s+)?"
    r"(?:use|used|using|trigger|invoke|apply|activate|intended|meant|for|suitable|needed)\b"
    r"|\bnot\s+(?:when|use)\b"
    r"|\binstead\b|\bout of scope\b|\bavoid (?:using|for)\b|\bskip (?:this|when|if|for)\b"
    r"|\brather than this\b"
    r"|^\s*(?:for|to)\b[^.;]{3,90}?[,—-]\s*(?:see|use)\b"
    r"|^\s*(?:see|use)\s+(?:the\s+)?[`a-z]+-[a-z-]+`?\s+(?:for|when|if|skill)",
    re.IGNORECASE,
)
# Sentences end as usual, at line ends, and where a new instruction begins without a full stop.
_SENTENCE = re.compile(
    r"(?<=[.!?;])\s+(?=[\"'“(A-Z0-9`*])"
    r"|\n+"
    r"|(?<=[.!?)\"”a-z])\s+(?=(?:DO NOT|Do NOT|Do not|NOT FOR|NOT for|Not for|USE FOR|Use for|WHEN"
    r"|USE WHEN|Use when|Triggers?|TRIGGERS?)\b)"
)
# A denial may follow a statement within one sentence: what stands before it stays.
_JOINT = re.compile(r"(?:[,;—(–-]|\band|\bbut)\s*$")
_STATEMENT = 25
"""Characters before the denial from which they are a statement of their own."""


def positive(description: str) -> str:
    """The description without its sentences on what the skill is not for.

    A description that consists of nothing else is returned as it is: better all than nothing.

    >>> positive("Join PDF files. Do NOT use for images. Use when asked to merge.")
    'Join PDF files. Use when asked to merge.'
    """
    kept = " ".join(filter(None, map(_affirmed, _SENTENCE.split(description))))
    return kept or description


def _affirmed(sentence: str) -> str:
    """A sentence, or the part of it before a denial of use; empty if there is none."""
    sentence = sentence.strip()
    denial = _DENIAL.search(sentence)
    if denial is None:
        return sentence
    before = sentence[: denial.start()]
    if len(before) > _STATEMENT and _JOINT.search(before):
        return _JOINT.sub("", before).rstrip(" ,;—(–-")
    return ""
