"""Builds the answer key once, before parallel test processes would each build it."""

from __future__ import annotations

import os

import pytest

from grader.making.cache import open_key


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        open_key()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: many a test waits for somebody else's clock to run out."""
    return (os.cpu_count() or 1) + 2
