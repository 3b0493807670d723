"""`grader book [NAME]`: the chapters as pages, opened, served or built."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

from .. import root
from ..book import place
from ..choosing import choice
from ..errors import WrongUse
from ..outline import chapter_of
from .options import Options

SAYS = "read the book: the chapters as pages of your browser"
OPTIONS: Options = (
    (
        ("name",),
        {"metavar": "NAME", "nargs": "?", "help": "open it at a chapter or an exercise"},
    ),
    (
        ("--serve",),
        {
            "metavar": "PORT",
            "nargs": "?",
            "type": int,
            "const": 0,
            "help": "serve it on this machine until Ctrl-C (any free port)",
        },
    ),
    (("--build",), {"metavar": "DIR", "help": "build the site into this folder, for a host"}),
)
NEEDED = "pip install markdown-it-py mdit-py-plugins Pygments Jinja2"


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Say where the book is, and open it where somebody sits at a terminal."""
    page, anchor = where(options.name)
    if options.build is not None:
        names, seconds = build(options.build)
        print(f"{len(names)} files in {os.path.abspath(options.build)}, built in {seconds:.1f} s.")
    site = options.build or at_home()
    if options.serve is not None:
        return serve(site, options.serve, place.page(page, anchor))
    if options.build is None:
        show(f"{place.address(site)}{place.page(page, anchor)}")
    return 0


def where(name: str | None) -> tuple[str, str]:
    """The page and the place in it that a name stands for."""
    if name is None:
        return "", ""
    key = choice.key_for(None)
    if name in key.chapters:
        return name, ""
    id = choice.one(key, name, {})
    return chapter_of(id), choice.exercise(key, id)["anchor"]


def build(folder: str) -> tuple[list[str], float]:
    """Build the site; what was written, and how long it took.

    Raises:
        WrongUse: the libraries that build it are not installed.
    """
    from ..course.load import load

    started = time.monotonic()
    try:
        from ..book.site import build as made
    except ModuleNotFoundError as error:
        raise WrongUse(
            f"Building the book needs {error.name}, which is not installed. Run `{NEEDED}`."
        ) from error
    return made(load(), folder), time.monotonic() - started


def at_home() -> str:
    """The book of this installation: a checkout's is built anew, since its sources change."""
    site = place.home()
    if not root.is_installed():
        build(site)
    elif not place.is_built(site):
        raise WrongUse(
            "This installation came without its book. Make one: `grader book --build DIR`."
        )
    return site


def show(address: str) -> None:
    """Print an address; open it too, where somebody is there to see it."""
    print(address)
    if sys.stdout.isatty():
        import webbrowser

        webbrowser.open(address)


def serve(site: str, port: int, page: str) -> int:
    """Serve a site until it is stopped."""
    from ..book.serve import server

    with server(site, port) as running:
        address = f"http://{running.server_address[0]!s}:{running.server_address[1]}/{page}"
        print(f"The book is at {address} until you press Ctrl-C.", flush=True)
        running.serve_forever()
    return 0
