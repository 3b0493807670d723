"""An author's own course. `grader course new DIR` begins one, small and whole, to be written on.
`grader stubs [--check]` makes the stubs from `solutions/`, from nothing else. `grader record [NAME
…]` asks PyTorch once, and writes its answers into reviewable files. `grader audit [NAME …]` tells
all problems at once, each with its mend; `grader mistakes`, which check catches which mistake.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from .. import root
from ..about import COURSE, FILE, about_of
from ..audit.mistakes import make_data_set
from ..audit.mutants import Score
from ..audit.mutants import chapters as scores_of_chapters
from ..audit.proof import Proof
from ..audit.theorems import (
    AT_A_TIME,
    MUTANTS,
    THEOREMS,
    Found,
    Theorem,
    collect_seldom,
    prove,
    prove_all,
)
from ..classroom import bundle
from ..classroom.files import write_whole
from ..classroom.overlay import OverlaidCourse, course_of
from ..course import pytorch
from ..course.key_file import Json
from ..course.key_source import open_key
from ..course.load import STUBS, Course, load, read_package
from ..course.outline import chapter_of
from ..course.package import module_of
from ..course.rows import PUBLIC_SEED
from ..course.syntax_tree import functions, is_stub, parse
from ..errors import WrongUse
from ..learner.typed_names import ALL, TypedNames, find_all
from ..learner.wording import Style, counted
from ..learner.workspace import below
from ..memo import Memo
from . import NAMES, OVERLAY, command, flag, option


@command(
    "stubs",
    f"write {COURSE.name}/ anew from solutions/",
    flag("--check", "only say whether it is up to date"),
)
def run_stubs(options: argparse.Namespace) -> int:
    """Write the stubs, or with ``--check`` only say what differs (exit status 1)."""
    course = load()
    found = list(course.outdated_stubs())
    if options.check:
        for name, what in found:
            print(f"{COURSE.name}/{name}: {what}")
        print("Run `grader stubs` to renew it." if found else f"{COURSE.name}/ is up to date.")
        return 1 if found else 0
    written = list(work_in(read_package(STUBS), course))
    if written:
        raise WrongUse(
            f"{COURSE.name}/ holds more than stubs, and would be overwritten:\n  "
            + "\n  ".join(written)
            + "\nMove this work to a workspace (`grader init DIR`), then run `grader stubs` again."
        )
    expected = course.stubs()
    for name in set(read_package(STUBS)) - set(expected):
        os.remove(os.path.join(STUBS, name))
    for name, text in expected.items():
        write_whole(os.path.join(STUBS, name), text.encode(), "anybody")
    print(f"wrote {len(expected)} files to {COURSE.name}/")
    return 0


def work_in(there: dict[str, str], course: Course) -> Iterator[str]:
    """Every definition in the stubs that somebody may have written: asked for, or unknown."""
    known = course.solved()
    for name, text in there.items():
        try:
            bodies = functions(module_of(name), parse(text))
        except SyntaxError as error:
            yield f"{COURSE.name}/{name}: line {error.lineno} is no Python"
            continue
        given = functions(module_of(name), parse(known.get(name, ""))).keys()
        for target, function in bodies.items():
            if not is_stub(function) and (target in course.regions or target not in given):
                yield f"{COURSE.name}/{name}: {target.partition('.')[2]}, line {function.lineno}"


@command("record", "record PyTorch's answers (needs torch)", NAMES)
def run_record(options: argparse.Namespace) -> int:
    """Write `tests/recorded/chapterN.json` for the chapters that were named; else for all."""
    if not pytorch.is_installed():
        raise WrongUse("Recording needs PyTorch: install the course with its `torch` extra.")
    from ..course.make_key import record

    course = load()
    for path, changed in record(course, set(map(chapter_of, exercises_of(course, options.names)))):
        print(f"{'wrote' if changed else 'left as it was:'} {os.path.relpath(path)}")
    return 0


def exercises_of(course: Course, names: list[str]) -> list[str]:
    """The exercises of these names: `chapter3`, `3.4`, `chapter3.div` …; all of them for none."""
    rows = [[e.id, e.section, e.given] for e in course.exercises.values()]
    targets = {target: e.id for target, e in course.owner.items()}
    return find_all(names or [ALL], TypedNames(rows, targets))


@command(
    "course",
    "begin a course of your own (see docs/own-course.md)",
    option("what", choices=("new",)),
    option("folder", "DIR"),
    option("--name", "NAME", "the package that learners write; else as DIR"),
    option("--chapter", "WORD", "what its parts are called: lesson, unit", default="chapter"),
    option("--title", "TEXT", "what is learned, in a line"),
)
def run_course(options: argparse.Namespace) -> int:
    """Write it, and say what to run next."""
    folder = os.path.abspath(options.folder)
    name = options.name or os.path.basename(folder).replace("-", "_")
    title = json.dumps(options.title or f"Learn by building {name}")[1:-1]
    bundle.write(files(name, options.chapter, title), folder)
    print(
        f"A course that is called {name}: {options.folder}\n"
        f"  use it    export GRADER_COURSE={shlex.quote(folder)}\n"
        f"  stubs     grader stubs\n"
        f"  prove it  grader audit\n"
        f"  try it    grader init work && cd work && grader check {options.chapter}1"
    )
    return 0


TEMPLATE = os.path.join(root.PACKAGE, "course", "template")
ENDING = ".txt"  # so that no tool takes the template for a part of the grader


def files(name: str, chapter: str, title: str) -> dict[str, bytes]:
    """Path → content of every file.

    Raises:
        WrongUse: a course cannot be called so, or this grader came without the template.
    """
    words = {"NAME": name, "CHAPTER": chapter, "TITLE": title}
    found = {
        _filled(path.removesuffix(ENDING), words): _filled(data.decode(), words).encode()
        for path, data in below(TEMPLATE).items()
    }
    if FILE not in found:
        raise WrongUse("This grader is the learner's. A course is begun with the whole one.")
    about_of(found[FILE], FILE)
    return found


def _filled(text: str, words: dict[str, str]) -> str:
    """A text with the course's own words; `CHAPTER = …` is the grader's."""
    for word, own in words.items():
        text = text.replace(word, own)
    return text.replace(f"\n{words['CHAPTER']} = ", "\nCHAPTER = ")


@command(
    "mistakes",
    "every named mistake, and which check catches which",
    NAMES,
    flag("--json", "print the data set (docs/mistakes.md)"),
)
def run_mistakes(options: argparse.Namespace) -> int:
    """Print the mistakes of the exercises that were named; of all, where none is."""
    course = load()
    found = make_data_set(course, open_key(), exercises_of(course, options.names))
    if options.json:
        json.dump(found, sys.stdout, indent=1, ensure_ascii=False)
        print()
    else:
        print("\n".join(table(found, Style.of(sys.stdout))))
    return 0


def table(found: Json, style: Style) -> Iterator[str]:
    """Per exercise its mistakes, and the checks that catch each; the counts at the end."""
    checks: dict[str, list[str]] = {}
    for check in found["checks"]:
        checks.setdefault(check["exercise"], []).append(check["id"].partition("/")[2])
    last = ""
    for mistake in found["mistakes"]:
        exercise = mistake["exercise"]
        if exercise != last:
            yield from ([""] if last else [])
            yield style.paint("bold", exercise) + f"  ({', '.join(checks[exercise])})"
            last = exercise
        kills = [id.partition("/")[2] for id in mistake["caught_by"]]
        name = mistake["id"].partition("/")[2]
        yield from style.wrap(f"{name}: {', '.join(kills)}", "      ", "  ")
    yield ""
    mistakes, every = counted(len(found["mistakes"]), "mistake"), len(found["checks"])
    yield f"{mistakes}, {counted(every, 'check')}; `--json` has their code and their sentences."


@command(
    "audit",
    "prove that the course holds together",
    option("names", "NAME", "only what concerns it: chapter3.div, 3.4 …", nargs="*"),
    option("--jobs", "N", "how many processes; all cores", type=int),
    flag(
        "--mutants",
        "change the reference in every small way instead, and list the changes that cost no points",
    ),
    OVERLAY,
)
def run_audit(options: argparse.Namespace) -> int:
    """Exit status 0 where every theorem holds, else 3: a broken course is our fault."""
    collect_seldom()
    load = partial(course_of, options.course)
    memo = Memo()
    with proof_of(load(), options.names, memo) as proof:
        known: set[str] = set()  # said already: what breaks one proof may break the next
        results = _mutants if options.mutants else _results
        broken = sum(_told(each, known) for each in results(proof, load, options.jobs))
    memo.prune()
    about = " ".join(options.names)
    whole = f"{about}: it holds." if about else "The course holds together."
    print(whole if not broken else f"{broken} problem(s).")
    return 3 if broken else 0


def proof_of(course: Course, names: list[str], memo: Memo) -> Proof:
    """The proof of what was named; of an overlay's own mistakes only, where there is one.

    The mistakes that an overlay does not bring are proved by the plain audit.
    """
    ids = frozenset(exercises_of(course, names)) if names else None
    if not isinstance(course, OverlaidCourse):
        return Proof(course, ids=ids, memo=memo, remembers=True)
    seed = course.drawn_from(PUBLIC_SEED)
    return Proof(course, seed, ids=ids, own=course.own, memo=memo, remembers=True)


def theorems(course: Course) -> list[Theorem]:
    """All of them; the public stubs hold nothing of an overlay."""
    overlaid = isinstance(course, OverlaidCourse)
    return [t for t in THEOREMS if not (overlaid and t.id == "5-stripped")]


Result = tuple[Theorem, Found, float]


def _results(proof: Proof, load: Callable[[], Course], jobs: int | None) -> Iterator[Result]:
    """What needs no run first; then the key, without which nothing else can be proved."""
    every = theorems(proof.course)
    yield from _here([t for t in every if not t.runs], proof)
    running = [t for t in every if t.runs]
    key, rest = running[:2], running[2:]  # the oracles, and that every mistake can be run
    for result in _here(key, proof):
        yield result
        if result[1].problems:
            return
    count = min(jobs or os.cpu_count() or 1, len(proof.ids) // AT_A_TIME)
    if count < 2:
        yield from _here(rest, proof)
        return
    started = time.monotonic()
    for theorem, said in prove_all(rest, proof, load, count):
        yield theorem, said, time.monotonic() - started
        started = time.monotonic()


def _mutants(proof: Proof, load: Callable[[], Course], jobs: int | None) -> Iterator[Result]:
    """The one theorem that takes minutes; its notes end with a line for each chapter."""
    assert proof.key  # made once, for all processes
    started = time.monotonic()
    count = min(jobs or os.cpu_count() or 1, len(proof.ids))
    ((_, (problems, notes)),) = prove_all([MUTANTS], proof, load, count)
    notes = [*notes, *scores_of_chapters(note for note in notes if isinstance(note, Score))]
    yield MUTANTS, Found(problems, notes), time.monotonic() - started


def _here(some: Iterable[Theorem], proof: Proof) -> Iterator[Result]:
    for theorem in some:
        started = time.monotonic()
        yield theorem, prove(theorem, proof), time.monotonic() - started


def _told(result: Result, known: set[str]) -> int:
    """Print a theorem with its problems; how many of these are new."""
    theorem, (found, notes), seconds = result
    problems = [problem for problem in found if problem.what not in known]
    known |= {problem.what for problem in problems if problem.where == theorem.id}
    mark = "ok" if not found else f"{len(problems)} problem(s)" if problems else "as above"
    print(f"{theorem.id:<12} {theorem.claim:<48} {mark:<14} {seconds:.1f} s")
    for note in notes:
        print(f"    {note}")
    for problem in problems:
        print(f"    {problem.where}: {problem.what}\n      mend: {problem.mend}")
    sys.stdout.flush()
    return len(problems)
