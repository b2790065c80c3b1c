"""Whether a place in a text names a skill, and what it says of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container
from dataclasses import dataclass

from asf_core.domain.graph import EdgeKind
from asf_core.graph.cues import Cue, cue_of
from asf_core.graph.roles import Role, role_of
from asf_core.graph.spans import Flat, Form, Span

INFERRED = 0.7
"""Of a relation that a section, a link or a name tells."""
CONDITIONAL = 0.6
"""Of a requirement with a condition: "if there is no plan, run X first"."""
POINTER = 0.4
"""Of a pointer away: "for that use X instead". Below what the walk follows."""

REACH = 400
"""How far a sentence is read on each side of a name, in characters."""

_KINDS = {
    Role.NONE: EdgeKind.COMPLEMENTS,
    Role.EXAMPLES: EdgeKind.COMPLEMENTS,
    Role.RELATED: EdgeKind.COMPLEMENTS,
    Role.REQUIRED: EdgeKind.DEPENDS_ON,
    Role.SUB_SKILL: EdgeKind.REQUIRED_SUB_SKILLS,
    Role.USED_WITH: EdgeKind.CO_USED_WITH,
    Role.CONFLICTS: EdgeKind.CONFLICTS_WITH,
    Role.REFERENCES: EdgeKind.REFERENCES,
}
_SKILL = r"skills?\b|スキル|技能|스킬|becerisi"
_SKILL_AFTER = re.compile(rf"^[\s\"')\]]*(sub-?)?({_SKILL})", re.IGNORECASE)
_SKILL_BEFORE = re.compile(r"(\bskills?|スキル|技能|스킬)[\s\"'(:：]*$", re.IGNORECASE)
_ASKED = re.compile(
    r"\b(use|uses|using|see|run|invoke|load|via|apply|follow|with)( the)?\W+$", re.IGNORECASE
)
_LOWER_KEBAB = re.compile(r"@?/?[a-z0-9]+(-[a-z0-9]+)+")
_SEPARATORS = re.compile(r"([\s>*|,/·、&+@]|and\b|or\b)*")
_NAMES_SO_FAR = re.compile(r"[\s>*+-]*([\w.-]{1,100}[\s*]*([|,/、·&+]|\band\b)[\s*]*)*")
_INSIDE = re.compile(r"\b(in|into|inside|under|within|at)( the)?[\s\"'(]*$", re.IGNORECASE)
_SLASHED = re.compile(r"(?<![\w/.:@~-])/([A-Za-z]+)(?![\w-])")
_WHITE = re.compile(r"\s+")
_NAMES_ONLY = re.compile(r"^[\s>*+-]*[\w./-]+(\s*[|,、·]\s*[\w./-]+)*[\s.]*$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a mention says."""

    kind: EdgeKind
    confidence: float


@dataclass(frozen=True, slots=True)
class Context:
    """A span with the text around it."""

    span: Span
    role: Role
    before: str
    """Its sentence up to it."""
    after: str
    """Its sentence after it."""
    line: str
    """The whole line."""
    lead: str
    """Its block up to it, without a label and without the names that are written as names."""

    opening: str
    """Its line up to it, without a label."""
    slashed: bool
    """It is written with a slash in front."""

    @property
    def heads_its_item(self) -> bool:
        """True where nothing but names stands before it in its block: the item is about it."""
        return bool(_SEPARATORS.fullmatch(self.lead))

    @property
    def next_to_skill(self) -> bool:
        """True where the word "skill" stands beside the name."""
        return bool(_SKILL_AFTER.match(self.after) or _SKILL_BEFORE.search(self.before))


def context_of(flat: Flat, span: Span, role: Role) -> Context:
    """Cut a span's sentence and line out of its block, at most ``REACH`` characters each way.

    A label on the line ("Works well with: a, b") overrides the section's role.
    """
    text = flat.text
    low, high = max(0, span.start - REACH), min(len(text), span.end + REACH)
    at = bisect_right(flat.sentence_ends, span.start)
    start = flat.sentence_ends[at - 1] if at else 0
    following = bisect_right(flat.sentence_ends, span.end)
    stop = flat.sentence_ends[following] if following < len(flat.sentence_ends) else high
    line_start = max(text.rfind("\n", low, span.start) + 1, low)
    line_stop = text.find("\n", span.end, high)
    label, colon, _ = text[line_start : span.start].replace("：", ":").partition(":")
    own = role_of(label) if colon else Role.NONE
    return Context(
        span=span,
        role=role if own is Role.NONE else own,
        before=_one_spaced(text[max(start, low) : span.start]),
        after=_one_spaced(text[span.end : min(stop, high)]),
        line=text[line_start : line_stop if line_stop >= 0 else high],
        lead=_lead(flat, low, span),
        opening=text[line_start : span.start].replace("：", ":").rpartition(":")[2],
        slashed=text.startswith("/", span.start),
    )


def _one_spaced(text: str) -> str:
    """A sentence goes on over a line break: what is said does not depend on where it wraps."""
    return _WHITE.sub(" ", text)


def _lead(flat: Flat, low: int, span: Span) -> str:
    """The text from ``low`` to a span, deliberate names and all up to the last colon left out."""
    first = bisect_left(flat.starts, low)
    position, parts = low, []
    for other in flat.spans[first : bisect_left(flat.starts, span.start)]:
        if other.form is not Form.WORD:
            parts.append(flat.text[position : other.start])
            position = other.end
    parts.append(flat.text[position : span.start])
    return "".join(parts).replace("：", ":").rpartition(":")[2]


def may_name(span: Span, known: Container[str]) -> bool:
    """A cheap look that spares most words of a text the full judgement."""
    return span.form is not Form.WORD or span.name in known


def names_a_skill(context: Context, known: Container[str]) -> bool:
    """Tell a skill's name from a word that happens to be one."""
    span, listing = context.span, context.role.lists_skills
    if span.form is Form.PATH:
        return True
    name = span.name.rpartition(":")[2]
    if span.form is Form.CALL:
        return (name in known or listing) and not _is_a_directory(context, known)
    compound = "-" in name or "_" in name
    if span.form is Form.MARKED:
        if name not in known:
            return listing and compound
        return compound or listing or context.next_to_skill
    if name not in known:
        return False
    if compound and context.next_to_skill:
        return True
    if compound and listing:  # "for real-time use" in an item names nothing
        return bool(_NAMES_SO_FAR.fullmatch(context.opening) or _ASKED.search(context.before))
    if listing and _NAMES_ONLY.match(context.line):
        return True
    return bool(_SKILL_AFTER.match(context.after) and _ASKED.search(context.before))


def _is_a_directory(context: Context, known: Container[str]) -> bool:
    """``/components`` in a project, ``/pricing`` on a site: a slash does not make a word a skill.

    One that stands in something, or among others that are no skills, is a path.
    """
    name = context.span.name
    if not name.isalpha() or not context.slashed or context.role.lists_skills:
        return False
    others = _SLASHED.findall(context.line)
    return bool(_INSIDE.search(context.before)) or any(other not in known for other in others)


def must_resolve(context: Context) -> bool:
    """True where a name that means no skill is a mistake.

    An item of a list of skills, or a path to a SKILL.md.
    """
    span = context.span
    if span.form is Form.PATH:
        return span.name.casefold().endswith("/skill.md")
    named = span.form in (Form.CALL, Form.MARKED) and _LOWER_KEBAB.fullmatch(span.name)
    return bool(named and context.role.lists_skills and context.heads_its_item)


def verdict_on(context: Context) -> Verdict | None:
    """What the place says, or ``None`` where it says that there is no relation."""
    cue = cue_of(context.before, context.after)
    role = context.role
    if cue is Cue.CONFLICT:
        return Verdict(EdgeKind.CONFLICTS_WITH, INFERRED)
    if cue in (Cue.FORBIDDEN, Cue.OTHER_THING) and role is not Role.CONFLICTS:
        return None
    example = role is Role.EXAMPLES or (cue is Cue.EXAMPLE and not _declared(role))
    if example and context.span.form is not Form.PATH:
        return None
    if role is Role.ELSEWHERE or (cue is Cue.ELSEWHERE and not _declared(role)):
        return Verdict(EdgeKind.COMPLEMENTS, POINTER)
    if role is Role.CONFLICTS or cue in (Cue.NONE, Cue.ELSEWHERE, Cue.EXAMPLE):
        return Verdict(_KINDS[role], INFERRED)
    return _demanded(cue, role)


def _declared(role: Role) -> bool:
    """A section of the author's own making weighs more than the wording inside it."""
    return role.lists_skills or role is Role.REQUIRED


def _demanded(cue: Cue, role: Role) -> Verdict:
    if cue is Cue.SUB_SKILL:
        return Verdict(EdgeKind.REQUIRED_SUB_SKILLS, INFERRED)
    if cue is Cue.REQUIRED:
        return Verdict(EdgeKind.DEPENDS_ON, INFERRED)
    if cue is Cue.FIRST:
        return Verdict(EdgeKind.DEPENDS_ON, INFERRED if role is Role.REQUIRED else CONDITIONAL)
    wanted = role in (Role.REQUIRED, Role.SUB_SKILL)
    return Verdict(EdgeKind.COMPLEMENTS if wanted else _KINDS[role], INFERRED)
