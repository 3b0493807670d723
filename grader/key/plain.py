"""How programs, arguments and exercises look inside the key: plain JSON values."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..arrays import Array
from ..course import Check, Exercise, Probe
from . import file


def plain_args(value: Any, arrays: file.Arrays) -> Any:
    """Arguments as JSON: an array becomes its number, a tuple says that it is one."""
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value).tobytes()
        return {"array": arrays.add(Array(value.dtype.name, value.shape, data))}
    if isinstance(value, tuple):
        return {"tuple": [plain_args(item, arrays) for item in value]}
    if isinstance(value, list):
        return [plain_args(item, arrays) for item in value]
    if isinstance(value, dict):
        return {key: plain_args(item, arrays) for key, item in value.items()}
    return value


def programs(probes: Iterable[Probe]) -> dict[str, str]:
    """The texts of the modules that the probes need; all of them lean on the harness."""
    names = {"__init__", "harness", *(probe.program.partition(".")[0] for probe in probes)}
    texts = {}
    for name in sorted(names):
        module = "tests.programs" + ("" if name == "__init__" else f".{name}")
        texts[name] = inspect.getsource(importlib.import_module(module)) or '""""""\n'
    return texts


def sentence(check: Check) -> str:
    """What the learner reads: the check's own words, else the program's docstring."""
    if check.says:
        return check.says
    probe = check.probes[0]
    module, _, name = probe.program.partition(".")
    program = getattr(importlib.import_module(f"tests.programs.{module}"), name)
    parameters = list(inspect.signature(program).parameters)[1:]
    doc = (program.__doc__ or "").strip().splitlines()[0]
    return doc.format(**dict(zip(parameters, probe.args, strict=False)))


def public(exercise: Exercise) -> dict[str, Any]:
    """What the key holds of an exercise."""
    return {
        "id": exercise.id,
        "section": exercise.section,
        "title": exercise.title,
        "targets": list(exercise.targets),
        "points": exercise.points,
        "needs": list(exercise.needs),
        "given": exercise.given,
        "anchor": exercise.anchor,
        "minutes": exercise.minutes,
        "difficulty": exercise.difficulty,
        "hints": list(exercise.hints),
        "mistakes": {mistake.name: mistake.says for mistake in exercise.mistakes},
    }
