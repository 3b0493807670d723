"""The innocent never pays: a right exercise does not fail for a wrong one that passes its checks.

Wrong ones are made from the reference: they are right for as many calls as their own checks make,
or take an object that they have seen for one that has not changed. One that loses points is no
case.
"""

from __future__ import annotations

import ast
import copy
import importlib
import itertools
import random
import textwrap
from types import SimpleNamespace

import pytest

from grader.audit.proof import REFERENCE_FOLDER, CourseCheck, definition_of
from grader.course.package import Package
from grader.grade_package import Grading
from grader.judge import undetected as module
from grader.judge.blame import TrialResult
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.sandbox.observation import Observation
from grader.verdict import BLOCKED, FAILED, GIVEN, PASSED, WRONG

from .small_key import check, exercise
from .whole_course import whole_course

COURSE = whole_course()
TARGETS = [t for t, e in COURSE.owner.items() if t in COURSE.regions and not e.given]
LATE, AGAIN = "CALLS > {most}", "KEY in KEPT"
CHANGES = {
    "nothing after some calls": f"if {LATE}: return None",
    "the first result after some calls": f"if {LATE}: return KEPT['first']",
    "nothing for these objects again": f"ALIVE += OBJECTS\nif {AGAIN}: return None",
    "the same for these objects again": f"ALIVE += OBJECTS\nif {AGAIN}: return KEPT[KEY]",
}
PLAIN, UNUSUAL = "as the reference", "in unusual words"  # how all other exercises are written
BODY = """
import numpy
def RIGHT({parameters}):
{body}
KEPT = numpy.__dict__.setdefault("kept of {target}", {{"calls": 0}})
ALIVE = KEPT.setdefault("alive", [])
CALLS = KEPT["calls"] = KEPT["calls"] + 1
OBJECTS = [{objects}]
KEY = tuple(map(id, OBJECTS))
{change}
KEPT[KEY] = RIGHT({arguments})
KEPT.setdefault("first", KEPT[KEY])
return KEPT[KEY]
"""
COUNTED = "import os\nos.write(1, b'#')"


def body_with_memory(target: str, change: str) -> str:
    """The reference's body of a target, which remembers its calls."""
    arguments = copy.deepcopy(definition_of(COURSE, target).args)
    plain = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    starred = [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    named = [each.arg for each in arguments.kwonlyargs]
    for each in ast.walk(arguments):
        if isinstance(each, ast.arg):
            each.annotation = None
    return BODY.format(
        target=target, change=change, parameters=ast.unparse(arguments),
        objects=", ".join([*plain, *starred, *named]),
        arguments=", ".join([*plain, *starred, *(f"{name}={name}" for name in named)]),
        body=textwrap.indent(textwrap.dedent(COURSE.regions[target].body).strip("\n"), "    "),
    )  # fmt: skip


def unusual_bodies(chapter: str) -> dict[str, str]:
    return importlib.import_module(f"tests.unusual.{chapter}").UNUSUAL.bodies


def ids_from(id: str, style: str) -> list[str]:
    """An exercise, those that follow it in its chapter, and beside the reference a later chapter.

    No later chapter has to work with unusual words: chapter 13 has rules for the reference's ops.
    """
    after = list(COURSE.exercises.values())[list(COURSE.exercises).index(id) :]
    later = sorted({e.chapter for e in after} - {after[0].chapter})
    drawn = random.Random(id).sample(later, min(1, len(later))) if style == PLAIN else []
    return [e.id for e in after if e.chapter in (after[0].chapter, *drawn)]


def count_calls(proof: CourseCheck, target: str, around: dict[str, str]) -> int:
    """Count the calls of a target by the checks of its own exercise."""
    sources = COURSE.replace_bodies({**around, target: body_with_memory(target, COUNTED)})
    files = {name: text.encode() for name, text in sources.items()}
    learner = Package(REFERENCE_FOLDER, files, "")
    grading = Grading(proof.key, learner, proof.launch, set(), session=proof.session)
    grading.grade([COURSE.owner[target].id])
    return grading.output.count("#")


def judge_undetected(proof: CourseCheck, target: str, kind: str, *styles: str):
    """Verdicts with one wrong target, by the style of the others; none if it loses points."""
    exercise, found = COURSE.owner[target], []
    for style in styles:
        around = unusual_bodies(exercise.chapter) if style == UNUSUAL else {}
        most = count_calls(proof, target, around) if LATE in CHANGES[kind] else 0
        body = body_with_memory(target, CHANGES[kind].format(most=most))
        sources = COURSE.replace_bodies({**around, target: body})
        found.append(proof.judge(sources, ids_from(exercise.id, style)))
        if found[-1][exercise.id].score < exercise.points:
            return []
    return found


CASES = [*itertools.product(TARGETS, CHANGES, (PLAIN, UNUSUAL))]


@pytest.mark.sampled(quick=1000, long=100)
@pytest.mark.parametrize("target, kind, style", CASES)
def test_a_right_exercise_does_not_fail_for_an_undetected_fault(target, kind, style, proof):
    assert find_failed(proof, target, kind, style) == {}


def find_failed(proof: CourseCheck, target: str, kind: str, style: str):
    """Right exercises that do not pass, and are not blocked by the wrong one alone."""
    id, failed = COURSE.owner[target].id, {}
    for plain, verdicts in filter(None, [judge_undetected(proof, target, kind, PLAIN, style)]):
        for v in verdicts.values():
            is_blocked = v.status == BLOCKED and v.blocked_by == [id]
            # It may rely on what the reference does without: then it fails.
            relies = plain[v.id].status == PASSED and v.status in WRONG
            if v.status not in (PASSED, GIVEN) and not is_blocked and not relies:
                failed[v.id] = v.status, v.blocked_by
    return failed


MISTAKES = [
    (exercise.id, mistake.name) for exercise in COURSE.exercises.values()
    for mistake in exercise.mistakes
]  # fmt: skip


@pytest.mark.sampled(quick=600, long=120)
@pytest.mark.parametrize("id, name", MISTAKES)
def test_unusual_right_code_is_not_blamed_for_a_mistake(id, name, proof):
    exercise = COURSE.exercises[id]
    wrong = next(m for m in exercise.mistakes if m.name == name)
    bodies = {**unusual_bodies(exercise.chapter), exercise.target_of(wrong): wrong.body}
    verdicts = proof.judge(COURSE.replace_bodies(bodies), proof.chapter_ids(exercise))
    assert {v.id for v in verdicts.values() if v.status in WRONG} == {id}
    assert {by for v in verdicts.values() for by in v.blocked_by} <= {id}


# ---- what is said of it ---------------------------------------------------------------------

DIRECTION, STEP = "chapter5.adam.direction", "chapter5.adam.step"


@pytest.fixture(scope="module")
def undetected(proof):
    """A package whose `Adam.direction` is right for as long as its own checks run."""
    most = count_calls(proof, "optim.Adam.direction", {})
    change = CHANGES["nothing after some calls"].format(most=most)
    return {"optim.Adam.direction": body_with_memory("optim.Adam.direction", change)}


def test_the_blocked_one_says_what_to_look_at(undetected, proof):
    verdicts = proof.judge(COURSE.replace_bodies(undetected), [DIRECTION, STEP])
    assert (
        verdicts[DIRECTION].status == PASSED
        and verdicts[DIRECTION].score == verdicts[DIRECTION].max_score
    )
    assert (verdicts[STEP].status, verdicts[STEP].blocked_by) == (BLOCKED, [DIRECTION])
    reason = next(c.reason for c in verdicts[STEP].checks if c.status == BLOCKED)
    assert reason.kind == "ran_undetected"
    assert reason.says.startswith(
        f"It ran code of {DIRECTION} that passes its own checks, but is wrong"
    )


def test_nothing_is_tried_without_a_reference(undetected, proof):
    files = {n: text.encode() for n, text in COURSE.replace_bodies(undetected).items()}
    grading = Grading(proof.key, Package(REFERENCE_FOLDER, files, ""), proof.launch, set())
    found = grading.grade([DIRECTION, STEP])
    assert [found[id].status for id in (DIRECTION, STEP)] == [PASSED, "crashed"]


def test_report_and_repro_tell_of_it(undetected, package, grader):
    place = str(package(undetected))
    told = grader("check", DIRECTION, STEP, "--package", place)
    assert f"◦ blocked by {DIRECTION}: Adam.step" in told.out
    assert f"→ It ran code of {DIRECTION} that passes its own checks" in " ".join(told.out.split())
    found = grader("check", DIRECTION, STEP, "--json", "--package", place).exercises()
    assert found[STEP]["blocked_by"] == [DIRECTION] and found[DIRECTION]["status"] == PASSED
    script = grader("repro", STEP, "--package", place).out
    assert "passes its own checks" in " ".join(script.split()) and "Adam" in script


# ---- found by itself ------------------------------------------------------------------------

A, REST = "chapter1.a", [f"chapter1.b{n:02}" for n in range(16)]
WORLDS = {  # when a probe of A is right, by what is solved → the exercises that are found
    "one is at fault": (lambda solved: REST[5] in solved, {REST[5]}),
    "the last is at fault": (lambda solved: REST[15] in solved, {REST[15]}),
    "two are at fault": (lambda solved: {REST[2], REST[11]} <= solved, {REST[2], REST[11]}),
    "A is at fault itself": (lambda solved: A in solved, set()),
    "one makes the other run": (lambda solved: REST[2] in solved or REST[11] in solved, {REST[11]}),
    "A relies on it": (lambda solved: A in solved or REST[5] in solved, set()),
}  # fmt: skip


@pytest.mark.parametrize("is_right, faults", WORLDS.values(), ids=WORLDS)
def test_faults_are_found_in_few_runs(is_right, faults, monkeypatch):
    runs = []
    verdict = ExerciseVerdict(exercise(A), False)
    verdict.checks = [CheckVerdict(check(0, id=f"{A}/value"), FAILED)]
    verdict.checks[0].failing = [0]
    others = {id: SimpleNamespace(id=id, status=PASSED) for id in REST}
    case = SimpleNamespace(
        verdicts={A: verdict, **others}, wrong=[verdict], run=SimpleNamespace(observations={}),
        session=None, chapter=None,
    )  # fmt: skip

    def run(asking, chapter, numbers, solved, is_right):
        runs.append(solved)
        entered = frozenset(REST) - ({REST[11]} if REST[2] in solved else set())
        return dict.fromkeys(numbers, (Observation("arrays", {}, {"solved": solved}), entered))

    def try_out(verdict, number, solved):
        runs.append(solved)
        return TrialResult(is_right(solved))

    runner = SimpleNamespace(
        reference=dict, package=SimpleNamespace(files={}), targets={}, run_probes_on=run
    )
    ran = {(A, 0): frozenset(REST)}
    trials = SimpleNamespace(dependencies=ran, try_out=try_out)
    monkeypatch.setattr(module, "TrialRunner", lambda *_: trials)
    monkeypatch.setattr(module, "find_own", lambda runner, ids: frozenset(ids))
    monkeypatch.setattr(module, "with_solved", lambda files, targets, reference, ids: ids)
    monkeypatch.setattr(module, "is_mended", lambda *_, got=None: is_right(_[3].parts["solved"]))
    found, relying = module.find_undetected(runner, [case], ran)
    assert found == faults and len(set(runs)) <= 24
    assert relying == ({(A, 0)} if is_right({REST[5]}) and is_right({A}) else set())
