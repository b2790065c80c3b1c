"""What the sentence around a name says of the relation.

Of 684 sentences of the corpora that hold a sibling's name and a negation, and 371 with a word of
order or demand, some 180 were read, over all eight registries. What they showed:

- "For Y use X instead", "X is the skill for that", and everything under "When not to use": by far
  the most frequent use of a negation. A pointer away: X takes the task over, the two are not used
  together. Kept as ``complements`` at 0.4, below what the walk follows, so that the neighbourhood
  of a skill stays visible and no plan is filled with its alternatives.
- "Unlike X", "vs X", "rather than X", "not a replacement for X": comparisons; the same.
- "Do not use X here", "never invoke X from this skill": no relation at all; skipped.
- "X when the task is A rather than B", "run X first if there is no profile": a negation that is not
  about X. So a bare "not" decides nothing.
- "Conflicts with X", "do not combine with X": in none of these files, but plain where it is written.
- "Run X first", "X must be completed": a requirement outside a section of that name. 0.6 where it is
  conditional ("first"), 0.7 where it is flat ("requires X").
- "Examples: X, Y", "(e.g., X)", "for example, when writing an X skill": how skills are named or
  written, mostly in skills about skills. No relation, unless X is linked or "skills (e.g. X" says
  that such skills are meant.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Cue(StrEnum):
    """How a sentence bends the relation."""

    NONE = "none"
    SUB_SKILL = "sub_skill"
    REQUIRED = "required"
    FIRST = "first"
    """Required on a condition: "run X first"."""
    OPTIONAL = "optional"
    ELSEWHERE = "elsewhere"
    CONFLICT = "conflict"
    FORBIDDEN = "forbidden"
    OTHER_THING = "other_thing"
    """The name is of an agent, a package, a repository."""
    EXAMPLE = "example"
    """It only shows what a name, or a skill, looks like."""


_MARKS = r"[\s\"'()\[\]*_,:–—-]*"
_FORBIDDEN = re.compile(
    r"\b(do not|don'?t|never|not|must not|should not|cannot|❌ bad)\W+(\w+\W+){0,4}$", re.IGNORECASE
)
_CONFLICT = re.compile(
    r"\b(conflicts? with|(incompatible|not compatible) with"
    r"|(do not|don'?t|never|cannot be) (combined?|used?|run|paired?)( it| this| this skill)?( together)? with)"
    r"( the)?\W*$",
    re.IGNORECASE,
)
_NOT_ABOUT_IT = re.compile(
    r"[.;:!?→(]|\b(but|this skill|if|when|unless|until|without|only|just|replacement|substitute)\b",
    re.IGNORECASE,
)
_SUB_SKILL = re.compile(rf"\brequired sub-?skill{_MARKS}(use|invoke|load)?{_MARKS}$", re.IGNORECASE)
_REQUIRED_BEFORE = re.compile(
    r"\b(required background|prerequisites?|requires|depends on|required skills?)\b"
    r"\W+((you|must|understand|the|that|using|use|a|run of|running|skills?)\W+)*$",
    re.IGNORECASE,
)
_REQUIRED_AFTER = re.compile(
    rf"^{_MARKS}(skill{_MARKS})?((is|are) (a )?(required|prerequisite|mandatory)\b|prerequisite\)"
    r"|must (have|be|already|run|complete)\b|(skill )?must have\b|must run\b)",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"^{_MARKS}((skill|step \w+|sub-?skill){_MARKS})?first\b(?!-)", re.IGNORECASE)
_FIRST_ITEM = re.compile(rf"^{_MARKS}(must )?run(s)? first\b", re.IGNORECASE)
_OPTIONAL = re.compile(
    r"\b(optional(ly)?|not (a )?(prerequisite|required)|recommended|nice to have|if (available|installed|needed))\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\binstead\b|\b(rather than|unlike|different from|differs from|versus|vs\.?|as opposed to|replacement for"
    r"|substitute for|belongs? (to|in)|owned by|out of scope|not (this|here)|superseded by|deprecated)\b"
    r"|代わりに|而不是|代替|대신",
    re.IGNORECASE,
)
_OTHER_THING = re.compile(
    r"^[\s`*\"')]*(sub-?)?(agents?|packages?|repos?|repository|repositories|branch|director(y|ies)|folders?|files?"
    r"|librar(y|ies)|crates?|modules?|binar(y|ies)|images?|containers?|servers?|prompts?|labels?|tags?|plugins?|cli"
    r"|gem|sdk|namespace|fields?|columns?|tables?|endpoints?|daemon|process|profile|エージェント|智能体|代理)\b",
    re.IGNORECASE,
)
_OTHER_BEFORE = re.compile(
    r"\b(agents?|subagents?|subagent_type|エージェント|智能体|代理)\W*$"
    r"|\b(agents|modules|packages|libraries|repos|repositories)\s*[(:]\s*([\w-]+,\s*)*$",
    re.IGNORECASE,
)


_EXAMPLE = re.compile(
    r"\bexamples?\s*[:：][\w\s,:'\"/.–-]{0,160}$"
    r"|\bexample\b[^.|]{0,80}\ban?\s*$"
    r"|(?<!skill )(?<!skills )(?<!skill \()(?<!skills \()\be\.g\.[\s,:\"'(]*$",
    re.IGNORECASE,
)


def cue_of(before: str, after: str) -> Cue:
    """Judge one mention.

    Args:
        before: The sentence up to the name.
        after: The sentence after it.
    """
    if _OTHER_THING.match(after) or _OTHER_BEFORE.search(before):
        return Cue.OTHER_THING
    if _CONFLICT.search(before):
        return Cue.CONFLICT
    if (negation := _FORBIDDEN.search(before)) and not _NOT_ABOUT_IT.search(negation.group()):
        return Cue.FORBIDDEN
    return _demand(before, after) or _turn(before, after)


def _demand(before: str, after: str) -> Cue | None:
    if _SUB_SKILL.search(before):
        return Cue.SUB_SKILL
    optional = _OPTIONAL.search(before + " " + after)
    if not optional and (_REQUIRED_BEFORE.search(before) or _REQUIRED_AFTER.match(after)):
        return Cue.REQUIRED
    if _FIRST.match(after) or _FIRST_ITEM.match(after):
        return Cue.FIRST
    return Cue.OPTIONAL if optional else None


def _turn(before: str, after: str) -> Cue:
    if _ELSEWHERE.search(before) or _ELSEWHERE.search(after):
        return Cue.ELSEWHERE
    return Cue.EXAMPLE if _EXAMPLE.search(before) else Cue.NONE
