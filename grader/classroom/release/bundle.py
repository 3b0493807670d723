"""Make a release for learners: a workspace with a public key, and the learner's wheel.

`pip install -r requirements.txt` in a bundle installs the wheel, from the bundle itself. It has no
`solutions/`, `exercises/` or suite, so it cannot compute answers, and its key is the public one.

`.grader/base/` holds the stubs as they were handed out, so that a later release can tell the
learner's code, which it keeps to the letter. `.grader/release.json` lists every file's digest.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator

import numpy as np

from ... import __version__, about, root
from ...about import COURSE
from ...audit.invariants import INVARIANTS
from ...audit.proof import CourseCheck, Problem
from ...course import outline
from ...course.key_file import Key, key_bytes
from ...course.load import ALLOWED, HANDED, Course
from ...course.make_key import all_slices
from ...course.outline import HIDDEN, SHORT, Terms, chapter_no, chapters_up_to, select_chapters
from ...errors import OurFault, WrongUse
from ...learner.bundle_update import BASE, RELEASE, SCHEMA
from ...learner.file_writer import zip_files  # for who writes other archives, too
from ...learner.open_questions import answer_files
from ...learner.workspace import USUAL, agents, begun_at, below
from ..files import as_json, plain_template
from ..marks.overlay import OverlaidCourse
from .publickey import public_parts

OLDEST_NUMPY, OLDEST_PYTHON = "1.26", "3.10"
ENDINGS = (".py", ".json", ".md", ".html", ".sh", ".yml", "py.typed")
METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: The grader, and what this release of the course hands out
Requires-Python: >={python}
Requires-Dist: {numpy}
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: grader release\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY = "[console_scripts]\ngrader = grader.cli:main\n"


def numpy_range() -> str:
    """Return pip's requirement for NumPy: from the oldest version up to our own major version."""
    major = np.__version__.partition(".")[0]
    return f"numpy>={OLDEST_NUMPY},<{int(major) + 1}" if major.isdigit() else "numpy"


def build_wheel(course: dict[str, bytes], chapter: str) -> tuple[str, bytes]:
    """Build the learner's wheel; return its file name and bytes.

    Args:
        course: path below `grader/_course/` → content.
        chapter: part of the version, with a digest of all files, so that pip installs a later
            release over an earlier one.
    """
    files = {f"grader/{name}": data for name, data in iter_grader_files()}
    files |= {f"grader/_course/{name}": data for name, data in course.items()}
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    version = f"{__version__}+{chapter}.{digest.hexdigest()[:8]}"
    base = f"{COURSE.distribution.replace('-', '_')}-{version}"
    metadata = METADATA.format(
        name=COURSE.distribution, version=version, python=OLDEST_PYTHON, numpy=numpy_range()
    )
    told = {"METADATA": metadata, "WHEEL": WHEEL, "entry_points.txt": ENTRY}
    files |= {f"{base}.dist-info/{name}": text.encode() for name, text in told.items()}
    record = f"{base}.dist-info/RECORD"
    rows = [f"{name},{_hash(data)},{len(data)}" for name, data in sorted(files.items())]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    return f"{base}-py3-none-any.whl", zip_files(files)


def _hash(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}"


def iter_grader_files() -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of the grader's own files, without its course."""
    for base, folders, names in os.walk(root.PACKAGE):
        folders[:] = sorted(f for f in folders if f not in ("__pycache__", "_course"))
        for name in sorted(n for n in names if n.endswith(ENDINGS)):
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, root.PACKAGE).replace(os.sep, "/"), file.read()


# The invariants that are quick, and that a bundle rests on; the others are for `grader audit`.
QUICK = (
    "2-stubs",
    "2-short",
    "2-hidden",
    "5-stripped",
    "6-regions",
    "6-whole",
    "6-formulas",
    "6-order",
    "8-leaks",
    "9-taught",
)

EARLIER = {
    "given": "The chapters before it come solved.",
    "own": "The chapters before it are your own: `grader update` keeps what you wrote there.",
}


SOLVED = "This is the short route: of exercises that are alike some come solved, for no points.\n"
UNSAID = (
    "The docstrings of what you write leave derivatives out: find them with pencil and paper. The "
    "last hint of an exercise has its formula.\n"
)


def choose_span(course: Course, names: list[str] | None) -> list[str]:
    """Return the chapters to hand out, consecutive and in order.

    Raises:
        WrongUse: one does not exist, or there is a gap between them.
    """
    known = [chapter.id for chapter in course.chapters]
    chosen = select_chapters(names or (), known)
    first, last = known.index(chosen[0]), known.index(chosen[-1])
    if known[first : last + 1] != chosen:
        gap = ", ".join(n for n in known[first : last + 1] if n not in chosen)
        raise WrongUse(f"A release holds chapters that follow one another; name {gap} too.")
    return chosen


def find_failing_invariants(course: Course, key: Key, shown: list[str]) -> list[Problem]:
    """Return the problems of these chapters: failing quick invariants, or a failing reference."""
    own = course.added or frozenset()
    # Overlays are not in the public stubs, so "5-stripped" is left out; their mistakes are checked.
    ids = {*QUICK, "3-alone"} - {"5-stripped"} if own else set(QUICK)
    asked = frozenset(outline.of_chapters(key.outline, shown))
    all_slices(key, shown)  # building them checks that the oracles agree
    with CourseCheck(course, ids=asked, own=own, key=key) as proof:
        problems = [p for t in INVARIANTS if t.id in ids for p in t.problems(proof)]
        for verdict in proof.judge(course.solved()).values():
            if verdict.status not in ("passed", "given"):
                what = f"the reference is {verdict.status}"
                problems.append(Problem(verdict.id, what, "mend it"))
    return problems


def list_shown_chapters(course: Course, chapters: list[str]) -> list[str]:
    """Return the chapters that a release can check: its own and all before."""
    return chapters_up_to(chapters[-1], [chapter.id for chapter in course.chapters])


def build_bundle(
    course: Course, key: Key, chapters: list[str], earlier: str,
    wheel: str | None = None, reveal: bool = False, terms: Terms = USUAL,
) -> dict[str, bytes]:  # fmt: skip
    """Build a release; return path → content.

    Args:
        wheel: the URL from which learners install the grader; without it the bundle holds a wheel.
        reveal: whether learners may see the course's solutions of exercises not passed yet.
        terms: which exercises come solved beside those of earlier chapters, and whether
            docstrings hide formulas.
    """
    shown = list_shown_chapters(course, chapters)
    asked = chapters if earlier == "given" else shown  # the chapters that do not come solved
    stubs = course.stubs(chapter_no(asked[0]), *terms)
    files = {f"{COURSE.name}/{name}": text.encode() for name, text in stubs.items()}
    files |= answer_files(chapter for chapter in course.chapters if chapter.id in chapters)
    files |= {BASE + name: data for name, data in files.items()}
    files |= _prose(course, shown)
    files |= {f"examples/{n}": data for n, data in below(root.path("examples")).items()}
    files["AGENTS.md"] = agents()
    titles = ", ".join(f"{name} ({key.table['titles'][name]})" for name in chapters)
    earlier_text = EARLIER[earlier] + "\n" if chapter_no(chapters[0]) > 1 else ""
    earlier_text += SOLVED * (terms.route == SHORT) + UNSAID * (terms.formulas == HIDDEN)
    dated = course.overlay.due if isinstance(course, OverlaidCourse) else {}
    due = {name: dated[name] for name in chapters if name in dated}
    dates = "".join(f"{name} is due: {date}.\n" for name, date in due.items())
    files["README.md"] = _readme(titles, chapters[0], dates + earlier_text, set(files))
    files[".grader/workspace.json"] = as_json(begun_at(asked[0], terms))
    files[".grader/answers.key"] = b"".join(key_bytes(*public_parts(key, shown, asked)))
    stated = {
        "schema": SCHEMA, "course": COURSE.name, "version": __version__, "chapters": chapters,
        "earlier": earlier, "reveal": reveal, "due": due,
    }  # fmt: skip
    bodies = {t: r.body for t, r in course.regions.items() if course.owner[t].chapter in chapters}
    allowed = {ALLOWED: as_json(bodies)} if reveal else {}
    listed = {**files, RELEASE: _list_files(stated, files)}
    files |= pin_requirements(listed, wheel, chapters[-1], allowed)
    return {**files, RELEASE: _list_files(stated, files)}


def _prose(course: Course, shown: list[str]) -> dict[str, bytes]:
    """Return the files of `chapters/`, without the prose of chapters that are not shown."""
    later = {f"{chapter.id}.md" for chapter in course.chapters if chapter.id not in shown}
    files = {f"chapters/{n}": d for n, d in below(root.path("chapters")).items() if n not in later}
    prose = {f"chapters/{name}.md": course.prose(name).encode() for name in shown}
    return files | {name: text for name, text in prose.items() if text}


def _readme(titles: str, first: str, earlier: str, files: set[str]) -> bytes:
    prose = f"chapters/{first}.md"
    said = {"titles": titles, "first": first, "earlier": earlier, "name": COURSE.name}
    read = f"Read `{prose}`, w" if prose in files else "W"
    return plain_template("workspace.md").format(read=read, **said).encode()


def _list_files(terms: dict[str, object], files: dict[str, bytes]) -> bytes:
    """Return `release.json`: the release's terms, and file → digest."""
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    return as_json({**terms, "files": digests})


def pin_requirements(
    files: dict[str, bytes], wheel: str | None, chapter: str, allowed: dict[str, bytes]
) -> dict[str, bytes]:
    """Return `requirements.txt`, and the wheel that it names unless that is a URL."""
    numpy = numpy_range()
    if wheel is not None:
        return {"requirements.txt": f"{COURSE.distribution} @ {wheel}\n{numpy}\n".encode()}
    course = {name.replace(".grader/", f"{HANDED}/", 1): data for name, data in files.items()}
    course |= about.metadata_files()
    course["answers.key"] = course.pop(f"{HANDED}/answers.key")
    name, data = build_wheel({**course, **allowed}, chapter)
    return {"requirements.txt": f"./{name}\n{numpy}\n".encode(), name: data}


def refuse_problems(problems: list[str], what: str) -> None:
    """Raise `OurFault` with all problems, if there are any."""
    if problems:
        raise OurFault(what + "\n  " + "\n  ".join(problems))
