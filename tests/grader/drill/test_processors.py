"""Another processor: NumPy and BLAS take other kernels there, and all that is said is the same.

A sum in another order differs in its last bits; where something grows them (a training at too large
a step), it ends elsewhere. Every kernel that this processor can run stands for another one.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from grader.audit.proof import CourseCheck
from grader.course import PUBLIC_SEED
from grader.course.key_file import Key
from grader.course.key_source import open_key
from grader.course.make_key import KeyBuilder, make_in_parallel
from grader.judge.diagnosis import gives_the_same
from grader.sandbox import launch
from grader.sandbox.observation import Observation
from grader.verdict import GIVEN, PASSED

from ..test_prose import CHAPTERS, IDS, says_what_stands_below

# What OpenBLAS and NumPy are told to take for the processor; each is older than those of today.
KERNELS = {
    "Prescott": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX2 FMA3 AVX512F",
    },
    "Haswell": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR AVX512F",
    },
}

STEP = 8  # of the exercises whose mistakes are looked at, one in so many; all with --whole

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="its kernels cannot be chosen"
)


@pytest.fixture(params=["Prescott", pytest.param("Haswell", marks=pytest.mark.long)])
def kernel(request, monkeypatch):
    """Have workers and the processes of a test compute as on another processor."""
    for name, value in KERNELS[request.param].items():
        monkeypatch.setitem(launch.ENVIRONMENT, name, value)
        monkeypatch.setenv(name, value)


@pytest.fixture
def elsewhere(kernel, course):
    """A proof with the key as it was made here, and workers of the other processor."""
    with CourseCheck(course, key=open_key()) as proof:
        yield proof


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize(
    "path, kernel",
    [*product(CHAPTERS, KERNELS)],
    ids=lambda each: each if each in KERNELS else IDS[CHAPTERS.index(each)],
    indirect=["kernel"],
)
def test_the_prose_prints_the_same(path, kernel, tmp_path):
    says_what_stands_below(path, tmp_path)


@pytest.mark.long
def test_the_reference_is_right(elsewhere, course):
    verdicts = elsewhere.judge(course.solved()).values()
    wrong = [(v.id, v.says) for v in verdicts if v.status not in (PASSED, GIVEN)]
    assert verdicts and not wrong


@pytest.mark.long
def test_what_mistakes_give_is_the_same(kernel, course, is_whole, tmp_path):
    """A mistake that gives noise would be known by it on the processor of the key alone."""
    here = open_key()
    there = KeyBuilder(course, PUBLIC_SEED).key()
    asked = list(course.exercises)[:: 1 if is_whole else STEP]
    make_in_parallel(there, there.gives, asked)
    differ = [each for id in asked for each in other_than(here, there, id)]
    assert not differ


def other_than(here: Key, there: Key, id: str) -> Iterator[str]:
    """The mistakes of an exercise that give something else there."""
    chapter = here.chapter(id.partition(".")[0])
    for mistake, given in there.gives(id).items():
        for number, outcome in given.items():
            checks = [c for c in chapter.checks if number in c["probes"]]
            if not gives_the_same(checks, here.gives(id)[mistake][number], observed(outcome)):
                yield f"{id}: {mistake}"


def observed(outcome: Any) -> Observation:
    """Build the observation of a mistake's result, as if a worker had sent it."""
    if "ended" in outcome:
        return Observation(outcome["ended"], outcome, {})
    return Observation("arrays", {}, outcome["parts"])
