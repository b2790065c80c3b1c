"""What a measurement says in words: definitions, published figures, repairs."""

from __future__ import annotations

from asf_core.domain.measure import Explanation, FailureMode, MeasureKind, Published
from asf_core.graph.metrics import CFI_BELOW, GNCI_BELOW, TLIS_BELOW, rscore

_PUBLISHED = (
    ("gemini-cli", 0.71, 51.1, 3.2, 0.31, "Coupling Lock"),
    ("opencode", 0.83, 8.4, 41.5, 0.26, "Tool Isolation, Fragmentation Collapse"),
    ("a clean canonical index", 0.04, 3.1, 1.8, 0.97, "healthy"),
)


def published() -> tuple[Published, ...]:
    """The published figures, each with the RScore that our normalisation gives it."""
    return tuple(
        Published(
            name=name,
            tlis=tlis,
            gnci=gnci,
            cfi=cfi,
            rscore=score,
            by_our_formula=round(rscore(tlis, gnci, cfi), 4),
            verdict=verdict,
        )
        for name, tlis, gnci, cfi, score, verdict in _PUBLISHED
    )


_COMMON = (
    (
        "degree",
        "How many distinct other nodes a node is joined to, in either direction. Links that only "
        "register a tool are not counted.",
    ),
    (
        "TLIS",
        f"Tool isolation: isolated tools / tools. A tool is isolated when its degree is at most 1. "
        f"Healthy below {TLIS_BELOW:g}. Without tools it is left out.",
    ),
    (
        "GNCI",
        f"God-node concentration: highest degree / mean degree of the nodes that have a link. "
        f"Healthy below {GNCI_BELOW:g}.",
    ),
    (
        "CFI",
        f"Fragmentation: communities / named communities (at least one). A community is named when "
        f"more than half of its members share a domain and a link holds members together; a node "
        f"without links is a community of its own. Healthy below {CFI_BELOW:g}.",
    ),
    (
        "RScore",
        f"1 - (TLIS + n(GNCI) + n(CFI)) / 3 with n(x) = min(x / threshold, 1), thresholds "
        f"{GNCI_BELOW:g} and {CFI_BELOW:g}. Below 0.4 the routing risk is high, from 0.7 on low. "
        f"The published texts leave normalisation and nodes open: compare runs of one program, and "
        f"take other people's figures as a direction.",
    ),
    (
        "community",
        "Louvain over nodes in sorted order, without chance: the same groups each run.",
    ),
)
_CODE = (
    (
        "node",
        "A module (a source file; in Go a package) or a top-level definition in it. Methods belong "
        "to their class. Modules that define nothing and join nothing are left out.",
    ),
    (
        "link",
        "A reference from a definition's body to a local or imported definition, or an import from "
        "module to module. Barrels that re-export are seen through to the definition passed on; "
        "path aliases, workspace packages and package roots are resolved.",
    ),
    (
        "tool",
        "What the code registers as a tool or command: classes whose base is named ...Tool or "
        "...Command, classes named ...Tool that can be run, decorators such as @tool or "
        "@app.command, schema objects (name, description and parameters or an action), and calls "
        "such as server.tool(), registerTool(), add_tool(), program.command().",
    ),
    (
        "registration",
        "A tool's base class, decorator or server and its place in a list of tools (in a node that "
        "names three tools or more). It makes a tool known and relates it to nothing, so it is no "
        "link. Private helpers that only one tool uses are part of that tool.",
    ),
    ("domain", "The directory, module or word of a name that members share."),
)
_REGISTRY = (
    (
        "node",
        "A skill of the canonical index: what a router can offer. Duplicates count as the skill that "
        "they stand for; skills that cannot be read, are in quarantine or declare a requirement that "
        "cannot be met are left out, and named below.",
    ),
    ("link", "Any relation between two skills but being a duplicate, whatever its direction."),
    ("tool", "Each skill is a tool."),
    ("domain", "The capability type, directory or word of a name that members share."),
)


def explanations(kind: MeasureKind) -> tuple[Explanation, ...]:
    """What the words of the report mean."""
    own = _CODE if kind is MeasureKind.CODEBASE else _REGISTRY
    return tuple(Explanation(term=term, text=text) for term, text in (*own, *_COMMON))


_REPAIRS = {
    (MeasureKind.CODEBASE, FailureMode.ISOLATION): (
        "Give each isolated tool something that a router can follow: inputs and outputs of types "
        "that other tools share, a service used together, a declared next or required tool. Merge "
        "tools that differ in name only, and drop those that nothing needs."
    ),
    (MeasureKind.CODEBASE, FailureMode.COUPLING): (
        "Split what everything reaches by what its callers use of it, and pass them that part "
        "instead of the whole. Start with the node named first; a configuration object goes into "
        "one small value for each area."
    ),
    (MeasureKind.CODEBASE, FailureMode.FRAGMENTATION): (
        "Join loose modules to the code that uses them, or delete them; move groups that work "
        "together into one directory or package and name it for what they do."
    ),
    (MeasureKind.REGISTRY, FailureMode.ISOLATION): (
        "Declare what each isolated skill needs and goes with (depends_on, complements, "
        "co_used_with), with typed inputs and outputs. Merge near-duplicates; retire skills that "
        "relate to nothing."
    ),
    (MeasureKind.REGISTRY, FailureMode.COUPLING): (
        "Split the skill that everything names into smaller ones, each for one task, and point "
        "every relation at the part that it means. Drop relations that only say 'see also'."
    ),
    (MeasureKind.REGISTRY, FailureMode.FRAGMENTATION): (
        "Give the skills that work together one domain: a common directory or capability type. "
        "Cut relations that cross domains for no reason, and relate skills that stand alone."
    ),
}


def repair(kind: MeasureKind, mode: FailureMode) -> str:
    """What to do about a failure mode."""
    return _REPAIRS[kind, mode]
