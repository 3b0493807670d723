"""Blame is counterfactual: blocked by another means right once that other is right."""

from __future__ import annotations

import copy
import random

import pytest

from grader.audit.mistakes import Repairs, all_pairs, count_agreements
from grader.audit.proof import CourseCheck
from grader.judge.blame import TrialResult, resolve_blame
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.verdict import WRONG

from .small_key import check, exercise
from .some_mistakes import some_mistakes
from .whole_course import whole_course

COURSE = whole_course()
CHAPTERS = [chapter.id for chapter in COURSE.chapters]
STUB = "raise NotImplementedError"
AB = "a, b = node._inputs\n"
PERMUTED = (
    "if self.axes is None:\n    return a.swapaxes(-1, -2)\n"
    "return np.transpose(a, np.argsort(self.axes))"
)
NOT_SUMMED = AB + "return matmul(out_grad, transpose(b)), matmul(transpose(a), out_grad)"
NAME_OF_TYPE = (
    'if type(other) == "Tensor":\n    return ops.mul(self, other)\n'
    "return ops.mul_scalar(self, other)"
)


@pytest.fixture(scope="module")
def proof(proof: CourseCheck) -> CourseCheck:
    """The course under proof, where nobody looks for the mistake: who is to blame is known then."""
    part = copy.copy(proof)
    part.__dict__["key"] = some_mistakes(proof.key, ())
    return part


def body(exercise: str, name: str) -> str:
    """The body of a known mistake."""
    return next(m.body for m in COURSE.exercises[exercise].mistakes if m.name == name)


def ids_of(chapter: str) -> list[str]:
    return [id for id in COURSE.exercises if id.startswith(f"{chapter}.")]


# What is written, and the exercise that is at fault itself though it ran another that is wrong.
OWN_FAULT = {
    "a transpose whose fault lies in permutations that are never used": (
        {"ops.Transpose.forward": PERMUTED, "ops.MatMul.backward": NOT_SUMMED},
        "chapter3.matmul.backward",
    ),
    "a matrix product where a product is meant": (
        {"ops.Mul.backward": AB + "return out_grad @ b, out_grad @ a",
         "tensor.Tensor.__matmul__": "return ops.matmul(other, self)"},
        "chapter3.mul.backward",
    ),
    "a type held against a text": (
        {"tensor.Tensor.__mul__": NAME_OF_TYPE, "ops.MulScalar.forward": "return a + self.scalar"},
        "chapter3.mul.operator",
    ),
    "eval without return": (
        {"nn.Module.eval": "self.train(False)",
         "nn.Parameter.__init__": 'super().__init__(data, dtype="float32", requires_grad=True)'},
        "chapter4.module.eval",
    ),
    "LayerNorm over the wrong axis": (
        {"nn.LayerNorm1d.__init__": body("chapter4.layernorm1d.init", "plain-tensors"),
         "nn.LayerNorm1d.forward": body("chapter4.layernorm1d.forward", "over-the-batch")},
        "chapter4.layernorm1d.forward",
    ),
    "a number rule wrong beside the rule that it uses": (
        {"scalar.Value.__mul__": body("chapter1.value.mul", "own-factor"),
         "scalar.Value.__truediv__": body("chapter1.value.div", "no-graph")},
        "chapter1.value.div",
    ),
}  # fmt: skip


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("bodies, id", OWN_FAULT.values(), ids=OWN_FAULT)
def test_what_would_fail_anyway_has_failed(bodies, id, proof):
    sources = proof.course.replace_bodies(bodies)
    chapter = COURSE.exercises[id].chapter
    for ids in ([id], ids_of(chapter)):
        verdict = proof.judge(sources, ids)[id]
        assert verdict.status in ("failed", "crashed"), (ids, verdict.blocked_by)


BLOCKED = {
    "an op": (
        {"ops.Negate.forward": "return a"}, "chapter3.sub.backward", "chapter3.negate.forward",
    ),
    "an operator": (
        {"tensor.Tensor.__mul__": "return ops.add(self, other) if isinstance(other, Tensor) "
                                  "else ops.mul_scalar(self, other)"},
        "chapter3.mul.backward", "chapter3.mul.operator",
    ),
    "an operand that is copied, where both are the same": (
        {"tensor.Tensor.__add__": body("chapter3.add.operator", "wrapped-again")},
        "chapter3.sqrt.backward", "chapter3.add.operator",
    ),
    "what changes its input": (
        {"ops.Tanh.forward": "return np.tanh(a, out=a)"},
        "chapter3.tanh.backward", "chapter3.tanh.forward",
    ),
    "a rule on numbers": (
        {"scalar.Value.__mul__": body("chapter1.value.mul", "own-factor")},
        "chapter1.value.div", "chapter1.value.mul",
    ),
    "a constructor": (
        {"nn.Parameter.__init__": body("chapter4.parameter.init", "always-float32")},
        "chapter4.linear.init", "chapter4.parameter.init",
    ),
}  # fmt: skip


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("bodies, id, by", BLOCKED.values(), ids=BLOCKED)
def test_what_comes_right_with_another_is_blocked_by_it(bodies, id, by, proof):
    sources = proof.course.replace_bodies(bodies)
    for ids in ([id], ids_of(COURSE.exercises[id].chapter)):
        verdict = proof.judge(sources, ids)[id]
        assert (verdict.status, verdict.blocked_by) == ("blocked", [by]), ids


# Two mistakes, and who runs on into the second one only where the first is put right.
RUNS_ON = (
    (("chapter10.dilate.forward", "tuple-only"), ("chapter10.slice.backward", "step-ignored"),
     "chapter10.dilate.backward"),
    (("chapter3.sub.operator", "asks-for-ndarray"), ("chapter3.backward", "pre-order"),
     "chapter3.broadcasting"),
)  # fmt: skip


@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("one, two, id", RUNS_ON)
def test_who_runs_on_into_another_fault_waits_for_both(one, two, id, proof):
    bodies = {COURSE.exercises[place[0]].targets[0]: body(*place) for place in (one, two)}
    sources = proof.course.replace_bodies(bodies)
    for ids in ([id], ids_of(COURSE.exercises[id].chapter)):
        verdict = proof.judge(sources, ids)[id]
        assert verdict.status == "blocked", ids
        assert set(verdict.blocked_by) == {one[0], two[0]}, ids


def test_two_that_are_both_needed_are_both_named(proof):
    bodies = {
        "ops.Negate.forward": "return a",
        "ops.Mul.backward": AB + "return out_grad, out_grad",
    }
    sources = proof.course.replace_bodies(bodies)
    verdict = proof.judge(sources, ids_of("chapter3"))["chapter3.broadcasting"]
    told = {c.check["id"].partition("/")[2]: c.blocked_by for c in verdict.checks}
    assert verdict.status == "blocked"
    assert set(verdict.blocked_by) == {"chapter3.negate.forward", "chapter3.mul.backward"}, told


@pytest.mark.parametrize(
    "bodies, id",
    [
        ({"ops.Mul.backward": AB + "return out_grad @ b, out_grad @ a",
          "tensor.Tensor.__matmul__": STUB}, "chapter3.mul.backward"),
        ({"tensor.Tensor.__mul__": NAME_OF_TYPE, "ops.MulScalar.forward": STUB},
         "chapter3.mul.operator"),
    ],
)  # fmt: skip
def test_a_stub_is_not_to_blame_for_what_it_was_given(bodies, id, proof):
    verdict = proof.judge(proof.course.replace_bodies(bodies), [id])[id]
    assert verdict.status in ("failed", "crashed")


def test_right_code_waits_for_a_stub(proof):
    sources = proof.course.replace_bodies({"ops.Negate.forward": STUB})
    verdict = proof.judge(sources, ["chapter3.sub.backward"])["chapter3.sub.backward"]
    assert (verdict.status, verdict.blocked_by) == ("blocked", ["chapter3.negate.forward"])


def test_check_alone_repro_and_the_whole_chapter_blame_the_same(package, grader):
    place = str(package({"ops.Negate.forward": "return a"}))
    whole = grader("check", "chapter3", "--json", "--package", place).exercises()
    alone = grader("check", "chapter3.sub.backward", "--json", "--package", place).exercises()
    one = alone["chapter3.sub.backward"]
    assert one["blocked_by"] == whole["chapter3.sub.backward"]["blocked_by"]
    told = grader("repro", "chapter3.sub.backward", "--package", place)
    assert "chapter3.negate.forward" in told.out + told.err


BOTH_WAYS = {"chapter1": 4}  # pairs of mistakes; two of any other chapter


@pytest.mark.sampled(long=3)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_alone_and_in_the_chapter_pairs_are_blamed_the_same(chapter, proof, is_whole):
    """A circle was seen here: A blocked by B alone, B blocked by A alone."""
    pairs = all_pairs([k for k in proof.mistakes() if k[0].chapter == chapter])
    drawing = random.Random(1)
    for one, two in drawing.sample(pairs, 30 if is_whole else BOTH_WAYS.get(chapter, 2)):
        bodies = {(m.target or e.targets[0]): m.body for e, m in (one, two)}
        sources = proof.course.replace_bodies(bodies)
        whole = proof.judge(sources, ids_of(chapter))
        spoilt = [id for id, v in whole.items() if v.status not in ("passed", "given")]
        for id in {one[0].id, two[0].id, *drawing.sample(spoilt, min(2, len(spoilt)))}:
            verdict = proof.judge(sources, [id])[id]
            assert verdict.status == whole[id].status, (one[1].name, two[1].name, id)
            assert verdict.blocked_by == whole[id].blocked_by, (one[1].name, two[1].name, id)


PAIRS = 4  # of a chapter; all of them with --whole
AGREE = 0.99  # the rest is where no formula speaks, and the reference does not fit


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_blame_agrees_with_repair(chapter, proof, is_whole):
    repairs = Repairs(proof)
    pairs = all_pairs([k for k in proof.mistakes() if k[0].chapter == chapter])
    drawn = pairs if is_whole else random.Random(0).sample(pairs, min(PAIRS, len(pairs)))
    found = [a for one, two in drawn for a in repairs.agreements(one, two)]
    wrong = [f"{a.where}: {a.what}" for a in found if not a.holds]
    assert len(wrong) <= (1 - AGREE) * len(found), "\n".join([count_agreements(found), *wrong])


# ---- weighed by itself --------------------------------------------------------------------------

ORDER = {id: n for n, id in enumerate(["a", "b", "c", "d"])}


def verdicts_of(**statuses: str):
    """Each wrong exercise has one check, whose one probe fails."""
    found = {}
    for id, status in statuses.items():
        verdict = ExerciseVerdict(exercise(id), False)
        verdict.checks = [CheckVerdict(check(0, id=f"{id}/value"), status)]
        verdict.checks[0].failing = [0] if status in WRONG else []
        found[id] = verdict
    return found


def weighed(dependencies, comes_right=lambda *_: None, runs_on: str = "", **statuses: str):
    """Exercise → who blocks it."""

    def try_out(verdict, number, ids):
        return TrialResult(comes_right(verdict, number, ids), frozenset(runs_on))

    verdicts = verdicts_of(**(statuses or dict.fromkeys("ab", "failed")))
    placed = {(id, 0): frozenset(ids) for id, ids in dependencies.items()}
    suspects = {id for id, v in verdicts.items() if v.status in WRONG or v.status == "pending"}
    return resolve_blame(verdicts, placed, suspects, ORDER, try_out).blocked


def test_what_comes_right_without_anothers_fault_is_blocked():
    assert weighed({"b": "a"}, lambda *_: True) == {"b": ["a"]}


def test_a_chain_leads_to_its_root():
    every = dict.fromkeys("abc", "failed")
    blocked = weighed({"b": "a", "c": "ab"}, lambda v, n, ids: "a" in ids, **every)
    assert blocked == {"b": ["a"], "c": ["a"]}


def test_what_leans_on_what_is_right_has_failed():
    blocked = weighed({"b": "c"}, a="failed", b="failed", c="passed")
    assert blocked == {}


def test_of_a_circle_the_earliest_is_at_fault():
    dependencies = {"a": "c", "b": "c", "c": "ab"}
    blocked = weighed(dependencies, **dict.fromkeys("abc", "failed"))
    assert blocked == {"c": ["a"]}
    assert weighed({"a": "b", "b": "a"}) == {"b": ["a"]}


def test_what_was_tried_out_decides():
    says = {frozenset("a"): False}
    blocked = weighed({"b": "a"}, lambda verdict, number, ids: says.get(ids))
    assert blocked == {}


def test_of_several_only_those_that_are_needed_are_named():
    every = dict.fromkeys("abc", "failed")
    blocked = weighed({"c": "ab"}, lambda v, n, ids: "b" in ids, **every)
    assert blocked == {"c": ["b"]}
    blocked = weighed({"c": "ab"}, lambda v, n, ids: {"a", "b"} <= ids, **every)
    assert blocked == {"c": ["a", "b"]}


def test_what_it_runs_on_into_is_put_right_as_well():
    every = dict.fromkeys("abc", "failed")
    both = lambda v, n, ids: {"a", "b"} <= ids  # noqa: E731
    assert weighed({"c": "a"}, both, "b", **every) == {"c": ["a", "b"]}
    assert weighed({"c": "a"}, lambda v, n, ids: "b" in ids, "b", **every) == {"c": ["b"]}
    assert weighed({"c": "a"}, lambda *_: False, "bc", **every) == {}


def test_who_is_outside_of_a_circle_is_weighed_after_it():
    dependencies = {"a": "b", "b": "a", "c": "a"}
    assert weighed(dependencies, **dict.fromkeys("abc", "failed")) == {"b": ["a"], "c": ["a"]}


@pytest.mark.parametrize("comes_right", [True, None, False])
def test_a_stretch_that_fails_as_well_changes_no_blame(comes_right):
    rng = random.Random(str(comes_right))
    for _ in range(50):
        ids = {id: frozenset(rng.sample("abcd", rng.randrange(3))) - {id} for id in "abcd"}
        dependencies = {(id, 0): found for id, found in ids.items()}
        plain, more = (verdicts_of(**dict.fromkeys("abcd", "failed")) for _ in range(2))
        for id in rng.sample("abcd", 2):
            stretch = CheckVerdict(check(1, id=f"{id}/stretch", weight=0.0), "failed")
            stretch.failing = [1]
            more[id].checks.append(stretch)
        found = [
            resolve_blame(
                each, dependencies, set("abcd"), ORDER, lambda *_: TrialResult(comes_right)
            )
            for each in (plain, more)
        ]
        assert found[0] == found[1]


def test_of_what_is_at_fault_a_check_that_comes_right_without_others_is_spared():
    verdicts = verdicts_of(a="failed", b="failed")
    verdicts["b"].checks.append(CheckVerdict(check(1, id="b/more"), "failed"))
    verdicts["b"].checks[1].failing = [1]
    for is_right, spared in ((True, {("b", "b/more"): ["a"]}), (None, {}), (False, {})):
        dependencies = {("b", 1): frozenset("a")}
        found = resolve_blame(
            verdicts,
            dependencies,
            {"a", "b"},
            ORDER,
            lambda *_, is_right=is_right: TrialResult(is_right),
        )
        assert found.blocked == {} and found.exonerated == spared
