"""``asf route --stdin``: a warm process that answers line by line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.whole.process import SAMPLE, Asf

TASK = "check the citations of my manuscript"
FAR_TOO_LONG = b"x" * 3_000_000


def _start(asf: Asf, *options: str) -> subprocess.Popen[bytes]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("ASF_")}
    env |= {"ASF_WORKSPACE": str(asf.workspace), "PYTHONPATH": str(SAMPLE.parent)}
    return subprocess.Popen(
        [sys.executable, "-m", "asf_core.cli.main", "route", "--stdin", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        cwd=asf.cwd,
    )


def _answers(asf: Asf, questions: bytes, *options: str) -> list[dict[str, Any]]:
    out, err = _start(asf, *options).communicate(questions, timeout=120)
    assert err == b""
    return [json.loads(line) for line in out.splitlines()]


def test_each_answer_is_there_before_the_next_question(synced: Asf) -> None:
    with _start(synced) as process:
        for task in (TASK, "review a pull request"):
            process.stdin.write(task.encode() + b"\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            assert found["query"] == task
            assert found["bundle"]["steps"]
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_a_question_says_otherwise_than_the_options(synced: Asf) -> None:
    asked = [
        TASK,
        {"query": TASK},
        TASK + " ",
        {"query": TASK, "id": "b", "budget": 12000, "setting": "balanced", "price": 6},
        {
            "query": TASK,
            "id": 3,
            "registries": ["sample_registry"],
            "inputs": ["papers:list[Paper]"],
        },
    ]
    lines = [line if isinstance(line, str) else json.dumps(line) for line in asked]
    plain, one, _, two, three = _answers(
        synced, "\n".join(lines).encode(), "--setting", "fast", "--price", "1"
    )
    assert plain["query"] == TASK
    assert plain["bundle"] == one["bundle"]
    assert (one["setting"], one["tokens"]["price_per_million"]) == ("fast", 1.0)
    assert "id" not in one
    assert (two["id"], two["setting"], two["tokens"]["price_per_million"]) == ("b", "balanced", 6.0)
    assert three["id"] == 3
    assert three["bundle"]["task_inputs"] == [{"name": "papers", "type": "list[Paper]"}]


WRONG: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "The task is empty"),
    "no UTF-8": (b"\xff\xfe", "not UTF-8"),
    "half an object": (b'{"query": "x"', "not understood"),
    "no query": (b'{"id": 1}', "query"),
    "another key": (b'{"query": "x", "budgt": 5}', "budgt"),
    "a key twice": (b'{"query": "x", "query": "y"}', "twice"),
    "no number": (b'{"query": "x", "budget": "5"}', "budget"),
    "an absurd number": (b'{"query": "x", "budget": 0}', "budget"),
    "an input that is none": (b'{"query": "x", "inputs": ["a:list["]}', "--input"),
    "no such registry": (b'{"query": "x", "registries": ["nowhere"]}', "nowhere"),
    "no such setting": (b'{"query": "x", "setting": "deep"}', "deep"),
    "too deep": (b'{"query": ' + b"[" * 100_000, "not understood"),
    "a surrogate": (b'{"query": "\\ud800"}', ""),
    "too long": (FAR_TOO_LONG, "too long"),
    "too long an object": (b'{"query": "' + FAR_TOO_LONG + b'"}', "too long"),
}


def test_every_wrong_line_is_answered_and_the_next_one_is_well(synced: Asf) -> None:
    questions = b"".join(line + b"\n" + TASK.encode() + b"\n" for line, _ in WRONG.values())
    found = _answers(synced, questions)
    assert len(found) == 2 * len(WRONG)
    for (name, (_, words)), wrong, right in zip(
        WRONG.items(), found[::2], found[1::2], strict=True
    ):
        assert right["bundle"]["steps"], name
        said = json.dumps(wrong.get("error", wrong))
        assert words in said, name
        assert "unexpected" not in said, name
        if words:
            assert wrong["error"]["code"] == 2, name


def test_a_quotation_may_be_a_task_or_a_string(synced: Asf) -> None:
    text, json_text = _answers(synced, b'"citations" are wrong\n"check \\u0063itations"')
    assert text["query"] == '"citations" are wrong'
    assert json_text["query"] == "check citations"


def test_nothing_that_acts_on_a_terminal_comes_back(synced: Asf) -> None:
    out, _ = _start(synced).communicate("a\x1b[31m \u202e task\n".encode(), timeout=120)
    assert b"\x1b" not in out
    assert json.loads(out)["query"] == "a\x1b[31m \u202e task"


@pytest.mark.parametrize("arguments", [(), ("a task", "--stdin")], ids=str)
def test_a_task_or_the_lines(synced: Asf, arguments: tuple[str, ...]) -> None:
    done = synced.run("route", *arguments, code=2)
    assert "--stdin" in done.stderr
