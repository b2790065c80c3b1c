"""Puts a ledger under stress from several processes, and says what became of it.

    python -m tests.governance.ledger_races crash ADDRESS CHANGES [SEED]
    python -m tests.governance.ledger_races decide ADDRESS ROUNDS

``crash`` kills a process that activates and rolls back, with signal 9 and at random moments, until
so many changes are on record; after each kill the ledger is verified. ``decide`` lets two processes
decide at the same moment, again and again. ADDRESS is a file or a PostgreSQL address. The result
is printed as JSON.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from sqlalchemy import make_url

from asf_core.domain.errors import AsfError, ConditionsError
from asf_core.domain.event import EventKind
from asf_core.domain.pin import Pin
from asf_core.domain.receipts import ReceiptKind
from asf_core.governance.audit import get_ledger_result
from asf_core.store.database import Database
from asf_core.store.ledger import LedgerRecords
from asf_core.trust.chain import read_event
from tests.governance.world import SKILL, World

_CHANGES = {EventKind.ACTIVATED, EventKind.ROLLED_BACK}
_FORK = get_context("fork")


@contextmanager
def opened(address: str) -> Iterator[World]:
    """A world over the ledger at an address."""
    target = make_url(address) if "://" in address else Path(address)
    with Database.open(target, busy_seconds=60) as database:
        yield World(LedgerRecords(database))


# Killed at random


def live(address: str, ready: Connection) -> NoReturn:
    """Activate, supersede, roll back and end versions until killed."""
    with opened(address) as world:
        world.policy()
        world._count = random.SystemRandom().randrange(10**6, 9 * 10**7)
        ready.send(True)
        while True:
            skill = f"reg/skill-{world.id('s')}"
            first = world.activated("1.0.0", skill_id=skill)
            world.later(seconds=1)
            second = world.activated("1.1.0", skill_id=skill, body=f"Better {skill}.\n")
            world.later(seconds=1)
            world.scan(first)
            world.approve(first, kind=ReceiptKind.ROLLBACK)
            world.roll_back(first)
            world.quarantine(second)


def crash(address: str, changes: int, seed: int) -> dict[str, Any]:
    """Kill until so many changes are on record."""
    chance = random.Random(seed)
    kills, seen, problems = 0, Counter[str](), []
    while seen["changes"] < changes and not problems:
        ours, theirs = _FORK.Pipe()
        child = _FORK.Process(target=live, args=(address, theirs))
        child.start()
        ours.recv()
        time.sleep(chance.uniform(0.0, 0.4))
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        kills += 1
        seen, problems = _verified(address)
    return {"kills": kills, "problems": problems, **seen}


def _verified(address: str) -> tuple[Counter[str], list[str]]:
    with opened(address) as world, world.ledger.reading() as reading:
        result = get_ledger_result(reading)
        kinds = Counter(read_event(document).kind for document in reading.documents())
        pointers = reading.pointers()
        actives = [r for r in reading.versions() if r.state.value == "active"]
    problems = list(result.problems)
    if len(actives) != len(pointers) or len({r.content.skill_id for r in actives}) != len(actives):
        problems.append("a skill has two active versions, or a pointer none")
    seen = Counter({kind.value: count for kind, count in kinds.items()})
    seen["changes"] = sum(kinds[kind] for kind in _CHANGES)
    return seen, problems


# Two at once


def decide(address: str, work: Connection) -> None:
    """Activate what one is told to, and answer how it went."""
    with opened(address) as world:
        work.send("ready")
        while (told := work.recv()) is not None:
            pin, at = told
            world.now = at
            try:
                world.activate(pin)
                work.send("won")
            except ConditionsError as error:
                work.send(" ".join(sorted({r.condition.value for r in error.refusals})))
            except AsfError as error:
                work.send(f"{type(error).__name__}: {error.what}")


def race(address: str, rounds: int) -> dict[str, Any]:
    """Let two processes decide at the same moment."""
    with opened(address) as world:
        world.policy()
    workers = []
    for _ in range(2):
        ours, theirs = _FORK.Pipe()
        process = _FORK.Process(target=decide, args=(address, theirs))
        process.start()
        assert ours.recv() == "ready"
        workers.append((process, ours))
    outcomes: Counter[str] = Counter()
    with opened(address) as world:
        for number in range(rounds):
            for pin, (_, pipe) in zip(_contested(world, number), workers, strict=True):
                pipe.send((pin, world.now))
            answers = sorted(pipe.recv() for _, pipe in workers)
            outcomes[" | ".join(answers)] += 1
    for process, pipe in workers:
        pipe.send(None)
        process.join()
    seen, problems = _verified(address)
    return {"outcomes": dict(outcomes), "problems": problems, **seen}


def _contested(world: World, number: int) -> tuple[Pin, Pin]:
    """Two candidates of one skill in even rounds; twice the same one in odd rounds."""
    world.later(seconds=1)
    one = world.add(f"{number}.0.0", skill_id=SKILL, body=f"One {number}.\n").pin
    other = one
    if number % 2 == 0:
        other = world.add(f"{number}.1.0", skill_id=SKILL, body=f"Other {number}.\n").pin
    for pin in {one, other}:
        world.scan(pin)
        world.approve(pin)
    return one, other


def main() -> None:
    """Run one of the two and print what became of it."""
    what, address, count, *rest = sys.argv[1:]
    if what == "crash":
        print(json.dumps(crash(address, int(count), int(rest[0]) if rest else 1)))
    else:
        print(json.dumps(race(address, int(count))))


if __name__ == "__main__":
    main()
