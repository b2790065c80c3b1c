"""Running the patterns over a file, and weighing each hit by where it stands."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice

from asf_core.domain.findings import Place, Severity
from asf_core.domain.text import one_line
from asf_core.quality.scan.disguise import Undisguised, undisguise
from asf_core.quality.scan.kinds import COMMANDS, PROGRAMS, Kind
from asf_core.quality.scan.mask import masked
from asf_core.quality.scan.model import Draft, Hit, Subject, TextRule, step_down
from asf_core.quality.scan.places import Region
from asf_core.quality.scan.rules import TEXT_RULES
from asf_core.quality.scan.rules.common import MORE
from asf_core.quality.scan.rules.hidden import decoded_blobs
from asf_core.quality.scan.stance import Stance, stance_of
from asf_core.quality.scan.text import FileText

MAX_HITS = 25
"""Most findings of one rule in one file."""
_SHOWN = 120
_NEAR = 2
"""Lines around a command in which a program of another language must run something."""

_RUNS = re.compile(
    r"(?i)os\.(?:system|popen|exec)|subprocess|popen|check_(?:output|call)|\brun\s*\(|\bexec\w*\s*\(|\bspawn\w*\s*\(|\bsystem\s*\(|shell_exec|proc_open"
    r"|child_process|\$`|\bsh\s*\(|invoke|paramiko|fabric|\.command\s*\(|Process\.Start|ProcessBuilder|%x|Runtime\.getRuntime|^\s*!"
)
_SAYS = re.compile(
    r"(?i)^\s*(?:echo|printf|print|puts|console\.\w+|log\w*(?:\.\w+)?|logger\.\w+|warn\w*|die|raise|throw|error|fail|write-(?:host|output|error|warning)|return|help|usage|assert\w*|expect)\b"
)
_PUNCTUATION = re.compile(
    rb"&#(?:124|x7c|39|x27|34|x22|38|x26|42|95|96|91|93|60|62|40|41|58|64|35|36);", re.IGNORECASE
)
"""Character references that Markdown needs."""
_REMARKS = ("#", "//", "--", "/*", "*", ";", "REM ", "rem ", "::", "<!--", "'''", '"""')


def match_patterns(subject: Subject, file: FileText) -> Iterator[Draft]:
    """Run every pattern over a file, over its undisguised twin, and over what it encodes."""
    for rule in TEXT_RULES:
        if (
            rule.kinds is not None
            and file.kind not in rule.kinds
            and file.kind is not Kind.MARKDOWN
        ):
            continue
        yield from _hits(subject, file, rule)
    twin = undisguise(file)
    if twin is not None:
        yield from _in_twin(subject, file, twin)
    if file.kind not in PROGRAMS or b"base64" in file.data:
        yield from _in_blobs(file)


def _hits(subject: Subject, file: FileText, rule: TextRule) -> Iterator[Draft]:
    count = 0
    for match in rule.compiled.finditer(file.data):
        start = match.start()
        while start < match.end() and file.data[start : start + 1] in (b" ", b"\t", b"\n", b"\r"):
            start += 1
        draft = _draft(subject, file, rule, start, match.end())
        if draft is None:
            continue
        count += 1
        if count > MAX_HITS:
            message = f"More findings of {rule.rule.id} in this file are not listed."
            yield Draft(MORE, message, file.path, Severity.INFO, file, start)
            return
        yield draft


def _draft(subject: Subject, file: FileText, rule: TextRule, start: int, end: int) -> Draft | None:
    regions = subject.regions(file)
    region = regions.at(start)
    if rule.kinds is not None and not _applies(rule, file, region):
        return None
    text = file.data[start : min(end, start + 400)].decode("utf-8", "ignore")
    kind = region.kind if region.place is Place.CODE else file.kind
    verdict = rule.judge(Hit(file, start, end, text, kind))
    if verdict is False:
        return None
    place = _place(subject, file, rule, region, start, end)
    weight = rule.weights.get(place, rule.rule.severity)
    stance = _stance(subject, file, rule, region, place, start, end)
    if stance is Stance.TEACHES:
        place = Place.TEACHING
        weight = rule.weights.get(place, Severity.LOW)
    elif stance is Stance.HINTS:
        weight = step_down(weight)
    if isinstance(verdict, Severity):
        weight = min(weight, verdict, key=lambda severity: severity.rank)
    message = rule.message.format(text=one_line(masked(text), _SHOWN))
    return Draft(
        rule.rule, f"{message} It stands in {place.value}.", file.path, weight, file, start, place
    )


def _applies(rule: TextRule, file: FileText, region: Region) -> bool:
    kinds = rule.kinds or frozenset()
    if region.place is Place.CODE:
        return region.kind in kinds
    return file.kind in kinds or (file.kind is Kind.MARKDOWN and Kind.MARKDOWN in kinds)


def _place(
    subject: Subject, file: FileText, rule: TextRule, region: Region, start: int, end: int
) -> Place:
    """The place of a hit, with remarks and words of programs told from what runs."""
    place = region.place
    if place not in (Place.SCRIPT, Place.CODE):
        return place
    kind = region.kind if place is Place.CODE else file.kind
    number = file.line_number(start)
    line = file.line(number)
    if kind in (Kind.DATA, Kind.TEXT, Kind.HTML, Kind.MARKDOWN) and place is Place.CODE:
        return Place.STRING if rule.runs and kind is not Kind.TEXT else place
    if line.lstrip().startswith(_REMARKS) and not line.startswith("#!"):
        return Place.REMARK
    if _SAYS.match(line) and not re.search(r"\|\s*(?:sudo\s+)?\w*sh\b|>\s*\S|\$\(|`", line):
        return Place.STRING
    if rule.runs and kind in PROGRAMS - COMMANDS:
        near = "\n".join(file.line(n) for n in range(number - _NEAR, number + _NEAR + 1))
        return place if _RUNS.search(near) else Place.STRING
    return place


_JUDGED = frozenset({Place.INSTRUCTION, Place.DESCRIPTION, Place.CODE, Place.STRING})
"""Places in which a text can teach: not where it runs, and not where it hides."""


def _stance(
    subject: Subject,
    file: FileText,
    rule: TextRule,
    region: Region,
    place: Place,
    start: int,
    end: int,
) -> Stance:
    if place not in _JUDGED or file.kind not in (Kind.MARKDOWN, Kind.TEXT):
        return Stance.ACTS
    return stance_of(file, region, start, end, topic=subject.topic, command=rule.is_command)


def _in_twin(subject: Subject, file: FileText, twin: Undisguised) -> Iterator[Draft]:
    """Phrases and commands that appear only when the disguise is undone."""
    for rule in TEXT_RULES:
        for match in islice(rule.compiled.finditer(twin.data), MAX_HITS):
            start, end = twin.offsets[match.start()], twin.offsets[match.end()]
            said = match.group()
            if rule.rule.family == "secrets" or file.data[start:end] == said:
                continue
            text = said[:400].decode("utf-8", "ignore")
            if rule.judge(Hit(file, start, end, text, file.kind)) is False:
                continue
            if html.unescape(file.data[start:end].decode("utf-8", "replace")).encode() == said and (
                _PUNCTUATION.search(file.data[start:end])
            ):
                # A bar in a table is written as a reference; nothing hides.
                draft = _draft(subject, file, rule, start, end)
                if draft is not None:
                    yield draft
                continue
            weight = rule.weights.get(Place.HIDDEN, rule.rule.severity)
            message = rule.message.format(text=one_line(masked(text), _SHOWN))
            yield Draft(
                rule.rule,
                f"{message} Characters that hide or look alike disguise it.",
                file.path,
                weight,
                file,
                start,
                Place.HIDDEN,
            )


def _in_blobs(file: FileText) -> Iterator[Draft]:
    """Phrases and commands inside base64 and hexadecimal."""
    for start, decoded in decoded_blobs(file):
        data = decoded.encode("utf-8", "replace")
        for rule in TEXT_RULES:
            match = rule.compiled.search(data)
            if match is None:
                continue
            inner = FileText(file.path, Kind.TEXT, data)
            text = match.group()[:400].decode("utf-8", "ignore")
            if rule.judge(Hit(inner, match.start(), match.end(), text, Kind.TEXT)) is False:
                continue
            message = rule.message.format(text=one_line(masked(text), _SHOWN))
            weight = min(
                Severity.HIGH,
                rule.weights.get(Place.HIDDEN, rule.rule.severity),
                key=lambda s: s.rank,
            )
            yield Draft(
                rule.rule,
                f"{message} It stands in encoded text.",
                file.path,
                weight,
                file,
                start,
                Place.HIDDEN,
            )
