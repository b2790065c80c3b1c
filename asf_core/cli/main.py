"""Entry point of ``asf``.

A server that is there answers before anything else is imported; the commands come after.
"""

from __future__ import annotations

import sys

from asf_core.cli import client, streams


def run(program: str = "asf") -> None:
    """Run the command line and leave with the code that DESIGN 10 gives.

    Args:
        program: What the person called: other console scripts hand commands over to this one.
    """
    streams.prepare()
    code: str | int | None = None
    try:
        try:
            streams.check_arguments(sys.argv)
            code = client.answer(sys.argv[1:])
            if code is None:
                from asf_core.cli.app import app

                code = app(prog_name=program, standalone_mode=False)
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
    except streams.OutputClosedError:
        streams.end_by_closed_pipe()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last place that can say it
        from asf_core.cli.exits import debug_asked, report

        code = report(error, debug=debug_asked(sys.argv), program=program)
    sys.exit(code)


if __name__ == "__main__":
    run()
