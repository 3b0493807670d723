"""Notebooks as sources of definitions: in and out, byte for byte, whatever state they are in."""

from __future__ import annotations

import pytest

from grader.course.load import Course
from grader.course.splice import target_file
from grader.course.syntax_tree import find_definitions
from grader.notebooks.notebook_source import Answer, answers, as_cell, choose_answers, splice


def cell_of(texts: dict[str, str], target: str) -> str:
    name, inner = target_file(target, texts)
    return as_cell(texts[name], inner, target)


def spliced(course: Course, *sources: str) -> tuple[dict[str, str], list[str]]:
    best, notes = choose_answers(answers(sources))
    stubs = {name: text.encode() for name, text in course.stubs().items()}
    files, lost = splice(stubs, best.values())
    return {name: data.decode() for name, data in files.items()}, notes + lost


def one(source: str) -> Answer:
    (found,) = answers([source])
    return found


MUL = '@answer("ops.Mul.backward")\ndef backward(self, out_grad, node):\n    {}\n'


def test_every_answer_comes_back_byte_for_byte(course: Course) -> None:
    solved = course.solved()
    files, notes = spliced(course, *(cell_of(solved, target) for target in course.regions))
    assert not notes
    assert files == solved


def test_source_cells_with_their_markers_give_the_same_package(course: Course) -> None:
    files, _ = spliced(course, *(cell_of(course.solutions, t) for t in course.regions))
    assert files == course.solved()


def test_the_cells_of_stubs_change_nothing(course: Course) -> None:
    stubs = course.stubs()
    files, notes = spliced(course, *(cell_of(stubs, target) for target in course.regions))
    assert (files, notes) == (stubs, [])


@pytest.mark.parametrize("target", ["tensor.Tensor.shape", "tensor.Tensor.one_hot"])
def test_decorators_that_belong_to_a_definition_stay(course: Course, target: str) -> None:
    text = cell_of(course.solved(), target)
    assert "@property" in text or "@staticmethod" in text
    assert text.startswith("@answer(")


def test_lines_inside_a_string_are_not_moved(course: Course) -> None:
    value = "first\n  second\n\nthird"
    source = MUL.format(f'text = """{value}"""\n    return text')
    files, _ = spliced(course, source)
    assert f'        text = """{value}"""\n' in files["ops.py"]


def test_a_package_with_tabs_and_other_line_ends_takes_answers() -> None:
    files = {"ops.py": b"class Mul:\r\n\tdef backward(self, out_grad, node):\r\n\t\tpass\r\n"}
    found, notes = splice(files, answers([MUL.format("return 1")]))
    assert not notes
    assert "backward" in str(find_definitions(found["ops.py"].decode()))


def test_shell_lines_are_not_python() -> None:
    assert one("%matplotlib inline\n!ls\n" + MUL.format("return 1")).written


BROKEN_CELLS = {
    "no Python": ("return (", "was never closed"),
    "found by the compiler alone": ("nonlocal there", "nonlocal"),
}


@pytest.mark.parametrize("name", BROKEN_CELLS)
def test_a_broken_cell_costs_its_own_exercise(course: Course, name: str) -> None:
    body, says = BROKEN_CELLS[name]
    files, notes = spliced(course, MUL.format(body), cell_of(course.solved(), "ops.Exp.forward"))
    compile(files["ops.py"], "ops.py", "exec")
    assert says in files["ops.py"]
    assert "return np.exp(a)" in files["ops.py"]
    assert not notes


FAULTS = {
    '@answer("ops.Mul.backward")\ndef backwards(self): return 1': "needs `def backward`",
    '@answer("ops.Mul.backward")\nclass backward: pass': "not `class backward`",
    '@answer("ops.Mul.backward")\n@njit\ndef backward(self): return 1': "decorator `@njit`",
    '@answer("ops.Mul.backward")\ndef backward(self, a=big()): return 1': "default `big()`",
}


@pytest.mark.parametrize("source", FAULTS)
def test_what_would_break_the_whole_package_is_refused_alone(source: str) -> None:
    assert FAULTS[source] in one(source).fault


def test_an_unknown_name_is_said(course: Course) -> None:
    files, notes = spliced(course, '@answer("ops.Mull.backward")\ndef backward(self): return 1')
    assert files == course.stubs()
    assert "names nothing in the package" in notes[0]


def test_of_two_answers_the_last_written_one_counts(course: Course) -> None:
    stub = MUL.format("raise NotImplementedError")
    files, notes = spliced(course, MUL.format("return 1"), MUL.format("return 2"), stub)
    assert "return 2" in files["ops.py"]
    assert "return 1" not in files["ops.py"]
    assert notes == ["ops.Mul.backward is answered in cells 1 and 2; the last one, cell 2, counts."]


def test_nothing_of_a_notebook_is_run(course: Course) -> None:
    files, _ = spliced(course, "raise SystemExit\n" + MUL.format("return 1"))
    assert "SystemExit" not in files["ops.py"]
