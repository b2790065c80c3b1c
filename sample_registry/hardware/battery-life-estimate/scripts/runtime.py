#!/usr/bin/env python3
"""Estimate how long a battery-powered device runs, and what a change would bring.

Exit codes: 0 the target is reached or none was given, 1 missed, 2 wrong usage or input.
"""

import argparse
import json
import sys
from pathlib import Path

# mAh, share of it at 0 °C, self-discharge a year, volts: full, empty
CELLS = {
    "alkaline-aa": (2400, 0.70, 0.03, 1.55, 0.9), "lithium-aa": (3000, 0.95, 0.01, 1.7, 0.9),
    "cr2032": (220, 0.80, 0.01, 3.0, 2.0), "li-ion-18650": (2600, 0.75, 0.05, 4.1, 3.0),
    "lisocl2-aa": (2600, 0.95, 0.01, 3.6, 2.0),
}
YEARS = 10.0


def load(path):
    """A device with its fields checked."""
    device = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(device, dict) or not device.get("states"):
        raise ValueError("an object with states is needed")
    if device.get("cell") not in CELLS:
        raise ValueError(f"cell {device.get('cell')!r}: known are {', '.join(CELLS)}")
    for state in device["states"]:
        if "every_s" in state and not 0 < state.get("seconds", 0) <= state["every_s"]:
            raise ValueError(f"state {state.get('name')}: seconds must lie between 0 and every_s")
    return device


def averages(device):
    """Average mA of each state; the one without a rhythm fills the rest of the time."""
    shares = {state["name"]: state["seconds"] / state["every_s"] for state in device["states"] if "every_s" in state}
    rest = 1 - sum(shares.values())
    if rest < 0:
        raise ValueError("the states fill more than the whole time")
    found = {state["name"]: state["ma"] * shares.get(state["name"], rest) for state in device["states"]}
    if device.get("always_ma"):
        found["always on"] = device["always_ma"]
    return found


def usable(device):
    """Capacity in mAh that the device can use, and the cell's self-discharge a year."""
    capacity, cold, loss, full, empty = CELLS[device["cell"]]
    temperature = device.get("temperature", 20)
    if temperature < 20:
        capacity *= max(0.2, 1 - (1 - cold) * (20 - temperature) / 20)
    cutoff = device.get("cutoff_v", 0) / device.get("in_series", 1)
    if cutoff > empty:
        capacity *= max(0.0, (full - cutoff) / (full - empty))
    return capacity, loss


def days(capacity, loss, current):
    """Days until the capacity is used up by current and self-discharge together."""
    leak = capacity * loss / (365 * 24)
    return min(capacity / (current + leak) / 24, YEARS * 365)


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("device", help="JSON: cell, states, cutoff_v, temperature, target_days")
    args = parser.parse_args(argv)
    try:
        device = load(args.device)
        states = averages(device)
        capacity, loss = usable(device)
        current = sum(states.values())
        if current <= 0:
            raise ValueError("no state draws any current")
    except (KeyError, OSError, TypeError, ValueError) as error:
        print(f"runtime: {args.device}: {error}", file=sys.stderr)
        return 2
    for name, value in sorted(states.items(), key=lambda item: -item[1]):
        print(f"{name:12} {value * 1000:9.1f} uA {value / current:5.0%}")
    result = days(capacity, loss, current)
    print(f"average {current * 1000:.1f} uA, {capacity:.0f} mAh usable: {result:.0f} days"
          + (f" (limited to {YEARS:.0f} years)" if result >= YEARS * 365 else ""))
    worst = max(states, key=states.get)
    better = days(capacity, loss, current - states[worst] / 2)
    print(f"half of '{worst}' would make it {better:.0f} days")
    return 1 if result < device.get("target_days", 0) else 0


if __name__ == "__main__":
    sys.exit(main())
