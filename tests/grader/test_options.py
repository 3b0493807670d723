"""No option is ignored: each of each command changes what it is said to change, or is refused.

The list of options is that of the parsers, so that a new option without a case fails.
"""

from __future__ import annotations

import importlib
import inspect
import re
import shlex
import zipfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from grader.book.commands import book
from grader.classroom.commands import grade
from grader.classroom.exports import FORMATS
from grader.cli import run_command_line
from grader.commands import BARS, NEEDS, PRINTING, TO_STDOUT, parse_plainly, parser
from grader.course import pytorch
from grader.sandbox.isolation import FOR_MARKS

from . import machine
from .every_option import COMMANDS, EVERY, options_of
from .option_rows import AUTHORS, INSTRUCTORS, LEARNERS, PAIRS, Row, Told
from .option_scene import Line, run, scene, seen, shown, whole_scene

__all__ = ["scene", "shown", "whole_scene"]  # fixtures

Scene = Callable[[str], Path]


class Stopped(Exception):
    """Raised in the place of what would take long."""


def passes_on(line: str, without: str, place: str, says: str) -> Callable[..., None]:
    """A case in which an option shows in what a function, named by its place, is called with."""
    module, _, name = place.rpartition(":")

    def case(monkeypatch: pytest.MonkeyPatch, **_: Any) -> None:
        asked: list[str] = []

        def stop(*arguments: Any, **named: Any) -> None:
            asked.append(f"{arguments} {named}")
            raise Stopped

        monkeypatch.setattr(importlib.import_module(module), name, stop)
        monkeypatch.setattr(pytorch, "is_torch_installed", lambda: True)
        for words in (line, without):
            run_command_line(shlex.split(words))
        assert re.search(says, asked[0]) and not re.search(says, asked[1]), asked

    return case


def judges_with(words: str, says: str) -> Callable[..., None]:
    """The same for what `grader grade` gives the pool, or Dask."""

    def case(monkeypatch: pytest.MonkeyPatch, **_: Any) -> None:
        asked: list[str] = []

        def judge(*_: Any, **named: Any) -> Iterator[Any]:
            asked.append(f"{named}")
            yield from ()

        monkeypatch.setattr(grade.judging, "judge_in_pool", judge)
        dask = SimpleNamespace(judge_on_cluster=judge)
        classroom = importlib.import_module("grader.classroom")
        monkeypatch.setattr(classroom, "cluster", dask, raising=False)
        for more in (words.split(), ()):
            options = parser(["grade"]).parse_args(["grade", "in", "--out", "o", *more])
            grade.grade([], None, (None, {}, {}), SimpleNamespace(batch={}), options)  # type: ignore[arg-type]
        assert says in asked[0] and says not in asked[1]

    return case


def writes_marks_with(words: str, says: str) -> Callable[..., None]:
    """The same for what `grader gradebook` asks nbgrader's course and its log for."""

    def case(monkeypatch: pytest.MonkeyPatch, **_: Any) -> None:
        pytest.importorskip("nbgrader")
        api = importlib.import_module("grader.classroom.nbgrader.gradebook_api")
        hooks = importlib.import_module("grader.classroom.nbgrader.hooks")
        asked: list[str] = []
        course = SimpleNamespace(assignments=["a1"], db_url="", submitted=lambda *_: "")
        row = SimpleNamespace(assignment="a1", learner="ann", marks={}, crashed=False, notes=())

        def answer(given: Any) -> Callable[..., Any]:
            return lambda *arguments: (asked.append(f"{arguments}"), given)[1]

        for name, given in {"open_course": course, "find_assignments": ["a1"], "rows": [row],
                            "rows_of_results": [row], "write_marks": [], "settle_lateness": None,
                            "open_gradebook": nullcontext()}.items():  # fmt: skip
            monkeypatch.setattr(api, name, answer(given))
        monkeypatch.setattr(hooks, "find_arrival", answer(None))
        for line in (words, "gradebook here"):
            asked.append(f"{run_command_line(line.split())}")
        middle = asked.index("0") + 1
        assert says in " ".join(asked[:middle]) and says not in " ".join(asked[middle:]), asked

    return case


def is_served(monkeypatch: pytest.MonkeyPatch, **_: Any) -> None:
    """`grader book --serve PORT`, which would not end."""
    asked: list[Any] = []
    monkeypatch.setattr(book, "update", lambda build: "site")
    monkeypatch.setattr(book, "show_address", lambda url: asked.append("opened"))
    monkeypatch.setattr("grader.book.serve.serve", lambda *how: asked.append(how) or 0)
    for line in ("book --serve 8123", "book --serve", "book"):
        assert run_command_line(line.split()) == 0
    assert asked == [("site", 8123, "index.html"), ("site", 0, "index.html"), "opened"]


def says_that_nothing_changes(scene: Scene, **_: Any) -> None:
    """Editors write `--stdio` behind any server's name; its help says that it is so anyway."""
    pytest.importorskip("pygls")
    assert "it always does" in run("lsp --help", scene("")).out
    answers = [run(line, scene(""), "") for line in ("lsp --stdio", "lsp")]
    assert answers[0].status == 0 and answers[0] == answers[1]


GRADED_TO = "instructor.test_gradebook"
REGRADED = "instructor.test_regrade"
CASES: dict[tuple[str, str], Any] = {
    **LEARNERS, **INSTRUCTORS, **AUTHORS,
    **{("export", option): PAIRS[form, option] for form, option in PAIRS},
    ("export", "format"): Row("export json ../res", "export csv ../res", "grader-class/1"),
    ("lsp", "--stdio"): says_that_nothing_changes,
    ("book", "--serve"): is_served,
    ("demo", "--package"): passes_on("demo --package .", "demo", "subprocess:run", "package', '.'"),
    ("demo", "--seed"): passes_on("demo --seed 7", "demo", "subprocess:run", "--seed', '7'"),
    ("grade", "--jobs"): judges_with("--jobs 97", "'jobs': 97"),
    ("grade", "--time"): judges_with("--time 7", "'seconds': 7}"),
    ("grade", "--why"): Told(REGRADED, "a_wrong_check_is_mended_for_a_class_and_in_workspaces"),
    ("grade", "--lower"): Told(REGRADED, "a_wrong_check_is_mended_for_a_class_and_in_workspaces"),
    ("grade", "--cluster"): judges_with("--cluster local", "'where': 'local'"),
    ("gradebook", "course"): writes_marks_with("gradebook there", "there"),
    ("gradebook", "assignments"): writes_marks_with("gradebook here b1", "b1"),
    ("gradebook", "--results"): Told(GRADED_TO, "marks_of_grader_grade_under_their_policy"),
    ("gradebook", "--times"): writes_marks_with("gradebook here --times log.csv", "log.csv"),
    ("gradebook", "--db"): Told(GRADED_TO, "a_gradebook_that_cannot_be_opened_is_a_sentence"),
    ("audit", "--jobs"): passes_on("audit chapter1.value.add --jobs 97", "audit chapter1.value.add",
                                   "grader.audit.commands.audit:_results", r", 97\) "),
    ("record", "names"): passes_on("record chapter2", "record chapter1",
                                   "grader.course.make_key:record", "{'chapter2'}"),
}  # fmt: skip


def test_the_table_holds_every_option_of_every_command_and_no_other():
    assert {*EVERY} == {*CASES}


@pytest.mark.sampled(quick=10, long=3)
@pytest.mark.parametrize(("command", "option"), EVERY)
def test_each_option_shows(command, option, request):
    is_shown(CASES[command, option], option, request)


def is_shown(case: Any, option: str, request: pytest.FixtureRequest) -> None:
    """Run a case."""
    if option == "--isolation" and machine.strongest() != FOR_MARKS:
        pytest.skip("here is but one level")
    if isinstance(case, Told):
        module = importlib.import_module(f"tests.grader.{case.module}")
        text = inspect.getsource(getattr(module, f"test_{case.test}"))
        assert not option.startswith("--") or option in text
    elif isinstance(case, Row):
        assert case.shows != case.hides and is_apart(case, option), "no case of this option"
        shown = request.getfixturevalue("shown")
        line = Line(case.shows, case.stdin, case.around)
        with_it, without = shown(line), shown(line._replace(words=case.hides))
        if case.says:
            assert re.search(case.says, with_it), with_it
            assert not re.search(case.says, without), without
        else:
            assert with_it != without
            scene, whole = map(request.getfixturevalue, ("scene", "whole_scene"))
            assert with_it == seen(line, scene(f"{line}"), whole)
    else:
        case(**{name: request.getfixturevalue(name) for name in ("scene", "monkeypatch")})


def is_apart(case: Row, option: str) -> bool:
    """Whether two lines differ in this option: by being there or by its value."""
    one, other = (shlex.split(line) for line in (case.shows, case.hides))
    if not option.startswith("--"):
        return True
    values = [words[words.index(option) :][:2] if option in words else [] for words in (one, other)]
    return values[0] != values[1]


@pytest.mark.sampled(quick=9, long=3)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("option", [o for c, o in EVERY if c == "export" and o != "format"])
def test_each_option_shows_in_a_format_or_is_refused(form, option, request, capsys):
    if (form, option) in PAIRS:
        is_shown(PAIRS[form, option], option, request)
    else:
        typed = with_value("export", option)
        assert run_command_line(["export", form, "nowhere", *typed]) == 2
        assert f"{option} changes nothing in {form}; it is for " in refusal(capsys)


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def line_of(command: str) -> list[str]:
    """The shortest line that the parser of a command takes."""
    needed = [a for a in options_of(COMMANDS[command]) if a.required]
    values = [[str((a.choices or ["x"])[0])] for a in needed]
    return [command, *(w for a, v in zip(needed, values, strict=True)
                       for w in [*a.option_strings[:1], *v])]  # fmt: skip


VALUES = {"--shard": "1/2", "--jobs": "2", "--time": "5", "--minutes": "3"}


def with_value(command: str, option: str) -> list[str]:
    """An option as it is typed."""
    is_flag = EVERY[command, option].nargs == 0
    first = (EVERY[command, option].choices or ["x"])[0]
    return [option] if is_flag else [option, VALUES.get(option, first)]


@pytest.mark.parametrize(("command", "option"), NEEDS)
def test_an_option_without_the_one_that_it_needs_is_refused(command, option, capsys):
    assert run_command_line([*line_of(command), *with_value(command, option)]) == 2
    assert f"{option} needs {NEEDS[command, option]}" in refusal(capsys)
    assert (command, NEEDS[command, option]) in EVERY


@pytest.mark.parametrize(
    ("command", "option", "idle"), [(*key, each) for key, names in BARS.items() for each in names],
)  # fmt: skip
def test_an_option_that_does_nothing_beside_another_is_refused(command, option, idle, capsys):
    line = [*line_of(command), *with_value(command, option), *with_value(command, idle)]
    beside = NEEDS.get((command, option), NEEDS.get((command, idle)))
    assert run_command_line([*line, *(with_value(command, beside) if beside else ())]) == 2
    assert "changes nothing beside" in refusal(capsys)


@pytest.mark.parametrize("line", [[""], ["nonsense"], ["--nonsense", "check"], ["--", "check"]])
def test_a_line_without_a_command_is_refused(line, capsys):
    assert run_command_line(line) == 2 and "grader: error: " in refusal(capsys)


TAKE_A_VALUE = [each for each, a in EVERY.items() if each[0] and a.option_strings and a.nargs != 0]


@pytest.mark.parametrize(("command", "option"), TAKE_A_VALUE)
def test_an_empty_value_is_refused(command, option, capsys):
    """`--course "$COURSE"`, and nobody has set it."""
    for words in ([option, ""], [f"{option}="]):
        assert run_command_line([*line_of(command), *words]) == 2
        assert re.search(f"after {option} is empty|argument {option}: ", refusal(capsys))


PLACES = [each for each in EVERY if each[1] in ("--out", "--html", "out")]


@pytest.mark.parametrize(
    ("command", "option"),
    [each for each in PLACES if each[0] not in PRINTING or each[1] != "--out"],
)
def test_standard_output_is_refused_as_a_place(command, option, capsys, tmp_path, monkeypatch):
    """Elsewhere `-` is standard output; here it would be a file of that name."""
    monkeypatch.chdir(tmp_path)
    line = line_of(command)
    needed = [] if option.startswith("--") else line.index("x", 1)
    words = [*line, option, TO_STDOUT] if not needed else ["-" if w == "x" else w for w in line]
    assert run_command_line(words) == 2
    assert f"`grader {command}` has no output for -" in refusal(capsys)
    assert list(tmp_path.iterdir()) == []


def test_printing_commands_are_those_with_a_place():
    assert {(command, "--out") for command in PRINTING} <= set(PLACES)
    assert len(PLACES) > 8


def test_a_dash_prints_what_would_be_written(grader, package, tmp_path):
    wrong = str(package({"ops.Sub.backward": "return out_grad, out_grad"}))
    for line in (
        ["repro", "chapter3.sub.backward", "--package", wrong],
        ["export", "workflow", "--chapters", "chapter3"],
    ):
        printed = grader(*line, "--out", TO_STDOUT, cwd=tmp_path)
        assert printed.out == grader(*line, cwd=tmp_path).out and len(printed.out) > 200
    assert list(tmp_path.glob("-*")) == []


LISTS = [each for each in TAKE_A_VALUE if EVERY[each].nargs == "+"]


@pytest.mark.parametrize(("command", "option"), LISTS)
def test_a_list_that_is_given_twice_is_one_list(command, option):
    words = [*line_of(command), option, "a", option, "b", "c"]
    options = parser(words).parse_args(words)
    assert getattr(options, EVERY[command, option].dest) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("grade ../in --out ../res --like ../base", "made with another seed"),
        ("grade ../in --out o --cluster tcp://x:1 --jobs 2", "--jobs changes nothing at tcp://x:1"),
        ("grade ../in --out o --jobs 0", "need numbers from 1 on"),
        ("book lesson1 --build site", "--build opens no page"),
        ("export gradescope ../res --seed t --out z", "not both"),
        ("export central ../res --chapters lesson1", "Say once which chapters"),
        ("export workflow --release ../both --chapters lesson1", "Say once which chapters"),
        ("export workflow ../in", "holds no results"),
        ("export csv ../res --chapters lesson9", "There is no lesson9. Choose from lesson1"),
        ("export moodle ../res --roster ../worksheet.csv --assignment A", "Leave --assignment out"),
    ],
)  # fmt: skip
def test_combinations_without_effect_are_refused(line, says, scene):
    ran = run(line, scene(line))
    assert ran.status == 2 and says in ran.err, ran.err


def test_a_release_takes_over_what_a_page_saved(scene):
    """`init --from-browser`, by the grader that the release brought along."""
    place = scene("both saved.json")
    (wheel,) = (place / "both").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "site")
    theirs = {"PYTHONPATH": str(place / "site"), "GRADER_COURSE": ""}
    ran = run("init ../mine2 --from-browser ../saved.json", place, **theirs)
    assert ran.status == 0 and "taken over from lesson1's page: describe.py" in ran.out, ran.err
    assert (place / "mine2" / "tinystats" / "describe.py").read_text() == "# of the page"


WORDS = (
    "chapter3 3.4 names -1 -- -h --package p/q --json --fail-fast --isolation process --package=p "
    "--jso --names"
)


@hypothesis.given(words=st.lists(st.sampled_from(["", "a b", *WORDS.split()]), max_size=5))
def test_plain_check_is_parsed_as_argparse_does(words):
    line = ["check", *words]
    plain = parse_plainly(line)
    assert plain is None or vars(plain) == vars(parser(line).parse_args(line))


@pytest.mark.parametrize("line", ["", "chapter3 3.4", "3 --package p", "--json --package p"])
def test_usual_check_needs_no_argparse(line):
    assert parse_plainly(["check", *line.split()]) is not None
