"""All records of a workspace behind one name."""

from __future__ import annotations

from asf_core.store.decisions import DecisionRecords
from asf_core.store.edges import EdgeRecords
from asf_core.store.lookups import LookupRecords
from asf_core.store.quality import QualityRecords
from asf_core.store.registries import RegistryRecords
from asf_core.store.skills import SkillRecords


class Records(
    RegistryRecords, SkillRecords, LookupRecords, EdgeRecords, DecisionRecords, QualityRecords
):
    """Registries, skills, edges, decisions, judgements and sync runs of one database.

    Each method is one transaction. Safe to use from several threads; methods that write wait for
    one another, methods that read never wait.

    Args:
        database: Open, and at this program's schema; the caller closes it.
    """
