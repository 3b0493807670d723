"""The first thing that a newcomer may see, and what is said when a chapter is done."""

from __future__ import annotations

import re
import shutil

from grader import root
from grader.commands.check import LAST, congratulation
from grader.course.load import read_course
from grader.learner.wording import Style

PLAIN = Style(False, 80)


def test_demo_learns_draws_a_digit_and_says_where_what_is_built(grader, tmp_path):
    ran = grader("demo", cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert all(f"chapter {number}" in ran.out for number in range(2, 7))
    assert re.search(r"It says \d\. It is a \d\.", ran.out)
    assert float(re.findall(r"([\d.]+)% right", ran.out)[-1]) >= 90
    assert "grader init" in ran.out
    assert not list(tmp_path.iterdir())


def test_demo_takes_ones_own_package_and_says_what_is_missing(grader, tmp_path):
    unfinished = shutil.copytree(root.path("babygrad"), tmp_path / "babygrad")
    ran = grader("demo", "--package", str(unfinished))
    assert ran.status == 1 and "Not written yet" in ran.err
    assert "grader init" not in ran.out


def test_the_end_of_a_chapter_is_told_once(grader, tmp_path, course):
    """Chapter 2 solved: told at the end of it, not while it is under way, and never again."""
    assert grader("init", "work", "--from", "chapter2", cwd=tmp_path).status == 0
    work = tmp_path / "work"
    (work / "babygrad" / "tensor.py").write_text(course.solved()["tensor.py"], encoding="utf-8")
    part = grader("check", "chapter2.init", cwd=work)
    assert part.status == 0 and "is done" not in part.out
    told = [grader("check", "chapter2", cwd=work).out for _ in range(2)]
    assert "Chapter 2 is done" in told[0] and "You have built the Tensor" in told[0]
    assert "Next: chapter 3" in told[0] and "chapters/chapter3.md" in told[0]
    assert "is done" not in told[1]


def test_what_comes_next_is_the_next_chapter_that_there_is():
    table = {"titles": {"chapter11": "Engines", "chapter14": "A GPT"}, "built": {}}
    assert "Next: chapter 14, A GPT." in " ".join(congratulation("chapter11", table, PLAIN))
    assert LAST in " ".join(congratulation("chapter14", table, PLAIN))


def test_every_chapter_says_what_it_builds():
    from exercises.built import BUILT

    assert {chapter.id for chapter in read_course().chapters} <= set(BUILT)
