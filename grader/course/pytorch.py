"""PyTorch's answers. The only module that imports torch, and only where it is asked to."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from . import Parts
from .syntax_tree import ONE_AT_A_TIME


def installed() -> bool:
    """Whether a torch could be imported here; nothing is imported to find out."""
    return importlib.util.find_spec("torch") is not None


def version() -> str | None:
    """Which torch that is, without importing it; None where none can be imported."""
    if not installed():
        return None
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return str(load().__version__)


def load() -> Any:
    """The torch module, on one thread: the arrays are tiny."""
    import torch

    torch.set_num_threads(1)
    return torch


def answer(torch: Any, twin: Callable[[Any], Parts]) -> Parts:
    """What a twin gives, as float64 NumPy arrays (other dtypes as they are).

    One at a time, since its random numbers belong to the whole process; and while nobody makes a
    tree, since PyTorch reads its own sources when some function is used for the first time. No
    device but the processor is asked, and `torch.manual_seed` would prepare for all of them.
    """
    with ONE_AT_A_TIME, torch.random.fork_rng(devices=()):
        torch.default_generator.manual_seed(0)
        return {part: [np.asarray(a) for a in arrays] for part, arrays in twin(torch).items()}
