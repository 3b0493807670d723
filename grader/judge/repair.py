"""Would it come right if another's exercise were right? It is put right, and tried.

Where the reference may be read, its definitions of the exercises in question are put into the
learner's files, and the failing probes run once more, in a worker of their own; everything else
stays the learner's. Nothing that this run printed or returned is shown, and it earns no points.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Container, Iterable, Mapping

from ..course.key_file import ChapterKey
from ..sandbox.observation import Definition, Observation
from .blame import Leans, Tried
from .judge import CheckVerdict, ExerciseVerdict
from .outcome import compare

Files = dict[str, bytes]
Reference = Callable[[], Mapping[str, str]]
IsRight = Callable[[int, Observation], bool]
# Of each probe what it gave, and which exercises it ran where that is not right.
Gave = dict[int, tuple[Observation, frozenset[str]]]
RunOn = Callable[[ChapterKey, list[int], Files, IsRight], Gave]
# What is raised where the reference does not fit the learner's other code: a name that is not
# there. Whatever else is raised is wrong.
MISFITS = ("AttributeError", "ImportError", "ModuleNotFoundError", "NameError")


class Repair:
    """Tries out what comes right with which exercises solved.

    Args:
        files: the learner's package.
        targets: definition → its exercise.
        reference: the reference's files; None where nobody can say.
        run_on: runs probes of a chapter on another package.
        failing: every exercise that is wrong, with its chapter.
        before: chapter → what its probes gave with nothing solved.
        leans: (exercise, probe) → the exercises that it ran and that may be at fault.

    Attributes:
        mended: (exercise, probe) → what came back with others solved, where it was not right.
        ran: all that was run where it did not come right.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        targets: Mapping[str, str],
        reference: Reference | None,
        run_on: RunOn,
        failing: list[tuple[ChapterKey, ExerciseVerdict]],
        before: Mapping[str, Mapping[int, Observation]],
        leans: Leans,
    ) -> None:
        self.files = files
        self.targets = targets
        self.reference = reference
        self.run_on = run_on
        self.failing = failing
        self.before = before
        self.leans = leans
        self.mended: dict[tuple[str, int], Observation] = {}
        self.ran: set[str] = set()
        self._known: dict[tuple[str, frozenset[str]], Gave] = {}

    def try_out(self, verdict: ExerciseVerdict, number: int, ids: frozenset[str]) -> Tried:
        """What comes of this probe with these exercises solved."""
        if self.reference is None or not ids:
            return Tried(None)
        chapter = next(c for c, v in self.failing if v is verdict)
        gave = self._known.setdefault((chapter.id, ids), {})
        if number not in gave:
            gave |= self._run(chapter, ids, number, gave)
        if number not in gave:
            return Tried(None)
        got, ran = gave[number]
        if matches_answers(chapter, number, checks_failed_by(verdict, number), got):
            return Tried(True)
        if got.kind in ("arrays", "complained"):
            self.mended[verdict.id, number] = got
        is_wrong = is_own(got) or _alike(got, self.before[chapter.id][number])
        return Tried(False if is_wrong else None, ran)

    def _run(
        self, chapter: ChapterKey, ids: frozenset[str], number: int, known: Container[int]
    ) -> Gave:
        """What a probe gives with these exercises solved; and all that will be asked as well.

        These are at first the probes that lean on one of them.
        """
        assert self.reference is not None
        files = with_solved(self.files, self.targets, self.reference(), ids)
        if files is None:
            return {}
        mine = [v for c, v in self.failing if c is chapter and v.id not in ids]
        failing = {n: self.leans[v.id, n] for v in mine for n in v.failing if n not in known}
        leaning = [n for n, leans in failing.items() if leans & ids]

        def is_right(number: int, got: Observation) -> bool:
            failed = [check for v in mine for check in checks_failed_by(v, number)]
            return matches_answers(chapter, number, failed, got)

        asked = leaning if number in leaning else failing
        found = self.run_on(chapter, sorted(asked), files, is_right)
        self.ran.update(*(ran for _, ran in found.values()))
        return found


def checks_failed_by(verdict: ExerciseVerdict, number: int) -> list[CheckVerdict]:
    """The checks that this probe had failed."""
    return [check for check in verdict.checks if number in check.failing]


def matches_answers(
    chapter: ChapterKey, number: int, checks: list[CheckVerdict], got: Observation
) -> bool:
    """Whether what came back is right, by the reference, for every check that had failed."""
    if got.kind != "arrays":
        return False
    answers = chapter.probes[number]["answers"]["reference"]
    for check in checks:
        part = check.check["part"]
        right = [chapter.array(n) for n in answers.get(part, ())]
        mine = got.parts.get(part, [])
        if len(mine) != len(right):
            return False
        pairs = zip(mine, right, strict=True)
        if any(compare(check.check, *pair, "finite_difference", loose=True) for pair in pairs):
            return False
    return True


def is_own(got: Observation) -> bool:
    """Whether what came back, where it was wrong, is not for the reference that does not fit."""
    if got.kind == "raised":
        return got.texts.get("type") not in MISFITS and got.texts.get("by") != "import"
    return got.kind in ("arrays", "complained")


def _alike(one: Observation, other: Observation) -> bool:
    """Whether both raised the same, in the same file; lines move with what was put in."""
    said = (
        (got.kind, *(got.texts.get(name) for name in ("type", "message", "file", "by")))
        for got in (one, other)
    )
    return one.kind == "raised" and next(said) == next(said)


# ---- the reference's text -------------------------------------------------------------------


def with_solved(
    files: Mapping[str, bytes],
    targets: Mapping[str, str],
    reference: Mapping[str, str],
    ids: Iterable[str],
) -> Files | None:
    """A package with the reference's definitions of these exercises; None where they cannot be
    put in."""
    from ..course.splice import file_of, pieces, with_pieces

    wanted: dict[str, list[str]] = {}
    for target in (t for t, owner in targets.items() if owner in ids):
        name, short = file_of(target, reference)
        wanted.setdefault(name, []).append(short)
    solved = dict(files)
    for name, definitions in wanted.items():
        try:
            known = pieces(reference[name])
            text = with_pieces(files[name].decode("utf-8"), [known[d] for d in definitions])
        except (KeyError, ValueError, SyntaxError, RecursionError, MemoryError):
            return None
        solved[name] = text.encode()
    return solved


def read_otherwise(
    ids: Iterable[str],
    targets: Mapping[str, str],
    definitions: Mapping[str, Definition],
    files: Mapping[str, bytes],
    reference: Mapping[str, str],
) -> set[str]:
    """Those of these given exercises that read otherwise than they were handed out.

    Args:
        definitions: those of the learner's package.
        reference: the reference's files, without markers.
    """
    wanted, found = set(ids), set[str]()
    for name, place in definitions.items():
        owner = targets.get(name) or targets.get(name.rpartition(".")[0])
        if owner in wanted - found and place.file in reference:
            lines = files[place.file].decode("utf-8", "replace").splitlines()
            own = "".join(f"{line.rstrip()}\n" for line in lines[place.first - 1 : place.last])
            if own not in reference[place.file] and _differs(own, name, reference[place.file]):
                found.add(str(owner))
    return found


def _differs(own: str, name: str, right: str) -> bool:
    """Whether more than spaces, comments and docstrings are different."""
    from ..course.splice import pieces
    from ..course.syntax_tree import plain

    known = pieces(right)
    parts = name.split(".")
    piece = next((known[n] for i in range(len(parts)) if (n := ".".join(parts[i:])) in known), None)
    if piece is None or piece.kind == "class":
        return False
    mine = plain(textwrap.dedent(own))
    return not mine or mine != plain(textwrap.dedent(piece.text))
