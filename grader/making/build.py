"""Builds the answer key: exercises + tests + solutions → what is right, and what mistakes give.

The reference and every mistake run through the same worker as a learner does. No answer enters
the key before the oracles agree on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..about import COURSE
from ..arrays import Array
from ..course import Chapter, Check, Exercise, Probe
from ..course.load import Course, blamed
from ..errors import OurFault
from ..judge.compare import difference
from ..key import file
from ..session.launch import Worker
from ..session.observation import Observation, Run
from ..session.session import Session, named
from . import pytorch, records
from .meaning import meanings
from .plain import modules, plain_args, programs, public, question, sentence, shown
from .settle import settled

if TYPE_CHECKING:
    from ..worker.request import Job

PROBE_SECONDS = 2.0
# How much longer than a learner's code ours may take: what the key holds is what the code gives,
# never what a busy machine had no time for.
PATIENCE = 6
COMPLEX = (
    "the numeric derivative hands over complex numbers: use functions that take them, or say "
    "analytic=False in the row"
)
TOLD = ("type", "message")  # of how a mistake ended

Progress = Callable[[str], None]
Told = tuple[dict[str, str], dict[str, list[Array]]]  # how a probe ended; or its arrays, by part


class Given(NamedTuple):
    """What a mistake gives, by the numbers of its probes."""

    name: str
    told: dict[int, Told]


class ChapterBuild:
    """Everything that is worked out for one chapter, step by step."""

    def __init__(
        self,
        course: Course,
        chapter: Chapter,
        seed: str,
        launch: Callable[[], Worker],
        session: Callable[..., Session] = Session,
    ) -> None:
        self.course = course
        self.chapter = chapter
        self.launch = launch
        self.new_session = session
        self.checks: list[Check] = course.checks(chapter, seed)
        self.arrays = file.Arrays()
        self.probes: list[Probe] = []
        self.names: list[str] = []
        self.owners: list[str] = []
        self.numbers: dict[int, int] = {}  # id of a probe → its number
        for check in self.checks:
            for i, probe in enumerate(check.probes):
                if id(probe) not in self.numbers:
                    self.numbers[id(probe)] = len(self.probes)
                    self.probes.append(probe)
                    self.names.append(f"{check.id}.{i}")
                    self.owners.append(check.exercise)
        self.lost: list[str] = []  # mistakes with which the package cannot be imported
        self.unrecorded: list[str] = []  # probes whose answer of PyTorch has to be recorded yet
        self.args = [plain_args(list(probe.args), self.arrays) for probe in self.probes]
        self.modules = modules(course, chapter)
        self.programs = programs(self.probes)
        self.used_parts: list[set[str]] = [set() for _ in self.probes]  # that any check looks at
        for check in self.checks:
            for probe in check.probes:
                self.used_parts[self.number(probe)].add(check.part)

    def number(self, probe: Probe) -> int:
        return self.numbers[id(probe)]

    def run(self, sources: dict[str, str], numbers: list[int]) -> Run:
        """Run these probes on a package."""
        request: Job = {
            "folder": f"solutions/{COURSE.name}",
            "files": {name: text.encode() for name, text in sources.items()},
            "modules": self.modules,
            "targets": [],
            "programs": self.programs,
            "arrays": {n: self._array(n) for n in named([self.args[n] for n in numbers])},
            "probes": [
                (n, probe.program, self.args[n], seconds * PATIENCE, self.owners[n])
                for n in numbers
                for probe in (self.probes[n],)
                for seconds in (probe.seconds or PROBE_SECONDS,)
            ],
            "import_seconds": 10.0,
        }
        session = self.new_session(self.launch, request, {n: self.owners[n] for n in numbers})
        session.run()
        return session.close()

    def _array(self, number: int) -> tuple[str, tuple[int, ...], bytes]:
        dtype, shape, offset, size = self.arrays.index[number]
        return dtype, tuple(shape), bytes(self.arrays.data[offset : offset + size])


def oracle_answers(
    build: ChapterBuild, recorded: records.Records, torch: Any, say: Progress
) -> list[dict[str, Any]]:
    """What each oracle gives for each probe, once all of them agree with the reference.

    Raises:
        OurFault: the reference fails, or the oracles do not agree; all such probes are named.
    """
    say("reference")
    reference = _reference(build)
    problems: list[str] = []
    answers = []
    for number, probe in enumerate(build.probes):
        say(f"oracles, {number} of {len(build.probes)}")
        answer = {"reference": reference[number]}
        if "finite_difference" in probe.oracles:
            answer["finite_difference"] = _asked(build, number, "finite_difference")
        if "numpy" in probe.oracles:
            problems += _disagree(build, number, answer, "numpy", _asked(build, number, "numpy"))
        if probe.twin is not None:
            twin, problem = _torch_answer(build, number, recorded, torch)
            problems += problem
            if twin is not None:
                answer["pytorch"] = twin
        for oracle in ("finite_difference", "pytorch"):
            if oracle in answer:
                problems += _disagree(build, number, answer, oracle, answer[oracle])
        answers.append(answer)
    if problems:
        raise OurFault("The oracles do not agree:\n  " + "\n  ".join(problems))
    return answers


def _asked(build: ChapterBuild, number: int, oracle: str) -> dict[str, list[Array]]:
    """What an oracle gives for a probe.

    Raises:
        OurFault: it raises; told with the probe's name.
    """
    with blamed(f"{build.names[number]}: its oracle {oracle}"):
        try:
            return _arrays(build.probes[number].oracles[oracle]())
        except TypeError as error:
            if oracle != "finite_difference" or "not supported" not in str(error):
                raise
            raise TypeError(f"{error}; {COMPLEX}") from error


def stored_answers(build: ChapterBuild, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each oracle gives for each probe, as the index holds it.

    Before the mistakes, so that the numbers of these arrays do not depend on them.
    """
    return [
        {
            oracle: build.arrays.add_parts(
                settled({p: a for p, a in parts.items() if p in used}, oracle)
            )
            for oracle, parts in answer.items()
        }
        for answer, used in zip(answers, build.used_parts, strict=True)
    ]


def given_by_mistakes(build: ChapterBuild, exercise: Exercise, say: Progress) -> list[Given]:
    """What each mistake of an exercise gives for that exercise's probes."""
    found = []
    for name, run in mistake_runs(build, exercise):
        say(f"{exercise.id}: {name}")
        if run.unloadable is not None:
            build.lost.append(f"{exercise.id}: {name}: {_why(run.unloadable)}")
        found.append(Given(name, {n: _told(build, n, o) for n, o in run.observations.items()}))
    return found


def stored_mistakes(build: ChapterBuild, given: Iterable[Given]) -> dict[int, dict[str, Any]]:
    """What each mistake gives: probe → name → outcome, as the index holds it.

    Raises:
        OurFault: with some of them the package cannot be imported; all are named.
    """
    stored: dict[int, dict[str, Any]] = {}
    for name, told in given:
        for number, (ended, parts) in told.items():
            outcome: Any = ended or {"parts": build.arrays.add_parts(parts)}
            stored.setdefault(number, {})[name] = outcome
    if build.lost:
        says = "With these mistakes the package cannot be imported:"
        raise OurFault("\n  ".join([says, *build.lost]))
    return stored


def _why(ended: Observation) -> str:
    """How an import ended, in a line."""
    told = ended.texts
    where = f" ({told['file']}, line {told['line']})" if told.get("file") else ""
    return f"{told.get('type', ended.kind)}: {told.get('message', '')}".rstrip(": ") + where


def _reference(build: ChapterBuild) -> list[dict[str, list[Array]]]:
    run = build.run(build.course.solved(), list(range(len(build.probes))))
    if run.unloadable is not None:
        raise OurFault(f"The reference cannot be imported: {_why(run.unloadable)}\n{run.output}")
    bad = [
        f"{build.names[n]}: {_why(o)}" for n, o in run.observations.items() if o.kind != "arrays"
    ]
    if bad:
        raise OurFault("The reference fails:\n  " + "\n  ".join(bad))
    return [run.observations[n].parts for n in range(len(build.probes))]


def mistake_runs(build: ChapterBuild, exercise: Exercise) -> Iterator[tuple[str, Run]]:
    """What each mistake of an exercise gives for that exercise's probes."""
    numbers = [n for n, owner in enumerate(build.owners) if owner == exercise.id]
    for mistake in exercise.mistakes:
        target = mistake.target or exercise.targets[0]
        yield mistake.name, build.run(build.course.patched({target: mistake.body}), numbers)


def _arrays(parts: Any) -> dict[str, list[Array]]:
    return {part: [as_plain(a) for a in arrays] for part, arrays in parts.items()}


def as_plain(array: Any) -> Array:
    """A NumPy array as a plain typed buffer."""
    array = np.asarray(array)
    return Array(array.dtype.name, array.shape, np.ascontiguousarray(array).tobytes())


def _torch_answer(
    build: ChapterBuild, number: int, recorded: records.Records, torch: Any
) -> tuple[dict[str, list[Array]] | None, list[str]]:
    """PyTorch's answer to a probe, where there is one, and what is wrong with it.

    The recorded one is preferred, once a PyTorch that is installed has agreed with it, so that a
    key does not depend on where it was built.
    """
    probe, name = build.probes[number], build.names[number]
    assert probe.twin is not None
    record = recorded.get(name, records.Inputs.of(probe.program, probe.args))
    live = None if torch is None else _arrays(pytorch.answer(torch, probe.twin))
    if record is None:
        build.unrecorded.append(name)
        return live, []
    kept = _arrays(record)
    if live is None:
        return kept, []
    return kept, _differences(name, live, kept, "pytorch", "the record of PyTorch")


def _disagree(
    build: ChapterBuild, number: int, answer: Any, oracle: str, theirs: dict[str, list[Array]]
) -> list[str]:
    return _differences(build.names[number], answer["reference"], theirs, oracle, oracle)


def _differences(
    name: str, yours: dict[str, list[Array]], theirs: dict[str, list[Array]], oracle: str, who: str
) -> list[str]:
    told = []
    for part, arrays in theirs.items():
        if len(yours.get(part, ())) != len(arrays):
            told.append(f"{name}: {who} gives {len(arrays)} arrays for {part}")
            continue
        for mine, right in zip(yours[part], arrays, strict=True):
            found = difference(mine, right, oracle, scalar_shape=True)
            if found is not None:
                told.append(f"{name}: {who} does not agree on {part}: {found.says}")
    return told


def _told(build: ChapterBuild, number: int, observation: Observation) -> Told:
    """Of an observation what diagnosis compares: where it ended is the mistake's own, and may
    move."""
    if observation.kind != "arrays":
        told = {key: observation.texts[key] for key in TOLD if key in observation.texts}
        return {"ended": observation.kind, **told}, {}
    used = build.used_parts[number]
    return {}, settled({part: a for part, a in observation.parts.items() if part in used})


def index(
    build: ChapterBuild, answers: list[dict[str, Any]], mistakes: dict[int, dict[str, Any]]
) -> dict[str, Any]:
    """The index of a chapter's slice, from what is stored already."""
    probes = [
        {
            "program": probe.program, "args": build.args[n], "call": probe.call,
            "shown": shown(probe, build.args[n]),
            "exercise": build.owners[n], "seconds": probe.seconds or PROBE_SECONDS,
            "answers": answers[n], "mistakes": mistakes.get(n, {}),
        }
        for n, probe in enumerate(build.probes)
    ]  # fmt: skip
    checks = [
        {
            "id": check.id, "exercise": check.exercise, "title": sentence(check),
            "part": check.part, "weight": check.weight, "hidden": check.hidden,
            "compare": check.compare, "scalar_shape": check.scalar_shape,
            "aside": check.aside, "probes": [build.number(probe) for probe in check.probes],
        }
        for check in build.checks
    ]  # fmt: skip
    texts = build.programs
    return {
        "id": build.chapter.id, "title": build.chapter.title, "checks": checks, "probes": probes,
        "exercises": [public(exercise) for exercise in build.chapter.exercises],
        "questions": [question(asked) for asked in build.chapter.questions],
        "programs": texts, "means": meanings(texts, (p.program for p in build.probes)),
        "modules": build.modules,
        "unrecorded": build.unrecorded,
    }  # fmt: skip
