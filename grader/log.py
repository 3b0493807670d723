"""Log what the grader does to standard error, with ``grader --verbose …``.

Without a command line (in a notebook, pytest, a process of a pool), set the environment variable
`GRADER_LOG` to a level of the standard `logging`, DEBUG or INFO. Otherwise `logging` is not
imported: that alone would take a tenth of a check.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from logging import Logger

VARIABLE = "GRADER_LOG"
FLAG = "--verbose"
LINE = "%(relativeCreated)7d ms  %(process)d  %(name)s: %(message)s"

_root: Logger | None = None


def take_flag(arguments: list[str]) -> list[str]:
    """Remove `--verbose` from a command line; if it was there, turn on logging in this process and
    in those that it starts."""
    if FLAG in arguments:
        os.environ[VARIABLE] = "DEBUG"
    return [argument for argument in arguments if argument != FLAG]


def debug(area: str, message: str, *values: object) -> None:
    """Log one step of a room; ``values`` are put into ``message`` as `%` does."""
    if VARIABLE in os.environ:
        _logger().getChild(area).debug(message, *values)


def info(area: str, message: str, *values: object) -> None:
    """Log a step at level INFO: one that the reader of a long run wants to see."""
    if VARIABLE in os.environ:
        _logger().getChild(area).info(message, *values)


class timed:  # noqa: N801 (reads as a word of the language)
    """``with timed(room, message, *values):`` logs how long these lines took, in ms."""

    def __init__(self, area: str, message: str, *values: object) -> None:
        self.area, self.message, self.values = area, f"{message}: %.0f ms", values

    def __enter__(self) -> None:
        self.begun = time.monotonic()

    def __exit__(self, *_: object) -> None:
        info(self.area, self.message, *self.values, 1000 * (time.monotonic() - self.begun))


def _logger() -> Logger:
    """Return the logger "grader"; if `logging` is not configured, let it write to stderr."""
    global _root
    if _root is None:
        import logging

        _root = logging.getLogger("grader")
        level = os.environ[VARIABLE].upper()
        _root.setLevel(level if level in ("DEBUG", "INFO", "WARNING") else "DEBUG")
        if not logging.getLogger().handlers:
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter(LINE))
            _root.addHandler(handler)
            _root.propagate = False
    return _root
