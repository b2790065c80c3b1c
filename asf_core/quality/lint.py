"""What the skills of one registry break together, beyond what each breaks by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from asf_core.domain.findings import Finding, Severity
from asf_core.quality.scan.disguise import look_alike_key
from asf_core.registry import rules
from asf_core.registry.spec import fold_name
from asf_core.registry.tree import join


@dataclass(frozen=True, slots=True)
class NamedSkill:
    """A skill's name and where it stands."""

    path: str
    """Of its directory inside the registry."""
    name: str
    file_name: str
    digest: str | None


def names_in_conflict(skills: Sequence[NamedSkill]) -> Iterator[Finding]:
    """Find names that are given twice, and names that read like others.

    Args:
        skills: All skills of one registry.
    """
    by_key: dict[str, list[NamedSkill]] = defaultdict(list)
    for skill in skills:
        by_key[look_alike_key(skill.name)].append(skill)
    for group in by_key.values():
        if len(group) > 1:
            yield from _group(sorted(group, key=lambda skill: skill.path))


def _group(group: Sequence[NamedSkill]) -> Iterator[Finding]:
    for skill in group:
        same = [o for o in group if o is not skill and fold_name(o.name) == fold_name(skill.name)]
        alike = [o for o in group if fold_name(o.name) != fold_name(skill.name)]
        if alike and not skill.name.isascii():
            message = f"The name {skill.name!r} reads like {alike[0].name!r} of {alike[0].path}."
            yield _finding(rules.REGISTRY_LOOK_ALIKE, message, skill)
        if same:
            copies = sum(other.digest == skill.digest is not None for other in same)
            what = "with the same bytes" if copies == len(same) else "with other content"
            paths = ", ".join(other.path for other in same[:5])
            more = f" and {len(same) - 5} more" if len(same) > 5 else ""
            message = f"The name {skill.name!r} is also that of {paths}{more}, {what}."
            severity = Severity.INFO if copies == len(same) else rules.REGISTRY_NAME_TWICE.severity
            yield _finding(rules.REGISTRY_NAME_TWICE, message, skill, severity)


def _finding(
    rule: rules.Rule, message: str, skill: NamedSkill, severity: Severity | None = None
) -> Finding:
    path = join(skill.path, skill.file_name)
    return Finding(rule=rule.id, severity=severity or rule.severity, message=message, path=path)
