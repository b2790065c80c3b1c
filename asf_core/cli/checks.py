"""``asf lint``, ``asf scan`` and ``asf explain``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.printing import error_console
from asf_core.cli.session import Session, command

if TYPE_CHECKING:
    from asf_core.domain.checks import CheckKind, CheckProgress, CheckReport
    from asf_core.domain.scan import Scanner
    from asf_core.quality.waivers import Waivers

PathsArgument = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="A registry, a skill's directory, or a SKILL.md."),
]
SarifOption = Annotated[
    str | None,
    typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0 to a file; - for stdout."),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="Findings of this file do not count."),
]
WriteBaselineOption = Annotated[
    Path | None,
    typer.Option(
        "--write-baseline", metavar="FILE", help="Write what stands now as a baseline, and leave."
    ),
]
WaiversOption = Annotated[
    Path | None,
    typer.Option("--waivers", metavar="FILE", help="Findings that a curator accepts for a time."),
]
AllOption = Annotated[
    bool, typer.Option("--all", help="List every finding, those of info and of low weight too.")
]
_FAIL_ON = "Leave with 1 from this severity on: info, low, medium, high, critical, never."


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "lint")(lint)
    command(app, "scan")(scan)
    command(app, "explain")(explain)


def lint(
    session: Session,
    paths: PathsArgument,
    fail_on: Annotated[
        str, typer.Option("--fail-on", metavar="SEVERITY", help=_FAIL_ON)
    ] = "medium",
    sarif: SarifOption = None,
    baseline: BaselineOption = None,
    write_baseline: WriteBaselineOption = None,
    waivers: WaiversOption = None,
    show_all: AllOption = False,
) -> None:
    """Check skills against the SKILL.md format: file, line, rule, what to do.

    Nothing is changed; a repair that is safe is shown, not made.
    """
    options = _Options(fail_on, sarif, baseline, write_baseline, waivers, show_all)
    _check(session, "lint", paths, options, None)


def scan(
    session: Session,
    paths: PathsArgument,
    fail_on: Annotated[str, typer.Option("--fail-on", metavar="SEVERITY", help=_FAIL_ON)] = "high",
    sarif: SarifOption = None,
    baseline: BaselineOption = None,
    write_baseline: WriteBaselineOption = None,
    waivers: WaiversOption = None,
    show_all: AllOption = False,
    engine: Annotated[
        str, typer.Option("--engine", metavar="NAME", help="builtin, or cisco where installed.")
    ] = "builtin",
    engine_path: Annotated[
        Path | None,
        typer.Option("--engine-path", metavar="FILE", help="Executable of the other engine."),
    ] = None,
) -> None:
    """Look for attacks in skills: hidden text, injections, exfiltration, downloads that run.

    Nothing of them is run. What a finding weighs depends on where it stands: text that teaches
    about an attack is none.
    """
    from asf_core.services.checking import engine_of

    options = _Options(fail_on, sarif, baseline, write_baseline, waivers, show_all)
    _check(session, "scan", paths, options, engine_of(engine, engine_path))


def explain(
    session: Session,
    rule: Annotated[
        str | None, typer.Argument(metavar="RULE", help="A rule's id; without one, all rules.")
    ] = None,
) -> None:
    """Say why a rule is there, what breaks it, what mends it, and where it comes from."""
    import dataclasses

    from asf_core.cli.checks_view import render_rule, render_rules
    from asf_core.quality.catalogue import catalogue, rule_of

    if rule is None:
        rules = list(catalogue().values())
        session.emit([dataclasses.asdict(item) for item in rules], lambda: render_rules(rules))
        return
    found = rule_of(rule)
    session.emit(dataclasses.asdict(found), lambda: render_rule(found))


class _Options:
    """The options that lint and scan share."""

    def __init__(
        self,
        fail_on: str,
        sarif: str | None,
        baseline: Path | None,
        write_baseline: Path | None,
        waivers: Path | None,
        show_all: bool,
    ) -> None:
        self.fail_on, self.sarif, self.show_all = fail_on, sarif, show_all
        self.baseline, self.write_baseline, self.waivers = baseline, write_baseline, waivers


def _check(
    session: Session,
    kind: CheckKind,
    paths: list[Path],
    options: _Options,
    scanner: Scanner | None,
) -> None:
    from asf_core.cli.checks_view import render
    from asf_core.quality.baseline import Baseline, write_baseline
    from asf_core.services.checking import check_paths, severity_of

    threshold = severity_of(options.fail_on, "--fail-on")
    waivers = _waivers(options.waivers)
    known = Baseline.load(options.baseline) if options.baseline is not None else None
    with _progress(session) as tell:
        report = check_paths(
            kind, paths, scanner=scanner, waivers=waivers, baseline=known, progress=tell
        )
    if options.write_baseline is not None:
        count = write_baseline(options.write_baseline, report.findings)
        session.remark(f"{count} findings written to {options.write_baseline}")
        return
    on_stdout = _write_sarif(session, options.sarif, report)
    if not on_stdout:
        session.emit(report, lambda: render(report, threshold, show_all=options.show_all))
    if threshold is not None and report.over(threshold):
        raise typer.Exit(Exit.FINDINGS)


def _waivers(path: Path | None) -> Waivers | None:
    if path is None:
        return None
    from datetime import UTC, datetime

    from asf_core.quality.waivers import load_waivers

    return load_waivers(path, datetime.now(UTC).date())


def _write_sarif(session: Session, target: str | None, report: CheckReport) -> bool:
    """Write SARIF where it was asked for; returns whether that was stdout."""
    if target is None:
        return False
    from importlib.metadata import version

    from asf_core.domain.errors import InputError
    from asf_core.quality.sarif import to_sarif

    document = to_sarif(report, version("asf-workbench"))
    if target == "-":
        session.emit_json(document)
        return True
    try:
        Path(target).write_text(_json(document), "utf-8")
    except OSError as error:
        raise InputError(f"{target} cannot be written", why=error.strerror or "") from error
    session.remark(f"SARIF written to {target}")
    return False


def _json(document: Any) -> str:
    import json

    return json.dumps(document, indent=1) + "\n"


@contextmanager
def _progress(session: Session) -> Iterator[Callable[[CheckProgress], None] | None]:
    """Draw progress on stderr where it is a terminal."""
    if not session.interactive:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=error_console(), transient=True) as bars:
        task = bars.add_task("skills", total=None)

        def show(now: CheckProgress) -> None:
            bars.update(task, completed=now.done, total=now.total or None)

        yield show
