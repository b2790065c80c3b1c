"""The rules of the base format (agentskills.io), as its validator ``skills-ref`` applies them.

Names are compared in NFKC, and letters of every script pass the validator although the text of the
format says ``a-z``; here such a name is a finding, and one that mixes scripts that look alike a
grave one. Lengths are counted in characters, after YAML's folding.
"""

from __future__ import annotations

import re
import unicodedata

from asf_core.registry import rules
from asf_core.registry.report import Report
from asf_core.registry.yamltree import Pair, Scalar

MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_COMPATIBILITY = 500
_RESERVED = ("anthropic", "claude")
# A tag or a placeholder, but not the two signs of "if a<b and c>d".
_MARKUP = re.compile(r"(?:(?<![A-Za-z0-9])<|</)[A-Za-z][^<>]{0,80}>")
_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")


def fold_name(name: str) -> str:
    """A name in the form in which names are compared: NFKC, white space around it removed."""
    return unicodedata.normalize("NFKC", name.strip())


def suggested_name(name: str) -> str:
    """The nearest name that the format allows; empty when nothing of it does."""
    ascii_text = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-")[:MAX_NAME].strip("-")


def check_name(pair: Pair, name: str, directory: str | None, report: Report) -> None:
    """Check a declared name.

    Args:
        pair: The field, for places.
        name: Its text, not empty.
        directory: Name of the skill's directory; ``None`` for the root of a registry, whose name
            depends on where it was cloned.
        report: Takes the findings.
    """
    folded = fold_name(name)
    if len(folded) > MAX_NAME:
        message = f"The name has {len(folded)} characters; at most {MAX_NAME} are allowed."
        report.at_node(rules.NAME_LENGTH, message, pair.value)
    if folded != folded.lower():
        report.at_node(
            rules.NAME_CASE, _both(f"The name {folded!r} is not lower case.", name), pair.value
        )
    if folded.startswith("-") or folded.endswith("-") or "--" in folded:
        message = f"The name {folded!r} starts or ends with a hyphen or has two in a row."
        report.at_node(rules.NAME_HYPHENS, _both(message, name), pair.value)
    _check_characters(pair, folded, report)
    if directory is not None and fold_name(directory) != folded:
        _report_directory(pair, name, directory, report)
    if any(word in folded.lower() for word in _RESERVED):
        message = f"The name {folded!r} holds a word that Claude's skill upload reserves."
        report.at_node(rules.NAME_RESERVED, message, pair.value)


def _check_characters(pair: Pair, folded: str, report: Report) -> None:
    bad = "".join(dict.fromkeys(c for c in folded if not (c.isalnum() or c == "-")))
    if bad:
        message = f"The name {folded!r} holds {bad!r}; letters, digits and hyphens are allowed."
        report.at_node(rules.NAME_CHARACTERS, _both(message, folded), pair.value)
    elif not folded.isascii():
        message = f"The name {folded!r} has letters outside a-z, which some hosts refuse."
        report.at_node(rules.NAME_CHARACTERS, message, pair.value)
    scripts = {unicodedata.name(c, "").partition(" ")[0] for c in folded if c.isalpha()}
    mixed = [script for script in _ALIKE if script in scripts]
    if len(mixed) > 1:
        message = f"The name {folded!r} mixes {' and '.join(mixed)} letters that look alike."
        report.at_node(rules.NAME_SCRIPTS, message, pair.value)


def _report_directory(pair: Pair, name: str, directory: str, report: Report) -> None:
    """The two names differ. Only where they mean one name is the field's value safe to change."""
    repair = None
    if suggested_name(name) == directory:
        repair = report.replace_value(pair, directory, "Write the name as the directory's")
    message = f"The name is {fold_name(name)!r}, the directory {directory!r}; they must be equal."
    report.at_node(rules.NAME_DIRECTORY, message, pair.value, repair=repair)


def _both(message: str, name: str) -> str:
    suggestion = suggested_name(name)
    if not suggestion or suggestion == name:
        return message
    return f"{message} Rename field and directory together, for example to {suggestion!r}."


def check_description(pair: Pair, description: str, report: Report) -> None:
    """Check a description that is not empty."""
    length = _length(pair, description)
    if length > MAX_DESCRIPTION:
        message = (
            f"The description has {length:,} characters; at most {MAX_DESCRIPTION:,} are allowed."
        )
        report.at_node(rules.DESCRIPTION_LENGTH, message, pair.value)
    if markup := _MARKUP.search(description):
        message = f"The description holds {markup.group()!r}; Claude's skill upload refuses tags."
        report.at_node(rules.DESCRIPTION_MARKUP, message, pair.value)


def check_compatibility(pair: Pair, text: str, report: Report) -> None:
    """Check the free text of ``compatibility``."""
    length = _length(pair, text)
    if length > MAX_COMPATIBILITY:
        message = (
            f"The compatibility text has {length} characters;"
            f" at most {MAX_COMPATIBILITY} are allowed."
        )
        report.at_node(rules.COMPATIBILITY_LENGTH, message, pair.value)


def _length(pair: Pair, text: str) -> int:
    """As the validator counts: with the line end that a block scalar keeps."""
    return len(pair.value.text) if isinstance(pair.value, Scalar) else len(text)
