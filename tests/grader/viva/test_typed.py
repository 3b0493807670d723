"""An answer that is typed: which inputs tell two versions apart, found again by hand."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from grader.arrays import make_array
from grader.viva.kinds import TYPED, draw_questions
from grader.viva.question import NO_NUMBERS, Trial, WithFurtherProbes, read_array

from . import answers
from .asked import SEED
from .by_hand import run

pytestmark = pytest.mark.xdist_group("viva")  # its questions are drawn once


@pytest.fixture(scope="module")
def questions(asked, is_whole):
    return draw_questions(asked.subject, 3 if is_whole else 1, SEED, TYPED)


def gave(asked, question, text, folder):
    """Return the function's results by hand, as it is and as the question changes it."""
    chapter = asked.subject.chapter
    name = re.search(r"another `(\w+)`", question.asks).group(1)
    others = [line for line in question.setting if not line.startswith(f"{name} = ")]
    probe = next(
        n for n, row in enumerate(chapter.probes)
        if row["exercise"] == question.exercise
        and set(others) <= set(asked.subject.setting_of(n)[0])
    )  # fmt: skip
    number = dict(chapter.probes[probe]["shown"])[name]
    wanted = WithFurtherProbes(chapter, probe, number, [read_array(text)])
    files = asked.subject.grading.package.files
    label = re.search(r"call of (\S+) \(babygrad/(\S+?)\)", question.asks).groups()
    of = asked._replace(subject=SimpleNamespace(chapter=wanted))
    both = files, answers.changed(files, question)
    told = run([answers.job(of, each, len(wanted.probes) - 1) for each in both], folder)
    calls = [answers.FirstCall(events, "`{}` of {}".format(*label)) for events in told]
    return [[event[1] for event in call.own if event[0] == "gave"] for call in calls]


@pytest.mark.long
def test_the_example_tells_them_apart_and_what_is_shown_does_not(asked, questions, tmp_path):
    assert questions
    for number, question in enumerate(questions):
        name = re.search(r"another `(\w+)`", question.asks).group(1)
        (same,) = (x for line in question.setting for x in re.findall(rf"^{name} = (.*)", line))
        example = question.answer.removesuffix(", for example")
        one, other = gave(asked, question, example, tmp_path / f"{number}-differ")
        assert one != other and question.judge(example) is True
        one, other = gave(asked, question, same, tmp_path / f"{number}-same")
        assert one == other and question.judge(same) is False
        assert not question.options and "judge" not in question.told()
        json.dumps(question.told())


@pytest.mark.long
def test_where_it_is_not_clear_another_input_is_asked_for(questions, monkeypatch):
    monkeypatch.setattr(Trial, "differ", lambda trial, arrays: [None])
    with pytest.raises(ValueError, match="Try another"):
        questions[0].judge("[1, 2]")


NO_ARRAYS = ("", "a", "[1, [2]]", "[]", '["1"]', "{}", "NaN", "null", "[" * 999, "[1e999]")


@pytest.mark.parametrize("text", [*NO_ARRAYS, str([0] * 99)])
def test_what_is_no_array_of_numbers_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(NO_NUMBERS)):
        read_array(text)


def test_numbers_in_brackets_are_an_array():
    assert read_array("[[1, -2.5]]") == make_array((1, 2), [1.0, -2.5])
    assert read_array("3") == make_array((), [3.0])
