"""Secrets that stand in the files. Found by shape, and never shown whole."""

from __future__ import annotations

import math
import re
from collections import Counter

from asf_core.domain.findings import FindingCode, Place, Severity
from asf_core.quality.scan.model import Hit, TextRule
from asf_core.quality.scan.rules.common import scan_rule

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_CODE = FindingCode.SECRET_REFERENCE
_CWE = "CWE-798, use of hard-coded credentials"
_EVERYWHERE = dict.fromkeys(Place, _HIGH)

TOKEN = scan_rule(
    id="secrets/token",
    severity=_HIGH,
    title="an access token",
    code=_CODE,
    why="Whoever reads the skill can use it, and so can everybody who ever cloned it.",
    remedy="Revoke the token first; then replace it by the name of a variable.",
    bad="token = " + "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    good="token = os.environ['FORGE_TOKEN']",
    source=_CWE,
)
PRIVATE_KEY = scan_rule(
    id="secrets/private-key",
    severity=_HIGH,
    title="a private key",
    code=_CODE,
    why="A key that was published proves nothing any more.",
    remedy="Replace the key pair; keep private keys out of skills.",
    bad="-----BEGIN OPENSSH "
    + "PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gt\nZWQyNTUxOQAAACD0vH6h3kXb1Qm9Lr8sT2nW5yZ7cE4aJ6gUoRfKpVdMxA==\n",
    good="ssh-keygen -t ed25519",
    source=_CWE,
)
ASSIGNED = scan_rule(
    id="secrets/assigned",
    severity=_MEDIUM,
    title="a password or key written out",
    code=_CODE,
    why="It looks like a real secret beside a word that says it is one.",
    remedy="Replace it by the name of a variable, or by an obvious placeholder.",
    bad='api_key = "q8Zr2vT7mK4xW9pL3nB6yD1s"',
    good='api_key = "YOUR_API_KEY"',
    source=_CWE,
)
URL_PASSWORD = scan_rule(
    id="secrets/url-password",
    severity=_MEDIUM,
    title="a password in an address",
    code=_CODE,
    why="Addresses end in logs, histories and error messages, with the password in them.",
    remedy="Take user and password from the environment.",
    bad="postgres://app:kV7-qzT2mw@db.example.invalid/app",
    good="postgres://$DB_USER:$DB_PASSWORD@db.example.invalid/app",
    source="RFC 3986 7.5, sensitive information",
)

_PLACEHOLDER = re.compile(
    r"(?i)example|sample|dummy|fake|placeholder|your|xxx|\.\.\.|…|changeme|change_me|replace|redacted|secret_?here|todo|insert|<[^>]*>|\$\{|\{\{|%s|test_?(?:key|token)?$|^test|abcdef|123456|0{6,}|1{6,}|deadbeef|foobar|asdf|qwerty|lorem|password|hunter2|my[-_]?(?:secret|key|token|pass)|s3cr3t|n0t[-_]?r34l|not[-_]a[-_]real|mock|demo|\*{3,}|-key-|-token-|some[-_]"
)
_VALUE = re.compile(r"[^\s\"'`=:<>]{8,}")


def is_placeholder(text: str) -> bool:
    """Whether a text is made to show where a secret goes, and is none."""
    return _PLACEHOLDER.search(text) is not None or entropy(text) < 3.0 or len(set(text)) < 8


def entropy(text: str) -> float:
    """Shannon entropy of a text's characters, in bits a character."""
    if not text:
        return 0.0
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


def _real_token(hit: Hit) -> bool:
    return not is_placeholder(re.sub(r"\A[a-zA-Z]+[-_](?:[a-z]+[-_])*", "", hit.text))


def _real_value(hit: Hit) -> bool:
    match = re.search(r"[\"'`]([^\"'`]+)[\"'`]?\Z", hit.text)
    value = match.group(1) if match else ""
    mixed = sum(bool(re.search(kind, value)) for kind in ("[a-z]", "[A-Z]", r"\d"))
    return mixed >= 2 and entropy(value) >= 3.5 and not is_placeholder(value)


def _real_password(hit: Hit) -> bool:
    match = re.search(r"://[^:/@\s]+:([^@\s]+)@([\w.-]*)", hit.text)
    if match is None:
        return False
    password, host = match.groups()
    local = re.fullmatch(
        r"(?i)localhost|127\..*|0\.0\.0\.0|db|postgres\w*|redis|my\w+|host\w*|server|example\.\w+",
        host,
    )
    plain = re.fullmatch(r"(?i)[a-z]+|pass\w*|secret\w*|admin\w*|root\w*|guest|user\w*", password)
    return not (
        local or plain or password.startswith(("$", "{", "<", "%")) or _PLACEHOLDER.search(password)
    )


def _real_key(hit: Hit) -> bool:
    body = hit.file.data[hit.end : hit.end + 400].decode("utf-8", "ignore")
    base64 = re.search(r"[A-Za-z0-9+/]{40,}", body)
    return base64 is not None and not is_placeholder(base64.group())


RULES: tuple[TextRule, ...] = (
    TextRule(
        TOKEN,
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,}|glpat-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|xox[abposr]-[A-Za-z0-9-]{20,}|xapp-[A-Za-z0-9-]{20,}"
        r"|sk-ant-[A-Za-z0-9_-]{24,}|sk-proj-[A-Za-z0-9_-]{24,}|sk-or-v1-[0-9a-f]{40,}|sk-[A-Za-z0-9]{32,}|AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{30,}|[sr]k_live_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9]{24,}"
        r"|npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|nvapi-[A-Za-z0-9_-]{40,}|SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|dop_v1_[a-f0-9]{60,}|shpat_[a-fA-F0-9]{32}|lin_api_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}"
        r"|figd_[A-Za-z0-9_-]{36,}|dckr_pat_[A-Za-z0-9_-]{24,}|tfp_[A-Za-z0-9]{30,}|atlasv1\.[A-Za-z0-9_-]{40,}|sbp_[a-f0-9]{40}|r8_[A-Za-z0-9]{36,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}|\d{8,10}:AA[A-Za-z0-9_-]{33})",
        "A token stands in the file: {text}.",
        {**_EVERYWHERE, Place.TEACHING: _HIGH},
        judge=_real_token,
        ignore_case=False,
    ),
    TextRule(
        TOKEN,
        r"\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}|\bSharedAccessSignature sr=[^\s\"']{40,}|\bhttps://hooks\.slack\.com/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{20,}",
        "A token stands in the file: {text}.",
        dict.fromkeys(Place, _MEDIUM),
        judge=_real_token,
        ignore_case=False,
    ),
    TextRule(
        PRIVATE_KEY,
        r"-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----",
        "A private key stands in the file.",
        _EVERYWHERE,
        judge=_real_key,
        ignore_case=False,
    ),
    TextRule(
        ASSIGNED,
        r"\b[\w.-]*(?:api[_-]?key|apikey|secret[_-]?(?:key|token)?|access[_-]?token|auth[_-]?token|client[_-]?secret|password|passwd|private[_-]?key|bearer)[\w-]*[\"']?\s*(?::=|[:=])\s*[\"'`][^\s\"'`]{16,100}[\"'`]",
        "A value that looks like a secret stands beside its name: {text}.",
        {
            **dict.fromkeys(Place, _MEDIUM),
            Place.TEACHING: _LOW,
            Place.CODE: _LOW,
            Place.INSTRUCTION: _LOW,
        },
        judge=_real_value,
    ),
    TextRule(
        URL_PASSWORD,
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'`<>]{1,60}:[^\s@/\"'`<>]{4,100}@[\w.-]+",
        "A password stands in an address: {text}.",
        {
            **dict.fromkeys(Place, _MEDIUM),
            Place.TEACHING: _LOW,
            Place.CODE: _LOW,
            Place.INSTRUCTION: _LOW,
        },
        judge=_real_password,
    ),
)
