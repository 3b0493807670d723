"""Build a chapter of the answer key from its exercises, tests and solutions.

Two processors, two versions of NumPy or two libms differ in the last bits of an exponential or a
matrix product. Answers are rounded to as many bits as their tolerance needs, so that the same
sources give the same key wherever it is built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..about import COURSE
from ..arrays import Array
from ..errors import OurFault
from ..sandbox.launch import Worker
from ..sandbox.observation import Observation, Run
from ..sandbox.session import Session
from . import Chapter, Check, Parts, Probe, key_file, pytorch
from .compare import COST, DATA, cost_bounds, data_difference, difference
from .key_encoding import (
    collect_program_sources,
    describe_check,
    encode_args,
    exercise_row,
    modules,
    name_shown_arrays,
    parameters_of,
    read_program_metadata,
    to_buffer,
)
from .key_file import Json, find_arrays
from .load import Course, blame_course

if TYPE_CHECKING:
    from ..sandbox.worker.request import Arrays, Job
    from ..sandbox.worker.request import Probe as Order


class Rounding(NamedTuple):
    """Mantissa bits that stay; what counts as zero, relative to an array's largest value or 1."""

    bits: int
    nothing: float


Roundings = Mapping[str, Rounding]  # by dtype; a small part of what `compare.TOLERANCES` allows
EXACT: Roundings = {"float64": Rounding(34, 2.0**-46), "float32": Rounding(20, 2.0**-22)}
DIFFERENCES: Roundings = {"float64": Rounding(26, 2.0**-27), "float32": Rounding(20, 2.0**-22)}


def round_answer(
    parts: Mapping[str, Sequence[Array]], oracle: str = "reference"
) -> dict[str, list[Array]]:
    """Round the arrays of an answer, as befits the oracle that gave it."""
    by = DIFFERENCES if oracle == "finite_difference" else EXACT
    return {part: [_rounded(array, by) for array in arrays] for part, arrays in parts.items()}


def _rounded(array: Array, by: Roundings) -> Array:
    if array.dtype not in by:
        return array
    bits, nothing = by[array.dtype]
    values = np.frombuffer(array.data, array.dtype)
    known = np.isfinite(values)
    mantissa, exponent = np.frexp(values)
    unit = 2.0**bits
    with np.errstate(over="ignore"):
        kept = np.ldexp(np.round(mantissa * unit) / unit, exponent)
    largest = np.max(np.abs(values), initial=1.0, where=known)
    kept[np.abs(kept) < nothing * largest] = 0.0
    beyond = ~np.isfinite(kept)  # not finite before, or the largest float, rounded upwards
    kept[beyond] = values[beyond]
    kept[np.isnan(values)] = np.nan  # one NaN for all signs and payloads
    return Array(array.dtype, array.shape, kept.astype(array.dtype).tobytes())


PROBE_SECONDS = 2.0
# Factor on the time limits of the course's own code: the key must not depend on a busy machine.
PATIENCE = 6
COMPLEX = (
    "the numeric derivative hands over complex numbers: use functions that take them, or say "
    "analytic=False in the row"
)

Progress = Callable[[str], None]
Answer = dict[str, dict[str, list[Array]]]  # oracle → part → arrays
Stored = dict[str, dict[str, list[int]]]  # the same, with numbers of arrays


@dataclass(eq=False)
class ChapterBuild:
    """The build of one chapter, step by step."""

    course: Course
    chapter: Chapter
    seed: str
    launch: Callable[[], Worker]
    new_session: Callable[..., Session] = Session

    def __post_init__(self) -> None:
        self.checks: list[Check] = self.course.checks(self.chapter, self.seed)
        self.arrays = key_file.ArrayStore()
        self.probes: list[Probe] = []
        self.names: list[str] = []
        self.owners: list[str] = []
        self.numbers: dict[int, int] = {}  # id() of a probe → its number
        for check in self.checks:
            for i, probe in enumerate(check.probes):
                if id(probe) not in self.numbers:
                    self.numbers[id(probe)] = len(self.probes)
                    self.probes.append(probe)
                    self.names.append(f"{check.id}.{i}")
                    self.owners.append(check.exercise)
        self.unrecorded: list[str] = []  # probes without a recorded answer of PyTorch
        self.args = list(map(self._args, self.probes, self.names))
        self.modules = modules(self.course, self.chapter)
        self.programs = collect_program_sources(self.probes)
        self.used_parts: list[set[str]] = [set() for _ in self.probes]  # by a check
        for check in self.checks:
            for probe in check.probes:
                self.used_parts[self.number(probe)].add(check.part)
        self.means = read_program_metadata(self.programs, (probe.program for probe in self.probes))
        for probe, used in zip(self.probes, self.used_parts, strict=True):
            names = self.means.get(probe.program, {}).get("names", {})
            used |= {names[part] for part in used & names.keys() if isinstance(names[part], str)}

    def number(self, probe: Probe) -> int:
        return self.numbers[id(probe)]

    def _args(self, probe: Probe, name: str) -> list[object]:
        try:
            return [encode_args(arg, self.arrays) for arg in probe.args]
        except OurFault as error:
            raise OurFault(f"{name}: {error}") from error

    def run(self, sources: dict[str, str]) -> Run:
        """Run all probes on a package."""
        orders: list[Order] = [
            (n, p.program, self.args[n], p.seconds or PROBE_SECONDS, self.owners[n])
            for n, p in enumerate(self.probes)
        ]
        arrays = {n: self.array(n) for n in find_arrays(self.args)}
        request = job(sources, self.modules, self.programs, orders, arrays)
        request["predicates"] = {n: p.predicate for n, p in enumerate(self.probes) if p.predicate}
        parts = enumerate(self.used_parts)
        request["looked_at"] = {n: sorted(used) for n, used in parts if COST in used}
        session = self.new_session(self.launch, request, dict(enumerate(self.owners)))
        session.run()
        return session.close()

    def array(self, number: int) -> tuple[str, tuple[int, ...], bytes]:
        dtype, shape, offset, size = self.arrays.index[number]
        return dtype, tuple(shape), bytes(self.arrays.data[offset : offset + size])


def job(
    sources: dict[str, str], modules: list[str], programs: dict[str, str],
    probes: list[Order], arrays: Arrays,
) -> Job:  # fmt: skip
    """Create a job that runs code of the course's own, with time to spare."""
    return {
        "folder": f"solutions/{COURSE.name}",
        "files": {name: text.encode() for name, text in sources.items()},
        "modules": modules,
        "targets": [],
        "programs": programs,
        "arrays": arrays,
        "probes": [(n, name, args, s * PATIENCE, owner) for n, name, args, s, owner in probes],
        "import_seconds": 10.0,
    }


def oracle_answers(
    build: ChapterBuild, recorded: pytorch.Records, torch: ModuleType | None, say: Progress
) -> list[Answer]:
    """Return the answers of each oracle for each probe, once all agree with the reference.

    Raises:
        OurFault: the reference fails, or the oracles do not agree; all such probes are named.
    """
    say("reference")
    reference = _reference(build)
    problems: list[str] = []
    answers = []
    for number, probe in enumerate(build.probes):
        say(f"oracles, {number} of {len(build.probes)}")
        mine, name = reference[number], build.names[number]
        answer = {"reference": mine}
        if "finite_difference" in probe.oracles:
            answer["finite_difference"] = _asked(build, number, "finite_difference")
        for oracle in (name for name in probe.oracles if name != "finite_difference"):
            formula = _asked(build, number, oracle)
            problems += _differences(name, mine, formula, "numpy", oracle)
        if probe.twin is not None:
            twin, problem = _torch_answer(build, number, recorded, torch)
            problems += problem
            if twin is not None:
                answer["pytorch"] = twin
        for oracle in ("finite_difference", "pytorch"):
            if oracle in answer:
                problems += _differences(name, mine, answer[oracle], oracle, oracle)
        answers.append(answer)
    if problems:
        raise OurFault("The oracles do not agree:\n  " + "\n  ".join(problems))
    return answers


def _asked(build: ChapterBuild, number: int, oracle: str) -> dict[str, list[Array]]:
    """Ask an oracle for a probe's answer; what it raises is blamed on the course."""
    with blame_course(f"{build.names[number]}: its oracle {oracle}"):
        try:
            return _arrays(build.probes[number].oracles[oracle]())
        except TypeError as error:
            if oracle != "finite_difference" or "not supported" not in str(error):
                raise
            raise TypeError(f"{error}; {COMPLEX}") from error


def stored_answers(build: ChapterBuild, answers: list[Answer]) -> list[Stored]:
    """Round the answers of each probe and store their arrays; return the arrays' numbers."""
    return [
        {
            oracle: build.arrays.add_parts(
                round_answer({p: a for p, a in parts.items() if p in used}, oracle)
            )
            for oracle, parts in answer.items()
        }
        for answer, used in zip(answers, build.used_parts, strict=True)
    ]


def why(ended: Observation) -> str:
    """Describe the end of a run in one line."""
    told = ended.texts
    where = f" ({told['file']}, line {told['line']})" if told.get("file") else ""
    return f"{told.get('type', ended.kind)}: {told.get('message', '')}".rstrip(": ") + where


def _reference(build: ChapterBuild) -> list[dict[str, list[Array]]]:
    run = build.run(build.course.solved())
    if run.unloadable is not None:
        raise OurFault(f"The reference cannot be imported: {why(run.unloadable)}\n{run.output}")
    bad = [f"{build.names[n]}: {why(o)}" for n, o in run.observations.items() if o.kind != "arrays"]
    if bad:
        raise OurFault("The reference fails:\n  " + "\n  ".join(bad))
    return [run.observations[n].parts for n in range(len(build.probes))]


def _arrays(parts: Parts) -> dict[str, list[Array]]:
    return {part: [to_buffer(a) for a in arrays] for part, arrays in parts.items()}


def _torch_answer(
    build: ChapterBuild, number: int, recorded: pytorch.Records, torch: ModuleType | None
) -> tuple[dict[str, list[Array]] | None, list[str]]:
    """Return PyTorch's answer to a probe, if there is one, and any problems with it.

    The recorded one is preferred, once an installed PyTorch has agreed with it, so that a key does
    not depend on where it was built.
    """
    probe, name = build.probes[number], build.names[number]
    assert probe.twin is not None
    record = recorded.get(name, pytorch.Inputs.of(probe.program, probe.args))
    live = None if torch is None else _arrays(pytorch.run_twin(torch, probe.twin))
    if record is None:
        build.unrecorded.append(name)
        return live, []
    kept = _arrays(record)
    if live is None:
        return kept, []
    return kept, _differences(name, live, kept, "pytorch", "the record of PyTorch")


def _differences(
    name: str, yours: dict[str, list[Array]], theirs: dict[str, list[Array]], oracle: str, who: str
) -> list[str]:
    told = []
    for part, arrays in theirs.items():
        if len(yours.get(part, ())) != len(arrays):
            told.append(f"{name}: {who} gives {len(arrays)} arrays for {part}")
            continue
        for mine, right in zip(yours[part], arrays, strict=True):
            found = (
                data_difference(mine, right, oracle)
                if part == DATA
                else difference(mine, right, oracle, scalar_shape=True)
            )
            if found is not None:
                told.append(f"{name}: {who} does not agree on {part}: {found.says}")
    return told


def _bounds(build: ChapterBuild, check: Check, answers: list[Stored]) -> dict[str, int]:
    """Return the bounds of a check of cost."""
    (probe,) = check.probes
    names = dict(zip(parameters_of(probe), probe.args, strict=False))
    (spent,) = answers[build.number(probe)]["reference"][COST]
    return cost_bounds(check.id, check.costs, names, Array(*build.array(spent)))


def index(build: ChapterBuild, answers: list[Stored]) -> Json:
    """Return the index of a chapter's slice, for answers that are already stored."""
    probes = [
        {
            "program": probe.program, "args": build.args[n], "call": probe.call,
            "shown": name_shown_arrays(probe, build.args[n]),
            "exercise": build.owners[n], "seconds": probe.seconds or PROBE_SECONDS,
            "answers": answers[n],
            **({"predicate": probe.predicate} if probe.predicate else {}),
        }
        for n, probe in enumerate(build.probes)
    ]  # fmt: skip
    checks = [
        {
            "id": check.id, "exercise": check.exercise, "title": describe_check(check),
            "part": check.part, "weight": check.weight, "hidden": check.hidden,
            "compare": check.compare, "scalar_shape": check.scalar_shape,
            "aside": check.aside, "probes": [build.number(probe) for probe in check.probes],
            **({"costs": _bounds(build, check, answers)} if check.costs else {}),
        }
        for check in build.checks
    ]  # fmt: skip
    formulas = build.course.formulas
    return {
        "id": build.chapter.id, "title": build.chapter.title, "checks": checks, "probes": probes,
        "exercises": [
            exercise_row(e) | ({"formula": formulas[e.id]} if e.id in formulas else {})
            for e in build.chapter.exercises
        ],
        "questions": [asdict(question) for question in build.chapter.questions],
        "programs": build.programs, "means": build.means,
        "modules": build.modules,
        "unrecorded": build.unrecorded,
    }  # fmt: skip
