"""The chapters as a site: read with nothing but a browser, from a file or from a host.

It is built where the course's own sources are (a wheel holds it built), with libraries that a
learner never needs. Only this file is for everybody: it knows where the built site lies, in the
wheel or in the cache of who works on the course, and what its pages are called.
"""

from __future__ import annotations

import os

from .. import root
from ..memo import folder

SHIPPED = root.path("book")
BUILT = "book"  # below the folder of caches


def home() -> str:
    """The folder of this installation's book, whether it is there or not."""
    return SHIPPED if root.is_installed() else os.path.join(folder(), BUILT)


def is_built(site: str) -> bool:
    """Whether a folder holds a book that can be read right now."""
    return os.path.isfile(os.path.join(site, "index.html"))


def page_name(name: str = "", anchor: str = "") -> str:
    """A page and a place in it: ``chapter3.html#chapter3-div-backward``; the first page without."""
    return f"{name or 'index'}.html" + (f"#{anchor}" if anchor else "")


def desk_name(chapter: str) -> str:
    """The page that grades a chapter, where the book was built with Pyodide."""
    return f"{chapter}-here.html"


def address(site: str | None = None) -> str | None:
    """A built book as a browser takes it from this machine; None where there is none."""
    site = home() if site is None else site
    if not is_built(site):
        return None
    from urllib.parse import quote

    return f"file://{quote(os.path.abspath(site))}/"
