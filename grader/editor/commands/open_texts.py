"""Keep an editor's open workspaces and documents, and find the exercises in their texts."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from ...about import COURSE
from ...course import package
from ...errors import WrongUse
from ...learner import selection, workspace
from ...learner.own_file import asked_in, find_roughly, locate, read_file, renew, spans_in
from ..background import Background, Fault
from ..progress_tree import ProgressTree
from .long_work import LongWork

NO_WORKSPACE = (
    f"It lies in no workspace of the {COURSE.name} course, so there is nothing to say about it. "
    "Make one with `grader init DIR`, and open the files in it."
)

A_MOMENT = 0.2  # seconds to end a run and to write what was being written


class OpenWorkspace(NamedTuple):
    """An open workspace: its judge, and what was shown of it so far."""

    folder: str
    background: Background
    given: set[str]
    sections: dict[str, str]
    tree: ProgressTree
    faults: list[Fault]
    shown: set[str]  # the URIs that have diagnostics


class OpenTexts:
    """The workspaces that an editor has open, and the texts in them as it shows them."""

    def __init__(self, editor: LanguageServer, judged: Callable[[OpenWorkspace], object]) -> None:
        self.editor = editor
        self.judged = judged  # called after each round of a workspace
        self.open_workspaces: dict[str, OpenWorkspace] = {}
        self.documents: dict[str, str] = {}  # path → URI in the editor's spelling
        self.refused: set[str] = set()

    def close(self) -> None:
        """Stop judging all workspaces; wait for no run that nothing cancels."""
        for opened in list(self.open_workspaces.values()):
            opened.background.close(A_MOMENT)

    def say(self, says: str, kind: lsp.MessageType = lsp.MessageType.Info) -> None:
        """Show a sentence in the editor."""
        self.editor.window_show_message(lsp.ShowMessageParams(kind, says))

    def find_or_open(self, uri: str) -> OpenWorkspace | None:
        """Return the workspace around a file or folder, opened if needed; say so without one."""
        path, folder = to_fs_path(uri) or "", package_around(uri)
        if not uri.startswith("file:"):
            return None  # an unsaved document, or an older version
        try:
            if folder is None:
                raise WrongUse(NO_WORKSPACE)
            if folder not in self.open_workspaces:
                self.open_workspaces[folder] = self._open_workspace(folder)
            return self.open_workspaces[folder]
        except WrongUse as error:
            if str(error) not in self.refused:  # each is said once
                self.refused.add(str(error))
                self.say(f"{path}: {error}", lsp.MessageType.Warning)
            return None

    def has_workspace(self, uri: str) -> bool:
        """Whether a file or folder lies in a workspace."""
        return uri.startswith("file:") and package_around(uri) is not None

    def uri_of(self, path: str) -> str:
        """Return a path's URI, in the editor's spelling if it has opened the file."""
        return self.documents.get(path) or from_fs_path(path) or ""

    def find_open(self, uri: str) -> OpenWorkspace | None:
        """Return the open workspace around a file; None without one."""
        return self.open_workspaces.get(package_around(uri) or "")

    def _open_workspace(self, folder: str) -> OpenWorkspace:
        loop, key = asyncio.get_running_loop(), selection.key_for(folder)

        def later(do: Callable[..., object], *arguments: object) -> None:
            with contextlib.suppress(RuntimeError):  # the editor has gone
                loop.call_soon_threadsafe(do, *arguments)

        def tell(faults: list[Fault]) -> None:
            later(self._take, folder, faults)

        working = partial(later, LongWork(self.editor).show)
        background = Background(key, folder, tell, partial(later, self.say), working)
        sections = {id: section for id, section, _ in key.outline}
        return OpenWorkspace(
            folder,
            background,
            selection.find_given(key, folder),
            sections,
            ProgressTree(key, folder),
            [],
            set(),
        )

    def _take(self, folder: str, faults: list[Fault]) -> None:
        opened = self.open_workspaces[folder]
        opened.faults[:] = faults
        self.judged(opened)

    # ---- exercises in a text ----------------------------------------------------------

    def mine(self, opened: OpenWorkspace, document: TextDocument) -> dict[str, str]:
        """Return target → exercise for the exercises that the learner has to write in a file."""
        owners, board = opened.background.key.table["targets"], opened.background.board
        intact = opened.given - board.failing.keys() if board is not None else opened.given
        return asked_in(name_of(opened, document), owners, intact)

    def spans(self, opened: OpenWorkspace, document: TextDocument) -> dict[str, tuple[int, int]]:
        """Return target → (first, last line); by indentation if the text does not parse."""
        mine, text = self.mine(opened, document), source_of(document)
        spans = dict(spans_in(name_of(opened, document), text))
        if not spans:
            rough = {t: find_roughly(text, locate(opened.folder, t)[1]) for t in mine}
            spans = {t: (place.top, place.last) for t, place in rough.items() if place is not None}
        return {target: spans[target] for target in mine if target in spans}

    def at(self, uri: str, line: int) -> tuple[OpenWorkspace | None, str]:
        """Return the workspace of a file, and the exercise around a line, counted from 0."""
        opened = self.find_open(uri)
        if opened is None:
            return None, ""
        document = self.editor.workspace.get_text_document(uri)
        spans = self.spans(opened, document)
        around = [t for t, (top, last) in spans.items() if top <= line + 1 <= last]
        return opened, self.mine(opened, document)[around[-1]] if around else ""

    def renewed(self, opened: OpenWorkspace, id: str) -> dict[str, list[lsp.TextEdit]]:
        """Return the edits that put an exercise's stubs back into the editor's texts."""

        def text_of(path: str) -> str:
            if path not in self.documents:
                return read_file(path)
            return source_of(self.editor.workspace.get_text_document(self.documents[path]))

        owners = opened.background.key.table["targets"]
        targets = [target for target, owner in owners.items() if owner == id]
        try:
            came = (
                workspace.read_definitions(opened.folder, targets) if id in opened.given else None
            )
            fresh = renew(opened.folder, id, opened.sections[id], targets, text_of, came)
        except (WrongUse, OSError, ValueError):
            return {}  # a file or a definition that is gone
        return {
            self.uri_of(path): [smallest_edit(text_of(path), text)] for path, text in fresh.items()
        }


def package_around(uri: str) -> str | None:
    """Find the package around a file or folder, or beside one of its parents; None without one."""
    path = os.path.join(to_fs_path(uri) or "", "")  # ends with a separator: a folder is its own
    while (above := os.path.dirname(path)) != path:
        with contextlib.suppress(WrongUse):
            return package.find_package_folder(above)
        path = above
    return None


def name_of(opened: OpenWorkspace, document: TextDocument) -> str:
    """Return the path of a document below its package."""
    return os.path.relpath(document.path, opened.folder).replace(os.sep, "/")


def source_of(document: TextDocument) -> str:
    """Return a document's text; empty if it is too large for a module."""
    return document.source if len(document.source) <= package.MOST_BYTES else ""


def line_range(number: int, first: int, last: int) -> lsp.Range:
    """Return a range in line ``number``, counted from 1; columns from 0."""
    return lsp.Range(lsp.Position(number - 1, first), lsp.Position(number - 1, last))


def smallest_edit(before: str, after: str) -> lsp.TextEdit:
    """Return an edit of only the lines that differ, so that a cursor elsewhere stays in place."""
    old, new = before.splitlines(True), after.splitlines(True)
    same: Callable[[list[Any]], list[Any]] = os.path.commonprefix  # type: ignore[assignment]
    top = len(same([old, new]))
    below = len(same([old[top:][::-1], new[top:][::-1]]))
    place = lsp.Range(lsp.Position(top, 0), lsp.Position(len(old) - below, 0))
    return lsp.TextEdit(place, "".join(new[top : len(new) - below]))
