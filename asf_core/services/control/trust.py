"""The trust policy, the user's keys, and whose workspace this is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.content import VersionRecord
from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.instant import instant
from asf_core.domain.pin import SourceMode
from asf_core.domain.policy import (
    Channel,
    Role,
    TrustedKey,
    TrustedScanner,
    TrustedSource,
    TrustPolicy,
)
from asf_core.domain.refusal import Condition, Refusal
from asf_core.governance import trusting
from asf_core.governance.audit import LedgerResult, get_ledger_result, ledger_refusals
from asf_core.services.control.references import find_version
from asf_core.services.control.session import ControlSession
from asf_core.store.binding import new_workspace_id
from asf_core.store.keyring import KeyInfo
from asf_core.store.lock import hold
from asf_core.trust.keys import PublicKey

_LONGEST_PEM = 4_096
SCANNER_NAME = "asf-scan"
"""What this program's scanner is called in receipts."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a workspace would have its user trust."""

    mine: bool
    """It is the user's already."""
    place: str
    policy: TrustPolicy
    active: tuple[VersionRecord, ...]
    ledger: LedgerResult
    strange: tuple[str, ...]
    """Triggers and views in its database that this program does not make, or misses."""


class TrustService:
    """Whom and what this workspace trusts."""

    def __init__(self, session: ControlSession) -> None:
        self._session = session

    # Keys

    def new_key(self, role: Role, name: str | None, passphrase: bytes | None) -> KeyInfo:
        """Make a signing key in the user's directory; nothing trusts it yet."""
        session = self._session
        return session.keyring.new(
            role, session.actor if name is None else name, passphrase, session.now()
        )

    def keys(self) -> tuple[KeyInfo, ...]:
        """The user's signing keys."""
        return self._session.keyring.all()

    # Policy

    def policy(self) -> TrustPolicy:
        """The trust policy in force, as it stands; it counts only in the user's own workspace."""
        with self._session.records.reading() as reading:
            return reading.policy()

    def add_key(self, ref: str, role: Role, name: str | None = None) -> TrustedKey:
        """Trust a key in one role.

        Args:
            ref: Name or id of a key of the user's, or the path of a public key in PEM: one with a
                directory in it, or that ends in ``.pem``.
            role: What it may sign.
            name: Whose it is; the key's own name when left out.
        """
        public, own = self._public(ref, role)
        with self._session.decision("a change of the trust policy") as now:
            policy = trusting.change_policy(
                self._session.records,
                trusting.add_key(public, role, name or own, now),
                what=f"trust key {public.key_id[:12]} of {name or own} as {role.value}",
                actor=self._session.actor,
                now=now,
            )
        return next(key for key in policy.keys if key.key_id == public.key_id)

    def add_scanner(
        self, ref: str, scanner: str, version: str, name: str | None = None
    ) -> TrustedScanner:
        """Trust one version of a scanner, and the key that speaks for it."""
        public, own = self._public(ref, Role.SCANNER)
        try:
            trusted = TrustedScanner(name=scanner, version=version, key_id=public.key_id)
        except ValueError as error:
            raise InputError(
                f"{scanner} {version} cannot name a scanner",
                hint="Name and version are made of letters, digits and ._@-",
            ) from error
        with self._session.decision("a change of the trust policy") as now:
            key = trusting.add_key(public, Role.SCANNER, name or own, now)
            known = trusting.add_scanner(trusted)
            trusting.change_policy(
                self._session.records,
                lambda policy: known(key(policy)),
                what=f"trust scanner {scanner} {version} with key {public.key_id[:12]}",
                actor=self._session.actor,
                now=now,
            )
        return trusted

    def allow_sources(
        self, refs: Sequence[str], revision: str | None = None
    ) -> tuple[TrustedSource, ...]:
        """Trust the exact source revisions of versions, or of a whole registry at one commit.

        Args:
            refs: Versions; or, with a revision, ids of registries or of directories in them.
            revision: The commit.
        """
        if revision is not None:
            sources = tuple(
                TrustedSource(
                    mode=SourceMode.SKILL_DIRECTORY, system="git", id=ref, revision=revision
                )
                for ref in refs
            )
        else:
            sources = tuple(self._source_of(ref) for ref in refs)
        said = ", ".join(f"{source.id} at {source.revision[:19]}" for source in sources)
        self._change(trusting.allow_source(sources), f"trust {said}")
        return sources

    def register_tools(self, tools: Sequence[str]) -> TrustPolicy:
        """Register tools that skills may declare."""
        return self._change(trusting.register_tool(tools), f"register {', '.join(tools)}")

    def set_channel(self, name: str, tools: Sequence[str]) -> Channel:
        """Say which tools a channel allows."""
        try:
            channel = Channel(name=name, tools=tuple(dict.fromkeys(tools)))
        except ValueError as error:
            raise InputError(f"{name!r} cannot be a channel's name") from error
        allowed = ", ".join(channel.tools) or "no tools"
        self._change(trusting.set_channel(channel), f"allow {allowed} on channel {name}")
        return channel

    def remove(self, what: str, name: str, revision: str | None = None) -> TrustPolicy:
        """Trust something no longer: a ``key``, ``source``, ``tool`` or ``channel``."""
        if what == "key":
            change = trusting.remove_key(self._key_id(name))
        elif what == "source":
            change = trusting.remove_source(name, revision)
        elif what == "tool":
            change = trusting.remove_tool(name)
        elif what == "channel":
            change = trusting.remove_channel(name)
        else:
            raise InputError(
                f"The trust policy has no {what!r}", hint="Use key, source, tool or channel"
            )
        return self._change(change, f"trust {what} {name} no longer")

    def set_limits(self, **limits: object) -> TrustPolicy:
        """Change numbers and switches of the policy; those that are ``None`` stay."""
        wanted = {name: value for name, value in limits.items() if value is not None}
        said = ", ".join(f"{name} {value}" for name, value in wanted.items())
        return self._change(lambda policy: trusting.changed(policy, **wanted), f"set {said}")

    # Whose workspace

    def inspect(self) -> Inspection:
        """See what this workspace would have its user trust, before anything is trusted."""
        session = self._session
        try:
            session.require_own()
            mine = True
        except ConditionsError:
            mine = False
        with session.records.reading() as reading:
            active = [reading.version(h) for h in reading.pointers().values()]
            return Inspection(
                mine=mine,
                place=session.place,
                policy=reading.policy(),
                active=tuple(record for record in active if record is not None),
                ledger=get_ledger_result(reading),
                strange=session.records.strange_schema(),
            )

    def adopt(self) -> Inspection:
        """Take the workspace as the user's own, with the trust policy and the pins in it.

        Raises:
            ConditionsError: Its ledger does not verify, or its database was tampered with.
        """
        session = self._session
        with hold(session.workspace.control_lock, wait=10.0, purpose="adopting the workspace"):
            found = self.inspect()
            if found.strange:
                refusal = Refusal(
                    condition=Condition.WORKSPACE_BOUND,
                    why=f"Its database has other triggers or views: {', '.join(found.strange)}",
                    satisfy="Start anew with asf init, and add what you trust",
                )
                raise ConditionsError("This workspace cannot be adopted", [refusal])
            if found.ledger.problems:
                raise ConditionsError(
                    "This workspace cannot be adopted", ledger_refusals(found.ledger.problems)
                )
            workspace_id = session.records.workspace_id()
            if workspace_id is None or session.bindings.knows_elsewhere(
                workspace_id, session.place
            ):
                # The user's notes about the workspace that this one was copied from stay true.
                # Otherwise it keeps its id: others may share the database and know it by that.
                workspace_id = new_workspace_id()
                session.records.set_workspace_id(workspace_id)
            at = instant(session.now())
            session.bindings.bind(workspace_id, session.place, at, found.ledger.head)
        return found

    def _change(self, change: trusting.PolicyChange, what: str) -> TrustPolicy:
        with self._session.decision("a change of the trust policy") as now:
            return trusting.change_policy(
                self._session.records, change, what=what, actor=self._session.actor, now=now
            )

    def _source_of(self, ref: str) -> TrustedSource:
        with self._session.records.reading() as reading:
            content = find_version(reading, ref).content
        return TrustedSource(
            mode=content.mode,
            system=content.source.system,
            id=content.source.id,
            revision=content.source.revision,
        )

    def _public(self, ref: str, role: Role) -> tuple[PublicKey, str]:
        """A public key and its name, from a file or from the user's keys."""
        # A file is meant only where a path is written: one that lies in the current directory, and
        # is called like a key of the user's, must not be taken for it.
        path = Path(ref).expanduser()
        if path.suffix == ".pem" or path.name != ref:
            return _read_public(path), path.stem
        info = self._session.keyring.find(ref, role)
        return info.public, info.name

    def _key_id(self, ref: str) -> str:
        keys = self.policy().keys
        found = [k for k in keys if k.name == ref or k.key_id.startswith(ref.lower())]
        if len(found) != 1:
            raise InputError(
                f"{len(found) or 'No'} trusted keys are meant by {ref!r}",
                hint="Use the beginning of a key id from: asf trust show",
            )
        return found[0].key_id


def _read_public(path: Path) -> PublicKey:
    try:
        with path.open("rb") as file:
            return PublicKey.from_pem(file.read(_LONGEST_PEM))
    except OSError as error:
        raise InputError(f"{path} cannot be read", why=error.strerror or "") from error
