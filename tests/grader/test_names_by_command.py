"""A chapter or an exercise is typed in the same ways for every command that takes one."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import NoReturn

import pytest

from grader.book.commands import book
from grader.classroom.commands import explain
from grader.cli import run_command_line
from grader.commands import parser
from grader.course import pytorch
from grader.course.key_source import open_key
from grader.editor.commands import watch
from grader.learner.typed_names import TypedNames

from .every_option import EVERY

# (command, argument) → a line that takes an exercise there, or several.
LEARNERS = {
    **{(name, "name"): f"{name} NAME" for name in ("hint", "show", "repro", "solution", "book")},
    **{(name, "names"): f"{name} NAME" for name in ("check", "watch", "viva")},
    ("reset", "name"): "reset NAME --yes",
}
EXERCISES = {
    **LEARNERS,
    **{(name, "names"): f"{name} NAME" for name in ("mistakes", "record", "audit")},
    ("explain", "exercise"): "explain results ada NAME",
}
# The same for a chapter.
CHAPTERS = {
    ("init", "--from"): "init new --from NAME",
    ("quiz", "chapter"): "quiz NAME",
    ("release", "--chapters"): "release new --chapters NAME",
    ("grade", "--chapters"): "grade . --out new --chapters NAME",
    ("export", "--chapters"): "export workflow --chapters NAME",
    ("notebooks", "chapters"): "notebooks new NAME",
}
# Names of something else.
OTHERS = {("course", "--name"), ("viva", "--learner"), ("export", "--assignment")}
CHAPTER = ("chapter3", "3", "ch3", "Ch. 3", "CHAPTER03")
SPELLINGS = (
    CHAPTER,
    ("3.4", "ch3.4", "Chapter 3.4"),
    ("chapter3.div.backward", "ch3.div.backward", "CH3.Div.Backward", "ops.Div.backward",
     "Div.backward"),
    ("ops.py", "babygrad/ops.py"),
)  # fmt: skip
UNKNOWN = ("chapter99", "99.1", "chapter3.dvi", "Nothing.here", "nothing.py")
NO_CHAPTERS = ("chapter99", "3.4", "chapter3.mul", "Mul.backward")


class Understood(BaseException):
    """Raised where a command knows what a name stands for, in the place of what it would do."""


@pytest.fixture
def commands(workspace, monkeypatch):
    """Every command ends as soon as it knows what is asked for."""
    find = TypedNames.find_exercises

    def stop(names: TypedNames, name: str) -> NoReturn:
        raise Understood(find(names, name))

    def show(url: str) -> NoReturn:
        raise Understood(url)

    monkeypatch.setattr(TypedNames, "find_exercises", stop)
    monkeypatch.setattr(book, "show_address", show)
    monkeypatch.setattr(book, "update", lambda build: "site")
    monkeypatch.setattr(explain, "Results", lambda place: SimpleNamespace(batch={}))
    monkeypatch.setattr(explain, "_record", lambda results, learner: {})
    monkeypatch.setattr(explain, "_key", lambda results: open_key())
    monkeypatch.setattr(watch, "Events", nullcontext)
    monkeypatch.setattr(watch.interrupt, "handle_signals", lambda *signals: None)
    monkeypatch.setattr(pytorch, "is_torch_installed", lambda: True)
    monkeypatch.chdir(workspace)


def answer(line: str, name: str, capsys: pytest.CaptureFixture[str]) -> object:
    """Return what a command understands by a name; else its exit status and its refusal."""
    words = [name if word == "NAME" else word for word in line.split()]
    try:
        return run_command_line(words), capsys.readouterr().err
    except Understood as found:
        return found.args


def test_the_rows_are_all_arguments_that_take_a_name():
    named = {each for each, a in EVERY.items() if a.metavar in ("CHAPTER", "EXERCISE", "NAME")}
    assert named - OTHERS == {*EXERCISES, *CHAPTERS}


@pytest.mark.sampled(quick=4, long=3)
@pytest.mark.parametrize("line", EXERCISES.values())
@pytest.mark.parametrize("spellings", SPELLINGS, ids=lambda names: names[0])
def test_every_spelling_means_the_same(line, spellings, commands, capsys):
    first, *others = (answer(line, name, capsys) for name in spellings)
    assert len(first) == 1 and first[0], first
    assert others == [first] * len(others)


def test_a_name_in_several_places_is_that_of_the_learners_chapter(commands, capsys):
    """Of the two `Mul.backward` the other is one of chapter 11."""
    for line in LEARNERS.values():
        assert answer(line, "Mul.backward", capsys) == ({"chapter3.mul.backward"},)
    others = EXERCISES.keys() - LEARNERS.keys()
    refused = {answer(EXERCISES[key], "Mul.backward", capsys) for key in others}
    assert len(refused) == 1 and "is in several places" in refused.pop()[1]


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_name_has_one_refusal(name, commands, capsys):
    answers = {answer(line, name, capsys) for line in EXERCISES.values()}
    assert len(answers) == 1 and answers.pop()[0] == 2


@pytest.mark.parametrize("key", CHAPTERS)
def test_every_spelling_of_a_chapter_is_parsed_as_its_id(key):
    for name in CHAPTER:
        words = [name if word == "NAME" else word for word in CHAPTERS[key].split()]
        assert "chapter3" in str(getattr(parser(words).parse_args(words), EVERY[key].dest))


@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("name", NO_CHAPTERS)
def test_what_is_no_chapter_has_one_refusal(name, commands, capsys):
    pytest.importorskip("nbgrader")
    answers = {answer(line, name, capsys) for line in CHAPTERS.values()}
    known = ", ".join(open_key().chapters)
    assert answers == {(2, f"grader: There is no {name}. Choose from {known}.\n")}
