"""Follow-through: what is looked at again, and what code that leans on itself earns."""

from __future__ import annotations

import pytest

from grader.classroom import follow
from grader.classroom.follow import FollowThrough, marks, right
from grader.course import Chapter, Exercise
from grader.course.load import Course
from grader.course.package import Package
from grader.course.regions import BEGIN, END

from .records import exercise, result

SOURCE = "\n\n".join(
    f"def {name}(a):\n    {BEGIN}\n    return {value}\n    {END}"
    for name, value in (("f", 1), ("g", 2), ("h", 3))
) + "\n"  # fmt: skip


def asked(id: str, target: str, section="1.1", **more) -> Exercise:
    return Exercise(id=id, section=section, targets=(target,), points=2.0, **more)


COURSE = Course(
    (Chapter("chapter1", "", (asked("chapter1.f", "ops.f"), asked("chapter1.g", "ops.g"))),
     Chapter("chapter2", "", (asked("chapter2.h", "ops.h", "2.1"),))),
    {"ops.py": SOURCE},
)  # fmt: skip


def learner(text: str) -> FollowThrough:
    return FollowThrough(COURSE, None, None, Package("/x", {"ops.py": text.encode()}, ""))


MINE = "import math\n\n\ndef helper(a):\n    return math.pi\n\n\ndef f(a):\n    return helper(a)\n"


def test_right_code_goes_as_far_as_the_chapter_and_no_further():
    text = right(COURSE, 1)["ops.py"]
    assert "return 1" in text and "return 2" in text and "return 3" not in text
    assert "return 3" in right(COURSE, 2)["ops.py"]


def test_the_learners_definition_comes_with_what_it_leans_on():
    found = learner(MINE).package(["ops.f"], {"ops.f"}, 1)["ops.py"]
    space: dict = {}
    exec(found, space)
    assert space["f"](0) == pytest.approx(3.14159, abs=1e-4) and space["g"](0) == 2


def test_right_code_never_earns_what_is_not_there():
    assert learner("def g(a):\n    return 5\n").package(["ops.f"], {"ops.f"}, 1) is None
    assert learner("def f(:\n").package(["ops.f"], {"ops.f"}, 1) is None
    neighbours = learner(MINE).package(["ops.f", "ops.g"], {"ops.f"}, 1)
    assert neighbours is not None


@pytest.fixture
def judged(monkeypatch):
    """Follow-through of this code whose runs earn this: exercise → points, by what is asked."""

    def make(earned, text=MINE + "def g(a):\n    return 4\n"):
        runs = []

        def score(self, ids, files):
            runs.append(list(ids))
            return {id: earned(id, tuple(ids)) for id in ids}

        monkeypatch.setattr(FollowThrough, "_judged", score)
        return learner(text), runs

    return make


def test_the_best_of_alone_and_among_its_neighbours_counts(judged):
    scores = iter([0.5, 1.5])
    made, runs = judged(lambda id, ids: next(scores))
    assert made.score("chapter1.f") == 1.5 and runs == [["chapter1.f"]] * 2
    made, runs = judged(lambda id, ids: 2.0)
    assert made.score("chapter1.f") == 2.0 and len(runs) == 1


def test_what_passes_alone_only_leans_on_itself(judged):
    made, _ = judged(lambda id, ids: 2.0 if len(ids) == 1 else 0.0)
    assert made.circular("chapter1", {"chapter1.f": 2.0, "chapter1.g": 2.0}) == {
        "chapter1.f", "chapter1.g",
    }  # fmt: skip
    made, _ = judged(lambda id, ids: 2.0)
    assert made.circular("chapter1", {"chapter1.f": 2.0, "chapter1.g": 2.0}) == set()


def whole(*statuses):
    ids = ["chapter1.f", "chapter1.g"]
    return result(*(exercise(id, status, 2.0 if status == "passed" else 0.0)
                    for id, status in zip(ids, statuses, strict=True)))  # fmt: skip


def test_only_what_anothers_error_can_have_caused_is_looked_at_again(judged):
    for status in ("refused", "timed_out", "pending", "passed"):
        made, runs = judged(lambda id, ids: 2.0)
        found = marks(whole("passed", status), made)
        assert runs == [] and found["chapter1.g"] == (2.0 if status == "passed" else 0.0)
    made, runs = judged(lambda id, ids: 2.0)
    assert marks(whole("passed", "failed"), made) == {"chapter1.f": 2.0, "chapter1.g": 2.0}


def test_what_an_early_error_blocked_is_settled_by_one_run(judged):
    made, runs = judged(lambda id, ids: 2.0)
    assert marks(whole("blocked", "blocked"), made) == {"chapter1.f": 2.0, "chapter1.g": 2.0}
    assert runs == [["chapter1.f", "chapter1.g"]]


def test_a_circle_keeps_its_own_marks(judged):
    made, _ = judged(lambda id, ids: 2.0 if len(ids) == 1 else 0.0)
    assert set(marks(whole("failed", "failed"), made).values()) == {0.0}


def test_when_its_time_is_up_that_is_said(judged):
    made, runs = judged(lambda id, ids: 2.0)
    made.until = 0.0
    assert set(marks(whole("failed", "blocked"), made).values()) == {0.0}
    assert runs == [] and "ran out of time" in made.says


def test_the_reference_is_made_once_for_a_course():
    assert right(COURSE, 1) == right(COURSE, 1) is not follow._RIGHT[1][1]
