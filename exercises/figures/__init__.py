"""The figures that a chapter can name: what each of them draws, with numbers of the reference.

A row of `FIGURES` is a kind of drawing, which a script of the book's knows, and what describes it.
"""

from __future__ import annotations

from collections.abc import Callable

from . import answers, arrays, blocks, errors, graphs, networks, programs, runs, small, strided
from .given import Described

FIGURES: dict[str, tuple[str, Callable[[], Described]]] = {
    "product": ("graph", graphs.product),
    "neuron": ("graph", graphs.neuron),
    "fit": ("graph", graphs.fit),
    "nudge": ("nudge", graphs.nudge),
    "diamonds": ("diamonds", dict),
    "xor": ("xor", dict),
    "race": ("race", dict),
    "broadcast": ("broadcast", arrays.broadcast),
    "transpose": ("transpose", arrays.transpose),
    "sum": ("sum", arrays.total),
    "matmul": ("matmul", arrays.matmul),
    "im2col": ("im2col", arrays.im2col),
    "dilate": ("dilate", arrays.dilate),
    "moons": ("moons", networks.moons),
    "deep": ("deep", networks.deep),
    "batch": ("batch", arrays.batch),
    "attention": ("attention", networks.attention),
    "modes": ("modes", graphs.modes),
    "memory": ("memory", runs.memory),
    "resume": ("resume", runs.resume),
    "forget": ("forget", runs.forget),
    "stopping": ("stopping", runs.stopping),
    "trial": ("trial", dict),
    "step": ("step", errors.step),
    "ravine": ("ravine", small.ravine),
    "clip": ("clip", small.clip),
    "schedules": ("schedules", small.schedules),
    "tokens": ("tokens", small.tokens),
    "spread": ("spread", small.spread),
    "means": ("means", small.means),
    "idx": ("idx", arrays.idx),
    "block": ("block", blocks.block),
    "loader": ("loader", arrays.loader),
    "alias": ("alias", arrays.alias),
    "walks": ("walks", graphs.walks),
    "paths": ("paths", graphs.paths),
    "passes": ("program", programs.passes),
    "buffers": ("program", programs.buffers),
    "cache": ("program", answers.cache),
    "strides": ("strides", strided.strides),
    "lines": ("lines", strided.lines),
}
