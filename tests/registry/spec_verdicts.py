"""What lint and the official validator say of one SKILL.md, in the same words.

Run as a script over a directory of registries, it lists every file on which the two differ::

    python -m tests.registry.spec_verdicts DIR
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from skills_ref.errors import ParseError
from skills_ref.parser import parse_frontmatter
from skills_ref.validator import validate_metadata

from asf_core.registry.parse import parse_skill
from asf_core.registry.rules import BREAKING

KINDS = {
    "format/name-missing": "name missing",
    "format/name-length": "name length",
    "format/name-case": "name case",
    "format/name-hyphens": "name hyphens",
    "format/name-characters": "name characters",
    "format/name-directory": "name directory",
    "format/description-missing": "description missing",
    "format/description-length": "description length",
    "format/compatibility-length": "compatibility",
    "format/unknown-field": "unexpected field",
    "format/field-outside-spec": "unexpected field",
    "format/flow-style": "unreadable",
    "format/frontmatter-late": "unreadable",
    "format/byte-order-mark": "unreadable",
    "format/identity-missing": "name missing",
}
"""The validator's complaint that each of lint's rules stands for."""
WORDS = {
    "Unexpected fields": "unexpected field",
    "Description exceeds": "description length",
    "ompatibility": "compatibility",
    "character limit": "name length",
    "must be lowercase": "name case",
    "a hyphen": "name hyphens",
    "consecutive hyphens": "name hyphens",
    "invalid characters": "name characters",
    "must match skill name": "name directory",
    "frontmatter: name": "name missing",
    "'name' must": "name missing",
    "frontmatter: description": "description missing",
    "'description' must": "description missing",
}
UNREADABLE = frozenset({"unreadable"})


def ours(data: bytes, directory: str) -> frozenset[str]:
    """What lint refuses, of what the validator judges."""
    findings = parse_skill(data, registry="r", path=f"skills/{directory}").findings
    kinds = set()
    for finding in findings:
        if finding.rule in BREAKING - {"format/body-empty", "format/identity-missing"}:
            return UNREADABLE
        if finding.rule == "format/name-characters" and "are allowed" not in finding.message:
            continue  # letters outside a-z, which the validator lets pass
        kinds |= {KINDS[finding.rule]} if finding.rule in KINDS else set()
        if finding.rule == "format/identity-missing":
            kinds.add("description missing")
    return UNREADABLE if "unreadable" in kinds else frozenset(kinds)


def theirs(data: bytes, directory: str) -> frozenset[str]:
    """What the official validator refuses."""
    try:
        metadata, _ = parse_frontmatter(data.decode("utf-8"))
    except (ParseError, UnicodeDecodeError):
        return UNREADABLE
    errors = validate_metadata(metadata, Path("/skills") / directory)
    return frozenset(
        next((kind for words, kind in WORDS.items() if words in error), error) for error in errors
    )


def main(root: Path) -> None:
    """Print the table of agreement, then every file on which the two differ."""
    verdicts, differing = Counter(), []
    for file in sorted(root.rglob("SKILL.md")):
        data = file.read_bytes()
        mine, official = ours(data, file.parent.name), theirs(data, file.parent.name)
        verdicts[(bool(mine), bool(official))] += 1
        if mine != official:
            path = file.parent.relative_to(root)
            differing.append(
                (
                    path,
                    sorted(mine - official),
                    sorted(official - mine),
                    bool(mine) == bool(official),
                )
            )
    print(
        {
            f"lint {'refuses' if a else 'accepts'}, validator {'refuses' if b else 'accepts'}": n
            for (a, b), n in sorted(verdicts.items())
        }
    )
    print(Counter((tuple(a), tuple(b), same) for _, a, b, same in differing))
    for path, mine, official, same in differing:
        print(
            "same verdict" if same else "OTHER VERDICT",
            path,
            "lint only:",
            mine,
            "validator only:",
            official,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
