"""The bundled models themselves, on a few short texts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.retrieval.models import runtime
from asf_core.retrieval.models.encoders import normalised, quantised
from asf_core.retrieval.models.loading import Encoders
from asf_core.retrieval.tokens import TokenCounter
from asf_core.retrieval.views import clean

_TEXTS = [
    "Tidy CSV files.",
    "Join PDF files into one document, keeping bookmarks.",
    "",
    "Write unit tests for Python functions with pytest; " * 200,
]


def test_dense_vectors_are_unit_rows_in_the_order_of_the_texts(encoders: Encoders) -> None:
    found = encoders.dense.encode(_TEXTS)
    assert found.shape == (4, 384)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(found[1], encoders.dense.encode([_TEXTS[1]])[0])


def test_a_text_does_not_depend_on_its_company(encoders: Encoders) -> None:
    alone = encoders.late.encode([_TEXTS[0]])[0]
    among = encoders.late.encode(_TEXTS)[0]
    np.testing.assert_array_equal(alone.values, among.values)
    np.testing.assert_array_equal(alone.scales, among.scales)


def test_a_task_is_nearest_to_the_text_that_serves_it(encoders: Encoders) -> None:
    texts = ["Tidy CSV files.", "Join PDF files.", "Reply to customer e-mails."]
    query = encoders.dense.encode_query("clean up a spreadsheet export with broken columns")
    assert (encoders.dense.encode(texts) @ query).argmax() == 0


def test_token_vectors_leave_punctuation_out_and_keep_their_direction(encoders: Encoders) -> None:
    (found,) = encoders.late.encode(["Join, split; and merge (two) files!"])
    assert found.values.dtype == np.int8
    assert len(found.values) == len(["join", "split", "and", "merge", "two", "files"])
    rows = found.values * found.scales[:, None]
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=0.02)


def test_a_tasks_tokens_know_where_they_stand(encoders: Encoders) -> None:
    task = "Read the file, then plot it"
    found = encoders.late.encode_query(task)
    words = [task[a:b] for a, b in found.spans]
    assert words == ["Read", "the", "file", ",", "then", "plot", "it"]
    assert found.vectors.shape == (len(words), 384)
    assert len(encoders.late.encode_query("").vectors) == 0


def test_a_page_is_cut_and_not_refused(encoders: Encoders) -> None:
    page = "word " * 3000
    assert encoders.dense.encode_query(page).shape == (384,)
    assert len(encoders.late.encode_query(page).vectors) < 512


def test_the_cross_encoder_prefers_the_answer(encoders: Encoders) -> None:
    texts = ["Tidy CSV files: fix headers, types and missing values.", "Bake bread.", "x " * 900]
    scores = encoders.cross.scores("how do I fix the headers of a csv file?", texts)
    assert scores.shape == (3,)
    assert scores.argmax() == 0
    assert len(encoders.cross.scores("task", [])) == 0


@pytest.fixture(scope="module")
def counter() -> TokenCounter:
    return TokenCounter()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("Tidy the files.", 4),
        ("a-b_c", 5),
        ("two\nlines\r\n", 2),
        ("[MASK] and [UNK]", 3),
        ("x" * 101, 1),
        ("\ud800 x", 2),
        ("word " * 2000, 2000),
        ("caf\u00e9\nplain", 2),
    ],
)
def test_tokens_are_counted(counter: TokenCounter, text: str, tokens: int) -> None:
    assert counter.count(text) == tokens


@settings(deadline=None)
@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_tokens_are_counted_as_the_tokenizer_does(text: str) -> None:
    found = _COUNTER._tokenizer.encode(clean(text), add_special_tokens=False)
    assert _COUNTER.count(text) == len(found)


_COUNTER = TokenCounter()


def test_quantising_keeps_the_greatest_component_and_zeros() -> None:
    rows = normalised(np.array([[3.0, -4.0, 0.0], [0.0, 0.0, 0.0]]))
    found = quantised(rows)
    assert found.values.tolist()[0] == [95, -127, 0]
    assert not found.values[1].any()
    assert len(quantised(rows[:0]).values) == 0


def test_threads_follow_the_cores_that_are_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    quota = tmp_path / "cpu.max"
    monkeypatch.setattr(runtime, "_CGROUP_QUOTA", quota)
    assert runtime.allowed_cores() == 4
    for text, cores in (("max 100000", 4), ("150000 100000", 2), ("10000 100000", 1)):
        quota.write_text(text)
        assert runtime.allowed_cores() == cores


_QUIET = """
import os, subprocess, sys, threading
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from asf_core.retrieval.models.loading import Encoders
encoders = Encoders().start()
encoders.dense.encode(["tidy a csv file", "join two pdf files"])
encoders.late.encode_query("tidy a csv file")
for _ in range(10):
    subprocess.run([sys.executable, "-S", "-c", ""], check=True)
    if hasattr(os, "fork"):
        pid = os.fork()
        if pid == 0:
            encoders.dense.encode(["in the child"])
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
names = [t.name for t in threading.enumerate() if t.name.startswith("asf-encode")]
assert len(names) == 1, names
"""


def test_on_one_core_with_child_processes_nothing_is_printed_and_nothing_hangs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _QUIET], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
