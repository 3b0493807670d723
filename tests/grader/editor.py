"""An editor for tests: pygls' own client, in a thread, with what the server has told it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from functools import partial

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

from grader import root

SECONDS = 300  # nothing takes as long; a machine with more to do than it can takes some


class Editor:
    """One editor and its server.

    Attributes:
        diagnostics: URI → what was published last.
        messages: what was shown, in order.
        opened: the documents that it was asked to show.
        progress: what `grader/progress` has told, in order.
        asked: the choices that it was given, in order.
        choices: what it answers to them, in order; then nothing.
        edits: the edits that it was asked to make.
        work: what `$/progress` has told of long work, in order.
    """

    def __init__(self, folder, *, able=True, **environment):
        self.diagnostics, self.messages, self.opened = {}, [], []
        self.progress, self.choices, self.asked, self.edits = [], [], [], []
        self.work = []
        self._news = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.client = LanguageClient("editor", "1")
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda told: self._take(self.diagnostics.__setitem__, told.uri, told.diagnostics)
        )
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(
            lambda told: self._take(self.messages.append, told.message)
        )
        self.client.feature(lsp.WINDOW_SHOW_DOCUMENT)(partial(self._show))
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(partial(self._choose))
        self.client.feature(lsp.WORKSPACE_APPLY_EDIT)(partial(self._apply))
        self.client.feature("grader/progress")(lambda told: self._take(self.progress.append, told))
        self.client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda told: None)
        self.client.feature(lsp.PROGRESS)(lambda told: self._take(self.work.append, told.value))
        self.wait(self._start(folder, able, environment))

    async def _start(self, folder, able, environment):
        await self.client.start_io(
            sys.executable, "-m", "grader", "lsp", "--stdio",
            env={**os.environ, "PYTHONPATH": root.ROOT, **environment}, cwd=str(folder),
        )  # fmt: skip
        shows = lsp.PublishDiagnosticsClientCapabilities(related_information=True)
        abilities = lsp.ClientCapabilities(
            window=lsp.WindowClientCapabilities(
                show_document=lsp.ShowDocumentClientCapabilities(support=True),
                work_done_progress=True,
            ),
            text_document=lsp.TextDocumentClientCapabilities(publish_diagnostics=shows),
        )
        told = lsp.InitializeParams(abilities if able else lsp.ClientCapabilities())
        self.server = (await self.client.initialize_async(told)).capabilities
        self.client.initialized(lsp.InitializedParams())

    def _take(self, note, *news):
        with self._news:
            note(*news)
            self._news.notify_all()

    def _show(self, params):
        self._take(self.opened.append, params)
        return lsp.ShowDocumentResult(True)

    def _choose(self, params):
        self._take(self.asked.append, params)
        return lsp.MessageActionItem(self.choices.pop(0)) if self.choices else None

    def _apply(self, params):
        self._take(self.edits.append, params)
        return lsp.ApplyWorkspaceEditResult(True)

    def wait(self, awaitable):
        return asyncio.run_coroutine_threadsafe(awaitable, self._loop).result(SECONDS)

    def until(self, is_so):
        """Wait for something to be so; it has to become so by what the server tells."""
        with self._news:
            assert self._news.wait_for(is_so, SECONDS), (self.diagnostics, self.messages)

    def ask(self, method, params):
        async def answer():
            return await self.client.protocol.send_request_async(method, params)

        return self.wait(answer())

    def do(self, command, *arguments):
        return self.ask(
            lsp.WORKSPACE_EXECUTE_COMMAND, lsp.ExecuteCommandParams(command, list(arguments))
        )

    def tell(self, notify, params):
        self._loop.call_soon_threadsafe(notify, params)

    def open(self, path):
        item = lsp.TextDocumentItem(from_fs_path(str(path)), "python", 1, path.read_text())
        self.tell(self.client.text_document_did_open, lsp.DidOpenTextDocumentParams(item))
        return item.uri

    def save(self, path, text):
        """Change a whole text and save it, as an editor does."""
        path.write_text(text)
        uri = from_fs_path(str(path))
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        changed = lsp.VersionedTextDocumentIdentifier(2, uri)
        self.tell(
            self.client.text_document_did_change,
            lsp.DidChangeTextDocumentParams(changed, [whole]),
        )
        saved = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri))
        self.tell(self.client.text_document_did_save, saved)

    def faults(self, uri, severity=lsp.DiagnosticSeverity.Error):
        """(line from 1, code, message) of what is published for a document."""
        found = self.diagnostics.get(uri, [])
        return [
            (d.range.start.line + 1, d.code, d.message) for d in found if d.severity == severity
        ]

    def quit(self):
        """Quit as an editor does; return the server's exit status."""
        self.wait(self.client.shutdown_async(None))
        self.tell(self.client.exit, None)
        process = self.client._server
        status = self.wait(process.wait())
        self.wait(self.client.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        return status
