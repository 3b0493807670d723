"""Make one package of a submission: files, with the answers of notebooks spliced in.

The files are those beside the notebook; one that is missing, or does not parse, is replaced by the
one handed out. So a package, a notebook alone, and a notebook with the learner's own earlier
chapters are judged in the same way.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict

from ...course import package
from ...course.load import Course
from ...course.outline import chapter_no
from ...course.package import LINK, NAME, SECOND_NAME, Flaw, Package, module_of, says_too_large
from ...course.schema import Exercise
from ...course.syntax_tree import NO_PYTHON, TooComplex, parse
from ...errors import WrongUse, one_line
from ...notebooks.notebook_source import (
    Answer,
    Cell,
    answers,
    cells,
    choose_answers,
    describe_fault,
    parse_compilable,
    splice,
)
from ..files import describe_some
from .archive_reader import (
    ASIDE,
    RejectedFile,
    SubmittedFiles,
    find_notebooks,
    is_notebook,
    read_notebook_bytes,
)
from .limited_call import OutOfBounds, limited_call
from .loose_files import read_hand_in, read_loose_files
from .package_files import describe_absence

UNANSWERED = (
    "No cell of the notebook holds an answer: none says `@answer(…)`. Hand in the notebook "
    "that was handed out, filled in."
)
MOST_PARSED = 10_000  # digests that `_parsed` may hold
ALONE = f"Hand in the {NAME} folder alone, or a zip or tar of it, or the notebook."
NOTHING: Mapping[str, str] = MappingProxyType({})


class Submission(NamedTuple):
    """A package to judge."""

    package: Package  # the files, answers in place
    answers: dict[str, Answer]  # target → answer of a notebook
    notes: list[str]  # remarks for learner and instructor, a sentence each
    taken: SubmittedFiles | None = None  # the submission's content, if it is known


class Findings(TypedDict, total=False):
    """Findings about the files of a submission."""

    answers: dict[str, str]
    came_solved: list[str]
    revealed: dict[str, int]
    prints: dict[str, str]


class OpenedHandIn(NamedTuple):
    """An opened submission: cells of notebooks, and the package beside them."""

    cells: list[Cell]
    faults: list[str]  # a sentence for each notebook that cannot be read
    files: dict[str, bytes]
    folder: str


_parsed: set[bytes] = set()  # digests of files that are known not to crash Python's parser


def read_within_limits(
    name: str,
    read: Callable[[], Submission],
    look: Callable[[Submission], Findings] = lambda made: {},
) -> tuple[Submission, Findings]:
    """Read a submission in a child process with limits (`limited_call`).

    Its files were parsed there, so that parsing them here is safe.

    Args:
        name: the submission's name in errors.
        look: computes further findings about the files there, as plain values.

    Raises:
        WrongUse: ``read`` raised it, or a limit was exceeded.
    """

    def work() -> Any:  # plain values for `marshal`
        made = _drop_unparsable(read())
        answers = {target: tuple(answer) for target, answer in made.answers.items()}
        return tuple(made.package), answers, made.notes, look(made)

    try:
        files, given, notes, seen = limited_call(work)
    except OutOfBounds as error:
        raise WrongUse(f"{one_line(name)} cannot be judged: {error} {ALONE}") from error
    made = Submission(Package(*files), {t: Answer(*each) for t, each in given.items()}, notes)
    if len(_parsed) < MOST_PARSED:
        _parsed.update(sha256(data).digest() for data in made.package.files.values())
    return made, seen


def remember_parsable(texts: Iterable[str]) -> None:
    """Note that these sources, the course's own, are safe to parse."""
    _parsed.update(sha256(text.encode()).digest() for text in texts)


def read_handin(
    path: str,
    course: Course,
    look: Callable[[Submission], Findings] = lambda made: {},
    stubs: Mapping[str, str] = NOTHING,
) -> tuple[Package, list[str], Findings]:
    """Read a submission; return its package, notes about it, and the result of ``look``.

    Missing files are taken from ``stubs``, the package as it was handed out.
    """
    name = os.path.basename(path)
    made, seen = read_within_limits(name, lambda: _read_any(path, course, stubs), look)
    return made.package, made.notes, seen


def _read_any(path: str, course: Course, stubs: Mapping[str, str]) -> Submission:
    if not os.path.lexists(path):
        what = one_line(os.path.join(*path.split(os.sep)[-2:]))
        raise WrongUse(f"{what} is not there: nothing was handed in under this name.")
    if os.path.islink(path):
        raise WrongUse(f"{one_line(os.path.basename(path))} cannot be judged: {LINK}")
    package.require_same_course(path)
    loose = read_loose_files(path, course.solutions)
    if loose is None and (is_notebook(path) or (os.path.isdir(path) and find_notebooks(path))):
        return _refuse_empty(path, build_for_course(open_hand_in(path), course, stubs))
    taken = loose or read_hand_in(path, course.solutions)
    for each in taken.refused:
        if each.has(Flaw.SECOND_NAME):  # it may be another's file: no mark either way
            raise WrongUse(f"{each.name} cannot be judged: {SECOND_NAME}")
    if any(map(is_notebook, (*taken.notebooks, *(each.name for each in taken.refused)))):
        return _refuse_empty(path, build_for_course(_open_archive(taken), course, stubs))._replace(
            taken=taken
        )
    if not taken.package.files:
        why = " ".join(dict.fromkeys(map(_explain_rejection, taken.refused))) or "it is empty."
        if os.path.isfile(path) and not os.path.getsize(path):
            why = "it is an empty file."
        raise WrongUse(
            f"{one_line(os.path.basename(path))} cannot be judged: {why} "
            f"Hand in the {NAME} folder, or a zip or tar of it."
        )
    made = complete_with_stubs(build_from_package(taken), stubs, taken.refused)
    return made._replace(taken=taken)


def _explain_rejection(refused: RejectedFile) -> str:
    """Say why a file was not taken; of one that is too large also what to do."""
    if refused.unfit is not None and refused.has(Flaw.TOO_LARGE):
        return says_too_large(refused.unfit.most, "leave out what is not your package")
    return refused.why


def _refuse_empty(path: str, handed_in: Submission) -> Submission:
    if not handed_in.package.files:
        raise WrongUse(f"{one_line(os.path.basename(path))}: {' '.join(handed_in.notes)}")
    return handed_in


def _drop_unparsable(made: Submission) -> Submission:
    """Drop files that are too deep or too large for Python's parser, with a note for each."""
    files, notes = dict(made.package.files), list(made.notes)
    for name, data in made.package.files.items():
        if sha256(data).digest() in _parsed:
            continue
        try:
            parse(data.decode("utf-8", "replace"))
        except TooComplex:
            del files[name]
            notes.append(f"{name} was not taken: it is too deep or too large to be parsed.")
        except NO_PYTHON:
            pass  # the worker will say it
    if len(files) == len(made.package.files):
        return made
    taken = made.package._replace(files=files, sha256=package.hash_package(files))
    return made._replace(package=taken, notes=notes)


def read_submission(
    place: str, stubs: Mapping[str, str], asked: Sequence[Exercise] = ()
) -> Submission:
    """Read a submission: a notebook, or a folder with notebooks, a package or both.

    Raises:
        WrongUse: nothing in it can be judged; the message names the place and what to do.
    """
    return read_within_limits(place, lambda: build_submission(open_hand_in(place), stubs, asked))[0]


def _open_archive(taken: SubmittedFiles) -> OpenedHandIn:
    """Open the content of an archive or folder."""
    readers = {name: partial(bytes, data) for name, data in taken.notebooks.items()}
    handed = _open_notebooks(readers, taken.package.files, taken.package.folder)
    return handed._replace(faults=handed.faults + build_from_package(taken).notes)


def build_from_package(taken: SubmittedFiles) -> Submission:
    """Make a submission without notebooks."""
    left_out = (f"{each.name} was not taken: {each.why}" for each in taken.refused)
    return Submission(taken.package, {}, [*taken.notes, *left_out])


def complete_with_stubs(
    made: Submission, stubs: Mapping[str, str], refused: Sequence[RejectedFile]
) -> Submission:
    """Fill up a partial package with the files that were handed out, with a note; a file that was
    refused stays missing: no other takes its place."""
    mine, gone = made.package.files, [f"/{each.name}" for each in refused]
    there = (n for n in stubs if any(name.endswith(f"/{n}") for name in gone))
    missing = sorted(stubs.keys() - mine.keys() - set(there))
    if not mine or not missing:
        return made
    files = {**mine, **{name: stubs[name].encode() for name in missing}}
    whole = made.package._replace(files=files, sha256=package.hash_package(files))
    says = "not handed in; what was handed out is used in its place."
    note = describe_some("{} was", "{} were", missing, says)
    if len(mine) < len(missing) and not refused:
        says = "handed in; what was handed out is used for the other files."
        note = describe_some("Only {} was", "Only {} were", sorted(mine), says)
    return Submission(whole, made.answers, [*made.notes, note])


def open_hand_in(place: str) -> OpenedHandIn:
    """Open the submission at a place.

    Raises:
        WrongUse: there is none.
    """
    if os.path.islink(place):
        raise WrongUse(f"{place} cannot be judged: {LINK}")
    if not os.path.exists(place):
        raise WrongUse(f"{place} is not there.")
    folder = place if os.path.isdir(place) else os.path.dirname(place)
    paths, files = find_notebooks(place), read_package_files(folder)
    taken = None if paths else read_hand_in(place, ())
    if taken is not None and (taken.notebooks or not files):
        if not taken.notebooks and not taken.package.files:
            raise WrongUse(describe_absence(place, [each.why for each in taken.refused]))
        return _open_archive(taken)
    names = (os.path.basename(path).removesuffix(ASIDE) for path in paths)
    readers = {n: partial(read_notebook_bytes, path) for n, path in zip(names, paths, strict=True)}
    return _open_notebooks(readers, files, folder)


def _open_notebooks(
    readers: Mapping[str, Callable[[], bytes]], files: Mapping[str, bytes], folder: str
) -> OpenedHandIn:
    found: list[Cell] = []
    faults = []
    for name, data in sorted(readers.items()):
        try:
            found += cells(data(), name)
        except WrongUse as error:
            faults.append(str(error))
    return OpenedHandIn(found, faults, dict(files), os.path.join(folder, NAME))


def build_submission(
    handed: OpenedHandIn, stubs: Mapping[str, str], asked: Sequence[Exercise] = ()
) -> Submission:
    """Make a submission: the package handed in, filled up by ``stubs``, with answers spliced in.

    Raises:
        WrongUse: a notebook cannot be read, and the package holds nothing of the learner's.
    """
    found = handed.cells
    if handed.faults and not has_work(handed.files, stubs) and not found:
        raise WrongUse(handed.faults[0])
    all_answers = answers(cell.source for cell in found)
    best, notes = choose_answers(all_answers)
    base, mended = _base(handed.files, stubs, best)
    spliced, lost = splice(base, best.values())
    if found and not all_answers:
        notes.append(UNANSWERED)
    notes += mended + lost
    notes += [f"{target} cannot be used: {a.says}." for target, a in best.items() if a.fault]
    notes += _remarks(found, all_answers, asked if found else ())
    made = Package(handed.folder, spliced, package.hash_package(spliced))
    return complete_with_stubs(
        Submission(made, best, handed.faults + notes), {} if best else stubs, ()
    )


def build_for_course(handed: OpenedHandIn, course: Course, under: Mapping[str, str]) -> Submission:
    """Make a submission whose chapter is not known.

    The answers tell the chapter: all before the first answer's was given. Without answers it is the
    chapter whose stubs these files are; else the files are filled up by ``under``.

    Raises:
        WrongUse: nothing in it can be judged.
    """
    targets = [a.target for a in answers(cell.source for cell in handed.cells)]
    chapters = {course.owner[t].chapter for t in targets if t in course.owner}
    numbers = [c.number for c in course.chapters if c.id in chapters]
    if handed.faults and not numbers:
        every = [0, *(c.number for c in course.chapters)]
        numbers = [n for n in every if not has_work(handed.files, course.stubs(n))]
    asked = [e for e in course.exercises.values() if e.chapter in chapters and not e.given]
    first = min(numbers, default=0)
    made = build_submission(handed, course.stubs(first) if targets or numbers else under, asked)
    return made._replace(
        package=made.package._replace(ours=_find_given_exercises(course, first, handed, made))
    )


def _find_given_exercises(
    course: Course, first: int, handed: OpenedHandIn, made: Submission
) -> frozenset[str]:
    """Return the exercises whose code is ours: solved in the stubs, and not handed in."""
    solved = {t: e.id for t, e in course.owner.items() if chapter_no(e.id) < first and not e.given}
    there = {module_of(name) for name in handed.files}
    return frozenset(
        id
        for target, id in solved.items()
        if target not in made.answers and not any(target.startswith(f"{m}.") for m in there)
    )


def read_package_files(folder: str) -> dict[str, bytes]:
    """Read the package in a folder, or that is this folder; empty if there is none.

    Raises:
        WrongUse: it, or one of its files, is a link.
    """
    if any(map(os.path.islink, (folder, os.path.join(folder, NAME)))):
        raise WrongUse(f"{folder} cannot be judged: its {NAME} folder: {LINK}")
    try:
        return package.read_package(package.find_package_folder(folder)).files
    except WrongUse:
        if os.path.isdir(os.path.join(folder, NAME)):
            return package.read_package(os.path.join(folder, NAME)).files
        return {}


def has_work(files: Mapping[str, bytes], stubs: Mapping[str, str]) -> bool:
    """Whether a package differs from the one handed out."""
    return any(stubs.get(name, "").encode() != data for name, data in files.items())


def _base(
    files: Mapping[str, bytes], stubs: Mapping[str, str], best: Mapping[str, Answer]
) -> tuple[dict[str, bytes], list[str]]:
    """Return the files to splice answers into, and notes on files that were replaced."""
    handed_out = {name: text.encode() for name, text in stubs.items()}
    if not best:
        return dict(files), []
    base, notes = {**handed_out, **files}, []
    for name in handed_out:
        try:
            parse_compilable(base[name].decode("utf-8-sig"))
        except NO_PYTHON as error:
            base[name] = handed_out[name]
            notes.append(
                f"{NAME}/{name} beside the notebook is no Python ({describe_fault(error)}); "
                "the file that was handed out is used in its place."
            )
    return base, notes


def _remarks(
    found: Sequence[Cell], given: Sequence[Answer], asked: Sequence[Exercise]
) -> Iterable[str]:
    """Yield remarks on missing, reordered or edited cells; they do not change the marks."""
    there = {answer.target for answer in given}
    gone = [f"{e.id} ({target})" for e in asked for target in e.targets if target not in there]
    if gone:
        what = "The answer cell of {} is", "The answer cells of {} are"
        yield describe_some(*what, gone, "not in the notebook.")
    order = [t for e in asked for t in e.targets]
    mine = [t for t in dict.fromkeys(a.target for a in given) if t in order]
    if mine != sorted(mine, key=order.index):
        yield "The cells are in another order than they were handed out in; no mark depends on it."
    tests = {e.anchor: f'check("{e.id}")' for e in asked}
    known = [(cell.source.strip(), tests.get(str(cell.tag.get("grade_id")))) for cell in found]
    edited = [f"`{test}`" for source, test in known if test and source not in ("", test)]
    if edited:
        what = "The test cell {} was", "The test cells {} were"
        yield describe_some(*what, edited, "changed; what stands there has no say in the mark.")
