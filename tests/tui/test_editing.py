"""Which file is opened in the editor, and with what."""

from pathlib import Path

import pytest

from asf_core.domain.errors import InputError, MissingError, RefusedError
from asf_tui import editing


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    skill = tmp_path / "registry" / "skills" / "pdf"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: pdf\n---\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text("secret")
    return tmp_path / "registry"


def test_the_file_of_a_skill(registry: Path) -> None:
    found = editing.skill_file(registry, "skills/pdf")
    assert found == (registry / "skills/pdf/SKILL.md").resolve()


def a_path_upwards(registry: Path) -> str:
    return "../outside"


def an_absolute_path(registry: Path) -> str:
    return str(registry.parent / "outside")


def a_linked_directory(registry: Path) -> str:
    (registry / "skills/link").symlink_to(registry.parent / "outside")
    return "skills/link"


def a_linked_file(registry: Path) -> str:
    (registry / "skills/pdf/SKILL.md").unlink()
    (registry / "skills/pdf/SKILL.md").symlink_to(registry.parent / "outside/SKILL.md")
    return "skills/pdf"


@pytest.mark.parametrize(
    "case", [a_path_upwards, an_absolute_path, a_linked_directory, a_linked_file]
)
def test_nothing_outside_the_registry_is_opened(registry: Path, case: object) -> None:
    directory = case(registry)  # type: ignore[operator]
    with pytest.raises(RefusedError, match="was not opened"):
        editing.skill_file(registry, directory)


def test_a_file_that_has_gone_is_told(registry: Path) -> None:
    with pytest.raises(InputError, match=r"no SKILL\.md"):
        editing.skill_file(registry, "skills/gone")


EDITORS = {
    "visual first": ({"VISUAL": "code --wait", "EDITOR": "ed"}, ["code", "--wait"]),
    "then editor": ({"VISUAL": "", "EDITOR": "emacs -nw"}, ["emacs", "-nw"]),
    "quoted": ({"EDITOR": "'/opt/my editor/e' -x"}, ["/opt/my editor/e", "-x"]),
}


@pytest.mark.parametrize(("environ", "command"), EDITORS.values(), ids=EDITORS.keys())
def test_the_editor_is_the_one_that_is_asked_for(
    environ: dict[str, str], command: list[str]
) -> None:
    assert editing.editor(environ) == command


def test_no_editor_at_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingError, match="no editor"):
        editing.editor({})
