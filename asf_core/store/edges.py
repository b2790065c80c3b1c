"""Records of the skill knowledge graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import delete, insert, or_, select

from asf_core.domain.findings import Finding, SkillFinding
from asf_core.domain.graph import Edge, EdgeEvidence, EdgeKind, EdgeOrigin
from asf_core.domain.routing import Link
from asf_core.store.group import RecordGroup
from asf_core.store.tables import dangling, edges


class EdgeRecords(RecordGroup):
    """Edges between the skills of the workspace, and the names that led nowhere."""

    def replace_edges(self, new: Iterable[Edge], dangling_names: Sequence[SkillFinding]) -> None:
        """Put a whole graph in place of the last one.

        Args:
            new: One a pair; both ends are skills of the workspace.
            dangling_names: Relations whose name resolves to no skill.

        Raises:
            StoreError: An end is no skill of the workspace, or a pair comes twice; the last
                graph stays.
        """
        rows = [
            {"source": edge.source, "target": edge.target, "edge": edge.model_dump_json()}
            for edge in new
        ]
        lost = [
            {
                "position": at,
                "skill_id": lost.skill_id,
                "finding": lost.finding.model_dump_json(),
            }
            for at, lost in enumerate(dangling_names)
        ]
        with self._database.write() as connection:
            for table, values in ((edges, rows), (dangling, lost)):
                connection.execute(delete(table))
                if values:
                    connection.execute(insert(table), values)

    def edges(self) -> tuple[Edge, ...]:
        """The whole graph, by source and target."""
        query = select(edges.c.edge).order_by(edges.c.source, edges.c.target)
        with self._understood(), self._database.read() as connection:
            return tuple(map(Edge.model_validate_json, connection.scalars(query)))

    def edges_of(self, skill_id: str) -> tuple[Edge, ...]:
        """The edges that start or end at a skill, by source and target."""
        query = (
            select(edges.c.edge)
            .where(or_(edges.c.source == skill_id, edges.c.target == skill_id))
            .order_by(edges.c.source, edges.c.target)
        )
        with self._understood(), self._database.read() as connection:
            return tuple(map(Edge.model_validate_json, connection.scalars(query)))

    def dangling(self, skill_id: str | None = None) -> tuple[Finding, ...]:
        """Relations of one skill, or of any, whose name resolves to no skill, in order."""
        query = select(dangling.c.finding).order_by(dangling.c.position)
        if skill_id is not None:
            query = query.where(dangling.c.skill_id == skill_id)
        with self._understood(), self._database.read() as connection:
            return tuple(map(Finding.model_validate_json, connection.scalars(query)))

    def dangling_names(self) -> tuple[SkillFinding, ...]:
        """The same of every skill, each with the skill that it is about, in order."""
        query = select(dangling.c.skill_id, dangling.c.finding).order_by(dangling.c.position)
        with self._database.read() as connection:
            return tuple(
                SkillFinding(skill_id=skill_id, finding=Finding.model_validate_json(text))
                for skill_id, text in connection.execute(query)
            )

    def links(self) -> tuple[Link, ...]:
        """The graph as the walk sees it: one a pair and kind, by source, target and kind.

        Ambiguous relations are left out: a skill must not enter a plan because a name could also
        mean it.
        """
        return links_of(self.edges())


def links_of(edges: Iterable[Edge]) -> tuple[Link, ...]:
    """Edges as the walk sees them: see :meth:`EdgeRecords.links`."""
    return tuple(link for edge in edges for link in _links_of(edge))


def _links_of(edge: Edge) -> Iterator[Link]:
    # An edge names its kind by the strongest evidence; the others (a conflict, say) hold too.
    sure: dict[EdgeKind, float] = {}
    claims: tuple[Edge | EdgeEvidence, ...] = (edge, *edge.evidence)
    for said in claims:
        if said.origin is not EdgeOrigin.AMBIGUOUS:
            sure[said.kind] = max(said.confidence, sure.get(said.kind, 0.0))
    for kind in sorted(sure):
        yield Link(edge.source, edge.target, kind, sure[kind])
