"""Every rule that reading a registry can break, with what a finding of it weighs by default.

Ids are stable: they stand in waivers, SARIF and other people's scripts. ``format/`` rules are about
one SKILL.md, ``tree/`` rules about the files of a skill, ``registry/`` rules about the directory
tree and its repository, ``security/`` rules about text that acts when it is read.
"""
# ruff: noqa: F403 - the three modules hold nothing but rules, and each is used by its name here

from __future__ import annotations

from asf_core.domain.rules import Rule as Rule
from asf_core.registry.rules import fields, files, trees
from asf_core.registry.rules.fields import *
from asf_core.registry.rules.files import *
from asf_core.registry.rules.trees import *

BREAKING: frozenset[str] = frozenset(rule.id for rule in files.BREAKING_RULES)
"""Ids of the rules whose breaking makes a skill broken: listed, never routed."""

ALL: tuple[Rule, ...] = tuple(
    value
    for module in (files, fields, trees)
    for value in vars(module).values()
    if isinstance(value, Rule)
)
