"""Patterns that run in time linear to the text, whatever the text is.

RE2 compiles a pattern to an automaton: no backtracking, so no text makes a rule hang, and a pattern
that would need backtracking is refused when it is loaded. That is why rules have no look-around and
no back references.
"""

from __future__ import annotations

import re2

from asf_core.domain.errors import InputError

_MEMORY = 16 * 1024 * 1024
"""Most bytes of one pattern's automaton."""


def compile_pattern(text: str, *, ignore_case: bool = True) -> re2._Regexp:
    """Compile a rule's pattern over UTF-8 bytes.

    Args:
        text: In RE2's syntax.
        ignore_case: Letters match in both cases.

    Raises:
        InputError: RE2 refuses the pattern, because it is wrong or could not run in linear time.
    """
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        return re2.compile(text.encode(), options)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        reason = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise InputError(
            f"The pattern {text!r} cannot be used",
            why=f"RE2 refuses it: {reason}",
            hint="Write it without look-around and back references",
        ) from error
