"""Code that comes from elsewhere when it is run, unseen by any review."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.quality.scan.kinds import PROGRAMS
from asf_core.quality.scan.model import ACTIONS, Draft, Hit, Subject, TextRule, lowered
from asf_core.quality.scan.pattern import compile_pattern
from asf_core.quality.scan.rules.common import scan_rule

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_CODE = FindingCode.UNTRUSTED_PROVENANCE
_CWE = "CWE-494, download of code without integrity check"

RUN = scan_rule(
    id="download/run",
    severity=_HIGH,
    title="runs what it downloads",
    code=_CODE,
    why="Whoever controls the address, or the network on the way, runs code as the user.",
    remedy="Install a pinned version from a package registry, or check a digest before running.",
    bad="curl -fsSL https://get.example.invalid/i | sh",
    good="pip install example-tool==1.4.2",
    source=_CWE,
)
THEN_RUN = scan_rule(
    id="download/then-run",
    severity=_HIGH,
    title="downloads a file and runs it",
    code=_CODE,
    why="It is the same as piping a download into a shell, in two steps.",
    remedy="Compare the file's digest with one that stands in the skill before running it.",
    bad="curl -o /tmp/i.sh https://get.example.invalid/i && sh /tmp/i.sh",
    good="curl -o i.sh https://get.example.invalid/i && sha256sum -c i.sh.sha256",
    source=_CWE,
)
PACKAGE = scan_rule(
    id="download/unpinned-package",
    severity=_LOW,
    title="installs from an address instead of a registry",
    code=_CODE,
    why="A branch or an archive at an address changes under the skill.",
    remedy="Pin a commit or a released version.",
    bad="pip install git+https://git.example.invalid/a/tool",
    good="pip install tool==2.1.0",
    source="SLSA v1.1, dependency threats",
)
INDEX = scan_rule(
    id="download/other-index",
    severity=_MEDIUM,
    title="installs packages from another index",
    code=_CODE,
    why="A package of the same name on another index is installed in place of the real one.",
    remedy="Use the organisation's configured index.",
    bad="pip install --extra-index-url http://pkgs.example.invalid/simple tool",
    good="pip install tool==2.1.0",
    source="CWE-427; dependency confusion, 2021",
)
INSECURE = scan_rule(
    id="download/insecure",
    severity=_MEDIUM,
    title="downloads without checking who answers",
    code=_CODE,
    why="Without the certificate anybody on the network can answer.",
    remedy="Leave the certificate check on.",
    bad="curl -k -o tool.tgz https://get.example.invalid/tool.tgz",
    good="curl -o tool.tgz https://get.example.invalid/tool.tgz",
    source="CWE-295, improper certificate validation",
)

_FETCH = r"(?:curl|wget|fetch|aria2c|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|http)"
_SHELL = r"(?:(?:sudo|doas|env|exec|nohup|command)\s+(?:-\S+\s+|\w+=\S*\s+)*)*(?:/(?:usr/)?(?:local/)?bin/)?(?:env\s+)?(?:ba|z|da|k|fi|a)?sh\b|(?:sudo\s+)?(?:python[\d.]*|node|perl|ruby|php|deno run|bun|pwsh|powershell|osascript|iex|Invoke-Expression|lua|tclsh|source)"
_KNOWN = re.compile(
    r"(?:https://|\b)(?:astral\.sh/(?:uv|ruff)/|sh\.rustup\.rs|get\.docker\.com|raw\.githubusercontent\.com/(?:Homebrew/install|nvm-sh/nvm)/"
    r"|deb\.nodesource\.com/|rpm\.nodesource\.com/|get\.helm\.sh|raw\.githubusercontent\.com/helm/helm/|get\.k3s\.io|deno\.land/(?:x/)?install"
    r"|bun\.sh/install|bun\.sh/|bun\.com/install|get\.pnpm\.io/|install\.python-poetry\.org|pyenv\.run|claude\.ai/install\.(?:sh|ps1)|cli\.github\.com/|aka\.ms/|tailscale\.com/install\.sh"
    r"|ollama\.com/install\.sh|fly\.io/install\.sh|get\.sdkman\.io|starship\.rs/install\.sh|pixi\.sh/install|mise\.run|cursor\.com/install|opencode\.ai/install|install\.duckdb\.org|foundry\.paradigm\.xyz|release\.solana\.com|sdk\.cloud\.google\.com|packages\.microsoft\.com/|dot\.net/v1/|dotnet\.microsoft\.com/|win\.rustup\.rs|community\.chocolatey\.org/install\.ps1|get\.scoop\.sh|get\.volta\.sh|fnm\.vercel\.app/install|nixos\.org/nix/install|install\.determinate\.systems/|get\.rvm\.io|cli\.run\.nvidia\.com|fluxcd\.io/install|run\.linkerd\.io/|aspire\.dev/install|ngc\.nvidia\.com/|developer\.download\.nvidia\.com/)"
)
"""Installers that their makers document this way: still unpinned, and known."""
_LOCAL = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])[:/]")


def _known_host(hit: Hit) -> Severity | bool:
    near = hit.text if "://" in hit.text else hit.line
    if _LOCAL.search(near):
        return _LOW
    return _MEDIUM if _KNOWN.search(near) else True


def _runs_text(hit: Hit) -> Severity | bool:
    """``curl ... | python -m json.tool`` and ``| node -e '...'`` read the download as data."""
    tail = re.search(
        r"\|\s*(?:sudo\s+)?(?:python[\d.]*|node|perl|ruby|php|pwsh|powershell)\b(?P<rest>.*)",
        hit.line,
    )
    if tail and re.match(
        r"\s+(?:-m\b|-c\b|-e\b|-p[e\s]|-n[e\s]|-r\b|--?[a-z-]*eval|\S+\.\w+)", tail["rest"]
    ):
        return False
    return _known_host(hit)


_OUTPUT = re.compile(
    r"(?:-o|-O|--output|--output-document|-OutFile|>)\s*[\"']?(?P<name>[^\s\"';&]+)"
)
_RUN_NAME = re.compile(
    r"(?:&&|;|\n)\s*(?:sudo\s+)?(?:\w*sh|python[\d.]*|node|chmod\s+\S+|perl|ruby|source|\.)\s+[\"']?(?P<name>[^\s\"';&]+)\Z"
)


def _same_file(hit: Hit) -> Severity | bool:
    """What is run must be what was downloaded: data beside a script of the skill is no such thing."""
    run = _RUN_NAME.search(hit.text)
    names = {match["name"].rpartition("/")[2] for match in _OUTPUT.finditer(hit.text)}
    if run is None or run["name"].rpartition("/")[2] not in names:
        return False
    return _known_host(hit)


_USUAL_INDEX = re.compile(
    r"pypi\.org|pytorch\.org|registry\.npmjs\.org|pypi\.nvidia\.com|wheels\.\w+\.|pypi\.python\.org|mirrors?\.|localhost|test\.pypi"
)


def _other_index(hit: Hit) -> bool:
    return _USUAL_INDEX.search(hit.text) is None


RULES: tuple[TextRule, ...] = (
    TextRule(
        RUN,
        r"\b"
        + _FETCH
        + r"\b[^\n|;]*(?:\|[^\n|;]*)*?\|[ \t&]*\(?(?:"
        + _SHELL
        + r")(?:[\s;&|)`'\"-]|$)",
        "A download is run at once: {text!r}.",
        ACTIONS,
        runs=True,
        judge=_runs_text,
    ),
    TextRule(
        RUN,
        r"(?:\b(?:ba|z|da|k)?sh|\bsource|\beval|\bpython[\d.]*|\bnode|\bperl|\bruby|\bphp|(?:^|[\s;&|])\.)\s+(?:-\w+\s+)*[\"']?(?:<\(|\$\(|`)\s*(?:sudo\s+)?"
        + _FETCH
        + r"\b[^\n]*",
        "A download is run at once: {text!r}.",
        ACTIONS,
        runs=True,
        judge=_known_host,
    ),
    TextRule(
        RUN,
        r"\b(?:iex|Invoke-Expression)\b[^\n]*(?:DownloadString|irm|iwr|Invoke-WebRequest|Invoke-RestMethod|New-Object\s+Net\.WebClient)[^\n]*|\bmshta\s+https?://\S+|\bregsvr32\b[^\n]*/i:https?://\S+|\bcertutil\b[^\n]*-urlcache[^\n]*",
        "A download is run at once: {text!r}.",
        ACTIONS,
        judge=_known_host,
    ),
    TextRule(
        RUN,
        r"\b(?:exec|eval|compile|new Function|runInThisContext|runInNewContext|instance_eval)\s*\([^\n]*(?:urlopen|requests\.get|httpx\.get|urllib|fetch\(|axios\.get|http\.get|open-uri|URI\.open|file_get_contents\(\s*[\"']https?)[^\n]*",
        "A download is run as code: {text!r}.",
        ACTIONS,
    ),
    TextRule(
        THEN_RUN,
        r"\b(?:curl|wget|Invoke-WebRequest|iwr)\b[^\n|]*(?:-o|-O|--output|--output-document|-OutFile|>)\s*[\"']?[\w$./~{}-]+[^\n|]*(?:&&|;|\n)\s*(?:[^\n]*(?:&&|;|\n)\s*)?"
        r"(?:sudo\s+)?(?:(?:ba|z|da)?sh|python[\d.]*|node|chmod\s+(?:\+x|[0-7]*[1357][0-7]*)|perl|ruby|source|\.)\s+[\"']?[\w$./~{}-]+",
        "A file is downloaded and run: {text!r}.",
        {**lowered(ACTIONS), Place.SCRIPT: _HIGH},
        runs=True,
        judge=_same_file,
    ),
    TextRule(
        PACKAGE,
        r"\b(?:pip3?|uv pip|pipx|uv tool|uvx)\b[^\n]*\b(?:install|run|--from)\s[^\n]*(?:git\+\w+://|https?://)\S+|\bnpm\s+(?:i|install)\s[^\n]*(?:git\+\w+://|https?://|github:)\S+",
        "A package comes from an address: {text!r}.",
        {**lowered(ACTIONS, 2), Place.HIDDEN: _HIGH},
        kinds=None,
        runs=True,
    ),
    TextRule(
        INDEX,
        r"\b(?:pip3?|uv|poetry|pipx)\b[^\n]*(?:--index-url|--extra-index-url|-i)[ =]+[\"']?http\S+|\b(?:npm|yarn|pnpm)\b[^\n]*--registry[ =]+[\"']?http\S+",
        "Packages come from another index: {text!r}.",
        {**lowered(ACTIONS), Place.HIDDEN: _HIGH},
        runs=True,
        judge=_other_index,
    ),
    TextRule(
        INSECURE,
        r"\bcurl\b[^\n|;]*\s(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)\b|\bwget\b[^\n|;]*--no-check-certificate|\bverify\s*=\s*False\b|NODE_TLS_REJECT_UNAUTHORIZED\s*=\s*[\"']?0|StrictHostKeyChecking[ =]no|http\.sslVerify[ =]false|--trusted-host\s+\S+",
        "It does not check who answers: {text!r}.",
        {**lowered(ACTIONS), Place.CODE: _LOW, Place.INSTRUCTION: _LOW, Place.HIDDEN: _HIGH},
        ignore_case=False,
    ),
)

_TAKES = compile_pattern(
    r"\b(\w+)\s*=\s*[^\n]*(?:urlopen\(|requests\.get\(|httpx\.get\(|\bfetch\(|axios\.get\(|Net::HTTP\.get|URI\.open|file_get_contents\(\s*[\"']https?:)"
)
_GIVES = compile_pattern(
    r"\b(?:exec|eval|compile|new Function|runInThisContext|runInNewContext|instance_eval)\s*\(([^\n]*)"
)


def detect(subject: Subject) -> Iterator[Draft]:
    """Programs that keep a download under a name and run that name as code."""
    for file in subject.files:
        if file.kind not in PROGRAMS:
            continue
        names = {match.group(1) for match in _TAKES.finditer(file.data)}
        if not names:
            continue
        for match in _GIVES.finditer(file.data):
            used = set(re.findall(rb"\w+", match.group(1)))
            if names & used and b"fetch(" not in match.group(1):
                message = "What the program downloads is run as code."
                yield Draft(RUN, message, file.path, _HIGH, file, match.start(), Place.SCRIPT)
