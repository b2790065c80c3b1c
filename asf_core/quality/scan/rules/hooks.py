"""Commands that nobody calls: they run when a package is installed, a folder opened, an event fires."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.domain.rules import Rule
from asf_core.quality.scan.model import ACTIONS, Draft, Subject, TextRule, lowered
from asf_core.quality.scan.rules.common import scan_rule
from asf_core.quality.scan.text import FileText

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity

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

RULES: tuple[TextRule, ...] = (
    TextRule(
        GIT_HOOK,
        r"\bgit\s+config\b[^\n]*(?:core\.hooksPath|core\.fsmonitor|core\.sshCommand|core\.pager|core\.editor|alias\.\w+\s+[\"']?!|credential\.helper\s+[\"']?!|diff\.external|filter\.\w+\.(?:clean|smudge))\s+\S|(?:>>?|\btee\s+(?:-a\s+)?|\bcp\s[^\n]*\s|\bmv\s[^\n]*\s|\bln\s[^\n]*\s)[\"']?(?:\S*/)?\.git/hooks/\S+|(?:write_text|writeFile(?:Sync)?|open)\s*\([^\n]*\.git/hooks/",
        "Git will run a command by itself: {text!r}.",
        {**lowered(ACTIONS), Place.CODE: _LOW, Place.INSTRUCTION: _LOW, Place.TEACHING: _INFO},
    ),
)


def detect(subject: Subject) -> Iterator[Draft]:
    """Hooks in files that are made for them, and in the frontmatter."""
    for file in subject.files:
        yield from _hooks(file)
    yield from _frontmatter_hooks(subject)


@dataclass(frozen=True, slots=True)
class _HookFile:
    """A file that something runs, or reads commands from, by itself."""

    rule: Rule
    path: re.Pattern[str]
    """Of the file, in lower case."""
    words: re.Pattern[bytes]
    """What makes it one."""
    message: str
    severity: Severity
    place: Place


_ANY = re.compile(b"")
_HOOK_FILES: tuple[_HookFile, ...] = (
    _HookFile(
        PACKAGE_HOOK,
        re.compile(r"(?:.*/)?setup\.py\Z"),
        re.compile(rb"cmdclass"),
        "setup.py runs code of its own when it is installed.",
        _MEDIUM,
        Place.SCRIPT,
    ),
    _HookFile(
        PACKAGE_HOOK,
        re.compile(r"(?:.*/)?(?:sitecustomize\.py|usercustomize\.py|[^/]*\.pth)\Z"),
        _ANY,
        "Python runs this file at every start where it is on the path.",
        _HIGH,
        Place.SCRIPT,
    ),
    _HookFile(
        EDITOR_HOOK,
        re.compile(r"(?:.*/)?\.vscode/tasks\.json\Z"),
        re.compile(rb"folderOpen"),
        "A task runs when the folder is opened.",
        _MEDIUM,
        Place.DATA,
    ),
    _HookFile(
        EDITOR_HOOK,
        re.compile(r"(?:.*/)?\.envrc\Z"),
        _ANY,
        "direnv runs this file when a shell enters the folder.",
        _MEDIUM,
        Place.SCRIPT,
    ),
    _HookFile(
        EDITOR_HOOK,
        re.compile(r"(?:.*/)?devcontainer\.json\Z"),
        re.compile(rb'"(?:initialize|postCreate|postStart|onCreate|postAttach)Command"'),
        "A command runs when the container is opened.",
        _LOW,
        Place.DATA,
    ),
    _HookFile(
        AGENT_HOOK,
        re.compile(
            r"(?:.*/)?\.(?:claude|gemini|codex|cursor)/(?:settings(?:\.local)?|hooks)\.json\Z"
        ),
        re.compile(
            rb'"(?:hooks|PreToolUse|PostToolUse|SessionStart|UserPromptSubmit|Stop|beforeShellExecution)"'
        ),
        "The file sets commands that the host runs by itself.",
        _MEDIUM,
        Place.DATA,
    ),
)


def _hooks(file: FileText) -> Iterator[Draft]:
    path = file.path.lower()
    if PurePosixPath(path).name == "package.json":
        yield from _package_hooks(file)
    for hook in _HOOK_FILES:
        found = hook.words.search(file.data) if hook.path.match(path) else None
        if found is not None:
            start = found.start()
            yield Draft(hook.rule, hook.message, file.path, hook.severity, file, start, hook.place)


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
