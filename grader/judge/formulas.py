"""What the course's `formulas.py` says of single calls; nothing where a course has none.

It stands beside `course.json`, and goes wherever that goes: where a release is judged there are no
sources, and a learner is still told which of several calls is at fault.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .. import root
from ..about import FORMULAS
from ..errors import OurFault

# One node of the graph: the op, what it is made with, and which arguments of the call it takes;
# -1 is what the step before gave.
Step = tuple[str, tuple[Any, ...], tuple[int, ...]]
NUDGE = 1e-30


def _said() -> dict[str, Any]:
    """All names of the course's file, which is never looked for where a learner could put one.

    Raises:
        OurFault: it cannot be read.
    """
    from importlib.util import module_from_spec, spec_from_file_location

    path = root.path(FORMULAS)
    if not os.path.exists(path):
        return {}
    spec = spec_from_file_location("grader_formulas", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise OurFault(f"{path} cannot be read: {type(error).__name__}: {error}") from error
    return vars(module)


_SAID = _said()
# The module whose classes have rows in the course's table.
OPS: str = _SAID.get("OPS", "")
# Operator, method or function → from the shape of its first argument and the arguments after it
# to the nodes that it makes.
NODES: dict[str, Callable[..., list[Step]]] = _SAID.get("NODES", {})
# A rule on plain numbers → the formula, through which complex numbers pass.
NUMBERS: dict[str, Callable[..., Any]] = _SAID.get("NUMBERS", {})
# Of these, whose second argument is a number and has no slope.
PLAIN_SECOND: tuple[str, ...] = _SAID.get("PLAIN_SECOND", ())
# Engine → what made a node → the op with the same formula, and the names under which the node
# remembers what that op is made with.
ENGINES: dict[str, dict[str, tuple[str, ...]]] = _SAID.get("ENGINES", {})


def slopes(formula: Callable[..., Any], numbers: list[float]) -> list[float]:
    """The derivative in each of the numbers, by the complex step."""
    return [
        complex(formula(*(complex(x, NUDGE * (i == at)) for i, x in enumerate(numbers)))).imag
        / NUDGE
        for at in range(len(numbers))
    ]
