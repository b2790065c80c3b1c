"""Entry point of ``asf-tui``."""


def run() -> None:
    """Open the workbench."""
