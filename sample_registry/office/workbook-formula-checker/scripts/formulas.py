#!/usr/bin/env python3
"""Audit the formulas of one sheet, exported to CSV with formulas shown.

Exit codes: 0 no findings, 1 findings, 2 wrong usage or input.
"""

import argparse
import csv
import re
import sys
from collections import Counter

CELL = re.compile(r"(\$?)([A-Z]{1,3})(\$?)(\d+)(?![\d(])")
SPAN = re.compile(r"\b(SUM|AVERAGE|MIN|MAX|COUNT)\(\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)\)", re.I)
CONSTANT = re.compile(r"[*/](\d+[.,]\d+)(?![\d:])")
ERROR = re.compile(r"#(REF|VALUE|NAME|DIV/0|N/A|NUM)[!?]?|\bIFERROR\([^,;]*[,;]\s*(0|\"\")\s*\)", re.I)


def letters(number):
    """Column letters of a 1-based number: 1 is A, 27 is AA."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def column(text):
    """1-based number of column letters."""
    number = 0
    for letter in text.upper():
        number = number * 26 + ord(letter) - 64
    return number


def relative(formula, row, col):
    """A formula with its relative references as offsets, so that copies compare equal."""
    def offset(match):
        fixed_col, name, fixed_row, line = match.groups()
        across = f"C{name}" if fixed_col else f"c{column(name) - col:+d}"
        down = f"R{line}" if fixed_row else f"r{int(line) - row:+d}"
        return f"[{across}{down}]"
    return CELL.sub(offset, formula.upper().replace(" ", ""))


def is_number(text):
    """Whether a cell holds a plain number."""
    return bool(re.fullmatch(r"[-+]?[\d.,]*\d%?", text.strip()))


def runs(grid, row_count, col_count):
    """Findings on cells that break a run of equal formulas, down columns."""
    for col in range(1, col_count + 1):
        forms = {row: relative(grid[row, col], row, col) for row in range(1, row_count + 1)
                 if grid.get((row, col), "").startswith("=")}
        for row in range(2, row_count):
            above, below = forms.get(row - 1), forms.get(row + 1)
            if not above or above != below:
                continue
            here = grid.get((row, col), "")
            if row in forms and forms[row] != above:
                yield row, col, "odd_one_out", f"{here} between two copies of {grid[row - 1, col]}"
            elif row not in forms and is_number(here):
                yield row, col, "number_in_run", f"{here} where neighbours hold {grid[row - 1, col]}"


def spans(grid):
    """Findings on ranges: too short, or holding another total."""
    for (row, col), text in grid.items():
        if not text.startswith("="):
            continue
        for name, left, top, right, bottom in SPAN.findall(text):
            if left.upper() != right.upper():
                continue
            at, top, bottom = column(left), int(top), int(bottom)
            if at == col and bottom < row - 1 and all(
                    is_number(grid.get((r, at), "")) or grid.get((r, at), "").startswith("=")
                    for r in range(bottom + 1, row)):
                yield row, col, "short_range", f"{name.upper()} stops at row {bottom}, data go on to {row - 1}"
            inner = [r for r in range(top, bottom + 1) if (r, at) != (row, col)
                     and re.match(r"=SUM\(", grid.get((r, at), ""), re.I)]
            if name.upper() == "SUM" and inner and len(inner) < bottom - top + 1:
                yield row, col, "self_total", f"the range holds the total in row {inner[0]}"


def cells(grid):
    """Findings on single formulas."""
    constants = Counter(value for text in grid.values() if text.startswith("=")
                        for value in set(CONSTANT.findall(text)))
    told = set()
    for (row, col), text in grid.items():
        if ERROR.search(text):
            yield row, col, "hidden_error", text[:60]
        if not text.startswith("="):
            continue
        for value in CONSTANT.findall(text):
            if constants[value] >= 3 and value not in told:
                told.add(value)
                yield row, col, "hard_coded", f"{value} stands in {constants[value]} formulas"
        for _, name, _, line in CELL.findall(SPAN.sub("", text)):
            if not grid.get((int(line), column(name)), ""):
                yield row, col, "empty_reference", f"{name}{line} is empty"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sheet", help="CSV export that shows formulas")
    parser.add_argument("--delimiter", default=",")
    args = parser.parse_args(argv)
    try:
        with open(args.sheet, encoding="utf-8-sig", newline="") as handle:
            rows = list(csv.reader(handle, delimiter=args.delimiter))
    except (OSError, UnicodeError, csv.Error, TypeError) as error:
        print(f"formulas: cannot read {args.sheet}: {error}", file=sys.stderr)
        return 2
    grid = {(r, c): text.strip() for r, row in enumerate(rows, 1) for c, text in enumerate(row, 1)
            if text.strip()}
    if not any(text.startswith("=") for text in grid.values()):
        print("formulas: no formula found: was the sheet exported with formulas shown?", file=sys.stderr)
        return 2
    width = max(col for _, col in grid)
    found = sorted([*runs(grid, len(rows), width), *spans(grid), *cells(grid)])
    for row, col, code, words in found:
        print(f"{letters(col)}{row}: {code}: {words}")
    count = sum(text.startswith("=") for text in grid.values())
    print(f"formulas: {count} formulas, {len(found)} findings", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
