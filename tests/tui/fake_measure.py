"""A measurement with every failure mode, hostile names among its nodes."""

from fake_skills import CLASSIFY, LOOKUP

from asf_core.domain.measure import (
    CommunityFigure,
    Counts,
    Explanation,
    FailureMode,
    MeasureKind,
    MeasureReport,
    Metric,
    Mode,
    NodeFigure,
    Published,
    Unread,
)


def metric(key: str, value: float, threshold: float, healthy: bool) -> Metric:
    return Metric(
        key=key,  # type: ignore[arg-type]
        title=key.upper(),
        value=value,
        threshold=threshold,
        term=min(value / threshold, 1.0),
        healthy=healthy,
        formula="12 isolated tools / 40 tools [/x]\x1b[2J",
    )


def node(skill_id: str, degree: int) -> NodeFigure:
    return NodeFigure(
        id=skill_id,
        name=skill_id.rpartition("/")[2],
        kind="skill",
        path=skill_id.partition("/")[2],
        line=1,
        degree=degree,
        note="joined to most others",
    )


def mode(kind: FailureMode, *nodes: NodeFigure) -> Mode:
    return Mode(
        mode=kind,
        because=f"{kind.value} is over its threshold",
        nodes=nodes,
        total=len(nodes),
        repair="Declare what it depends on.",
    )


REPORT = MeasureReport(
    kind=MeasureKind.REGISTRY,
    name="science",
    counts=Counts(
        files=9, modules=0, definitions=0, nodes=40, links=31, registrations=0,
        tools=40, isolated=2, communities=3, named=2, fragments=1,
    ),
    languages={},
    metrics=(
        metric("tlis", 0.3, 0.5, True),
        metric("gnci", 31.4, 20, False),
        metric("cfi", 15.0, 10, False),
    ),
    rscore=0.21,
    risk="HIGH",
    verdict="ROUTING RISK HIGH: Coupling Lock, Fragmentation Collapse",
    collapse=False,
    modes=(
        mode(FailureMode.COUPLING, node(LOOKUP, 31), node("science/x/\x1b[31mred[/x]", 12)),
        mode(FailureMode.FRAGMENTATION, node(CLASSIFY, 1)),
    ),
    hubs=(node(LOOKUP, 31), node(CLASSIFY, 9)),
    isolated=(CLASSIFY, "science/gone/nowhere"),
    communities=(
        CommunityFigure(name="research", size=20, share=0.8, ties=24, members=("a", "b\x1b[1m")),
        CommunityFigure(name=None, size=1, share=0.0, ties=0, members=("alone",)),
    ),
    shown=20,
    published=(
        Published(
            name="gemini-cli", tlis=0.71, gnci=51.1, cfi=3.2, rscore=0.31, by_our_formula=0.23,
            verdict="Coupling Lock",
        ),
    ),
    explanations=(Explanation(term="TLIS", text="share of isolated tools"),),
    unread=(Unread(path="office/x", reason="no frontmatter"),),
    left_out=("Tests are left out.",),
)  # fmt: skip
