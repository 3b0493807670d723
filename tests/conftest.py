"""Builds the answer key once, before parallel test processes would each build it."""

from __future__ import annotations

import pytest

from grader.making.cache import open_key


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        open_key()
