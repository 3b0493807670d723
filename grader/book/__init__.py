"""Build the chapters as a static site, read in any browser, from a file or a host.

It is built from the course's sources (a wheel holds it built), with libraries that learners do not
need. Only this file is imported everywhere: it knows the folder of the built site, in the wheel or
in an author's cache, and the names of its pages.
"""

from __future__ import annotations

import os

from .. import root
from ..memo import folder

SHIPPED = root.path("book")
BUILT = "book"  # below the folder of caches


def home() -> str:
    """Return the folder of this installation's book, which need not exist."""
    return SHIPPED if root.is_installed() else os.path.join(folder(), BUILT)


def is_built(site: str) -> bool:
    """Whether a folder holds a built book."""
    return os.path.isfile(os.path.join(site, "index.html"))


def page_name(name: str = "", anchor: str = "") -> str:
    """Return a page, and a place in it: ``chapter3.html#chapter3-mul``; by default the first."""
    return f"{name or 'index'}.html" + (f"#{anchor}" if anchor else "")


def desk_name(chapter: str) -> str:
    """Return the page that grades a chapter, in a book built with Pyodide."""
    return f"{chapter}-here.html"


def address(site: str | None = None) -> str | None:
    """Return a built book's ``file://`` URL, which ends with "/"; None if there is none."""
    site = home() if site is None else site
    if not is_built(site):
        return None
    from urllib.parse import quote

    return f"file://{quote(os.path.abspath(site))}/"
