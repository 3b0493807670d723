"""Builds the answer key once, before parallel test processes would each build it."""

from __future__ import annotations

import collections
import os

import pytest

from grader.making.cache import open_key


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        open_key()


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
