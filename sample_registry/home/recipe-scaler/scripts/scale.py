#!/usr/bin/env python3
"""Scale the ingredients of a recipe by servings or by pan, rounded to what a kitchen can measure.

Exit codes: 0 done, 1 done with remarks, 2 wrong usage or unreadable input.
"""

import argparse
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

LINE = re.compile(r"\s*([\d.,/½¼¾ ]+?)\s*(kg|g|l|ml|cl|tsp|tbsp|cups?|oz|lb|cans?|cloves?|bunch(?:es)?)?\s+(\D.*)")
GLYPHS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
CUP = {"flour": 125, "sugar": 200, "butter": 227, "rice": 185, "oats": 90, "milk": 240, "water": 240}
SPOONS = {"tsp": 5, "tbsp": 15}
RAISING = ("baking powder", "baking soda", "yeast")
SALTY = ("salt", "chilli", "cayenne", "clove powder", "nutmeg")


def amount(text):
    """A number such as 1 1/2, 0,5 or ½."""
    total = Fraction(0)
    for part in text.replace(",", ".").split():
        total += GLYPHS[part] if part in GLYPHS else Fraction(part)
    return total


def parse(text):
    """Ingredients as (amount, unit, name); amount None for a line without one."""
    for line in text.splitlines():
        if not line.strip():
            continue
        match = LINE.match(line)
        try:
            yield (amount(match[1]), match[2] or "", match[3].strip()) if match else (None, "", line.strip())
        except (ValueError, ZeroDivisionError, KeyError):
            raise ValueError(f"{line.strip()!r}: the amount cannot be read") from None


def area(text):
    """Base area of a pan: round:26, square:30, rect:20x30."""
    shape, _, size = text.partition(":")
    try:
        if shape == "round":
            return math.pi * float(size) ** 2 / 4
        if shape == "square":
            return float(size) ** 2
        if shape == "rect":
            width, length = size.split("x")
            return float(width) * float(length)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not round:26, square:30 or rect:20x30")


def metric(value, unit, name):
    """Grams or millilitres where the food is known."""
    if unit in ("oz", "lb"):
        return value * (28 if unit == "oz" else 454), "g", name
    grams = next((grams for food, grams in CUP.items() if food in name.lower()), None)
    if unit.startswith("cup") or (unit in SPOONS and grams):
        if grams is None:
            return value, unit, f"{name} ?"
        share = value if unit.startswith("cup") else value * SPOONS[unit] / 240
        return share * grams, "ml" if grams == 240 else "g", name
    return value, unit, name


def rounded(value, unit, name):
    """An amount that can be measured."""
    step = Fraction(5) if unit in ("g", "ml") and value >= 20 else Fraction(1) if unit in ("g", "ml") else Fraction(1, 4)
    if "egg" in name.lower():
        step = Fraction(1, 2)
    return max(round(value / step), 1) * step


def shown(value):
    """A number as a cook writes it."""
    whole, rest = divmod(value, 1)
    if rest and rest.denominator <= 4:
        return f"{whole} {rest}" if whole else str(rest)
    return f"{float(value):g}"


def remark(value, unit, name, factor):
    """What to be careful with, or nothing."""
    low = name.lower()
    if "egg" in low and value.denominator == 2:
        return "half-egg: beat one, take 25 g of it"
    if factor > 2 and any(word in low for word in RAISING):
        return "raising: take 3/4 of it"
    if factor > 2 and any(word in low for word in SALTY):
        return "salt: take 3/4, taste, add"
    return ""


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipe", help="text file: amount, unit, name, one a line")
    parser.add_argument("--from", dest="before", type=float, help="servings as written")
    parser.add_argument("--to", type=float, help="servings wanted")
    parser.add_argument("--pan", type=area, help="pan as written, such as round:26")
    parser.add_argument("--into", type=area, help="pan that you have")
    parser.add_argument("--metric", action="store_true", help="grams and millilitres where known")
    args = parser.parse_args(argv)
    servings, pans = (args.before, args.to), (args.pan, args.into)
    if not (all(servings) or all(pans)) or any(part is not None and part <= 0 for part in servings + pans):
        parser.error("give --from and --to, or --pan and --into")
    factor = Fraction(args.to / args.before if all(servings) else args.into / args.pan).limit_denominator(1000)
    try:
        lines = list(parse(Path(args.recipe).read_text(encoding="utf-8-sig")))
    except (OSError, UnicodeError, ValueError) as error:
        print(f"scale: {args.recipe}: {error}", file=sys.stderr)
        return 2
    remarks = 0
    for value, unit, name in lines:
        if value is None:
            print(name)
            continue
        value *= factor
        if value < (1 if unit in ("g", "ml") else Fraction(1, 8)):
            print(f"a pinch of {name}")
            print(f"scale: tiny: {name}", file=sys.stderr)
            remarks += 1
            continue
        if args.metric:
            value, unit, name = metric(value, unit, name)
        value = rounded(value, unit, name)
        print(" ".join(part for part in (shown(value), unit, name) if part))
        if said := remark(value, unit, name, factor):
            print(f"scale: {name}: {said}", file=sys.stderr)
            remarks += 1
    print(f"scale: factor {float(factor):.2f}", file=sys.stderr)
    return 1 if remarks else 0


if __name__ == "__main__":
    sys.exit(main())
