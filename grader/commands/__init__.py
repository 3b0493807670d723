"""The commands: a table of their sentences; how options are written; the parser.

A command line imports the module of its command alone; help without a command reads the table.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from .. import DISTRIBUTION, __version__, log
from ..about import COURSE
from ..errors import WrongUse
from ..products import USES, find_missing, has_product
from ..sandbox.isolation import LEVELS
from ..streams import columns

if TYPE_CHECKING:
    import argparse

Option = tuple[tuple[str, ...], dict[str, Any]]  # as `add_argument` takes it
Run = Callable[[Any], int]  # takes what argparse makes of the options; returns the exit status
Command = tuple[tuple[Option, ...], Run]

# Of the modules imported so far: name → command; (command, option) → the option without which it
# changes nothing; (command, option) → the options that change nothing beside it.
COMMANDS: dict[str, Command] = {}
TO_STDOUT = "-"  # the place that means standard output
PRINTING = ("export", "repro")  # the commands whose `--out` takes it
NEEDS: dict[tuple[str, str], str] = {}
BARS: dict[tuple[str, str], tuple[str, ...]] = {}


def command(
    name: str,
    *options: Option,
    needs: Mapping[str, str] = MappingProxyType({}),
    bars: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Callable[[Run], Run]:
    """Enters the function below it among the commands; ``needs={"--sheet": "--out"}``."""
    NEEDS.update(((name, each), other) for each, other in needs.items())
    BARS.update(((name, each), others) for each, others in bars.items())

    def enter(run: Run) -> Run:
        COMMANDS[name] = options, run
        return run

    return enter


def option(
    name: str, metavar: str | None = None, help: str | None = None, **settings: Any
) -> Option:
    """Describe an argument, or an option with a value; ``settings`` are argparse's."""
    if settings.get("nargs") == "+" and name.startswith("-"):
        settings["action"] = "extend"  # `--release A --release B` are two, not the last one
    return (name,), {"metavar": metavar, "help": help, **settings}


def flag(name: str, help: str) -> Option:
    """Describe an option without a value."""
    return (name,), {"action": "store_true", "help": help}


@contextmanager
def extra(name: str, needs: str) -> Iterator[None]:
    """``with extra("watch", "watch needs file events"):`` imports what one of our extras installs.

    Raises:
        WrongUse: it is not installed; the sentence begins with who ``needs`` it.
    """
    try:
        yield
    except ImportError as error:
        lacks, fetch = error.name, f"pip install '{DISTRIBUTION}[{name}]'"
        raise WrongUse(
            f"{needs}, and {lacks} is not installed: run `{fetch}`, then this command again."
        ) from error


def isolation_option(says: str, default: str | None = None) -> Option:
    """Describe the option `--isolation`: the least isolation to run code with."""
    return option("--isolation", "LEVEL", says, choices=LEVELS, default=default)


PACKAGE = option("--package", "DIR", f"the {COURSE.name} folder, or the one around it")
OVERLAY = option("--course", "course.toml", "the instructor's own course on top")
NAMES = option("names", "NAME", "chapter3, 3.4, chapter3.div, Div.backward, ops.py:93 …", nargs="*")
EXERCISE = option("name", "EXERCISE", "chapter3.div.backward")


# command → its module, in the folder `commands` of its product or of the core, and its sentence;
# in the order in which help lists them.
ROWS = {
    "init": ("workspaces", "make a workspace to learn in"),
    "import": (
        "importing.import_package",
        "bring in code from elsewhere: a book, lectures, last year's course",
    ),
    "check": ("check", "say what is right, what is wrong and why"),
    "hint": ("exercise", "give one more hint for an exercise, never the answer"),
    "show": ("exercise", "show what an exercise asks, and what it needs"),
    "repro": ("exercise", "write a short script with the smallest call that fails"),
    "solution": ("solution", "show how the course solves an exercise that you have passed"),
    "reset": ("exercise", "restore a stub, or code that was given; your version is kept"),
    "watch": ("editor.watch", "check again whenever you save"),
    "lsp": ("editor.watch", "show mistakes, hints and stubs in your editor: a language server"),
    "status": ("status", "show how far you are, what is next and what no longer passes"),
    "quiz": ("viva.questions", "predict what a few lines do, then see"),
    "viva": ("viva.questions", "ask about the code that you wrote; running it gives the answers"),
    "demo": ("book.book", "train the finished engine on digits in seconds, and watch it read one"),
    "book": ("book.book", "open the chapters as a book in your browser"),
    "release": (
        "classroom.release",
        "write the learners' folder, after proving that it gives nothing away",
    ),
    "update": (
        "workspaces",
        "bring in a later release, or change route and formulas; your code stays",
    ),
    "grade": ("classroom.grade", "judge a class: folders, archives, notebooks"),
    "merge": ("classroom.grade", "merge the results of several shards"),
    "notebooks": ("classroom.nbgrader_course", "write an nbgrader course"),
    "gradebook": (
        "classroom.nbgrader_course",
        "write the marks of an nbgrader course into its gradebook",
    ),
    "open": ("classroom.class_results", "mark the open answers of a class in a spreadsheet"),
    "export": ("classroom.class_results", "write results in the formats of other systems"),
    "insights": (
        "classroom.class_results",
        "show what cost the class most, and who shares a wrong answer",
    ),
    "explain": ("classroom.explain", "replay one mark"),
    "graph": ("book.book", "draw the graph of an expression or a script, step by step"),
    "mistakes": ("audit.known_mistakes", "list every named mistake and the checks that catch it"),
    "course": ("audit.course", "begin a course of your own (see docs/own-course.md)"),
    "audit": ("audit.audit", "prove that the course holds together"),
    "stubs": ("audit.course", f"write {COURSE.name}/ again from solutions/"),
    "record": ("audit.course", "record PyTorch's answers (needs torch)"),
}


def product_of(name: str) -> str:
    """Return the product of a command; an empty text for one of the core."""
    return ROWS[name][0].rpartition(".")[0]


PRODUCTS = {"", *filter(has_product, USES)}  # those that are here; the core is none
TABLE = {name: row for name, row in ROWS.items() if product_of(name) in PRODUCTS}


def parse_plainly(arguments: Sequence[str]) -> Any:
    """Parse `check NAME… --flag --option VALUE` as argparse does, whose import takes 5 ms; return
    None for whatever is less plain."""
    if arguments[0] != "check":
        return None
    rows, run = load("check")
    settings = {flags[0]: each for flags, each in rows}
    found = {n: s.get("default", False if "action" in s else None) for n, s in settings.items()}
    end = next((n for n, each in enumerate(arguments) if each.startswith("-")), len(arguments))
    found["names"], rest = arguments[1:end], arguments[end:]
    while rest:
        flag, *rest = rest
        row = settings.get(flag, {})
        if row.get("action") == "store_true":
            found[flag] = True
        elif row.keys() == {"metavar", "help"} and rest and not rest[0].startswith("-"):
            found[flag], *rest = rest
        else:
            return None
    found = {name.lstrip("-").replace("-", "_"): value for name, value in found.items()}
    return SimpleNamespace(**found, verbose=False, command=run)


def parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser for a command line.

    Only the command that it names has its options. Where the line begins with it, there is no other
    command: a parser for each takes longer than `check` may wait.
    """
    import argparse

    # Without a width argparse would import `shutil` to measure the terminal.
    formatter = partial(argparse.HelpFormatter, width=min(80, columns(sys.stdout)) - 2)
    top = argparse.ArgumentParser(
        prog="grader",
        description=f"The judge of the {COURSE.name} course.",
        allow_abbrev=False,
        formatter_class=formatter,
    )
    top.add_argument("--version", action="version", version=f"{DISTRIBUTION} {__version__}")
    top.add_argument(
        log.FLAG, action="store_true", help="report on standard error what runs, where and how long"
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True, prog="grader")
    asked = find_command(arguments)
    refuse_missing(arguments)
    for name in [asked] if arguments and arguments[0] in TABLE else TABLE:
        says = TABLE[name][1]
        one = commands.add_parser(
            name, help=says, description=says, allow_abbrev=False, formatter_class=formatter
        )
        if name == asked:
            options, run = load(name)
            for flags, settings in options:
                one.add_argument(*flags, **settings)
            one.set_defaults(command=run)
    return top


def refuse_missing(arguments: Sequence[str]) -> None:
    """Raise WrongUse for a command of a product that is away."""
    if arguments and arguments[0] in ROWS.keys() - TABLE.keys():
        lacks = find_missing(product_of(arguments[0]))
        raise WrongUse(
            f"`grader {arguments[0]}` is not here, since this grader came without grader/{lacks}/. "
            f"Install all of it: pip install --force-reinstall '{DISTRIBUTION}'"
        )


def find_command(arguments: Iterable[str]) -> str:
    """Return the command of a command line; an empty text where it has none."""
    return next((each for each in arguments if each in TABLE), "")


def load(name: str) -> Command:
    """Import the module of a command; return the command."""
    importlib.import_module(find_module(name))
    return COMMANDS[name]


def find_module(name: str) -> str:
    """Return the module of a command: ``viva.questions`` → ``grader.viva.commands.questions``."""
    product, _, module = ROWS[name][0].rpartition(".")
    return ".".join(filter(None, ["grader", product, "commands", module]))


def refuse_ignored(arguments: Sequence[str], options: Any) -> None:
    """Refuse empty values, and options without effect beside the others; note the given ones.
    Example: `--course ""`; or `--timezone` without `--times`, whose zone it is."""
    for before, each in zip(["grader", *arguments], arguments, strict=False):
        name, equals, value = each.partition("=")
        if not each or (name.startswith("--") and equals and not value):
            raise WrongUse(f"What stands after {name or before} is empty. Is a variable not set?")
    options.given = {each.partition("=")[0] for each in arguments}
    command = find_command(arguments)
    for place in ("out", "html"):
        if getattr(options, place, None) == TO_STDOUT and command not in PRINTING:
            raise WrongUse(f"`grader {command}` has no output for -. Name a file or a folder.")
    for name in sorted(options.given):
        if (needed := NEEDS.get((command, name), name)) not in options.given:
            raise WrongUse(f"{name} needs {needed} beside it. Add it, or leave {name} out.")
        for idle in options.given.intersection(BARS.get((command, name), ())):
            raise WrongUse(f"{idle} changes nothing beside {name}. Leave one of the two out.")
