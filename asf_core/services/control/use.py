"""Using active versions: discovery, grants, instructions, feedback."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from asf_core.domain.content import VersionState
from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.instant import instant
from asf_core.domain.pin import Pin, Subject
from asf_core.domain.policy import Role
from asf_core.domain.receipts import Grant, ReceiptKind, StoredGrant
from asf_core.domain.use import Authorisation, Discovery, Feedback, FeedbackOutcome
from asf_core.governance.discovery import active_record, catalogue, discover, no_active_pin
from asf_core.governance.feedback import FeedbackSummary, record_feedback, summary
from asf_core.governance.grants import AuthorisedUse, UseRequest, authorise, revoke
from asf_core.services.control.receipts import ReceiptService, new_id
from asf_core.services.control.references import find_skill, find_version
from asf_core.services.control.session import ControlSession, Passphrase
from asf_core.trust.dsse import open_envelope
from asf_core.trust.statements import read_predicate, read_statement

_ACTIVE = frozenset({VersionState.ACTIVE})


@dataclass(frozen=True, slots=True)
class GrantTerms:
    """What a grant is to say, besides its pin."""

    tenant: str
    user: str
    purpose: str
    channel: str
    tools: tuple[str, ...]
    lasts: timedelta


class UseService:
    """What may be known of active versions, and who may run them."""

    def __init__(self, session: ControlSession, receipts: ReceiptService) -> None:
        self._session = session
        self._receipts = receipts

    def discover(self, ref: str, subject: Subject) -> Discovery:
        """Metadata and the exact pin of a skill's active version; never its instructions.

        A reference that names another version than the active one is refused.
        """
        self._session.require_own()
        with self._session.records.reading() as reading:
            skill_id = find_skill(reading, ref)
            exactly = find_version(reading, ref).pin if _names_version(ref, skill_id) else None
            return discover(reading, skill_id, subject, exactly=exactly)

    def catalogue(self, subject: Subject) -> tuple[Discovery, ...]:
        """All active versions that a subject may see."""
        self._session.require_own()
        with self._session.records.reading() as reading:
            return catalogue(reading, subject)

    def issue(
        self,
        ref: str,
        terms: GrantTerms,
        *,
        key: str | None,
        passphrase: Passphrase,
        grant_id: str | None = None,
    ) -> Grant:
        """Grant one user the use of one exact version.

        Args:
            ref: The version; the active one when only a skill is named.
            terms: For whom and for what.
            key: Name or id of a grantor key of the user's; the only one when left out.
            passphrase: Asks for the key's.
            grant_id: Not used before; a new one when left out.

        Raises:
            ConditionsError: The policy does not trust the key as a grantor's, or the id is that of
                another grant.
        """
        info = self._session.keyring.find(key, Role.GRANTOR)
        with self._session.decision("a grant") as now:
            with self._session.records.reading() as reading:
                record = find_version(reading, ref, _ACTIVE)
            try:
                grant = Grant(
                    id=grant_id or new_id("grant"),
                    pin=record.pin,
                    tenant=terms.tenant,
                    user=terms.user,
                    purpose=terms.purpose,
                    channel=terms.channel,
                    tools=terms.tools,
                    issued_at=instant(now),
                    not_before=instant(now),
                    expires_at=instant(now + terms.lasts),
                    issuer=info.name,
                )
            except ValueError as error:
                raise InputError(
                    "The grant's terms are not understood",
                    why="Tenant, user, purpose and channel are single words; an id has 8 characters",
                    hint="Use letters, digits and ._@-",
                ) from error
            self._receipts.sign(ReceiptKind.GRANT, record, grant, info, passphrase, now)
        return grant

    def revoke(self, grant_id: str, reason: str) -> None:
        """Take a grant back for good."""
        if not reason.strip():
            raise InputError("A revocation needs a reason", hint="Give one with --reason")
        with self._session.decision("a revocation") as now:
            revoke(
                self._session.records,
                grant_id,
                reason=reason.strip(),
                actor=self._session.actor,
                now=now,
            )

    def grants(self) -> tuple[tuple[Grant, StoredGrant], ...]:
        """All grants with what became of them, oldest first; their signatures are not looked at."""
        with self._session.records.reading() as reading:
            found = reading.grants()
        return tuple((_grant_in(stored), stored) for stored in found)

    def authorise(
        self, ref: str, subject: Subject, *, grant_id: str, purpose: str, channel: str
    ) -> AuthorisedUse:
        """Hand out the instructions of an active version, if a grant says so.

        Args:
            ref: A skill, whose active version is meant, or an exact version.
            subject: Who asks.
            grant_id: The grant.
            purpose: What for.
            channel: Where.

        Raises:
            ConditionsError: Conditions do not hold; the refusal is on record.
        """
        with self._session.decision("an authorisation") as now:
            pin = self._pin(ref)
            try:
                request = UseRequest(
                    grant_id=grant_id, pin=pin, subject=subject, purpose=purpose, channel=channel
                )
            except ValueError as error:
                raise InputError(
                    "The request is not understood",
                    why="Grant, purpose and channel are single words",
                    hint="List the grants with: asf grant list",
                ) from error
            return authorise(
                self._session.records, request, authorisation_id=new_id("auth"), now=now
            )

    def authorisations(self) -> tuple[Authorisation, ...]:
        """All retained authorisations, oldest first."""
        with self._session.records.reading() as reading:
            return reading.authorisations()

    def feedback(
        self,
        authorisation_id: str,
        outcome: FeedbackOutcome,
        *,
        score: float | None = None,
        evidence: str | None = None,
        tools: tuple[str, ...] | None = None,
        recommends_review: bool = False,
        feedback_id: str | None = None,
    ) -> Feedback:
        """Retain a feedback on an authorised use; it changes nothing else."""
        with self._session.decision("a feedback") as now:
            with self._session.records.reading() as reading:
                used = reading.authorisation(authorisation_id)
                known = reading.feedback(feedback_id) if feedback_id else None
            if used is None:
                raise InputError(
                    f"There is no authorisation {authorisation_id!r}",
                    hint="It is shown when instructions are given: asf resolve",
                )
            try:
                item = Feedback(
                    id=feedback_id or new_id("feedback"),
                    authorisation_id=authorisation_id,
                    pin=used.pin,
                    purpose=used.purpose,
                    channel=used.channel,
                    tools=used.tools if tools is None else tools,
                    outcome=outcome,
                    score=score,
                    evidence=evidence,
                    recommends_review=recommends_review,
                    at=known.at if known else instant(now),
                )
            except ValueError as error:
                raise InputError(
                    "The feedback is not understood",
                    why="Score is 0 to 1; evidence is a digest or an address, never text",
                    hint="For example: --score 0.8 --evidence https://tracker.example/42",
                ) from error
            record_feedback(self._session.records, item, now=now)
        return item

    def retained(self) -> tuple[Feedback, ...]:
        """All feedback of this workspace, oldest first."""
        self._session.require_own()
        with self._session.records.reading() as reading:
            return reading.feedback_on()

    def feedback_on(self, ref: str) -> FeedbackSummary:
        """What the feedback on a version says together."""
        with self._session.records.reading() as reading:
            return summary(reading, find_version(reading, ref, _ACTIVE).content_hash)

    def _pin(self, ref: str) -> Pin:
        """The exact version that is meant: the one that is named, else the skill's active one."""
        with self._session.records.reading() as reading:
            skill_id = find_skill(reading, ref)
            active = active_record(reading, skill_id)
            if _names_version(ref, skill_id):
                return find_version(reading, ref).pin
        if active is None:
            what = f"The instructions of {skill_id} were not given"
            raise ConditionsError(what, [no_active_pin(skill_id)])
        return active.pin


def _names_version(ref: str, skill_id: str) -> bool:
    return ref != skill_id and "@" in ref


def _grant_in(stored: StoredGrant) -> Grant:
    """The grant that was recorded; it was authentic then, and is verified again at each use."""
    statement = read_statement(open_envelope(stored.receipt.envelope).payload)
    grant = read_predicate(statement, ReceiptKind.GRANT)
    assert isinstance(grant, Grant)  # noqa: S101 - by its kind
    return grant
