"""`grader init DIR [--from CHAPTER]`: a workspace, with earlier chapters solved and given; `grader
update BUNDLE`: a later release, or work from a page of the book, into a workspace; nothing is lost.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os

from .. import root
from ..about import COURSE, FILE
from ..course import package
from ..course.load import ALLOWED, HANDED, has_sources, read_course
from ..course.outline import select_chapters, spell
from ..course.package import NAME, BadFile, safe_bytes
from ..errors import WrongUse, one_line
from ..learner import untrusted_files, workspace
from ..learner.bundle_update import BASE, RELEASE, SCHEMA, join_file, may_hold
from ..learner.file_writer import write_whole
from ..learner.saved import Saved, is_saved, read_saved
from ..learner.workspace import STATE, below, root_of, starter
from ..products import find_hook, has_product
from ..verdict import PASSED
from . import PACKAGE, command, option


@command(
    "init",
    option("folder", "DIR"),
    option("--from", "CHAPTER", "begin at this chapter; those before it come solved", dest="first",
           type=spell),
    option("--from-browser", "FILE", "go on with what you took home from a page of the book: a "
           "zip, or its unpacked folder", dest="saved"),
)  # fmt: skip
def run_init(options: argparse.Namespace) -> int:
    """Write the workspace; existing files are left alone and listed."""
    if not has_sources():
        return _of_release(options)
    course = read_course()
    chapters = {chapter.id: chapter for chapter in course.chapters}
    saved = read_saved(options.saved, course.stubs(1)) if options.saved is not None else None
    begun = saved.chapter if saved is not None and saved.chapter in chapters else None
    first = options.first or begun or course.chapters[0].id
    select_chapters([first], list(chapters))
    files = starter(course, chapters[first].number)
    _create(options.folder, first, files, saved)
    prose = os.path.join(options.folder, "chapters", f"{first}.md")
    pages = f"grader book {first}, or " if has_product("book") else ""
    read = f"  read   {pages}{prose}\n" if os.path.exists(prose) else ""
    print(
        f"A workspace that begins at {first}: {options.folder}\n{read}"
        f"  write  {os.path.join(options.folder, COURSE.name)}\n"
        f"  check  cd {options.folder} && grader check {first}"
    )
    return 0


def _create(folder: str, first: str, files: dict[str, bytes], saved: Saved | None) -> None:
    """Write a workspace, with settings for VS Code if there are none; list files that were kept.
    Progress from a page is taken over, unless one of its files was kept."""
    make = find_hook("settings of an editor")
    is_there = os.path.lexists(os.path.join(folder, ".vscode"))
    settings: dict[str, bytes] = {} if make is None or is_there else make()
    texts = saved.files.items() if saved is not None else ()
    mine = {f"{NAME}/{name}": text.encode() for name, text in texts}
    kept = workspace.create(folder, first, files | mine | settings)
    for name in kept:
        print(f"kept {os.path.join(folder, name)}, which was there already")
    if saved is not None and not mine.keys() & kept:
        _go_on(os.path.join(folder, NAME), saved)


def _go_on(place: str, saved: Saved) -> None:
    """Take over the progress of a page."""
    workspace.write_progress(place, saved.marks, package.read_package(place).sha256)
    workspace.add_state(place, "hints.json", saved.hints)
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
    begins = json.loads(files.pop(f"{workspace.STATE}/workspace.json"))["from"]
    if options.first not in (None, begins):
        raise WrongUse(f"What you were given begins at {begins}; leave --from away.")
    files[f"{workspace.STATE}/answers.key"] = files.pop("answers.key")
    stubs = {name.removeprefix(f"{NAME}/") for name in files if name.startswith(f"{NAME}/")}
    saved = read_saved(options.saved, stubs) if options.saved is not None else None
    _create(options.folder, begins, files, saved)
    read = os.path.join(options.folder, "README.md")
    print(f"Your workspace: {options.folder}. Begin with {read}")
    return 0


BEGINS = f"{STATE}/workspace.json"  # the chapter at which a workspace begins
MOST_FILES, MOST_BUNDLE = 2000, 256 << 20  # files of a release, and their bytes in all


@command("update", option("bundle", "BUNDLE"), PACKAGE)
def run_update(options: argparse.Namespace) -> int:
    """Merge a release into a workspace, or take over what a page of the book saved; exit status 1
    if there are notes for the learner."""
    folder = package.find_package_folder(options.package)
    if is_saved(options.bundle):
        return _bring_home(folder, read_saved(options.bundle, package.read_package(folder).files))
    place, files = root_of(folder), read_bundle(options.bundle)
    listed = workspace.read_state(folder, "release.json").get("files")
    changes: dict[str, bytes] = {}
    notes: list[str] = []
    given: list[str] = []
    for name, new in sorted(files.items()):
        if name == BEGINS and _read_folder(place, name) is not None:
            continue  # exercises that the learner had to write stay checked
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
    """Write the files of a page over those of a workspace, which are kept in a backup."""
    place = root_of(folder)
    named = {f"{os.path.basename(folder)}/{name}": text for name, text in saved.files.items()}
    texts = {name: text.encode() for name, text in named.items()}
    changes = {name: data for name, data in texts.items() if _read_folder(place, name) != data}
    kept = write_over(place, changes) if changes else None
    _go_on(folder, saved)
    if kept:
        print(f"What stood there before is in {os.path.relpath(kept)}")
    return 0


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
