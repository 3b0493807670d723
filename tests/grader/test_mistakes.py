"""The invariants about mistakes: what is asked of them, and what a mistake that is none brings.

Invariant 11, on verdicts that are written down here.
"""

from __future__ import annotations

import textwrap
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.audit import mistakes
from grader.audit.mistakes import Agreement, Repairs, count_agreements
from grader.course import Chapter, Exercise, Mistake
from grader.errors import OurFault

from .examples import SOME


def test_a_mistake_that_nobody_catches_is_told(proof, monkeypatch):
    """The invariant about mistakes, on an exercise whose mistake is no mistake."""
    exercise = next(e for e in proof.exercises if e.id == "chapter5.clip_grad_norm")
    right = proof.course.regions[exercise.targets[0]].body
    harmless = replace(exercise, mistakes=(replace(exercise.mistakes[0], body=right),))
    part = proof.about(frozenset({exercise.id}))
    monkeypatch.setattr(part, "mistakes", lambda: [(harmless, harmless.mistakes[0])], raising=False)
    told = list(mistakes.single_mistakes_are_named(part))
    assert [p.what for p in told] == ["the exercise is passed"]


def exercise(id: str, *names: str) -> Exercise:
    made = tuple(Mistake(name=name, says=f"{name}.", body="return 1") for name in names)
    return Exercise(id=id, section="1.1", targets=(f"ops.{id}",), mistakes=made)


A, B, C = exercise("chapter1.a", "x", "y"), exercise("chapter1.b", "z"), exercise("chapter2.c", "w")
KNOWN = [(e, m) for e in (A, B, C) for m in e.mistakes]


def named(pairs):
    return [(one[1].name, two[1].name) for one, two in pairs]


def test_pairs_are_of_two_exercises_of_one_chapter():
    assert named(mistakes.all_pairs(KNOWN)) == [("x", "z"), ("y", "z")]
    assert mistakes.all_pairs(KNOWN, frozenset({"chapter2.c"})) == []
    assert len(mistakes.all_pairs(KNOWN, frozenset({"chapter1.b"}))) == 2


@SOME
@given(counts=st.lists(st.integers(0, 4), min_size=1, max_size=5))
def test_pairs_are_counted_without_being_made(counts):
    made = tuple(
        exercise(f"chapter1.e{n}", *(f"m{i}" for i in range(count)))
        for n, count in enumerate(counts)
    )
    known = [(e, m) for e in made for m in e.mistakes]
    chapter = Chapter(id="chapter1", title="One", exercises=made)
    assert mistakes.count_of_pairs(chapter) == len(mistakes.all_pairs(known))


def verdict(id: str, status: str, *names: str, blocked_by=(), score=0.0):
    said, by = [(name, "") for name in names], list(blocked_by)
    return SimpleNamespace(
        id=id, status=status, mistakes=said, blocked_by=by, score=score, max_score=2.0
    )


def proof_of(*verdicts):
    """A proof in which every package is judged so."""
    course = SimpleNamespace(replace_bodies=lambda bodies: bodies)
    judged = {v.id: v for v in verdicts}
    return SimpleNamespace(
        course=course, judge=lambda *_: judged, chapter_ids=lambda _: list(judged),
        mistakes=lambda: [(A, A.mistakes[0])],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("verdicts", "says"),
    [
        ([verdict("chapter1.a", "failed", "x")], []),
        ([verdict("chapter1.a", "failed", "x", score=1.8)], []),
        ([verdict("chapter1.a", "failed", "x", score=1.9)], ["it earns 1.9 of 2 points"]),
        ([verdict("chapter1.a", "failed", "y")], ["is diagnosed as ['y']"]),
        ([verdict("chapter1.a", "failed")], ["is diagnosed as nothing"]),
        ([verdict("chapter1.a", "failed", "x"), verdict("chapter1.b", "failed")],
         ["chapter1.b is failed because of it, not blocked"]),
        ([verdict("chapter1.a", "failed", "x"),
          verdict("chapter1.b", "blocked", blocked_by=["chapter1.a"])], []),
        ([verdict("chapter1.a", "failed", "x"),
          verdict("chapter1.b", "blocked", blocked_by=["chapter1.q"])],
         ["chapter1.b is said to be blocked by ['chapter1.q']"]),
    ],
)  # fmt: skip
def test_alone_a_mistake_is_named_and_others_wait_for_it(verdicts, says):
    assert [p.what for p in mistakes.single_mistakes_are_named(proof_of(*verdicts))] == says


@pytest.mark.parametrize(
    ("verdicts", "says"),
    [
        ([verdict("chapter1.a", "failed", "x"), verdict("chapter1.b", "failed", "z")], []),
        ([verdict("chapter1.a", "failed", "z"), verdict("chapter1.b", "failed", "z")],
         ["chapter1.a is said to be ['z']"]),
        ([verdict("chapter1.a", "passed"), verdict("chapter1.b", "passed")],
         ["neither is failed"]),
    ],
)  # fmt: skip
def test_of_two_at_once_nothing_false_is_said(verdicts, says):
    pair = mistakes.pair(proof_of(*verdicts), (A, A.mistakes[0]), (B, B.mistakes[0]))
    assert [p.what for p in pair] == says


def test_a_rule_that_is_detached_gives_the_values_without_the_graph(monkeypatch):
    about = SimpleNamespace(detached={"type": "complex", "call": "real"}, narrow=())
    monkeypatch.setattr(mistakes, "COURSE", about)

    def run(body: str):
        text = textwrap.indent(mistakes.detach(body), "    ")
        space: dict = {}
        exec(f"def outer(self, out_grad, node):\n{text}", space)
        return space["outer"](None, 2 + 1j, 3)

    assert run("return out_grad") == 2.0
    assert run("return out_grad, node") == (2.0, 3)
    assert run("return node") == 3


def test_a_package_is_narrowed_as_the_course_says(monkeypatch):
    monkeypatch.setattr(mistakes, "COURSE", SimpleNamespace(narrow=("a.py", "64", "32")))
    files = {"a.py": "float64", "b.py": "64"}
    assert mistakes.narrow(files) == {**files, "a.py": "float32"}
    with pytest.raises(OurFault, match="does not stand in a.py"):
        mistakes.narrow({"a.py": "float"})
    monkeypatch.setattr(mistakes, "COURSE", SimpleNamespace(narrow=()))
    assert mistakes.narrow({"a.py": "float64"}) == {"a.py": "float64"}


def played(**judged):
    """A proof in which a package with these mistakes is judged so: ``a``, ``b``, ``a_b``."""
    known = [
        (Exercise(id=id, section="1.1", targets=(f"ops.{id}",)),
         Mistake(name=id, says="s", body=id))
        for id in ("a", "b")
    ]  # fmt: skip
    course = SimpleNamespace(replace_bodies=lambda bodies: "_".join(sorted(bodies.values())))

    def judge(sources, ids):
        return {
            id: SimpleNamespace(id=id, status=said.partition(" ")[0],
                                blocked_by=said.split(" ")[1:])
            for id, said in judged[sources].items()
        }  # fmt: skip

    proof = SimpleNamespace(course=course, judge=judge, chapter_ids=lambda exercise: ["a", "b"])
    return [(a.said, a.holds) for a in Repairs(proof).agreements(*known)]


ALONE = {"a": {"a": "failed", "b": "passed"}, "b": {"a": "passed", "b": "failed"}}


def test_who_is_blocked_has_to_pass_once_the_other_is_repaired():
    both = {"a": "failed", "b": "blocked a"}
    assert played(a_b=both, **{**ALONE, "b": {"a": "passed", "b": "passed"}}) == [
        ("failed", True), ("blocked", True),
    ]  # fmt: skip
    assert played(a_b=both, **ALONE) == [("failed", True), ("blocked", False)]
    unknown = {"a": "failed", "b": "blocked q"}
    assert played(a_b=unknown, **ALONE)[1] == ("blocked", False)


def test_who_has_failed_has_to_fail_whatever_else_is_repaired():
    both = {"a": "failed", "b": "failed"}
    assert played(a_b=both, **ALONE) == [("failed", True)] * 2
    assert played(a_b=both, **{**ALONE, "b": {"a": "passed", "b": "passed"}})[1] == (
        "failed", False,
    )  # fmt: skip


def test_agreements_are_counted_by_what_was_said():
    found = [Agreement("", "blocked", True, ""), Agreement("", "failed", True, ""),
             Agreement("", "failed", False, "")]  # fmt: skip
    assert count_agreements(found) == "1 of 1 rightly blocked, 1 of 2 rightly failed"
