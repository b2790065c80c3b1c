"""From frontmatter fields to the parts of a manifest."""

from __future__ import annotations

from dataclasses import dataclass

from asf_core.domain.manifest import Capability, Compatibility, Relations, Risk
from asf_core.registry import rules
from asf_core.registry.places import RELATIONS, Places
from asf_core.registry.report import Report
from asf_core.registry.spec import (
    check_compatibility,
    check_description,
    check_name,
    suggested_name,
)
from asf_core.registry.values import (
    is_empty,
    read_flag,
    read_io,
    read_names,
    read_phrases,
    read_text,
    read_tools,
    text_of,
)
from asf_core.registry.yamltree import Items, Mapping, Pair

_HOSTS = ("claude_code", "gemini", "codex", "cursor", "mcp")
_HOST_WORDS = {
    "claude": "claude_code",
    "claudecode": "claude_code",
    "geminicli": "gemini",
    "openaicodex": "codex",
    "codexcli": "codex",
    **{host.replace("_", ""): host for host in _HOSTS},
}


@dataclass(frozen=True, slots=True)
class Declared:
    """What the frontmatter says, before anything is inferred."""

    name: str | None
    version: str | None
    description: str
    capability_type: str | None
    capability: Capability
    graph: Relations
    compatibility: Compatibility
    risk: Risk | None
    risk_pair: Pair | None
    allowed_tools: tuple[str, ...] | None
    tools_readable: bool
    license: str | None
    triggers: tuple[str, ...]
    model_invocable: bool
    metadata: tuple[tuple[str, str], ...]


def read_fields(places: Places, directory: str | None, report: Report) -> Declared:
    """Read every field that the manifest knows.

    Args:
        places: The fields.
        directory: Name of the skill's directory; ``None`` for the root of a registry.
        report: Takes the findings.
    """
    tools, readable = _tools(places, report)
    risk_pair = places.ours("risk")
    capability_type, capability = _capability(places, report)
    declared = Declared(
        name=_name(places, directory, report),
        description=_description(places, report),
        version=_text(places.ours("version"), report),
        capability_type=capability_type,
        capability=capability,
        graph=_relations(places, report),
        compatibility=_compatibility(places, report),
        risk=_risk(risk_pair, report),
        risk_pair=risk_pair,
        allowed_tools=tools,
        tools_readable=readable,
        license=_text(places.base("license"), report),
        triggers=_triggers(places, report),
        model_invocable=_model_invocable(places, report),
        metadata=places.remaining(),
    )
    places.check_names()
    _check_identity(declared, report)
    return declared


def fold_description(text: str) -> str:
    """One paragraph: a folded, a literal and a quoted block give the same sentence."""
    return " ".join(text.split())


def _name(places: Places, directory: str | None, report: Report) -> str | None:
    pair = places.base("name")
    if pair is None:
        return None
    name = " ".join(read_text(pair, report).split())
    if not name:
        return None
    check_name(pair, name, directory, report)
    return name


def _description(places: Places, report: Report) -> str:
    pair = places.base("description")
    if pair is None:
        return ""
    description = fold_description(read_text(pair, report))
    if description:
        check_description(pair, description, report)
    return description


def _check_identity(declared: Declared, report: Report) -> None:
    if declared.name is None and not declared.description:
        report.at(rules.IDENTITY_MISSING, "The frontmatter gives neither name nor description.")
    elif declared.name is None:
        report.at(rules.NAME_MISSING, "The frontmatter gives no name; the directory's is used.")
    elif not declared.description:
        report.at(rules.DESCRIPTION_MISSING, "The frontmatter gives no description.")


def _text(pair: Pair | None, report: Report) -> str | None:
    if pair is None or not text_of(pair.value).strip():
        return None
    return read_text(pair, report)


def _tools(places: Places, report: Report) -> tuple[tuple[str, ...] | None, bool]:
    pair = places.base("allowed_tools")
    return (None, True) if pair is None else read_tools(pair, report)


def _capability(places: Places, report: Report) -> tuple[str | None, Capability]:
    pair = places.ours("capability")
    kind = places.inside(pair, "type") or places.ours("capability_type")
    if kind is None and pair is not None and not isinstance(pair.value, Mapping):
        kind = pair
    inputs = places.inside(pair, "inputs") or places.ours("inputs")
    outputs = places.inside(pair, "outputs") or places.ours("outputs")
    text = _text(kind, report)
    type_ = (suggested_name(text) or None) if text else None
    return type_, Capability(
        type=type_ or "general",
        inputs=read_io(inputs, report) if inputs else (),
        outputs=read_io(outputs, report) if outputs else (),
    )


def _relations(places: Places, report: Report) -> Relations:
    named: dict[str, tuple[str, ...]] = {}
    for relation in RELATIONS:
        pair = places.relation(relation)
        if pair is not None and not is_empty(pair.value):
            named[relation] = read_names(pair, report)
            if relation == "version_of" and len(named[relation]) > 1:
                message = "version_of names more than one skill; the first is taken."
                report.at_node(rules.FIELD_TYPE, message, pair.value)
    version_of = named.pop("version_of", ())
    return Relations(**named, version_of=version_of[0] if version_of else None)


def _compatibility(places: Places, report: Report) -> Compatibility:
    """A map of hosts to yes or no, a list of hosts, or the base format's free text."""
    pair = places.base("compatibility") or places.ours("compatibility")
    if pair is None or is_empty(pair.value):
        return Compatibility()
    if isinstance(pair.value, Mapping):
        return _host_map(pair, pair.value, report)
    if isinstance(pair.value, Items):
        words = read_names(pair, report)
        known = {host: True for word in words if (host := _host(word)) is not None}
        rest = ", ".join(word for word in words if _host(word) is None)
        return Compatibility(**known, note=rest or None)
    text = read_text(pair, report)
    check_compatibility(pair, text, report)
    return Compatibility(note=text)


def _host_map(pair: Pair, mapping: Mapping, report: Report) -> Compatibility:
    known: dict[str, bool] = {}
    rest = []
    for inner in mapping.pairs:
        host = _host(inner.key.text)
        if host is None:
            rest.append(f"{inner.key.text}: {text_of(inner.value)}")
        else:
            known[host] = read_flag(inner, report, when_unclear=False)
    message = "compatibility is a map; the official validator takes text of at most 500 characters."
    report.at_node(rules.FIELD_OUTSIDE_SPEC, message, pair.key)
    return Compatibility(**known, note="; ".join(rest) or None)


def _host(word: str) -> str | None:
    return _HOST_WORDS.get("".join(char for char in word.lower() if char.isalnum()))


def _risk(pair: Pair | None, report: Report) -> Risk | None:
    if pair is None:
        return None
    word = text_of(pair.value).strip().lower()
    if word in {risk.value for risk in Risk}:
        return Risk(word)
    choices = ", ".join(risk.value for risk in Risk)
    report.at_node(rules.RISK_VALUE, f"risk is {word!r}; the values are {choices}.", pair.value)
    return None


def _triggers(places: Places, report: Report) -> tuple[str, ...]:
    pairs = (places.ours("triggers"), places.base("when_to_use"))
    phrases = [phrase for pair in pairs if pair for phrase in read_phrases(pair, report)]
    return tuple(dict.fromkeys(phrases))


def _model_invocable(places: Places, report: Report) -> bool:
    pair = places.base("disable_model_invocation")
    return True if pair is None else not read_flag(pair, report, when_unclear=True)
