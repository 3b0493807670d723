"""PyTorch's answers as recorded files, so that a machine without torch is checked against it.

One JSON file per chapter in `tests/recorded/`, a line per array, made to be read in a review.
Floats are written so that they read back to the last bit. An answer is looked up under its
check and probe, and is used only where a digest shows that it was made from the same inputs.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import numpy as np

from ..course import Parts
from ..errors import OurFault


def digest(program: str, args: Any) -> str:
    """Names the inputs of a probe: two calls with the same digest get the same answer."""
    text = json.dumps([program, _plain(args)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [value.dtype.name, list(value.shape), value.ravel().tolist()]
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, slice):
        return ["slice", value.start, value.stop, value.step]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


class Records:
    """The recorded answers of one chapter."""

    def __init__(self, version: str | None, answers: dict[str, Any]) -> None:
        self.version = version
        self.answers = answers

    @classmethod
    def read(cls, path: str) -> Records:
        """The records at ``path``; empty ones where there is no file."""
        if not os.path.exists(path):
            return cls(None, {})
        with open(path, encoding="utf-8") as file:
            try:
                data = json.load(file)
                return cls(data["torch"], data["answers"])
            except (ValueError, KeyError) as error:
                raise OurFault(f"{path} is damaged ({error}); run `grader record`.") from error

    def get(self, name: str, inputs: str) -> Parts | None:
        """The answer under ``name``, if it was recorded from these inputs."""
        entry = self.answers.get(name)
        if entry is None or entry["inputs"] != inputs:
            return None
        return {
            part: [np.array(flat, dtype).reshape(shape) for dtype, shape, flat in arrays]
            for part, arrays in entry["parts"].items()
        }

    def put(self, name: str, inputs: str, parts: Parts) -> None:
        self.answers[name] = {
            "inputs": inputs,
            "parts": {
                part: [[a.dtype.name, list(a.shape), a.ravel().tolist()] for a in arrays]
                for part, arrays in parts.items()
            },
        }

    def write(self, path: str) -> None:
        """Deterministic: sorted, a line per array."""
        lines = []
        for name in sorted(self.answers):
            entry = self.answers[name]
            arrays = [
                f"   {json.dumps(part)}: [\n"
                + ",\n".join(f"    {json.dumps(a)}" for a in each)
                + "]"
                for part, each in sorted(entry["parts"].items())
            ]
            lines.append(
                f' {json.dumps(name)}: {{"inputs": "{entry["inputs"]}", "parts": {{\n'
                + ",\n".join(arrays)
                + "}}"
            )
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'{{"torch": "{self.version}", "answers": {{\n')
            file.write(",\n".join(lines) + "\n}}\n")
