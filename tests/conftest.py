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
import zlib
from typing import NamedTuple

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="every generated case: takes hours")


def pytest_configure() -> None:
    """A shell that starts a command in the background lets it ignore Ctrl-C, and all that the
    command starts; tests press it. Most of what is collected lives to the end: to look for garbage
    as often as Python usually does takes a tenth of the time."""
    gc.set_threshold(100_000, 10, 10)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.modules.setdefault("rfc3987_syntax", None)  # as `classroom/nbgrader/__init__.py` says


@pytest.hookimpl(tryfirst=True)  # before those that `-m` does not ask for are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What tries one thing with many inputs tries one in three of them each time.

    `-m long` tries one in two of the others; with GRADER_FULL=1, all.
    """
    met: collections.Counter[str] = collections.Counter()
    shared = config.pluginmanager.hasplugin("xdist")
    whole = config.getoption("whole")
    spared = set()
    for item in items:
        if mark := item.get_closest_marker("sampled"):
            share = Share(**mark.kwargs)
            number = met[name_of(item)]
            met[name_of(item)] += 1
            if not is_drawn(item, number, share.quick):
                item.add_marker(pytest.mark.long)
                if not whole and not is_drawn(item, number, share.long):
                    spared.add(item)
        if item.get_closest_marker("one_in_three"):
            if met[name_of(item)] % 3:
                item.add_marker(pytest.mark.long)
            met[name_of(item)] += 1
        if shared and item.path.name == "suite.py":  # the first check has the chapter judged
            item.add_marker(pytest.mark.xdist_group(item.path.parent.name))
    if os.environ.get("GRADER_FULL") != "1":
        left_out = spared | {item for cases in long_ones(items) for item in every_second(cases)}
        config.hook.pytest_deselected(items=sorted(left_out, key=items.index))
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """What was collected is no garbage: whoever looks for some need not go through it."""
    gc.freeze()


class Share(NamedTuple):
    """The part of a test's cases that each run takes: one in so many, none for 0."""

    quick: int = 0
    long: int = 1


def is_drawn(item: pytest.Item, number: int, one_in: int) -> bool:
    """Whether a run takes a test's case of this number. The first one differs from test to test:
    so of chapters, each is taken by some test. Example: one in 3 takes 1, 4, 7 of one test."""
    return one_in > 0 and number % one_in == zlib.crc32(name_of(item).encode()) % one_in


MANY = 6  # cases of one test


def name_of(item: pytest.Item) -> str:
    """A test without its case."""
    return item.nodeid.partition("[")[0]


def long_ones(items: list[pytest.Item]) -> list[list[pytest.Item]]:
    """The cases of each test that has many long ones."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("sampled"):
            cases.setdefault(name_of(item), []).append(item)
    return [each for each in cases.values() if len(each) >= MANY]


def every_second(cases: list[pytest.Item]) -> list[pytest.Item]:
    """Half of the cases, odd or even by the test's name: of chapters, each is left to some test."""
    return cases[zlib.crc32(name_of(cases[0]).encode()) % 2 :: 2]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: many a test waits for somebody else's clock to run out."""
    return (os.cpu_count() or 1) + 2
