"""Two measurements beside one another."""

from __future__ import annotations

from pathlib import Path

from asf_core.domain.errors import InputError
from asf_core.domain.measure import Comparison, MeasureReport, MetricChange

_MAX_BYTES = 64 << 20
_SAME = 5e-5
"""Half of the last digit that reports keep."""


def load_report(path: Path) -> MeasureReport:
    """Read a report that ``asf measure --json`` wrote.

    Raises:
        InputError: There is no such file, or it is no report of this format.
    """
    hint = "Write one with: asf measure PATH --json > old.json"
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path} is too large for a report", hint=hint)
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read", why=error.strerror or "", hint=hint) from error
    try:
        return MeasureReport.model_validate_json(data)
    except ValueError as error:
        first = str(error).splitlines()[0]
        raise InputError(f"{path} is no report of a measurement", why=first, hint=hint) from error


def compare(report: MeasureReport, earlier: MeasureReport) -> MeasureReport:
    """A report with what changed since an earlier one.

    Raises:
        InputError: One is of a registry, the other of a codebase.
    """
    if report.kind is not earlier.kind:
        raise InputError(
            f"A {report.kind.value} cannot be compared with a {earlier.kind.value}",
            hint="Compare two measurements of the same thing",
        )
    now, before = set(report.isolated), set(earlier.isolated)
    modes = [mode.mode for mode in report.modes]
    modes_before = [mode.mode for mode in earlier.modes]
    changes = [
        _change(new.key, old.value, new.value, lower_is_better=True)
        for new, old in zip(report.metrics, earlier.metrics, strict=True)
    ]
    changes.append(_change("rscore", earlier.rscore, report.rscore, lower_is_better=False))
    comparison = Comparison(
        changes=tuple(changes),
        modes_gone=tuple(mode for mode in modes_before if mode not in modes),
        modes_new=tuple(mode for mode in modes if mode not in modes_before),
        newly_isolated=tuple(sorted(now - before)),
        no_longer_isolated=tuple(sorted(before - now)),
    )
    return report.model_copy(update={"comparison": comparison})


def _change(
    key: str, before: float | None, after: float | None, *, lower_is_better: bool
) -> MetricChange:
    better = None
    if before is not None and after is not None and abs(after - before) > _SAME:
        better = (after < before) is lower_is_better
    return MetricChange(key=key, before=before, after=after, better=better)
