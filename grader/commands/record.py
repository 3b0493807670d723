"""`grader record`: ask PyTorch once, and write its answers into reviewable files."""

from __future__ import annotations

import argparse
import os
from typing import Any

from ..course.load import load
from ..errors import WrongUse
from ..making import pytorch
from .options import Options

SAYS = "record PyTorch's answers (needs torch)"
OPTIONS: Options = ()


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write `tests/recorded/chapterN.json` for every chapter."""
    if not pytorch.installed():
        raise WrongUse("Recording needs PyTorch: install the course with its `torch` extra.")
    from ..making.make import record

    for path in record(load()):
        print(f"wrote {os.path.relpath(path)}")
    return 0
