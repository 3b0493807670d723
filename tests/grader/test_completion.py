"""A package that is half written, in three orders of writing, with one mistake in it.

At each point of an order what comes before is the reference, and the rest are stubs. The exercise
with the mistake fails with the report that it has in the whole package, or is blocked by what is
not written and says by what; nothing else fails. A sample here; `-m long` judges one mistake in
48 of half the chapters, others with --day; with --whole all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader import root
from grader.audit.mistakes import Known
from grader.audit.proof import REFERENCE_FOLDER, CourseCheck
from grader.course import Exercise
from grader.course.outline import chapter_no, given_ids
from grader.course.package import Package
from grader.course.splice import target_file
from grader.editor.screen import END
from grader.grade_package import Grading
from grader.judge.completion import NEEDS, CheckTransfer, fill_stubs, unmask
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.judge.outcome import Outcome
from grader.judge.source_map import SourceMap
from grader.reason import because
from grader.result import iter_exercises, result
from grader.sandbox.observation import Definition, Observation
from grader.verdict import BLOCKED, CRASHED, FAILED, PASSED, WRONG

from .conftest import run_grader
from .small_key import ID, check, exercise
from .whole_course import whole_course

COURSE = whole_course()
WRITTEN = [e for e in COURSE.exercises.values() if not e.given]
STUB = "raise NotImplementedError"
STEP = 48
Row = dict[str, Any]


def by_file(exercise: Exercise) -> tuple[int, str]:
    return chapter_no(exercise.id), target_file(exercise.targets[0], COURSE.solutions)[0]


ORDERS: dict[str, list[Exercise]] = {
    "by the book": WRITTEN,
    "file by file": sorted(WRITTEN, key=by_file),  # of each chapter
    "backwards": WRITTEN[::-1],
}
CASES = [(order, chapter.id) for order in ORDERS for chapter in COURSE.chapters]


# ---- the property --------------------------------------------------------------------------------


def judge(proof: CourseCheck, known: Known, unwritten: list[Exercise]) -> dict[str, Row]:
    """The rows of the chapter's exercises; a place is the line that stands there."""
    bodies = {target: STUB for each in unwritten for target in each.targets}
    sources = COURSE.replace_bodies({**bodies, known[0].target_of(known[1]): known[1].body})
    package = Package(REFERENCE_FOLDER, {n: t.encode() for n, t in sources.items()}, "")
    early = {e.id for e in unwritten if chapter_no(e.id) < chapter_no(known[0].id)}
    begins = 1 if early else chapter_no(known[0].id)
    grading = Grading(
        proof.key, package, proof.launch, given_ids(proof.key, begins),
        session=proof.session, reference=COURSE.solved,
    )  # fmt: skip
    verdicts = grading.grade(proof.chapter_ids(known[0]))
    rows = {row["id"]: row for row in iter_exercises(result(grading, verdicts))}
    for each in (c for row in rows.values() for c in row["checks"] if c["location"]):
        file, _, line = each["location"].rpartition(":")
        each["location"] = sources[file].splitlines()[int(line) - 1]
    return rows


@cache
def judge_whole(proof: CourseCheck, id: str, name: str) -> Row:
    exercise = COURSE.exercises[id]
    mistake = next(each for each in exercise.mistakes if each.name == name)
    return judge(proof, (exercise, mistake), [])[id]


OURS = re.compile(NEEDS.format(".+") + "|It was raised in .+")  # a line of ours is not shown


# Of these `message` is enough, or a line; what a check is worth depends on what else has failed.
UNTOLD: Row = {"score": 0, "max_score": 0, "notes": [], "place": None}


def report(row: Row) -> list[Row]:
    """Return the reports of failed checks, without scores, line numbers and what is not written."""
    told = []
    for each in (c for c in row["checks"] if c["status"] in WRONG):
        lines = [line for line in each["message"].splitlines() if not OURS.fullmatch(line)]
        message = re.sub(r"\bline \d+", "line", "\n".join(lines).rstrip())
        reason = each["reason"]["name"]
        told.append({**each, "message": message, "reason": reason, **UNTOLD})
    return told


def is_told_alike(half: list[Row], whole: list[Row]) -> bool:
    """Whether checks fail that fail in the whole package too, with the same report.

    A check may wait: an `AttributeError` in what the grader has completed counts for nothing, as
    the reference may not fit. Then the mistake may have no name yet. Another call may be shown:
    `MLP([3, 4])` makes no hidden layer, and so fails without the stub that blocks
    `MLP([2, 4, 3, 5])`. Another place may be, too: the line that raised may be the grader's own.
    """
    theirs = {check["id"]: check for check in whole}
    free = {"location"} if len(half) == len(whole) else {"location", "mistake"}
    return len(half) > 0 and all(
        mine["id"] in theirs and _is_alike(mine, theirs[mine["id"]], free) for mine in half
    )


def _is_alike(mine: Row, other: Row, free: set[str]) -> bool:
    name = (mine["mistake"] or {"name": "raised:"})["name"]
    if mine["mistake"] != other["mistake"] and not ("mistake" in free and name[:7] == "raised:"):
        return False
    if mine["message"].split("\n")[0] != other["message"].split("\n")[0]:
        return mine["status"] == other["status"]
    return all(mine[field] == other[field] for field in mine.keys() - free)


def problems(
    proof: CourseCheck, order: list[Exercise], known: Known, last: Exercise
) -> Iterator[str]:
    """Yield what is wrong in the report of an order that is written up to this exercise."""
    exercise, mistake = known
    unwritten = order[order.index(last) + 1 :]
    missing = {each.id for each in unwritten}
    where = f"{exercise.id}: {mistake.name}, written up to {last.id}: "
    for id, row in judge(proof, known, unwritten).items():
        by = set(row["blocked_by"])
        if id != exercise.id:
            if row["status"] in WRONG:
                yield f"{where}{id} has {row['status']}"
            elif row["status"] == BLOCKED and not (by and by <= missing | {exercise.id}):
                yield f"{where}{id} is blocked by {by}"
        elif row["status"] == BLOCKED:
            says = [c["message"] for c in row["checks"] if c["status"] == BLOCKED]
            if not (by and by <= missing and all(any(b in each for b in by) for each in says)):
                yield f"{where}it is blocked by {by}: {says}"
        elif not is_told_alike(report(row), report(judge_whole(proof, exercise.id, mistake.name))):
            yield f"{where}it has {row['status']}: {report(row)}"


def find_problems(proof: CourseCheck, order: str, mistakes: list[Known]) -> list[str]:
    """Each mistake in what was written last, and in what was written long before."""
    found = []
    for number, known in enumerate(mistakes):
        row = ORDERS[order]
        later = [e for e in row[row.index(known[0]) :] if e.chapter == known[0].chapter]
        for last in {e.id: e for e in (later[0], later[number % len(later)])}.values():
            found += problems(proof, row, known, last)
    return found


def mistakes_of(chapter: str) -> list[Known]:
    return [(e, m) for e in WRITTEN if e.chapter == chapter for m in e.mistakes]


@pytest.mark.sampled(quick=24, long=6)
@pytest.mark.parametrize(("order", "chapter"), CASES)
def test_half_a_package_blames_only_the_mistake(order, chapter, proof):
    mistakes = mistakes_of(chapter)
    which = 7 * CASES.index((order, chapter)) % len(mistakes)
    assert not find_problems(proof, order, [mistakes[which]])


@pytest.mark.sampled(long=2)
@pytest.mark.parametrize(("order", "chapter"), CASES)
def test_half_a_package_blames_only_any_mistake(order, chapter, proof, part_of):
    assert not find_problems(proof, order, part_of(mistakes_of(chapter), STEP))


# ---- with rows that are written down -------------------------------------------------------------

NEEDED = "chapter1.mul"
OWNERS = {"ops.Mul.forward": NEEDED, "ops.Sub.forward": ID}
MUL = Definition("ops.Mul.forward", "ops.py", 1, 5, True)
SUB = Definition("ops.Sub.forward", "ops.py", 6, 9, False)
HERE = {each.target: each for each in (MUL, SUB)}
LONGER = MUL._replace(last=7, stub=False), SUB._replace(first=8, last=11)  # by two lines
FILES = {"ops.py": b"class Mul:\n    def forward(self):\n        raise NotImplementedError\n"}
RIGHT = {"ops.py": "class Mul:\n    def forward(self):\n        return 1\n"}


def raised(name: str, *lines: int) -> Observation:
    trail = "\n".join(f"ops.py:{line}" for line in lines)
    return Observation("raised", {"type": name, "trail": trail}, {})


def case_of(got: Observation, definitions: dict[str, Definition], verdict: Any) -> SimpleNamespace:
    run = SimpleNamespace(observations={0: got}, definitions=definitions)
    return SimpleNamespace(
        run=run, places=SourceMap(definitions, OWNERS), verdicts={ID: verdict},
        chapter=SimpleNamespace(id="chapter1"),
    )  # fmt: skip


def verdict_of(status: str) -> ExerciseVerdict:
    """One check of one probe, which waits, or has failed."""
    verdict = ExerciseVerdict(exercise(), False)
    one = CheckVerdict(check(0), status)
    one.probe, one.outcome = 0, Outcome(status, because("values"), None, "ops.py", 10)
    one.blocked_by = verdict.blocked_by = [NEEDED] if status == BLOCKED else []
    one.failing = [0] if status in WRONG else []
    verdict.checks = [one]
    return verdict


def unmasked(status: str, got: Observation, public_only: bool = False):
    """Unmask a check that waits for `MUL` and comes to this with it written."""
    mine, there = verdict_of(BLOCKED), verdict_of(status)
    there.mistakes = [("swapped", "You swapped.")]
    here = case_of(raised("NotImplementedError", 3), HERE, mine)
    seen = CheckTransfer(here, case_of(got, {d.target: d for d in LONGER}, there), public_only)
    made = unmask(mine, there, seen)
    assert (mine.status, mine.mistakes) == (BLOCKED, [])
    return made, made.checks[0], seen.observations


def test_a_check_that_fails_with_the_stub_written_has_failed():
    made, one, seen = unmasked(FAILED, Observation("arrays", {}, {}))
    assert (made.status, made.blocked_by, one.probe) == (FAILED, [], 0)
    assert made.mistakes == [("swapped", "You swapped.")]
    assert one.notes == [NEEDS.format(NEEDED)] and seen.keys() == {0}


def test_an_error_below_the_reference_is_placed_in_the_learners_file():
    _, one, seen = unmasked(CRASHED, raised("ValueError", 5, 10))
    assert (one.outcome.file, one.outcome.line) == ("ops.py", 8)
    assert seen[0].texts["trail"] == "ops.py:8"
    assert unmasked(CRASHED, raised("ValueError", 5))[1].outcome.file == ""


@pytest.mark.parametrize(
    ("status", "got"),
    [(PASSED, Observation("arrays", {}, {})), (BLOCKED, raised("ValueError", 10)),
     (CRASHED, raised("AttributeError", 10))],
)  # fmt: skip
def test_a_check_waits_where_it_is_right_or_the_reference_may_not_fit(status, got):
    made, one, seen = unmasked(status, got)
    assert (made.status, one.status, made.blocked_by) == (BLOCKED, BLOCKED, [NEEDED])
    assert not seen and not made.mistakes


def test_a_class_reads_only_that_it_is_wrong_all_the_same():
    made, one, seen = unmasked(FAILED, Observation("arrays", {}, {}), public_only=True)
    assert (made.status, one.probe, one.notes) == (FAILED, None, [])
    assert one.reason == because("wrong_anyway")
    assert one.outcome is None and not seen


def filled(reference: Callable[[], dict[str, str]] | None, definitions=HERE):
    runner = SimpleNamespace(
        reference=reference, targets=OWNERS, package=SimpleNamespace(files=FILES),
        key=SimpleNamespace(chapters={"chapter1": None}),
    )  # fmt: skip
    return fill_stubs(
        case_of(raised("NotImplementedError", 3), definitions, verdict_of(BLOCKED)), runner
    )


def test_stubs_are_filled_where_there_is_a_reference():
    assert b"return 1" in filled(lambda: RIGHT)["ops.py"]
    assert filled(None) is None and filled(dict) is None
    assert filled(lambda: RIGHT, {**HERE, MUL.target: MUL._replace(stub=False)}) is None


# ---- where its learner reads it ------------------------------------------------------------------


MINUS = "-out_grad * a / (b * b)"


@pytest.fixture
def half_written(workspace):
    """All of `ops.py` with a forgotten minus, and no operator of `tensor.py`."""
    text = COURSE.solved()["ops.py"]
    assert text.count(MINUS) == 1
    (workspace / "babygrad" / "ops.py").write_text(text.replace(MINUS, MINUS[1:]))
    return workspace


def told_by_check(workspace):
    said = run_grader("check", "chapter3", cwd=workspace).out
    readme = Path(root.path("README.md")).read_text().partition("✗ chapter3.div")[2]
    for line in readme.partition("\n  In babygrad")[0].splitlines()[1:]:
        assert line in said.splitlines()
    return re.findall(r"✗ (\S+) failed", said), said


def told_by_watch(workspace):
    """`grader watch --lines`, after a save."""
    pytest.importorskip("watchfiles")
    from .test_problem_lines import problems, task_of
    from .test_watch import Watch

    ends = rf"(?m)^{END}\r?$"
    seen = Watch(workspace, "--lines", "chapter3", ready=ends)
    try:
        seen.save(seen.ops.read_text() + "\n")
        said = seen.until(ends)
    finally:
        seen.quit()
    matcher = task_of(workspace)["problemMatcher"]
    return [each[5] for each in problems(matcher, said) if each[3] == "error"], said


def told_by_pytest(workspace):
    from .test_pytest_plugin import run_pytest

    files = "babygrad/ops.py", "-k", "chapter3"
    said = run_pytest("-p", "grader.pytest_plugin", "-rA", *files, cwd=workspace).stdout
    return re.findall(r"(?m)^FAILED babygrad/ops.py::(\S+)", said), said


def told_by_editor(workspace):
    pytest.importorskip("pygls")
    from .editor import Editor

    editor, ops = Editor(workspace), workspace / "babygrad" / "ops.py"
    try:
        uri = editor.open(ops)
        editor.save(ops, ops.read_text() + "\n")
        editor.until(lambda: editor.faults(uri))
        faults = editor.faults(uri)
    finally:
        editor.quit()
    return [code for _, code, _ in faults], "\n".join(message for *_, message in faults)


@pytest.mark.long
@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("tell", [told_by_check, told_by_watch, told_by_pytest, told_by_editor])
def test_a_forgotten_minus_is_told_before_the_operators_are_written(tell, half_written):
    failed, said = tell(half_written)
    assert failed == ["chapter3.div.backward"]
    assert "The gradient of b lacks its minus" in " ".join(said.split())
