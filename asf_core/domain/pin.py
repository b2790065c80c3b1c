"""Exact versions and whom they are for (DESIGN 2, 8)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, StringConstraints, model_validator

from asf_core.domain.base import Sha256, Value

_NO_CONTROL = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$"

Identifier = Annotated[
    str, StringConstraints(min_length=1, max_length=400, pattern=_NO_CONTROL, strict=True)
]
"""An id: 1 to 400 characters, none of them a control."""
Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$", strict=True)]
"""A name that goes into other texts: letters, digits and ``._@-``, at most 100."""

_IDENTIFIER = re.compile(_NO_CONTROL)


def is_identifier(text: str) -> bool:
    """Whether a text can be an :data:`Identifier`."""
    return len(text) <= 400 and _IDENTIFIER.match(text) is not None


# https://semver.org, section "Is there a suggested regular expression", with ASCII digits only.
_SEMVER = re.compile(
    r"(?P<major>0|[1-9][0-9]*)\.(?P<minor>0|[1-9][0-9]*)\.(?P<patch>0|[1-9][0-9]*)"
    r"(?:-(?P<pre>(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
    r"(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?"
)
_LONGEST_VERSION = 100


def is_semver(text: str) -> bool:
    """Whether a text is a version of Semantic Versioning 2.0.0: ``1.10`` and ``v1.2.3`` are not."""
    return len(text) <= _LONGEST_VERSION and _SEMVER.fullmatch(text) is not None


def semver_key(text: str) -> tuple[object, ...]:
    """Sort key by SemVer precedence; build metadata does not count.

    Raises:
        ValueError: The text is no version.
    """
    match = _SEMVER.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a semantic version")
    numbers = tuple(int(match[name]) for name in ("major", "minor", "patch"))
    if match["pre"] is None:
        return (*numbers, 1, ())
    # Numbers before words; among equals the longer list is the later one.
    parts = tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in match["pre"].split(".")
    )
    return (*numbers, 0, parts)


def _semver(text: str) -> str:
    if not is_semver(text):
        raise ValueError("is not a semantic version such as 1.4.0")
    return text


Version = Annotated[str, AfterValidator(_semver)]
"""A version of Semantic Versioning 2.0.0, compared as text: 1.0.0 and 1.0.0+b are two versions."""


class Pin(Value):
    """One exact version of one skill; nothing in this program means "the latest"."""

    skill_id: Identifier
    version: Version
    content_hash: Sha256
    """Of everything that :class:`asf_core.domain.content.BoundContent` holds."""

    def __str__(self) -> str:
        return f"{self.skill_id}@{self.version}#{self.content_hash[:12]}"


class SourceMode(StrEnum):
    """How a source projects into the control plane; closed, and never changed for a skill."""

    SKILL_DIRECTORY = "skill_directory"
    PROMPT_PLAYBOOK = "prompt_playbook"
    SAVED_RECIPE = "saved_recipe"

    @property
    def label(self) -> str:
        """What a person sees beside the one noun, Skill."""
        return _LABELS[self]


_LABELS = {
    SourceMode.SKILL_DIRECTORY: "Organization skill",
    SourceMode.PROMPT_PLAYBOOK: "Built-in",
    SourceMode.SAVED_RECIPE: "My skill",
}


class ScopeKind(StrEnum):
    """Whom a version is for, widest first."""

    PRODUCT = "product"
    TENANT = "tenant"
    USER = "user"


class Subject(Value):
    """Who asks."""

    product: Word
    tenant: Word
    user: Word


class Scope(Value):
    """Whom a version is for: everybody of one product, of one tenant, or one user of a tenant."""

    kind: ScopeKind
    name: Word
    """Of the product, the tenant or the user."""
    tenant: Word | None = None
    """Whose user it is; only for a user, since two tenants may both have an ``alice``."""

    @model_validator(mode="after")
    def _tenant_of_a_user_only(self) -> Self:
        if (self.kind is ScopeKind.USER) != (self.tenant is not None):
            raise ValueError("a user's scope names the tenant, and no other scope does")
        return self

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``product:NAME``, ``tenant:NAME`` or ``user:TENANT/NAME``.

        Raises:
            ValueError: It has another form.
        """
        kind, _, rest = text.partition(":")
        tenant, slash, name = rest.rpartition("/")
        if kind not in set(ScopeKind) or not rest:
            raise ValueError("a scope is product:NAME, tenant:NAME or user:TENANT/NAME")
        return cls(kind=ScopeKind(kind), name=name, tenant=tenant if slash else None)

    def __str__(self) -> str:
        owner = f"{self.tenant}/" if self.tenant else ""
        return f"{self.kind.value}:{owner}{self.name}"

    def admits(self, subject: Subject) -> bool:
        """Whether exactly this subject is in scope; no scope contains another."""
        if self.kind is ScopeKind.PRODUCT:
            return self.name == subject.product
        if self.kind is ScopeKind.TENANT:
            return self.name == subject.tenant
        return (self.tenant, self.name) == (subject.tenant, subject.user)
