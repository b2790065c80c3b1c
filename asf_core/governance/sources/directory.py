"""A skill directory becomes an Organization skill."""

from __future__ import annotations

from collections.abc import Mapping

from asf_core.domain.content import BoundContent, Evidence, RetrievalTerms, SourceRecord
from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.pin import Scope, SourceMode, is_semver
from asf_core.domain.refusal import Condition
from asf_core.domain.skill import Provenance, Skill, SkillState
from asf_core.domain.text import shell_word
from asf_core.governance.candidates import CandidateDraft
from asf_core.governance.checks import refuse
from asf_core.governance.sources.draft import Import, binding
from asf_core.trust.canonical import sha256_hex


def draft_directory(
    skill: Skill,
    files: Mapping[str, bytes],
    *,
    scope: Scope,
    version: str | None,
    importing: Import,
) -> CandidateDraft:
    """Make a draft of a skill that was just read.

    Args:
        skill: As it was read.
        files: The bytes that it was read from, by path.
        scope: Whom it is for.
        version: For a skill that declares none; ``None`` takes the declared one.
        importing: Who, and when.

    Raises:
        ConditionsError: Its files were refused, it cannot be read, or it has no version.
        InputError: A field is out of bounds.
    """
    manifest = skill.manifest
    what = f"{manifest.id} was not taken in"
    if skill.state is SkillState.BROKEN:
        why, mend = skill.state_reason, f"Mend its file: asf show {shell_word(manifest.id)}"
        raise refuse(what, Condition.SKILL_READABLE, why, mend)
    if skill.digest is None:
        raise _tree_refused(skill)
    instructions = skill.body.encode("utf-8")
    with binding(manifest.id):
        content = BoundContent(
            mode=SourceMode.SKILL_DIRECTORY,
            skill_id=manifest.id,
            version=_version(skill, version),
            scope=scope,
            instructions_sha256=sha256_hex(instructions),
            instructions_bytes=len(instructions),
            tools=manifest.allowed_tools if manifest.tools_readable else (),
            retrieval=RetrievalTerms(
                name=manifest.name, description=manifest.description, triggers=manifest.triggers
            ),
            tree_digest=skill.digest,
            source=source_record(skill, skill.digest),
            imported_by=importing.actor,
            imported_at=importing.at,
            evidence=_evidence(skill.provenance),
        )
    return CandidateDraft(content, skill.tree, dict(files), instructions)


def source_record(skill: Skill, digest: str) -> SourceRecord:
    """Where a skill directory's bytes are from: a commit when they are its own, else themselves."""
    manifest, origin = skill.manifest, skill.provenance
    clean = manifest.source.revision
    system = "directory" if origin.kind != "git" else "git" if clean else "git-dirty"
    return SourceRecord(
        system=system,
        id=manifest.id,
        version=manifest.version or None,
        revision=clean or f"sha256:{digest}",
    )


def is_same_source(content: BoundContent, skill: Skill) -> bool:
    """Whether a skill on disk still has the files that a version binds."""
    return skill.digest == content.tree_digest


def _version(skill: Skill, given: str | None) -> str:
    declared = skill.manifest.version
    named = skill.manifest.id
    if declared and given and declared != given:
        raise InputError(
            f"{named} declares version {declared}, not {given}",
            why="Two names for one content would be two pins of it",
            hint="Leave --version out, or change the version in the skill",
        )
    version = given or declared
    if version is None:
        why, mend = "It declares no version.", "Declare one in its frontmatter, or give --version"
    elif not is_semver(version):
        why = f"Version {version!r} is not a semantic version."
        mend = "Write it with three numbers, such as 1.10.0"
    else:
        return version
    raise refuse(f"{named} was not taken in", Condition.VERSION_DECLARED, why, mend)


def _tree_refused(skill: Skill) -> ConditionsError:
    said = [finding.message for finding in skill.findings if finding.rule.startswith("tree/")]
    return refuse(
        f"{skill.manifest.id} was not taken in",
        Condition.TREE_ACCEPTED,
        "Its files were refused, so they have no digest: " + " ".join(said[:3]),
        "Rename or remove those files, then sync and add it again",
    )


def _evidence(origin: Provenance) -> tuple[Evidence, ...]:
    facts = [
        ("remote", origin.remote),
        ("head", origin.head),
        ("commit", origin.last_commit.sha if origin.last_commit else None),
    ]
    return tuple(Evidence(kind=kind, reference=_plain(value)) for kind, value in facts if value)


def _plain(text: str) -> str:
    """Hostile text as an id takes it."""
    return "".join(c if c.isprintable() else "?" for c in text)[:400]
