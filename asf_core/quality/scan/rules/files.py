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
from pathlib import PurePosixPath

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.quality.scan.kinds import ARCHIVES, EXECUTABLES, binary_type, is_picture_name
from asf_core.quality.scan.model import ACTIONS, Draft, Hit, Subject, TextRule, lowered
from asf_core.quality.scan.rules.common import scan_rule
from asf_core.quality.scan.text import FileText

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
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
PACKAGE_HOOK = scan_rule(
    id="hooks/package-install",
    severity=_HIGH,
    title="code that runs when a package is installed",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    why="Installing is enough; nobody has to call anything.",
    remedy="Remove the hook; run the step as a named command.",
    bad='{"scripts": {"postinstall": "node collect.js"}}',
    good='{"scripts": {"build": "node build.js"}}',
    source="SLSA v1.1, dependency threats; npm scripts, life cycle",
)
AGENT_HOOK = scan_rule(
    id="hooks/agent",
    severity=_MEDIUM,
    title="a command that the host runs by itself",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    why="Hooks of a host run on every event, without the agent's or the user's choice.",
    remedy="Leave hooks to the user's own settings.",
    bad="---\nname: tidy\ndescription: Tidy.\nhooks:\n  PreToolUse:\n    - command: ./x.sh\n---\nTidy up.",
    good="---\nname: tidy\ndescription: Tidy.\n---\nTidy up.",
    source="Claude Code, hooks; OWASP Agentic Skills Top 10",
)
GIT_HOOK = scan_rule(
    id="hooks/git",
    severity=_MEDIUM,
    title="a command that git runs by itself",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    why="Every later commit or checkout runs it.",
    remedy="Describe the hook and let the user install it.",
    bad="git config --global core.hooksPath /tmp/h",
    good="git config --get core.hooksPath",
    source="githooks(5)",
)
EDITOR_HOOK = scan_rule(
    id="hooks/editor",
    severity=_MEDIUM,
    title="a command that an editor or shell runs on opening the folder",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    why="Opening the folder is enough to run it.",
    remedy="Remove the file.",
    bad='.vscode/tasks.json with "runOn": "folderOpen"',
    good="no such file",
    source="Visual Studio Code, workspace trust",
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
MORE = scan_rule(
    id="scan/more-findings",
    severity=_INFO,
    title="more findings of a rule than are listed",
    code=FindingCode.UNKNOWN,
    why="A page of one finding needs one look, not a thousand lines.",
    remedy="Mend those that are listed and scan again.",
    bad="a file with a hundred tokens",
    good="a file with none",
    source="ASF's limits, README",
)

_LIFE_CYCLE = (
    "preinstall",
    "install",
    "postinstall",
    "prepare",
    "prepublish",
    "preprepare",
    "postprepare",
)
_HARMLESS_STEP = re.compile(
    r"(?:husky|patch-package|tsc|npm run build|pnpm build|yarn build|node-gyp rebuild|is-ci|simple-git-hooks|lefthook install)[\w\s.:-]*\Z"
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
    TextRule(
        GIT_HOOK,
        r"\bgit\s+config\b[^\n]*(?:core\.hooksPath|core\.fsmonitor|core\.sshCommand|core\.pager|core\.editor|alias\.\w+\s+[\"']?!|credential\.helper\s+[\"']?!|diff\.external|filter\.\w+\.(?:clean|smudge))\s+\S|(?:>>?|\btee\s+(?:-a\s+)?|\bcp\s[^\n]*\s|\bmv\s[^\n]*\s|\bln\s[^\n]*\s)[\"']?(?:\S*/)?\.git/hooks/\S+|(?:write_text|writeFile(?:Sync)?|open)\s*\([^\n]*\.git/hooks/",
        "Git will run a command by itself: {text!r}.",
        {**lowered(ACTIONS), Place.CODE: _LOW, Place.INSTRUCTION: _LOW, Place.TEACHING: _INFO},
    ),
)


def detect(subject: Subject) -> Iterator[Draft]:
    """Everything about files that is no text in them."""
    for entry in subject.target.entries:
        if entry.kind == "file":
            yield from _bytes(subject, entry.path, subject.target.contents.get(entry.path, b""))
    for file in subject.files:
        yield from _hooks(file)
        yield from _sums(subject, file)
        yield from _cases(file)
    yield from _frontmatter_hooks(subject)


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
        NotImplementedError,
        RecursionError,
        OverflowError,
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


def _hooks(file: FileText) -> Iterator[Draft]:
    name = PurePosixPath(file.path).name.lower()
    if name == "package.json":
        yield from _package_hooks(file)
    elif name == "setup.py" and (at := file.data.find(b"cmdclass")) != -1:
        yield Draft(
            PACKAGE_HOOK,
            "setup.py runs code of its own when it is installed.",
            file.path,
            _MEDIUM,
            file,
            at,
            Place.SCRIPT,
        )
    elif (
        file.path.lower().endswith(".vscode/tasks.json")
        and (at := file.data.find(b"folderOpen")) != -1
    ):
        yield Draft(
            EDITOR_HOOK,
            "A task runs when the folder is opened.",
            file.path,
            _MEDIUM,
            file,
            at,
            Place.DATA,
        )
    elif name == ".envrc":
        yield Draft(
            EDITOR_HOOK,
            "direnv runs this file when a shell enters the folder.",
            file.path,
            _MEDIUM,
            file,
            0,
            Place.SCRIPT,
        )
    elif name in ("sitecustomize.py", "usercustomize.py") or name.endswith(".pth"):
        yield Draft(
            PACKAGE_HOOK,
            "Python runs this file at every start where it is on the path.",
            file.path,
            _HIGH,
            file,
            0,
            Place.SCRIPT,
        )
    elif name == "devcontainer.json" and (
        match := re.search(
            rb'"(?:initialize|postCreate|postStart|onCreate|postAttach)Command"', file.data
        )
    ):
        yield Draft(
            EDITOR_HOOK,
            "A command runs when the container is opened.",
            file.path,
            _LOW,
            file,
            match.start(),
            Place.DATA,
        )
    elif re.search(
        r"(?:^|/)\.(?:claude|gemini|codex|cursor)/(?:settings(?:\.local)?|hooks)\.json$", file.path
    ) and (
        match := re.search(
            rb'"(?:hooks|PreToolUse|PostToolUse|SessionStart|UserPromptSubmit|Stop|beforeShellExecution)"',
            file.data,
        )
    ):
        yield Draft(
            AGENT_HOOK,
            "The file sets commands that the host runs by itself.",
            file.path,
            _MEDIUM,
            file,
            match.start(),
            Place.DATA,
        )


def _package_hooks(file: FileText) -> Iterator[Draft]:
    try:
        scripts = json.loads(file.text).get("scripts", {})
    except (ValueError, AttributeError, RecursionError):
        return
    if not isinstance(scripts, dict):
        return
    for step in _LIFE_CYCLE:
        command = scripts.get(step)
        if isinstance(command, str) and command.strip():
            harmless = _HARMLESS_STEP.match(command.strip()) is not None
            at = max(0, file.data.find(f'"{step}"'.encode()))
            yield Draft(
                PACKAGE_HOOK,
                f"{step} runs {command[:120]!r}.",
                file.path,
                _LOW if harmless else _HIGH,
                file,
                at,
                Place.DATA,
            )


def _frontmatter_hooks(subject: Subject) -> Iterator[Draft]:
    main = subject.main
    if main is None or subject.parsed is None:
        return
    for key, value in subject.parsed.manifest.metadata:
        if key.lower() == "hooks" and value.strip():
            at = re.search(rb"(?m)^hooks[ \t]*:", main.data)
            yield Draft(
                AGENT_HOOK,
                f"The frontmatter sets hooks: {value[:120]!r}.",
                main.path,
                _MEDIUM,
                main,
                at.start() if at else 0,
                Place.DESCRIPTION,
            )


def _sums(subject: Subject, file: FileText) -> Iterator[Draft]:
    if not _SUMS.match(PurePosixPath(file.path).name):
        return
    directory = PurePosixPath(file.path).parent
    for match in list(_SUM_LINE.finditer(file.text))[:1_000]:
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
