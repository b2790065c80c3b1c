"""The scripts of the engineering group run, offline, and say what their skills promise."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


def rows(*lines: str) -> str:
    """Lines as a file's text."""
    return "\n".join(lines) + "\n"


OPENAPI_OLD = {
    "openapi": "3.0.0",
    "paths": {
        "/orders/{id}": {
            "get": {
                "responses": {
                    "200": {
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Order"}}
                        }
                    }
                }
            }
        }
    },
    "components": {
        "schemas": {
            "Order": {
                "type": "object",
                "properties": {
                    "email": {"type": "string"},
                    "state": {"type": "string", "enum": ["open", "done"]},
                    "parent": {"$ref": "#/components/schemas/Order"},
                },
            }
        }
    },
}
OPENAPI_NEW = json.loads(json.dumps(OPENAPI_OLD))
del OPENAPI_NEW["components"]["schemas"]["Order"]["properties"]["email"]
OPENAPI_NEW["components"]["schemas"]["Order"]["properties"]["state"]["enum"].append("on_hold")


def lock(**packages: dict[str, object]) -> str:
    """An npm lock file with the direct dependencies alpha and beta."""
    root = {"dependencies": {"alpha": "^1.0.0", "beta": "^0.3.0"}}
    entries = {f"node_modules/{name}": entry for name, entry in packages.items()}
    return json.dumps({"lockfileVersion": 3, "packages": {"": root, **entries}})


JUNIT = (
    "<testsuite><testcase classname='a' name='steady' time='0.1'/>"
    "<testcase classname='a' name='shaky' time='2.5'>{}</testcase></testsuite>"
)

# script, arguments, exit code, and: files, stdin, words that must stand in out and err
CASES = [
    (
        "engineering/api-breaking-change-review/scripts/diff-openapi.js",
        ["old.json", "new.json", "--current", "2.4.1"],
        1,
        {
            "files": {"old.json": json.dumps(OPENAPI_OLD), "new.json": json.dumps(OPENAPI_NEW)},
            "out": [
                "breaking  GET /orders/{id} response 200 .email: removed",
                'risky     GET /orders/{id} response 200 .state: enum value added: "on_hold"',
                "next version: 3.0.0",
            ],
        },
    ),
    (
        "engineering/api-breaking-change-review/scripts/diff-openapi.js",
        ["old.json", "old.json", "--current", "0.4.0"],
        0,
        {"files": {"old.json": json.dumps(OPENAPI_OLD)}, "out": ["next version: 0.4.1"]},
    ),
    (
        "engineering/dependency-upgrade-triage/scripts/lockdiff.js",
        ["old.json", "new.json"],
        1,
        {
            "files": {
                "old.json": lock(
                    alpha={"version": "1.2.3"},
                    beta={"version": "0.3.1"},
                    gamma={"version": "2.0.0"},
                ),
                "new.json": lock(
                    alpha={"version": "1.2.4"},
                    beta={"version": "0.4.0"},
                    gamma={"version": "2.0.1", "hasInstallScript": True},
                    delta={"version": "1.0.0"},
                ),
            },
            "out": [
                "stop  gamma 2.0.0 -> 2.0.1 transitive install-script",
                "plan  beta 0.3.1 -> 0.4.0 direct major",
                "read  delta - -> 1.0.0 transitive new",
                "merge alpha 1.2.3 -> 1.2.4 direct patch",
            ],
        },
    ),
    (
        "engineering/dependency-upgrade-triage/scripts/lockdiff.js",
        ["old.json", "gone.json"],
        2,
        {"files": {"old.json": lock()}, "err": ["cannot read gone.json"]},
    ),
    (
        "engineering/sql-migration-planner/scripts/lint_migration.py",
        ["m.sql"],
        1,
        {
            "files": {
                "m.sql": rows(
                    "-- drop table x;",
                    "ALTER TABLE orders ADD COLUMN note text DEFAULT 'set not null;';",
                    "CREATE INDEX i ON orders (note);",
                    "BEGIN; CREATE INDEX CONCURRENTLY j ON orders (id); COMMIT;",
                    "UPDATE orders SET note = 'a';",
                    "UPDATE orders SET note = 'a' WHERE id < 4;",
                )
            },
            "out": [
                "m.sql:2: no_lock_timeout",
                "m.sql:3: index_blocks_writes",
                "m.sql:4: concurrently_in_transaction",
                "m.sql:5: update_all_rows",
            ],
            "err": ["4 findings"],
        },
    ),
    (
        "engineering/flaky-test-hunter/scripts/flakes.py",
        ["reports"],
        1,
        {
            "files": {
                "reports/aaa/1.xml": JUNIT.format(""),
                "reports/aaa/2.xml": JUNIT.format("<failure message='timed out'/>"),
                "reports/bbb/1.xml": JUNIT.format("<failure message='other commit'/>"),
                "reports/bbb/2.xml": "<broken",
            },
            "out": ['"test": "a::shaky"', '"clean_runs_needed": 5', '"timed out"'],
            "err": ["1/2", "not readable"],
        },
    ),
    (
        "engineering/incident-response/incident-timeline/scripts/timeline.py",
        ["--date", "2026-05-04", "--source", "c=c.txt", "--source", "d=d.txt:+02:00:skew=-37"],
        0,
        {
            "files": {
                "c.txt": rows(
                    "13:58 users complain #start",
                    "14:07 INCIDENT sev2",
                    "  IC: Ana",
                    "14:12 operator: rolled back api",
                    "14:41 resolved",
                ),
                "d.txt": rows("2026-05-04 16:03:41 [deploy] api", "1777903930 lb: timeouts"),
            },
            "out": [
                '{"at": "2026-05-04T14:03:04Z", "source": "d", "text": "[deploy] api", "mark": ""}',
                "INCIDENT sev2 IC: Ana",
                '"at": "2026-05-04T14:11:33Z"',
            ],
            "err": ["time to detect: 9.0 min", "time to recover: 43.0 min", "gap of 29 min"],
        },
    ),
    (
        "engineering/incident-response/incident-timeline/scripts/timeline.py",
        ["--source", "c=c.txt"],
        2,
        {"files": {"c.txt": "13:58 no date here\n"}, "err": ["give --date"]},
    ),
    (
        "engineering/incident-response/postmortem-draft/scripts/skeleton.py",
        ["t.jsonl", "--title", "Checkout"],
        0,
        {
            "files": {
                "t.jsonl": rows(
                    '{"at": "2026-05-04T13:58:00Z", "source": "c", "text": "a | b", "mark": "start"}',
                    '{"at": "2026-05-04T14:41:00Z", "source": "c", "text": "ok", "mark": "recovered"}',
                )
            },
            "out": [
                "# Checkout",
                "| recovered | 14:41:00 | 43 min |",
                "a \\| b",
                "| acted | TO WRITE",
            ],
        },
    ),
    (
        "engineering/log-triage/scripts/patterns.py",
        ["now.log", "--against", "then.log"],
        1,
        {
            "files": {
                "now.log": rows(
                    "2026-05-04 13:58:10 INFO request 8123 took 12ms from 10.0.0.7",
                    '2026-05-04 13:59:11 ERROR pool "orders" exhausted after 30s',
                    "    at somewhere",
                    "2026-05-04 14:08:11 INFO request 8125 took 15ms from 10.0.0.8",
                ),
                "then.log": rows(
                    "2026-05-03 13:58:10 INFO request 1 took 12ms from 10.0.0.7",
                    "2026-05-03 14:08:10 INFO request 1 took 12ms from 10.0.0.7",
                ),
            },
            "out": ["new          1 ERROR    line 2       ERROR pool # exhausted after #s"],
            "err": ["3 lines, 2 patterns"],
        },
    ),
    (
        "engineering/shell-script-hardening/scripts/check.sh",
        ["bad.sh"],
        1,
        {
            "files": {
                "bad.sh": rows(
                    "#!/bin/sh",
                    "cd $1",
                    'rm -rf "$dir/"*',
                    "for f in $(ls *.log); do cp $f /tmp/out.$$; done",
                    "if [[ $a == b ]]; then echo -e x; fi",
                    "cat x | while read line; do which jq; done",
                    "cp $a $b # hardening: ignore",
                    "echo '$quoted'",
                )
            },
            "out": [
                "bad.sh:2: cd_unchecked",
                "bad.sh:3: rm_variable",
                "bad.sh:4: parse_ls",
                "bad.sh:4: temp_name",
                "bad.sh:5: bashism",
                "bad.sh:5: echo_flag",
                "bad.sh:6: read_raw",
                "bad.sh:6: which",
                "bad.sh:1: no_errexit",
            ],
        },
    ),
    (
        "engineering/shell-script-hardening/scripts/check.sh",
        ["good.sh"],
        0,
        {
            "files": {"good.sh": rows("#!/bin/sh", "set -eu", 'cd "$1"', 'cp -- "$2" "$3"')},
            "err": ["0 findings"],
        },
    ),
    (
        "engineering/container-image-slimming/scripts/audit.sh",
        ["Dockerfile"],
        1,
        {
            "files": {
                "Dockerfile": rows(
                    "FROM python",
                    "ARG API_TOKEN",
                    "COPY . .",
                    "RUN apt-get update && \\",
                    "    apt-get install -y gcc",
                    "RUN pip install -r requirements.txt",
                    "ADD https://files.example.invalid/x.tar.gz /x",
                    "CMD python app.py",
                )
            },
            "out": [
                "Dockerfile:1: floating_tag",
                "Dockerfile:2: secret_argument",
                "Dockerfile:4: cache_in_layer",
                "Dockerfile:3: copy_before_install",
                "Dockerfile:7: add_remote",
                "Dockerfile:8: shell_entrypoint",
                "Dockerfile:8: runs_as_root",
                "Dockerfile:4: no_stage",
            ],
        },
    ),
    (
        "engineering/skill-scaffolder/scripts/new-skill.sh",
        ["table-diff", "Compare: two tables. Use when exports disagree."],
        0,
        {"out": ["./table-diff/SKILL.md"]},
    ),
    (
        "engineering/skill-scaffolder/scripts/new-skill.sh",
        ["Table-Diff", "x"],
        1,
        {"err": ["may hold a-z"]},
    ),
    (
        "engineering/changelog-builder/scripts/changelog.sh",
        ["1.4.0", "2026-06-11"],
        0,
        {
            "stdin": rows(
                "feat(search): by date", "fix: y", "chore: z", "feat(api)!: drop XML", "WIP"
            ),
            "out": [
                "### Breaking\n- api: drop XML\n\n### Added\n- search: by date\n",
                "### Other\n- WIP",
            ],
        },
    ),
    ("engineering/changelog-builder/scripts/changelog.sh", ["1.4.0"], 1, {"stdin": "chore: z\n"}),
    (
        "engineering/changelog-builder-v2/scripts/changelog.py",
        ["--current", "1.4.0"],
        3,
        {
            "stdin": "\x1e\n".join(
                "\x1f".join(commit)
                for commit in (
                    ("dddd1111", 'Revert "feat: b"', "This reverts commit bbbb2222."),
                    ("cccc0000", "fix(api): c", "BREAKING CHANGE: use y\ninstead\n\nCloses #12"),
                    ("bbbb2222", "feat: b", ""),
                    ("aaaa0000", "feat: a", ""),
                )
            ),
            "out": ["## 2.0.0", "- api: c (#12)\n  use y instead", "### Added\n- a\n"],
        },
    ),
    (
        "engineering/changelog-builder-v2/scripts/changelog.py",
        ["--current", "1.4.0"],
        2,
        {"stdin": "feat: subjects only\n", "err": ["three fields"]},
    ),
    (
        "engineering/linear-history-policy/scripts/check-linear.sh",
        ["main"],
        2,
        {"err": ["main names no commit here"]},
    ),
]


@pytest.mark.parametrize(("script", "args", "code", "more"), CASES)
def test_script_answers(
    script: str, args: list[str], code: int, more: dict, answer: Callable
) -> None:
    result = answer(script, args, more.get("files"), more.get("stdin", ""))
    assert result.code == code, result
    assert [words for words in more.get("out", ()) if words not in result.out] == [], result
    assert [words for words in more.get("err", ()) if words not in result.err] == [], result


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    assert {case[0] for case in CASES} == {
        path for path in programs if path.startswith("engineering/")
    }


def test_a_linear_branch_passes_and_a_merge_does_not(answer: Callable, tmp_path: Path) -> None:
    def git(*args: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
        done = subprocess.run(
            ["git", *identity, *args], cwd=tmp_path, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr

    script = "engineering/linear-history-policy/scripts/check-linear.sh"
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "one")
    git("checkout", "-q", "-b", "branch")
    git("commit", "-q", "--allow-empty", "-m", "two")
    assert answer(script, ["main", "branch"]).out == ""
    git("checkout", "-q", "main")
    git("commit", "-q", "--allow-empty", "-m", "three")
    assert "behind: branch" in answer(script, ["main", "branch"]).out
    git("checkout", "-q", "branch")
    git("merge", "-q", "--no-ff", "-m", "merged", "main")
    git("commit", "-q", "--allow-empty", "-m", "fixup! two")
    result = answer(script, ["main", "branch"])
    assert result.code == 1
    assert "merge: " in result.out
    assert "fixup: " in result.out


def test_a_scaffolded_skill_passes_the_official_validator(answer: Callable, tmp_path: Path) -> None:
    from skills_ref import validate

    script = "engineering/skill-scaffolder/scripts/new-skill.sh"
    arguments = ["table-diff", "Compare: two\n  tables & rows. Use when exports disagree."]
    assert answer(script, arguments).code == 0
    assert validate(tmp_path / "table-diff") == []
    again = answer(script, arguments)
    assert again.code == 1
    assert "exists already" in again.err
