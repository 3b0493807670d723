"""Follow-through: what is looked at again, and what code that depends on itself earns."""

from __future__ import annotations

import random
from collections.abc import Collection

import pytest

from grader.classroom.marks.follow_through import FollowThrough, compute_follow_through
from grader.course import Chapter, Exercise
from grader.course.load import Course
from grader.course.package import Package
from grader.course.syntax_tree import BEGIN, END

from ..test_undetected import CHANGES, body_with_memory, count_calls
from ..whole_course import whole_course
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
    mine = Package("/x", {"ops.py": text.encode()}, "")
    return FollowThrough(COURSE, COURSE.stubs, None, None, mine)


MINE = "import math\n\n\ndef helper(a):\n    return math.pi\n\n\ndef f(a):\n    return helper(a)\n"


def test_right_code_goes_as_far_as_the_chapter_and_no_further():
    text = learner("").right(1)["ops.py"]
    assert "return 1" in text and "return 2" in text and "return 3" not in text
    assert "return 3" in learner("").right(2)["ops.py"]


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
    assert made.circular({"chapter1.f": 2.0, "chapter1.g": 2.0}) == {
        "chapter1.f", "chapter1.g",
    }  # fmt: skip
    made, _ = judged(lambda id, ids: 2.0)
    assert made.circular({"chapter1.f": 2.0, "chapter1.g": 2.0}) == set()


def whole(*statuses):
    ids = ["chapter1.f", "chapter1.g"]
    return result(*(exercise(id, status, 2.0 if status == "passed" else 0.0)
                    for id, status in zip(ids, statuses, strict=True)))  # fmt: skip


def test_only_what_anothers_error_can_have_caused_is_looked_at_again(judged):
    for status in ("refused", "timed_out", "pending", "passed"):
        made, runs = judged(lambda id, ids: 2.0)
        found = compute_follow_through(whole("passed", status), made)
        assert runs == [] and found["chapter1.g"] == (2.0 if status == "passed" else 0.0)
    made, runs = judged(lambda id, ids: 2.0)
    assert compute_follow_through(whole("passed", "failed"), made) == {
        "chapter1.f": 2.0,
        "chapter1.g": 2.0,
    }


def test_what_an_early_error_blocked_is_settled_by_one_run(judged):
    made, runs = judged(lambda id, ids: 2.0)
    assert compute_follow_through(whole("blocked", "blocked"), made) == {
        "chapter1.f": 2.0,
        "chapter1.g": 2.0,
    }
    assert runs == [["chapter1.f", "chapter1.g"]]


def test_a_circle_keeps_its_own_marks(judged):
    made, _ = judged(lambda id, ids: 2.0 if len(ids) == 1 else 0.0)
    assert set(compute_follow_through(whole("failed", "failed"), made).values()) == {0.0}


def test_when_its_time_is_up_that_is_said(judged):
    made, runs = judged(lambda id, ids: 2.0)
    made.until = 0.0
    assert set(compute_follow_through(whole("failed", "blocked"), made).values()) == {0.0}
    assert runs == [] and "ran out of time" in made.says


# ---- any mix: what a hand-in's code depends on, drawn at random ---------------------------

CHECKS = 3


class Mix:
    """A solved chapter: each check of an exercise is right or wrong by itself and depends on
    checks of other exercises.

    Args:
        circles: whether what depends on each other may do so in a circle.
    """

    def __init__(self, seed: int, circles: bool) -> None:
        drawn = random.Random(seed)
        self.names = [f"f{n}" for n in range(drawn.randrange(2, 8))]
        order = drawn.sample(self.names, len(self.names))
        every = [(name, k) for name in self.names for k in range(CHECKS)]
        self.sound = {each: drawn.random() < 0.8 for each in every}
        self.leans = {
            (name, k): drawn.sample(below, min(len(below), drawn.choice((0, 0, 1, 1, 2))))
            for name, k in every
            for below in [[
                other for other in every
                if other[0] != name and (circles or order.index(other[0]) < order.index(name))
            ]]
        }  # fmt: skip
        asks = [asked(f"chapter1.{name}", f"ops.{name}", f"1.{drawn.randrange(3)}")
                for name in self.names]  # fmt: skip
        source = "\n\n".join(f"def {name}(a):\n    {BEGIN}\n    return 1\n    {END}"
                             for name in self.names)  # fmt: skip
        self.course = Course((Chapter("chapter1", "", tuple(asks)),), {"ops.py": source + "\n"})
        self.own = {name: self.points(name, self.names) for name in self.names}
        words = {name: drawn.choice(("failed", "blocked", "crashed")) for name in self.names}
        self.result = result(*(
            exercise(f"chapter1.{name}", "passed" if points == 2.0 else words[name],
                     round(points, 4))
            for name, points in self.own.items()
        ))  # fmt: skip

    def points(self, name: str, mine: Collection[str]) -> float:
        """Return an exercise's points, with right code for every exercise outside of ``mine``."""
        passing: set[tuple[str, int]] = set()
        while True:
            more = {
                each for each, sound in self.sound.items()
                if sound and all(o[0] not in mine or o in passing for o in self.leans[each])
            }  # fmt: skip
            if more == passing:
                return 2.0 * sum((name, k) in passing for k in range(CHECKS)) / CHECKS
            passing = more

    def judged(self, ids: list[str], files: dict[str, str]) -> dict[str, float]:
        space: dict = {}
        exec(files["ops.py"], space)
        mine = [name for name in self.names if space[name](0) == "mine"]
        assert {id.partition(".")[2] for id in ids} <= set(mine)
        return {id: self.points(id.partition(".")[2], mine) for id in ids}

    def marks(self, monkeypatch) -> dict[str, float]:
        text = "".join(f"def {name}(a):\n    return 'mine'\n" for name in self.names)
        monkeypatch.setattr(FollowThrough, "_judged", lambda _, ids, files: self.judged(ids, files))
        package = Package("/x", {"ops.py": text.encode()}, "")
        made = FollowThrough(self.course, self.course.stubs, None, None, package)
        return {
            id.partition(".")[2]: s for id, s in compute_follow_through(self.result, made).items()
        }

    def circle(self) -> set[str]:
        """Return the exercises with a right check that depends on itself through right checks."""
        below = {each: {o for o in self.leans[each] if self.sound[o]} for each in self.sound}
        for middle in below:
            for each in below:
                if middle in below[each]:
                    below[each] |= below[middle]
        return {each[0] for each in below if self.sound[each] and each in below[each]}


MIXES = range(400)


def test_points_are_given_along_an_order_without_circles(monkeypatch):
    """For any dependencies, circular ones too, one order of all exercises explains the points.

    No exercise earns more than with right code before it in that order and the learner's own
    code for the rest."""
    gained = 0
    for seed in MIXES:
        mix = Mix(seed, circles=True)
        found, before = mix.marks(monkeypatch), []
        gained += found != {name: round(points, 4) for name, points in mix.own.items()}
        for name in [name for _ in mix.names for name in mix.names]:
            after = set(mix.names) - set(before)
            if name in after and found[name] <= mix.points(name, after) + 1e-4:
                before.append(name)
        assert set(before) == set(mix.names), (seed, found, mix.own)
    assert gained > 50


def test_who_leans_on_itself_earns_nothing_by_it(monkeypatch):
    circles = 0
    for seed in MIXES:
        mix = Mix(seed, circles=True)
        found, inside = mix.marks(monkeypatch), mix.circle()
        circles += bool(inside)
        assert all(found[name] == round(mix.own[name], 4) for name in inside), (seed, found)
    assert circles > 50


def test_without_a_circle_an_error_costs_its_own_exercise_alone(monkeypatch):
    gained = 0
    for seed in MIXES:
        mix = Mix(seed, circles=False)
        found = mix.marks(monkeypatch)
        assert found == {name: round(mix.points(name, [name]), 4) for name in mix.names}, seed
        gained += found != {name: round(points, 4) for name, points in mix.own.items()}
    assert gained > 50


def test_what_waits_for_an_undetected_fault_keeps_its_marks(proof):
    """`Adam.step` is right, and `Adam.direction` only as long as its own checks run."""
    course, target, step = whole_course(), "optim.Adam.direction", "chapter5.adam.step"
    most = count_calls(proof, target, {})
    body = body_with_memory(target, CHANGES["nothing after some calls"].format(most=most))
    sources = course.replace_bodies({target: body})
    found = proof.judge(sources, ["chapter5.adam.direction", step])
    assert [v.status for v in found.values()] == ["passed", "blocked"]
    learner = Package("/x", {name: text.encode() for name, text in sources.items()}, "")
    follow = FollowThrough(course, course.stubs, proof.key, proof.launch, learner)
    assert follow.score(step) == course.exercises[step].points
