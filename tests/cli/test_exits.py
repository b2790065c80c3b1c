"""What a person and a script get told when something goes wrong."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from asf_core.cli.exits import Exit, exit_code, lines_for
from asf_core.cli.progress import sync_progress
from asf_core.cli.session import Session
from asf_core.domain import errors

CODES = [
    (errors.InputError("x"), Exit.USAGE),
    (errors.UnknownSkillError("x"), Exit.USAGE),
    (errors.AmbiguousSkillError("x", ["a/x", "b/x"]), Exit.USAGE),
    (errors.RefusedError("x"), Exit.REFUSED),
    (errors.MissingError("x"), Exit.MISSING),
    (errors.ModelMissingError("x"), Exit.MISSING),
    (errors.StoreError("x"), Exit.MISSING),
    (errors.BusyError("x"), Exit.MISSING),
    (KeyboardInterrupt(), Exit.INTERRUPTED),
    (ZeroDivisionError("x"), Exit.INTERNAL),
]


@pytest.mark.parametrize(("error", "code"), CODES, ids=[type(e).__name__ for e, _ in CODES])
def test_each_family_has_its_code(error: BaseException, code: Exit) -> None:
    assert exit_code(error) is code


def test_an_error_is_said_in_three_visible_lines() -> None:
    error = errors.InputError("bad \x1b[31mname", why="it has\na line break", hint="rename it")
    assert lines_for(error) == [
        "asf: bad ␛[31mname",
        "  why:  it has a line break",
        "  do:   rename it",
    ]


def test_the_first_interrupt_asks_and_the_second_insists(
    request: pytest.FixtureRequest,
) -> None:
    # Whoever started the tests may have had them ignore the interrupt, as shells do with "&".
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    session = Session(None, None, as_json=False, quiet=True)
    with sync_progress(session) as (_, cancel):
        os.kill(os.getpid(), signal.SIGINT)
        assert cancel.wait(5)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert threading.current_thread() is threading.main_thread()
