"""Invariants about the course itself, on a course that is written down here."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from grader.audit import consistency as theorems
from grader.course import Chapter, Check, Exercise, Kind, Mistake, Variant
from grader.course.load import Course
from grader.errors import OurFault
from grader.judge.judge import CheckVerdict
from grader.reason import because

BODY = "total = a * b + a * a * b\n    return total / (a * b)"
SOURCE = f"def f(a, b):\n    ### BEGIN SOLUTION\n    {BODY}\n    ### END SOLUTION\n"
EXERCISE = Exercise(id="chapter1.f", section="1.1", targets=("ops.f",), points=1.0,
                    hints=("Think.",))  # fmt: skip
PROSE = "(chapter1-f)=\nIt gives the ``total``.\n"


class Fake(Course):
    """A course whose prose and checks are here."""

    def prose(self, chapter):
        return PROSE

    def checks(self, chapter, seed):
        return [Check("chapter1.f", "value", (), "gives the `total`")]


def proof_of(exercise=EXERCISE, course=Fake, statuses=(), variants=(), source=SOURCE):
    chapter = Chapter("chapter1", "One", (exercise,), variants=tuple(variants))
    made = course((chapter,), {"ops.py": source})
    verdicts = {
        id: SimpleNamespace(id=id, status=status, score=score, checks=[])
        for id, status, score in statuses
    }
    return SimpleNamespace(
        course=made, chapters=made.chapters, ids={exercise.id}, seed="s",
        judge=lambda *_, **__: verdicts,
    )  # fmt: skip


def told(theorem, *args, **more) -> list[str]:
    return [problem.what for problem in theorem(proof_of(*args, **more))]


def test_a_course_that_holds_together_has_no_problem():
    for theorem in (theorems.regions_have_exercises, theorems.exercises_are_whole,
                    theorems.no_answer_leaks):  # fmt: skip
        assert told(theorem) == [], theorem.__name__


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": "chapter1.g"}, "0 anchors (chapter1-g)= in the prose"),
        ({"hints": ()}, "has no hints or no points"),
        ({"points": 0}, "has no hints or no points"),
        ({"needs": ("chapter1.x",)}, "needs chapter1.x, which does not exist"),
        ({"mistakes": (Mistake(name="m", says=" ", body="b"),)}, "the mistake m has no sentence"),
    ],
)
def test_what_an_exercise_lacks_is_told(change, says):
    assert told(theorems.exercises_are_whole, replace(EXERCISE, **change)) == [says]


BOXED = """(chapter1-f)=
:::{admonition} Exercise 1.1: `f` (5 minutes, ★☆☆)
Chapter 2 has 2.7. `grader check 1.1`
:::
"""


@pytest.mark.parametrize(
    ("prose", "says"),
    [
        (BOXED, []),
        (BOXED.replace("e 1.1", "e 1.4"), ["stands in box 1.4; `grader check 1.1` judges it"]),
        (BOXED.replace("check 1.1", "check 1.2"), ["names 1.2, which has no exercise"]),
        (BOXED + "As in section 1.3.", ["names 1.3, which has no exercise"]),
    ],
)
def test_a_box_is_called_what_grader_check_takes(prose, says):
    class Boxed(Fake):
        def prose(self, chapter):
            return prose

    assert told(theorems.numbers_are_checked, course=Boxed) == says


def test_a_region_belongs_to_one_exercise_and_a_target_has_one():
    other = replace(EXERCISE, targets=("ops.g",))
    assert told(theorems.regions_have_exercises, other) == [
        "is the target of 0 exercises", "ops.g has no solution region",
    ]  # fmt: skip


def test_a_solution_in_the_prose_is_told():
    class Leaking(Fake):
        def prose(self, chapter):
            return PROSE + BODY

    assert told(theorems.no_answer_leaks, course=Leaking) == ["holds the solution of ops.f"]


def test_a_program_that_holds_a_solution_leaks_it(monkeypatch):
    """Programs travel with the key of a release."""
    monkeypatch.setattr(theorems, "read_texts", lambda folder: {"calls.py": SOURCE})
    found = list(theorems.no_answer_leaks(proof_of()))
    assert [p.what for p in found] == ["holds the solution of ops.f"]
    assert found[0].where.endswith("tests/programs/calls.py")


@pytest.mark.parametrize(
    ("status", "score", "count"), [("pending", 0.0, 0), ("given", 0.0, 0), ("failed", 0.0, 2),
                                   ("pending", 1.0, 2)],
)  # fmt: skip
def test_stubs_and_an_empty_package_earn_nothing(status, score, count):
    statuses = [("chapter1.f", status, score)]
    assert len(told(theorems.stubs_are_pending, statuses=statuses)) == count


def test_a_chapter_that_leans_on_a_later_one_is_told():
    assert told(theorems.chapters_stand_alone, statuses=[("chapter1.f", "passed", 1.0)]) == []
    assert told(theorems.chapters_stand_alone, statuses=[("chapter1.f", "failed", 0.0)]) == [
        "is failed without the later chapters"
    ]


def test_a_variant_has_to_pass_but_for_what_it_names():
    proof = proof_of(variants=[Variant("v", {"ops.f": "return 1"}, but=("chapter1.f/b",))])
    checks = [CheckVerdict({"id": f"chapter1.f/{n}"}, "failed") for n in "ab"]
    proof.judge = lambda *_: {"chapter1.f": SimpleNamespace(checks=checks)}
    assert [p.what for p in theorems.variants_pass(proof)] == ["fails chapter1.f/a, and is right"]


def test_a_fault_that_no_check_of_its_own_shows_is_told_of_its_suite():
    proof = proof_of(variants=[Variant("v", {"ops.f": "return 1"})])
    check = CheckVerdict({"id": "chapter1.g/a"}, "blocked", because("ran_undetected", "chapter1.f"))
    check.blocked_by = ["chapter1.f"]
    proof.judge = lambda *_: {"chapter1.g": SimpleNamespace(checks=[check])}
    ((where, what, mend),) = theorems.variants_pass(proof)
    assert where == "chapter1.f" and "makes chapter1.g/a fail" in what and "a check" in mend


def test_an_edit_of_a_variant_that_fits_nowhere_is_told():
    variant = Variant("v", edits=(("ops.py", "nowhere", "x"),))
    found = told(theorems.variants_pass, variants=[variant], statuses=[])
    assert found == ["ops.py does not hold the text to be edited"]


def test_each_line_of_what_keeps_a_key_from_being_made_is_a_problem():
    class Broken:
        seed = "s"

        def key_of(self, *_, **__):
            raise OurFault("The oracles do not agree:\n  one\n  two")

    assert [p.what for p in theorems.oracles_agree(Broken())] == ["one", "two"]


def test_each_mistake_that_cannot_be_imported_is_a_problem():
    class Key:
        def gives(self, id, launch):
            if id != "chapter1.right":
                raise OurFault(f"With these mistakes …:\n  {id}: twice: SyntaxError")

    ids = frozenset({"chapter1.a", "chapter1.b", "chapter1.right", "chapter1.not_mine"})
    proof = SimpleNamespace(key=Key(), ids=ids, own=ids - {"chapter1.not_mine"})
    told = [problem.what for problem in theorems.mistakes_run(proof)]
    assert told == [f"{id}: twice: SyntaxError" for id in ("chapter1.a", "chapter1.b")]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Kind("chapter1.{}", "f", "g"), []),
        (Kind("chapter1.{}", "f", ""), ["asks for no exercise, or gives none"]),
        (Kind("chapter1.{}", "f", "h"), ["is not written in this chapter"]),
        (Kind("chapter1.{}", "f", "f g"), ["is of two kinds"]),
    ],
)
def test_a_kind_asks_for_some_exercises_of_its_chapter_and_gives_others(kind, says):
    exercises = (EXERCISE, replace(EXERCISE, id="chapter1.g"),
                 replace(EXERCISE, id="chapter1.h", given=True))  # fmt: skip
    chapter = Chapter("chapter1", "One", exercises, kinds=(kind,))
    found = theorems.kinds_are_alike(SimpleNamespace(chapters=(chapter,)))
    assert [problem.what for problem in found] == says


@pytest.mark.parametrize(
    ("stubs", "solved", "says"),
    [
        (("pending", 0), ("passed", 1), []),
        (("pending", 0), ("given", 0), ["given, 0 points with the reference package"]),
        (("passed", 1), ("passed", 1), ["passed, 1 points with the stubs package"]),
    ],
)
def test_on_the_short_route_what_is_asked_is_pending_until_it_is_written(stubs, solved, says):
    chapter = Chapter("chapter1", "One", (EXERCISE, replace(EXERCISE, id="chapter1.g", targets=())),
                      kinds=(Kind("chapter1.{}", "f", "g"),))  # fmt: skip
    course = Fake((chapter,), {"ops.py": SOURCE})

    def judge(sources, ids, route):
        assert route == "short" and ids == ["chapter1.f", "chapter1.g"]
        is_stub = "NotImplementedError" in sources["ops.py"]
        rows = [("chapter1.f", *(stubs if is_stub else solved)), ("chapter1.g", "given", 0)]
        return {id: SimpleNamespace(id=id, status=s, score=n) for id, s, n in rows}

    proof = SimpleNamespace(course=course, chapters=(chapter,), judge=judge,
                            ids={"chapter1.f", "chapter1.g"})  # fmt: skip
    assert [problem.what for problem in theorems.short_route_holds(proof)] == says
