#!/usr/bin/env python3
"""Write a bar chart of counts as an SVG in journal style and print its path.

Exit codes: 0 written, 1 nothing to draw, 2 wrong usage or unreadable input.
"""

import argparse
import json
import sys
from html import escape
from pathlib import Path

MM = 72 / 25.4  # points a millimetre; the drawing's unit is the point
PRESETS = {"column": (88, 7, 0.75), "page": (178, 8, 0.75), "slide": (240, 18, 1.5)}
HUES = ["#0072B2", "#E69F00", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"]
RAMP = ["#C6DBEF", "#6BAED6", "#2171B5", "#08519C", "#083579", "#041E49"]


def nice_top(value):
    """Smallest of 1, 2, 5 times a power of ten, times at most 10, that is not below value."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if factor * step * 5 >= value:
                tick = factor * step
                return tick * -(-value // tick), tick
        step *= 10


def draw(counts, title, preset, colours):
    """SVG text for labelled, non-negative counts."""
    width_mm, font, line = PRESETS[preset]
    width, height = width_mm * MM, width_mm * MM * 0.72
    left, right, top, bottom = font * 4, font, font * 4.5, font * 3
    total = sum(counts.values())
    limit, tick = nice_top(max(counts.values()))
    plot_w, plot_h = width - left - right, height - top - bottom
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width_mm}mm" '
           f'height="{height / MM:.1f}mm" viewBox="0 0 {width:.1f} {height:.1f}" '
           f'font-family="Helvetica, Arial, sans-serif" font-size="{font}">',
           f"<title>{escape(title)}</title>"]

    def text(x, y, words, anchor="middle", weight="normal"):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
                   f'font-weight="{weight}">{escape(words)}</text>')

    text(left, font * 1.5, title, "start", "bold")
    text(left, font * 2.8, f"n = {total}", "start")
    for step in range(0, int(limit) + 1, int(tick)):
        y = top + plot_h * (1 - step / limit)
        out.append(f'<line x1="{left - 3:.1f}" x2="{left:.1f}" y1="{y:.1f}" y2="{y:.1f}" '
                   f'stroke="#000" stroke-width="{line}"/>')
        text(left - 5, y + font * 0.35, str(step), "end")
    out.append(f'<path d="M{left:.1f} {top:.1f}V{top + plot_h:.1f}H{width - right:.1f}" '
               f'fill="none" stroke="#000" stroke-width="{line}"/>')
    out.append(f'<text transform="translate({font * 1.2:.1f} {top + plot_h / 2:.1f}) rotate(-90)" '
               'text-anchor="middle">Cases</text>')
    slot = plot_w / len(counts)
    for place, (label, count) in enumerate(counts.items()):
        x, bar = left + slot * (place + 0.2), plot_h * count / limit
        out.append(f'<rect x="{x:.1f}" y="{top + plot_h - bar:.1f}" width="{slot * 0.6:.1f}" '
                   f'height="{bar:.1f}" fill="{colours[place % len(colours)]}"/>')
        middle = x + slot * 0.3
        text(middle, top + plot_h - bar - font * 0.4, f"{count} ({100 * count / total:.0f}%)")
        text(middle, height - bottom + font * 1.4, label)
    return "\n".join([*out, "</svg>", ""])


def read_counts(path):
    """The counts of a scores file; ValueError when there is none."""
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    counts = document.get("counts") if isinstance(document, dict) else None
    if not isinstance(counts, dict) or not counts:
        raise ValueError('expected {"counts": {"label": number, ...}}')
    for label, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ValueError(f"count of {label!r} is not a whole number from 0 up")
    return counts


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scores", help="JSON file with a counts object")
    parser.add_argument("--out", default="figure.svg", help="file to write (default figure.svg)")
    parser.add_argument("--title", default="PD-L1 tumour proportion score")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="column")
    parser.add_argument("--ramp", action="store_true", help="light to dark, for ordered groups")
    args = parser.parse_args(argv)
    try:
        counts = read_counts(args.scores)
        if not sum(counts.values()):
            print("figure: every count is zero, nothing to draw", file=sys.stderr)
            return 1
        svg = draw(counts, args.title, args.preset, RAMP if args.ramp else HUES)
        Path(args.out).write_text(svg, encoding="utf-8")
    except (OSError, ValueError) as error:
        print(f"figure: {args.scores}: {error}", file=sys.stderr)
        return 2
    print(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
