"""Reading a SKILL.md: tolerant in what is listed, strict in what is said of it (DESIGN 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from asf_core.domain.findings import Finding
from asf_core.domain.manifest import Capability, Risk, SkillManifest, SourceRef
from asf_core.domain.skill import ParsedSkill, SkillState
from asf_core.registry import rules
from asf_core.registry.fields import Declared, fold_description, read_fields
from asf_core.registry.frontmatter import Frontmatter, read_frontmatter
from asf_core.registry.infer import infer_capability, infer_risk
from asf_core.registry.links import missing_links
from asf_core.registry.places import Places
from asf_core.registry.report import Report
from asf_core.registry.rules import Rule
from asf_core.registry.sourcetext import decode
from asf_core.registry.spec import fold_name
from asf_core.registry.values import text_of

SKILL_FILE = "SKILL.md"
_MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a skill stands, and what stands beside it."""

    registry: str
    path: str
    file_name: str
    revision: str | None
    files: Sequence[str]
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def directory(self) -> str | None:
        """Name of the skill's directory; ``None`` at the registry's root."""
        return None if self.path == "." else self.path.rpartition("/")[2]

    @property
    def file_path(self) -> str:
        return self.file_name if self.path == "." else f"{self.path}/{self.file_name}"


def parse_skill(
    data: bytes,
    *,
    registry: str,
    path: str,
    file_name: str = SKILL_FILE,
    revision: str | None = None,
    files: Sequence[str] = (),
    file_texts: Mapping[str, str] | None = None,
) -> ParsedSkill:
    """Read a SKILL.md. Pure, and never raises on content.

    Args:
        data: The bytes of the file.
        registry: Name of the registry.
        path: POSIX path of the skill's directory inside it, ``.`` for its root.
        file_name: The file's name on disk, which may have the wrong case.
        revision: Commit that the bytes are of.
        files: POSIX paths of the skill's files, relative to its directory, where they are known:
            links are then checked against them.
        file_texts: Text of those that are text, by path: risk is inferred from scripts.

    Returns:
        The skill, whatever the file holds: ``BROKEN`` with the findings that say why when it cannot
        be routed. Broken frontmatter fails closed: no tool counts as granted
        (``allowed_tools`` is empty and ``tools_readable`` false) and the risk is at least critical.
    """
    where = _Where(registry, path, file_name, revision, files, file_texts or {})
    source = decode(data, where.file_path)
    if isinstance(source, Finding):
        findings = [source, *_name_finding(where)]
        return _broken(where, "", "", 1, findings)
    frontmatter = read_frontmatter(source)
    report = Report(frontmatter)
    _check_file(where, frontmatter, report)
    if frontmatter.root is None:
        description = _shown_description(frontmatter)
        body, line = frontmatter.body, frontmatter.body_line
        return _broken(where, description, body, line, report.findings)
    places = Places(frontmatter.root, report)
    declared = read_fields(places, where.directory, report)
    return _parsed(where, declared, frontmatter, report)


def unreadable_skill(
    message: str,
    *,
    registry: str,
    path: str,
    file_name: str = SKILL_FILE,
    rule: Rule = rules.UNREADABLE,
) -> ParsedSkill:
    """A skill whose file cannot be read at all: listed, broken, with the reason."""
    where = _Where(registry, path, file_name, None, ())
    finding = Finding(
        rule=rule.id,
        severity=rule.severity,
        message=message,
        path=where.file_path,
    )
    return _broken(where, "", "", 1, [finding, *_name_finding(where)])


def _parsed(
    where: _Where, declared: Declared, frontmatter: Frontmatter, report: Report
) -> ParsedSkill:
    name = declared.name or where.directory or where.registry
    risk = _risk(where, declared, frontmatter, report)
    guesses = {
        "capability.type": declared.capability_type is None,
        "name": declared.name is None,
        "risk": declared.risk is None,
    }
    manifest = SkillManifest(
        id=f"{where.registry}/{where.path}",
        slug=fold_name(name),
        name=name,
        version=declared.version,
        description=declared.description,
        capability=_capability(where, declared),
        graph=declared.graph,
        compatibility=declared.compatibility,
        risk=risk,
        source=SourceRef(registry=where.registry, path=where.path, revision=where.revision),
        allowed_tools=declared.allowed_tools,
        tools_readable=declared.tools_readable,
        license=declared.license,
        triggers=declared.triggers,
        model_invocable=declared.model_invocable,
        metadata=declared.metadata,
        inferred=tuple(field for field, is_guess in guesses.items() if is_guess),
    )
    return ParsedSkill(
        manifest=manifest,
        body=frontmatter.body,
        body_line=frontmatter.body_line,
        state=SkillState.BROKEN if report.is_broken else SkillState.READY,
        findings=_sorted(report.findings),
    )


def _capability(where: _Where, declared: Declared) -> Capability:
    if declared.capability_type is not None:
        return declared.capability
    kind = infer_capability(declared.name or "", where.path, declared.description)
    return declared.capability.model_copy(update={"type": kind})


def _risk(where: _Where, declared: Declared, frontmatter: Frontmatter, report: Report) -> Risk:
    """The declared risk, or the one that the files show; less declared than shown is a finding."""
    order = list(Risk).index
    tools = declared.allowed_tools or ()
    shown = infer_risk(tools, frontmatter.body, where.files, where.texts)
    if not declared.tools_readable:
        shown = max(shown, Risk.CRITICAL, key=order)
    if declared.risk is None:
        return shown
    if order(declared.risk) < order(shown) and declared.risk_pair is not None:
        message = f"risk is {declared.risk}; tools, commands and scripts show {shown}."
        report.at_node(rules.RISK_UNDERSTATED, message, declared.risk_pair.value)
    return declared.risk


def _broken(
    where: _Where, description: str, body: str, body_line: int, findings: Sequence[Finding]
) -> ParsedSkill:
    """A skill of which nothing can be believed: named by its directory, closed to every tool."""
    name = where.directory or where.registry
    manifest = SkillManifest(
        id=f"{where.registry}/{where.path}",
        slug=fold_name(name),
        name=name,
        description=description,
        risk=Risk.CRITICAL,
        source=SourceRef(registry=where.registry, path=where.path, revision=where.revision),
        allowed_tools=(),
        tools_readable=False,
        model_invocable=False,
        inferred=("capability.type", "name", "risk"),
    )
    return ParsedSkill(
        manifest=manifest,
        body=body,
        body_line=body_line,
        state=SkillState.BROKEN,
        findings=_sorted(findings),
    )


def _shown_description(frontmatter: Frontmatter) -> str:
    """What can be shown of a broken skill: its description as far as legible, or its first line."""
    if frontmatter.shown is None:
        lines = (line.strip("# \t-") for line in frontmatter.body[:4_000].split("\n"))
        return next((line[:_MAX_SHOWN] for line in lines if line), "")
    for pair in frontmatter.shown.pairs:
        if pair.key.text.strip().lower() == "description":
            return fold_description(text_of(pair.value))
    return ""


def _check_file(where: _Where, frontmatter: Frontmatter, report: Report) -> None:
    """What is wrong with the file apart from its fields."""
    source = report.source
    report.findings.extend(_name_finding(where))
    if source.had_bom:
        message = "The file starts with a byte-order mark, which some hosts take for text."
        report.at(rules.BYTE_ORDER_MARK, message)
    if source.odd_line:
        message = f"Line {source.odd_line} ends in another way than the lines before it."
        report.at(rules.LINE_ENDS, message)
    if not frontmatter.body.strip():
        message = "Nothing follows the frontmatter: there is nothing to follow or run."
        report.at(rules.BODY_EMPTY, message, len(source.text))
    report.findings.extend(missing_links(source, where.files, where.path, where.texts))


def _name_finding(where: _Where) -> tuple[Finding, ...]:
    if where.file_name == SKILL_FILE:
        return ()
    rule = rules.FILE_NAME
    message = (
        f"Found, wrong file name: {where.file_name}. Rename it to {SKILL_FILE};"
        " systems that tell case apart do not see it."
    )
    return (Finding(rule=rule.id, severity=rule.severity, message=message, path=where.file_path),)


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """In the order of the file, whatever order the checks ran in."""
    key = lambda finding: (finding.path, finding.line, finding.column, finding.rule)  # noqa: E731
    return tuple(sorted(findings, key=key))
