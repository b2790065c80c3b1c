"""What a repository's own config says: its remote, and the programs that it would have run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_AUTHORITY = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)(?P<rest>.*)", re.S
)
_PROGRAMS = re.compile(
    r"core\.(?:fsmonitor|hookspath|pager|editor|askpass|sshcommand|gitproxy|alternaterefscommand)"
    r"|diff\.external|diff\..+\.(?:textconv|command)|filter\..+\.(?:clean|smudge|process)"
    r"|merge\..+\.driver|(?:mergetool|difftool|browser|man)\..+\.cmd|gpg(?:\..+)?\.program"
    r"|credential(?:\..+)?\.helper|sequence\.editor|include(?:if\..+)?\.path|interactive\.difffilter"
    r"|remote\..+\.(?:uploadpack|receivepack|vcs)|uploadpack\.packobjectshook|trailer\..+\.(?:command|cmd)"
)
_COMMANDS = re.compile(r"(?:alias|pager)\..+|submodule\..+\.update")
"""Settings that name a program only with certain values."""
_BOOLEAN = frozenset({"", "true", "false", "yes", "no", "on", "off", "0", "1"})

Setting = tuple[str, str]
"""A key as git prints it (section and name in lower case) and its value."""


def programs(settings: Iterable[Setting]) -> list[Setting]:
    """The settings that name a program which git would run, LFS's own filters left out."""
    return [(key, value) for key, value in settings if _names_program(key, value)]


def _names_program(key: str, value: str) -> bool:
    if value.strip().lower() in _BOOLEAN:
        return False
    if key.startswith("filter.lfs.") and value.startswith("git-lfs "):
        return False
    if _COMMANDS.fullmatch(key):
        return value.startswith("!") or key.startswith("pager.")
    return _PROGRAMS.fullmatch(key) is not None


def remote_url(settings: Sequence[Setting], branch: str | None) -> str | None:
    """URL of the branch's upstream, else of ``origin``, else of the first remote.

    Returns:
        The URL without user, password, token or query; ``None`` when there is no remote.
    """
    urls: dict[str, str] = {}
    for key, value in settings:
        if key.startswith("remote.") and key.endswith(".url"):
            urls.setdefault(key[len("remote.") : -len(".url")], value)
    upstream = dict(settings).get(f"branch.{branch}.remote", "")
    for name in (upstream, "origin", *urls):
        if name in urls:
            return without_credentials(urls[name])
    return None


def without_credentials(url: str) -> str:
    """A URL that may be shown and stored.

    >>> without_credentials("https://me:token@host.example/a.git?key=1")
    'https://host.example/a.git'
    >>> without_credentials("ssh://git:secret@host.example/a.git")
    'ssh://git@host.example/a.git'
    >>> without_credentials("git@host.example:a.git")
    'git@host.example:a.git'
    """
    helper, helped, _ = url.partition("::")
    if helped and "/" not in helper:
        return f"{helper}::(not shown)"
    match = _AUTHORITY.match(url)
    if match is None:
        return re.sub(r"\A([^@/:]*):[^@/]*@", r"\1@", url)
    user, at, host = match["authority"].rpartition("@")
    keep_user = at and match["scheme"].lower() in {"ssh", "git+ssh"}
    shown = f"{user.partition(':')[0]}@{host}" if keep_user else host
    path = re.split(r"[?#]", match["rest"], maxsplit=1)[0]
    return f"{match['scheme']}://{shown}{path}"
