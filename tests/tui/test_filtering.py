"""The filter: what it understands, and that its short cuts change nothing."""

import pytest
from fake_engine import FakeEngine
from fake_skills import many_rows
from hypothesis import given
from hypothesis import strategies as st

from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillState
from asf_tui.filtering import ORDERS, Query, SkillIndex, highlighter

INDEX = SkillIndex(FakeEngine().skills())
MANY = SkillIndex(many_rows(400))
FEW = many_rows(60)


def slugs(text: str, order: str = "name") -> list[str]:
    return [INDEX.rows[i].slug for i in INDEX.match(Query.parse(text), order)]


FOUND = {
    "a word in the name": ("pd-l1", {"classify-pd-l1-tps"}),
    "case does not matter": ("PD-L1", {"classify-pd-l1-tps"}),
    "all words must occur": ("slide outline", {"slide-deck"}),
    "two words as they stand": ('"meeting notes"', set()),
    "an open quote": ('"slide deck', {"slide-deck"}),
    "not": ("slide -slide", set()),
    "not a prefix": ("slide -registry:office", set()),
    "state": ("state:quarantined", {"helper", "meeting-notes"}),
    "start of a state": ("state:q", {"helper", "meeting-notes"}),
    "state and word": ("state:broken front", {"no-frontmatter"}),
    "risk": ("risk:unsafe", {"meeting-notes"}),
    "registry and risk": ("registry:eng risk:critical", {"deploy-service"}),
    "type": ("type:verif", {"citation-verifier"}),
    "has": ("has:dirty", {"citation-verifier"}),
    "a prefix that is not known is text": ("http://", set()),
    "text of the id": ("cases/esc", {"esc-title"}),
    "brackets are text": ("[/unopened]", {"closing-tag"}),
    "wide signs": ("論文", {"wide-signs"}),
    "composed or not": ("e\u0301", {"wide-signs"}),
}


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND.keys())
def test_filter_finds(text: str, expected: set[str]) -> None:
    assert set(slugs(text)) == expected


@pytest.mark.parametrize("text", ["", "   ", "state:", "registry: ", '""'])
def test_what_is_not_typed_yet_hides_nothing(text: str) -> None:
    assert len(slugs(text)) == len(INDEX.rows)


@pytest.mark.parametrize("text", ["state:foo", "risk:high", "has:bugs"])
def test_a_value_that_there_is_not_is_said_in_words(text: str) -> None:
    query = Query.parse(text)
    assert query.problem.startswith(f"{text.partition(':')[0]}: is one of ")
    assert INDEX.match(query) == []


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_holds_every_row_once(order: str) -> None:
    assert sorted(MANY.ordered(order)) == list(range(400))


def test_the_worst_comes_first() -> None:
    rows = [MANY.rows[i] for i in MANY.ordered("findings")]
    ranks = [row.worst.rank if row.worst else -1 for row in rows]
    assert ranks == sorted(ranks, reverse=True)


def test_names_that_match_come_before_descriptions_that_do() -> None:
    found = [MANY.rows[i].slug for i in MANY.match(Query.parse("deploy"))]
    named = ["deploy" in slug for slug in found]
    assert named == sorted(named, reverse=True)
    assert any(named)
    assert not all(named)


@given(st.lists(st.text(alphabet='review-deploy: "stat', max_size=12), max_size=6))
def test_narrowing_gives_what_a_search_from_the_start_gives(typed: list[str]) -> None:
    used = SkillIndex(FEW)
    for text in typed:
        query = Query.parse(text)
        assert used.match(query) == SkillIndex(FEW).match(query)


@given(st.text(max_size=40))
def test_no_text_breaks_the_filter(text: str) -> None:
    query = Query.parse(text)
    MANY.match(query)
    highlighter(query)


def test_facets_agree_with_the_rows() -> None:
    for risk in Risk:
        found = {MANY.rows[i].id for i in MANY.match(Query.parse(f"risk:{risk.value}"))}
        assert found == {row.id for row in MANY.rows if row.risk is risk}
    for state in SkillState:
        found = {MANY.rows[i].id for i in MANY.match(Query.parse(f"state:{state.value}"))}
        assert found == {row.id for row in MANY.rows if row.state is state}
