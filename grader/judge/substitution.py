"""Would it come right with another's exercise solved? Asked where no formula speaks of its calls.

Only where the reference lies on this machine for the learner to read anyway, or where the course
itself is proven: its definitions of the exercises in question are put into the learner's files,
and the failing probes run once more, in a worker of their own. Nothing that this run printed or
returned is shown, and it earns no points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..course.key_file import ChapterKey
from ..sandbox.observation import Observation
from .call_repair import comes_right, failed_by
from .judge import ExerciseVerdict

Files = dict[str, bytes]
Reference = Callable[[], Mapping[str, str]]
IsRight = Callable[[int, Observation], bool]
Rerun = Callable[[ChapterKey, list[int], Files, IsRight], tuple[dict[int, Observation], set[str]]]


class Referee:
    """Tries out what comes right with which exercises solved.

    Args:
        files: the learner's package.
        targets: definition → its exercise.
        solved: the reference's files; None where nobody can say.
        rerun: runs probes of a chapter on another package; tells what they gave, and which
            exercises those ran that are not right even then.

    Attributes:
        failing: every exercise that is wrong, with its chapter.
        before: chapter → what its probes gave with nothing solved.
        mended: (exercise, probe) → what came back with others solved, where it was not right.
        ran: all that was run where it did not come right.
    """

    def __init__(
        self, files: Mapping[str, bytes], targets: Mapping[str, str], solved: Reference | None,
        rerun: Rerun,
    ) -> None:  # fmt: skip
        self.files = dict(files)
        self.targets = targets
        self.solved = solved
        self.rerun = rerun
        self.failing: list[tuple[ChapterKey, ExerciseVerdict]] = []
        self.before: dict[str, dict[int, Observation]] = {}
        self.mended: dict[tuple[str, int], Observation] = {}
        self.ran: set[str] = set()
        self._known: dict[tuple[str, frozenset[str]], dict[int, Observation]] = {}

    def __call__(self, verdict: ExerciseVerdict, number: int, ids: frozenset[str]) -> bool | None:
        """Whether this probe comes right with these exercises solved; None: nobody can say."""
        if self.solved is None or not ids:
            return None
        chapter = next(c for c, v in self.failing if v is verdict)
        got = self._observations(chapter, ids).get(number)
        if got is None:
            return None
        if comes_right(chapter, number, failed_by(verdict, number), got):
            return True
        if got.kind not in ("arrays", "complained"):
            # What was put in may not fit the learner's other code; that shows in another error.
            return False if _alike(got, self.before[chapter.id][number]) else None
        self.mended[verdict.id, number] = got
        return False

    def _observations(self, chapter: ChapterKey, ids: frozenset[str]) -> dict[int, Observation]:
        """What all failing probes of a chapter give with these exercises solved."""
        if (chapter.id, ids) not in self._known:
            files = self._with_solved(ids)
            mine = [v for c, v in self.failing if c is chapter and v.id not in ids]
            numbers = sorted({n for v in mine for n in v.failing})

            def is_right(number: int, got: Observation) -> bool:
                failed = [check for v in mine for check in failed_by(v, number)]
                return comes_right(chapter, number, failed, got)

            found: dict[int, Observation] = {}
            if files is not None:
                found, ran = self.rerun(chapter, numbers, files, is_right)
                self.ran |= ran
            self._known[chapter.id, ids] = found
        return self._known[chapter.id, ids]

    def _with_solved(self, ids: Iterable[str]) -> Files | None:
        from ..course.splice import pieces, with_pieces

        assert self.solved is not None
        right, files = self.solved(), dict(self.files)
        for target in (t for t, owner in self.targets.items() if owner in ids):
            name, short = _place(target, right)
            try:
                piece = pieces(right[name])[short]
                text = with_pieces(files[name].decode("utf-8"), [piece])
            except (KeyError, ValueError, SyntaxError, RecursionError, MemoryError):
                return None
            files[name] = text.encode()
        return files


def _alike(one: Observation, other: Observation) -> bool:
    """Whether both raised the same, in the same file; lines move with what was put in."""
    said = (
        (got.kind, *(got.texts.get(name) for name in ("type", "message", "file", "by")))
        for got in (one, other)
    )
    return one.kind == "raised" and next(said) == next(said)


def _place(target: str, files: Mapping[str, str]) -> tuple[str, str]:
    """The file of a target and its name there: ``engines/closures.py``, ``Value.backward``."""
    parts = target.split(".")
    for n in range(len(parts) - 1, 0, -1):
        if "/".join(parts[:n]) + ".py" in files:
            return "/".join(parts[:n]) + ".py", ".".join(parts[n:])
    return "", target
