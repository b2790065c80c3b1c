"""Whether a text does a thing or speaks of it: text that teaches about an attack is no attack.

Three signs are looked at, each near the place: a negation or a warning before it in the same
sentence; words that explain (attack, detect, such as, red flag) around it; and the heading, list
introduction or first comment that it stands under. A negation, or explaining words together with
quotation or such a heading, make it teaching. Explaining words alone lower its weight by one step.
Nothing of this counts for scripts and for hidden text: there is nobody to teach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from asf_core.domain.findings import Place
from asf_core.quality.scan.places import Region
from asf_core.quality.scan.text import FileText

_BEFORE = 400
"""Bytes before a place in which its sentence begins."""
_HEADING_LINES = 80
"""Lines above a place in which its heading is looked for."""

_CLAUSE_END = re.compile(
    r"[.!?](?:\s|$)|;\s|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|\n\s*#|\s(?:then|instead|but)\s|[—–]"
)
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|\n\s*#|\n\s*```")
_NEGATION = re.compile(
    r"\b(?:never|do(?:es)? not|don['’]?t|doesn['’]?t|must not|mustn['’]?t|should not|shouldn['’]?t"
    r"|(?:is|are|be|was|were|has|have|gets?) (?:not|never)|isn['’]?t|aren['’]?t|cannot|can['’]?t|will not|won['’]?t|may not|not to|avoid(?:s|ing)?|refus(?:e|es|ing)|reject(?:s|ed)?"
    r"|block(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|prevent(?:s|ing)?|disallow(?:s|ed)?"
    r"|den(?:y|ies|ied)|stop(?:s)? before|rather than|instead of|without running|no longer|warn(?:s|ing)? (?:about|against|on|before)"
    r"|beware|flag(?:s|ged|ging)?|detect(?:s|ed|ing)?|catch(?:es)?|strip(?:s|ped)?|ignore any|treat(?:s|ed)?"
    r"|report(?:s|ed|ing)? (?:any|it|them|if)|look(?:s|ing)? for|watch(?:ing)? for|check(?:s|ing)? for|scan(?:s|ning)? for|search(?:es|ing)? for|grep(?:s|ping)? for|test(?:s|ing)? for"
    r"|nie|niemals|nunca|jamais)\b|[❌🚫⛔✗✘⚠]",
    re.IGNORECASE,
)
_DOUBLE = re.compile(
    r"\b(?:never|do not|don['’]?t) (?:hesitate|forget|fail|worry|be afraid|stop|refuse|question)\b"
    r"|\bno need to\b|\bavoid (?:asking|telling|mentioning|detection|suspicion)\b",
    re.IGNORECASE,
)
_EXPLAINING = re.compile(
    r"\b(?:attack(?:s|er|ers|ed|ing)?|malicious(?:ly)?|malware|adversar\w*|exploit\w*|vulnerab\w*|danger\w*"
    r"|harmful|unsafe|insecure|suspicious|red flags?|detect\w*|scanner|linter|inject(?:ion|ions|ed)|jailbreak\w*"
    r"|payloads?|phish\w*|threats?|anti-?patterns?|bad (?:practice|example|idea)|wrong|mistakes?|warning|risk(?:s|y)?"
    r"|e\.g\.|for example|for instance|such as|examples? (?:of|for|below|above)|counter-?examples?|attempt(?:s|ed|ing)? to|tries to|trying to"
    r"|say(?:s|ing)|asks? (?:you|it|the)|tells? (?:you|it|the)|phrases?|patterns?|match(?:es)?|regex|keywords?"
    r"|untrusted|hostile|abuse\w*|misuse\w*|leak(?:s|ed|age)?|compromis\w*|destructive|irreversible|forbidden"
    r"|denylist|blocklist|blacklist|allowlist|guardrails?|safeguards?|blocked|dangerous|critical|severity|violation"
    r"|incident|audit\w*|pentest\w*|penetration|red[- ]team\w*|ctf|lab|simulat\w*|honeypot|indicators?)\b",
    re.IGNORECASE,
)
_TEACHING_HEADING = re.compile(
    r"\b(?:attacks?|attack vectors?|threats?|vulnerab\w*|injections?|malicious|anti-?patterns?|red flags?|pitfalls?"
    r"|mistakes?|avoid|do not|don['’]?ts?|never|wrong|bad|dangerous|danger|unsafe|insecure|blocked|forbidden|prohibited"
    r"|detect\w*|destructive|test cases?|warnings?|what not|exploit\w*|indicators?|prevent\w*|abuse|rationali[sz]ations?"
    r"|guardrails?|hard stops?|examples? of)\b|[❌🚫⛔⚠]",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:watch for|look for|red flags?|never|avoid|do not|don['’]?t|must not|attacks?|attackers?|malicious|dangerous|suspicious"
    r"|forbidden|blocked|blocks|prohibited|bad|wrong|unsafe|injections?|flag|detects?|refuse|reject|anti-?patterns?)\b|[❌🚫⛔]",
    re.IGNORECASE,
)
"""Words that, in the line that introduces a list or a block, make it a list of bad things."""
_BAD_LABEL = re.compile(
    r"\b(?:bad|wrong|never|avoid|don['’]?t|do not|incorrect|unsafe|insecure|dangerous|danger|vulnerable|malicious"
    r"|attack\w*|anti-?pattern|payload|blocked|deny|denied|not recommended|harmful|exploit\w*|risky|wipes|destroys)\b|[❌🚫⛔✗✘]",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_QUOTES = "\"'`“”‘’«»„「」"
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s)>\"'`]+|[\w.+-]+@[\w.-]+")
_TOPIC = re.compile(
    r"\b(?:security|pentest\w*|penetration|vulnerab\w*|red[- ]?team\w*|threats?|malware|forensics?|ctf|exploit\w*"
    r"|injection|hardening|guardrails?|attack\w*|adversarial|privilege escalation|offensive|incident response|xss|owasp"
    r"|safety|audit(?:s|or|ing)?|guard|careful|sandbox\w*|destructive)\b",
    re.IGNORECASE,
)


class Stance(StrEnum):
    """How a text stands to what it names."""

    ACTS = "acts"
    HINTS = "hints"
    """Words around it explain, or the skill is about such things; one step less."""
    TEACHES = "teaches"


def is_security_topic(description: str) -> bool:
    """Whether a skill's name and description say that such things are its subject."""
    return _TOPIC.search(description[:2_000]) is not None


def stance_of(
    file: FileText, region: Region, start: int, end: int, *, topic: bool, command: bool
) -> Stance:
    """Judge one place of a Markdown or text file.

    Args:
        file: The file.
        region: The region of the place.
        start: Offset of its first byte.
        end: Offset after its last byte.
        topic: The skill is about security.
        command: It is a command, which stands in back ticks whether it is meant or shown.
    """
    if region.place is Place.CODE:
        return _stance_in_code(file, region, start, topic=topic)
    before = file.data[max(0, start - _BEFORE) : start].decode("utf-8", "ignore")
    clause = before[_last_end(_CLAUSE_END, before) :]
    if _negated(clause) or _listed_as_bad(file, region, start):
        return Stance.TEACHES
    after = file.data[end : end + _BEFORE].decode("utf-8", "ignore")
    stop = _SENTENCE_END.search(after)
    sentence = (
        before[_last_end(_SENTENCE_END, before) :] + " " + after[: stop.start() if stop else None]
    )
    explains = _EXPLAINING.search(_ADDRESS.sub(" ", sentence)) is not None
    marks = _QUOTES.replace("`", "") if command else _QUOTES
    quoted = (bool(before) and before[-1] in marks) or _in_quotes(file, start, end, marks)
    quoted = quoted or _is_table(file, start)
    headed = _headed(file, region, start)
    signs = explains + quoted + headed + topic
    if (explains and (quoted or headed)) or signs >= 3 or (quoted and headed):
        return Stance.TEACHES
    return Stance.HINTS if signs else Stance.ACTS


def _stance_in_code(file: FileText, region: Region, start: int, *, topic: bool) -> Stance:
    """A block is a counter-example when a comment in it, its introduction or its heading says so."""
    number = file.line_number(start)
    line = file.line(number)
    first = file.line_number(region.start)
    column = len(file.data[file.line_start(number) : start].decode("utf-8", "ignore"))
    above = [file.line(n) for n in range(max(first, number - 3), number)]
    comments = [
        text
        for text in above
        if text.lstrip().startswith(("#", "//", "--", "REM", "<!--", "/*", "*", ";"))
    ]
    if _BAD_LABEL.search(line[:column]) or _BAD_LABEL.search(line[column:].partition("#")[2]):
        return Stance.TEACHES
    if any(_BAD_LABEL.search(text) for text in comments):
        return Stance.TEACHES
    intro = " ".join(file.line(n) for n in range(max(1, first - 4), max(1, first - 1)))
    if _negated(intro) or _BAD_LABEL.search(intro):
        return Stance.TEACHES
    headed = _headed(file, region, start)
    explains = _EXPLAINING.search(intro) is not None
    if (explains and headed) or (topic and (explains or headed)):
        return Stance.TEACHES
    return Stance.HINTS if explains or headed or topic else Stance.ACTS


def _last_end(pattern: re.Pattern[str], text: str) -> int:
    last = 0
    for match in pattern.finditer(text):
        last = match.end()
    return last


def _negated(clause: str) -> bool:
    return _NEGATION.search(_DOUBLE.sub(" ", clause)) is not None


def _in_quotes(file: FileText, start: int, end: int, marks: str) -> bool:
    """An opening quotation mark before it on its line has its closing one after it."""
    line_start = file.data.rfind(b"\n", 0, start) + 1
    line_end = file.data.find(b"\n", end)
    left = file.data[max(line_start, start - 300) : start].decode("utf-8", "ignore")
    right = file.data[end : end + 300 if line_end == -1 else min(line_end, end + 300)]
    after = right.decode("utf-8", "ignore")
    pairs = (('"', '"'), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»"), ("「", "」"))
    for opening, closing in pairs:
        if opening not in marks:
            continue
        is_open = (
            left.count(opening) % 2 == 1
            if opening == closing
            else left.rfind(opening) > left.rfind(closing)
        )
        if is_open and closing in after:
            return True
    return False


def _is_table(file: FileText, start: int) -> bool:
    line = file.line(file.line_number(start)).strip()
    return line.startswith("|") and line.count("|") >= 3


def _headed(file: FileText, region: Region, start: int) -> bool:
    """The nearest heading, or the line that introduces the list or block, is about such things."""
    for line in _above(file, region, start):
        if line.startswith("#"):
            return _TEACHING_HEADING.search(line) is not None
        if _introduces(line):
            return bool(_TEACHING_HEADING.search(line) or _EXPLAINING.search(line))
    return False


def _listed_as_bad(file: FileText, region: Region, start: int) -> bool:
    """The line that introduces the list says that it is one of bad things."""
    if _LIST_ITEM.match(file.line(file.line_number(start))) is None:
        return False
    for line in _above(file, region, start):
        if line.startswith("#"):
            return False
        if _introduces(line):
            return _STRONG.search(_DOUBLE.sub(" ", line)) is not None
    return False


def _introduces(line: str) -> bool:
    return line.rstrip().rstrip("*_").endswith(":") and not line[:1].isspace()


def _above(file: FileText, region: Region, start: int) -> Iterator[str]:
    number = file.line_number(region.start if region.place is Place.CODE else start)
    for above in range(number - 1, max(0, number - _HEADING_LINES), -1):
        yield file.line(above)
