"""Invariants 12 and 15: generated changes to the reference, and what becomes of them.

Wrecks: every target is ruined in generic ways, and no random mutant may be told a false cause. A
tool makes a random mutant from the reference, so its cause is known: it is the change. Sentences
are checked by it:

- A known mistake may be named only if the mistake changes something that the random mutant changes,
too,
  or if `has` and `lacks` tie its sentence to the text, and so let it through.
- A relation inferred from numbers is a fact about numbers, and is tested where it is said.
- An explanation of an exception must speak of a word on the line that raised it.

No mutant survives: every small change to the reference costs points. A suite knows the mistakes
that its author thought of. The others are found by changing the reference in every small way
(`mutation.py`): a change that costs nothing is one that no check sees. It gets a check; or a row in
`exercises/chapterN/equivalent.py`, with the reason why it is as right as the reference, or why
nothing is promised there.
"""

from __future__ import annotations

import ast
import copy
import difflib
import operator
import random
import re
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from ..course import Exercise, Mistake
from ..course.load import Course
from ..course.splice import target_file
from ..course.syntax_tree import does_nothing, parse
from ..judge.diagnosis import IDLE
from ..judge.diagnosis import MISSPELT as SET_IN_VAIN
from .memory import MEMORY, memory_mutants
from .mutation import FIELD, Mutant, defaults_of, mutants, read_signature
from .proof import CourseCheck, Problem, costs_enough, definition_of, reads_as, rows_of

Changes = Iterator[Callable[[], None]]
MISSPELT = "an attribute misspelt"
OF_EACH = 2  # random mutants that are judged, per exercise
MEND = "say what is seen, or tie the sentence to the text with `has` or `lacks`"


class RandomMutant(NamedTuple):
    """A ruined body of one target, and how it was made."""

    exercise: Exercise
    target: str
    kind: str
    body: str


def random_mutants(proof: CourseCheck) -> Iterator[RandomMutant]:
    """Yield every random mutant of every target."""
    for target, region in proof.course.regions.items():
        exercise = proof.course.owner.get(target)
        if exercise is None or exercise.given or exercise.id not in proof.ids:
            continue
        arguments = getattr(definition_of(proof.course, target), "args", None)
        names = [a.arg for a in arguments.args] if arguments else []
        for kind, body in random_bodies(region.body, [name for name in names if name != "self"]):
            yield RandomMutant(exercise, target, kind, body)


def random_bodies(body: str, parameters: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (kind, body) of every random mutant of one body."""
    first = parameters[0] if parameters else "self"
    yield "gives None", "return None"
    yield "gives its input", f"return {first}"
    yield "gives a constant", "return 7.0"
    yield "gives an array of zeros", "import numpy\nreturn numpy.zeros((2, 3))"
    yield "gives an array of ones", "import numpy\nreturn numpy.ones((2, 3))"
    tree = parse(textwrap.dedent(body).strip("\n"))
    for kind, change in CHANGES.items():
        for number in range(sum(1 for _ in change(tree))):
            ruined = copy.deepcopy(tree)
            next(islice(change(ruined), number, None))()
            yield kind, ast.unparse(ast.fix_missing_locations(ruined))


def _without(is_meant: Callable[[ast.stmt], bool]) -> Callable[[ast.AST], Changes]:
    """Return an operator that replaces statements of some kind by `pass`."""

    def change(tree: ast.AST) -> Changes:
        for node in ast.walk(tree):
            for field in ("body", "orelse"):
                block: Any = getattr(node, field, None)
                for at, each in enumerate(block if isinstance(block, list) else ()):
                    if is_meant(each):
                        yield partial(block.__setitem__, at, ast.Pass())

    return change


def _is_call(each: ast.stmt) -> bool:
    return isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)


def _sets_attribute(each: ast.stmt) -> bool:
    """Whether a statement sets an attribute, such as the backward rule of a Value."""
    targets = each.targets if isinstance(each, ast.Assign) else []
    return any(isinstance(target, ast.Attribute) for target in targets)


def _misspelt(tree: ast.AST) -> Changes:
    """Misspell an attribute: swap its second and third letters, as in `grad` → `gard`."""
    seen = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and len(node.attr) > 3 and node.attr not in seen:
            seen.add(node.attr)
            wrong = node.attr[0] + node.attr[2] + node.attr[1] + node.attr[3:]
            if wrong != node.attr:
                yield partial(setattr, node, "attr", wrong)


def _wrong_variable(tree: ast.AST) -> Changes:
    """Replace a variable by another one."""
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)
              and isinstance(n.ctx, ast.Store)}  # fmt: skip
    read = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
            and n.id in stored]  # fmt: skip
    for node in read:
        for other in sorted(stored - {node.id})[:1]:
            yield partial(setattr, node, "id", other)


def _off_by_one(tree: ast.AST) -> Changes:
    """Increase a whole number by one: an index, an axis, an exponent."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield partial(setattr, node, "value", node.value + 1)


CHANGES: dict[str, Callable[[ast.AST], Changes]] = {
    "a call forgotten": _without(_is_call),
    "an attribute not set": _without(_sets_attribute),
    MISSPELT: _misspelt,
    "the wrong one of two variables": _wrong_variable,
    "off by one": _off_by_one,
}


def no_misdiagnosis(proof: CourseCheck, of_each: int = OF_EACH) -> Iterator[Problem]:
    """Check invariant 12, over some random mutants of every exercise."""
    every: dict[str, list[RandomMutant]] = {}
    for random_mutant in random_mutants(proof):
        every.setdefault(random_mutant.exercise.id, []).append(random_mutant)
    counts: Counter[str] = Counter()
    for id, mine in every.items():
        for random_mutant in random.Random(id).sample(mine, min(of_each, len(mine))):
            yield from find_misdiagnoses(proof, random_mutant, counts)
    told = ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))
    proof.notes.append(f"{sum(counts.values())} wrecks: {told}")


def find_misdiagnoses(
    proof: CourseCheck, random_mutant: RandomMutant, counts: Counter[str]
) -> Iterator[Problem]:
    """Yield the false causes that one random mutant is told."""
    sources = proof.course.replace_bodies({random_mutant.target: random_mutant.body})
    verdict = proof.judge(sources, [random_mutant.exercise.id])[random_mutant.exercise.id]
    where = f"{random_mutant.exercise.id}: {random_mutant.kind} in {random_mutant.target}"
    named = dict(verdict.mistakes)
    inferred = [f for check in verdict.checks for f in check.inferred]
    counts["named" if named else "inferred" if inferred else verdict.status] += 1
    known = {m.name: m for m in random_mutant.exercise.mistakes}
    is_idle = does_nothing(parse(textwrap.dedent(random_mutant.body)).body)
    own = {SET_IN_VAIN: random_mutant.kind == MISSPELT, IDLE: is_idle}
    for name, says in named.items():
        if not (own[name] if name in own else is_there(proof, random_mutant, known[name])):
            what = f"is told «{says}»\n{textwrap.indent(random_mutant.body, '      | ')}"
            yield Problem(where, what, MEND)


def is_there(proof: CourseCheck, random_mutant: RandomMutant, mistake: Mistake) -> bool:
    """Whether a random mutant contains a mistake's cause: they change the same, or the text
    decided."""
    if mistake.has or mistake.lacks:
        return True
    target = random_mutant.exercise.target_of(mistake)
    if target != random_mutant.target:
        return False
    right = words(proof.course.regions[target].body)
    mine, theirs = words(random_mutant.body), words(mistake.body)
    changed = (right - mine) + (mine - right)
    return bool(changed & ((right - theirs) + (theirs - right)))


def words(body: str) -> Counter[str]:
    """Count the words and signs of a body, without comments and white space."""
    text = ast.unparse(parse(textwrap.dedent(body).strip("\n")))
    return Counter(re.findall(r"\w+|[^\w\s]", text))


# ---- no mutant survives ---------------------------------------------------------------------

UNSEEN = "a check that tells them apart, or a row with the reason in exercises/{}/equivalent.py"


class Change(NamedTuple):
    """A mutant of one target."""

    target: str
    kind: str
    # The new line; ``no: …`` if a line was left out. A row of `equivalent.py` names it by this.
    line: str
    diff: str  # the removed and added lines
    sources: dict[str, str]
    alarmed: dict[str, str] | None = None


class Score(NamedTuple):
    """Counts of how the mutants of one kind ended, in an exercise or a chapter."""

    id: str
    kind: str
    mutants: int
    equivalent: int
    surviving: int
    seconds: float

    def __str__(self) -> str:
        killed = self.mutants - self.equivalent - self.surviving
        counts = f"{self.mutants} mutants, {killed} killed, {self.equivalent} equivalent"
        took = f"{self.surviving} surviving, {self.seconds:.0f} s"
        return f"{self.id}, {self.kind}: {counts}, {took}"


def sum_scores(scores: Iterable[Score]) -> list[Score]:
    """Sum the scores of one id and kind."""
    found: dict[tuple[str, str], Score] = {}
    for id, kind, *more in scores:
        _, _, *old = found.get((id, kind), Score(id, kind, 0, 0, 0, 0.0))
        found[id, kind] = Score(id, kind, *map(operator.add, old, more))
    return list(found.values())


def chapters(scores: Iterable[Score]) -> list[Score]:
    """Sum the scores of exercises by chapter and kind."""
    return sum_scores(each._replace(id=each.id.partition(".")[0]) for each in scores)


def none_survives(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 15: every mutant costs points, or is known to be equivalent."""
    for exercise in proof.exercises:
        if exercise.given:
            continue
        known = rows_of(exercise.chapter, exercise.targets, "equivalent")
        scores, met = list[Score](), set[tuple[str, str]]()
        for change in changes(proof.course, exercise):
            begun = time.monotonic()
            alive = survives(proof, exercise, change.sources)
            if alive and change.alarmed and survives(proof, exercise, change.alarmed):
                continue  # its helper never changes anything in a probe: no mutant
            rows = [row for row in known if alive and fits(change, row)]
            met |= {*rows[:1]}
            kind = (
                "memory" if change.kind == MEMORY else "field" if change.kind in FIELD else "syntax"
            )
            counts = 1, len(rows[:1]), int(alive and not rows), time.monotonic() - begun
            scores.append(Score(exercise.id, kind, *counts))
            if alive and not rows:
                what = f"{change.kind} survives\n{change.diff}"
                yield Problem(change.target, what, UNSEEN.format(exercise.chapter))
        for target, line in known:
            if (target, line) not in met:
                what = f"no mutant that survives alone says «{line}»"
                yield Problem(target, what, "take the row out of equivalent.py")
        proof.notes += sum_scores(scores)


def fits(change: Change, row: tuple[str, str]) -> bool:
    """Whether a row names a change; `…` at its end stands for any end."""
    target, line = row
    return change.target == target and reads_as(change.line, line)


def survives(proof: CourseCheck, exercise: Exercise, sources: dict[str, str]) -> bool:
    """Whether a package earns more of an exercise's points than with a failed check."""
    ((_, score),) = proof.scores(sources, [exercise.id])
    return not costs_enough(score, exercise.points)


def changes(course: Course, exercise: Exercise) -> Iterator[Change]:
    """Yield every mutant of an exercise's targets, as a package."""
    for target in exercise.targets:
        if target not in course.regions:
            continue
        body, node = course.regions[target].body, definition_of(course, target)
        assert isinstance(node, ast.FunctionDef)
        names, defaults = read_signature(node)
        with_memory = memory_mutants(target, body, node, defaults)
        for mutant in chain(mutants(body, names, defaults), with_memory):
            yield _of_body(course, target, body, mutant)
        yield from _of_defaults(course, target, node)


def _of_body(course: Course, target: str, body: str, mutant: Mutant) -> Change:
    lines = changed_lines(body, mutant.body)
    alarm = mutant.in_alarm
    return Change(
        target, mutant.kind, mutant.said or name_change(lines),
        f"      {mutant.said}" if mutant.said else "\n".join(f"      {line}" for line in lines),
        course.replace_bodies({target: mutant.text}),
        alarm and course.replace_bodies({target: alarm.text}),
    )  # fmt: skip


def changed_lines(body: str, other: str) -> list[str]:
    """Return the lines that went and came, marked as in a diff."""
    before = ast.unparse(parse(body)).splitlines()
    marked = difflib.ndiff(before, other.splitlines())
    return [line for line in marked if line[:2] in ("- ", "+ ")]


def name_change(lines: list[str]) -> str:
    """Name a change by its new line; by the removed one, if only `pass` or nothing came for it."""
    came = [line[2:].strip() for line in lines if line[0] == "+"]
    gone = [line[2:].strip() for line in lines if line[0] == "-"]
    return came[0] if came and came != ["pass"] else f"no: {gone[0]}"


def _of_defaults(course: Course, target: str, node: ast.FunctionDef) -> Iterator[Change]:
    """Yield mutants of the signature's defaults: the reference's file with another text there."""
    file, _ = target_file(target, course.solutions)
    for name, default in defaults_of(node):
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
