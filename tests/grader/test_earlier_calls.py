"""A call that is right alone and wrong after another one is told so, and shown so."""

from __future__ import annotations

import copy
import subprocess
import sys

import pytest

from grader.commands.exercise import smallest
from grader.course.package import Package
from grader.judge.earlier_calls import KEPT
from grader.learner.script import script
from grader.verdict import PASSED
from tests.programs.harness import POOL, ask_first
from tests.programs.pool import Pool

MUL, TANH = "ops.Mul.backward", "ops.Tanh.forward"
# What each keeps, and under what.
KEEP = {
    "for ever": (MUL, """
        if not hasattr(Mul, "first"):
            a, b = node._inputs
            Mul.first = out_grad * b, out_grad * a
        return Mul.first
     """),
    "by shape": (MUL, """
        a, b = node._inputs
        known = globals().setdefault("KNOWN", {})
        if (a.shape, b.shape) not in known:
            known[a.shape, b.shape] = out_grad * b, out_grad * a
        return known[a.shape, b.shape]
     """),
    "by out_grad alone": (MUL, """
        a, b = node._inputs
        known = globals().setdefault("KNOWN", {})
        return known.setdefault(out_grad.data.tobytes(), (out_grad * b, out_grad * a))
     """),
    "on the object": (TANH, """
        if not hasattr(self, "out"):
            self.out = np.tanh(a)
        return self.out
     """),
    "by the identity of an array": (TANH, """
        return globals().setdefault("KNOWN", {}).setdefault(id(a), np.tanh(a))
     """),
    "in one array for all results": (TANH, """
        out = globals().setdefault("OUT", {}).setdefault(a.shape, np.empty(a.shape))
        return np.tanh(a, out=out)
     """),
}  # fmt: skip
# Memories that real code has, and that are right.
RIGHT = {
    "what forward saw is kept for backward": (TANH, """
        self.seen = a
        return np.tanh(self.seen)
     """),
    "results are kept by all values of the input": (TANH, """
        known, key = globals().setdefault("KNOWN", {}), (a.dtype.str, a.shape, a.tobytes())
        if key not in known:
            known[key] = np.tanh(a)
        return known[key].copy()
     """),
    "a table that depends on the shape alone": (MUL, """
        ones = globals().setdefault("ONES", {}).setdefault(out_grad.shape, np.ones(out_grad.shape))
        a, b = node._inputs
        return out_grad * b * Tensor(ones, dtype=a.dtype), out_grad * a
     """),
}  # fmt: skip


def judged(proof, target, body):
    exercise = proof.course.owner[target]
    sources = proof.course.replace_bodies({target: body})
    return sources, proof.judge(sources, [exercise.id])[exercise.id]


@pytest.mark.parametrize("name", KEEP)
def test_what_is_kept_is_told_and_no_other_cause(name, proof):
    _, verdict = judged(proof, *KEEP[name])
    assert verdict.score < verdict.max_score
    assert [mistake for mistake, _ in verdict.mistakes] == [KEPT]


@pytest.mark.parametrize("name", RIGHT)
def test_a_memory_that_is_right_keeps_all_points(name, proof):
    _, verdict = judged(proof, *RIGHT[name])
    assert verdict.score == verdict.max_score


@pytest.mark.parametrize(
    "body", ["return -out_grad, out_grad", "return out_grad * 0, out_grad * 0"]
)
def test_what_is_wrong_alone_is_not_told_to_be_kept(body, proof):
    _, verdict = judged(proof, MUL, body)
    assert KEPT not in dict(verdict.mistakes)


@pytest.mark.parametrize("name", KEEP)
def test_the_script_shows_what_the_check_saw(name, proof, tmp_path):
    sources, verdict = judged(proof, *KEEP[name])
    chapter = proof.key.chapter("chapter3", proof.launch)
    package = Package("", {file: text.encode() for file, text in sources.items()}, "")
    failure = smallest(chapter, verdict, package)
    (tmp_path / "babygrad").mkdir()
    for file, text in sources.items():
        path = tmp_path / "babygrad" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "repro.py").write_text(script(chapter, failure))
    done = subprocess.run(
        [sys.executable, "repro.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "wrong" in done.stdout or "Overwritten" in done.stderr, done.stdout + done.stderr


BURNS = """
        import time
        global CALLS
        CALLS = globals().get("CALLS", 0) + 1
        begun = time.process_time()
        while CALLS <= 3 and time.process_time() - begun < 0.09:
            pass
        return a - b
"""


def test_calls_that_come_first_take_no_time_of_the_one_that_counts(proof):
    """A right body that is slow at first: three calls of it take longer than a probe may."""
    grading = proof.grading(proof.course.replace_bodies({"ops.Sub.forward": BURNS}))
    chapter = copy.copy(proof.key.chapter("chapter3", proof.launch))
    chapter.probes = [{**probe, "seconds": 0.2} for probe in chapter.probes]
    (verdict,) = grading.grade_without_blame(chapter, ["chapter3.sub.forward"]).values()
    assert verdict.status == PASSED


def test_an_object_that_could_not_be_made_is_made_next():
    """A stub raised in a call that comes first: the next one had an IndexError of ours."""

    def stub():
        raise NotImplementedError

    pool = Pool()
    pool.begin("chapter14.generate")
    with pytest.raises(NotImplementedError):
        pool.take("generator", stub)
    made, _ = pool.take("generator", lambda: [1])
    pool.begin("chapter14.generate")
    assert pool.take("generator", stub)[0] is made


def test_nothing_is_asked_first_where_the_first_call_is_shown():
    asked = []
    for exercise in ("", "chapter3.mul.forward"):
        POOL.begin(exercise)
        ask_first(asked.append, exercise)
    POOL.begin("")
    assert asked == ["chapter3.mul.forward"]
