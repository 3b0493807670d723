"""The flake audit: with any seed, the oracles agree and the reference passes every check.

One seed by default, beside that of invariant 1; 200 with --whole. Each seed is a test of its
own, so that `pytest -n auto` shares them out. And what travels to the worker is offered in the
place of what a learner writes.
"""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from grader.audit import unearned
from grader.audit.unearned import arguments_of, collect_functions, earns_nothing, takes, travelling
from grader.course import Chapter, Check, Exercise, Probe
from grader.course.make_key import KeyBuilder
from grader.course.modules import public_words
from grader.verdict import GIVEN, PASSED

from .small_key import ID, Probes, check, exercise

SEEDS = 200


@pytest.mark.sampled(long=SEEDS)
@pytest.mark.parametrize("seed", [f"flake {n}" for n in range(SEEDS)])
def test_the_reference_passes_with_this_seed(seed, proof):
    verdicts = proof.judge(proof.course.solved(), key=KeyBuilder(proof.course, seed).key())
    failed = {
        check.check["id"]: check.says
        for verdict in verdicts.values()
        if verdict.status not in (PASSED, GIVEN)
        for check in verdict.checks
        if check.status != PASSED
    }
    assert verdicts
    assert not failed


# ---- the invariant, on keys that are written down here
# --------------------------------------------


def key_of(*answers: float):
    probes = Probes()
    checks = [check(probes.add([answer]), id=f"{ID}/c{n}") for n, answer in enumerate(answers)]
    return probes.key([exercise()], checks)


def test_answers_of_another_seed_earn_what_does_not_vary():
    assert dict(unearned.replay(key_of(1.0, 2.0), key_of(1.0, 3.0))) == {ID: 1.0}
    assert dict(unearned.replay(key_of(1.0, 2.0), key_of(4.0, 2.0))) == {ID: 0.0}  # not the value
    assert dict(unearned.replay(key_of(1.0), key_of(1.0, 2.0))) == {ID: 1.0}


def test_an_answer_is_as_if_it_had_come_back():
    got = unearned.reference_observation(key_of(1.0, 2.0), 1)
    assert got.kind == "arrays" and got.parts["value"][0].values() == [2.0]


def test_a_probe_is_named_by_all_that_is_sent():
    def name(*args, program="p.f", call="f(a)"):
        return unearned.name(Probe(program, args, call))

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
    told = {problem.what for problem in unearned.nothing_is_shared(proof)}
    assert len(told) == len(says) and all(any(s in what for what in told) for s in says)


def test_points_are_those_of_the_checks_that_pass():
    asked = Exercise(id="chapter1.a", section="1.1", targets=("ops.a",), points=2.0)
    value, side = Check("chapter1.a", "value", (), ""), Check("chapter1.a", "side", (), "")
    assert unearned.score_of(asked, [value, side], {value.id}) == 1.0
    assert unearned.score_of(asked, [value, side], {side.id}) == 0.0
    assert unearned.score_of(asked, [], set()) == 0.0


def test_definitions_are_called_with_as_many_arguments_as_they_name():
    sources = {"ops.py": "class A:\n    def f(self, a):\n        def inner(x): pass\n",
               "engines/b.py": "def g(): pass\n"}  # fmt: skip
    assert arguments_of(sources) == {"ops.A.f": 2, "engines.b.g": 0}


def test_a_helper_takes_what_it_can_be_called_with():
    assert takes(lambda a, b=1: a, 1) and takes(lambda a, b=1: a, 2)
    assert not takes(lambda a: a, 2) and not takes(lambda *, a: a, 0)


def test_functions_are_found_in_tables_too_and_only_the_courses_own():
    def ours(x):
        return x

    ours.__module__ = "tests.programs.fake"
    held = {"f": ours, "TABLE": {"a": (ours,)}, "__hidden__": ours, "other": len, "n": 1}
    assert dict(collect_functions(held, "M", "{}.{}")) == {"M.f": ours, "M.TABLE['a'][0]": ours}


def test_every_program_that_travels_is_met():
    words = [each for each, _ in travelling()]
    assert 'sys.modules["programs.operators"].vjp' in words and len(set(words)) == len(words)
    assert all(eval(each, {"sys": fake()}) is function for each, function in travelling())


IS_OURS = re.compile(r"grader_course_\w+\.tests\.programs\.")


def fake():
    """`sys.modules` as a worker has it, which calls the programs by a shorter name."""
    own = {public_words(name): each for name, each in sys.modules.items() if IS_OURS.match(name)}
    return SimpleNamespace(modules={name.removeprefix("tests."): own[name] for name in own})


TEXTS = {
    "__init__": "",
    "m": "from .n import one\ndef first(a, b): return a + b + one\nsecond = first\n",
    "n": "one = 1\n",
}
FIRST, SECOND = (f'sys.modules["programs.m"].{name}' for name in ("first", "second"))


def test_points_for_a_borrowed_helper_are_a_problem(monkeypatch):
    exercise = SimpleNamespace(id="chapter1.a", given=False, targets=["ops.f"])
    sources: list[dict[str, str]] = []

    def scores(package, ids):
        sources.append(package)
        return [(id, 2.0 if "second" in package["ops.py"].splitlines()[-1] else 0.0) for id in ids]

    course = SimpleNamespace(
        solved=lambda: {"ops.py": "def f(a, b): pass\n"}, exercises={"chapter1.a": exercise},
        replace_bodies=lambda bodies: {"ops.py": f"# {bodies}\n"},
    )  # fmt: skip
    chapter = SimpleNamespace(id="chapter1", exercises=[exercise])
    key = SimpleNamespace(chapter=lambda id: SimpleNamespace(programs=TEXTS))
    proof = SimpleNamespace(
        chapters=[chapter], ids={"chapter1.a"}, course=course, scores=scores, key=key
    )
    asked = []
    monkeypatch.setattr(
        unearned, "matching", lambda p, c, n: asked.append((c, n)) or [FIRST, SECOND]
    )
    (problem,) = earns_nothing(proof)
    assert asked == [("chapter1", 2)] and problem.what == f"2 points for ops.f = {SECOND}"
    ends = [source["ops.py"].splitlines()[-1] for source in sources]
    assert ends == [f"f = {word.replace('programs', 'lifted')}" for word in (FIRST, SECOND)]
    assert "raise ValueError" in sources[0]["ops.py"]


def test_a_helper_is_lifted_out_of_whatever_guards_it(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    course = SimpleNamespace(replace_bodies=lambda bodies: {"ops.py": "f = None\n"})
    proof = SimpleNamespace(course=course)
    sources = unearned.substitute(proof, ["ops.f"], {"ops.f": FIRST}, TEXTS)
    space = {}
    exec(sources["ops.py"], space)
    assert space["f"](1, 2) == 4 and space["f"].__code__.co_filename == "programs/m.py"
    for name in [n for n in sys.modules if n.partition(".")[0] == "lifted"]:
        del sys.modules[name]
