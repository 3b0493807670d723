"""A number that the prose states about the code is what the code says.

A row is a chapter, the words around the number, which stands there as ``{}``, and what counts it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest

from grader import root
from grader.course.formulas import MINUTES
from grader.course.load import boxes
from grader.course.outline import FULL, SHORT

from .prerequisites import table
from .whole_course import whole_course

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen")  # fmt: skip


def targets(*, chapter: str = "", box: str = "", given: bool | None = None) -> list[str]:
    """Return the targets of a chapter or a box; ``given`` keeps only given or only asked ones."""
    found = [
        e
        for e in whole_course().exercises.values()
        if (e.chapter == chapter or e.anchor in together(box)) and given in (None, e.given)
    ]
    return [target for exercise in found for target in exercise.targets]


def together(box: str) -> list[str]:
    """Return the anchors of a box."""
    prose = whole_course().prose(box.partition("-")[0]) if box else ""
    return next((anchors for anchors, _ in boxes(prose) if box in anchors), [])


def in_files(chapter: str) -> int:
    return len({target.partition(".")[0] for target in targets(chapter=chapter)})


def operations(chapter: str) -> int:
    """Return the classes of `ops.py` that a chapter asks for."""
    asked = [target.split(".") for target in targets(chapter=chapter)]
    return len({name for file, name, *_ in asked if file == "ops"})


def count(box: str) -> int:
    return len(targets(box=box))


def rules(found: list[str]) -> int:
    return sum(target.endswith(".backward") for target in found)


def lines(target: str) -> int:
    """Count the lines between the markers."""
    body = whole_course().regions[target].body
    return sum(bool(line.strip()) for line in body.splitlines())


def attributes(target: str) -> int:
    body = whole_course().regions[target].body
    return sum(line.strip().startswith("self.") for line in body.splitlines())


READER = "checkpoint.parse_safetensors"
ROWS: tuple[tuple[str, str, Callable[[], int]], ...] = (
    ("chapter1", "{} functions can:", lambda: count("chapter1-value-exp")),
    ("chapter1", "{} methods of `Value`.", lambda: count("chapter1-value-exp")),
    ("chapter3", "You write the walk and all but {} of the rules.",
     lambda: rules(targets(chapter="chapter3", given=True))),
    ("chapter4", "You write the {} methods around it", lambda: count("chapter4-module-call")),
    ("chapter4", "`nn.py`, and {} operations at the end of `ops.py`",
     lambda: operations("chapter4")),
    ("chapter5", "Write the {} methods of `Optimizer`", lambda: count("chapter5-optimizer-init")),
    ("chapter6", "Exercise 6.8: {} transforms", lambda: count("chapter6-normalize")),
    ("chapter8", "You write in {} files:", lambda: in_files("chapter8")),
    ("chapter8", "with your own {} lines", lambda: lines(READER)),
    ("chapter8", "Without it, your {} lines will do", lambda: lines(READER)),
    ("chapter10", "you write {} operations that are useful", lambda: operations("chapter10")),
    ("chapter10", "`tensor.py` ({} methods)",
     lambda: sum(target.startswith("tensor.Tensor.") for target in targets(chapter="chapter10"))),
    ("chapter10", "{} rules, each made of the others",
     lambda: sum(rules(targets(box=f"chapter10-{op}-backward")) for op in ("pad", "slice"))),
    ("chapter11", "Exercise 11.1, part 3 of 3: {} rules",
     lambda: rules(targets(box="chapter11-grad-fn-mul"))),
    ("chapter11", "Exercise 11.5, part 2 of 3: {} operations",
     lambda: rules(targets(box="chapter11-apply-mul"))),
    ("chapter11", "{} methods. Check one with `grader check chapter11.closure.mul`",
     lambda: count("chapter11-closure-mul")),
    ("chapter13", "You write in {} files:", lambda: in_files("chapter13")),
    ("chapter14", "Make {} modules, and write two lines with them.",
      lambda: attributes("gpt.Block.__init__")),
)  # fmt: skip


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize(("chapter", "words", "counted"), ROWS, ids=[row[1] for row in ROWS])
def test_a_number_in_the_prose_is_that_of_the_code(chapter, words, counted):
    prose = " ".join(whole_course().prose(chapter).split()).lower()
    assert words.format(WORDS[counted()]).lower() in prose


HOURS = re.compile(r"^\| (\d+) \| ([\d.]+) \| ", re.MULTILINE)


def test_the_hours_of_a_chapter_are_those_of_its_exercises():
    """The cards of the book show the same hours, rounded to half an hour."""
    with open(root.path("docs", "learners.md"), encoding="utf-8") as page:
        said = {int(chapter): float(hours) for chapter, hours in HOURS.findall(page.read())}
    counted = {
        chapter.number: round(sum(e.minutes for e in chapter.exercises if not e.given) / 30) / 2
        for chapter in whole_course().chapters
    }
    assert said == counted


PLAN = re.compile(r"^### (\w+) weeks$(.*?)(?=^##)", re.MULTILINE | re.DOTALL)
WEEK = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|[^|]+\| (?:`grader check ([^`]+)`)?", re.M)
PART = re.compile(r"(\d+)(?:\.(\d+) to \d+\.(\d+))?")
MOST_HOURS = 4.5


def hours_of(chapter: str, first: str, last: str) -> int:
    """Count the minutes of a chapter, or of its sections from ``first`` to ``last``."""
    sections = range(int(first), int(last) + 1) if first else range(99)
    return sum(
        e.minutes
        for e in whole_course().chapters[int(chapter) - 1].exercises
        if not e.given and int(e.section.partition(".")[2].split(",")[0]) in sections
    )


def half_hours(minutes: int) -> str:
    return f"{round(minutes / 30) / 2:g}"


def plans() -> dict[str, list[tuple[str, str, str, str]]]:
    """The weeks of each syllabus: number, chapters, hours, what the lab checks."""
    with open(root.path("docs", "instructors.md"), encoding="utf-8") as page:
        return {title.lower(): WEEK.findall(weeks) for title, weeks in PLAN.findall(page.read())}


PLANS = plans()


@pytest.mark.parametrize("plan", PLANS)
def test_the_hours_of_a_syllabus_are_those_of_the_exercises(plan):
    weeks = PLANS[plan]
    assert [int(week) for week, *_ in weeks] == list(range(1, WORDS.index(plan) + 1))
    for _, chapters, hours, checked in weeks:
        parts = PART.findall(chapters)
        each = [hours_of(*part) for part in parts]
        ends = (min(each), max(each)) if " or " in chapters else (sum(each),)
        assert hours == " to ".join(map(half_hours, ends)), chapters
        assert max(ends) / 60 < MOST_HOURS + 0.25
        assert not checked or checked.removeprefix("chapter").split(".")[0] in [
            c for c, *_ in parts
        ]


def test_the_fourteen_weeks_are_the_whole_course_each_chapter_after_those_that_it_needs():
    parts = [part for _, chapters, *_ in PLANS["fourteen"] for part in PART.findall(chapters)]
    every = sum(hours_of(str(chapter.number), "", "") for chapter in whole_course().chapters)
    assert sum(hours_of(*part) for part in parts) == every
    taught: list[int] = []
    for chapter, *_ in parts:
        assert table()[int(chapter)] <= {*taught, int(chapter)}
        taught.append(int(chapter))
    assert set(PLANS) == {"five", "ten", "fourteen"}


def on_route(route: str, *chapters: int) -> tuple[int, float]:
    """Count what a route asks for in these chapters, in all without any: exercises, and hours."""
    course = whole_course()
    asked = [
        e
        for chapter in course.chapters
        for e in chapter.exercises
        if not chapters or chapter.number in chapters
        if not (e.given or e.id in course.solved_on(route))
    ]
    return len(asked), round(sum(e.minutes for e in asked) / 30) / 2


def test_what_the_routes_ask_for_is_said_with_its_hours():
    with open(root.path("docs", "learners.md"), encoding="utf-8") as page:
        said = " ".join(page.read().partition("## Two routes")[2].partition("\n## ")[0].split())
    assert "asks for all {} exercises, in about {:g} hours.".format(*on_route(FULL)) in said
    assert "The short one asks for {}, in about {:g} hours:".format(*on_route(SHORT)) in said
    for words, number in (("keeps {} of its {} exercises", 1), ("chapter 3 keeps {} of {}.", 3)):
        assert words.format(on_route(SHORT, number)[0], on_route(FULL, number)[0]) in said


def test_the_number_of_formulas_that_can_be_hidden_is_said_with_its_hours():
    count = len(whole_course().formulas)
    hours = round(count * MINUTES / 30) / 2
    for page, words in (("learners", f"of {count} exercises"), ("instructors", f"[{count} docs")):
        with open(root.path("docs", f"{page}.md"), encoding="utf-8") as file:
            said = " ".join(file.read().split())
        assert words in said
        assert page != "learners" or f"about {hours:g} hours more" in said


class Bare(ast.NodeTransformer):
    """Removes the docstrings."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:  # noqa: N802
        said = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Pass() if said else node


@pytest.mark.parametrize("engine", ["grad_fn", "apply", "closure", "lean"])
def test_an_engine_has_fewer_lines_of_code_than_chapter_11_says(engine):
    assert "engines of fewer than 300 lines of code" in whole_course().prose("chapter11")
    tree = ast.parse(whole_course().solutions[f"engines/{engine}.py"])
    code = ast.unparse(Bare().visit(tree)).splitlines()
    assert sum(line.strip() != "pass" for line in code) < 300
