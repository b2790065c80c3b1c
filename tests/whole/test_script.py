"""A script that routes and takes the answer apart with jq."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.whole.process import PDL1, SAMPLE, Asf

pytestmark = pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")


@pytest.fixture
def shell(synced: Asf) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Run a script beside the synced sample."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ASF_")} | {
        "PYTHONPATH": str(SAMPLE.parent),
        "ASF_WORKSPACE": str(synced.workspace),
        "ASF_USER_DIR": str(synced.workspace.parent / "user"),
        "TASK": PDL1,
    }
    asf = f'asf() {{ "{sys.executable}" -m asf_core.cli.main "$@"; }}\n'

    def run(script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-o", "pipefail", "-euc", asf + script],
            cwd=synced.cwd,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


def test_the_plan_as_lines_for_the_next_program(shell: Callable) -> None:
    done = shell("""asf route --json "$TASK" | jq -r '.bundle.steps[].slug'""")
    assert done.returncode == 0, done.stderr
    steps = done.stdout.split()
    assert steps.index("scientific-research-lookup") < steps.index("citation-verifier")


def test_where_an_input_comes_from_and_what_was_saved(shell: Callable) -> None:
    script = """asf route --json "$TASK" | jq -e '
      (.tokens.savings > 0.9) and
      any(.bundle.steps[]; .slug == "classify-pd-l1-tps" and (.bindings[0].input.type == "list[Paper]"))'"""
    done = shell(script)
    assert (done.returncode, done.stdout) == (0, "true\n"), done.stderr


def test_no_skill_fits_is_an_exit_code_and_a_document(shell: Callable) -> None:
    script = """asf route --json "qwrt zzkpl vvxw brrm" > answer.json || code=$?
      echo "$code"; jq -c '[.abstained, (.bundle.steps | length)]' answer.json"""
    assert shell(script).stdout == "1\n[true,0]\n"


def test_many_tasks_one_line_each(shell: Callable) -> None:
    script = r"""printf '%s\n' '{"id": "a", "query": "check the citations"}' 'scale a recipe for eleven' |
      asf route --stdin | jq -c '[.id, .error.code, .bundle.steps[0].slug != null]'"""
    done = shell(script)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer[0], answer[1] is None) for answer in answers] == [
        ("a", True),
        (None, True),
    ]
    assert answers[0][2]
    assert answers[1][2]


def test_what_goes_wrong_never_reaches_jq_as_half_a_document(shell: Callable) -> None:
    done = shell("""asf route --json --registry nowhere "$TASK" | jq .""")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("asf: ")
