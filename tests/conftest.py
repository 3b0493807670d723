"""What all tests share: which of them run, and by how many processes.

No test process builds anything before a test asks for it: a key is made chapter by chapter, and of
processes that ask for the same chapter one makes it.
"""

from __future__ import annotations

import collections
import gc
import os
import signal
import sys

import pytest


def pytest_configure() -> None:
    """A shell that starts a command in the background lets it ignore Ctrl-C, and all that the
    command starts; tests press it. Most of what is collected lives to the end: to look for garbage
    as often as Python usually does takes a tenth of the time."""
    gc.set_threshold(100_000, 10, 10)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.modules.setdefault("rfc3987_syntax", None)  # as `classroom/nbgrader/__init__.py` says


@pytest.hookimpl(tryfirst=True)  # before those that `-m` does not ask for are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What tries one thing with many inputs tries one in three of them each time."""
    met: collections.Counter[str] = collections.Counter()
    for item in items:
        if item.get_closest_marker("one_in_three"):
            test = item.nodeid.partition("[")[0]
            if met[test] % 3:
                item.add_marker(pytest.mark.long)
            met[test] += 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: many a test waits for somebody else's clock to run out."""
    return (os.cpu_count() or 1) + 2
