"""`grader book [NAME]`: open, serve or build the chapters as pages. `grader demo`: run the finished
engine, before the learner has written a line. `grader graph FILE_OR_EXPR`: draw the learner's own
graph as a page, a step at a time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from ... import root
from ...about import COURSE, GRAPHS, own_names
from ...commands import PACKAGE, command, extra, option
from ...course import package
from ...course.outline import chapter_of, spell
from ...errors import WrongUse
from ...learner import selection
from ...learner.file_writer import FOR_ALL, write_whole
from ...sandbox.launch import start_worker
from .. import address, page_name, update

if TYPE_CHECKING:
    from ...course.load import Course
    from ..page.pack import Python

NO_GRADING = "none"  # what `--pyodide` may be instead of a folder
SERVED = (
    "A page that grades has to be served: add --serve, or --build DIR and put the folder on a host."
)
PUBLIC = "Graded in their pages: all chapters. Each page takes Python from {0.core} when it checks."
FETCH = "`cp {1}/package*.json {0}`, then `npm install --prefix {0}`"
NO_PYODIDE = (
    "{0} holds no Pyodide: pyodide.mjs and the files beside it. Get it, and the editor of the "
    f"pages: {FETCH}."
)
NO_EDITOR = (
    "They have plain text fields: {0} lacks {2} of the editor. "
    f"Get it, and build again: {FETCH}."
)
NO_NUMPY = (
    "Graded in their pages: chapters without arrays. Every other one needs NumPy for Pyodide. Put\n"
    "{}\nfrom Pyodide's own release into {} and build again."
)


@command(
    "book",
    option("name", "NAME", "open it at a chapter or an exercise", nargs="?"),
    option("--serve", "PORT", "serve it on this machine until Ctrl-C (any free port)", nargs="?",
           type=int, const=0),
    option("--build", "DIR", "build the site into this folder, for a host"),
    option("--pyodide", "DIR", "take Python and the editor of pages that grade from this folder of "
           "npm (default: Python from Pyodide's public address); "
           f"`{NO_GRADING}` makes pages that do not grade"),
)  # fmt: skip
def run_book(options: argparse.Namespace) -> int:
    """Print the book's address, and open it if stdout is a terminal; or build, or serve it."""
    if options.name and options.build is not None and options.serve is None:
        raise WrongUse(f"--build opens no page, so {options.name} changes nothing. Add --serve.")
    page, anchor = where(options.name)
    with contextlib.ExitStack() as stack:
        site = options.build
        if site is not None:
            names, seconds = build_plain_book(site, options.pyodide)
            told = f"{len(names)} files in {os.path.abspath(site)}, built in {seconds:.1f} s."
            print(told, FOR_ALL)
        elif options.pyodide is not None:
            if options.serve is None:
                raise WrongUse(SERVED)
            site = stack.enter_context(tempfile.TemporaryDirectory())
            build_plain_book(site, options.pyodide)
        if options.serve is not None:
            from ..serve import serve  # brings `http.server`, and `ssl` with it

            return serve(site or update(build_plain_book), options.serve, page_name(page, anchor))
        if site is None:
            update(build_plain_book)
            show_address(f"{address()}{page_name(page, anchor)}")
    return 0


def where(name: str | None) -> tuple[str, str]:
    """Return the page and the anchor that a name stands for."""
    if name is None:
        return "", ""
    folder, key = selection.look_up(None)
    if (chapter := spell(name)) in key.chapters:
        return chapter, ""
    id = selection.resolve_name(key, name, {}, folder)
    return chapter_of(id), selection.find_row(key, id)["anchor"]


def build_plain_book(folder: str, pyodide: str | None = NO_GRADING) -> tuple[list[str], float]:
    """Build the site; return the names of its files, and the seconds that it took.

    Args:
        pyodide: the folder of Pyodide and of the editor; None for Pyodide's public address, and
            ``none`` for a site whose pages do not grade.

    Raises:
        WrongUse: libraries for building are not installed, or Pyodide is not in the folder.
    """
    from ...course.load import read_course

    python = None if pyodide == NO_GRADING else python_of(pyodide)
    started = time.monotonic()
    course = read_course()  # first: no library helps a grader that came without its course
    with extra("book", "Building the book needs what renders it"):
        from ..site import build_site
    names = build_graded(course, folder, python, pyodide) if python else build_site(course, folder)
    return names, time.monotonic() - started


def python_of(npm: str | None) -> Python:
    """Return the Pyodide for the pages: from the named folder, else the public address."""
    from ..page import pack

    if npm is None:
        return pack.public_python()
    found = pack.pyodide(npm)
    if found is None:
        raise WrongUse(NO_PYODIDE.format(npm, pack.NPM))
    python = pack.own_python(found)
    if not python.has_numpy:
        print(NO_NUMPY.format(pack.numpy_named(found)[0], found))
    return python


def build_graded(course: Course, folder: str, python: Python, npm: str | None) -> list[str]:
    """Build the site with grading pages, as far as its Python can; return its files' names."""
    from ..page import pack
    from ..site import build_site

    works = [pack.work(course, each) for each in course.chapters]
    works = [work for work in works if python.has_numpy or not work.arrays]
    lacks = pack.lacking_packages(npm) if npm else []
    imports = pack.import_map(npm) if npm and not lacks else None
    names = build_site(course, folder, works, imports)
    names += pack.beside(selection.key_for(None), python, folder, works)
    if npm is None:
        print(PUBLIC.format(python))
    elif lacks:
        more = f" and {len(lacks) - 3} more packages" if len(lacks) > 3 else ""
        print(NO_EDITOR.format(npm, pack.NPM, ", ".join(lacks[:3]) + more))
    else:
        names += pack.copy_editor(npm, folder)
    return names


def show_address(url: str) -> None:
    """Print an address, and open it if stdout is a terminal."""
    print(url)
    if sys.stdout.isatty():
        import webbrowser

        webbrowser.open(url)


NEXT = f"Begin with `grader init DIR`, and read DIR/chapters/{COURSE.chapter}1.md."


@command(
    "demo",
    option("--package", "DIR", "use your own finished package instead of the course's"),
    option("--seed", help="choose another start and another digit", type=int, default=0),
)
def run_demo(options: argparse.Namespace) -> int:
    """Run the demo; exit status 0 if the engine learned to read digits."""
    package = options.package or root.path("solutions")
    script = root.path("examples", "demo.py")
    if os.path.isdir(root.path("solutions")) and not os.path.isfile(script):
        raise WrongUse(f"The course {COURSE.name} has no demo: no examples/demo.py.")
    if not os.path.isdir(package) or not os.path.isfile(script):
        raise WrongUse(
            "This course came without a finished engine. Once yours is written, "
            "`grader demo --package DIR` shows it."
        )
    command = [sys.executable, script, "--package", package, "--seed", str(options.seed)]
    status = subprocess.run(command, check=False).returncode
    if status == 0 and options.package is None:
        print(NEXT)
    return 1 if status else 0


@command(
    "graph",
    option(
        "what", "FILE_OR_EXPR", "'(Tensor([2]) * Tensor([3])).sum()', train.py or train.py:loss"
    ),
    PACKAGE,
    option("--out", "FILE", "file for the page (default: graph.html)", default="graph.html"),
)
def run_graph(options: argparse.Namespace) -> int:
    """Draw a graph; exit status 1 if an op's backward in it is wrong, else 0."""
    # NumPy, for this alone
    from ..graph.page import draw_graph, is_wrong, render_graph_page, source_of

    source, name, title = source_of(options.what)
    learner = package.read_package(package.find_package_folder(options.package))
    files = own_names(GRAPHS).get("FILES", ())
    if not any(name.startswith(files) for name in learner.files):
        raise WrongUse(f"{package.NAME} builds no graphs, so there is nothing to draw.")
    graph, printed = draw_graph(learner, start_worker, source, name)
    write_whole(options.out, render_graph_page(graph, title).encode())
    if printed.strip():
        print("Your code printed:\n  | " + "\n  | ".join(printed.splitlines()[:20]))
    wrong = [call for call in graph.calls if is_wrong(call)]
    for call in wrong:
        says = call.error or call.finding.says
        print(f"✗ {graph.nodes[call.node].op}.backward is wrong: {says}.")
    print(f"{len(graph.nodes)} nodes. Open {os.path.abspath(options.out)} in a browser.")
    return 1 if wrong else 0
