"""Corners are judged as the judge judges; what survives, or is never asked, is told."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from grader import root
from grader.audit.corners import EVERYWHERE, Bench
from grader.audit.mutants import survives
from grader.audit.mutation import Mutant, mutants, read_signature

OWN = Path(root.path("examples", "own_course"))
SAMPLE = "    yield _sample(seed)\n"
TARGETS = ["ops.Summation.forward", "tensor.Tensor.__pow__", "optim.SGD.step"]
DRAWN = 8


@pytest.mark.sampled(quick=1)
@pytest.mark.parametrize("target", TARGETS)
def test_many_in_one_worker_fare_as_each_does_alone(target, proof):
    exercise = proof.course.owner[target]
    bench = Bench(proof, exercise, target)
    every = [*mutants(bench.body, *read_signature(bench.node))]
    everywhere = EVERYWHERE._replace(numbers=bench.numbers)
    fails = bench.failing([(each, everywhere) for each in every])
    for at in random.Random(target).sample(range(len(every)), DRAWN):
        sources = proof.course.replace_bodies({target: every[at].text})
        assert fails[at] is not survives(proof, exercise, sources), every[at].body


def test_what_is_wrong_nowhere_passes_and_what_differs_is_seen(proof):
    bench = Bench(proof, proof.course.owner[TARGETS[0]], TARGETS[0])
    everywhere = EVERYWHERE._replace(numbers=bench.numbers)
    nowhere = everywhere._replace(test="_holds(lambda x: x.nothing, lambda: a)")
    wrong, right = Mutant("", "return a"), Mutant("", bench.body)
    assert bench.failing([(wrong, everywhere), (wrong, nowhere), (right, everywhere)]) == [
        True, False, False,
    ]  # fmt: skip
    assert bench.judge([(wrong, everywhere), (right, everywhere), (wrong, nowhere)]) == (1, [])


@pytest.mark.long
def test_an_option_that_no_probe_gives_is_told_and_is_no_problem(grader, tmp_path):
    shutil.copytree(OWN, tmp_path / "own")
    suite = tmp_path / "own" / "tests" / "lesson1" / "suite.py"
    asked = {"GRADER_COURSE": str(tmp_path / "own"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    whole = grader("audit", "lesson1.variance", "--corners", **asked)
    suite.write_text(suite.read_text().replace(SAMPLE, "", 1))
    weak = grader("audit", "lesson1.variance", "--corners", **asked)
    told = "never asked: describe.variance, ddof: not at its default"
    assert told not in whole.out and told in weak.out and whole.status == weak.status == 0
    assert "lesson1, corner: " in whole.out and "reported, not proved" in whole.out


def test_a_mutant_that_survives_in_a_corner_is_told(grader, tmp_path):
    """A course whose only check of a sample's variance looks at nothing but the values."""
    shutil.copytree(OWN, tmp_path / "own")
    suite = tmp_path / "own" / "tests" / "lesson1" / "suite.py"
    weak = suite.read_text().replace('"divided by n - ddof", says', '"divided by n - ddof", '
                                     'part="inputs", says')  # fmt: skip
    suite.write_text(weak)
    asked = {"GRADER_COURSE": str(tmp_path / "own"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    ran = grader("audit", "lesson1.variance", "--corners", **asked)
    assert "survives: lesson1 | describe.variance | ddof: " in ran.out and ran.status == 0
