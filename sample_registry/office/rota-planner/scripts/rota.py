#!/usr/bin/env python3
"""Make a shift plan from rules and wishes, or name the shift that cannot be filled.

Exit codes: 0 planned, 1 impossible, 2 wrong usage or input.
"""

import argparse
import csv
import datetime as dt
import itertools
import json
import sys
from pathlib import Path

STEPS = 20_000


class Rota:
    """The search: shifts in time order, the people with the lightest load first."""

    def __init__(self, plan):
        self.plan = plan
        self.people = plan["people"]
        start = dt.date.fromisoformat(plan["start"])
        self.days = [start + dt.timedelta(days=n) for n in range(plan["days"])]
        self.slots = [(day, shift) for day in self.days for shift in plan["shifts"]]
        self.done = {}  # (day, shift) -> names
        self.stuck = None
        self.deepest = -1
        self.steps = 0

    def works(self, name, day, shift=None):
        """Whether a person works on a day (in a shift, if given)."""
        shifts = [shift] if shift else self.plan["shifts"]
        return any(name in self.done.get((day, one), ()) for one in shifts)

    def load(self, name, shift=None):
        """Shifts so far, of one kind if given."""
        return sum(name in names for (_, kind), names in self.done.items() if shift in (None, kind))

    def refusal(self, person, day, shift):
        """Why a person cannot take a shift; empty when nothing forbids it."""
        name = person["name"]
        if day.isoformat() in person.get("cannot", []):
            return "cannot"
        if self.load(name) >= person.get("max", len(self.slots)):
            return "at the maximum"
        if self.works(name, day):
            return "works that day"
        rest = self.plan.get("rest_after")
        if rest and self.works(name, day - dt.timedelta(days=1), rest):
            return f"rests after {rest}"
        limit = self.plan.get("max_in_a_row", 6)
        if all(self.works(name, day - dt.timedelta(days=n)) for n in range(1, limit + 1)):
            return f"{limit} days in a row"
        return ""

    def teams(self, day, shift):
        """Possible teams for a shift, the fairest first; and the reasons of those who are out."""
        wished = [person for person in self.people if not self.refusal(person, day, shift)]

        def cost(person):
            unwanted = {shift, day.isoformat()} & set(person.get("rather_not", []))
            return (self.load(person["name"], shift) + 2 * bool(unwanted), self.load(person["name"]),
                    self.people.index(person))
        wished.sort(key=cost)
        skill = self.plan.get("require", {}).get(shift)
        for team in itertools.combinations(wished, self.plan["need"].get(shift, 1)):
            if not skill or any(skill in person.get("skills", []) for person in team):
                yield [person["name"] for person in team]

    def solve(self, place=0):
        """Fill the slots from `place` on; False when that is impossible or takes too long."""
        if place == len(self.slots):
            return True
        day, shift = self.slots[place]
        if place > self.deepest:
            self.deepest, self.stuck = place, self.explain(day, shift)
        for team in self.teams(day, shift):
            self.steps += 1
            if self.steps > STEPS:
                return False
            self.done[day, shift] = team
            if self.solve(place + 1):
                return True
            del self.done[day, shift]
        return False

    def explain(self, day, shift):
        """Who is out for a shift, and why."""
        out = [f"{person['name']} {reason}" for person in self.people
               if (reason := self.refusal(person, day, shift))]
        skill = self.plan.get("require", {}).get(shift)
        need = f"needs {self.plan['need'].get(shift, 1)}" + (f" with {skill}" if skill else "")
        return f"{day} {shift} ({need}): " + (", ".join(out) or "everybody is free")


def read(path):
    """A plan with its fields checked; ValueError names what is wrong."""
    plan = json.loads(Path(path).read_text(encoding="utf-8"))
    for field in ("start", "days", "shifts", "need", "people"):
        if not isinstance(plan, dict) or not plan.get(field):
            raise ValueError(f"{field} is missing")
    if not isinstance(plan["days"], int) or not 1 <= plan["days"] <= 62:
        raise ValueError("days must be 1 to 62")
    names = [person.get("name") for person in plan["people"]]
    if None in names or len(set(names)) < len(names):
        raise ValueError("each person needs a name of their own")
    return plan


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plan", help="JSON file with rules and people")
    args = parser.parse_args(argv)
    try:
        plan = read(args.plan)
        rota = Rota(plan)
    except (OSError, TypeError, ValueError) as error:
        print(f"rota: {args.plan}: {error}", file=sys.stderr)
        return 2
    needed = sum(plan["need"].get(shift, 1) for _, shift in rota.slots)
    offered = sum(person.get("max", len(rota.days)) for person in plan["people"])
    if offered < needed:
        print(f"rota: {needed} places, the people offer {offered}: no arrangement helps", file=sys.stderr)
        return 1
    if not rota.solve():
        why = "gave up after many tries; furthest" if rota.steps > STEPS else "impossible; furthest"
        print(f"rota: {why}: {rota.stuck}", file=sys.stderr)
        return 1
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["date", "weekday", "shift", "people"])
    for day, shift in rota.slots:
        writer.writerow([day.isoformat(), f"{day:%a}", shift, " ".join(rota.done[day, shift])])
    for person in plan["people"]:
        name = person["name"]
        weekend = sum(rota.works(name, day) for day in rota.days if day.weekday() > 4)
        kinds = ", ".join(f"{shift} {rota.load(name, shift)}" for shift in plan["shifts"])
        print(f"{name}: {rota.load(name)} shifts ({kinds}), {weekend} weekend days", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
