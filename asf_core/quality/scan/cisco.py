"""``cisco-ai-skill-scanner`` as a second opinion: another engine behind the same port.

It is never needed and never imported. It runs as a process of its own, in its own environment, over
a private copy of exactly the bytes that were read: no link is copied, no file is executable, no
variable of the caller that could hold a key reaches it, and no option that calls a network or a
model is given. What it says is labelled with its version and with the fingerprint of its policy.
Where it fails, says nothing that can be read, or takes too long, the result is incomplete.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from asf_core.domain.errors import MissingError
from asf_core.domain.findings import Finding, FindingCode, Severity
from asf_core.domain.scan import (
    FileRecord,
    FileState,
    ScanFinding,
    ScannerIdentity,
    ScanResult,
    ScanTarget,
)
from asf_core.domain.text import one_line
from asf_core.quality.scan.mask import masked
from asf_core.quality.scan.rules.files import INCOMPLETE
from asf_core.trust.tree import check_tree

NAME = "cisco-ai-skill-scanner"
PROGRAM = "skill-scanner"
TIMEOUT_SECONDS = 180
MAX_OUTPUT = 64 * 1024 * 1024
MAX_FINDINGS = 2_000

CODES: Mapping[str, FindingCode] = {
    "prompt_injection": FindingCode.PROMPT_INJECTION,
    "social_engineering": FindingCode.PROMPT_INJECTION,
    "harmful_content": FindingCode.PROMPT_INJECTION,
    "autonomy_abuse": FindingCode.PROMPT_INJECTION,
    "skill_discovery_abuse": FindingCode.PROMPT_INJECTION,
    "unicode_steganography": FindingCode.PROMPT_INJECTION,
    "hardcoded_secrets": FindingCode.SECRET_REFERENCE,
    "data_exfiltration": FindingCode.SECRET_REFERENCE,
    "unauthorized_tool_use": FindingCode.UNDECLARED_TOOL,
    "tool_chaining_abuse": FindingCode.UNDECLARED_TOOL,
    "supply_chain_attack": FindingCode.UNTRUSTED_PROVENANCE,
    "transitive_trust_abuse": FindingCode.UNTRUSTED_PROVENANCE,
    "malware": FindingCode.UNTRUSTED_PROVENANCE,
}
"""Its categories in the closed list; every other is ``unknown``, which is never clean."""

_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
_VERSION = re.compile(r"(\d+(?:\.\w+)+)")
_PROBE = b"---\nname: probe\ndescription: A skill that says nothing, to ask for the policy.\n---\nNothing.\n"


@dataclass(frozen=True)
class CiscoScanner:
    """The engine.

    Args:
        program: Its executable.
        timeout: Longest that one skill may take, in seconds.
    """

    program: Path
    timeout: float = TIMEOUT_SECONDS

    @classmethod
    def find(cls, program: Path | None = None) -> CiscoScanner:
        """Find the executable.

        Args:
            program: Where it is; by default ``ASF_CISCO_SCANNER``, else beside this Python (the
                extra), else on the path.

        Raises:
            MissingError: It is not there.
        """
        given = program or (Path(named) if (named := os.environ.get("ASF_CISCO_SCANNER")) else None)
        beside = Path(sys.executable).parent / PROGRAM
        on_path = shutil.which(PROGRAM)
        found = given or (beside if beside.is_file() else Path(on_path) if on_path else None)
        if found is None or not found.is_file() or not os.access(found, os.X_OK):
            raise MissingError(
                f"The engine {NAME} is not installed",
                why=f"{given} is no program" if given else f"There is no {PROGRAM} on the path",
                hint=f"pipx install {NAME}, or pip install 'asf-workbench[cisco]', or --engine-path FILE",
            )
        return cls(found.absolute())

    @cached_property
    def version(self) -> str:
        """Its version, as it says.

        Raises:
            MissingError: The program does not answer.
        """
        code, output, complaint = self._run("--version")
        match = _VERSION.search(output)
        if code != 0 or match is None:
            raise MissingError(
                f"{self.program} does not say its version",
                why=complaint or one_line(output, 120),
                hint=f"Install it again: pipx install {NAME}",
            )
        return match.group(1)

    @cached_property
    def identity(self) -> ScannerIdentity:
        """Name, version and the fingerprint of its policy, asked for with an empty skill.

        Raises:
            MissingError: It does not answer as the versions do that are known here.
        """
        with _copy({"SKILL.md": _PROBE}) as directory:
            report, why = self._report(directory)
        policy = _policy(report) if report is not None else None
        if policy is None:
            raise MissingError(
                f"{NAME} {self.version} does not say its policy",
                why=why or "Its report has no scan_metadata.policy_fingerprint_sha256",
                hint="Versions from 2.3 on are known to work",
            )
        return ScannerIdentity(name=NAME, version=self.version, policy=policy)

    def scan(self, target: ScanTarget) -> ScanResult:
        """Scan one skill. See :class:`asf_core.domain.scan.Scanner`."""
        identity = self.identity
        refused = {problem.path for problem in check_tree(target.entries)}
        files = {
            entry.path: target.contents.get(entry.path, b"")
            for entry in target.entries
            if entry.kind == "file" and entry.path not in refused
        }
        with _copy(files) as directory:
            report, why = self._report(directory)
        policy = (_policy(report) if report is not None else None) or identity.policy
        findings = tuple(_findings(report, files)) if report is not None else ()
        if report is None:
            findings = (_incomplete(target.main_file, why),)
        seen = FileState.SCANNED if report is not None else FileState.UNREADABLE
        return ScanResult(
            scanner=identity.model_copy(update={"policy": policy}),
            digest=target.digest,
            complete=report is not None and target.digest is not None,
            findings=findings,
            files=tuple(
                FileRecord(
                    path=entry.path,
                    state=seen if entry.path in files else FileState.SKIPPED,
                    size=entry.size,
                    sha256=entry.sha256,
                    reason="" if entry.path in files else "a link, or a name that was refused",
                )
                for entry in target.entries
            ),
        )

    def _report(self, directory: str) -> tuple[Mapping[str, Any] | None, str]:
        """Its report as JSON; or ``None`` and why there is none."""
        code, output, complaint = self._run(
            "scan", directory, "--format", "json", "--compact", "--verbose"
        )
        if code is None:
            return None, f"it took longer than {self.timeout:g} s"
        try:
            value = json.loads(output)
        except (ValueError, RecursionError):
            return None, complaint or f"it left with {code} and gave no report"
        if not isinstance(value, dict) or not isinstance(value.get("findings"), list):
            return None, "its report is not of the form that is known here"
        return value, ""

    def _run(self, *arguments: str) -> tuple[int | None, str, str]:
        """Exit code (``None``: too long), output, first line of its complaint."""
        with tempfile.TemporaryDirectory(prefix="asf-engine-") as home:
            kept = {name: value for name in _KEPT if (value := os.environ.get(name))}
            environment = {**kept, "HOME": home, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
            try:
                done = subprocess.run(  # noqa: S603 - the program that the user named
                    [str(self.program), *arguments],
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    cwd=home,
                    env=environment,
                    timeout=self.timeout,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return None, "", ""
            except OSError as error:
                raise MissingError(
                    f"{self.program} cannot be started", why=error.strerror or ""
                ) from error
        output = done.stdout[:MAX_OUTPUT].decode("utf-8", "replace")
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return done.returncode, output, one_line(masked(lines[-1]), 200) if lines else ""


class _copy:  # noqa: N801 - used as a context, like tempfile's
    """A private copy of a skill's files: plain, not executable, no links."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._directory = tempfile.TemporaryDirectory(prefix="asf-scan-")

    def __enter__(self) -> str:
        root = Path(self._directory.name, "skill")
        root.mkdir(mode=0o700)
        for path, data in self._files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return str(root)

    def __exit__(self, *_: object) -> None:
        self._directory.cleanup()


def _policy(report: Mapping[str, Any]) -> str | None:
    metadata = report.get("scan_metadata")
    policy = metadata.get("policy_fingerprint_sha256") if isinstance(metadata, dict) else None
    return policy if isinstance(policy, str) and re.fullmatch("[0-9a-f]{64}", policy) else None


def _findings(report: Mapping[str, Any], files: Mapping[str, bytes]) -> Iterator[ScanFinding]:
    made = [
        _finding(row, files) for row in report["findings"][:MAX_FINDINGS] if isinstance(row, dict)
    ]
    made.sort(key=lambda item: (item.finding.path, item.finding.line, item.finding.rule))
    yield from made


def _finding(row: Mapping[str, Any], files: Mapping[str, bytes]) -> ScanFinding:
    """One of its findings in our words; what is not known counts as grave and as unknown."""
    path, line = _text(row, "file_path"), row.get("line_number")
    word = re.sub(r"[^a-z0-9]+", "-", _text(row, "rule_id").lower()).strip("-") or "unnamed"
    category, severity = _text(row, "category"), _text(row, "severity").lower()
    severities = {level.value: level for level in Severity} | {"safe": Severity.INFO}
    traversal = "traversal" in word
    finding = Finding(
        rule=f"cisco/{word[:100]}",
        severity=severities.get(severity, Severity.HIGH),
        message=masked(_text(row, "description") or _text(row, "title"))[:600],
        path=path if path in files else "SKILL.md",
        line=line if isinstance(line, int) and line > 0 else 1,
        snippet=masked(_text(row, "snippet"))[:160],
    )
    return ScanFinding(
        finding=finding,
        code=FindingCode.PATH_TRAVERSAL if traversal else CODES.get(category, FindingCode.UNKNOWN),
        title=masked(_text(row, "title"))[:200] or category,
        remediation=masked(_text(row, "remediation"))[:600] or "Read the place that it names.",
    )


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _incomplete(main_file: str, why: str) -> ScanFinding:
    finding = Finding(
        rule=INCOMPLETE.id,
        severity=INCOMPLETE.severity,
        message=f"{NAME} gave no verdict: {why}.",
        path=main_file,
    )
    return ScanFinding(finding=finding, code=INCOMPLETE.code)
