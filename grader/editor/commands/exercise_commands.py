"""Carry out for an editor what a learner asks of an exercise: commands, and two requests.

Commands (`workspace/executeCommand`) take a URI in the workspace and an exercise. The requests
`grader/tree` and `grader/exercise` and the notification `grader/progress` are no part of LSP:
`docs/editors.md` describes them. An editor without them misses the tree and nothing else.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from ... import root
from ...course.outline import anchor_of, chapter_of
from ...learner import selection, workspace
from ...learner.exercise_card import excerpt, next_hint
from ...learner.own_file import find_roughly, locate, read_file, spans_in
from ...learner.wording import Style, next_step
from ...products import has_product
from ...verdict import GIVEN, PENDING, WRONG
from ..progress_tree import Json
from .open_texts import OpenTexts, OpenWorkspace, line_range

PLAIN = Style(False, 80)
# What an exercise's menu and its code actions offer → its command.
OFFERS = {
    "Check": "grader.check", "Hint": "grader.hint", "Show": "grader.show",
    "Repro": "grader.repro", "Reset": "grader.reset",
}  # fmt: skip
# Commands that ask questions in a terminal → their product. They take a chapter.
IN_TERMINAL = {"quiz": "viva", "viva": "viva", "book": "book"}


class ExerciseCommands:
    """The commands and requests of one editor."""

    def __init__(self, texts: OpenTexts) -> None:
        self.texts, self.editor = texts, texts.editor
        self._started: list[subprocess.Popen[str]] = []
        # In a thread goes what may have to build a chapter's key, or waits for a process.
        in_thread = self.editor.thread()
        commands: dict[str, Callable[..., object]] = {
            "grader.check": partial(self._check),
            "grader.show": partial(self._show),
            "grader.reset": partial(self._reset),
            "grader.hint": in_thread(partial(self._hint)),
            "grader.repro": in_thread(partial(self._repro)),
            "grader.next": in_thread(partial(self._next)),
        }
        for name, do in commands.items():
            self.editor.command(name)(do)
        self._carry_out = {title: commands[name] for title, name in OFFERS.items()}

        async def menu(uri: str, id: str) -> None:
            await self._menu(uri, id)

        self.editor.command("grader.menu")(menu)
        self.editor.feature("grader/tree")(partial(self._tree))
        self.editor.feature("grader/exercise")(partial(self._exercise))

    def close(self) -> None:
        """Kill what a command has started."""
        for started in list(self._started):
            started.kill()

    def send_news(self, opened: OpenWorkspace) -> None:
        """Notify an editor that has asked for the tree of what has changed since."""
        if (news := opened.tree.news()) is not None:
            told = {"workspace": self._workspace_uri(opened), **news}
            self.editor.protocol.notify("grader/progress", told)

    def offered(self, opened: OpenWorkspace, id: str) -> list[str]:
        """List the entries of `OFFERS` that make sense for an exercise now."""
        status = opened.tree.row(id)["status"]
        hidden = {"Repro"} if status not in WRONG else set()
        hidden |= {"Hint"} if status == GIVEN else set()
        return [title for title in OFFERS if title not in hidden]

    # ---- requests ---------------------------------------------------------------------

    def _tree(self, params: Any) -> Json | None:
        """Answer with the progress of the workspace around a URI; null if there is none."""
        uri = str(params.uri)
        opened = self.texts.find_or_open(uri) if self.texts.has_workspace(uri) else None
        if opened is None:
            return None
        terminal = {
            name: [sys.executable, "-m", "grader", name]
            for name, product in IN_TERMINAL.items()
            if has_product(product)
        }
        return {
            "workspace": self._workspace_uri(opened), "terminal": terminal, **opened.tree.whole(),
        }  # fmt: skip

    def _exercise(self, params: Any) -> Json | None:
        """Answer with an exercise, named or at a position: its row, its code, its chapter's box."""
        uri, id = str(params.uri), getattr(params, "id", None)
        if id is None:
            opened, id = self.texts.at(uri, int(params.position.line))
        else:
            opened = self._find(uri, str(id))
        if opened is None or not id:
            return None
        return {
            "workspace": self._workspace_uri(opened), **opened.tree.row(id),
            "code": _plain(self._code(opened, id)), "chapter": self._chapter(opened, id),
        }  # fmt: skip

    def _code(self, opened: OpenWorkspace, id: str) -> lsp.Location:
        """Locate an exercise's first definition in the learner's file; its line 1 if it is gone."""
        targets = opened.tree.targets.get(id)
        if not targets:
            return lsp.Location(self._workspace_uri(opened), line_range(1, 0, 0))
        path, name = locate(opened.folder, targets[0])
        text = read_file(path) if os.path.exists(path) else ""
        span = spans_in(os.path.relpath(path, opened.folder), text).get(targets[0])
        rough = find_roughly(text, name) if span is None else None
        top = span[0] if span is not None else rough.top if rough is not None else 1
        return lsp.Location(self.texts.uri_of(path), line_range(top, 0, 0))

    def _chapter(self, opened: OpenWorkspace, id: str) -> Json | None:
        """Locate the box of the prose that asks for an exercise."""
        box = excerpt(chapter_of(id), anchor_of(id))
        if box is None:
            return None
        path = os.path.join(workspace.root_of(opened.folder), box.file)
        path = path if os.path.exists(path) else root.path(*box.file.split(os.sep))
        return {
            "uri": from_fs_path(path), "line": box.line - 1, "anchor": anchor_of(id),
            "heading": box.heading, "title": box.title,
        }  # fmt: skip

    def _workspace_uri(self, opened: OpenWorkspace) -> str:
        return from_fs_path(workspace.root_of(opened.folder)) or ""

    # ---- commands ---------------------------------------------------------------------

    def _find(self, uri: str, id: str) -> OpenWorkspace | None:
        """Return the open workspace around a URI; None, and a sentence, if it has no such id."""
        opened = self.texts.find_open(uri)
        if opened is not None and id not in opened.sections:
            self.texts.say(f"{id} is no exercise of this course.", lsp.MessageType.Warning)
            return None
        return opened

    def _check(self, uri: str, id: str) -> None:
        if (opened := self._find(uri, id)) is not None:
            opened.background.check(id)

    def _hint(self, uri: str, id: str) -> None:
        if (opened := self._find(uri, id)) is None:
            return
        exercise = selection.find_row(selection.key_for(opened.folder), id)
        lines = next_hint(exercise, opened.folder, PLAIN)
        self.texts.say("\n".join(lines) if lines else f"{id} is given, and has no hints.")

    def _show(self, uri: str, id: str) -> None:
        """Open the chapter at the box that asks for this exercise."""
        opened = self._find(uri, id)
        box = self._chapter(opened, id) if opened is not None else None
        if box is not None:
            words = f"{to_fs_path(box['uri'])}, line {box['line'] + 1}, under «{box['heading']}»"
            self._reveal(box["uri"], box["line"] + 1, f"{words}: {box['title']}")

    def _reveal(self, uri: str, line: int, says: str) -> None:
        """Have the editor show a line; say where it is if the editor cannot."""
        window = self.editor.client_capabilities.window
        if window is None or window.show_document is None or not window.show_document.support:
            self.texts.say(says)
            return
        place = line_range(line, 0, 0)
        self.editor.window_show_document(lsp.ShowDocumentParams(uri, False, True, place))

    def _next(self, uri: str) -> None:
        """Open the exercise to go on with, at its definition."""
        if (opened := self.texts.find_open(uri)) is None:
            return
        kept, key = workspace.read_progress(opened.folder), selection.key_for(opened.folder)
        id = selection.upcoming(key, kept, opened.given)
        exercise = selection.find_row(key, id) if id else None
        says = next_step(id, exercise, kept.get(id or "", PENDING))
        if id is None:
            self.texts.say(says)
            return
        code = self._code(opened, id)
        self._reveal(code.uri, code.range.start.line + 1, says)

    def _reset(self, uri: str, id: str) -> None:
        """Put the stub back by an edit, which the editor can undo."""
        if (opened := self._find(uri, id)) is None:
            return
        if changes := self.texts.renewed(opened, id):
            edit = lsp.WorkspaceEdit(changes=changes)
            self.editor.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(edit, f"Reset {id}"))
        else:
            self.texts.say(f"{id} is as it came already. Nothing was changed.")

    def _repro(self, uri: str, id: str) -> None:
        """Write the smallest failing call as a script beside the package, and open it."""
        if (opened := self._find(uri, id)) is None:
            return
        home = workspace.root_of(opened.folder)
        out = os.path.join(home, f"repro_{id.replace('.', '_')}.py")
        with subprocess.Popen(
            [sys.executable, "-m", "grader", "repro", id, "--out", out],
            cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONSAFEPATH": "1"},
        ) as started:  # fmt: skip
            self._started.append(started)
            says, errors = started.communicate()
            self._started.remove(started)
        self.texts.say((says + errors).strip())
        if says.startswith("wrote "):
            self._reveal(from_fs_path(out) or "", 1, f"{out}, line 1")

    async def _menu(self, uri: str, id: str) -> None:
        """Ask what to do with an exercise, and do it."""
        if (opened := self._find(uri, id)) is None:
            return
        row = opened.tree.row(id)
        asked = lsp.ShowMessageRequestParams(
            lsp.MessageType.Info, f"{id}: {row['word']}. What next?",
            [lsp.MessageActionItem(title) for title in self.offered(opened, id)],
        )  # fmt: skip
        chosen = await self.editor.window_show_message_request_async(asked)
        if chosen is not None and chosen.title in self._carry_out:
            await asyncio.to_thread(self._carry_out[chosen.title], uri, id)


def _plain(location: lsp.Location) -> Json:
    """Return a location as JSON has it."""
    start = location.range.start
    return {"uri": location.uri, "line": start.line}
