"""Answers as every machine writes them: without the last bits.

Nothing enters the key before the oracles agree on it.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.arrays import Array
from grader.course import Probe
from grader.course import build_chapter as making
from grader.course.build_chapter import (
    DIFFERENCES,
    EXACT,
    oracle_answers,
    round_answer,
    stored_answers,
)
from grader.course.compare import TOLERANCES, difference
from grader.course.key_encoding import to_buffer
from grader.course.key_file import ArrayStore
from grader.course.pytorch import Inputs
from grader.errors import OurFault
from grader.sandbox.observation import Observation


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=5))
@example([0.0, -0.0, 1e-30, 1.0])
@example([float("inf"), 0.1])
@example([3.4028220466166163e38])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_is_settled_stays_right_and_settled(dtype, values):
    array = Array(dtype, (len(values),), np.array(values, dtype).tobytes())
    once = round_answer({"value": [array]})
    assert round_answer(once) == once
    if np.isfinite(values).all():
        assert difference(once["value"][0], array, "exact") is None


@pytest.mark.parametrize("values", [[-0.0, 0.0], [1e-16, -3e-17], [-0.0, 2e-15, 100.0]])
def test_nothing_is_zero_and_has_one_face(values):
    """A gradient that is zero by nature is what rounding left over, another on each processor."""
    array = Array("float64", (len(values),), np.array(values).tobytes())
    (found,) = round_answer({"value": [array]})["value"]
    expected = [value if value > 1 else 0.0 for value in values]
    assert bytes(found.data) == np.array(expected).tobytes()


@pytest.mark.parametrize(
    ("oracle", "roundings"), [("exact", EXACT), ("finite_difference", DIFFERENCES)]
)
def test_what_is_nothing_lies_far_within_what_the_judge_lets_pass(oracle, roundings):
    for dtype, rounding in roundings.items():
        assert 40 * rounding.nothing < TOLERANCES[oracle, dtype].absolute


def test_settled_nans_have_one_face():
    faces = np.array([np.nan, -np.nan])
    (array,) = round_answer({"value": [Array("float64", (2,), faces.tobytes())]})["value"]
    assert bytes(array.data)[:8] == bytes(array.data)[8:]


RIGHT = {"value": [np.array([1.0, 2.0])]}


def gave(*values: float) -> Observation:
    return Observation("arrays", {}, {"value": [to_buffer(np.array(values))]})


def build_of(*probes: Probe, got: Observation | None = None, unloadable=None):
    """A chapter's build whose reference gives this for each probe."""
    found = {n: got or gave(1.0, 2.0) for n in range(len(probes))}
    run = SimpleNamespace(unloadable=unloadable, observations=found, output="")
    return SimpleNamespace(
        probes=list(probes), names=[f"chapter1.a/v.{n}" for n in range(len(probes))],
        owners=["chapter1.a"] * len(probes), unrecorded=[], arrays=ArrayStore(),
        used_parts=[{"value"} for _ in probes], run=lambda *_: run,
        course=SimpleNamespace(solved=dict),
    )  # fmt: skip


def probe(twin=None, **oracles) -> Probe:
    made = {name: (lambda said=said: said) for name, said in oracles.items()}
    return Probe("p.f", (1.0,), "f(a)", made, twin)


def asked(build, record=None):
    recorded = SimpleNamespace(get=lambda name, inputs: record)
    return oracle_answers(build, recorded, None, lambda text: None)


def test_where_all_agree_each_has_its_answer():
    (answer,) = asked(build_of(probe(finite_difference=RIGHT, numpy=RIGHT)))
    assert list(answer) == ["reference", "finite_difference"]
    assert answer["finite_difference"]["value"][0].values() == [1.0, 2.0]


@pytest.mark.parametrize("oracle", ["finite_difference", "numpy"])
def test_all_that_do_not_agree_are_named(oracle):
    wrong = {"value": [np.array([1.0, 2.5])]}
    fewer = {"value": []}
    build = build_of(probe(**{oracle: wrong}), probe(**{oracle: RIGHT}), probe(**{oracle: fewer}))
    with pytest.raises(OurFault) as caught:
        asked(build)
    _, first, second = str(caught.value).splitlines()
    assert f"chapter1.a/v.0: {oracle} does not agree on value" in first
    assert f"chapter1.a/v.2: {oracle} gives 0 arrays for value" in second


def test_an_oracle_that_raises_is_told_with_its_probe():
    def raising():
        raise TypeError("ufunc 'floor' not supported for the input types")

    broken = Probe("p.f", (), "f()", {"finite_difference": raising})
    with pytest.raises(OurFault, match="chapter1.a/v.0: its oracle finite_difference.*analytic"):
        asked(build_of(broken))


def test_what_pytorch_said_is_taken_from_its_record():
    twin = probe(twin=lambda torch: None)
    (answer,) = asked(build_of(twin), record=RIGHT)
    assert answer["pytorch"]["value"][0].values() == [1.0, 2.0]
    build = build_of(twin)
    (answer,) = asked(build)
    assert "pytorch" not in answer and build.unrecorded == ["chapter1.a/v.0"]
    assert Inputs.of("p.f", (1.0,)).agree(Inputs.of("p.f", (1.0,)))


def test_a_reference_that_fails_or_cannot_be_imported_is_said():
    raised = Observation("raised", {"type": "KeyError", "message": "x", "file": "ops.py",
                                    "line": "3"}, {})  # fmt: skip
    with pytest.raises(OurFault, match=r"v\.0: KeyError: x \(ops.py, line 3\)"):
        asked(build_of(probe(), got=raised))
    with pytest.raises(OurFault, match="The reference cannot be imported: KeyError: x"):
        asked(build_of(probe(), unloadable=raised))


def test_only_parts_that_a_check_looks_at_are_stored():
    build = build_of(probe())
    parts = {"value": [to_buffer(np.array([1.0]))], "unused": [to_buffer(np.array([2.0]))]}
    assert stored_answers(build, [{"reference": parts}]) == [{"reference": {"value": [0]}}]
    assert len(build.arrays.index) == 1


def test_an_array_is_a_plain_buffer_whatever_its_strides():
    found = to_buffer(np.arange(6.0).reshape(2, 3).T)
    assert found.shape == (3, 2) and found.nested() == [[0, 3], [1, 4], [2, 5]]
    assert to_buffer(3).shape == () and making.to_buffer([True]).dtype == "bool"
