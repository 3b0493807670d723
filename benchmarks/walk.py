"""The files that one forgotten minus crosses to the screen, in the order of their first call.

The script checks a package with one mistake (`chapter3.div.backward`, the minus forgotten) in this
process, by the command line's own entry, and counts every call of a function of `grader/`
(`sys.setprofile`). It does not count the worker's calls in its separate process. The key exists
already, as it does for every check except a chapter's first; `--key` makes it on the way.

With `--class` the package is a hand-in, judged to its marks as by `grader grade`. A stay begins
when one module of `grader/classroom/` calls into another, and a stay in a module that was left
before is a return. The script reads in this process what `grader grade` reads in a child process;
a first hand-in has read the common parts of a class. Comprehensions are no calls.

    python benchmarks/walk.py [--key | --class]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

EXERCISE, MISTAKE, SAYS = "chapter3.div.backward", "forgot-minus", "lacks its minus"
GRADER = f"{ROOT / 'grader'}{os.sep}"
FUNCTION = 0x1  # CO_OPTIMIZED: the body of a module or of a class is no call


class Walk:
    """Counts calls by file, and how often one room calls another."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.moves = 0

    def note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & FUNCTION and code.co_filename.startswith(GRADER):
            file = code.co_filename.removeprefix(GRADER)
            self.calls[file] += 1
            before = frame.f_back.f_code.co_filename if frame.f_back else ""
            inside = before.startswith(GRADER)
            self.moves += inside and room(before.removeprefix(GRADER)) != room(file)


def room(file: str) -> str:
    """``judge/blame.py`` → ``judge``; a file at the top is in none."""
    return file.rpartition("/")[0].partition("/")[0]


def written(folder: Path) -> Path:
    """The reference with that one mistake."""
    from grader.course.load import read_course

    course = read_course()
    exercise = course.exercises[EXERCISE]
    body = next(m for m in exercise.mistakes if m.name == MISTAKE).body
    for name, text in course.replace_bodies({exercise.targets[0]: body}).items():
        file = folder / "babygrad" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "babygrad"


class ClassWalk:
    """Lists the stays in the modules of the class's room, with the function that begins each."""

    def __init__(self) -> None:
        self.stays: list[tuple[str, str]] = []

    def note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        named = event == "call" and code.co_flags & FUNCTION and not code.co_name.startswith("<")
        if named and code.co_filename.startswith(f"{GRADER}classroom{os.sep}"):
            file = code.co_filename.removeprefix(GRADER)
            if not self.stays or self.stays[-1][0] != file:
                self.stays.append((file, code.co_name))


def grade_one(folder: Path) -> None:
    """Judge one hand-in twice, and print the second one's stays.

    What was handed out is known, as from `--release`: chapters 1 and 2 came solved.
    """
    from grader.classroom.intake import submission
    from grader.classroom.intake.handed_out import Handout, hash_bodies
    from grader.classroom.intake.handins import HandIn
    from grader.classroom.judging import SubmissionJudge
    from grader.classroom.marks.cohort import Cohort, digest_suites, ensure_key
    from grader.course.load import read_course

    submission.limited_call = lambda work: work()
    course, chapter = read_course(), EXERCISE.partition(".")[0]
    number = course.exercises[EXERCISE].chapter.removeprefix("chapter")
    solved = {
        target: [digest] for target, (digest, _) in hash_bodies(course.stubs(int(number))).items()
    }
    given = Handout([chapter], int(number), solved, "a release")
    key = ensure_key(str(folder), "walk", course, None, [chapter])
    suites = digest_suites(key, given.first)
    judge = SubmissionJudge(
        Cohort(key, suites, [chapter], "best", None, samples=True, handed_out=given)
    )
    walk, handin = ClassWalk(), HandIn("ada", str(written(folder / "ada")))
    judge.record(handin, None)
    sys.setprofile(walk.note)
    record = judge.record(handin, None)
    sys.setprofile(None)
    judge.end()
    assert record["status"] == "graded" and record["mark"], record
    files = {file for file, _ in walk.stays}
    returns = len(walk.stays) - len(files)
    print(f"{len(walk.stays)} stays in {len(files)} modules, {returns} returns")
    for file, name in walk.stays:
        print(f"{file:<40} {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--key", action="store_true", help="make the key on the way")
    parser.add_argument("--class", action="store_true", dest="grades", help="grade it instead")
    options = parser.parse_args()
    from grader import cli

    if options.grades:
        with tempfile.TemporaryDirectory() as folder:
            grade_one(Path(folder))
        return
    with tempfile.TemporaryDirectory() as folder:
        package, walk, said = written(Path(folder)), Walk(), io.StringIO()
        arguments = ["check", EXERCISE, "--package", str(package)]
        with contextlib.redirect_stdout(said):
            if options.key:
                os.environ["XDG_CACHE_HOME"] = folder
            else:
                cli.run_command_line(arguments)
            sys.setprofile(walk.note)
            status = cli.run_command_line(arguments)
            sys.setprofile(None)
    assert status == 1 and SAYS in said.getvalue(), said.getvalue()
    print(f"{len(walk.calls)} files, {len({*map(room, walk.calls)} - {''})} rooms, "
          f"{walk.moves} moves from one to another")  # fmt: skip
    for file, count in walk.calls.items():
        print(f"{file:<34} {count:>6}")


main()
