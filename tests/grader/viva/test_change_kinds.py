"""Questions about a changed line: the change is made as the words say it, and run or judged."""

from __future__ import annotations

from grader.course.package import digest
from grader.learner.viva import change_kinds
from grader.learner.viva.traces import Call, Seen

from .answers import IF_CHANGED, JUDGED, calls_that_differ, changed, in_order, wrong_answers
from .conftest import IDS, package_of, written


def statuses(grader, files, ids, folder):
    """How `grader check` ends for each of these exercises, on a package with these files."""
    package = package_of()._replace(files=files, sha256=digest(files))
    return grader("check", *ids, "--json", "--package", written(package, folder)).statuses()


def test_what_a_changed_line_gives_is_found_again(asked, tmp_path):
    assert {q.kind for q in asked.questions} >= set(IF_CHANGED)
    assert wrong_answers(asked, IF_CHANGED, tmp_path) == []
    for question in (q for q in asked.questions if q.kind == "tells-apart"):
        assert calls_that_differ(asked, question, tmp_path / "apart") == [question.answer]


def test_what_a_change_breaks_is_what_check_says(asked, grader, tmp_path):
    questions = {q.kind: q for q in asked.questions if q.kind in JUDGED}
    assert questions.keys() == set(JUDGED)
    files = asked.subject.grading.package.files
    for kind, question in questions.items():
        found = statuses(grader, changed(files, question), IDS, tmp_path / kind)
        broken = [id for id in found if found[id] != "passed"]
        if kind == "first-to-fail":
            assert question.answer == broken[0]
        elif kind == "still-passes":
            assert [o for o in question.options if o not in broken] == [question.answer]
        else:
            mine, others = question.exercise in broken, set(broken) - {question.exercise}
            words = {
                (True, True): change_kinds.THIS_AND_OTHERS, (True, False): change_kinds.ONLY_THIS,
                (False, True): change_kinds.ONLY_OTHERS, (False, False): change_kinds.NOTHING,
            }  # fmt: skip
            assert question.answer == words[mine, bool(others)]


def test_of_the_orders_only_one_passes(asked, grader, tmp_path):
    question = next(q for q in asked.questions if q.kind == "order")
    files = asked.subject.grading.package.files
    for number, option in enumerate(question.options):
        ordered = in_order(files, question, option)
        found = statuses(grader, ordered, [question.exercise], tmp_path / str(number))
        assert (found[question.exercise] == "passed") == (option == question.answer), option


def call(*values, dtype="float64", raised=()):
    gave = Seen("ndarray", (len(values),), dtype, values) if values else None
    return Call("f", "ops.py", -1, 0, {}, [], gave, raised, True)


def test_two_results_differ_are_the_same_or_leave_it_open():
    assert change_kinds.told_apart(call(1.0, 2.0), call(1.0, 3.0)) is True
    assert change_kinds.told_apart(call(1.0, 2.0), call(1.0)) is True
    assert change_kinds.told_apart(call(1.0, 2.0), call(1.0, 2.0)) is False
    for unclear in (call(1.0, 2.001), call(1.0, 2.0, dtype="float32"), call(), None):
        assert change_kinds.told_apart(call(1.0, 2.0), unclear) is None
    assert change_kinds.told_apart(call(1.0), call(raised=("TypeError",))) is None
