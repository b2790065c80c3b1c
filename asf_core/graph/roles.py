"""What a heading or a label says about the skills named below it.

Real registries declare almost no relations in frontmatter; they write a section. The spellings here
are those of 2,637 public files in English, Japanese, Chinese, Korean and Turkish.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    """What the skills of a section are to the skill that holds it."""

    NONE = "none"
    REQUIRED = "required"
    SUB_SKILL = "sub_skill"
    RELATED = "related"
    USED_WITH = "used_with"
    CONFLICTS = "conflicts"
    REFERENCES = "references"
    ELSEWHERE = "elsewhere"
    """Skills to take instead: pointers away from this one, not companions of it."""
    EXAMPLES = "examples"
    """Below a label or in a column of that name: what a skill of some kind looks like."""

    @property
    def lists_skills(self) -> bool:
        """True when the names below are names of skills rather than of packages or files."""
        return self in (Role.SUB_SKILL, Role.RELATED, Role.USED_WITH, Role.CONFLICTS)


# The first that matches counts, so the order is from the narrow to the wide.
_HEADINGS: tuple[tuple[Role, str], ...] = (
    (
        Role.ELSEWHERE,
        r"(when |what )?(not to use|(you )?should ?n[o']t use)|(do not|don'?t|never) (use|load|activate|trigger|invoke)"
        r"|.*\bout of scope\b|negative triggers?|not for\b|use (another|a different) skill"
        r"|use .*\binstead\b|when to use .* instead|alternatives?\b(?! to)|alternative (skills?|workflows?)"
        r"|disambiguat\w+|(it |this skill )?(does not|doesn'?t) (own|cover|handle)\b|what this skill (does not|deliberately does not|doesn'?t)|when not\b|.*does \W*not\W* cover"
        r"|使用しない|使わない|何时不|不适用|不要使用|何時不|사용하지|ne zaman kullanılmaz|kullanılmamalı",
    ),
    (
        Role.CONFLICTS,
        r"(known )?conflicts?( with)?$|conflicts with\b|conflicting skills?|incompatible( with| skills?)"
        r"|(do not|don'?t|never) (combine|use together|pair)|mutually exclusive|競合|冲突|衝突|충돌",
    ),
    (
        Role.SUB_SKILL,
        r"required sub-?skills?|requires? sub-?skills?|mandatory sub-?skills?",
    ),
    (
        Role.REQUIRED,
        r"(\w+ ?[/&] ?|\w+ and )?pre-?requisites?( skills?)?( ?[/&] ?\w+| and \w+)?$|pre-?requisites?\W"
        r"|required$|required (background|reading|skills?|workflow skills?)|requires?$|requires? skills?"
        r"|depends? on|(skill )?dependenc(y|ies)$|(skill )?requirements?$|前提|先决条件|前置条件|依赖技能|必要なスキル"
        r"|사전 요구|전제 조건|필수 스킬|ön ?koşullar|gereksinimler|önkoşul",
    ),
    (
        Role.USED_WITH,
        r"(this skill )?works? (well |best |great )?(together )?with|(often |commonly |usually )?(used|use) (together )?with"
        r"|pairs? (well |naturally |best )?with|(when relevant,? )?combines? (well )?with|combined? with"
        r"|complementary skills?|goes well with|reuse (of )?other skills?|often used with|組み合わせ|搭配|함께 사용|birlikte",
    ),
    (
        Role.RELATED,
        r"related$|related (\w+ )?(skills?|topics?|sdks?|plugins?)|skills? related|see also|see related"
        r"|companions?( skills?)?$|companion skills?|.*\b(& |and )companion skills?|(integration|integrates?|works?) with (other |related )?skills?"
        r"|(use|call|invoke|using) other skills?|other skills?|sibling skills?|hand-?offs?( to)?$|hand off to|next steps?$"
        r"|next skills?|skill (stack|map|routing|chain|composition)|sub-?skills?$|cross-?references?|integration$"
        r"|called by|used by|downstream( use| skills?)?$|upstream( skills?)?$|feeds into|recommended skills?"
        r"|(pull|use) these .*skills?|相关|相關|関連|スキルスタック|技能栈|他のスキルとの|与其他技能|관련|ilgili|i̇lgili|ilişkili",
    ),
    (
        Role.REFERENCES,
        r"(key |further |external |additional |expert )?references?$|reference (links|documents|documentation|materials?)"
        r"|further reading|参考|参照|參考|참고|kaynaklar|referanslar",
    ),
)
_PATTERNS = tuple((role, re.compile(pattern)) for role, pattern in _HEADINGS)
_LEAD = re.compile(r"^[\W\d_]+")
_SKILL = re.compile(r"\bskills?\b|スキル|技能|스킬|beceri", re.IGNORECASE)


@lru_cache(maxsize=8192)
def role_of(title: str) -> Role:
    """Read a heading, or the label in front of a colon.

    Args:
        title: Raw text of one line, with its emphasis, numbering and emoji.

    Returns:
        The role; ``NONE`` for a heading that says nothing of other skills.
    """
    if len(title) > 120:
        return Role.NONE
    plain = _LEAD.sub("", title.replace("*", "").replace("`", "").casefold()).rstrip(" :：.…*_)")
    for role, pattern in _PATTERNS:
        if pattern.match(plain):
            return role
    return Role.NONE


_EXAMPLES = re.compile(r"\W*(\w+ )?examples?( skills?| names?)?\W*", re.IGNORECASE)


def names_examples(label: str) -> bool:
    """True for the label over a list, or the head of a column, that only gives examples."""
    return len(label) <= 60 and bool(_EXAMPLES.fullmatch(label))


def says_skill(title: str) -> bool:
    """True where a heading or a label speaks of skills by that word."""
    return bool(_SKILL.search(title))
