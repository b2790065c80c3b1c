"""The control plane and the judgements of a workspace, as Quarantine, Review and Versions ask them.

Versions are named by their whole content hash throughout: what is decided is what was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from asf_core.domain.content import VersionRecord
from asf_core.domain.event import Event
from asf_core.domain.pin import Scope
from asf_core.domain.policy import Role, TrustPolicy
from asf_core.domain.quality import DuplicateCluster, Judgement
from asf_core.domain.receipts import Verdict

if TYPE_CHECKING:
    from asf_core.services.control.shown import (
        Added,
        Change,
        Difference,
        Examination,
        LedgerResult,
        SignedScan,
        Standing,
        VerifiedReceipt,
    )
    from asf_core.services.engine import Engine


@dataclass(frozen=True, slots=True)
class Signer:
    """A signing key of the person at the workbench."""

    key_id: str
    name: str
    role: Role
    locked: bool
    """It needs a passphrase."""
    trusted: bool
    """What it signs counts here: as a reviewer, or as the scanner of this very program."""


class Desk(Protocol):
    """What is asked. Called from several threads; what decides, from one at a time.

    Each method may raise :class:`~asf_core.domain.errors.AsfError`.
    """

    def revision(self) -> str:
        """What changes whenever a sync or a decision, of any process, has changed something."""
        ...

    def judgement(self, skill_id: str) -> Judgement:
        """A skill's score taken apart."""
        ...

    def cluster(self, skill_id: str) -> DuplicateCluster | None:
        """The skills that are one with it."""
        ...

    def versions(self) -> tuple[VersionRecord, ...]:
        """All versions, by skill and version."""
        ...

    def standing(self, content_hash: str) -> Standing:
        """A version, and how it stands against every condition of its next step."""
        ...

    def difference(self, content_hash: str) -> Difference:
        """What a version changes against the active one."""
        ...

    def examine(self, content_hash: str) -> Examination:
        """What the scanner finds in a version, and the texts; nothing is signed."""
        ...

    def events(self, about: str | None = None, last: int | None = None) -> tuple[Event, ...]:
        """Events, oldest first: all, or those about a skill or a version."""
        ...

    def verify(self) -> LedgerResult:
        """Verify the event chain and the records against it."""
        ...

    def signers(self, role: Role) -> tuple[Signer, ...]:
        """The person's keys of a role, those that are trusted here first."""
        ...

    def policy(self) -> TrustPolicy:
        """The trust policy in force."""
        ...

    def actor(self) -> str:
        """Who acts, as the events will say."""
        ...

    def new_signer(self, role: Role, name: str, passphrase: bytes | None) -> Signer:
        """Make a key, and trust it in its role here."""
        ...

    def trust_signer(self, signer: Signer) -> None:
        """Trust a key in its role here."""
        ...

    def add_candidate(self, skill_id: str, scope: Scope, version: str | None) -> Added:
        """Take in a skill, as it stands on disk, as an immutable candidate."""
        ...

    def trust_source(self, content_hash: str) -> None:
        """Trust exactly the source revision of a version."""
        ...

    def register_tools(self, tools: Sequence[str]) -> None:
        """Register tools that skills may declare."""
        ...

    def scan(
        self, content_hash: str, signer: Signer, passphrase: bytes | None, waivers: Path | None
    ) -> SignedScan:
        """Scan a version and sign what was found."""
        ...

    def review(
        self,
        content_hash: str,
        verdict: Verdict,
        reason: str,
        signer: Signer,
        passphrase: bytes | None,
    ) -> VerifiedReceipt:
        """Sign a decision on a candidate, or on going back to a retired version."""
        ...

    def activate(self, content_hash: str) -> Change:
        """Make a candidate the active version of its skill."""
        ...

    def roll_back(self, content_hash: str) -> Change:
        """Make a retired version the active one again."""
        ...

    def end(self, content_hash: str, reason: str) -> tuple[VersionRecord, ...]:
        """Quarantine a version for good; says all that ended with it."""
        ...


class EngineDesk:
    """The desk of the real engine.

    Args:
        engine: Open.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    # Reading

    def revision(self) -> str:
        """See :class:`Desk`, as all below."""
        return self._engine.revision()

    def judgement(self, skill_id: str) -> Judgement:
        """A skill's score taken apart."""
        return self._engine.quality.judgement(skill_id)

    def cluster(self, skill_id: str) -> DuplicateCluster | None:
        """The skills that are one with it."""
        return self._engine.quality.cluster_of(skill_id)

    def versions(self) -> tuple[VersionRecord, ...]:
        """All versions."""
        return self._engine.control.versions.list()

    def standing(self, content_hash: str) -> Standing:
        """A version and its conditions."""
        return self._engine.control.versions.show(content_hash)

    def difference(self, content_hash: str) -> Difference:
        """Against the active version."""
        return self._engine.control.versions.difference(content_hash)

    def examine(self, content_hash: str) -> Examination:
        """Findings and texts."""
        return self._engine.control.receipts.examine(content_hash)

    def events(self, about: str | None = None, last: int | None = None) -> tuple[Event, ...]:
        """Events, oldest first."""
        return self._engine.control.audit.events(about, last=last)

    def verify(self) -> LedgerResult:
        """Verify the chain."""
        return self._engine.control.audit.verify()

    def policy(self) -> TrustPolicy:
        """The trust policy in force."""
        return self._engine.control.trust.policy()

    def actor(self) -> str:
        """Who acts."""
        return self._engine.control.session.actor

    def signers(self, role: Role) -> tuple[Signer, ...]:
        """The person's keys of a role."""
        keys, policy = self._engine.control.trust.keys(), self.policy()
        found = [
            Signer(
                key_id=info.public.key_id,
                name=info.name,
                role=role,
                locked=info.locked,
                trusted=_is_trusted(policy, info.public.key_id, role),
            )
            for info in keys
            if info.role is role
        ]
        return tuple(sorted(found, key=lambda signer: not signer.trusted))

    # Deciding

    def new_signer(self, role: Role, name: str, passphrase: bytes | None) -> Signer:
        """Make a key and trust it."""
        info = self._engine.control.trust.new_key(role, name, passphrase)
        made = Signer(info.public.key_id, info.name, role, info.locked, trusted=True)
        self.trust_signer(made)
        return made

    def trust_signer(self, signer: Signer) -> None:
        """Trust a key in its role."""
        trust = self._engine.control.trust
        if signer.role is Role.SCANNER:
            trust.add_scanner(signer.key_id, *_this_scanner())
        else:
            trust.add_key(signer.key_id, signer.role)

    def add_candidate(self, skill_id: str, scope: Scope, version: str | None) -> Added:
        """Take in a skill as a candidate."""
        return self._engine.control.versions.add_skill(skill_id, scope=scope, version=version)

    def trust_source(self, content_hash: str) -> None:
        """Trust a version's source revision."""
        self._engine.control.trust.allow_sources([content_hash])

    def register_tools(self, tools: Sequence[str]) -> None:
        """Register tools."""
        self._engine.control.trust.register_tools(tools)

    def scan(
        self, content_hash: str, signer: Signer, passphrase: bytes | None, waivers: Path | None
    ) -> SignedScan:
        """Scan and sign."""
        return self._engine.control.receipts.scan(
            content_hash, key=signer.key_id, passphrase=lambda _: passphrase, waivers=waivers
        )

    def review(
        self,
        content_hash: str,
        verdict: Verdict,
        reason: str,
        signer: Signer,
        passphrase: bytes | None,
    ) -> VerifiedReceipt:
        """Sign a decision."""
        return self._engine.control.receipts.review(
            content_hash, verdict, reason, key=signer.key_id, passphrase=lambda _: passphrase
        )

    def activate(self, content_hash: str) -> Change:
        """Make a candidate active."""
        return self._engine.control.versions.activate(content_hash)

    def roll_back(self, content_hash: str) -> Change:
        """Go back to a retired version."""
        return self._engine.control.versions.roll_back(content_hash)

    def end(self, content_hash: str, reason: str) -> tuple[VersionRecord, ...]:
        """End a version for good."""
        return self._engine.control.versions.quarantine(content_hash, reason)


def _is_trusted(policy: TrustPolicy, key_id: str, role: Role) -> bool:
    if role is not Role.SCANNER:
        return any(key.key_id == key_id and key.role is role for key in policy.keys)
    name, version = _this_scanner()
    return any(
        (one.name, one.version, one.key_id) == (name, version, key_id) for one in policy.scanners
    )


def _this_scanner() -> tuple[str, str]:
    """Name and version by which this program's scanner is trusted."""
    from asf_core.services.control.scanner import program_version
    from asf_core.services.control.trust import SCANNER_NAME

    return SCANNER_NAME, program_version()
