"""Words that several families share."""

from __future__ import annotations

from functools import partial

from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.rules import Rule

SINCE = "2026-11-30"
scan_rule = partial(Rule, since=SINCE)

MORE = scan_rule(
    id="scan/more-findings",
    severity=Severity.INFO,
    title="more findings of a rule than are listed",
    code=FindingCode.UNKNOWN,
    why="A page of one finding needs one look, not a thousand lines.",
    remedy="Mend those that are listed and scan again.",
    bad="a file with a hundred tokens",
    good="a file with none",
    source="ASF's limits, README",
)

GAP = r"[\s*_>\"'`~,-]+"
"""Between two words of a phrase: blanks, line ends, and what Markdown puts there."""
MAY_GAP = f"(?:{GAP})?"
"""The same, where the word before it may be absent."""
SEND = (
    r"(?:send|sends|sending|post|upload|uploads|uploading|forward|e-?mail|mail|transmit|exfiltrate|submit|leak"
    r"|relay|deliver|beam|smuggle|dispatch|ship|sync|push|back up|mirror|copy|append|include|embed|paste|put)"
)
PRIVATE = (
    r"(?:\b(?:secrets?|credentials?|passwords?|passphrases?|api[ _-]?keys?|access[ _-]?keys?|auth(?:entication)? tokens?"
    r"|session tokens?|private keys?|ssh keys?|signing keys?|environment variables?|env(?:ironment)? vars?"
    r"|(?:whole|entire|full|process|shell) environment|address books?|contacts\b|contact lists?|home (?:folder|directory)|(?:conversation|chat|browser|shell|command) (?:history|logs?)"
    r"|(?:this|the|our|whole|full|entire) conversation|transcripts?|system prompt|cookies|diary|inbox|keychain|wallets?"
    r"|seed phrases?|personal (?:data|information|files)|customer data|user(?:['’]s)? (?:data|files|messages?|documents|prompts?)"
    r"|contents? of (?:the |all |any |their |your )?(?:\w+ )?(?:files?|folders?|director(?:y|ies)|repo(?:sitory)?|workspace|project|clipboard|screen))|\.env(?:\.\w+)?\b)"
)
_REST = r"(?:[^.\n]|\.\w)*?"
WITHIN = _REST + r"(?:\n" + _REST + r"){0,2}"
"""Up to the end of a sentence, over at most two line ends."""
STORES = (
    r"(?:\.ssh/(?:id_[a-z0-9]+|authorized_keys|config|known_hosts|\*)|\.ssh/?(?:[\s\"'`;|&)]|$)|\.aws/credentials"
    r"|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.gnupg|\.kube/config|\.docker/config\.json|\.config/gh/hosts\.yml"
    r"|\.config/gcloud|application_default_credentials\.json|\.azure/(?:accesstokens|msal)|\.claude/\.credentials"
    r"|/etc/shadow|/etc/sudoers|/proc/(?:self|\d+)/environ|login data\b|cookies\.sqlite|logins\.json|key4\.db"
    r"|keychain-db|find-generic-password|find-internet-password|wallet\.dat|\.electrum|metamask|\.bash_history|\.zsh_history"
    r"|\bid_rsa\b|\bid_ed25519\b)"
)
"""Files and stores that hold credentials or a person's history."""
