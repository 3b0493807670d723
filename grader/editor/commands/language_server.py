"""Answer an editor for `grader lsp`: translate between the protocol (LSP) and a `Background`.

It needs pygls, and is imported only by that command.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, NoReturn, cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from ... import __version__, interrupt
from ...course.outline import chapter_of
from ...course.package import module_of
from ...course.syntax_tree import NO_PYTHON, find_functions, is_stub, parse
from ...learner import selection, workspace
from ...learner.exercise_card import box_lines, card
from ...learner.terminal import details
from ...verdict import PENDING
from ..background import Fault
from .editor_input import EditorInput, end_with
from .exercise_commands import OFFERS, PLAIN, ExerciseCommands
from .open_texts import OpenTexts, OpenWorkspace, line_range, name_of, source_of


class ImpatientServer(LanguageServer):
    """A server of pygls that waits for none of its threads when it ends: `Server.end` ends all."""

    def shutdown(self) -> None:
        """Do nothing: pygls would wait here for a thread that builds a key."""


class Server:
    """The language server of one editor."""

    def __init__(self) -> None:
        self.editor = ImpatientServer("grader", __version__)
        self.texts = OpenTexts(self.editor, self._judged)
        self.commands = ExerciseCommands(self.texts)
        answers: dict[str, Callable[..., object]] = {
            lsp.INITIALIZE: self._greeted,
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

    def serve(self, reads: BinaryIO, writes: BinaryIO) -> NoReturn:
        """Serve until the editor says `exit`, closes its stream, or ends; end this process."""
        self.editor.start_io(cast(BinaryIO, EditorInput(reads, self.end)), writes)
        if interrupt.was_received:
            raise KeyboardInterrupt
        self.end(0)

    def end(self, status: int) -> NoReturn:
        """End this process, and all that it has started, whatever its threads are doing."""
        try:
            self.commands.close()
            self.texts.close()
        finally:
            os._exit(status)

    def _greeted(self, params: lsp.InitializeParams) -> None:
        end_with(params.process_id, self.end)

    # ---- files ------------------------------------------------------------------------

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        if (opened := self._find_or_open(uri)) is not None:
            self._publish(opened)
            opened.background.open(name_of(opened, self.editor.workspace.get_text_document(uri)))

    def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        if (opened := self._find_or_open(params.text_document.uri)) is not None:
            self._publish(opened)
            opened.background.save()

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self.texts.documents.pop(to_fs_path(params.text_document.uri) or "", None)

    def _find_or_open(self, uri: str) -> OpenWorkspace | None:
        """Return the workspace around a document, and note the editor's spelling of its URI."""
        opened = self.texts.find_or_open(uri)
        if opened is not None:
            self.texts.documents[to_fs_path(uri) or ""] = uri
        return opened

    def _judged(self, opened: OpenWorkspace) -> None:
        self._publish(opened)
        self.commands.send_news(opened)
        able = self.editor.client_capabilities.workspace
        if able is not None and able.code_lens is not None and able.code_lens.refresh_support:
            self.editor.workspace_code_lens_refresh(None)

    # ---- diagnostics ------------------------------------------------------------------

    def _publish(self, opened: OpenWorkspace) -> None:
        """Publish all faults, and the stubs of open files; clear files without either."""
        found: dict[str, list[lsp.Diagnostic]] = {}
        for fault in opened.faults:
            path = os.path.join(opened.folder, *fault.file.split("/"))
            uri = self.texts.uri_of(path)
            found.setdefault(uri, []).append(self._diagnostic(fault, uri))
        for path, uri in self.texts.documents.items():
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
        where = line_range(fault.line, *fault.columns)
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
            bodies = find_functions(
                module_of(name_of(opened, document)), parse(source_of(document))
            )
        except NO_PYTHON:
            return []  # judging reports it
        return [
            lsp.Diagnostic(
                line_range(bodies[target].lineno, bodies[target].col_offset, 1000),
                f"Yours to write: section {opened.sections[id]}.",
                severity=lsp.DiagnosticSeverity.Hint, code=id, source="grader",
            )
            for target, id in self.texts.mine(opened, document).items()
            if target in bodies and is_stub(bodies[target])
        ]  # fmt: skip

    # ---- exercises in a text ----------------------------------------------------------

    def _lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        opened = self.texts.find_open(uri)
        if opened is None:
            return []
        document = self.editor.workspace.get_text_document(uri)
        mine, lines = self.texts.mine(opened, document), dict[str, int]()
        for target, (top, _) in self.texts.spans(opened, document).items():
            lines.setdefault(mine[target], top)
        return [
            lsp.CodeLens(
                line_range(line, 0, 0),
                lsp.Command(opened.tree.in_words(id), "grader.menu", arguments=[uri, id]),
            )
            for id, line in lines.items()
        ]

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        opened, id = self.texts.at(params.text_document.uri, params.position.line)
        if opened is None or not id:
            return None
        exercise = selection.find_row(selection.key_for(opened.folder), id)
        status = workspace.read_progress(opened.folder).get(id, PENDING)
        lines = [*card(exercise, status, PLAIN), "", *box_lines(exercise, PLAIN)]
        board = opened.background.board
        if board is not None and (failing := board.failing.get(id)) is not None:
            lines += details(failing, PLAIN)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, fence(lines)))

    # ---- what an editor can do --------------------------------------------------------

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        opened, id = self.texts.at(uri, params.range.start.line)
        if opened is None or not id:
            return []
        actions = [
            lsp.CodeAction(title, command=lsp.Command(title, OFFERS[offer], arguments=[uri, id]))
            for offer in self.commands.offered(opened, id)
            if offer != "Reset"  # below, as an edit
            for title in [f"Open {chapter_of(id)}" if offer == "Show" else f"{offer}: {id}"]
        ]
        if changes := self.texts.renewed(opened, id):
            what = "what was given" if id in opened.given else "the stub"
            put_back = lsp.CodeAction(
                f"Put {what} of {id} back",
                kind=lsp.CodeActionKind.QuickFix,
                edit=lsp.WorkspaceEdit(changes=changes),
            )
            actions.insert(0, put_back)
        return actions


def fence(lines: list[str]) -> str:
    """Return lines as a block of Markdown that nothing in them can end: what learners' code says
    is not markup."""
    text = "\n".join(lines)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    marks = "`" * max(4, longest + 1)
    return f"{marks}text\n{text}\n{marks}"
