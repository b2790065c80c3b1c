"""Entry point of ``asf``."""


def run() -> None:
    """Run the command line."""
