"""`grader course new DIR`: a course of one's own, small and whole, to be written further."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from typing import Any

from ..classroom import bundle, new_course
from .options import Options

SAYS = "begin a course of your own (see docs/own-course.md)"
OPTIONS: Options = (
    (("what",), {"choices": ("new",)}),
    (("folder",), {"metavar": "DIR"}),
    (("--name",), {"metavar": "NAME", "help": "the package that learners write; else as DIR"}),
    (
        ("--chapter",),
        {
            "metavar": "WORD",
            "default": "chapter",
            "help": "what its parts are called: lesson, unit",
        },
    ),
    (("--title",), {"metavar": "TEXT", "help": "what is learned, in a line"}),
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write it, and say what to run next."""
    folder = os.path.abspath(options.folder)
    name = options.name or os.path.basename(folder).replace("-", "_")
    title = json.dumps(options.title or f"Learn by building {name}")[1:-1]
    bundle.write(new_course.files(name, options.chapter, title), folder)
    print(
        f"A course that is called {name}: {options.folder}\n"
        f"  use it    export GRADER_COURSE={shlex.quote(folder)}\n"
        f"  stubs     grader stubs\n"
        f"  prove it  grader audit\n"
        f"  try it    grader init work && cd work && grader check {options.chapter}1"
    )
    return 0
