#!/usr/bin/env python3
"""List the STRIDE questions that the flows of a system raise, the most exposed first.

Exit codes: 0 no question of weight 6 or more, 1 at least one, 2 wrong usage or input.
"""

import argparse
import json
import sys
from pathlib import Path


def load(path):
    """Zones by name, parts by zone, flows; ValueError says what does not fit together."""
    model = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(model, dict):
        raise ValueError("an object with zones, parts and flows is needed")
    for field in ("zones", "parts", "flows"):
        if not model.get(field):
            raise ValueError(f"{field} is missing")
    for part, zone in model["parts"].items():
        if zone not in model["zones"]:
            raise ValueError(f"part {part} is in zone {zone}, which is not listed")
    for flow in model["flows"]:
        for end in ("from", "to"):
            if flow.get(end) not in model["parts"]:
                raise ValueError(f"a flow goes {end} {flow.get(end)}, which is no part")
    return model


def questions(model):
    """Rows (weight, letter, flow, question) of a model."""
    def trust(part):
        return model["zones"][model["parts"][part]]
    for flow in model["flows"]:
        source, target = trust(flow["from"]), trust(flow["to"])
        name = f"{flow['from']} -> {flow['to']} ({flow.get('data', '?')})"
        who = 3 if source == 0 else 2 if source < target else 1
        up = target - source
        if not flow.get("auth"):
            yield who * 3, "S", name, f"how does {flow['to']} know who sends?"
        if not flow.get("encrypted"):
            yield who * 2, "T", name, "who could change it on the way?"
        elif up > 0:
            yield who, "T", name, f"does {flow['to']} check every field again?"
        if up > 0 and not flow.get("logged"):
            yield who, "R", name, "could the sender deny it later?"
        if flow.get("personal") or not flow.get("encrypted"):
            yield who * (3 if flow.get("personal") else 2), "I", name, "who else can read it?"
        if source == 0:
            yield 3, "D", name, "what if it comes ten thousand times?"
        if up >= 2:
            yield who * 3, "E", name, f"what does {flow['to']} do with more rights because of it?"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="JSON: zones, parts, flows")
    parser.add_argument("--json", action="store_true", help="print a JSON document")
    args = parser.parse_args(argv)
    try:
        rows = list(questions(load(args.model)))
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
        print(f"stride: {args.model}: {error}", file=sys.stderr)
        return 2
    rows.sort(key=lambda row: (-row[0], row[1], row[2]))
    if args.json:
        print(json.dumps([dict(zip(("weight", "kind", "flow", "question"), row)) for row in rows], indent=1))
    else:
        for number, (weight, kind, flow, question) in enumerate(rows, 1):
            print(f"T{number:<3} {kind} {weight}  {flow}: {question}")
    return 1 if any(row[0] >= 6 for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
