"""No mutant survives: every small change to a reference costs points.

A suite knows the mistakes that its author thought of. What it does not know is found by changing
the reference in every small way there is (`mutation.py`): a change that costs nothing at all is
one that no check sees. It gets a check; or a row in `exercises/chapterN/equivalent.py`, with the
reason why it is as right as the reference, or why nothing is promised there.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..course import Exercise
from ..course.load import Course
from ..course.splice import file_of
from ..course.syntax_tree import parse
from .mutation import Mutant, mutants
from .proof import Problem, Proof, definition_of, reads_as, rows_of

MEND = "a check that tells them apart, or a row with the reason in exercises/{}/equivalent.py"


class Change(NamedTuple):
    """A mutant of one target."""

    target: str
    kind: str
    # What stands in the place of another line; ``no: …`` where it was left out. By this a row of
    # `equivalent.py` names it.
    line: str
    diff: str  # the lines that went and came
    sources: dict[str, str]
    alarmed: dict[str, str] | None = None


class Score(NamedTuple):
    """How an exercise's mutants ended, or a chapter's."""

    id: str
    mutants: int
    equivalent: int
    surviving: int

    def __str__(self) -> str:
        killed = self.mutants - self.equivalent - self.surviving
        counts = f"{self.mutants} mutants, {killed} killed, {self.equivalent} equivalent"
        return f"{self.id}: {counts}, {self.surviving} surviving"


def chapters(scores: Iterable[Score]) -> list[Score]:
    """The scores of chapters, of those of their exercises."""
    found: dict[str, Score] = {}
    for each in scores:
        id = each.id.partition(".")[0]
        old = found.get(id, Score(id, 0, 0, 0))
        found[id] = Score(id, *(a + b for a, b in zip(old[1:], each[1:], strict=True)))
    return list(found.values())


def none_survives(proof: Proof) -> Iterator[Problem]:
    """Every mutant that costs no points, and is not known to be equivalent."""
    for exercise in proof.exercises:
        if exercise.given:
            continue
        known = rows_of(exercise.chapter, exercise.targets, "equivalent")
        count, met, surviving = 0, Counter[tuple[str, str]](), 0
        for change in changes(proof.course, exercise):
            alive = survives(proof, exercise, change.sources)
            if alive and change.alarmed and survives(proof, exercise, change.alarmed):
                continue  # it changes nothing where anybody looks: no mutant
            count += 1
            rows = [row for row in known if fits(change, row)]
            if alive and rows:
                met[rows[0]] += 1
            elif alive:
                surviving += 1
                what = f"{change.kind} survives\n{change.diff}"
                yield Problem(change.target, what, MEND.format(exercise.chapter))
        for target, line in known:
            if (target, line) not in met:
                what = f"no mutant that survives alone says «{line}»"
                yield Problem(target, what, "take the row out of equivalent.py")
        proof.notes.append(Score(exercise.id, count, met.total(), surviving))


def fits(change: Change, row: tuple[str, str]) -> bool:
    """Whether a row names a change; `…` at its end stands for any end."""
    target, line = row
    return change.target == target and reads_as(change.line, line)


def survives(proof: Proof, exercise: Exercise, sources: dict[str, str]) -> bool:
    """Whether a package earns all points of an exercise."""
    ((_, score),) = proof.scores(sources, [exercise.id])
    return math.isclose(score, exercise.points)


def changes(course: Course, exercise: Exercise) -> Iterator[Change]:
    """Every mutant of an exercise's targets, as a package."""
    for target in exercise.targets:
        if target not in course.regions:
            continue
        body, node = course.regions[target].body, definition_of(course, target)
        assert isinstance(node, ast.FunctionDef)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        starred = [each for each in (node.args.vararg, node.args.kwarg) if each]
        names = [each.arg for each in (*arguments, *starred)]
        defaults = {name: ast.unparse(default) for name, default in _defaults(node)}
        for mutant in mutants(body, names, defaults):
            yield _of_body(course, target, body, mutant)
        yield from _of_defaults(course, target, node)


def _defaults(node: ast.FunctionDef) -> list[tuple[str, ast.expr]]:
    """The parameters that have a default."""
    plain = [*node.args.posonlyargs, *node.args.args]
    first = len(plain) - len(node.args.defaults)
    pairs = [*zip(plain[first:], node.args.defaults, strict=True)]
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    pairs += [(each, default) for each, default in named if default is not None]
    return [(each.arg, default) for each, default in pairs]


def _of_body(course: Course, target: str, body: str, mutant: Mutant) -> Change:
    before = ast.unparse(parse(body)).splitlines()
    marked = difflib.ndiff(before, mutant.body.splitlines())
    lines = [line for line in marked if line[:2] in ("- ", "+ ")]
    alarm = mutant.in_alarm
    return Change(
        target, mutant.kind, name_change(lines), "\n".join(f"      {line}" for line in lines),
        course.patched({target: mutant.text}), alarm and course.patched({target: alarm.text}),
    )  # fmt: skip


def name_change(lines: list[str]) -> str:
    """A change by the line that came; by the one that went where nothing came for it."""
    came = [line[2:].strip() for line in lines if line[0] == "+"]
    gone = [line[2:].strip() for line in lines if line[0] == "-"]
    return came[0] if came and came != ["pass"] else f"no: {gone[0]}"


def _of_defaults(course: Course, target: str, node: ast.FunctionDef) -> Iterator[Change]:
    """The defaults of the signature, moved: the reference's file with another text there."""
    file, _ = file_of(target, course.solutions)
    for name, default in _defaults(node):
        for mutant in mutants(f"return {ast.unparse(default)}", [], {}):
            if mutant.helpers:
                continue
            other = mutant.body.removeprefix("return ")
            lines = course.solutions[file].splitlines()
            line = lines[default.lineno - 1].encode()
            begin, end = default.col_offset, default.end_col_offset
            lines[default.lineno - 1] = (line[:begin] + other.encode() + line[end:]).decode()
            shown = f"{name}={other}"
            diff = f"      - {name}={ast.unparse(default)}\n      + {shown}"
            sources = course.solutions | {file: "\n".join(lines) + "\n"}
            yield Change(target, "another default", shown, diff, sources)
