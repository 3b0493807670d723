"""The checks of chapter 5: the parameters' paths over several steps, compared with PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from .base import init_checks, optimizer_checks
from .directions import direction_checks
from .paths import ADAM, ADAMW, SGD, path_checks
from .rates import clip_checks, schedule_checks


@ask_in_every_call("gradients", "wide", "float", "data", "list", "lr")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    yield from optimizer_checks(seed)
    yield from init_checks("SGD", "chapter5.sgd.init", seed)
    yield from path_checks("SGD", "chapter5.sgd.step", SGD, seed)
    yield from init_checks("Adam", "chapter5.adam.init", seed)
    yield from direction_checks(seed)
    yield from path_checks("Adam", "chapter5.adam.step", ADAM, seed)
    yield from path_checks("AdamW", "chapter5.adamw.step", ADAMW, seed)
    yield from clip_checks(seed)
    yield from schedule_checks(seed)
