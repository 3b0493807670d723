"""Make a workspace, with earlier chapters, and what the route gives, solved: `grader init`. Bring
in a release, work from a page of the book, or other terms: `grader update`; nothing is lost.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from functools import partial

from .. import root
from ..about import COURSE, FILE
from ..course import package
from ..course.load import ALLOWED, HANDED, has_sources, read_course
from ..course.outline import (
    CHAPTER,
    FORMULAS,
    FULL,
    HIDDEN,
    ROUTES,
    SHORT,
    SHOWN,
    Terms,
    chapter_no,
    is_chapter,
    select_chapters,
    spell,
)
from ..course.package import NAME, BadFile, safe_bytes
from ..errors import WrongUse, one_line
from ..learner import untrusted_files, workspace
from ..learner.bundle_update import BASE, RELEASE, SCHEMA, join_file, join_page, may_hold
from ..learner.file_writer import write_whole
from ..learner.own_file import find_flaw, read_file
from ..learner.route import TermsChange, change_terms, refuse_other_terms
from ..learner.saved import Saved, is_saved, join_hints, read_saved
from ..learner.wording import first_of
from ..learner.workspace import STATE, below, root_of, starter
from ..products import find_hook, has_product
from ..verdict import PASSED, PENDING
from . import PACKAGE, command, option


@command(
    "init",
    option("folder", "DIR"),
    option("--from", "CHAPTER", "begin at this chapter; earlier chapters come solved", dest="first",
           type=spell),
    option("--from-browser", "FILE", "continue from what you took home from a page of the "
           "book: a zip, or its unpacked folder", dest="saved"),
    option("--route", "ROUTE", "short: of exercises that are alike a part comes solved, for no "
           "points; full", choices=ROUTES),
    option("--formulas", "HOW", "hidden: docstrings leave derivatives out, the last hint has "
           "them; shown", choices=FORMULAS),
    bars={"--from-browser": ("--route", "--formulas")},
)  # fmt: skip
def run_init(options: argparse.Namespace) -> int:
    """Write the workspace; existing files stay, and the first are named."""
    if not has_sources():
        return _of_release(options)
    course = read_course()
    chapters = {chapter.id: chapter for chapter in course.chapters}
    saved = read_saved(options.saved, course.stubs(1)) if options.saved is not None else None
    begun = saved.chapter if saved is not None and saved.chapter in chapters else None
    asked = _asked(options)
    there = _settled(options.folder, list(chapters), asked)
    first = options.first or there.get("from") or begun or course.chapters[0].id
    select_chapters([first], list(chapters))
    terms = _terms_of(there or asked)
    course.require_terms(terms)
    _create(options.folder, first, starter(course, chapters[first].number, terms), saved, terms)
    prose = os.path.join(options.folder, "chapters", f"{first}.md")
    pages = f"grader book {first}, or " if has_product("book") else ""
    read = f"  read   {pages}{prose}\n" if os.path.exists(prose) else ""
    print(
        f"A workspace that begins at {first}{_say(terms)}: {options.folder}\n{read}"
        f"  write  {os.path.join(options.folder, COURSE.name)}\n"
        f"  check  cd {options.folder} && grader check {first}"
    )
    return 0


def _terms_of(said: Mapping[str, str | None]) -> Terms:
    """Return the terms that somebody named, with the usual ones for the rest."""
    return Terms(said.get("route") or FULL, said.get("formulas") or SHOWN)


def _say(terms: Terms) -> str:
    """Say what is unusual in these terms, as the end of a sentence."""
    return ", on the short route" * (terms.route == SHORT) + (
        ", with hidden formulas" * (terms.formulas == HIDDEN)
    )


def _settled(folder: str, chapters: list[str], asked: Mapping[str, str | None]) -> dict[str, str]:
    """Return the beginning, route and formulas of a workspace that is there already; none if not.

    Raises:
        WrongUse: others are asked for. Files that stay would not fit them.
    """
    place = os.path.join(folder, NAME)
    if not workspace.is_workspace(place):
        return {}
    first = f"{CHAPTER}{workspace.start(place, chapters)}"
    there = {"from": first, **workspace.read_terms(place)._asdict()}

    def advise(name: str, value: str) -> str:
        if name == "from":
            return "Make a new workspace beside it."
        return f"Change that with `cd {folder} && grader update --{name} {value}`."

    refuse_other_terms(asked, there, f"{folder} is a workspace already, with", advise)
    return there


def _asked(options: argparse.Namespace) -> dict[str, str | None]:
    """Return the beginning, route and formulas that the command names."""
    return {"from": options.first, "route": options.route, "formulas": options.formulas}


def _create(
    folder: str, first: str, files: dict[str, bytes], saved: Saved | None, terms: Terms
) -> None:
    """Write a workspace, with settings for VS Code if there are none; name files that were kept.
    Progress from a page is taken over, unless one of its files was kept."""
    make = find_hook("settings of an editor")
    is_there = os.path.lexists(os.path.join(folder, ".vscode"))
    settings: dict[str, bytes] = {} if make is None or is_there else make()
    texts = saved.files.items() if saved is not None else ()
    mine = {f"{NAME}/{name}": text.encode() for name, text in texts}
    kept = workspace.create(folder, first, files | mine | settings, terms)
    if kept:
        print(f"Files in {folder} that were there already, and stay: {first_of(kept, MOST)}.")
    if saved is not None and not mine.keys() & kept:
        _go_on(os.path.join(folder, NAME), saved)


def _go_on(place: str, saved: Saved) -> None:
    """Take over the progress of a page."""
    known = workspace.read_progress(place)
    begun = {id: m for id, m in saved.marks.items() if m["status"] != PENDING or id not in known}
    workspace.write_progress(place, begun, package.read_package(place).sha256)
    workspace.change_state(place, workspace.HINTS, partial(join_hints, seen=saved.hints))
    names = ", ".join(sorted(saved.files))
    right = sum(mark["status"] == PASSED for mark in saved.marks.values())
    print(f"taken over from {saved.chapter}'s page: {names}; exercises that passed: {right}")


def _of_release(options: argparse.Namespace) -> int:
    """Write a workspace from the instructor's release that the learner's wheel holds."""
    files = {
        name.replace(f"{HANDED}/", f"{workspace.STATE}/", 1): data
        for name, data in below(root.ROOT).items()
        if name not in (ALLOWED, FILE)
    }
    state = json.loads(files.pop(BEGINS))
    terms = _terms_of(state)
    there = {"from": state["from"], **terms._asdict()}
    given = "What you were given has"
    refuse_other_terms(_asked(options), there, given, lambda name, _: f"Leave --{name} away.")
    files[f"{workspace.STATE}/answers.key"] = files.pop("answers.key")
    stubs = {name.removeprefix(f"{NAME}/") for name in files if name.startswith(f"{NAME}/")}
    saved = read_saved(options.saved, stubs) if options.saved is not None else None
    _create(options.folder, there["from"], files, saved, terms)
    read = os.path.join(options.folder, "README.md")
    print(f"Your workspace: {options.folder}. Begin with {read}")
    return 0


BEGINS = f"{STATE}/{workspace.BEGINS}"  # the chapter at which a workspace begins
MOST_FILES, MOST_BUNDLE = 2000, 256 << 20  # files of a release, and their bytes in all


@command(
    "update",
    option("bundle", "BUNDLE", nargs="?"),
    option("--route", "ROUTE", "take the other route: short or full", choices=ROUTES),
    option("--formulas", "HOW", "let docstrings leave derivatives out: hidden or shown",
           choices=FORMULAS),
    PACKAGE,
)  # fmt: skip
def run_update(options: argparse.Namespace) -> int:
    """Merge a release into a workspace, take over what a page of the book saved, or change its
    terms; exit status 1 if there are notes for the learner."""
    folder = package.find_package_folder(options.package)
    asked = {"route": options.route, "formulas": options.formulas}
    if (options.bundle is None) != any(asked.values()):
        raise WrongUse(
            "Name one: a release (`grader update BUNDLE`), or other terms (`--route short`, "
            "`--formulas hidden`)."
        )
    if any(asked.values()):
        return _take_terms(folder, {name: value for name, value in asked.items() if value})
    if is_saved(options.bundle):
        return _bring_home(folder, read_saved(options.bundle, package.read_package(folder).files))
    return _merge(folder, options.bundle)


def _take_terms(folder: str, asked: dict[str, str]) -> int:
    """Change a workspace's route, or whether its docstrings have formulas."""
    if not workspace.is_workspace(folder) or workspace.read_reference(folder) is None:
        raise WrongUse(
            "Only a workspace that `grader init` made from the whole course changes its terms. In "
            "a class the release sets them: ask your instructor."
        )
    course, was, place = read_course(), workspace.read_terms(folder), root_of(folder)
    terms = was._replace(**asked)
    course.require_terms(terms)
    if terms == was:
        print(f"This workspace has {_name(terms)} already. Nothing was changed.")
        return 0
    first = workspace.start(folder, [chapter.id for chapter in course.chapters])
    paths = {name: os.path.join(folder, *name.split("/")) for name in course.solutions}
    there = {name: path for name, path in paths.items() if os.path.lexists(path)}
    if flaw := next(filter(None, (find_flaw(path, place) for path in there.values())), None):
        raise WrongUse(flaw)
    mine = {name: read_file(path) for name, path in there.items()}
    own = workspace.read_own(folder)
    found = change_terms(course, first, (was, terms), mine, own)
    kept = write_over(place, {f"{NAME}/{n}": text.encode() for n, text in found.texts.items()})
    if terms.route != was.route:
        own = found.kept if terms.route == SHORT else []
    note = workspace.add_state(folder, workspace.BEGINS, {**terms._asdict(), "own": own})
    if note:
        raise WrongUse(note)
    print(" ".join([f"This workspace has {_name(terms)} now.", *_describe(was, terms, found)]))
    if kept:
        print(f"What stood there before is in {os.path.relpath(kept)}")
    return 0


MOST = 6  # names in a sentence


def _name(terms: Terms) -> str:
    return f"the {terms.route} route and {terms.formulas} formulas"


def _describe(was: Terms, terms: Terms, found: TermsChange) -> Iterator[str]:
    """Say what a change of terms did to the learner's files."""
    if terms.route != was.route:
        done = "solved now, for no points" if terms.route == SHORT else "yours to write now"
        yield f"Functions that are {done}: {len(found.targets)}."
    if found.kept:
        yield f"What you wrote stays: {first_of(found.kept, MOST)}."
    if terms.formulas != was.formulas:
        done = "without their formula" if terms.formulas == HIDDEN else "with their formula again"
        yield f"Docstrings {done}: {len(found.edited)}."
    if found.worded:
        yield f"Your own docstrings stay: {first_of(found.worded, MOST)}."


def _merge(folder: str, bundle: str) -> int:
    place, files = root_of(folder), read_bundle(bundle)
    listed = workspace.read_state(folder, "release.json").get("files")
    changes: dict[str, bytes] = {}
    notes: list[str] = []
    given: list[str] = []
    for name, new in sorted(files.items()):
        if name == BEGINS and (begun := _read_folder(place, name)) is not None:
            new = _with_terms(begun, new)
        inside = name.startswith(f"{STATE}/")
        old = None if inside else _read_folder(place, BASE + name)
        mine = None if inside else _read_folder(place, name)
        made = join_file(name, _handed_out(listed, name, mine) if old is None else old, mine, new)
        notes += made.notes
        given += made.given
        changes[name] = made.data
        if made.beside is not None:
            changes[f"{name}.new"] = made.beside
    changes = {name: data for name, data in changes.items() if _read_folder(place, name) != data}
    if not changes:
        print("Nothing is new.")
        return 0
    kept = write_over(place, changes)
    shown = [name for name in changes if not name.startswith(f"{STATE}/")]
    print(f"{len(shown)} file(s) are new: {', '.join(shown) or 'none of yours'}")
    if kept:
        print(f"What stood there before is in {os.path.relpath(kept)}")
    if given:
        print(f"You wrote what is given now; yours stays, and is not checked: {', '.join(given)}")
    for note in notes:
        print(note)
    return 1 if notes else 0


def _bring_home(folder: str, saved: Saved) -> int:
    """Bring what a learner wrote on a page into a workspace; files that change are kept in a
    backup. Where both have code for one function, the page's counts."""
    place, package_name = root_of(folder), os.path.basename(folder)
    began, changes = _page_began(saved.chapter), dict[str, bytes]()
    for file, page in saved.files.items():
        name = f"{package_name}/{file}"
        data = _read_folder(place, name)
        mine = None if data is None else data.decode("utf-8", "replace")
        joined = join_page(name, began.get(file, mine or ""), page, mine).encode()
        if joined != data:
            changes[name] = joined
    kept = write_over(place, changes) if changes else None
    _go_on(folder, saved)
    if kept:
        print(f"What stood there before is in {os.path.relpath(kept)}")
    return 0


def _page_began(chapter: str) -> dict[str, str]:
    """Return the package with which a chapter's page began; empty if it is not known."""
    if not is_chapter(chapter) or not has_sources():
        return {}
    return read_course().stubs(chapter_no(chapter))


def _with_terms(begun: bytes, new: bytes) -> bytes:
    """Return the workspace's own state, with the release's formulas, and its route if that is a
    shorter one: exercises that the learner had to write stay checked."""
    try:
        state, come = untrusted_files.parse_json(begun), untrusted_files.parse_json(new)
    except BadFile:
        return begun
    if not isinstance(state, dict) or not isinstance(come, dict):
        return begun
    told = {"formulas": SHOWN, **{name: come[name] for name in Terms._fields if name in come}}
    fresh = {
        name: value
        for name, value in told.items()
        if value in (*ROUTES, *FORMULAS) and value != state.get(name, getattr(Terms(), name))
    }
    return (json.dumps({**state, **fresh}) + "\n").encode() if fresh else begun


def _handed_out(listed: object, name: str, mine: bytes | None) -> bytes | None:
    """Return ``mine`` if it is unchanged by its release's digests, else None."""
    if mine is None or not isinstance(listed, dict):
        return None
    return mine if listed.get(name) == hashlib.sha256(mine).hexdigest() else None


def read_bundle(place: str) -> dict[str, bytes]:
    """Read a release's files, path → content.

    Raises:
        WrongUse: it is no release, or too large.
    """
    try:
        release = untrusted_files.parse_json(untrusted_files.read_inside(place, RELEASE))
    except BadFile:
        release = None
    schema = release.get("schema") if isinstance(release, dict) else None
    listed = release.get("files") if schema == SCHEMA else None
    if not isinstance(listed, dict):
        raise WrongUse(
            f"{place} is no release: name the folder that your instructor handed out, unpacked."
        )
    if len(listed) > MOST_FILES:
        raise WrongUse(f"{place} holds more than {MOST_FILES} files, as no release does.")
    found: dict[str, bytes] = {}
    for name in [*listed, RELEASE]:
        found[name] = _of_bundle(place, name)
        if sum(map(len, found.values())) > MOST_BUNDLE:
            raise WrongUse(f"{place} holds more than {MOST_BUNDLE >> 20} MB, as no release does.")
    return found


def _of_bundle(place: str, name: str) -> bytes:
    if not may_hold(name):
        raise WrongUse(f"{place} names the file {one_line(name, 80)}, which no release may hold.")
    try:
        return untrusted_files.read_inside(place, name)
    except BadFile as error:
        raise WrongUse(f"{place}: {name} cannot be taken: {error} Unpack it once more.") from error


def _read_folder(folder: str, name: str) -> bytes | None:
    path = os.path.join(folder, *name.split("/"))
    if not os.path.lexists(path):
        return None
    try:
        return safe_bytes(path, untrusted_files.MOST_BYTES)
    except BadFile as error:
        raise WrongUse(f"{path} is not read: {error}") from error


def write_over(workspace: str, changes: dict[str, bytes]) -> str | None:
    """Write files, after backing up existing ones; return the backup's folder, None without one."""
    number = 1
    while os.path.exists(folder := os.path.join(workspace, STATE, "backup", str(number))):
        number += 1
    found = {name: _read_folder(workspace, name) for name in changes}
    there = {name: data for name, data in found.items() if data is not None}
    for place, files in ((folder, there), (workspace, changes)):
        for name, data in files.items():
            write_whole(os.path.join(place, *name.split("/")), data, "anybody")
    return folder if there else None
