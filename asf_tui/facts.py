"""A skill's facts as blocks: manifest, findings, provenance. Pure: values in, blocks out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from textual.content import Content

from asf_core.domain.findings import Finding
from asf_core.domain.manifest import Compatibility, Relations, SkillManifest
from asf_core.domain.skill import Commit, Provenance, Skill, SkillState
from asf_tui.blocks import BLANK, Block, Code, Grid, Pairs, Rule, Text
from asf_tui.glyphs import Glyphs, Verdict
from asf_tui.text import amount, block, line, when

Pair = tuple[str, Content]

NONE = Content.styled("none", "$quiet")
UNKNOWN = Content.styled("not known", "$quiet")

_HOSTS = {
    "claude_code": "Claude Code",
    "gemini": "Gemini",
    "codex": "Codex",
    "cursor": "Cursor",
    "mcp": "MCP",
}


def verdict(judgement: Verdict, suffix: str = "") -> Content:
    """A verdict in glyph, word and colour."""
    return Content.styled(f"{judgement.glyph} {judgement.word}{suffix}", judgement.tone.style)


def manifest(value: SkillManifest, glyphs: Glyphs) -> tuple[Block, ...]:
    """What a skill declares, and what was inferred in its stead."""
    said = _Said(value)
    capability, risk = value.capability, verdict(glyphs.risk(value.risk))
    main: list[Pair] = [
        ("id", line(value.id)),
        ("name", said("name", line(value.name))),
        ("version", said("version", line(value.version) if value.version else NONE)),
        ("type", said("capability.type", line(capability.type))),
        ("takes", said("capability.inputs", _joined(map(str, capability.inputs)))),
        ("gives", said("capability.outputs", _joined(map(str, capability.outputs)))),
        ("risk", said("risk", risk)),
        ("tools", _tools(value.allowed_tools)),
        ("licence", said("license", line(value.license) if value.license else NONE)),
        ("triggers", _joined(value.triggers, "\n")),
        ("hosts", _hosts(value.compatibility)),
        ("routed", _routed(value)),
        ("quality", _quality(value)),
    ]
    blocks: list[Block] = [Pairs(main)]
    blocks += _section("Description", [Text(block(value.description or "none"))])
    blocks += _section("Declared relations", _relations(value.graph))
    if value.metadata:
        rows = [(line(key).plain, block(text)) for key, text in value.metadata]
        blocks += _section("Other fields", [Pairs(rows)])
    return tuple(blocks)


class _Said:
    """Marks what was inferred, so that nobody takes it for the author's word."""

    def __init__(self, value: SkillManifest) -> None:
        self._inferred = set(value.inferred)

    def __call__(self, field: str, content: Content) -> Content:
        if field not in self._inferred:
            return content
        return Content.assemble(content, ("  inferred", "$quiet italic"))


def _joined(texts: Iterable[str], between: str = ", ") -> Content:
    lines = [line(text) for text in texts]
    return Content(between).join(lines) if lines else NONE


def _tools(tools: Sequence[str] | None) -> Content:
    if tools is None:
        return Content.styled("not declared", "$quiet")
    return _joined(tools) if tools else Content.styled("declares that it needs none", "$quiet")


def _hosts(value: Compatibility) -> Content:
    parts = [
        f"{name} {'yes' if known else 'no'}"
        for field, name in _HOSTS.items()
        if (known := getattr(value, field)) is not None
    ]
    if value.note:
        parts.append(value.note)
    return _joined(parts) if parts else Content.styled("does not say", "$quiet")


def _routed(value: SkillManifest) -> Content:
    if value.model_invocable:
        return Content("by itself, when a task needs it")
    return Content.styled("never by itself: disable-model-invocation", "$warn")


def _quality(value: SkillManifest) -> Content:
    quality = value.quality
    if quality.slop_score is None:
        return Content.styled("not measured yet", "$quiet")
    text = f"{quality.slop_score:.2f} of 1"
    if quality.description_uniqueness is not None:
        text += f", description unique to {quality.description_uniqueness:.2f}"
    return Content(text + (", a duplicate" if quality.is_duplicate else ""))


def _relations(value: Relations) -> list[Block]:
    rows: list[Pair] = [
        (name.replace("_", " "), _joined(refs))
        for name, refs in (
            ("depends_on", value.depends_on),
            ("required_sub_skills", value.required_sub_skills),
            ("complements", value.complements),
            ("co_used_with", value.co_used_with),
            ("conflicts_with", value.conflicts_with),
            ("tested_by", value.tested_by),
            ("extends", value.extends),
            ("version_of", (value.version_of,) if value.version_of else ()),
        )
        if refs
    ]
    return [Pairs(rows)] if rows else [Text(Content.styled("None in the frontmatter.", "$quiet"))]


def _section(title: str, blocks: Iterable[Block]) -> list[Block]:
    return [BLANK, Rule(title), *blocks]


def findings(skill: Skill, glyphs: Glyphs) -> tuple[Block, ...]:
    """What the checks found, the worst first, each with its place and its repair."""
    blocks: list[Block] = []
    if skill.state is not SkillState.READY:
        state = verdict(glyphs.state(skill.state))
        blocks += [
            Text(Content.assemble(state, ": ", line(skill.state_reason or "no reason"))),
            BLANK,
        ]
    if not skill.findings:
        return (*blocks, Text(Content.styled(f"{glyphs.ready} No findings.", "$good")))
    for finding in sorted(skill.findings, key=lambda f: (-f.severity.rank, f.path, f.line)):
        blocks += _finding(finding, glyphs)
    return tuple(blocks)


def _finding(finding: Finding, glyphs: Glyphs) -> Iterator[Block]:
    judgement = verdict(glyphs.severity(finding.severity))
    place = line(f"{finding.path}:{finding.line}:{finding.column}", "$quiet")
    yield Text(Content.assemble(judgement, "  ", line(finding.rule, "bold"), "  ", place))
    yield Text(line(finding.message), "  ", "  ")
    if finding.snippet:
        yield Code(block(finding.snippet.rstrip("\n")).plain, prefix="  ")
    if finding.repair is not None:
        repair = finding.repair
        lines = f"line {repair.line}" + (
            f" to {repair.end_line}" if repair.end_line > repair.line else ""
        )
        yield Text(
            Content.assemble(("Repair ", "$good"), line(repair.summary), f" ({lines})"), "  ", "  "
        )
    yield BLANK


def provenance(skill: Skill, glyphs: Glyphs) -> tuple[Block, ...]:
    """Where the bytes come from, what they are, and what cannot be known."""
    value = skill.provenance
    rows: list[Pair] = [
        ("state", verdict(glyphs.state(skill.state))),
        ("digest", line(skill.digest) if skill.digest else _refused()),
        ("revision", line(skill.manifest.source.revision or "") or UNKNOWN),
        ("directory", line(f"{skill.manifest.source.registry}/{skill.manifest.source.path}")),
        ("source", Content("git" if value.kind == "git" else "a directory, not in git")),
    ]
    rows += _git(value, glyphs) if value.kind == "git" else []
    if value.note:
        rows.append(("note", line(value.note, "$warn")))
    blocks: list[Block] = [Pairs(rows)]
    if value.last_commit is not None:
        blocks += _section("Last commit", [Pairs(_commit(value.last_commit))])
    return (*blocks, *_section(f"Files: {len(skill.tree)}", [_files(skill)]))


def _refused() -> Content:
    return Content.styled("none: the tree was refused, see Findings", "$bad")


def _git(value: Provenance, glyphs: Glyphs) -> list[Pair]:
    if value.dirty is None:
        changed = UNKNOWN
    elif value.dirty:
        changed = Content.styled(
            f"{glyphs.severities[2]} dirty: the bytes differ from the commit", "$warn"
        )
    else:
        changed = Content.styled(
            f"{glyphs.ready} clean: the bytes are those of the commit", "$good"
        )
    tracked = {True: "yes", False: "no", None: "not known"}[value.tracked]
    return [
        ("work tree", changed),
        ("tracked", Content(tracked)),
        ("repository", line(value.repository or "") or UNKNOWN),
        ("remote", line(value.remote or "") or NONE),
        ("branch", line(value.branch or "") or Content.styled("none", "$quiet")),
        ("head", line(value.head or "") or UNKNOWN),
    ]


def _commit(value: Commit) -> list[Pair]:
    return [
        ("subject", line(value.subject)),
        ("author", line(value.author)),
        ("when", Content(when(value.when))),
        ("commit", line(value.sha)),
    ]


def _files(skill: Skill) -> Block:
    rows = [
        (
            line(entry.path),
            Content(amount(entry.size)),
            Content("symlink" if entry.kind == "symlink" else "runs" if entry.executable else ""),
            line(entry.sha256[:12], "$quiet"),
        )
        for entry in skill.tree
    ]
    return Grid([Content(title) for title in ("path", "bytes", "kind", "SHA-256")], rows)
