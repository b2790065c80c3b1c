"""Skills to give out, with the names and types that hosts are particular about."""

from __future__ import annotations

from collections.abc import Mapping

from asf_core.domain.iotype import IOType
from asf_core.domain.manifest import Compatibility
from asf_core.domain.pin import Pin
from asf_core.domain.skill import TreeEntry
from asf_core.export.values import ExportSkill
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.tree import tree_digest


def make(
    slug: str,
    *,
    id_: str | None = None,
    description: str = "Does one thing well. Use when it is needed.",
    inputs: tuple[str, ...] = (),
    files: Mapping[str, bytes] | None = None,
    reviewed: bool = True,
    compatibility: Compatibility | None = None,
) -> ExportSkill:
    id_ = id_ or f"reg/{slug}"
    contents = dict(files or {"SKILL.md": f"---\nname: {slug}\n---\n".encode()})
    tree = tuple(
        TreeEntry(
            path=path,
            kind="file",
            executable=path.endswith(".sh"),
            size=len(data),
            sha256=sha256_hex(data),
        )
        for path, data in contents.items()
    )
    return ExportSkill(
        id=id_,
        slug=slug,
        description=description,
        instructions="Do it.",
        inputs=tuple(IOType.parse(text) for text in inputs),
        version="1.0.0",
        compatibility=compatibility or Compatibility(),
        pin=Pin(skill_id=id_, version="1.0.0", content_hash="a" * 64) if reviewed else None,
        digest=tree_digest(tree),
        tree=tree,
        contents=contents,
    )


HARD = (
    make("plain-name"),
    make("with spaces and.dots/slash"),
    make("Crème brûlée"),
    make("日本語", description="日本語の説明です。"),
    make("9-starts-with-a-digit"),
    make("x" * 200),
    make("same.name", id_="one/a"),
    make("same name", id_="two/b"),
    make("Same-Name", id_="three/c"),
    make("hidden\u202ename", description="mark\x1b[31mup\u200b and [bold]markup[/bold]"),
    make("long", description="word " * 4_000 + "end"),
    make("empty", description=""),
    make(
        "typed",
        inputs=(
            "query:string", "papers:list[Paper]", "deep:list[list[list[list[list[int]]]]]",
            "maybe:int|None", "opt:Optional[bool]", "scores:dict", "where:Path", "odd.name:list",
        ),
    ),
    make("new", reviewed=False),
)  # fmt: skip
