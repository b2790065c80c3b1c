"""Decisions about versions: each asks what it needs, is queued, and says how it came out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.pin import Scope, is_semver
from asf_core.domain.policy import Role
from asf_core.domain.receipts import ReceiptKind, Verdict
from asf_core.domain.skill import SkillRow
from asf_tui.bridge import Signer
from asf_tui.dossier import Dossier, Step, named
from asf_tui.problems import Problem
from asf_tui.screens.dialogs import AskDialog, ProblemDialog
from asf_tui.screens.forms import Answers, ConfirmDialog, Field, FormDialog
from asf_tui.screens.signing import Asking, passphrase

MOST = 2_000
"""Characters of a reason, as a receipt takes it."""


class Deciding(Asking):
    """What a curator decides about a version, step by step. See :class:`Asking`."""

    async def step(self, dossier: Dossier) -> bool:
        """Do the next step.

        Returns:
            Whether it was done.
        """
        match dossier.step:
            case Step.SOURCE | Step.TOOLS:
                return await self.trust(dossier)
            case Step.SCANNER | Step.SCAN:
                return await self.scan(dossier)
            case Step.REVIEWER | Step.REVIEW:
                return await self.review(dossier, Verdict.APPROVE)
            case Step.ACTIVATE:
                return await self.activate(dossier)
            case Step.ROLL_BACK:
                return await self.roll_back(dossier)
            case other:
                self.app.notify(f"Next: {other.value}.", markup=False)
                return False

    async def trust(self, dossier: Dossier) -> bool:
        """Trust a version's source revision, then register its tools; what holds is passed over."""
        record, done = dossier.record, True
        content = record.content
        if dossier.step is Step.SOURCE:
            source = content.source
            said = (
                f"{source.system} source {source.id}\nrevision {source.revision}\n\n"
                "Exactly this revision is trusted; what changes there later is not."
            )
            question = ConfirmDialog(f"Trust the source of {named(record)}?", said, "trusts it")
            if not await self.ask(question):
                return False
            done = await self._write(
                f"Trusting the source of {named(record)}",
                partial(self.desk.trust_source, record.content_hash),
                f"Trusted the source revision of {named(record)}",
            )
        tools = dossier.unknown_tools
        if not tools or not done:
            return done
        said = f"{', '.join(tools)}\n\nSkills of this workspace may declare them from then on."
        if not await self.ask(ConfirmDialog("Register these tools?", said, "registers them")):
            return False
        return await self._write(
            f"Registering tools of {named(record)}",
            partial(self.desk.register_tools, tools),
            f"Registered {', '.join(tools)}",
        )

    async def scan(self, dossier: Dossier, waivers: Path | None = None) -> bool:
        """Scan a version and sign what is found."""
        found = await self.signer(Role.SCANNER)
        if found is None:
            return False
        signer, known = found
        given: Answers | None = {}
        if fields := self.needs_passphrase(signer, known):
            said = f"The scan of {named(dossier.record)} is signed by {signer.name}."
            given = await self.ask(FormDialog("Sign the scan", said, fields))
        if given is None:
            return False
        name = named(dossier.record)
        signed = await self.app.work.write(
            f"Scanning {name}",
            partial(
                self.desk.scan,
                dossier.record.content_hash,
                signer,
                passphrase(given, known),
                waivers,
            ),
            lambda signed: f"Signed the scan of {name}: {_found(len(signed.result.findings))}",
        )
        return signed is not None

    async def scan_waived(self, dossier: Dossier) -> bool:
        """Ask for a file of waivers, then scan."""
        text = "A file of findings that you accept for a time, as asf scan --waivers takes it."
        path = await self.ask(AskDialog(f"Scan {named(dossier.record)}", text, "path of the file"))
        return bool(path) and await self.scan(dossier, Path(str(path)).expanduser())

    async def review(self, dossier: Dossier, verdict: Verdict) -> bool:
        """Sign an approval or a rejection."""
        found = await self.signer(Role.REVIEWER)
        if found is None:
            return False
        signer, known = found
        name = named(dossier.record)
        verb = "Approve" if verdict is Verdict.APPROVE else "Reject"
        fields = (
            Field("reason", "Reason", hint="why; it is signed with the decision"),
            *self.needs_passphrase(signer, known),
        )
        form = FormDialog(
            f"{verb} {name}", _review_text(dossier, verdict, signer), fields, _short_enough
        )
        given = await self.ask(form)
        if given is None:
            return False
        verb = verb.removesuffix("e")
        signed = await self.app.work.write(
            f"{verb}ing {name}",
            partial(
                self.desk.review,
                dossier.record.content_hash,
                verdict,
                given["reason"],
                signer,
                passphrase(given, known),
            ),
            lambda _: f"{verb}ed {name}, signed by {signer.name}",
        )
        return signed is not None

    async def activate(self, dossier: Dossier) -> bool:
        """Make a version active, where all conditions hold; say which do not otherwise."""
        record, name = dossier.record, named(dossier.record)
        if dossier.step is not Step.ACTIVATE:
            await self._lacks(dossier, f"{name} cannot become active")
            return False
        said = _replaces(dossier)
        if not await self.ask(ConfirmDialog(f"Make {name} active?", said, "makes it active")):
            return False
        return await self._write(
            f"Activating {name}",
            partial(self.desk.activate, record.content_hash),
            f"{name} is the active version",
        )

    async def roll_back(self, dossier: Dossier) -> bool:
        """Go back to a retired version; the receipts that it needs are offered to be made."""
        record, name = dossier.record, named(dossier.record)
        if record.state is not VersionState.RETIRED:
            await self._lacks(dossier, f"{name} cannot be rolled back to")
            return False
        ready = await self._fresh_receipts(dossier)
        if ready is None:
            return False
        said = _replaces(ready)
        if not await self.ask(ConfirmDialog(f"Roll back to {name}?", said, "rolls back")):
            return False
        return await self._write(
            f"Rolling back to {name}",
            partial(self.desk.roll_back, record.content_hash),
            f"{name} is active again",
        )

    async def _fresh_receipts(self, dossier: Dossier) -> Dossier | None:
        """Lead through what a rollback lacks; ``None`` when it stops short of it."""
        step = dossier.step
        if step is Step.ROLL_BACK:
            return dossier
        lacking = [f"- {r.why}" for r in dossier.standing.result.refusals]
        said = "\n".join(lacking) + (
            "\n\nA rollback needs a scan and an approval that are newer than the retirement."
        )
        title = f"Make what a rollback to {named(dossier.record)} lacks?"
        if not await self.ask(ConfirmDialog(title, said, "goes through it step by step")):
            return None
        return await self._go_through(dossier)

    async def _go_through(self, dossier: Dossier) -> Dossier | None:
        content_hash, before = dossier.record.content_hash, None
        while (step := dossier.step) is not Step.ROLL_BACK:
            if step is before:  # it was done, and helped nothing: say what is lacking all the same
                await self._lacks(dossier, f"{named(dossier.record)} cannot be rolled back to")
                return None
            if not await self.step(dossier):
                return None
            before = step
            dossier = await self.read(partial(Dossier.read, self.desk, content_hash))
        return dossier

    async def end(self, record: VersionRecord) -> bool:
        """Quarantine a version for good."""
        name = named(record)
        text = "Its pointer goes at once. No receipt lifts this; its files come back under no name."
        reason = await self.ask(AskDialog(f"End {name} for good", text, "reason"))
        if reason is None:
            return False
        return await self._write(
            f"Ending {name}",
            partial(self.desk.end, record.content_hash, reason),
            f"{name} is in quarantine for good",
        )

    async def add_candidate(self, row: SkillRow) -> bool:
        """Take in a skill as a candidate."""
        text = (
            f"{row.id}\nIts files are kept as they stand on disk now, and reviewed as one version."
        )
        fields = [Field("scope", "For whom", "product:default")]
        if not (row.version and is_semver(row.version)):
            fields.insert(0, Field("version", "Version", hint="1.0.0: it declares none"))
        form = FormDialog(f"Take in {row.slug} as a candidate", text, fields, _wrong_candidate)
        given = await self.ask(form)
        if given is None:
            return False
        added = await self.app.work.write(
            f"Taking in {row.slug}",
            partial(
                self.desk.add_candidate, row.id, Scope.parse(given["scope"]), given.get("version")
            ),
            lambda added: (
                f"{named(added.record)} waits in Review"
                if added.new
                else f"{named(added.record)} is here already, {added.record.state.value}"
            ),
        )
        return added is not None

    async def _write(self, doing: str, write: Callable[[], object], done: str) -> bool:
        def written() -> bool:
            write()
            return True

        return bool(await self.app.work.write(doing, written, lambda _: done))

    async def _lacks(self, dossier: Dossier, what: str) -> None:
        refusals = dossier.standing.result.refusals
        conditions = tuple(
            (one.condition.value.replace("_", " "), one.why, one.satisfy) for one in refusals
        )
        why = "" if conditions else f"It is {dossier.record.state.value}"
        await self.ask(ProblemDialog(Problem(what, why, conditions=conditions)))


def _found(count: int) -> str:
    return "clean" if not count else f"{count} finding{'s' * (count > 1)}"


def _replaces(dossier: Dossier) -> str:
    against = dossier.difference.against
    if against is None:
        return "No version of the skill is active now."
    return (
        f"It takes the place of {against.content.version}, which is kept and can be gone back to."
    )


def _review_text(dossier: Dossier, verdict: Verdict, signer: Signer) -> str:
    record = dossier.record
    back = "going back to " if record.state is VersionState.RETIRED else ""
    said = [f"About {back}content {record.content_hash[:16]}, signed by {signer.name}."]
    against = dossier.difference.against
    if against is not None:
        said.append(f"Compared with the active version {against.content.version}.")
    blocking = len(dossier.examination.blocking)
    if blocking and verdict is Verdict.APPROVE:
        said.append(f"{_found(blocking)} block it: an approval does not lift that.")
    kinds = {worth.status.kind for worth in dossier.standing.result.worth if worth.proves}
    if ReceiptKind.SECURITY not in kinds and verdict is Verdict.APPROVE:
        said.append("It was not scanned yet: an approval without a scan does not count.")
    if dossier.standing.drift:
        said.append("The files on disk are others since; this is about those that were kept.")
    if verdict is Verdict.REJECT and record.state is not VersionState.RETIRED:
        said.append("A rejected candidate is quarantined at once.")
    return "\n".join(said)


def _short_enough(given: Answers) -> str:
    over = len(given["reason"]) - MOST
    return f"The reason is {over:,} characters too long." if over > 0 else ""


def _wrong_candidate(given: Answers) -> str:
    if "version" in given and not is_semver(given["version"]):
        return "A version is three numbers, as 1.0.0."
    try:
        Scope.parse(given["scope"])
    except ValueError:
        return "Whom it is for: product:NAME, tenant:NAME or user:TENANT/NAME."
    return ""
