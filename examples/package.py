"""What the examples share: finding and importing the package that you wrote.

import package

babygrad = package.load("my-course")    # my-course/babygrad, or a folder named babygrad
"""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

NAME = "babygrad"


def load(package: str | None = None) -> ModuleType:
    """Import ``babygrad`` from this place and from nowhere else.

    Args:
        package: a folder named ``babygrad``, or a folder that holds one. None looks in the
            current folder and then in its parents.

    Its parent folder is put first on ``sys.path``, so that ``from babygrad.scalar import Value``
    works afterwards. Whatever is wrong ends the script with a sentence that says so.
    """
    folder = find(package)
    sys.path.insert(0, str(folder.parent))
    module = importlib.import_module(NAME)
    found = Path(module.__file__ or "").resolve().parent
    if found != folder:
        raise SystemExit(f"{NAME} was imported from {found} already, not from {folder}.")
    return module


def find(package: str | None = None) -> Path:
    """The folder of the package that `load` would import."""
    if package is None:
        here = Path.cwd()
        places = [here, *here.parents]
        told = f"There is no {NAME} in {here} or above it; say where it is with --package DIR."
    else:
        places = [Path(package).expanduser()]
        if not places[0].is_dir():
            raise SystemExit(f"{package} is not a folder.")
        told = f"{package} is not the package {NAME}, nor does it hold a folder of that name."
    for place in places:
        place = place.resolve()
        for folder in (place, place / NAME):
            if folder.name == NAME and (folder / "__init__.py").is_file():
                return folder
    raise SystemExit(told)


def arguments(description: str, steps: int | None = None) -> argparse.ArgumentParser:
    """The options that every example has; ``--steps`` where something is trained."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--package", metavar="DIR", help=f"where your {NAME} is (default: here)")
    if steps is not None:
        says = "how many (default: %(default)s)"
        parser.add_argument("--steps", type=int, default=steps, help=says)
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default: 0)")
    return parser


def run(main: Callable[[], int | None]) -> None:
    """Run an example; its answer is the exit status. An unfinished package ends in a sentence."""
    try:
        status = main()
    except NotImplementedError as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{last.name} in {last.filename}, line {last.lineno}"
        raise SystemExit(
            f"This example needs a finished package. Not written yet: {place}."
        ) from None
    raise SystemExit(status)
