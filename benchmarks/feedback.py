"""Measure `nbgrader generate_feedback` of a class in processor time, all processes counted.

A class hands in a chapter's notebook: a third of it is right, and every other has one of the
course's known mistakes. `nbgrader autograde` marks it once; then the pages are written: nbgrader's,
and, from the records of `grader grade`, those of `grader export html`. `--beside DIR` writes
nbgrader's pages with the sources in another folder (an earlier commit's, from
`git worktree add DIR COMMIT`), too, and compares them byte by byte.

    python benchmarks/feedback.py [--count 23] [--chapter chapter3] [--beside DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from itertools import cycle
from pathlib import Path

from processor import spend, take_in

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from grader.course.load import Course, read_course  # noqa: E402
from grader.course.outline import chapter_no  # noqa: E402
from grader.course.splice import target_file  # noqa: E402
from grader.notebooks.notebook_source import as_cell  # noqa: E402

NBGRADER = [sys.executable, "-c", "from nbgrader.apps.nbgraderapp import main; main()"]
GRADER = [sys.executable, "-c", "from grader.cli import main; main()"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=23)
    parser.add_argument("--chapter", default="chapter3")
    parser.add_argument("--beside", metavar="DIR", help="other sources, measured first")
    options = parser.parse_args()
    take_in()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "course")
        make_class(place, options.chapter, options.count)
        pages = {}
        for tree in filter(None, (options.beside and os.path.abspath(options.beside), ROOT)):
            seconds, pages[tree] = write_pages(place, tree, options.chapter)
            name = "now" if tree == ROOT else tree
            print(
                f"{name}: {seconds:.1f} s of the processor for {options.count} learners, "
                f"{1000 * seconds / options.count:.0f} ms each",
                flush=True,
            )
        seconds, count = write_own_pages(place, options.chapter)
        print(f"grader export html: {seconds:.1f} s for {count} learners", flush=True)
        if options.beside:
            differ = sum(one != two for one, two in zip(*pages.values(), strict=True))
            print(f"{differ} of {options.count} pages differ")


def make_class(place: Path, chapter: str, count: int) -> None:
    """Make an nbgrader course with `count` marked submissions."""
    course, env = read_course(), environment(ROOT)
    spend([*GRADER, "notebooks", str(place), chapter, "--seed", "public"], ROOT, env, (0,))
    spend([*NBGRADER, "generate_assignment", chapter], place, env, (0,))
    released = (place / "release" / chapter / f"{chapter}.ipynb").read_text(encoding="utf-8")
    exercises = [e for e in course.exercises.values() if e.chapter == chapter and not e.given]
    wrong = cycle(
        (mistake.target or exercise.targets[0], mistake.body)
        for exercise in exercises
        for mistake in exercise.mistakes[:1]
    )
    for number in range(count):
        bodies = dict([next(wrong)]) if number % 3 else {}
        hand_in(place / "submitted" / f"learner{number:02}" / chapter, course, released, bodies)
    spend([*NBGRADER, "autograde", chapter], place, env, (0,))


def hand_in(place: Path, course: Course, released: str, wrong: dict[str, str]) -> None:
    """Write a submission: right answers, but for these bodies."""
    made, texts = json.loads(released), course.replace_bodies(wrong)
    by_cell = {f"{e.anchor}-answer": e for e in course.exercises.values()}
    for cell in made["cells"]:
        exercise = by_cell.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
        if exercise is not None:
            where = [(target, *target_file(target, texts)) for target in exercise.targets]
            cell["source"] = "\n\n\n".join(as_cell(texts[n], inner, t) for t, n, inner in where)
    files = {
        f"babygrad/{name}": text for name, text in course.stubs(chapter_no(place.name)).items()
    }
    for name, text in {**files, f"{place.name}.ipynb": json.dumps(made)}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")


def write_pages(place: Path, tree: str, chapter: str) -> tuple[float, list[str]]:
    """Write the class's pages with the sources in `tree`; return seconds, and the pages."""
    command = [*NBGRADER, "generate_feedback", chapter, "--force"]
    seconds, _ = spend(command, place, environment(tree), (0,))
    found = sorted((place / "feedback").glob(f"*/{chapter}/{chapter}.html"))
    return seconds, [path.read_text(encoding="utf-8") for path in found]


def write_own_pages(place: Path, chapter: str) -> tuple[float, int]:
    """Write `grader export html` of the same hand-ins; return its seconds, and how many pages."""
    judged = ["grade", "submitted", "--chapters", chapter, "--seed", "public", "--out", "own"]
    spend([*GRADER, *judged], place, environment(ROOT))
    export = [*GRADER, "export", "html", "own", "--out", "pages"]
    seconds, _ = spend(export, place, environment(ROOT), (0,))
    return seconds, len([*(place / "pages" / "learners").glob("*.html")])


def environment(tree: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": tree, "PYTHONWARNINGS": "ignore"}


if __name__ == "__main__":
    main()
