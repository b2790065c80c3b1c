"""The application: its areas, themes and global commands, and the work behind them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter, NoColor
from textual.markup import escape
from textual.reactive import var
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from asf_core.domain.errors import AsfError
from asf_core.domain.sync import SyncReport
from asf_core.domain.text import one_line
from asf_tui import editing, messages, reports, themes
from asf_tui.bridge import Opener
from asf_tui.commands import AREAS, Command, bindings, commands_of
from asf_tui.commands.shared import ANYWHERE
from asf_tui.glyphs import ASCII, UNICODE, Glyphs, Guard
from asf_tui.jobs import Rereads
from asf_tui.library import Library
from asf_tui.live import LiveApp
from asf_tui.problems import exit_code
from asf_tui.screens import help as help_screen
from asf_tui.screens.base import AreaScreen
from asf_tui.screens.dialogs import AskDialog, ProblemDialog, TextDialog
from asf_tui.screens.skills import SkillsScreen
from asf_tui.typeahead import Landed, Typeahead
from asf_tui.widgets.top_bar import Activity
from asf_tui.work import Work


class Workbench(LiveApp):
    """The workbench.

    Args:
        opener: Opens the workspace.
        path: A registry to add and sync at the start.
        theme: Name of a theme; ``None`` for the default.
        ascii_only: Draw in ASCII.
        keys: Other keys of commands, by their ids.
    """

    TITLE = "ASF workbench"
    MODES: ClassVar[dict[str, Callable[[], AreaScreen]]] = {  # type: ignore[assignment]
        area.id: area.screen for area in AREAS
    }
    DEFAULT_MODE = "skills"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(ANYWHERE),
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]
    CSS = """
    Toast { padding: 0 1; }
    CommandPalette > Vertical { width: 84; max-width: 96%; margin-top: 2; background: $surface; }
    CommandPalette #--input { border: none; border-bottom: solid $panel; }
    CommandPalette SearchIcon { display: none; }
    CommandPalette CommandList { background: $surface; scrollbar-background: $surface; scrollbar-size-vertical: 1; }
    CommandPalette > .command-palette--help-text { color: $quiet; text-style: not bold; }
    CommandPalette CommandList:ansi > .option-list--option-highlighted { text-style: reverse; }
    """

    library: var[Library] = var(Library, init=False, always_update=True)
    activity: var[Activity] = var(lambda: Activity("Opening the workspace…"), init=False)

    def __init__(
        self,
        opener: Opener,
        path: Path | None = None,
        *,
        theme: str | None = None,
        ascii_only: bool = False,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        no_colour = themes.no_colour(os.environ)
        super().__init__(ansi_color=True if no_colour else None)
        self.glyphs: Glyphs = ASCII if ascii_only else UNICODE
        self.work = Work(self, opener)
        self.report: SyncReport | None = None
        self._path = path
        self.keys = dict(keys or {})
        self._rereads = Rereads()
        self._guard = Guard(ascii_only=ascii_only)
        self._typeahead = Typeahead(self, super().on_event)
        for theme_ in themes.THEMES:
            self.register_theme(theme_)
        self.theme = themes.MONOCHROME if no_colour else theme or themes.DEFAULT

    # Colour

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Values for our own colours in themes that do not have them."""
        return dict(themes.DARK.variables)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every drawn line goes through: the guard last, and no colour where none is wanted."""
        plain = [NoColor()] if self.native_ansi_color else []
        return [*super().get_line_filters(), *plain, self._guard]

    def action_next_theme(self) -> None:
        """Change to the next of our themes."""
        names = [theme.name for theme in themes.THEMES]
        here = names.index(self.theme) if self.theme in names else -1
        self.action_theme(names[(here + 1) % len(names)])

    def action_theme(self, name: str) -> None:
        """Change to a theme."""
        self.theme = name
        self.notify(f"Theme: {themes.TITLES[name]}", timeout=2, markup=False)

    # The workspace

    def on_mount(self) -> None:
        """Open the workspace while the screen already stands."""
        self.set_keymap(self.keys)
        self.work.open()

    @on(Worker.StateChanged)
    def _worker_moved(self, event: Worker.StateChanged) -> None:
        worker = event.worker
        if event.state not in {WorkerState.ERROR, WorkerState.SUCCESS}:
            return
        if worker.group == "library":
            self.work.reads.done()
        if worker.error is not None:
            if worker.group == "sync":
                self.work.syncing = None
            self.settle()
            self.report_failure(worker.error, worker.description, fatal=worker.group == "open")

    @on(messages.Opened)
    def _opened(self, message: messages.Opened) -> None:
        self.work.session = message.session
        if message.session.made is not None:
            made = one_line(str(message.session.made))
            self.notify(f"Made the workspace {made}", markup=False)
        self.activity = Activity("Reading the list of skills…")
        self.work.read()
        self.start_pulse()
        if self._path is not None:
            self.work.add(self._path)

    @on(messages.LibraryRead)
    def _library_read(self, message: messages.LibraryRead) -> None:
        self.library = message.library
        if self.work.syncing is None:
            self.settle()

    def settle(self) -> None:
        """Say what the workbench holds, or what is being written."""
        holds = reports.holdings(self.library) if self.work.session else ""
        self.activity = self.writing() or Activity(holds)

    def empty_words(self) -> str:
        """Why there is no skill, and what to do."""
        if self.work.session is None:
            return self.activity.text
        if self.work.syncing is not None:
            return "Reading the registry…\nSkills come here as soon as they are read."
        return reports.NO_SKILL if self.library.registries else reports.NO_REGISTRY

    # Registries and sync

    def action_add(self) -> None:
        """Ask for the path of a registry."""
        text = "A directory tree of skills. It is read, never changed."
        self.push_screen(
            AskDialog("Add a registry", text, "path"),
            lambda path: self.work.add(Path(path)) if path and self.work.session else None,
        )

    @on(messages.RegistryAdded)
    def _registry_added(self, message: messages.RegistryAdded) -> None:
        self._sync((message.name,))

    def action_sync(self) -> None:
        """Sync all registries."""
        self._sync(None)

    def action_stop(self) -> None:
        """Stop the sync."""
        self.work.stop()

    def _sync(self, names: tuple[str, ...] | None) -> None:
        if self.work.session is None or self.work.syncing is not None:
            opening = self.work.session is None
            words = "The workspace is not open yet." if opening else "A sync is running already."
            self.notify(words, markup=False)
            return
        self.activity = Activity("Syncing…")
        self.work.sync(names)
        self.library = self.library  # an empty list says what goes on

    @on(messages.SyncMoved)
    def _sync_moved(self, message: messages.SyncMoved) -> None:
        progress = message.progress
        share = progress.done / progress.total if progress.total else None
        self.activity = Activity(reports.progress(progress), share)
        if self._rereads.due(progress):
            self.work.read()

    @on(messages.SyncEnded)
    def _sync_ended(self, message: messages.SyncEnded) -> None:
        self.report, self.work.syncing = message.report, None
        self.settle()
        self.work.read()
        self.notify(reports.summary(message.report), markup=False)

    def action_report(self) -> None:
        """Show what the last sync did."""
        if self.report is None:
            self.notify("No sync was run since the workbench was started.", markup=False)
        else:
            self.push_screen(
                TextDialog("The last sync", tuple(reports.sync(self.report, self.glyphs)))
            )

    # Failures

    def report_failure(self, error: BaseException, doing: str, *, fatal: bool = False) -> None:
        """Show a failure in a dialog; a fatal one ends the workbench when it is closed."""
        problem = self.work.problem_of(error, doing)
        if self.work.syncing is not None:
            problem = problem.while_syncing()
        self.push_screen(ProblemDialog(problem), partial(self._give_up, error) if fatal else None)

    def _give_up(self, error: BaseException, _: None) -> None:
        self.exit(return_code=exit_code(error))

    # Outside the workbench

    def edit_skill(self, skill_id: str) -> None:
        """Open a skill's SKILL.md in the curator's editor, the workbench out of the way meanwhile."""
        row = self.library.row(skill_id)
        root = {registry.name: registry.path for registry in self.library.registries}
        if row is None or row.registry not in root:
            return
        try:
            path = editing.skill_file(Path(root[row.registry]), row.path)
            command = [*editing.editor(), str(path)]
            with self.suspend():
                code = subprocess.run(command, check=False).returncode  # noqa: S603
        except (AsfError, OSError, ValueError, SuspendNotSupported) as error:
            self.report_failure(error, "Opening the editor")
            return
        self.refresh()
        words = "s reads what you changed." if code == 0 else f"The editor ended with {code}."
        self.notify(words, markup=False)

    def action_save_picture(self) -> None:
        """Save what is on the screen as an SVG in the workspace."""
        if self.work.session is None:
            self.notify("The workspace is not open yet.", markup=False)
            return
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")[:-3]
        target = self.work.session.pictures / f"{self.current_mode}-{stamp}.svg"
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.export_screenshot(title=""), encoding="utf-8")
        except OSError as error:
            self.report_failure(error, "Saving the screenshot")
            return
        self.notify(one_line(f"Saved {target}", 300), markup=False)

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Take what is typed key by key, in its order."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._typeahead.take(event)
        else:
            await super().on_event(event)

    @on(Landed)
    async def _landed(self, message: Landed) -> None:
        await self._typeahead.landed(message)

    # Moving about

    async def action_area(self, area: str) -> None:
        """Go to an area."""
        await self.switch_mode(area)

    @on(messages.ShowSkill)
    async def _show_skill(self, message: messages.ShowSkill) -> None:
        if self.library.row(message.skill_id) is None:
            words = one_line(f"{message.skill_id} is not in the list.", 200)
            self.notify(words, markup=False, severity="warning")
            return
        await self.switch_mode("skills")
        if isinstance(self.screen, SkillsScreen):
            self.screen.open_skill(message.skill_id)

    def action_help(self) -> None:
        """Show the help of the place where one is."""
        if isinstance(self.screen, AreaScreen):
            blocks = tuple(help_screen.blocks(self.screen.PLACES, self.glyphs, self.key_of))
            self.push_screen(TextDialog("Help", blocks))

    def key_of(self, command: Command) -> str:
        """The keys of a command as people know them."""
        binding = replace(command.binding(), key=self.keys.get(command.id, command.keys))
        keys = Binding.make_bindings([binding]) if binding.key else ()
        return " ".join(self.get_key_display(key) for key in keys)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: the commands of this place that apply now, and the themes."""
        places = screen.PLACES if isinstance(screen, AreaScreen) else ()
        for command in commands_of(*places, ANYWHERE):
            target = self if command.place is ANYWHERE else screen
            if command.palette and target.check_action(command.action.partition("(")[0], ()):
                key = self.key_of(command)
                words = f"{command.help} Key: {escape(key)}" if key else command.help
                yield SystemCommand(
                    command.title, words, partial(self.run_action, command.action, target)
                )
        for theme in themes.THEMES:
            title = f"Theme: {themes.TITLES[theme.name]}"
            yield SystemCommand(title, "Change the colours", partial(self.action_theme, theme.name))

    def get_key_display(self, binding: Binding) -> str:
        """Keys as words where their signs are little known."""
        return {"enter": "enter"}.get(binding.key) or super().get_key_display(binding)

    def action_help_quit(self) -> None:
        """Ctrl-C does not quit: it may have been meant to copy."""
        keys = {c.id: self.key_of(c) for c in commands_of(ANYWHERE)}
        words = f"{keys['app.quit']} quits; while typing, {keys['app.quit-now']} does."
        self.notify(words, markup=False)

    async def action_quit(self) -> None:
        """Leave: stop the sync, and let what is being decided be written."""
        self.action_stop()
        self.exit(0)
