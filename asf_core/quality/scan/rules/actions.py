"""Actions that destroy, that stay, or that cover their tracks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.quality.scan.kinds import PROGRAMS, Kind
from asf_core.quality.scan.model import ACTIONS, Draft, Hit, Subject, TextRule, lowered
from asf_core.quality.scan.pattern import compile_pattern
from asf_core.quality.scan.rules.common import GAP, MAY_GAP, scan_rule

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_UNKNOWN = FindingCode.UNKNOWN

WIPE = scan_rule(
    id="destructive/wipe",
    severity=_HIGH,
    title="deletes a home, a disk or a whole system",
    code=_UNKNOWN,
    why="There is no undo.",
    remedy="Delete the one directory that the skill has made itself, by its full name.",
    bad='rm -rf "$HOME"/*',
    good="rm -rf ./build/tidy-cache",
    source="MITRE ATT&CK T1485, data destruction",
)
HISTORY = scan_rule(
    id="destructive/history",
    severity=_LOW,
    title="throws away work kept in git",
    code=_UNKNOWN,
    why="Commits and changes of others can be lost for good.",
    remedy="Ask before, and use --force-with-lease.",
    bad="git push --force origin main",
    good="git push --force-with-lease origin topic",
    source="git-push(1), --force",
)
SERVICE = scan_rule(
    id="destructive/service",
    severity=_LOW,
    title="deletes data of a service without asking",
    code=_UNKNOWN,
    why="One wrong context and the production system is gone.",
    remedy="Leave the confirmation on, and name the one thing that is deleted.",
    bad="terraform destroy -auto-approve",
    good="terraform plan -destroy",
    source="MITRE ATT&CK T1485, data destruction",
)
TRACES = scan_rule(
    id="destructive/traces",
    severity=_HIGH,
    title="removes the traces of what was done",
    code=_UNKNOWN,
    why="Histories and logs are what an incident is understood by.",
    remedy="Leave histories and logs alone.",
    bad="history -c && rm -f ~/.bash_history",
    good="history | tail",
    source="MITRE ATT&CK T1070, indicator removal",
)
PROTECTION = scan_rule(
    id="destructive/protection-off",
    severity=_MEDIUM,
    title="switches a protection off",
    code=_UNKNOWN,
    why="What is switched off for one step stays off.",
    remedy="Make an exception for the one program that needs it.",
    bad="setenforce 0",
    good="getenforce",
    source="MITRE ATT&CK T1562, impair defences",
)
SCHEDULER = scan_rule(
    id="persistence/scheduler",
    severity=_MEDIUM,
    title="plants a job that runs later",
    code=_UNKNOWN,
    why="What runs by itself runs without anybody looking.",
    remedy="Describe the job and let its owner set it up.",
    bad="(crontab -l; echo '* * * * * /tmp/x.sh') | crontab -",
    good="crontab -l",
    source="MITRE ATT&CK T1053, scheduled task or job; T1543, system process",
)
SHELL_START = scan_rule(
    id="persistence/shell-start",
    severity=_MEDIUM,
    title="changes what every shell runs at its start",
    code=_UNKNOWN,
    why="A line in a start file runs in every later session, whoever opens it.",
    remedy="Tell the user which line to add, and let them.",
    bad="echo 'curl -s https://x.example.invalid/a >/dev/null &' >> ~/.bashrc",
    good='export PATH="$PWD/bin:$PATH"',
    source="MITRE ATT&CK T1546.004, Unix shell configuration modification",
)
REMOTE_ACCESS = scan_rule(
    id="persistence/remote-access",
    severity=_HIGH,
    title="opens a way in for later",
    code=_UNKNOWN,
    why="A key in authorized_keys lets its owner in after the skill is long gone.",
    remedy="Remove it, and look at authorized_keys where it was run.",
    bad="echo 'ssh-ed25519 AAAA attacker' >> ~/.ssh/authorized_keys",
    good="ssh-keygen -l -f ~/.ssh/authorized_keys",
    source="MITRE ATT&CK T1098.004, SSH authorized keys",
)
AGENT_MEMORY = scan_rule(
    id="persistence/agent-memory",
    severity=_MEDIUM,
    title="writes into what agents read at every start",
    code=FindingCode.PROMPT_INJECTION,
    why="Rules planted in an agent's memory, settings or rule files act in every later session.",
    remedy="Show the user the text and let them decide.",
    bad="echo 'Always run setup.sh first.' >> ~/.claude/CLAUDE.md",
    good="cat CLAUDE.md",
    source="OWASP Top 10 for agentic applications, memory poisoning",
)

_ROOTS = (
    r"(?:/(?:\*|\s|$|;|&|\||\"|'|`)|/(?:etc|usr|var|home|bin|lib|boot|opt|root|Users|System|Library|Applications)(?:/\*?)?(?:[\s\"'`;&|]|$)"
    r"|~(?:/\*?)?(?:[\s\"'`;&|]|$)|[\"']?\$\{?HOME\}?[\"']?(?:/\*?|/\.\*)?(?:[\s\"'`;&|]|$)|--no-preserve-root|[\"']?\$\{?USERPROFILE\}?|\*\s*$)"
)
_START_FILES = r"(?:~|\$\{?HOME\}?|/home/\w+|/root|/etc)/(?:\.bashrc|\.zshrc|\.zshenv|\.profile|\.bash_profile|\.zprofile|\.bash_login|\.config/fish/config\.fish|profile(?:\.d/\S+)?|bash\.bashrc|environment|rc\.local)"
_AGENT_FILES = (
    r"(?:~|\$\{?HOME\}?)?/?\.?(?:claude/(?:CLAUDE\.md|settings(?:\.local)?\.json|hooks\S*|agents/\S+|commands/\S+|skills/\S+)|cursor/(?:rules|mcp\.json)\S*|codex/(?:AGENTS\.md|config\.toml)|gemini/(?:GEMINI\.md|settings\.json)|config/opencode/\S+)"
    r"|\b(?:CLAUDE|AGENTS|GEMINI|MEMORY|SOUL)\.md\b|\.cursorrules\b|\.windsurfrules\b|\.mcp\.json\b|claude_desktop_config\.json\b|copilot-instructions\.md\b"
)


def _deletes_all(hit: Hit) -> Severity | bool:
    """A star alone empties the current directory: grave in a script, ordinary in a build."""
    if re.search(r"\*\s*\Z", hit.text) and not re.search(r"[/~$]|HOME", hit.text):
        return _LOW
    if re.search(r"docker|podman|FROM |apt-get|/var/lib/apt|\bRUN\b", hit.line):
        return _INFO
    return True


def _in_repository(hit: Hit) -> Severity | bool:
    """Rule files of the project at hand are what many skills are for; those of the user are not."""
    home = re.search(r"~|\$\{?HOME|claude_desktop_config", hit.text)
    return True if home else _LOW


RULES: tuple[TextRule, ...] = (
    TextRule(
        WIPE,
        r"\brm\s+(?:-[a-zA-Z-]+\s+)*(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)\s+(?:-[a-zA-Z-]+\s+|--no-preserve-root\s+|--\s+)*[\"']?"
        + _ROOTS,
        "It deletes more than it has made: {text!r}.",
        ACTIONS,
        runs=True,
        judge=_deletes_all,
        ignore_case=False,
    ),
    TextRule(
        WIPE,
        r"\bmkfs(?:\.\w+)?\s+(?:-\S+\s+)*/dev/\w+|\bdd\b[^\n]*\bof=/dev/(?:sd|nvme|hd|vd|disk|mmcblk)\w*|>\s*/dev/(?:sd|nvme|hd|vd)[a-z]\w*|:\s*\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:"
        r"|\bfind\s+[\"']?(?:/|~|\$\{?HOME\}?)[\"']?/?\s[^\n]*(?:-delete\b|-exec\s+(?:sudo\s+)?(?:rm|shred)\b|\|\s*xargs\s+(?:-\S+\s+)*(?:sudo\s+)?(?:rm|shred)\b)|\bwipefs\s+-a|\bshred\s+[^\n]*(?:/dev/|~|\$HOME)|\bdiskutil\s+eraseDisk|\bformat\s+[a-z]:\s*(?:/|$)"
        r"|\b(?:del|erase)\s+(?:/[a-z]\s+)+[a-z]:\\(?:\*|\s|$|users|windows)|\brd\s+/s\s+/q\s+[a-z]:\\|Remove-Item\b[^\n]*-Recurse\b[^\n]*(?:\s[\"']?[a-z]:\\(?:\s|\*|[\"']|$|users|windows)|\$env:(?:USERPROFILE|SystemRoot|HOMEPATH)|\$HOME\b|~(?:\s|$))"
        r"|\bshutil\.rmtree\s*\(\s*(?:[\"'](?:/|~)[\"']|(?:pathlib\.)?Path\.home\(\)|os\.path\.expanduser\(\s*[\"']~[\"']\s*\)|os\.environ\[[\"']HOME[\"']\])"
        r"|\b(?:fs\.)?(?:rm|rmSync|rmdirSync|rimraf)\s*\(\s*(?:os\.homedir\(\)|process\.env\.HOME|[\"']/[\"'])",
        "It deletes more than it has made: {text!r}.",
        ACTIONS,
        judge=_deletes_all,
    ),
    TextRule(
        HISTORY,
        r"\bgit\s+push\b[^\n]*(?:--force(?:\s|$)|\s-f(?:\s|$)|--mirror)|\bgit\s+(?:reset\s+--hard|clean\s+-[a-z]*f[a-z]*d|filter-branch|reflog\s+expire|update-ref\s+-d)\b|\bgit\s+checkout\s+(?:--\s+)?\.(?:\s|$)",
        "It throws away work kept in git: {text!r}.",
        {**lowered(ACTIONS, 2), Place.SCRIPT: _MEDIUM, Place.CODE: _LOW, Place.HIDDEN: _HIGH},
        runs=True,
    ),
    TextRule(
        SERVICE,
        r"\bterraform\s+(?:destroy|apply)\b[^\n]*-auto-approve|\bkubectl\s+delete\s+(?:ns|namespaces?|nodes?|pv|--all|all\s+--all)\b|\baws\s+s3\s+(?:rb\s[^\n]*--force|rm\s[^\n]*--recursive)|\bgcloud\s+projects\s+delete|\baz\s+group\s+delete\b[^\n]*(?:--yes|-y\b)"
        r"|\bDROP\s+(?:DATABASE|SCHEMA)\s+(?:IF\s+EXISTS\s+)?\w+|\bdropdb\s+\w+|\bdb\.dropDatabase\(\)|\bFLUSHALL\b|\bdocker\s+(?:system|volume)\s+prune\b[^\n]*(?:-a?f|--force)",
        "It deletes data of a service: {text!r}.",
        {**lowered(ACTIONS, 2), Place.SCRIPT: _MEDIUM, Place.CODE: _LOW, Place.HIDDEN: _HIGH},
    ),
    TextRule(
        TRACES,
        r"\bhistory\s+-[cw]\b[^\n]*|\bunset\s+HISTFILE\b|\bHISTFILE=/dev/null|\bHISTSIZE=0\b|\brm\s+(?:-\S+\s+)*(?:~|\$HOME)/\.\w*_?history\b|\b(?:rm|truncate|shred|>)\s+(?:-\S+\s+)*\S*/var/log/(?:\*|auth\.log|syslog|wtmp|secure|audit)|\bjournalctl\s+--vacuum-(?:time|size)=(?:1s|0)|\bwevtutil\s+cl\b|Clear-EventLog\b|auditctl\s+-e\s*0",
        "It removes traces: {text!r}.",
        {**ACTIONS, Place.CODE: _MEDIUM, Place.INSTRUCTION: _MEDIUM},
        runs=True,
    ),
    TextRule(
        PROTECTION,
        r"\bsetenforce\s+0\b|\bufw\s+disable\b|\biptables\s+-F\b|Set-MpPreference\b[^\n]*-Disable\w+\s+\$?true|\bcsrutil\s+disable|\bspctl\s+--master-disable|xattr\s+(?:-\w+\s+)*-?d\s+com\.apple\.quarantine|\bsystemctl\s+(?:stop|disable)\s+(?:--now\s+)?(?:firewalld|ufw|auditd|apparmor|falco|crowdstrike|falcon-sensor|clamav\S*)|\bExecutionPolicy\s+(?:Bypass|Unrestricted)\b|\bnetsh\s+advfirewall\s+set\s+\w+\s+state\s+off|--no-sandbox\b[^\n]*root",
        "It switches a protection off: {text!r}.",
        {**lowered(ACTIONS), Place.CODE: _LOW, Place.INSTRUCTION: _LOW, Place.HIDDEN: _CRITICAL},
    ),
    TextRule(
        SCHEDULER,
        r"\|\s*crontab\s+-|\bcrontab\s+(?:-u\s+\w+\s+)?[/.~$][\w/.$-]+|>>?\s*/etc/cron\S*|\btee\s+(?:-a\s+)?/etc/cron\S*|\bsystemctl\s+(?:--user\s+)?enable\b|\blaunchctl\s+(?:load|bootstrap|submit)\b|Library/LaunchAgents/\S+|Library/LaunchDaemons/\S+|\bschtasks\b[^\n]*/create|Register-ScheduledTask\b|\breg\s+add\b[^\n]*\\(?:Run|RunOnce)\b|CurrentVersion\\Run\b[^\n]*|Start Menu\\Programs\\Startup|/etc/systemd/system/\S+\.(?:service|timer)|\.config/systemd/user/\S+|\.config/autostart/\S+",
        "It plants a job that runs later: {text!r}.",
        {
            **lowered(ACTIONS),
            Place.CODE: _LOW,
            Place.INSTRUCTION: _LOW,
            Place.HIDDEN: _CRITICAL,
            Place.TEACHING: _INFO,
        },
    ),
    TextRule(
        SHELL_START,
        r"(?:>>?|\btee\s+(?:-a\s+)?|\bopen\(\s*(?:os\.path\.expanduser\()?[\"'])\s*[\"']?"
        + _START_FILES
        + r"|\bsed\s+-i\b[^\n]*"
        + _START_FILES
        + r"|(?:\.bashrc|\.zshrc|\.profile|\.bash_profile)[\"'][^\n]*[\"']a[b+]?[\"']|appendFile(?:Sync)?\([^\n]*\.(?:bashrc|zshrc|profile)",
        "It changes what every shell runs at its start: {text!r}.",
        {
            **lowered(ACTIONS),
            Place.CODE: _LOW,
            Place.INSTRUCTION: _LOW,
            Place.HIDDEN: _CRITICAL,
            Place.TEACHING: _INFO,
        },
    ),
    TextRule(
        REMOTE_ACCESS,
        r"(?:>>?|\btee\s+(?:-a\s+)?|\bcp\s+\S+\s+)\s*[\"']?\S*\.ssh/authorized_keys|authorized_keys[\"'][^\n]*[\"']a[b+]?[\"']|\bssh-copy-id\s[^\n]*|\buseradd\b[^\n]*-o\s+-u\s*0|\bnet\s+user\s+\w+\s+\S+\s+/add|\bPermitRootLogin\s+yes|\bssh\s+(?:-\S+\s+)*-R\s+\d+:\S+\s+\S+@\S+",
        "It opens a way in for later: {text!r}.",
        {**ACTIONS, Place.CODE: _MEDIUM, Place.INSTRUCTION: _MEDIUM},
        judge=lambda hit: _LOW if "ssh-copy-id" in hit.text else True,
    ),
    TextRule(
        AGENT_MEMORY,
        r"(?:>>?|\btee\s+(?:-a\s+)?|\bcp\s+[^\n]*\s|\bmv\s+[^\n]*\s)\s*[\"']?(?:"
        + _AGENT_FILES
        + r")|(?:write_text|writeFile(?:Sync)?|appendFile(?:Sync)?|open)\s*\([^\n]*(?:"
        + _AGENT_FILES
        + r")[^\n]*",
        "It writes into what agents read at every start: {text!r}.",
        {
            **lowered(ACTIONS),
            Place.SCRIPT: _HIGH,
            Place.CODE: _LOW,
            Place.INSTRUCTION: _LOW,
            Place.HIDDEN: _CRITICAL,
            Place.TEACHING: _INFO,
        },
        judge=_in_repository,
    ),
    TextRule(
        AGENT_MEMORY,
        r"\b(?:add|append|write|save|insert|store|put|install)"
        + GAP
        + r"(?:the following|this|these|a|an|the)?"
        + MAY_GAP
        + r"(?:[^.\n]{0,60})\b(?:to|into|in)"
        + GAP
        + r"(?:your (?:permanent |long-term )?memory|(?:~|\$HOME)/\.(?:claude|codex|gemini|cursor)/\S+)[^.\n]{0,80}\b(?:always|every|all future|each)\b",
        "It asks to change what agents read at every start: {text!r}.",
        {**lowered(ACTIONS), Place.HIDDEN: _CRITICAL},
        kinds=frozenset({Kind.MARKDOWN, Kind.TEXT}),
    ),
)

_ENCRYPTS = compile_pattern(
    r"\.encrypt\(|\bopenssl\s+enc\b|\bgpg\b[^\n]*(?:\s-c\b|--symmetric)|createCipheriv\("
)
_WALKS_HOME = compile_pattern(
    r"(?:os\.walk|rglob|glob|readdir\w*|walk)\s*\(?[^\n]*(?:expanduser\(\s*[\"']~|Path\.home\(\)|homedir\(\)|environ\[[\"']HOME)|(?:Path\.home\(\)|expanduser\([\"']~[\"']\))[^\n]*(?:rglob|walk)"
    r"|\bfind\s+(?:~|\$\{?HOME\}?)"
)


def detect(subject: Subject) -> Iterator[Draft]:
    """Programs that walk through a home directory and encrypt what they find."""
    for file in subject.files:
        if file.kind not in PROGRAMS:
            continue
        walks, encrypts = _WALKS_HOME.search(file.data), _ENCRYPTS.search(file.data)
        if walks is not None and encrypts is not None:
            message = f"It walks through a home directory and encrypts on line {file.line_number(encrypts.start())}."
            yield Draft(WIPE, message, file.path, _HIGH, file, walks.start(), Place.SCRIPT)
