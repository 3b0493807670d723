"""Invariant 19: what a probe is made of counts. Moved alone, it moves an expected answer.

A suite whose model looks at the last token cannot tell code that drops all others. So each place in
the arguments of an exercise's probes is moved alone: a number, an option, an array of floats as a
whole, each number of an array of whole numbers (tokens), each word of a text. The reference
computes both; in some probe of that program a part that a check compares has to differ.

A place counts, too, where each move is refused: other sizes than those of the arrays beside it, the
name of another function. And one that no probe gives another value, a name again, cannot be moved.

A place where nothing moves is a row of its exercise in `exercises/chapterN/unmoved.py`, by reason,
or of its chapter, where it holds for each exercise:

    UNMOVED = {"chapter16.multiply_adds": {"is a limit": ("answering.counted size.1",)}}
    ECHOES = {"inputs": "what was handed in, as it is afterwards"}

`ECHOES` are parts that hold the arguments themselves: of course they move. A chapter without that
file is exempt; so are probes whose answers a predicate judges, and costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..arrays import Array
from ..course import Chapter, Check, Exercise, Probe
from ..course.build_chapter import PROBE_SECONDS, job
from ..course.compare import difference
from ..course.key_encoding import (
    collect_program_sources,
    encode_args,
    modules,
    parameters_of,
)
from ..course.key_file import ArrayStore
from ..course.load import optional_table
from ..course.modules import has_module
from ..sandbox.observation import Observation
from .proof import CourseCheck, Problem, reads_as, rows_of

AT_FIRST = 4  # moves of a place that are tried together; then all the others
MEND = "let it count in some probe, or say in exercises/{}/unmoved.py why it cannot"

Path = tuple[str | int, ...]
Parts = Mapping[str, Sequence[Array]]


class Move(NamedTuple):
    """A probe, and its arguments with one place moved."""

    probe: Probe
    place: str
    args: tuple[Any, ...]


def every_place_counts(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 19: each place of a probe, moved alone, moves an answer, or has a reason."""
    for chapter in proof.chapters:
        if not has_module(f"exercises.{chapter.id}.unmoved"):
            proof.notes.append(f"{chapter.id} has no unmoved.py: what its probes hold is not moved")
            continue
        asked = [e for e in chapter.exercises if e.id in proof.ids]
        known = rows_of(chapter.id, [chapter.id, *(e.id for e in asked)], "unmoved")
        met, count = set[tuple[str, str]](), 0
        for exercise in asked:
            still, places = still_places(proof, chapter, exercise)
            count += places
            for place in still:
                owners = exercise.id, chapter.id
                rows = {row for row in known if row[0] in owners and reads_as(place, row[1])}
                met |= rows
                if not rows:
                    what = f"no answer moves with {place}"
                    yield Problem(exercise.id, what, MEND.format(chapter.id))
        proof.notes.append(f"{chapter.id}: {count} places moved alone, {len(known)} rows")
        # A row of the whole chapter may be that of an exercise that is not in question.
        is_part = len(asked) < len(chapter.exercises)
        rest = (row for row in known.keys() - met if not (is_part and row[0] == chapter.id))
        for id, place in sorted(rest):
            yield Problem(id, f"{place} is no place that stays", "take the row out of unmoved.py")


def still_places(proof: CourseCheck, chapter: Chapter, exercise: Exercise) -> tuple[list[str], int]:
    """Return the places of an exercise's probes with which no answer moves, and how many it has."""
    parts = compared_parts(proof.course.checks(chapter, proof.seed), exercise, chapter)
    probes = [probe for probe, _ in parts.values()]
    right = dict(zip(parts, answers(proof, chapter, [(p, p.args) for p in probes]), strict=True))
    waiting: dict[str, Iterator[Move]] = {}
    for program in dict.fromkeys(probe.program for probe in probes):
        waiting |= moves_of([probe for probe in probes if probe.program == program])
    count, most, answered = len(waiting), AT_FIRST, set[str]()
    for _ in range(2):
        tried = [move for moves in waiting.values() for move in islice(moves, most)]
        found = answers(proof, chapter, [(move.probe, move.args) for move in tried])
        for move, got in zip(tried, found, strict=True):
            of = id(move.probe)
            if got.kind == "arrays":
                answered.add(move.place)
            if has_moved(got, right[of], parts[of][1]):
                waiting.pop(move.place, None)
        most = 100
    return [place for place in waiting if place in answered], count


def compared_parts(
    checks: Sequence[Check], exercise: Exercise, chapter: Chapter
) -> dict[int, tuple[Probe, set[str]]]:
    """Map the identity of each probe to it and the parts of its answer that checks compare."""
    echoes = optional_table(f"exercises.{chapter.id}.unmoved", "ECHOES")
    found: dict[int, tuple[Probe, set[str]]] = {}
    for check in (c for c in checks if c.exercise == exercise.id and not c.costs):
        for probe in check.probes if check.part not in echoes else ():
            if not probe.predicate:
                found.setdefault(id(probe), (probe, set()))[1].add(check.part)
    return found


def answers(
    proof: CourseCheck, chapter: Chapter, calls: Sequence[tuple[Probe, tuple[Any, ...]]]
) -> list[Observation]:
    """Run the reference on these arguments of these probes' programs."""
    store = ArrayStore()
    orders = [
        (n, p.program, [encode_args(arg, store) for arg in args], p.seconds or PROBE_SECONDS, "")
        for n, (p, args) in enumerate(calls)
    ]
    arrays = {
        n: (dtype, tuple(shape), bytes(store.data[begin : begin + size]))
        for n, (dtype, shape, begin, size) in enumerate(store.index)
    }
    programs = collect_program_sources([probe for probe, _ in calls])
    course = proof.course
    request = job(course.solved(), modules(course, chapter), programs, orders, arrays)
    session = proof.session(proof.launch, request, dict.fromkeys(range(len(calls)), ""))
    session.run()
    run = session.close()
    return [run.observations[n] for n in range(len(calls))]


def has_moved(got: Observation, right: Observation, parts: set[str]) -> bool:
    """Whether a part that is compared is another one; a call that raises has no answer."""
    return got.kind == "arrays" and any(
        len(mine := got.parts.get(part, [])) != len(theirs := right.parts.get(part, []))
        or any(difference(*pair, "reference") for pair in zip(mine, theirs, strict=True))
        for part in parts
    )


def moves_of(probes: Sequence[Probe]) -> dict[str, Iterator[Move]]:
    """Map the places of one program's probes to their moves, of all probes in turn."""
    found: dict[str, list[list[Move]]] = {}
    names = parameters_of(probes[0])
    every = [dict(leaves_of(probe.args)) for probe in probes]
    for probe, leaves in zip(probes, every, strict=True):
        for path, leaf in leaves.items():
            others = [each[path] for each in every if path in each]
            place = f"{probe.program} {name_place(path, names)}"
            moved = [
                Move(probe, place, put(probe.args, path, new)) for new in others_of(leaf, others)
            ]
            found.setdefault(place, []).append(moved)
    return {place: in_turn(moves) for place, moves in found.items()}


def in_turn(lists: list[list[Move]]) -> Iterator[Move]:
    """Yield the first of each list, then the second of each, …"""
    for at in range(max(map(len, lists))):
        yield from (each[at] for each in lists if at < len(each))


def name_place(path: Path, names: Sequence[str]) -> str:
    """Return a place in words: ``state.head.weight``, ``tokens.0.2``."""
    first, *rest = path
    return ".".join([names[int(first)], *map(str, rest)])


def leaves_of(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the places of a value; each number of an array that holds no floats is one."""
    if isinstance(value, (list, tuple)):
        for at, each in enumerate(value):
            yield from leaves_of(each, (*path, at))
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from leaves_of(each, (*path, name))
    elif isinstance(value, np.ndarray) and value.dtype.kind != "f":
        for at, each in enumerate(value.flat):
            yield (*path, at), each
    else:
        yield path, value


def put(value: Any, path: Path, new: Any) -> Any:
    """Copy a value with another one at a place."""
    if not path:
        return new
    step, *rest = path
    if isinstance(value, np.ndarray):
        copy = value.copy()
        copy.flat[int(step)] = np.asarray(new).astype(value.dtype)  # -1 is 255 among bytes
        return copy
    if isinstance(value, dict):
        return {**value, step: put(value[step], tuple(rest), new)}
    at = int(step)
    return type(value)([*value[:at], put(value[at], tuple(rest), new), *value[at + 1 :]])


def others_of(leaf: Any, known: list[Any]) -> list[Any]:
    """Return what may stand in the place of a value; among it what stands there in other probes."""
    if isinstance(leaf, np.ndarray):
        new = leaf * 1.5, leaf + 0.75, leaf[::-1] if leaf.ndim else leaf - 0.5
        return [np.asarray(each, leaf.dtype) for each in new]  # one without axes stays an array
    if isinstance(leaf, (bool, np.bool_)):
        return [not leaf]
    others = [each for each in known if not isinstance(each, np.ndarray) and each != leaf]
    others = [each.item() if isinstance(each, np.generic) else each for each in others]
    if isinstance(leaf, np.generic):  # a number of an array: only numbers fit
        others = [each for each in others if isinstance(each, (int, float))]
    if isinstance(leaf, str):
        words = leaf.split()
        return [*others, " ".join(reversed(words))] if len(words) > 1 else others
    if isinstance(leaf, (int, np.integer)):
        return [*others, int(leaf) + 1, int(leaf) - 1]
    return [*others, leaf * 1.5, leaf + 0.75, leaf / 4] if isinstance(leaf, float) else others
