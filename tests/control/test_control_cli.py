"""The control plane on the command line: refusals say what failed and what would satisfy it."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from asf_core.cli import streams
from asf_core.cli.main import run
from asf_core.domain.instant import instant
from asf_core.domain.receipts import ReceiptKind, ReviewReceipt, Verdict
from asf_core.domain.text import visible
from asf_core.trust.dsse import seal
from asf_core.trust.keys import SigningKey
from asf_core.trust.statements import write_statement
from tests.control.conftest import Desk, skill_text

EXPORTS = Path(__file__).parents[1] / "governance" / "exports"


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def asf(
    new_desk: Callable[[], Desk],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Said]:
    """Runs ``asf`` in this process, at the desk's workspace."""
    desk = new_desk()
    monkeypatch.setenv("ASF_WORKSPACE", str(desk.engine.workspace.root))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(streams, "prepare", lambda: None)  # the streams of a process of its own

    def call(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["asf", *arguments])
        with pytest.raises(SystemExit) as left:
            run()
        captured = capsys.readouterr()
        code = left.value.code
        return Said(code if isinstance(code, int) else 0, captured.out, captured.err)

    return call


def _trusting(asf: Callable[..., Said]) -> None:
    for role in ("reviewer", "scanner", "grantor"):
        assert asf("keys", "new", "--role", role, "--name", role).code == 0
        assert asf("trust", f"add-{role}", role).code == 0
    assert asf("trust", "register-tool", "Read").code == 0


def _active(asf: Callable[..., Said]) -> str:
    _trusting(asf)
    for arguments in (
        ("candidate", "add", "carver"),
        ("trust", "allow-source", "carver"),
        ("candidate", "scan", "carver"),
        ("review", "approve", "carver", "--reason", "reads well"),
        ("activate", "carver"),
    ):
        said = asf(*arguments)
        assert said.code == 0, said
    found: str = asf("resolve", "carver", "--json").json["pin"]["content_hash"]
    return found


def test_a_refusal_says_each_condition_and_what_would_satisfy_it(asf: Callable[..., Said]) -> None:
    asf("candidate", "add", "carver")
    said = asf("activate", "carver")
    assert said.code == 3
    assert said.out == ""
    lines = said.err.splitlines()
    assert lines[0] == "asf: reg/carver@1.0.0 was not activated"
    whys = [line for line in lines if line.startswith("  why:")]
    dos = [line for line in lines if line.startswith("  do:")]
    assert [why.split()[1] for why in whys] == [
        "source_trusted:", "tools_registered:", "security_receipt:", "governance_receipt:",
    ]  # fmt: skip
    assert len(dos) == len(whys)
    assert "asf trust allow-source reg/carver@1.0.0" in dos[0]


def test_a_look_without_signing_needs_no_key_and_leaves_no_trace(
    asf: Callable[..., Said], new_desk: Callable[[], Desk]
) -> None:
    asf("candidate", "add", "carver")
    asf("trust", "allow-source", "carver")
    asf("trust", "register-tool", "Read")
    before = new_desk().engine.revision()
    said = asf("candidate", "scan", "carver", "--no-sign", "--json")
    assert said.code == 0, said
    assert said.json["receipt"] is None
    assert said.json["complete"] is True
    assert "Not signed: 1 finding" in asf("candidate", "scan", "carver", "--no-sign").out
    assert new_desk().engine.revision() == before


def test_a_decision_of_another_process_changes_the_revision(
    asf: Callable[..., Said], new_desk: Callable[[], Desk]
) -> None:
    seen = [new_desk().engine.revision()]
    for arguments in (
        ("candidate", "add", "carver"),
        ("trust", "register-tool", "Read"),
        ("quarantine", "carver", "--reason", "leaks"),
        ("release", "carver", "--reason", "mended"),
    ):
        assert asf(*arguments).code == 0
        seen.append(new_desk().engine.revision())
    assert len(set(seen)) == len(seen)


def test_each_receipt_says_what_it_proves_and_lacks(asf: Callable[..., Said]) -> None:
    _trusting(asf)
    asf("candidate", "add", "carver")
    asf("trust", "allow-source", "carver")
    asf("candidate", "scan", "carver")
    asf("review", "reject", "carver", "--reason", "reads badly")
    scanned, reviewed = asf("candidate", "show", "carver", "--json").json["receipts"]
    assert " reported 1 finding at " in scanned["proves"]
    assert scanned["lacks"] == ""
    assert reviewed["proves"].endswith("reads badly")
    assert "speaks against" in reviewed["lacks"]
    assert "lacks: It speaks against" in " ".join(asf("candidate", "show", "carver").out.split())


def test_a_review_says_that_the_files_on_disk_changed_since(
    asf: Callable[..., Said], new_desk: Callable[[], Desk]
) -> None:
    _trusting(asf)
    asf("candidate", "add", "carver")
    asf("candidate", "scan", "carver")
    new_desk().write("carver/references/steps.md", "More.\n")
    said = asf("review", "approve", "carver", "--reason", "fine")
    assert said.code == 0
    assert "on disk are others since (1 added: references/steps.md)" in " ".join(said.err.split())


def test_a_refusal_as_json_is_one_document(asf: Callable[..., Said]) -> None:
    asf("candidate", "add", "carver")
    said = asf("activate", "carver", "--json")
    assert said.code == 3
    assert [item["condition"] for item in said.json["conditions"]] == [
        "source_trusted", "tools_registered", "security_receipt", "governance_receipt",
    ]  # fmt: skip


def test_what_a_refusal_says_to_do_satisfies_it(asf: Callable[..., Said]) -> None:
    """Follow the advice, command by command, until the version is active."""
    for role in ("reviewer", "scanner"):
        asf("keys", "new", "--role", role, "--name", role)
        asf("trust", f"add-{role}", role)
    asf("candidate", "add", "carver")
    for _ in range(10):
        said = asf("activate", "carver", "--json")
        if said.code == 0:
            break
        advice = said.json["conditions"][0]["satisfy"].split("asf ", 1)[1]
        arguments = shlex.split(advice)
        reason = ["--reason", "reads well"] if arguments[:2] == ["review", "approve"] else []
        assert asf(*arguments, *reason).code == 0
    assert asf("resolve", "carver").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("candidate", "add"), 2, "Say what to take in"),
        (("candidate", "add", "nothing"), 2, "No skill is called"),
        (("candidate", "add", "carver", "--scope", "everyone"), 2, "no scope"),
        (("candidate", "add", "carver", "--version", "2.0.0"), 2, "declares version 1.0.0"),
        (("candidate", "add", "--playbook", "absent.json"), 2, "cannot be read"),
        (("candidate", "add", "--playbook", str(EXPORTS / "recipes.json")), 2, "not an export"),
        (("candidate", "show", "nothing"), 2, "There is no version"),
        (("candidate", "list", "--state", "gone"), 2, "no state"),
        (("candidate", "scan", "carver"), 2, "no scanner key"),
        (("review", "approve", "carver", "--reason", "x"), 2, "no reviewer key"),
        (("review", "record", "absent", "--kind", "governance"), 2, "cannot be read"),
        (("review", "record", "absent", "--kind", "other"), 2, "no receipt of kind"),
        (("activate", "carver"), 2, "There is no version"),
        (("rollback", "carver"), 2, "There is no version"),
        (("keys", "new", "--role", "king"), 2, "no role"),
        (("keys", "new", "--role", "reviewer", "--name", ""), 2, "cannot be a key's name"),
        (("trust", "add-reviewer", "nobody"), 2, "no reviewer key"),
        (("trust", "allow-source", "nothing"), 2, "There is no version"),
        (("trust", "remove", "tool", "Bash"), 2, "no such tool"),
        (("trust", "remove", "hat", "Bash"), 2, "has no 'hat'"),
        (("trust", "set", "--reviewers-needed", "0"), 2, "cannot be changed"),
        (("trust", "set", "--block-at", "never"), 2, "no severity"),
        (("resolve", "nothing"), 2, "There is no version"),
        (("grant", "revoke", "grant-1", "--reason", "x"), 2, "There is no grant"),
        (("grant", "issue", "carver", "--purpose", "p", "--channel", "c"), 2, "no grantor key"),
        (("feedback", "auth-1", "--outcome", "helpful"), 2, "no authorisation"),
        (("feedback", "auth-1", "--outcome", "great"), 2, "no outcome"),
        (("events", "--kind", "party"), 2, "no event of kind"),
        (("quarantine", "carver@9.9.9", "--reason", "x"), 2, "No skill is called"),
    ],
)
def test_wrong_usage_is_said_in_words(
    asf: Callable[..., Said], arguments: tuple[str, ...], code: int, says: str
) -> None:
    said = asf(*arguments)
    assert said.code == code
    assert says in said.err
    assert "Traceback" not in said.err
    assert "unexpected" not in said.err


def test_the_whole_life_in_json(asf: Callable[..., Said], new_desk: Callable[[], Desk]) -> None:
    first = _active(asf)
    new_desk().write("carver/SKILL.md", skill_text("1.1.0", "Carve it well."))
    asf("candidate", "add", "carver")
    asf("trust", "allow-source", "carver@1.1.0")
    scanned = asf("candidate", "scan", "carver@1.1.0", "--json").json
    assert scanned["complete"] is True
    changes = asf("candidate", "diff", "carver@1.1.0", "--json").json
    assert changes["against"]["content_hash"] == first
    assert {item["field"] for item in changes["fields"]} >= {"version", "source.revision"}
    assert "+Carve it well." in changes["files"][0]["diff"]
    asf("review", "approve", "carver@1.1.0", "--reason", "better")
    second = asf("activate", "carver@1.1.0", "--json").json
    assert second["retired"]["content_hash"] == first
    listed = {
        item["pin"]["version"]: item["state"] for item in asf("candidate", "list", "--json").json
    }
    assert listed == {"1.0.0": "retired", "1.1.0": "active"}
    asf("candidate", "scan", "carver@1.0.0")
    approved = asf("review", "approve", "carver@1.0.0", "--reason", "back", "--json").json
    assert approved["kind"] == "rollback_governance"
    assert asf("rollback", "carver@1.0.0", "--json").json["active"]["content_hash"] == first
    assert asf("quarantine", "carver@1.0.0", "--reason", "leaks", "--json").json["terminal"] is True
    assert asf("resolve", "carver", "--json").json["conditions"][0]["condition"] == "active_pin"
    kinds = [event["kind"] for event in asf("events", "carver", "--json").json]
    assert kinds[-3:] == ["retired", "rolled_back", "version_quarantined"]
    assert asf("events", "--verify", "--json").json["verified"] is True


def test_grants_instructions_and_feedback(asf: Callable[..., Said]) -> None:
    _active(asf)
    asf("trust", "set-channel", "chat", "--tool", "Read")
    grant = asf(
        "grant", "issue", "carver", "--user", "ann", "--purpose", "help", "--channel", "chat",
        "--tool", "Read", "--tool", "Bash", "--for", "30m", "--json",
    ).json  # fmt: skip
    use = ("resolve", "carver", "--user", "ann", "--grant", grant["id"], "--purpose", "help")
    given = asf(*use, "--channel", "chat", "--json").json
    assert given["instructions"] == "Carve it.\n"
    assert given["authorisation"]["tools"] == ["Read"]
    assert asf(*use, "--channel", "chat").out == "Carve it.\n"
    refused = asf(*use, "--channel", "ci")
    assert refused.code == 3
    assert "channel is chat, not ci" in refused.err
    identity = given["authorisation"]["id"]
    said = ("feedback", identity, "--outcome", "helpful", "--score", "0.8", "--id", "feedback-1")
    assert asf(*said).code == asf(*said).code == 0
    assert asf(*said[:-4], "--score", "0.1", "--id", "feedback-1").code == 3
    assert asf("feedback", identity, "--outcome", "failed", "--evidence", "it broke").code == 2
    assert asf("grant", "revoke", grant["id"], "--reason", "done").code == 0
    assert "grant_not_revoked" in asf(*use, "--channel", "chat").err
    assert "revoked" in asf("grant", "list").out


def test_playbooks_and_recipes(asf: Callable[..., Said]) -> None:
    added = asf("candidate", "add", "--playbook", str(EXPORTS / "playbooks.json"), "--json").json
    assert len(added) == 7
    assert {item["label"] for item in added} == {"Built-in"}
    again = asf("candidate", "add", "--playbook", str(EXPORTS / "playbooks.json"), "--json").json
    assert not any(item["new"] for item in again)
    assert asf("candidate", "show", "skill.research.v2", "--json").json["pin"]["version"] == "2.0.0"
    recipes = asf("candidate", "add", "--recipe", str(EXPORTS / "recipes.json"), "--json").json
    assert [item["label"] for item in recipes] == ["My skill", "My skill"]


def test_a_receipt_signed_elsewhere_comes_in(
    asf: Callable[..., Said], tmp_path: Path, new_desk: Callable[[], Desk]
) -> None:
    _trusting(asf)
    asf("candidate", "add", "carver")
    key = SigningKey.generate()
    pem = tmp_path / "bob.pem"
    pem.write_bytes(key.public.pem)
    assert asf("trust", "add-reviewer", str(pem)).code == 0
    desk = new_desk()
    (record,) = desk.control.versions.list()
    review = ReviewReceipt(
        id="review-by-bob", verdict=Verdict.REJECT, reason="no", reviewer="bob",
        reviewed_at=instant(datetime.now(UTC)), security=(), compared_with=None,
    )  # fmt: skip
    file = tmp_path / "review.json"
    file.write_bytes(seal(write_statement(ReceiptKind.GOVERNANCE, record.pin, review), [key]))
    assert asf("review", "record", str(file), "--kind", "security").code == 3
    assert asf("review", "record", str(file), "--kind", "governance").code == 0
    shown = asf("candidate", "list").out
    assert "quarantined" in shown
    assert "bob rejected it: no" in " ".join(shown.split())


def test_a_passphrase_is_asked_for_and_never_shown(
    asf: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASF_PASSPHRASE", "correct horse")
    made = asf("keys", "new", "--role", "reviewer", "--name", "ada", "--passphrase", "--json")
    assert made.json["passphrase"] is True
    asf("trust", "add-reviewer", "ada")
    asf("candidate", "add", "carver")
    assert asf("review", "approve", "carver", "--reason", "r").code == 0
    monkeypatch.setenv("ASF_PASSPHRASE", "wrong")
    wrong = asf("review", "approve", "carver", "--reason", "r")
    monkeypatch.delenv("ASF_PASSPHRASE")
    absent = asf("review", "approve", "carver", "--reason", "r")
    assert (wrong.code, absent.code) == (3, 2)
    for said in (made, wrong, absent):
        assert "correct horse" not in said.out + said.err


def test_a_snapshot_goes_out_and_is_checked(asf: Callable[..., Said], tmp_path: Path) -> None:
    _active(asf)
    file = tmp_path / "ledger.jsonl"
    written = asf("snapshot", "export", str(file), "--json").json
    verified = asf("snapshot", "verify", str(file), "--json").json
    assert verified["head"] == written["head"] == asf("events", "--verify", "--json").json["head"]
    assert verified["active"] == 1
    assert asf("snapshot", "restore", str(file)).code == 0
    assert "it is older" in asf("snapshot", "restore", str(file)).err
    file.write_bytes(file.read_bytes().replace(b"reads well", b"reads bad!"))
    changed = asf("snapshot", "verify", str(file))
    assert (changed.code, changed.out) == (3, "")
    assert "does not follow the one before it" in changed.err
    file.write_bytes(file.read_bytes()[:-9])
    cut = asf("snapshot", "verify", str(file))
    assert cut.code == 2
    assert "line " in cut.err
    assert asf("snapshot", "verify", "absent").code == 2


def test_hostile_text_reaches_no_terminal(
    asf: Callable[..., Said], new_desk: Callable[[], Desk]
) -> None:
    nasty = "\x1b]0;title\x07\u202eevil\u200b"
    desk = new_desk()
    desk.write("carver/SKILL.md", skill_text(body=nasty))
    desk.write(f"carver/na{chr(0x202E)}me.md", nasty)
    _trusting(asf)
    asf("trust", "set", "--block-at", "critical")
    asf("candidate", "add", "carver")
    asf("trust", "allow-source", "carver")
    scanned = asf("candidate", "scan", "carver")
    assert "prompt_injection" in scanned.out
    assert visible(scanned.out, keep="\n") == scanned.out
    asf("review", "approve", "carver", "--reason", f"reads {nasty}")
    assert asf("activate", "carver").code == 0
    asf("trust", "set-channel", "chat")
    asf(
        "grant",
        "issue",
        "carver",
        "--user",
        "a",
        "--purpose",
        "p",
        "--channel",
        "chat",
        "--id",
        "grant-nasty",
    )
    use = ("--user", "a", "--grant", "grant-nasty", "--purpose", "p", "--channel", "chat")
    for arguments in (
        ("candidate", "diff", "carver"),
        ("candidate", "show", "carver"),
        ("candidate", "list"),
        ("resolve", "carver", *use),
        ("events",),
        ("trust", "show"),
    ):
        for form in ((), ("--json",)):
            said = asf(*arguments, *form)
            assert said.code == 0
            assert visible(said.out, keep="\n") == said.out
