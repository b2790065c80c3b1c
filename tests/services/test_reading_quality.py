"""The canonical index of a registry that no workspace holds."""

from __future__ import annotations

from asf_core.registry.source import RegistrySource
from asf_core.services.reading_quality import aliases_of, read_for_quality
from tests.whole.process import SAMPLE


def test_the_samples_aliases_show_where_texts_or_descriptions_are_equal() -> None:
    with RegistrySource.open(SAMPLE, "s") as source:
        pairs = [source.read_with_tree(found) for found in source.discover().skills]
    skills = [skill for skill, _ in pairs]
    trees = {skill.manifest.id: tree for skill, tree in pairs if tree is not None}
    copy = {
        "s/media/describe-images": "s/media/alt-text-writer",
        "s/office/csv-data-audit": "s/science/csv-data-audit",
    }
    assert aliases_of(skills) == copy
    # A paraphrase is of one subject by its description's vector only: there is none here.
    assert aliases_of(reversed(skills), trees) == copy


def test_facts_hold_the_scripts() -> None:
    facts = {skill.manifest.slug: facts for skill, facts in read_for_quality(SAMPLE, "s")}
    assert [one.path for one in facts["log-triage"].scripts] == ["scripts/patterns.py"]
    assert facts["slide-deck-storyline"].scripts == ()
