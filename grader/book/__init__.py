"""Build the chapters as a static site, read in any browser, from a file or a host.

A wheel for publication holds it built. Elsewhere it is built when it is first opened, with
libraries that learners do not need. Only this file is imported everywhere: it knows the folder of
the built site, in the wheel or in the user's cache, its sources, and the names of its pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from .. import about, root
from ..memo import Memo, folder, hash_values

SHIPPED = root.path("book")
BUILT = "book"  # below the folder of caches
BUILT_FROM = "built-from.txt"  # in that folder; no wheel has it
ACCESS = os.path.join("docs", "accessibility.md")  # how far the pages can be read by everybody
SOURCES = ("chapters", "exercises", "solutions", ACCESS)


def home() -> str:
    """Return the folder of this installation's book, which need not exist."""
    is_shipped = root.is_installed_course() and is_built(SHIPPED)
    return SHIPPED if is_shipped else os.path.join(folder(), BUILT)


def is_built(site: str) -> bool:
    """Whether a folder holds a built book."""
    return os.path.isfile(os.path.join(site, "index.html"))


def update(build: Callable[[str], object]) -> str:
    """Build this installation's book, unless its wheel brought one or it was built from the sources
    as they are now; return its folder."""
    from pathlib import Path

    from ..course.source_digest import stamp

    site = home()
    if site == SHIPPED:
        return site
    told = Path(site, BUILT_FROM)
    with Memo().entry_lock(BUILT, "the book"):
        now = hash_values(stamp(source_files()))
        if not told.exists() or told.read_text() != now:
            told.unlink(missing_ok=True)  # first: what an interrupted build leaves is no book
            build(site)
            told.write_text(now)
    return site


def source_files() -> list[str]:
    """Return every file that the book depends on: the grader's own, and some of the course."""
    from ..course.source_digest import files_below

    read = filter(os.path.exists, map(root.path, (*SOURCES, *about.metadata_files())))
    return files_below([root.PACKAGE, *read], kinds=("",), but=("__pycache__",))


def page_name(name: str = "", anchor: str = "") -> str:
    """Return a page, and a place in it: ``chapter3.html#chapter3-mul``; by default the first."""
    return f"{name or 'index'}.html" + (f"#{anchor}" if anchor else "")


def grading_page_name(chapter: str) -> str:
    """Return the page that grades a chapter, in a book built with Pyodide."""
    return f"{chapter}-here.html"


def address() -> str | None:
    """Return the built book's ``file://`` URL, which ends with "/"; None if there is none."""
    site = home()
    if not is_built(site):
        return None
    from urllib.parse import quote

    return f"file://{quote(os.path.abspath(site))}/"
