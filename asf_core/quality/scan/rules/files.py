"""Files as such: what they are, where they lead, when they run, and whether all of them were seen."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.quality.scan.kinds import ARCHIVES, EXECUTABLES, binary_type, is_picture_name
from asf_core.quality.scan.model import ACTIONS, Draft, Hit, Subject, TextRule, lowered
from asf_core.quality.scan.rules.common import scan_rule
from asf_core.quality.scan.text import FileText

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
MAX_SUMS = 256 * 1024
"""Most characters of a list of checksums that are read."""
MAX_MEMBERS = 2_000
"""Most members of an archive that are listed; an archive with more is reported as such."""

TRAVERSAL = scan_rule(
    id="paths/traversal",
    severity=_MEDIUM,
    title="a path that climbs out of the registry",
    code=FindingCode.PATH_TRAVERSAL,
    why="What lies above the registry belongs to whoever checked it out.",
    remedy="Put the file into the skill and name it relative to SKILL.md.",
    bad="cat ../../../../../../etc/passwd",
    good="cat references/notes.md",
    source="CWE-22, path traversal",
)
ARCHIVE_ESCAPE = scan_rule(
    id="paths/archive-escape",
    severity=_HIGH,
    title="an archive whose members climb out",
    code=FindingCode.PATH_TRAVERSAL,
    why="Unpacked by a careless tool, such a member overwrites files outside the target folder.",
    remedy="Remove the archive; put the files themselves into the skill.",
    bad="a zip with a member ../../neighbour/SKILL.md",
    good="a zip with a member notes/a.md",
    source="CWE-22, path traversal; Zip Slip, 2018",
)
EXECUTABLE = scan_rule(
    id="provenance/executable-binary",
    severity=_MEDIUM,
    title="a program without its source",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    why="Nobody can review what it does.",
    remedy="Ship the source, or name the package that provides it.",
    bad="an ELF file among the scripts",
    good="the script itself",
    source="SLSA v1.1, build provenance",
)
ARCHIVE = scan_rule(
    id="provenance/archive",
    severity=_LOW,
    title="an archive, whose content was not scanned",
    code=FindingCode.UNKNOWN,
    why="What is packed is unseen until it is unpacked, and then nobody looks.",
    remedy="Unpack it into the skill.",
    bad="assets/template.zip",
    good="assets/template/",
    source="MITRE ATT&CK T1027, obfuscated files or information",
)
DISGUISED = scan_rule(
    id="provenance/disguised",
    severity=_HIGH,
    title="a file that is not what its name says",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    why="A program under a picture's name passes every eye.",
    remedy="Give it its true name, or remove it.",
    bad="logo.png that begins with #!/bin/sh",
    good="logo.png that is a picture",
    source="MITRE ATT&CK T1036, masquerading",
)
CHECKSUM = scan_rule(
    id="integrity/checksum",
    severity=_HIGH,
    title="a checksum that does not hold",
    code=FindingCode.HASH_MISMATCH,
    why="The list was made for other bytes: the file was changed, or the list was.",
    remedy="Find out which of the two is meant, and from where.",
    bad="SHA256SUMS with another digest than the file's",
    good="SHA256SUMS made from the files that are there",
    source="CWE-354, improper validation of integrity check value",
)
EVALUATION = scan_rule(
    id="evaluation/empty",
    severity=_LOW,
    title="evaluation cases that test nothing",
    code=FindingCode.EVAL_GAP,
    why="A skill that says it is evaluated, and is not, is trusted for nothing.",
    remedy="Add cases, or remove the file.",
    bad="evals/evals.json with an empty list",
    good="evals/evals.json with cases",
    source="agentskills.io, evaluating skills",
)
INCOMPLETE = scan_rule(
    id="scan/incomplete",
    severity=_HIGH,
    title="not all of the skill was scanned",
    code=FindingCode.UNKNOWN,
    why="A file that was not looked at never counts as clean.",
    remedy="Bring the file under the limit, or take it out of the skill.",
    bad="a text file of 5 MB",
    good="a text file of 50 kB",
    source="ASF's limits, README",
)
LEFT_OUT = scan_rule(
    id="scan/left-out",
    severity=_MEDIUM,
    title="it names files that are no part of it",
    code=FindingCode.UNKNOWN,
    why="Caches and installed packages are neither digested nor scanned, and the text sends there.",
    remedy="Name the package to install, or put the file where it belongs to the skill.",
    bad="Run `node node_modules/helper/go.js`, where node_modules lies in the skill",
    good="Run `npx helper@1.2.3`",
    source="ASF's limits, README",
)

_SUMS = re.compile(r"(?i)^(?:sha256sums?|checksums?|.*\.sha256)(?:\.txt)?$")
_SUM_LINE = re.compile(r"(?P<digest>[0-9a-fA-F]{64})[ \t]+\*?(?P<name>\S[^\n]*)")


def _climbs(hit: Hit) -> Severity | bool:
    """Four steps up leave every registry; less may be a sibling skill."""
    if re.search(r"/(?:etc|root|home|proc|var)/|\.ssh|\.aws|passwd|shadow", hit.text):
        return True
    return _LOW if hit.text.count("../") >= 4 else False


RULES: tuple[TextRule, ...] = (
    TextRule(
        TRAVERSAL,
        r"(?:\.\./){3,}[\w.$~*/-]*|\bfile:///(?:etc|root|home|Users|proc|var)/[\w./-]*|(?:\.\.\\){3,}[\w.$\\-]*|%2e%2e%2f(?:%2e%2e%2f)+\S*|\.\.%2f(?:\.\.%2f)+\S*",
        "The path climbs out: {text!r}.",
        {
            **lowered(ACTIONS),
            Place.CODE: _LOW,
            Place.INSTRUCTION: _MEDIUM,
            Place.STRING: _LOW,
            Place.HIDDEN: _HIGH,
        },
        judge=_climbs,
    ),
)


def detect(subject: Subject) -> Iterator[Draft]:
    """Everything about files that is no text in them."""
    for entry in subject.target.entries:
        if entry.kind == "file":
            yield from _bytes(subject, entry.path, subject.target.contents.get(entry.path, b""))
    for file in subject.files:
        yield from _sums(subject, file)
        yield from _left_out(subject, file)
        yield from _cases(file)


def _left_out(subject: Subject, file: FileText) -> Iterator[Draft]:
    for name in subject.target.left_out[:200]:
        at = file.data.find(name.encode("utf-8", "replace")) if len(name) > 3 else -1
        if at != -1:
            message = f"{name} is no part of the skill and was not scanned; the text names it."
            yield Draft(LEFT_OUT, message, file.path, _MEDIUM, file, at)
            return


def _bytes(subject: Subject, path: str, data: bytes) -> Iterator[Draft]:
    found = binary_type(path, data)
    if found in EXECUTABLES and b"\0" in data[:4096]:
        yield Draft(EXECUTABLE, f"{path} is a compiled program ({found}).", path, _MEDIUM)
        if is_picture_name(path):
            yield Draft(
                DISGUISED, f"{path} is a compiled program under a picture's name.", path, _HIGH
            )
    elif found in ARCHIVES and (members := _members(found, data)) is not None:
        yield from _archive(path, found, members)
    elif is_picture_name(path) and data[:2] == b"#!":
        yield Draft(DISGUISED, f"{path} is a script under a picture's name.", path, _HIGH)


def _archive(path: str, kind: str, members: list[tuple[str, str]]) -> Iterator[Draft]:
    yield Draft(
        ARCHIVE, f"{path} is an archive ({kind}); what is in it was not scanned.", path, _LOW
    )
    for name, link in members[:MAX_MEMBERS]:
        for said in filter(None, (name, link)):
            if (
                said.startswith(("/", "\\"))
                or re.match(r"[A-Za-z]:", said)
                or ".." in re.split(r"[/\\]", said)
            ):
                message = (
                    f"The member {name!r} of {path} leads out of the folder that it is unpacked in."
                )
                yield Draft(ARCHIVE_ESCAPE, message, path, _HIGH)
                return


def _members(kind: str, data: bytes) -> list[tuple[str, str]] | None:
    """Names and link targets of an archive's members, without unpacking anything."""
    try:
        if kind == "zip":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                return [(name, "") for name in archive.namelist()[:MAX_MEMBERS]]
        if kind == "tar":
            return _tar_members(data)
        if kind == "gzip":
            inner = zlib.decompressobj(31).decompress(data, 4 * 1024 * 1024)
            return _tar_members(inner) if inner[257:262] == b"ustar" else []
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        zlib.error,
        ValueError,
        OSError,
        EOFError,
        OverflowError,
        RuntimeError,  # a method or an encryption that the library does not know
    ):
        return []  # damaged: it is still an archive that nobody has seen into
    return []


def _tar_members(data: bytes) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:", ignore_zeros=False) as archive:
        try:
            for member in archive:
                found.append(
                    (member.name, member.linkname if member.islnk() or member.issym() else "")
                )
                if len(found) >= MAX_MEMBERS:
                    break
        except tarfile.TarError:
            pass  # cut off: what was listed so far counts
    return found


def _sums(subject: Subject, file: FileText) -> Iterator[Draft]:
    if not _SUMS.match(PurePosixPath(file.path).name):
        return
    directory = PurePosixPath(file.path).parent
    for match in islice(_SUM_LINE.finditer(file.text[:MAX_SUMS]), 1_000):
        named = str(directory / match["name"].strip())
        data = subject.target.contents.get(named.removeprefix("./"))
        if data is not None and hashlib.sha256(data).hexdigest() != match["digest"].lower():
            start = len(file.text[: match.start()].encode())
            message = f"The digest listed for {named} is not the file's."
            yield Draft(CHECKSUM, message, file.path, _HIGH, file, start, Place.DATA)


def _cases(file: FileText) -> Iterator[Draft]:
    path = PurePosixPath(file.path)
    if not {"evals", "eval", "evaluations"} & set(path.parts[:-1]) or path.suffix not in (
        ".json",
        ".jsonl",
        ".yaml",
        ".yml",
    ):
        return
    text = file.text.strip()
    empty = not text or text in ("[]", "{}", "null")
    if path.suffix == ".json" and not empty:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            yield Draft(
                EVALUATION,
                "The cases cannot be read as JSON.",
                file.path,
                _LOW,
                file,
                0,
                Place.DATA,
            )
            return
        cases = (
            value.get("evals", value.get("cases", value.get("tests")))
            if isinstance(value, dict)
            else value
        )
        empty = isinstance(cases, list) and not cases
    if empty:
        yield Draft(
            EVALUATION,
            "The file of evaluation cases holds none.",
            file.path,
            _LOW,
            file,
            0,
            Place.DATA,
        )
