#!/usr/bin/env python3
"""Lint PostgreSQL migration files for statements that block a live table.

Exit codes: 0 clean, 1 findings, 2 wrong usage or unreadable file.
"""

import argparse
import re
import sys
from pathlib import Path

# (code, what matches, what must not match, message); tried on each statement, comments removed.
RULES = [
    ("index_blocks_writes", r"\bcreate\s+(unique\s+)?index\b", r"\bconcurrently\b",
     "CREATE INDEX blocks writers: use CONCURRENTLY, outside a transaction"),
    ("type_rewrite", r"\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b", None,
     "changing a type may rewrite the table: new column, dual write, swap"),
    ("not_null_scan", r"\bset\s+not\s+null\b", None,
     "SET NOT NULL scans under an exclusive lock unless a validated CHECK proves it"),
    ("constraint_validates", r"\badd\s+(constraint\s+\S+\s+)?(foreign\s+key|check)\b",
     r"\bnot\s+valid\b", "add the constraint NOT VALID and validate it later"),
    ("unique_builds_index", r"\badd\s+(constraint\s+\S+\s+)?(unique|primary\s+key)\b",
     r"\busing\s+index\b", "build the index CONCURRENTLY first, then ADD ... USING INDEX"),
    ("volatile_default", r"\badd\s+(column\s+)?[^;]*\bdefault\s+(random|gen_random_uuid|clock_timestamp|"
     r"uuid_generate_v4|nextval)\s*\(", None, "a volatile default rewrites the table"),
    ("rename_breaks_code", r"\brename\s+(column\s+)?(\S+\s+)?to\b", None,
     "running code still uses the old name: add, copy, drop instead"),
    ("drop_is_final", r"\bdrop\s+(column|table)\b", None,
     "no way back from here: contract step only, after a copy"),
    ("update_all_rows", r"^\s*(update\b(?:(?!\bwhere\b).)*|delete\s+from\b(?:(?!\bwhere\b).)*)$", None,
     "no WHERE: every row in one transaction; do it in batches by key"),
]


def blank(match):
    """Spaces for what was matched, line ends kept, so that positions stay true."""
    return re.sub(r"[^\n]", " ", match.group(0))


def statements(text):
    """(line number, statement) of each statement, comments and quoted text blanked."""
    text = re.sub(r"--[^\n]*|/\*.*?\*/", blank, text, flags=re.S)
    text = re.sub(r"\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'", blank, text, flags=re.S)
    start = 0
    for part in text.split(";"):
        begin = start + len(part) - len(part.lstrip())
        if part.strip():
            yield text.count("\n", 0, begin) + 1, part.strip()
        start += len(part) + 1


def lint(text):
    """Findings (line, code, message) of one file."""
    found, has_timeout, in_transaction = [], False, False
    for line, statement in statements(text):
        if re.match(r"set\s+(local\s+)?lock_timeout\b", statement, re.I):
            has_timeout = True
        if re.match(r"(begin|start\s+transaction)\b", statement, re.I):
            in_transaction = True
        if re.match(r"(commit|rollback|end)\b", statement, re.I):
            in_transaction = False
        for code, wants, forbids, message in RULES:
            if re.search(wants, statement, re.I | re.S):
                if not (forbids and re.search(forbids, statement, re.I)):
                    found.append((line, code, message))
        if in_transaction and re.search(r"\bconcurrently\b", statement, re.I):
            found.append((line, "concurrently_in_transaction", "CONCURRENTLY fails inside BEGIN"))
        if re.match(r"alter\s+table\b", statement, re.I) and not has_timeout:
            found.append((line, "no_lock_timeout", "SET lock_timeout before the first ALTER TABLE"))
            has_timeout = True
    return found


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", help="SQL files, in the order they run")
    args = parser.parse_args(argv)
    total = 0
    for name in args.files:
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            print(f"lint_migration: cannot read {name}: {error}", file=sys.stderr)
            return 2
        for line, code, message in lint(text):
            total += 1
            print(f"{name}:{line}: {code}: {message}")
    print(f"lint_migration: {len(args.files)} files, {total} findings", file=sys.stderr)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
