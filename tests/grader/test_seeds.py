"""The flake audit: with any seed, the oracles agree and the reference passes every check.

Three seeds by default; 200 with GRADER_FULL=1. Each seed is a test of its own, so that
`pytest -n auto` shares them out.
"""

from __future__ import annotations

import os
from types import SimpleNamespace

import numpy as np
import pytest

from grader.audit import seeds
from grader.course import Chapter, Check, Exercise, Probe
from grader.course.make_key import Making
from grader.verdict import GIVEN, PASSED

from .small_key import ID, Probes, check, exercise

SEEDS = 200 if os.environ.get("GRADER_FULL") == "1" else 3


@pytest.mark.long
@pytest.mark.parametrize("seed", [f"flake {n}" for n in range(SEEDS)])
def test_the_reference_passes_with_this_seed(seed, proof):
    verdicts = proof.judge(proof.course.solved(), key=Making(proof.course, seed).key())
    failed = {
        check.check["id"]: check.says
        for verdict in verdicts.values()
        if verdict.status not in (PASSED, GIVEN)
        for check in verdict.checks
        if check.status != PASSED
    }
    assert verdicts
    assert not failed


# ---- the theorem, on keys that are written down here --------------------------------------------


def key_of(*answers: float):
    probes = Probes()
    checks = [check(probes.add([answer]), id=f"{ID}/c{n}") for n, answer in enumerate(answers)]
    return probes.key([exercise()], checks)


def test_answers_of_another_seed_earn_what_does_not_vary():
    assert dict(seeds.replayed(key_of(1.0, 2.0), key_of(1.0, 3.0))) == {ID: 1.0}
    assert dict(seeds.replayed(key_of(1.0, 2.0), key_of(4.0, 2.0))) == {ID: 0.0}  # not the value
    assert dict(seeds.replayed(key_of(1.0), key_of(1.0, 2.0))) == {ID: 1.0}


def test_an_answer_is_as_if_it_had_come_back():
    got = seeds.answer(key_of(1.0, 2.0), 1)
    assert got.kind == "arrays" and got.parts["value"][0].values() == [2.0]


def test_a_probe_is_named_by_all_that_is_sent():
    def name(*args, program="p.f", call="f(a)"):
        return seeds.name(Probe(program, args, call))

    array = np.array([1.0, 2.0])
    assert name(array, 1) == name(array.copy(), 1, call="g(a)")
    others = (name(array, 2), name(array[::-1], 1), name(array.astype("float32"), 1),
              name(array, 1, program="p.g"))  # fmt: skip
    assert name(array, 1) not in others and len(set(others)) == 4


def suite(seed: str, **more) -> Check:
    probe = Probe("p.f", (seed if not more.pop("same", False) else "x",), "f(a)")
    return Check("chapter1.a", "value", (probe,), "", **more)


@pytest.mark.parametrize(
    ("more", "says"),
    [({}, []), ({"same": True, "fixed": "It has no inputs."}, ["2 of 2 points"]),
     ({"same": True}, ["asks the same with two seeds", "2 of 2 points"])],
)  # fmt: skip
def test_what_every_seed_asks_is_told_unless_it_says_why(more, says):
    asked = Exercise(id="chapter1.a", section="1.1", targets=("ops.a",), points=2.0)
    chapter = Chapter("chapter1", "One", (asked,))
    course = SimpleNamespace(checks=lambda chapter, seed: [suite(seed, **more)])
    proof = SimpleNamespace(chapters=[chapter], course=course, seed="public")
    told = {problem.what for problem in seeds.nothing_is_shared(proof)}
    assert len(told) == len(says) and all(any(s in what for what in told) for s in says)


def test_points_are_those_of_the_checks_that_pass():
    asked = Exercise(id="chapter1.a", section="1.1", targets=("ops.a",), points=2.0)
    value, side = Check("chapter1.a", "value", (), ""), Check("chapter1.a", "side", (), "")
    assert seeds.earned(asked, [value, side], {value.id}) == 1.0
    assert seeds.earned(asked, [value, side], {side.id}) == 0.0
    assert seeds.earned(asked, [], set()) == 0.0
