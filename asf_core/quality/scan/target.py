"""From a skill's tree, as the registry reads it, to what a scanner takes."""

from __future__ import annotations

from asf_core.domain.scan import Scanner, ScanResult, ScanTarget
from asf_core.quality.scan.scanner import BuiltinScanner
from asf_core.registry.parse import SKILL_FILE
from asf_core.registry.tree import SkillTree


def scan_target(
    tree: SkillTree, *, shown_at: str = ".", main_file: str | None = None
) -> ScanTarget:
    """What a scanner takes, of a tree that was read.

    Args:
        tree: The skill's files.
        shown_at: The path that the tree's own findings begin with, which is taken off.
        main_file: Name of its SKILL.md; by default the one that is there, in whatever case.
    """
    prefix = "" if shown_at == "." else f"{shown_at}/"
    findings = tuple(
        finding.model_copy(update={"path": finding.path.removeprefix(prefix)})
        for finding in tree.findings
    )
    return ScanTarget(
        entries=tree.entries,
        contents=tree.contents,
        digest=tree.digest,
        findings=findings,
        main_file=main_file or _main_file(tree),
        left_out=tree.left_out,
    )


def scan_skill(
    tree: SkillTree,
    *,
    shown_at: str = ".",
    main_file: str | None = None,
    scanner: Scanner | None = None,
) -> ScanResult:
    """Scan one skill.

    Args:
        tree: Its files, read once: the bytes that are scanned are those that the digest is of.
        shown_at: The path that the tree's own findings begin with.
        main_file: Name of its SKILL.md; by default the one that is there, in whatever case.
        scanner: Default: the built-in one.
    """
    target = scan_target(tree, shown_at=shown_at, main_file=main_file)
    return (scanner or BuiltinScanner()).scan(target)


def _main_file(tree: SkillTree) -> str:
    names = [e.path for e in tree.entries if e.path.lower() == SKILL_FILE.lower()]
    return SKILL_FILE if SKILL_FILE in names or not names else names[0]
