"""One module per command. This one knows their names and options; each is imported when run."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from typing import Any

from .. import __version__
from ..session.isolation import LEVELS
from ..streams import columns

# command → (its one sentence, its options); an option is (flags, settings of argparse).
PACKAGE = (("--package",), {"metavar": "DIR", "help": "the babygrad folder, or the one around it"})
CHAPTERS = (("--chapters",), {"nargs": "+", "metavar": "CHAPTER", "help": "only these"})
COURSE = (("--course",), {"metavar": "course.toml", "help": "the instructor's own course on top"})
DATABASE = (("--db",), {"metavar": "URL", "help": "the gradebook's database, as SQLAlchemy has it"})
NAMES = (("names",), {"nargs": "*", "metavar": "NAME", "help": "chapter3, 3.4, chapter3.div …"})
EXERCISE = (("name",), {"metavar": "EXERCISE", "help": "chapter3.div.backward"})

COMMANDS: dict[str, tuple[str, list[tuple[tuple[str, ...], dict[str, Any]]]]] = {
    "init": (
        "make a workspace to learn in",
        [
            (("folder",), {"metavar": "DIR"}),
            (("--from",), {"dest": "first", "metavar": "CHAPTER",
                           "help": "begin at this chapter; those before it come solved"}),
        ],
    ),
    "check": (
        "say what is right, what is wrong and why",
        [
            NAMES,
            PACKAGE,
            (("--json",), {"action": "store_true", "help": "print the canonical result"}),
            (("--isolation",), {"choices": LEVELS, "default": LEVELS[0], "metavar": "LEVEL",
                                "help": "refuse to run anything with less than this: "
                                + " or ".join(LEVELS)}),
            (("--fail-fast",), {"action": "store_true", "help": "stop at the first fault"}),
        ],
    ),
    "hint": (
        "one more hint for an exercise, never the answer",
        [(("name",), {"metavar": "EXERCISE", "nargs": "?"}), PACKAGE],
    ),
    "show": ("what an exercise asks, and what it needs", [EXERCISE, PACKAGE]),
    "repro": (
        "a short script with the smallest call that fails",
        [
            EXERCISE,
            PACKAGE,
            (("--out",), {"metavar": "FILE", "help": "write it there instead of printing it"}),
        ],
    ),
    "solution": (
        "how the course writes an exercise that you have passed",
        [
            EXERCISE,
            PACKAGE,
            (("--reveal",), {"action": "store_true",
                             "help": "before it is passed, too; your workspace keeps that"}),
        ],
    ),
    "reset": (
        "the stub of one exercise again; your version is kept",
        [
            EXERCISE,
            PACKAGE,
            (("--yes",), {"action": "store_true", "help": "do not ask first"}),
        ],
    ),
    "watch": ("check again whenever you save", [NAMES, PACKAGE]),
    "status": ("how far you are, what is next and what was lost", [PACKAGE]),
    "quiz": (
        "predict what a few lines do, then see",
        [
            (("chapter",), {"metavar": "CHAPTER"}),
            PACKAGE,
            (("--again",), {"action": "store_true", "help": "ask what you have answered, too"}),
        ],
    ),
    "release": (
        "write what learners get, once it is proved to give nothing away",
        [
            (("out",), {"metavar": "OUT"}),
            CHAPTERS,
            (("--earlier",), {"choices": ("given", "own"), "default": "given",
                              "help": "chapters before: solved, or the learner's own"}),
            COURSE,
        ],
    ),
    "update": (
        "bring a later release into this workspace; what you wrote stays",
        [(("bundle",), {"metavar": "BUNDLE"}), PACKAGE],
    ),
    "grade": (
        "judge a class: folders, archives, notebooks",
        [
            (("submissions",), {"nargs": "+", "metavar": "SUBMISSIONS"}),
            (("--out",), {"required": True, "metavar": "RESULTS", "help": "the folder of results"}),
            CHAPTERS,
            (("--jobs",), {"type": int, "metavar": "N", "help": "how many at once; all cores"}),
            (("--seed",), {"metavar": "SECRET", "help": "of the hidden inputs; else drawn once"}),
            (("--seed-file",), {"metavar": "FILE", "help": "holds the seed"}),
            (("--marks",), {"choices": ("own", "best", "half"),
                            "help": "own: as judged; best: with follow-through; half: between"}),
            COURSE,
            (("--time",), {"type": int, "default": 1800, "metavar": "SECONDS",
                           "help": "the most for one submission"}),
            (("--again",), {"action": "store_true", "help": "judge what is known already, too"}),
            (("--isolation",), {"choices": LEVELS, "default": LEVELS[0], "metavar": "LEVEL",
                                "help": "refuse to judge with less: " + " or ".join(LEVELS)}),
        ],
    ),
    "notebooks": (
        "write an nbgrader course",
        [
            (("out",), {"metavar": "OUT"}),
            (("chapters",), {"nargs": "*", "metavar": "CHAPTER"}),
            (("--earlier",), {"choices": ("given", "own"), "default": "given",
                              "help": "chapters before: solved, or the learner's own"}),
            COURSE,
            DATABASE,
            (("--results",), {"metavar": "RESULTS", "help": "mark with the secret inputs of this "
                              "class, as `grader grade --out RESULTS` does"}),
        ],
    ),
    "gradebook": (
        "write the marks of an nbgrader course's submissions into its gradebook",
        [
            (("course",), {"metavar": "COURSE", "help": "the folder of nbgrader_config.py"}),
            (("assignments",), {"nargs": "*", "metavar": "ASSIGNMENT"}),
            (("--results",), {"metavar": "RESULTS", "help": "the marks of `grader grade`"}),
            DATABASE,
        ],
    ),
    "export": (
        "write results in the words of others",
        [
            (("format",), {"metavar": "FORMAT", "help": "json junit csv moodle canvas html github "
                           "workflow gradescope"}),
            (("result",), {"nargs": "?", "metavar": "RESULT", "help": "a folder of results, or "
                           "one result as JSON"}),
            (("--out",), {"metavar": "PLACE", "help": "a file, or a folder for several"}),
            (("--roster",), {"metavar": "FILE", "help": "the participants, for moodle and canvas"}),
            (("--assignment",), {"default": "babygrad", "metavar": "NAME"}),
            CHAPTERS,
            COURSE,
        ],
    ),
    "insights": (
        "what cost the class most, and who shares a wrong answer",
        [
            (("results",), {"metavar": "RESULTS"}),
            (("--html",), {"metavar": "FILE", "help": "write a page with a heat map, too"}),
        ],
    ),
    "explain": (
        "replay one mark",
        [
            (("results",), {"metavar": "RESULTS"}),
            (("learner",), {"metavar": "LEARNER"}),
            (("exercise",), {"metavar": "EXERCISE"}),
        ],
    ),
    "graph": (
        "draw the graph of an expression or a script, step by step",
        [
            (("what",), {"metavar": "FILE_OR_EXPR",
                         "help": "'(Tensor([2]) * Tensor([3])).sum()', train.py or train.py:loss"}),
            PACKAGE,
            (("--out",), {"metavar": "FILE", "default": "graph.html",
                          "help": "where the page is written (graph.html)"}),
        ],
    ),
    "audit": ("prove that the course holds together", [COURSE]),
    "stubs": (
        "write babygrad/ anew from solutions/",
        [(("--check",), {"action": "store_true", "help": "only say whether it is up to date"})],
    ),
    "record": ("record PyTorch's answers (needs torch)", []),
}  # fmt: skip


def parser(first: str | None = None) -> argparse.ArgumentParser:
    """The parser of the whole command line.

    Args:
        first: its first word. Where this is a command, only that one's options are made ready:
            all of them together take longer than `check` may wait.
    """
    top = argparse.ArgumentParser(
        prog="grader",
        description="The judge of the babygrad course.",
        allow_abbrev=False,
        formatter_class=_formatter,
    )
    top.add_argument("--version", action="version", version=f"babygrad-course {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, prog="grader")
    for name in [first] if first in COMMANDS else COMMANDS:
        sentence, options = COMMANDS[name]
        one = commands.add_parser(
            name,
            help=sentence,
            description=sentence,
            allow_abbrev=False,
            formatter_class=_formatter,
        )
        for flags, settings in options:
            one.add_argument(*flags, **settings)
        one.set_defaults(command=_command(name))
    return top


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Asked for no width, argparse would import `shutil` to learn how wide the terminal is."""
    return argparse.HelpFormatter(prog, width=min(80, columns(sys.stdout)) - 2)


def _command(name: str) -> Callable[[argparse.Namespace, list[Any]], int]:
    def run(options: argparse.Namespace, workers: list[Any]) -> int:
        module = importlib.import_module(f"{__name__}.{name}")
        status: int = module.run(options, workers)
        return status

    return run
