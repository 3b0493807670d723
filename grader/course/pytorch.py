"""PyTorch's answers: computed by PyTorch, or read from recorded files.

No other module imports torch, and this one only on demand. There is one JSON file per chapter in
`tests/recorded/`, a line per array, made to be read in a review. Floats are written so that they
read back to the last bit. An answer is looked up under its check and probe, and is used only if its
recorded inputs agree with the inputs now: floats within rounding, since another processor, NumPy or
libm may end in another last bit, and all else exactly.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ..errors import OurFault
from . import Parts
from .syntax_tree import ONE_AT_A_TIME


def is_torch_installed() -> bool:
    """Whether a torch could be imported here; nothing is imported to find out."""
    return importlib.util.find_spec("torch") is not None


def version() -> str | None:
    """Return torch's version, mostly without importing it; None if it is not installed."""
    if not is_torch_installed():
        return None
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return str(import_torch().__version__)


def import_torch() -> ModuleType:
    """Import torch, on one thread: the arrays are tiny."""
    import torch

    torch.set_num_threads(1)
    return torch


def run_twin(torch: ModuleType, twin: Callable[[Any], Parts]) -> Parts:
    """Return a twin's answer, as float64 NumPy arrays (other dtypes as they are).

    One at a time, since its random numbers belong to the whole process; and while nobody makes a
    tree, since PyTorch reads its own sources when some function is used for the first time. Only
    the CPU's generator is seeded, as `torch.manual_seed` would prepare all devices.
    """
    with ONE_AT_A_TIME, torch.random.fork_rng(devices=()):
        torch.default_generator.manual_seed(0)
        return {part: [np.asarray(a) for a in arrays] for part, arrays in twin(torch).items()}


# Relative. Far above any rounding of a float64, far below the effect of one other drawn value.
ROUNDING = 1e-7
SOME_ROUNDINGS = 2**10  # in an answer, in units of the last place
# Irrational steps: each position of a probe's floats gets its own weight, 1 + i * step % 1. For
# sqrt(3) these are 1.73, 1.46, 1.20, …, so that swapping two values changes the sum.
STEPS = (math.sqrt(5) / 2, math.sqrt(3))


class Inputs(NamedTuple):
    """Fingerprint of a call's inputs, which need not be written down in full."""

    form: str  # a digest of everything exact: program, types, shapes, whole numbers, texts
    sums: tuple[float, ...]  # of the floats: their magnitudes, then two weighted sums

    @classmethod
    def of(cls, program: str, args: object) -> Inputs:
        floats: list[float] = []
        text = json.dumps([program, _form(args, floats)], sort_keys=True)
        weighted = (
            math.fsum((1 + i * step % 1) * x for i, x in enumerate(floats, 1)) for step in STEPS
        )
        return cls(
            hashlib.sha256(text.encode()).hexdigest()[:16],
            (math.fsum(map(abs, floats)), *weighted),
        )

    def agree(self, others: Inputs) -> bool:
        """Whether these are the same inputs but for rounding."""
        allowed = ROUNDING * (self.sums[0] or 1.0)
        return self.form == others.form and all(
            abs(a - b) <= allowed for a, b in zip(self.sums, others.sums, strict=True)
        )


def _form(value: object, floats: list[float]) -> object:
    """Return ``value`` as JSON without its finite floats, which are appended to ``floats``."""
    if isinstance(value, np.ndarray):
        listed = value.ravel().tolist()
        return [value.dtype.name, list(value.shape), _form(listed, floats)]
    if isinstance(value, (list, tuple)):
        return [_form(item, floats) for item in value]
    if isinstance(value, slice):
        return ["slice", value.start, value.stop, value.step]
    if isinstance(value, dict):
        return {str(key): _form(item, floats) for key, item in sorted(value.items())}
    if isinstance(value, float) and math.isfinite(value):
        floats.append(float(value))
        return "float"
    return value


class Entry(NamedTuple):
    """A recorded answer and the inputs that it belongs to."""

    inputs: Inputs
    parts: Parts

    def says(self, other: Entry) -> bool:
        """Whether this is the same answer to the same inputs, but for rounding."""
        mine, others = self.parts, other.parts
        return (
            self.inputs.agree(other.inputs)
            and mine.keys() == others.keys()
            and all(len(mine[part]) == len(others[part]) for part in mine)
            and all(all(map(_close, mine[part], others[part])) for part in mine)
        )


class Records:
    """The recorded answers of one chapter."""

    def __init__(self, version: str | None, entries: dict[str, Entry]) -> None:
        self.version = version
        self.entries = entries

    @classmethod
    def read(cls, path: str) -> Records:
        """Read the records at ``path``; empty ones if there is no file."""
        if not os.path.exists(path):
            return cls(None, {})
        try:
            data = json.loads(Path(path).read_text("utf-8"))
            return cls(data["torch"], {n: _read(e) for n, e in data["answers"].items()})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OurFault(f"{path} is damaged ({error}); run `grader record`.") from error

    def get(self, name: str, inputs: Inputs) -> Parts | None:
        """Return the answer under ``name``, if it was recorded from these inputs."""
        entry = self.entries.get(name)
        return entry.parts if entry is not None and entry.inputs.agree(inputs) else None

    def renew(self, answers: Mapping[str, tuple[Inputs, Parts]]) -> bool:
        """Keep these answers and no others; return whether that changed anything.

        A record from the same inputs with the same answer, but for rounding, is left alone: another
        machine ends in other last bits, and a review shows only what is new.
        """
        renewed = {}
        for name, (inputs, parts) in answers.items():
            old, new = self.entries.get(name), Entry(inputs, parts)
            renewed[name] = old if old is not None and old.says(new) else new
        changed = renewed.keys() != self.entries.keys() or any(
            renewed[name] is not self.entries[name] for name in renewed
        )
        self.entries = renewed
        return changed

    def write(self, path: str) -> None:
        """Write the file deterministically: sorted, a line per array."""
        told = ",\n".join(_told(name, self.entries[name]) for name in sorted(self.entries))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        text = f'{{"torch": "{self.version}", "answers": {{\n{told}\n}}}}\n'
        Path(path).write_text(text, "utf-8")


def _read(entry: Any) -> Entry:
    form, *sums = entry["inputs"]
    parts = {
        part: [np.array(flat, dtype).reshape(shape) for dtype, shape, flat in arrays]
        for part, arrays in entry["parts"].items()
    }
    return Entry(Inputs(form, tuple(map(float, sums))), parts)


def _told(name: str, entry: Entry) -> str:
    """Format an entry as it stands in the file."""
    parts = []
    for part, arrays in sorted(entry.parts.items()):
        lines = ([a.dtype.name, list(a.shape), a.ravel().tolist()] for a in arrays)
        told = ",\n".join(f"    {json.dumps(line)}" for line in lines)
        parts.append(f"   {json.dumps(part)}: [\n{told}]")
    inputs = json.dumps([entry.inputs.form, *entry.inputs.sums])
    return f' {json.dumps(name)}: {{"inputs": {inputs}, "parts": {{\n' + ",\n".join(parts) + "}}"


def _close(old: np.ndarray, new: np.ndarray) -> bool:
    """Whether these are the same but for rounding."""
    if old.dtype != new.dtype or old.shape != new.shape:
        return False
    if old.dtype.kind != "f":
        return bool(np.array_equal(old, new))
    few = SOME_ROUNDINGS * float(np.finfo(old.dtype).eps)
    largest = float(np.max(np.abs(old), initial=0.0, where=np.isfinite(old)))
    return bool(np.allclose(old, new, rtol=few, atol=few * largest, equal_nan=True))
