"""The words and forms that the gate's signals count.

Plain tables on purpose: a curator must be able to see what was counted. Real registries hold
translations, so what asks for a condition or an occasion is listed for the languages that they
come in; a language that is missing makes a skill look a little worse, never better.

Every repetition is bounded or runs over one class of characters: these read hostile text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[^\W_{_CJK}]+(?:['’-][^\W_{_CJK}]+)*")
_IDEOGRAPH = re.compile(f"[{_CJK}]")
_CHARACTERS_A_WORD = 2
"""Of Chinese, Japanese or Korean text."""

_GENERIC = (
    "best-practice best-practices comprehensive comprehensively robust robustly seamless seamlessly "
    "production-ready production-grade cutting-edge world-class state-of-the-art expert experts "
    "expertise specialize specializes specializing specialized specialise specialises specialised "
    "specialising master masters mastering mastery ensure ensures ensuring leverage leverages "
    "leveraging effective effectively effectiveness efficient efficiently appropriate appropriately "
    "proper properly high-quality scalable scalability maintainable maintainability strategy "
    "strategies strategic stakeholder stakeholders actionable insight insights holistic streamline "
    "streamlines streamlined streamlining enhance enhances enhanced enhancing modern advanced "
    "powerful innovative excellence various relevant"
)
_GENERIC_WORDS = frozenset(_GENERIC.split())
_GENERIC_PHRASES = (
    "best practice", "best practices", "continuous improvement", "continuously improve",
    "user experience", "industry standard", "industry standards", "key features", "key points",
    "key considerations", "as needed", "where needed", "where appropriate", "where applicable",
)  # fmt: skip
"""Praise and filler that fit any topic."""

_CONDITIONS = (
    "if unless never must mustn't mustn’t don't don’t cannot avoid otherwise except until fail fails "
    "failed failure failures error errors warning warnings stop because "
    # Spanish and Portuguese, French, German, Turkish, Russian
    "nunca evita evitar evite debe deve fallo fallos falha falhas erro erros excepto exceto porque "
    "si sauf jamais éviter évitez doit échec erreur erreurs sinon "
    "wenn falls niemals nie vermeide vermeiden muss darf sonst statt fehler schlägt weil damit "
    "eğer asla yoksa aksi yerine olmadan zorunlu gerekir hata hatası hatalar başarısız kaçının "
    "если никогда нельзя иначе кроме должен ошибка ошибки ошибку вместо потому"
)
_CONDITION_WORDS = frozenset(_CONDITIONS.split())
_CONDITION_PHRASES = (
    "do not", "only if", "only when", "instead of", "rather than", "so that", "en lugar de",
    "em vez de", "au lieu de", "parce que",
)  # fmt: skip
_CONDITION_ENDINGS = ("mayın", "meyin", "malı", "meli", "malıdır", "melidir")
"""Of Turkish verbs: what must or must not be done."""
_CONDITION_SIGNS = re.compile(
    "如果|若是|必须|必須|务必|不要|避免|除非|切勿|绝不|絕不|禁止|否则|否則|不得|失败|失敗|错误|錯誤|而不是|而非|始终|始終"
    "|しない|場合|必ず|避け|なら|べき|れば|たら|エラー|代わり|限り"
    "|만약|절대|하지 마|않|경우|반드시|오류|에러|실패|대신|금지|필수|해야|하면"
)
"""What only somebody says who knows the work: conditions, prohibitions, failures, reasons."""

CONCRETE = re.compile(
    r"`[^`\n]{1,200}`"
    r"|https?://[^\s)>\]]{1,300}"
    r"|(?<![\w/])[\w.-]{1,80}/[\w./-]{1,200}"
    r"|(?<![\w-])--?[a-z][\w-]{0,40}"
    r"|\b\w{1,60}\.(?:py|js|ts|json|ya?ml|md|sh|toml|go|rs|java|cs|sql|tsx|csv|txt|html|css)\b"
    r"|\b[a-z]{1,40}[A-Z]\w{0,60}\b|\b[A-Z][a-z]{1,40}[A-Z]\w{0,60}\b|\b[^\W_]{1,60}_\w{1,60}\b"
    r"|\b\d[\d.,:%]{0,20}\w{0,10}|\$\w{1,40}|\b\w{1,60}\(\)"
)
"""What can be typed, opened or checked: code, addresses, paths, options, identifiers, numbers."""

OCCASION = re.compile(
    r"\b(?:use (?:this |the )?(?:skill )?(?:when|for|if|to|whenever|proactively|after|before|on|in|with|it)"
    r"|used? (?:when|whenever|for)|when(?:ever)?|trigger(?:s|ed|ing)?|invoked? (?:when|for|by)"
    r"|activate[sd]? (?:when|for|on)|should be used|apply (?:when|to)|run (?:when|before|after)"
    r"|asks? (?:to|for|about)|before|after)\b"
    # Spanish, Portuguese, French, German, Turkish, Russian, Vietnamese
    r"|\b(?:cuando|quando|usar para|lorsque|quand|utiliser pour|wenn|falls|zum|kullan\w*|когда|используй\w*|khi)\b"
    "|使用|用于|用於|适用|適用|触发|觸發|時|时|際に|場合|사용|경우|때",
    re.IGNORECASE,
)
"""A description that says when, not only what."""

PLACEHOLDER = re.compile(
    r"\$?\barguments$|^(?:a |an )?(?:sample|example|test|demo|placeholder|dummy) skill\b"
    r"|\b(?:todo|tbd|lorem ipsum|insert description|description here)\b"
)
"""Sentences of a description that nobody finished. Read on the masked text (see
:func:`asf_core.quality.masking.masked`)."""

FILLER = re.compile(
    r"^(?:clarify goals constraints and required inputs"
    r"|(?:apply relevant|follow)(?: §)? best practices(?: and validate outcomes)?"
    r"|provide actionable steps and verification|validate(?: the)? outcomes"
    r"|the task is unrelated to .{1,80}|you need a different domain(?: or tool outside this scope)?"
    r"|(?:working on|needing guidance(?: best practices or checklists)? (?:for|on)) .{1,80}"
    r"|use the upstream install or setup path .{1,80}|extracted from upstream docs.{0,200}"
    r"|basic usage or getting started notes|requirements .{0,12}caveats from upstream"
    r"|if detailed examples are required open .{1,80}"
    r"|you are an expert in § with .{1,60}|(?:keep it simple and maintainable|stay up to date with §)"
    r"|instructions? (?:will follow|to follow|go here)|(?:to be (?:done|written)|todo|tbd|coming soon)"
    r"|see the official § documentation for more details)$"
)
"""Lines of known fill-in templates and stubs, masked as above. What a workspace itself repeats is
found without a table (:mod:`asf_core.quality.stock`); this is for registries of a handful."""

_COMMON = (
    "a about all also an and any are as asked asks at be best by can complete comprehensive "
    "do does etc expert expertise for from guidance guide has have help helps in including "
    "into is it its mention mentioned mentions more need needed needing needs not of on or "
    "our out practice practices provide provides providing related skill skills such support "
    "supports task tasks that the their these this those to tool toolkit use used useful user "
    "users uses using various via want wants was way when whenever which will with work "
    "working workflow workflows works you your "
)
COMMON = frozenset(_COMMON.split())
"""Words that tell nothing in a description."""


def word_list(text: str) -> list[str]:
    """The words of a text that are written in letters, in order."""
    words: list[str] = _WORD.findall(text)
    return words


def count_words(text: str) -> float:
    """How many words a text has; two characters without spaces between words count as one."""
    return len(_WORD.findall(text)) + _ideographs(text) / _CHARACTERS_A_WORD


def count_generic(text: str) -> int:
    """How many words of praise and filler a text has."""
    words = word_list(text.lower())
    return sum(word in _GENERIC_WORDS for word in words) + _phrases(words, _GENERIC_PHRASES)


def count_conditions(text: str) -> int:
    """How many conditions, prohibitions, failures and reasons a text names."""
    words = word_list(text.lower())
    found = sum(w in _CONDITION_WORDS or w.endswith(_CONDITION_ENDINGS) for w in words)
    found += _phrases(words, _CONDITION_PHRASES)
    if not text.isascii():
        found += len(_CONDITION_SIGNS.findall(text))
    return found


def _phrases(words: list[str], phrases: Iterable[str]) -> int:
    said = f" {' '.join(words)} "
    return sum(said.count(f" {phrase} ") for phrase in phrases)


def _ideographs(text: str) -> int:
    return 0 if text.isascii() else len(_IDEOGRAPH.findall(text))
