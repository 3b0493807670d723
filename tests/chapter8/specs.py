"""Modules as plain data, and what right code makes of them: by the words, and by PyTorch.

A spec is ``[kind, content]``; the programs build the same modules out of it in the learner's
package. In PyTorch a list of modules is a ModuleList, a list of parameters a ParameterList, and
so on; what is no parameter is a buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import REAL

Spec = list[Any]
Values = dict[str, np.ndarray]


def drawn(rng: Random, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    return [np.asarray(REAL.draw(rng, shape)) for shape in shapes]


# What ends a path, and what it is called.
ARRAYS = {
    "parameter": "Parameter", "trained": "Parameter", "tensor": "Tensor", "array": "ndarray",
    "integers": "ndarray",
}  # fmt: skip
# What holds itself as its last item, and what it looks like.
KNOTS = {"knotted_list": "list", "knotted_dict": "dict", "knotted_tuple": "tuple"}


def learned(values: np.ndarray) -> Spec:
    return ["parameter", values]


def module(**items: Spec) -> Spec:
    return ["module", items]


def flat(spec: Spec) -> Values:
    """Path → values, by the words of `named_state`, for a spec without a cycle."""
    return dict(_flat(spec, (), {}))


def _flat(
    spec: Spec, path: tuple[str, ...], known: dict[str, Spec]
) -> Iterator[tuple[str, np.ndarray]]:
    kind, content = spec
    if kind in ARRAYS:
        yield ".".join(path), content
    elif kind == "again":
        if content != "root":  # the module that everything is in
            yield from _flat(known[content], path, known)
    elif kind not in ("plain", "object"):
        items = content.items() if isinstance(content, dict) else enumerate(content)
        for name, item in items:
            if isinstance(name, str):
                known[name] = item
            yield from _flat(item, (*path, str(name)), known)


def told(spec: Spec) -> str:
    """The module as a learner would write it down: ``Module(layers=[Module(w=Parameter)])``."""
    kind, content = spec
    if kind == "module":
        return f"Module({', '.join(f'{name}={told(item)}' for name, item in content.items())})"
    if kind in ("dict", "numbered"):
        keys = {name: name if kind == "numbered" else repr(name) for name in content}
        return f"{{{', '.join(f'{keys[name]}: {told(item)}' for name, item in content.items())}}}"
    if kind in ("list", "tuple"):
        inner = ", ".join(map(told, content))
        return f"[{inner}]" if kind == "list" else f"({inner},)"
    if kind in KNOTS:
        return f"{told([KNOTS[kind], content])} that holds itself"
    if kind == "again":
        return "the outermost Module" if content == "root" else f"the same {content}"
    return ARRAYS.get(kind) or ("another object" if kind == "object" else repr(content))


def twin(torch: Any, spec: Spec) -> Any:
    """The same module in PyTorch."""
    return _Twin(torch).make(spec)


class _Twin:
    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.known: dict[str, Any] = {}

    def make(self, spec: Spec) -> Any:
        kind, content = spec
        nn = self.torch.nn
        if kind in ("parameter", "trained"):
            return nn.Parameter(self.torch.tensor(content))
        if kind in ARRAYS:
            return nn.Buffer(self.torch.tensor(content))
        if kind in ("list", "tuple"):
            made = [self.make(item) for item in content]
            return (nn.ParameterList if _all_parameters(content) else nn.ModuleList)(made)
        if kind == "dict":
            items = {name: self.make(item) for name, item in content.items()}
            return (nn.ParameterDict if _all_parameters(content.values()) else nn.ModuleDict)(items)
        return self.module(content) if kind == "module" else self.other(kind, content)

    def module(self, items: dict[str, Spec]) -> Any:
        made = self.torch.nn.Module()
        for name, item in items.items():
            self.known[name] = self.make(item)
            setattr(made, name, self.known[name])
        return made

    def other(self, kind: str, content: Any) -> Any:
        return self.known[content] if kind == "again" else content


def _all_parameters(specs: Any) -> bool:
    return all(kind == "parameter" for kind, _ in specs)


def nested(torch: Any, arrays: Values) -> Any:
    """A PyTorch module whose state has these names and values."""
    root = torch.nn.Module()
    for path, array in arrays.items():
        at, (*outer, name) = root, path.split(".")
        for step in outer:
            if not hasattr(at, step):
                at.add_module(step, torch.nn.Module())
            at = getattr(at, step)
        at.register_parameter(name, torch.nn.Parameter(torch.tensor(array)))
    return root


def in_order(state: Values) -> list[np.ndarray]:
    return [state[name] for name in sorted(state)]
