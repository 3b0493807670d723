"""Answer an editor for `grader lsp`: translate between the protocol (LSP) and a `Background`.

It needs pygls, and is imported only by that command.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from ... import __version__, root
from ...about import COURSE
from ...course import package
from ...course.outline import anchor_of, chapter_of
from ...course.package import module_of
from ...course.syntax_tree import NO_PYTHON, find_functions, is_stub, parse
from ...errors import WrongUse
from ...learner import selection, workspace
from ...learner.exercise_card import box_lines, card, excerpt, rung
from ...learner.own_file import asked_in, find_roughly, locate, read_file, renew, spans_in
from ...learner.terminal import details
from ...learner.wording import Style
from ...verdict import PENDING
from ..background import Background, Fault

PLAIN = Style(False, 80)
LENSES = {"Check": "grader.check", "Hint": "grader.hint", "Show": "grader.show"}


NO_WORKSPACE = (
    f"It lies in no workspace of the {COURSE.name} course, so there is nothing to say about it. "
    "Make one with `grader init DIR`, and open the files in it."
)


class OpenWorkspace(NamedTuple):
    """An open workspace: its judge, and what was shown of it so far."""

    folder: str
    background: Background
    given: set[str]
    sections: dict[str, str]
    faults: list[Fault]
    shown: set[str]  # the URIs that have diagnostics


class Server:
    """The language server of one editor."""

    def __init__(self) -> None:
        self.editor = LanguageServer("grader", __version__)
        self.open_workspaces: dict[str, OpenWorkspace] = {}
        self.documents: dict[str, str] = {}  # path → URI in the editor's spelling
        self.refused: set[str] = set()
        answers: dict[str, Callable[..., object]] = {
            lsp.TEXT_DOCUMENT_DID_OPEN: self._opened,
            lsp.TEXT_DOCUMENT_DID_SAVE: self._saved,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            lsp.TEXT_DOCUMENT_CODE_LENS: self._lenses,
            lsp.TEXT_DOCUMENT_CODE_ACTION: self._actions,
        }
        for name, answer in answers.items():
            self.editor.feature(name)(partial(answer))
        # In a thread: the key of a chapter may have to be built first.
        self.editor.feature(lsp.TEXT_DOCUMENT_HOVER)(self.editor.thread()(partial(self._hover)))
        self.editor.command("grader.check")(partial(self._check))
        self.editor.command("grader.hint")(self.editor.thread()(partial(self._hint)))
        self.editor.command("grader.show")(partial(self._show))

    def serve(self, reads: BinaryIO, writes: BinaryIO) -> None:
        """Serve until the editor closes its streams."""
        try:
            self.editor.start_io(reads, writes)
        finally:
            for opened in self.open_workspaces.values():
                opened.background.close()

    # ---- files ------------------------------------------------------------------------

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        if (opened := self._find_or_open(uri)) is not None:
            self._publish(opened)
            opened.background.open(_name(opened, self.editor.workspace.get_text_document(uri)))

    def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        if (opened := self._find_or_open(params.text_document.uri)) is not None:
            self._publish(opened)
            opened.background.save()

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self.documents.pop(to_fs_path(params.text_document.uri) or "", None)

    def _find_or_open(self, uri: str) -> OpenWorkspace | None:
        """Return the workspace around a file, opened if needed; say so if there is none."""
        path, folder = to_fs_path(uri) or "", _package_around(uri)
        if not uri.startswith("file:"):
            return None  # an unsaved document, or an older version
        try:
            if folder is None:
                raise WrongUse(NO_WORKSPACE)
            self.documents[path] = uri
            if folder not in self.open_workspaces:
                self.open_workspaces[folder] = self._open_workspace(folder)
            return self.open_workspaces[folder]
        except WrongUse as error:
            if str(error) not in self.refused:  # each is said once
                self.refused.add(str(error))
                self._say(f"{path}: {error}", lsp.MessageType.Warning)
            return None

    def _uri_of(self, path: str) -> str:
        """Return a path's URI, in the editor's spelling if it has opened the file."""
        return self.documents.get(path) or from_fs_path(path) or ""

    def _find_open(self, uri: str) -> OpenWorkspace | None:
        """Return the open workspace around a file; None without one."""
        return self.open_workspaces.get(_package_around(uri) or "")

    def _open_workspace(self, folder: str) -> OpenWorkspace:
        loop, key = asyncio.get_running_loop(), selection.key_for(folder)

        def later(do: Callable[..., object], *arguments: object) -> None:
            with contextlib.suppress(RuntimeError):  # the editor has gone
                loop.call_soon_threadsafe(do, *arguments)

        def tell(faults: list[Fault]) -> None:
            later(self._judged, folder, faults)

        background = Background(key, folder, tell, partial(later, self._say))
        sections = {id: section for id, section, _ in key.outline}
        return OpenWorkspace(
            folder, background, selection.find_given(key, folder), sections, [], set()
        )

    def _judged(self, folder: str, faults: list[Fault]) -> None:
        opened = self.open_workspaces[folder]
        opened.faults[:] = faults
        self._publish(opened)

    def _say(self, says: str, kind: lsp.MessageType = lsp.MessageType.Info) -> None:
        self.editor.window_show_message(lsp.ShowMessageParams(kind, says))

    # ---- diagnostics ------------------------------------------------------------------

    def _publish(self, opened: OpenWorkspace) -> None:
        """Publish all faults, and the stubs of open files; clear files without either."""
        found: dict[str, list[lsp.Diagnostic]] = {}
        for fault in opened.faults:
            path = os.path.join(opened.folder, *fault.file.split("/"))
            uri = self._uri_of(path)
            found.setdefault(uri, []).append(self._diagnostic(fault, uri))
        for path, uri in self.documents.items():
            if path.startswith(opened.folder + os.sep):
                found.setdefault(uri, []).extend(self._stubs(opened, uri))
        for uri in opened.shown - found.keys():
            found[uri] = []
        opened.shown.clear()
        for uri, diagnostics in found.items():
            params = lsp.PublishDiagnosticsParams(uri, diagnostics)
            self.editor.text_document_publish_diagnostics(params)
            opened.shown.update([uri] if diagnostics else [])

    def _diagnostic(self, fault: Fault, uri: str) -> lsp.Diagnostic:
        where = _line(fault.line, *fault.columns)
        says, related = fault.says, None
        published = self.editor.client_capabilities.text_document
        able = published.publish_diagnostics if published is not None else None
        if fault.call and able is not None and able.related_information:
            related = [lsp.DiagnosticRelatedInformation(lsp.Location(uri, where), fault.call)]
        elif fault.call:
            says += f"\n\n{fault.call}"
        return lsp.Diagnostic(
            where, says, severity=lsp.DiagnosticSeverity.Error, code=fault.code, source="grader",
            related_information=related,
        )  # fmt: skip

    def _stubs(self, opened: OpenWorkspace, uri: str) -> list[lsp.Diagnostic]:
        document = self.editor.workspace.get_text_document(uri)
        try:
            bodies = find_functions(module_of(_name(opened, document)), parse(_source(document)))
        except NO_PYTHON:
            return []  # judging reports it
        return [
            lsp.Diagnostic(
                _line(bodies[target].lineno, bodies[target].col_offset, 1000),
                f"Yours to write: section {opened.sections[id]}.",
                severity=lsp.DiagnosticSeverity.Hint, code=id, source="grader",
            )
            for target, id in self._mine(opened, document).items()
            if target in bodies and is_stub(bodies[target])
        ]  # fmt: skip

    # ---- exercises in a text ----------------------------------------------------------

    def _mine(self, opened: OpenWorkspace, document: TextDocument) -> dict[str, str]:
        """Return target → exercise for the exercises that the learner has to write in a file."""
        owners, board = opened.background.key.table["targets"], opened.background.board
        intact = opened.given - board.failing.keys() if board is not None else opened.given
        return asked_in(_name(opened, document), owners, intact)

    def _spans(self, opened: OpenWorkspace, document: TextDocument) -> dict[str, tuple[int, int]]:
        """Return target → (first, last line); by indentation if the text does not parse."""
        mine, text = self._mine(opened, document), _source(document)
        spans = dict(spans_in(_name(opened, document), text))
        if not spans:
            rough = {t: find_roughly(text, locate(opened.folder, t)[1]) for t in mine}
            spans = {t: (place.top, place.last) for t, place in rough.items() if place is not None}
        return {target: spans[target] for target in mine if target in spans}

    def _at(self, uri: str, line: int) -> tuple[OpenWorkspace | None, str]:
        """Return the workspace of a file, and the exercise around a line, counted from 0."""
        opened = self._find_open(uri)
        if opened is None:
            return None, ""
        document = self.editor.workspace.get_text_document(uri)
        spans = self._spans(opened, document)
        around = [t for t, (top, last) in spans.items() if top <= line + 1 <= last]
        return opened, self._mine(opened, document)[around[-1]] if around else ""

    def _lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        opened = self._find_open(uri)
        if opened is None:
            return []
        document = self.editor.workspace.get_text_document(uri)
        mine, lines = self._mine(opened, document), dict[str, int]()
        for target, (top, _) in self._spans(opened, document).items():
            lines.setdefault(mine[target], top)
        return [
            lsp.CodeLens(_line(line, 0, 0), lsp.Command(title, command, arguments=[uri, id]))
            for id, line in lines.items()
            for title, command in LENSES.items()
        ]

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        opened, id = self._at(params.text_document.uri, params.position.line)
        if opened is None or not id:
            return None
        exercise = selection.find_row(selection.key_for(opened.folder), id)
        status = workspace.read_progress(opened.folder).get(id, PENDING)
        lines = [*card(exercise, status, PLAIN), "", *box_lines(exercise, PLAIN)]
        board = opened.background.board
        if board is not None and (failing := board.failing.get(id)) is not None:
            lines += details(failing, PLAIN)
        text = "\n".join(["````text", *lines, "````"])
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text))

    # ---- what an editor can do --------------------------------------------------------

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        opened, id = self._at(uri, params.range.start.line)
        if opened is None or not id:
            return []
        chapter = lsp.Command(f"Open {chapter_of(id)}", LENSES["Show"], arguments=[uri, id])
        actions = [lsp.CodeAction(chapter.title, command=chapter)]
        if changes := self._renewed(opened, id):
            what = "what was given" if id in opened.given else "the stub"
            put_back = lsp.CodeAction(
                f"Put {what} of {id} back",
                kind=lsp.CodeActionKind.QuickFix,
                edit=lsp.WorkspaceEdit(changes=changes),
            )
            actions.insert(0, put_back)
        return actions

    def _renewed(self, opened: OpenWorkspace, id: str) -> dict[str, list[lsp.TextEdit]]:
        """Return the edits that put an exercise's stubs back into the editor's texts."""

        def text_of(path: str) -> str:
            if path not in self.documents:
                return read_file(path)
            return _source(self.editor.workspace.get_text_document(self.documents[path]))

        owners = opened.background.key.table["targets"]
        targets = [target for target, owner in owners.items() if owner == id]
        try:
            came = (
                workspace.read_definitions(opened.folder, targets) if id in opened.given else None
            )
            fresh = renew(opened.folder, id, opened.sections[id], targets, text_of, came)
        except (WrongUse, OSError, ValueError):
            return {}  # a file or a definition that is gone
        return {self._uri_of(path): [_edit(text_of(path), text)] for path, text in fresh.items()}

    def _check(self, uri: str, id: str) -> None:
        if (opened := self._find_open(uri)) is not None:
            opened.background.check(id)

    def _hint(self, uri: str, id: str) -> None:
        if (opened := self._find_open(uri)) is not None:
            exercise = selection.find_row(selection.key_for(opened.folder), id)
            due = workspace.next_hint(opened.folder, id, len(exercise["hints"]))
            self._say("\n".join(rung(exercise, due, PLAIN)))

    def _show(self, uri: str, id: str) -> None:
        """Open the chapter at the box that asks for this exercise."""
        opened, box = self._find_open(uri), excerpt(chapter_of(id), anchor_of(id))
        if opened is None or box is None:
            return
        path = os.path.join(workspace.root_of(opened.folder), box.file)
        path = path if os.path.exists(path) else root.path(*box.file.split(os.sep))
        window = self.editor.client_capabilities.window
        if window is None or window.show_document is None or not window.show_document.support:
            self._say(f"{path}, line {box.line}, under «{box.heading}»: {box.title}")
            return
        place = _line(box.line, 0, 0)
        shown = lsp.ShowDocumentParams(from_fs_path(path) or "", False, True, place)
        self.editor.window_show_document(shown)


def _package_around(uri: str) -> str | None:
    """Find the package that a file lies in, or beside one of its parents; None without one."""
    path = to_fs_path(uri) or ""
    while (above := os.path.dirname(path)) != path:
        with contextlib.suppress(WrongUse):
            return package.find_package_folder(above)
        path = above
    return None


def _name(opened: OpenWorkspace, document: TextDocument) -> str:
    """Return the path of a document below its package."""
    return os.path.relpath(document.path, opened.folder).replace(os.sep, "/")


def _source(document: TextDocument) -> str:
    """Return a document's text; empty if it is too large for a module."""
    return document.source if len(document.source) <= package.MOST_BYTES else ""


def _line(number: int, first: int, last: int) -> lsp.Range:
    """Return a range in line ``number``, counted from 1; columns from 0."""
    return lsp.Range(lsp.Position(number - 1, first), lsp.Position(number - 1, last))


def _edit(before: str, after: str) -> lsp.TextEdit:
    """Return an edit of only the lines that differ, so that a cursor elsewhere stays in place."""
    old, new = before.splitlines(True), after.splitlines(True)
    same: Callable[[list[Any]], list[Any]] = os.path.commonprefix  # type: ignore[assignment]
    top = len(same([old, new]))
    below = len(same([old[top:][::-1], new[top:][::-1]]))
    place = lsp.Range(lsp.Position(top, 0), lsp.Position(len(old) - below, 0))
    return lsp.TextEdit(place, "".join(new[top : len(new) - below]))
