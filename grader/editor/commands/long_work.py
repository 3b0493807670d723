"""Show an editor that the server is working out answers, which takes a while, once."""

from __future__ import annotations

from uuid import uuid4

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

TITLE = "Working out what right code gives"
ONCE = (
    "The grader is working out what right code gives in this chapter. This takes seconds, once; "
    "then every save is judged at once."
)


class LongWork:
    """One workspace's long work, as an editor shows it: by a progress bar, else by a sentence."""

    def __init__(self, editor: LanguageServer) -> None:
        self.editor = editor
        self._token = ""  # while it runs

    def show(self, now: str) -> None:
        """Show what is worked out now; an empty text ends it."""
        window = self.editor.client_capabilities.window
        if window is not None and window.work_done_progress:
            self._report(now)
        elif now and not self._token:
            self.editor.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, ONCE))
            self._token = str(uuid4())

    def _report(self, now: str) -> None:
        bar = self.editor.work_done_progress
        if not now:
            bar.end(self._token, lsp.WorkDoneProgressEnd())
            self._token = ""
        elif self._token:
            bar.report(self._token, lsp.WorkDoneProgressReport(message=now))
        else:
            self._token = str(uuid4())
            bar.create(self._token)  # the editor reads the messages in this order
            bar.begin(self._token, lsp.WorkDoneProgressBegin(TITLE, message=now))
