"""An endless recursion is told from one place, however deep the call began."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import root

WORKER = Path(root.PACKAGE) / "sandbox" / "worker"
Round = Callable[[list[str]], list[str]]


@pytest.fixture(scope="module")
def first_round() -> Round:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(WORKER)  # where its modules know each other by bare names
        return importlib.import_module("exception_texts").first_round


@given(
    before=st.integers(0, 3), length=st.integers(1, 5), end=st.integers(0, 40), leaf=st.booleans()
)
def test_the_last_frame_does_not_matter(first_round, before, length, end, leaf):
    outside = [f"caller {i}" for i in range(before)]
    around = [f"step {i}" for i in range(length)]
    reached = outside + (around * 20)[: 2 * length + end] + ["leaf"] * leaf
    assert first_round(reached) == outside + around


def test_an_error_that_code_raises_itself_keeps_its_places(first_round):
    assert first_round(["caller", "step", "leaf"]) == ["caller", "step", "leaf"]
    assert first_round([]) == []
