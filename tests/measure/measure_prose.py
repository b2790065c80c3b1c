"""Instructions of made-up skills that the gate takes for real ones: each says something of its own."""

from __future__ import annotations

import random


def _words(text: str) -> list[str]:
    return text.split()


_TOOLS = _words(
    "jq awk tar curl psql ffmpeg rsync openssl sqlite3 pandoc gdal exiftool mbox duckdb xsltproc"
)
_THINGS = _words(
    "ledger invoice sensor harvest tariff voucher manifest gradient caption parcel roster beacon "
    "quarry spindle lattice turbine orchard clinic parish stanza kernel ballast cipher dossier "
    "easel furnace gasket hangar inkwell jetty kiln lantern mortar nozzle oxbow pylon quiver rivet"
)
_VERBS = _words(
    "export rotate merge archive sample calibrate rename transcode digest compare restore split "
    "label mirror audit flatten"
)
_FAULTS = (
    "times out", "loses its last row", "comes back empty", "doubles every entry", "drops the header",
    "overwrites yesterday's copy", "needs another key", "hides a zero", "stops halfway",
)  # fmt: skip


def description(name: str, seed: str) -> str:
    """One that says what and when, unlike any other."""
    rng = random.Random(f"description {seed}")
    a, b, c, d = rng.sample(_THINGS, 4)
    verb, other = rng.sample(_VERBS, 2)
    return (
        f"{verb.capitalize()} {a} and {b} files of the {c} office and {other} the {d} table that they "
        f"feed. Use when a {a} {rng.choice(_FAULTS)}, or before {name} goes to the {d} desk."
    )


def body(name: str, seed: str) -> str:
    """Steps with commands, numbers, conditions and a warning, each drawn for this skill."""
    rng = random.Random(f"body {seed}")
    lines = [f"# {name}", ""]
    for number in range(1, rng.randint(6, 9)):
        tool, thing, other = rng.choice(_TOOLS), *rng.sample(_THINGS, 2)
        verb, size, fault = rng.choice(_VERBS), rng.randint(3, 900), rng.choice(_FAULTS)
        lines.append(
            rng.choice(
                (
                    f"{number}. `{tool} --{verb} {thing}.dat --limit {size}`; if it {fault}, keep the "
                    f"{other} of the day before and note {size} as the last good line.",
                    f"{number}. Open the {thing} with `{tool}` and look at row {size}. Unless its {other} "
                    f"is filled, {verb} nothing: an empty {other} {fault} {rng.randint(2, 40)} hours later.",
                    f"{number}. Never {verb} a {thing} over {size} MB in one go, because `{tool}` {fault}; "
                    f"cut it at the {other} marks and count the pieces.",
                    f"{number}. When {other} and {thing} differ by more than {rng.randint(2, 30)}%, stop. Ask "
                    f"who wrote the {other}, and put the answer beside line {size} before you {verb} again.",
                )
            )
        )
    return "\n".join(lines) + "\n"
