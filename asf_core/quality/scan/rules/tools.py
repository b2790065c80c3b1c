"""What a skill does against what it says it needs.

``allowed-tools`` is read here as the most that a skill may use: hosts that treat the field as a grant
give exactly this. What is used is told from scripts, from blocks of commands and from sentences that
say to run something; a command that is only named in a sentence is no use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.quality.scan.kinds import COMMANDS, PROGRAMS, Kind
from asf_core.quality.scan.model import Draft, Subject, TextRule
from asf_core.quality.scan.pattern import compile_pattern
from asf_core.quality.scan.rules.common import scan_rule
from asf_core.quality.scan.rules.exfiltration import NETWORK
from asf_core.quality.scan.text import FileText
from asf_core.registry.discover import CONTENT
from asf_core.registry.parse import SKILL_FILE

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_CODE = FindingCode.UNDECLARED_TOOL
_SPEC = "Agent Skills specification (agentskills.io), allowed-tools"

UNDECLARED = scan_rule(
    id="tools/undeclared",
    severity=_MEDIUM,
    title="uses a tool that it does not declare",
    code=_CODE,
    why="A reviewer who trusts allowed-tools lets more happen than was said.",
    remedy="Declare the tool, or remove its use.",
    bad="---\nname: log-summary\ndescription: Summarise the log.\nallowed-tools: Read\n---\nRun `bash scripts/pull.sh` first.",
    good="---\nname: log-summary\ndescription: Summarise the log.\nallowed-tools: Read Bash\n---\nRun `bash scripts/pull.sh` first.",
    source=_SPEC,
)
UNUSED = scan_rule(
    id="tools/unused",
    severity=_LOW,
    title="declares a powerful tool and uses none",
    code=_CODE,
    why="A grant that nothing needs is only there to be misused.",
    remedy="Remove the tool from allowed-tools.",
    bad="---\nname: plain-words\ndescription: Rewrite a sentence.\nallowed-tools: Bash Read\n---\nRewrite it in plain words.",
    good="---\nname: plain-words\ndescription: Rewrite a sentence.\nallowed-tools: Read\n---\nRewrite it in plain words.",
    source=_SPEC,
)
UNLIMITED = scan_rule(
    id="tools/unlimited",
    severity=_MEDIUM,
    title="declares every tool there is",
    code=_CODE,
    why="A star grants tools that nobody has thought of, those of tomorrow among them.",
    remedy="Name the tools.",
    bad='---\nname: any-tool\ndescription: Do it.\nallowed-tools: "*"\n---\nDo it.',
    good="---\nname: any-tool\ndescription: Do it.\nallowed-tools: Read\n---\nDo it.",
    source=_SPEC,
)
UNREADABLE = scan_rule(
    id="tools/unreadable",
    severity=_MEDIUM,
    title="its limits cannot be read",
    code=_CODE,
    why="Some hosts run the skill without any limit when its frontmatter is broken.",
    remedy="Mend the frontmatter; lint says where.",
    bad="---\nname: x: y\nallowed-tools: Read\n---\nDo it.",
    good="---\nname: x\ndescription: Do it.\nallowed-tools: Read\n---\nDo it.",
    source=_SPEC,
)
AT_LOAD = scan_rule(
    id="tools/at-load",
    severity=_MEDIUM,
    title="a command that runs when the skill is opened",
    code=_CODE,
    why="Hosts that know this form run the command before anybody has read the page.",
    remedy="Write the command as a step.",
    bad="Context: !`git log -5`",
    good="Run `git log -5` for context.",
    source="Claude Code, skills: dynamic context",
)

MAX_NAMES = 200
"""Most names of tools in one file that are compared with the declared ones."""
_SHELL_TOOLS = re.compile(
    r"(?i)^(?:bash|shell|sh|terminal|run_?(?:command|shell|in_?terminal|terminal_?cmd|shell_command)|execute\w*|exec|powershell|computer|runcommands?|local_shell|runtasks?|command|\*)"
)
_NETWORK_TOOLS = re.compile(
    r"(?i)^(?:web|fetch|http|browser|url|search_?web|google|playwright|puppeteer|curl|open_?browser|\*)|fetch|browser|web_?search|mcp"
)
_UNSAFE_TOOLS = re.compile(
    r"^(?:Bash|Shell|PowerShell|Terminal|run_shell_command)(?:\(\*?(?::\*)?\))?$", re.IGNORECASE
)
_USES_SHELL = compile_pattern(
    r"(?:\b(?:run|execute|invoke|launch|start|call|type|use)\b[^\n.`]{0,60}`{1,3}(?:\$\s*)?(?:sudo\s+)?(?:bash|sh|zsh|python3?|node|npm|npx|pnpm|yarn|pip3?|uv|uvx|git|gh|make|cargo|go|docker|kubectl|terraform|curl|wget|az|aws|gcloud|dotnet|java|ruby|perl|php|deno|bun|jq|sed|awk|grep|find|rm|cp|mv|mkdir|ls|cat|echo|chmod|\./[\w./-]+|scripts/[\w./-]+)(?:[\s`]|$))"
    r"|!`[^`\n]+`"
)
_NAMED_TOOL = compile_pattern(
    r"\b(?i:use|call|invoke|with|via|using) the [`*]*(Bash|WebFetch|WebSearch|Write|Edit|MultiEdit|NotebookEdit|Task|Agent|Read|Grep|Glob)[`*]* tool\b",
    ignore_case=False,
)
_MCP_TOOL = compile_pattern(r"\bmcp__[a-zA-Z0-9_-]+__[a-zA-Z0-9_*-]+", ignore_case=False)
_HAS_NETWORK = compile_pattern(NETWORK)

RULES: tuple[TextRule, ...] = (
    TextRule(
        AT_LOAD,
        r"(?:^|[^`!\w])!`[^`\n]{2,}`",
        "A command runs when the skill is opened: {text!r}.",
        {
            Place.INSTRUCTION: _LOW,
            Place.DESCRIPTION: _MEDIUM,
            Place.HIDDEN: _HIGH,
            Place.TEACHING: _INFO,
            Place.CODE: _INFO,
        },
        kinds=frozenset({Kind.MARKDOWN}),
        judge=lambda hit: (
            _MEDIUM if re.search(r"curl|wget|\brm\b|\bsudo\b|base64|\beval\b", hit.text) else _LOW
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class _Use:
    """Where a kind of tool is used first."""

    what: str
    file: FileText
    start: int


def detect(subject: Subject) -> Iterator[Draft]:
    """Compare what is declared with what is used."""
    if subject.parsed is None or subject.main is None:
        return
    manifest, main = subject.parsed.manifest, subject.main
    if not manifest.tools_readable:
        message = (
            "The frontmatter cannot be read, so the limits that its author meant are not known."
        )
        yield Draft(UNREADABLE, message, main.path, _MEDIUM, main, 0, Place.DESCRIPTION)
        return
    declared = manifest.allowed_tools
    if declared is None:
        return
    line_at = max(0, main.data.find(b"llowed") - 1)
    if "*" in declared:
        yield Draft(
            UNLIMITED,
            "It declares '*', every tool there is.",
            main.path,
            _MEDIUM,
            main,
            line_at,
            Place.DESCRIPTION,
        )
        return
    shell, network = _shell_use(subject), _network_use(subject)
    has_shell = any(_SHELL_TOOLS.match(tool) for tool in declared)
    has_network = has_shell or any(_NETWORK_TOOLS.search(tool) for tool in declared)
    shown = ", ".join(declared) or "no tools"
    missing = [use for use, has in ((shell, has_shell), (network, has_network)) if use and not has]
    if missing:
        what = " and ".join(use.what for use in missing)
        yield Draft(
            UNDECLARED,
            f"It uses {what}, and declares {shown}.",
            missing[0].file.path,
            _MEDIUM,
            missing[0].file,
            missing[0].start,
        )
    yield from _named(subject, declared)
    unsafe = [tool for tool in declared if _UNSAFE_TOOLS.match(tool)]
    if unsafe and shell is None and network is None:
        message = f"It declares {', '.join(unsafe)}, and uses no command."
        yield Draft(UNUSED, message, main.path, _LOW, main, line_at, Place.DESCRIPTION)


def _own_files(subject: Subject) -> Sequence[FileText]:
    """The files without those of skills that stand inside this one and declare for themselves."""
    inner = [
        file.path[: -len(SKILL_FILE)]
        for file in subject.files
        if file.path.endswith(f"/{SKILL_FILE}") and CONTENT.isdisjoint(file.path.split("/"))
    ]
    return [file for file in subject.files if not file.path.startswith(tuple(inner))]


def _shell_use(subject: Subject) -> _Use | None:
    own = _own_files(subject)
    for file in own:
        if file.kind is Kind.MARKDOWN:
            for match in _USES_SHELL.finditer(file.data):
                if subject.regions(file).at(match.start()).place is Place.INSTRUCTION:
                    return _Use("a shell", file, match.start())
            block = next(
                (b for b in subject.regions(file).code if b.kind in COMMANDS and b.named), None
            )
            if block is not None:
                return _Use("a shell", file, block.start)
    script = next((file for file in own if file.kind in PROGRAMS), None)
    return _Use("a shell (it has scripts)", script, 0) if script is not None else None


def _network_use(subject: Subject) -> _Use | None:
    for file in _own_files(subject):
        for match in _HAS_NETWORK.finditer(file.data):
            if file.kind in PROGRAMS:
                return _Use("the network", file, match.start())
            if file.kind is Kind.MARKDOWN:
                region = subject.regions(file).at(match.start())
                if region.place is Place.CODE and region.kind in PROGRAMS and region.named:
                    return _Use("the network", file, match.start())
    return None


def _named(subject: Subject, declared: tuple[str, ...]) -> Iterator[Draft]:
    """Tools that the text says to use by their name."""
    names = {tool.partition("(")[0].lower() for tool in declared}
    seen: set[str] = set()
    for file in _own_files(subject):
        if file.kind is not Kind.MARKDOWN:
            continue
        named = islice(_NAMED_TOOL.finditer(file.data), MAX_NAMES)
        found = [(m.group(1).decode(), m.start(1)) for m in named]
        servers = islice(_MCP_TOOL.finditer(file.data), MAX_NAMES)
        found += [(m.group().decode(), m.start()) for m in servers]
        for name, start in found:
            server = "__".join(name.split("__")[:2]).lower()
            if name.lower() in names or name in seen or server in names or f"{server}__*" in names:
                continue
            if subject.regions(file).at(start).place is Place.DESCRIPTION:
                continue
            seen.add(name)
            message = f"It says to use {name}, and declares {', '.join(declared) or 'no tools'}."
            yield Draft(UNDECLARED, message, file.path, _MEDIUM, file, start)
