"""Skills in memory, and what the scanner says of them."""

from __future__ import annotations

from collections.abc import Mapping

from asf_core.domain.findings import Finding, Severity
from asf_core.domain.scan import ScanResult, ScanTarget
from asf_core.domain.skill import TreeEntry
from asf_core.quality.scan import BuiltinScanner
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.tree import check_tree, tree_digest

SCANNER = BuiltinScanner()
HEAD = "---\nname: garden-notes\ndescription: Keep garden notes in order.\n---\n# Notes\n\n"


def skill(body: str = "Sort the notes by date.\n", **files: str | bytes) -> dict[str, str | bytes]:
    """A SKILL.md with a harmless head, and other files by path (``__`` stands for ``/``)."""
    return {"SKILL.md": HEAD + body, **files}


def target(
    files: Mapping[str, str | bytes], *, executable: tuple[str, ...] = (), main: str = "SKILL.md"
) -> ScanTarget:
    contents = {
        path: data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        for path, data in sorted(files.items())
    }
    entries = tuple(
        TreeEntry(
            path=path,
            kind="file",
            executable=path in executable,
            size=len(data),
            sha256=sha256_hex(data),
        )
        for path, data in contents.items()
    )
    digest = None if check_tree(entries) else tree_digest(entries)
    return ScanTarget(entries, contents, digest, main_file=main)


def scan(files: Mapping[str, str | bytes]) -> ScanResult:
    return SCANNER.scan(target(files))


def findings(files: Mapping[str, str | bytes]) -> list[Finding]:
    return [item.finding for item in scan(files).findings]


def rules(files: Mapping[str, str | bytes]) -> set[str]:
    return {finding.rule for finding in findings(files)}


def over(files: Mapping[str, str | bytes], least: Severity) -> list[str]:
    """Findings above a severity, said so that a failing test can be read."""
    return [
        f"{f.rule} {f.severity} in {f.place} {f.path}:{f.line} {f.message}"
        for f in findings(files)
        if f.severity.rank > least.rank
    ]
