"""Run the command line: streams, Ctrl-C, the command, its errors, the exit status.

Exit status: 0 all passed · 1 not yet · 2 wrong use · 3 our fault · 130 stopped by Ctrl-C.

`check` starts its worker before anything else is imported: while that process loads NumPy, this
one reads arguments, key and package.
"""

from __future__ import annotations

import gc
import os
import sys

from . import interrupt, log, streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .sandbox.launch import Worker

PASSED, NOT_YET, WRONG_USE, OUR_FAULT = range(4)
STOPPED = 130
SHORT = ("check", "hint", "show", "status")  # they leave no garbage worth looking for


def main() -> None:
    """Run the console script, and exit."""
    if sys.platform == "win32":
        sys.exit(refuse_windows())
    streams.ensure_standard_streams()
    interrupt.listen(farewell=say_stopped)
    arguments = log.take_flag(sys.argv[1:])
    status = OUR_FAULT
    if arguments and arguments[0] in SHORT:
        gc.disable()
    try:
        interrupt.arm()
        worker = early_worker(arguments)
        is_watch, for_people = arguments[:1] == ["watch"], "--lines" not in arguments
        if for_people and (narrow := streams.find_narrow_streams(always=is_watch)):
            streams.fold(narrow)
        status = final_status(run_command_line(arguments, worker))
        interrupt.disarm()
    except KeyboardInterrupt:
        pass
    if interrupt.was_received:
        os._exit(say_stopped())
    interrupt.ignore_from_now_on()
    log.info("cli", "exit status %d", status)
    if arguments[:1] == ["check"]:
        os._exit(status)  # Python's own teardown would take as long as the check did
    sys.exit(status)


def refuse_windows() -> int:
    """Refuse to run on Windows, before anything is imported that needs POSIX; return the status."""
    from .errors import WINDOWS

    print_error(WINDOWS)
    return WRONG_USE


def final_status(status: int) -> int:
    """Flush the output; return the status, or an error's if the output could not be written."""
    error = streams.flush_output()
    if error is None:
        return status
    print_error(streams.describe_write_error(error))
    return (status or NOT_YET) if isinstance(error, BrokenPipeError) else WRONG_USE


def say_stopped() -> int:
    """Say that the command was stopped; return the status. The half report is dropped: flushing it
    could block on a reader that is gone."""
    streams.silence()
    print("\ngrader: stopped.", file=sys.stderr)
    return STOPPED


def print_error(sentence: str) -> None:
    """Print a sentence on stderr; terminal controls in it, as in file names, are replaced."""
    if sentence:
        from .errors import safe_text

        print(f"grader: {safe_text(sentence)}", file=sys.stderr)


def early_worker(arguments: list[str]) -> Worker | None:
    """Start a worker ahead of a `check`; None for other commands, or if it cannot be started."""
    asks_for_help = "-h" in arguments or "--help" in arguments
    if arguments[:1] != ["check"] or asks_for_help:
        return None
    from .sandbox.launch import find_numpy, spawn_worker

    folder = find_numpy()
    try:
        return spawn_worker(folder) if folder else None
    except OSError:  # no descriptor, no process: `check` will say so
        return None


def run_command_line(arguments: list[str], worker: Worker | None = None) -> int:
    """Run one command line; return the exit status."""
    waiting = [worker] if worker is not None else []
    try:
        from .commands import parse_plainly, parser, refuse_ignored

        if not arguments:
            parser().print_help()
            return WRONG_USE
        options = parse_plainly(arguments) or parser(arguments).parse_args(arguments)
        refuse_ignored(arguments, options)
        ensure_current_folder()
        options.workers = waiting
        status: int = options.command(options)
        return status
    except SystemExit as end:  # argparse has said why
        return int(end.code or 0)
    except Exception as error:
        if interrupt.was_received:  # C code, such as NumPy's import, may turn it into its own error
            raise KeyboardInterrupt from error
        return explain_failure(error)
    finally:
        for unused in waiting:
            from .sandbox.launch import stop_worker

            stop_worker(unused)


def ensure_current_folder() -> None:
    """Raise WrongUse if the current folder is gone: relative paths start there."""
    try:
        os.getcwd()
    except OSError as error:
        from .errors import WrongUse

        raise WrongUse(
            f"the folder that you are in is gone or closed to you ({error.strerror}). "
            "Go to one that is there (`cd`), and run the command again."
        ) from error


def explain_failure(error: Exception) -> int:
    """Print what went wrong and whose fault it is; return the exit status."""
    from .errors import OurFault, WrongUse

    if isinstance(error, WrongUse):
        print_error(str(error))
        return WRONG_USE
    if isinstance(error, OurFault):
        print_error(f"our fault, not yours: {error}")
        return OUR_FAULT
    if isinstance(error, OSError) and (told := streams.describe_os_error(error)) is not None:
        print_error(told)
        return NOT_YET if isinstance(error, BrokenPipeError) else WRONG_USE
    import traceback  # never a traceback of ours without a word

    from .about import COURSE

    traceback.print_exc()
    where = f" to {COURSE.contact}" if COURSE.contact else ""
    print_error(
        f"our fault, not yours: {type(error).__name__}: {error}\n"
        f"Please report the lines above{where}; your files are untouched."
    )
    return OUR_FAULT
