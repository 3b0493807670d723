"""The command line: the only place that prints or exits.

Exit status: 0 all passed · 1 not yet · 2 wrong use · 3 our fault.

`check` starts its worker before anything else is imported: while that process loads NumPy, this
one reads arguments, key and package.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from .session.launch import Worker, end, fresh, numpy_folder

PASSED, NOT_YET, WRONG_USE, OUR_FAULT = range(4)


def main() -> None:
    """Entry of the console script."""
    worker = early_worker(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None, or anything else, where somebody put it
            stream.reconfigure(errors="replace")  # a terminal may not know ✗, or a name
    status = run(sys.argv[1:], worker)
    if worker is not None:
        leave(status)
    sys.exit(status)


def leave(status: int) -> None:
    """End at once: all is written and closed, and taking modules apart would take as long as
    judging them did."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        status = status or NOT_YET
    os._exit(status)


def early_worker(arguments: list[str]) -> Worker | None:
    """A worker on its way, where the command is sure to need one."""
    asks_for_help = "-h" in arguments or "--help" in arguments
    if arguments[:1] != ["check"] or asks_for_help:
        return None
    gc.disable()  # a process this short has no garbage worth looking for
    folder = numpy_folder()
    return fresh(folder) if folder else None


def run(arguments: list[str], worker: Worker | None = None) -> int:
    """Carry out one command line; the exit status."""
    from .commands import parser
    from .errors import OurFault, WrongUse

    waiting = [worker] if worker is not None else []
    try:
        options = parser(*arguments[:1]).parse_args(arguments)
        status: int = options.command(options, waiting)
        return status
    except WrongUse as error:
        print(f"grader: {error}", file=sys.stderr)
        return WRONG_USE
    except OurFault as error:
        print(f"grader: our fault, not yours: {error}", file=sys.stderr)
        return OUR_FAULT
    except KeyboardInterrupt:
        print("\ngrader: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone: nothing more to say
        return NOT_YET
    except Exception as error:  # never a traceback of ours without a word
        import traceback

        traceback.print_exc()
        print(
            f"grader: our fault, not yours: {type(error).__name__}: {error}\n"
            "Please report the lines above; your files are untouched.",
            file=sys.stderr,
        )
        return OUR_FAULT
    finally:
        for unused in waiting:
            end(unused)
