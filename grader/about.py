"""Read `course.json`: the course's name, files, rules and addresses.

It is checked by hand, without a schema library, because `check` reads it each time. A table in
docs/own-course.md lists its keys and their defaults.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

from . import root
from .errors import OurFault, WrongUse

FILE = "course.json"
# Optional Python files of a course, by the keys of `course.json` that say where they lie. They are
# handed out along with it. Without a word, each lies beside it: `exceptions.py`.
EXCEPTIONS = "exceptions"  # see `judge/exceptions.py`
SCRIPTS = "scripts"  # see `learner/script.py`
GRAPHS = "graphs"  # see `book/graph/program.py`
OWN_FILES = (EXCEPTIONS, SCRIPTS, GRAPHS)
PYTORCH = "PyTorch"
SCHEMA = "grader-course/1"
TAKEN = ("exercises", "grader", "numpy", "programs", "solutions", "tests")
NEEDED = {
    "forbidden": ("imports", "says"),
    "alone": ("folder", "says"),
    "detached": ("targets", "type", "call"),
}
ADDRESS = re.compile(r"https://[!-~]+")
INSIDE = re.compile(r"([\w-]+/)*[\w-]+\.py", re.ASCII)
MAIL = re.compile(r"[\w.+-]+@[\w.-]+", re.ASCII)
MEND = "See docs/own-course.md, or begin with `grader course new DIR`."


Said = dict[str, Any]  # a JSON object, or the names of a module


class About:
    """The content of a `course.json`, with defaults filled in."""

    def __init__(self, said: Said) -> None:
        self.name: str = said["name"]
        self.title: str = said["title"] or self.name
        self.start: str = said["start"]
        self.end: str = said["end"]
        usual = f"{self.name.replace('_', '-')}-course"
        self.distribution: str = said["distribution"] or usual
        self.repository: str = said["repository"]
        self.contact: str = said["contact"]
        self.site: str = said["site"]
        self.chapter: str = said["chapter"]
        self.files = tuple(map(str, said["files"]))
        self.against = tuple(map(str, said["against"]))
        self.forbidden: Said = said["forbidden"]
        self.alone: dict[str, str] = said["alone"]
        self.narrow = tuple(map(str, said["narrow"]))
        self.detached: dict[str, str] = said["detached"]
        self.own_files = {key: str(said[key]) for key in OWN_FILES}

    @property
    def rules(self) -> dict[str, object]:
        """The part that a worker needs."""
        return {"name": self.name, "forbidden": self.forbidden, "alone": self.alone}


def read_about(folder: str) -> About:
    """Read a folder's `course.json`.

    Raises:
        WrongUse: there is none, or it is invalid; the message says why.
    """
    path = os.path.join(folder, FILE)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        how = "GRADER_COURSE names" if root.NAMED else "The grader lies in"
        raise WrongUse(f"{how} {folder}, and no course is there: no {FILE}. {MEND}") from None
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}. {MEND}") from error
    about = about_of(data, path)
    for key, name in about.own_files.items():
        if name != f"{key}.py" and not os.path.isfile(os.path.join(folder, name)):
            raise WrongUse(f"{path}: {key} is {name}, and no such file is there. {MEND}")
    return about


def of_another(name: object, what: str) -> str:
    """Return the error for something (``what``) that names another course; empty for this one."""
    if not isinstance(name, str) or not name.isidentifier() or name == COURSE.name:
        return ""
    mend = (
        "GRADER_COURSE names another one: change it, or unset it"
        if root.NAMED
        else "Say where that course lies: export GRADER_COURSE=FOLDER"
    )
    return f"{what} is of the course {name[:40]}, and this grader judges {COURSE.name}. {mend}."


def about_of(data: bytes, path: str) -> About:
    """Parse a `course.json`.

    Raises:
        WrongUse: it is invalid; the message says why.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WrongUse(f"{path} cannot be read: {error}. {MEND}") from error
    try:
        return _about(found)
    except ValueError as error:
        raise WrongUse(f"{path}: {error} {MEND}") from error


def _about(found: object) -> About:
    """Validate a parsed file and fill in defaults; raises ValueError."""
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise ValueError(f'it does not begin with "schema": "{SCHEMA}".')
    usual: Said = {
        "schema": SCHEMA, "name": "", "title": "", "start": "", "end": "", "distribution": "",
        "repository": "", "contact": "", "site": "", "chapter": "chapter", "files": ["__init__.py"],
        "against": ["the course's own solutions"],
        "forbidden": {"imports": [], "says": ""}, "alone": {"folder": "", "says": ""},
        "narrow": [], "detached": {}, **{key: f"{key}.py" for key in OWN_FILES},
    }  # fmt: skip
    for key, value in found.items():
        if key not in usual:
            raise ValueError(f"it says {key!r}, which means nothing. Use {', '.join(usual)}.")
        if type(value) is not type(usual[key]):
            raise ValueError(f"{key} has to be a {type(usual[key]).__name__}.")
        needed = NEEDED.get(key, ())
        if needed and sorted(value) != sorted(needed):
            raise ValueError(f"{key} has to hold {', '.join(needed)}.")
    about = About({**usual, **found})
    _check_names(about.name, about.chapter, about.distribution)
    _check_addresses(about.repository, about.contact)
    if about.site and not (ADDRESS.fullmatch(about.site) and about.site.endswith("/")):
        raise ValueError(f"site has to begin with https:// and end with /, not {about.site!r}.")
    for key, name in about.own_files.items():
        if not INSIDE.fullmatch(name):
            raise ValueError(f"{key} has to be a Python file inside the course, not {name!r}.")
    return about


def _check_names(name: str, chapter: str, distribution: str) -> None:
    """Raise ValueError for an invalid name."""
    if not (name.isascii() and name.isidentifier()):
        raise ValueError(f"name has to be written as a Python package is called, not {name!r}.")
    if name in TAKEN or name in sys.stdlib_module_names:
        raise ValueError(f"name cannot be {name!r}: there is a package of this name already.")
    if not (chapter.isascii() and chapter.isalpha() and chapter.islower()):
        raise ValueError(f"chapter has to be a word in small letters, not {chapter!r}.")
    plain = distribution.replace("-", "").replace(".", "")
    if not (plain.isascii() and plain.isalnum()):
        raise ValueError(f"distribution has to be written as pip does, not {distribution!r}.")


def _check_addresses(repository: str, contact: str) -> None:
    """Raise ValueError for an address that no page could link, or no terminal should print."""
    if repository and not ADDRESS.fullmatch(repository):
        raise ValueError(f"repository has to begin with https://, not {repository!r}.")
    if contact and not (ADDRESS.fullmatch(contact) or MAIL.fullmatch(contact)):
        raise ValueError(f"contact has to be an address of mail or of a page, not {contact!r}.")


def metadata_files() -> dict[str, bytes]:
    """Return name → content of `course.json` and the optional files, to pack with a grader."""
    found = {}
    for name in (FILE, *COURSE.own_files.values()):
        if os.path.exists(root.path(name)):
            with open(root.path(name), "rb") as file:
                found[name] = file.read()
    return found


def own_names(key: str) -> Said:
    """Run one of the course's `OWN_FILES` and return its names; empty if the course has none. Only
    the course's own folder is searched, so that a learner cannot supply the file.

    Raises:
        OurFault: it raises.
    """
    path = root.path(COURSE.own_files[key])
    if not os.path.exists(path):
        return {}
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(f"grader_own_{key}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise OurFault(f"{path} cannot be read: {type(error).__name__}: {error}") from error
    return vars(module)


COURSE = read_about(root.ROOT)
