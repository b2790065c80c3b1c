"""Colour themes. Each gives every :class:`~asf_tui.glyphs.Tone` a colour that can be read.

``$good``, ``$warn``, ``$bad``, ``$note`` and ``$quiet`` are text colours with a contrast of at
least 4.5 on ``$background``, ``$surface``, ``$panel`` and the cursor's bar; a test computes it.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping

from textual.theme import Theme

DEFAULT = "asf-dark"
MONOCHROME = "asf-mono"


def _theme(
    name: str,
    *,
    dark: bool,
    colours: Mapping[str, str],
    background: str,
    surface: str,
    panel: str,
    foreground: str,
    primary: str,
    cursor: str,
) -> Theme:
    return Theme(
        name=name,
        dark=dark,
        primary=primary,
        secondary=colours["note"],
        accent=colours["note"],
        success=colours["good"],
        warning=colours["warn"],
        error=colours["bad"],
        foreground=foreground,
        background=background,
        surface=surface,
        panel=panel,
        variables={
            **colours,
            "cursor": cursor,
            "text-success": colours["good"],
            "text-warning": colours["warn"],
            "text-error": colours["bad"],
            "text-accent": colours["note"],
            "text-muted": colours["quiet"],
            "text-disabled": colours["quiet"],
            "foreground-muted": colours["quiet"],
            "border": primary,
            "border-blurred": panel,
            "block-cursor-background": cursor,
            "block-cursor-foreground": foreground,
            "block-cursor-blurred-background": panel,
            "block-cursor-blurred-foreground": foreground,
            "block-hover-background": surface,
            "input-cursor-background": foreground,
            "input-cursor-foreground": background,
            "input-cursor-text-style": "none",
            "input-selection-background": cursor,
            "scrollbar": panel,
            "scrollbar-hover": colours["quiet"],
            "scrollbar-active": primary,
            "scrollbar-background": background,
            "scrollbar-background-hover": background,
            "scrollbar-background-active": background,
            "scrollbar-corner-color": background,
        },
    )


DARK = _theme(
    DEFAULT,
    dark=True,
    background="#12151b",
    surface="#191d25",
    panel="#262c37",
    foreground="#d9dee7",
    primary="#6cb2f2",
    cursor="#2a3f58",
    colours={
        "good": "#86d39a",
        "warn": "#eabf5c",
        "bad": "#ff8f8f",
        "note": "#8ec7ff",
        "quiet": "#a5afbe",
        "match": "#ffd479",
        "code": "#1e242e",
    },
)

LIGHT = _theme(
    "asf-light",
    dark=False,
    background="#fcfbf8",
    surface="#f4f2ec",
    panel="#e6e3da",
    foreground="#23282f",
    primary="#0b5cad",
    cursor="#cfe0f5",
    colours={
        "good": "#17602f",
        "warn": "#7a4700",
        "bad": "#a81c15",
        "note": "#0a4f96",
        "quiet": "#515963",
        "match": "#8a3b00",
        "code": "#efece4",
    },
)

SAFE = _theme(
    "asf-safe",
    dark=True,
    background="#101215",
    surface="#171a1f",
    panel="#242830",
    foreground="#e4e6ea",
    primary="#e69f00",
    cursor="#33363c",
    colours={
        "good": "#56b4e9",  # Okabe-Ito sky blue
        "warn": "#f0e442",  # Okabe-Ito yellow
        "bad": "#ff8a4c",  # Okabe-Ito vermillion, lightened until it can be read on the cursor
        "note": "#e3a3c8",  # Okabe-Ito reddish purple, lightened for the same reason
        "quiet": "#a3a9b3",
        "match": "#f0e442",
        "code": "#1c2026",
    },
)

# No colour at all: the terminal's own foreground and background, told apart by weight and reverse.
MONO = Theme(
    name=MONOCHROME,
    ansi=True,
    primary="ansi_default",
    secondary="ansi_default",
    warning="ansi_default",
    error="ansi_default",
    success="ansi_default",
    accent="ansi_default",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        **dict.fromkeys(
            (
                "good",
                "warn",
                "bad",
                "note",
                "quiet",
                "match",
                "code",
                "cursor",
                "border",
                "border-blurred",
                "block-cursor-foreground",
                "block-cursor-background",
                "ansi-background",
                "ansi-foreground",
                "input-cursor-background",
                "input-cursor-foreground",
                "input-selection-background",
                "input-selection-foreground",
                "screen-selection-background",
                "screen-selection-foreground",
                "footer-key-foreground",
            ),
            "ansi_default",
        ),
        "input-cursor-text-style": "reverse",
        "block-cursor-text-style": "reverse",
    },
)

THEMES = (DARK, LIGHT, SAFE, MONO)

TITLES = {
    DARK.name: "Dark",
    LIGHT.name: "Light",
    SAFE.name: "Colour-blind safe",
    MONO.name: "No colour",
}
"""What each theme is called on screen."""


def named(name: str) -> Theme | None:
    """One of our themes, by its whole name or without the prefix."""
    wanted = name.casefold()
    return next((t for t in THEMES if wanted in {t.name, t.name.removeprefix("asf-")}), None)


def no_colour(environ: MutableMapping[str, str]) -> bool:
    """Whether the environment asks for no colour.

    An empty ``NO_COLOR`` counts as not set, as its convention has it; Textual counts it as set, so
    it is taken out of the environment.
    """
    if environ.get("NO_COLOR") == "":
        del environ["NO_COLOR"]
    return "NO_COLOR" in environ
