import pytest

from asf_core.domain.iotype import IOType


@pytest.mark.parametrize(
    "type_",
    ["list[Paper]", "Callable[[int], str]", "tuple[int, ...]", "{a: [b]}", "f(x)", "str | None"],
)
def test_types_with_matching_brackets_are_read(type_: str) -> None:
    assert IOType.parse(f"a:{type_}").name == "a"


@pytest.mark.parametrize("type_", ["list[", "list]", "][", "list[str)", "f(x", "{[}]", "[[]"])
def test_brackets_that_do_not_match_are_refused(type_: str) -> None:
    with pytest.raises(ValueError, match="do not match"):
        IOType.parse(f"a:{type_}")
