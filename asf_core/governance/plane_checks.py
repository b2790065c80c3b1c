"""The control plane's own findings about a version: what follows from its records, not its prose."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.pin import SourceMode
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ScannerIdentity
from asf_core.governance.checks import check_source
from asf_core.governance.scanning import ScanFinding, ScanResult, ScanTarget
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.content import content_hash
from asf_core.trust.tree import check_tree, tree_digest

_RULES_VERSION = "1"
"""Raised when equal versions give other findings."""
_EVALS = ("test", "tests", "eval", "evals", "evaluations")


class PlaneChecks:
    """Hash mismatch, path traversal, untrusted provenance, unregistered tools, evaluation gaps.

    Args:
        policy: The trust policy in force.
        version: Of this program.
    """

    def __init__(self, policy: TrustPolicy, version: str) -> None:
        self._policy = policy
        self.identity = ScannerIdentity(
            name="asf-plane",
            version=version,
            policy=sha256_hex(f"{__name__} {_RULES_VERSION}".encode()),
        )

    def scan(self, target: ScanTarget) -> ScanResult:
        """Look at one version."""
        found = (
            *_hashes(target),
            *_paths(target),
            *_provenance(self._policy, target),
            *_tools(self._policy, target),
            *_evaluations(target),
        )
        return ScanResult(found)


def _hashes(target: ScanTarget) -> Iterator[ScanFinding]:
    wrong = [
        entry.path
        for entry in target.tree
        if sha256_hex(target.files.get(entry.path, b"")) != entry.sha256
        or len(target.files.get(entry.path, b"")) != entry.size
    ]
    if content_hash(target.content) != target.content_hash:
        wrong.append("the content")
    if not check_tree(target.tree) and tree_digest(target.tree) != target.content.tree_digest:
        wrong.append("the list of files")
    if sha256_hex(target.instructions) != target.content.instructions_sha256:
        wrong.append("the instructions")
    for name in wrong:
        yield ScanFinding(
            FindingCode.HASH_MISMATCH,
            "plane/hash-mismatch",
            Severity.CRITICAL,
            f"The kept bytes of {name} are not those that the version binds.",
            "Add the skill as a new version, and find out who wrote to the store.",
            path=name,
        )


def _paths(target: ScanTarget) -> Iterator[ScanFinding]:
    remedy = "Rename or remove it, then add the skill as a new version."
    for problem in check_tree(target.tree):
        message = f"{problem.path} {problem.message}."
        yield _path_finding(problem.path, message, remedy)
    for entry in target.tree:
        if entry.kind != "symlink":
            continue
        text = target.files.get(entry.path, b"").decode("utf-8", "replace")
        reached = posixpath.normpath(posixpath.join(posixpath.dirname(entry.path), text))
        if text.startswith("/") or reached == ".." or reached.startswith("../"):
            yield _path_finding(entry.path, f"{entry.path} links out of the skill.", remedy)


def _path_finding(path: str, message: str, remedy: str) -> ScanFinding:
    return ScanFinding(
        FindingCode.PATH_TRAVERSAL,
        "plane/path-traversal",
        Severity.CRITICAL,
        message,
        remedy,
        path=path or "SKILL.md",
    )


def _provenance(policy: TrustPolicy, target: ScanTarget) -> Iterator[ScanFinding]:
    check = check_source(policy, target.content)
    if not check.holds:
        yield ScanFinding(
            FindingCode.UNTRUSTED_PROVENANCE,
            "plane/untrusted-provenance",
            Severity.HIGH,
            check.detail,
            f"{check.satisfy}; then scan it anew.",
        )


def _tools(policy: TrustPolicy, target: ScanTarget) -> Iterator[ScanFinding]:
    """Declared and unknown here; what is used and not declared, the rule scanner finds."""
    for tool in target.content.tools or ():
        if tool not in policy.tools:
            yield ScanFinding(
                FindingCode.UNDECLARED_TOOL,
                "plane/unregistered-tool",
                Severity.LOW,
                f"It declares {tool}, which is not registered: it will not be admitted.",
                "Register the tool, or leave it out of allowed-tools.",
            )


def _evaluations(target: ScanTarget) -> Iterator[ScanFinding]:
    """A playbook cannot come without cases; anything else is only told apart."""
    if target.content.mode is SourceMode.PROMPT_PLAYBOOK:
        return
    parts = {part.lower() for entry in target.tree for part in entry.path.split("/")[:-1]}
    if parts.isdisjoint(_EVALS):
        yield ScanFinding(
            FindingCode.EVAL_GAP,
            "plane/evaluation-gap",
            Severity.INFO,
            "It comes with no tests or evaluation cases.",
            "Add some under tests/ or evals/.",
        )
