"""Why the control plane says no, and what would make it say yes."""

from __future__ import annotations

from enum import StrEnum

from asf_core.domain.base import Value


class Condition(StrEnum):
    """The conditions that a decision checks; closed, so that a script can tell them apart."""

    WORKSPACE_BOUND = "workspace_bound"
    """The workspace was made or adopted by this user."""
    TREE_ACCEPTED = "tree_accepted"
    """The skill's files have a digest: no escaping links, special files or colliding names."""
    SKILL_READABLE = "skill_readable"
    """Its file can be read as a skill, and says something."""
    VERSION_DECLARED = "version_declared"
    """It has an explicit semantic version."""
    VERSION_UNUSED = "version_unused"
    """No other content has this id and version."""
    MODE_KEPT = "mode_kept"
    """The skill keeps the mode it came in by."""
    KNOWN_VERSION = "known_version"
    """Such a version is recorded."""
    STATE = "state"
    """The version stands where the step starts from."""
    NOT_QUARANTINED = "not_quarantined"
    """Neither the skill nor its bytes are in quarantine."""
    CONTENT_INTACT = "content_intact"
    """Content hash, tree digest and kept bytes agree."""
    SOURCE_TRUSTED = "source_trusted"
    """The source's revision is on the trusted list."""
    TOOLS_REGISTERED = "tools_registered"
    """Every declared tool is registered."""
    SECURITY_RECEIPT = "security_receipt"
    """An authenticated, young, clean receipt of a trusted scanner version for this content."""
    GOVERNANCE_RECEIPT = "governance_receipt"
    """Authenticated, young approval of enough trusted reviewers for this content."""
    RECEIPT_AUTHENTIC = "receipt_authentic"
    """The receipt is signed by a trusted key of the role it needs, and says what it must."""
    RECEIPT_UNCHANGED = "receipt_unchanged"
    """A receipt with a known id is the one that is known."""
    LEDGER_INTACT = "ledger_intact"
    """The event chain verifies and the records agree with it."""
    PREVIOUSLY_ACTIVE = "previously_active"
    """The version was active before and is retired."""
    SCOPE = "scope"
    """The version is for this product, tenant or user."""
    ACTIVE_PIN = "active_pin"
    """The skill has an active pin, and it is the one that is meant."""
    GRANT = "grant"
    """An execution grant exists, authenticated."""
    GRANT_MATCHES = "grant_matches"
    """Tenant, user, purpose, channel, id, version and hash are those of the grant."""
    GRANT_IN_TIME = "grant_in_time"
    """Now is inside the grant's time."""
    GRANT_NOT_REVOKED = "grant_not_revoked"
    CHANNEL_KNOWN = "channel_known"
    """The policy knows the channel."""
    AUTHORISATION = "authorisation"
    """The feedback matches a retained, successful authorisation."""
    FEEDBACK_UNCHANGED = "feedback_unchanged"
    """A feedback with a known id is the one that is known."""
    SNAPSHOT = "snapshot"
    """Every part of a snapshot agrees with every other and with the current policy."""
    POLICY = "policy"
    """The trust policy allows the change."""


class Refusal(Value):
    """One condition that does not hold."""

    condition: Condition
    why: str
    """One sentence with the values that it is about; may quote hostile text."""
    satisfy: str
    """What would satisfy it, in the imperative."""
