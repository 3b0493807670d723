"""Show a workspace's progress as data for an editor: chapters, exercises, states and points.

It reads the table of the key and `.grader/progress.json`; it opens no chapter's slice, which may
have to be made first. So an editor can draw the tree before anything is judged.
"""

from __future__ import annotations

from typing import Any

from ..course.key_file import Key
from ..course.outline import chapter_of
from ..learner import selection, workspace
from ..learner.own_file import locate
from ..learner.wording import WORDS, points, worth
from ..verdict import GIVEN, PENDING

Json = dict[str, Any]


class ProgressTree:
    """The progress of one workspace, and what an editor was sent of it last."""

    def __init__(self, key: Key, folder: str) -> None:
        self.key, self.folder = key, folder
        self.given = selection.find_given(key, folder)
        self.targets: dict[str, list[str]] = {}
        for target, id in key.table["targets"].items():
            self.targets.setdefault(id, []).append(target)
        self.sections = {id: section for id, section, _ in key.outline}
        self._sent: dict[str, Json] | None = None  # None until the whole tree was asked for

    def row(self, id: str, marks: dict[str, workspace.State] | None = None) -> Json:
        """Return an exercise as an editor lists it."""
        marks = workspace.progress(self.folder)["exercises"] if marks is None else marks
        mark = marks.get(id, {})
        is_given = id in self.given
        status = mark.get("status", GIVEN if is_given else PENDING)
        return {
            "id": id,
            "label": self._label(id),
            "section": self.sections[id],
            "status": status,
            "word": WORDS[status][1],
            "points": 0 if is_given else mark.get("score", 0),
            "maxPoints": 0 if is_given else self.key.points[id],
            "blockedBy": mark.get("blocked_by", []),
        }

    def in_words(self, id: str) -> str:
        """Return an exercise's state in a line: ``✗ failed, 0 of 2 points``."""
        row = self.row(id)
        marks = (
            f", {points(row['points'])} of {worth(row['maxPoints'])}" if row["maxPoints"] else ""
        )
        return f"{WORDS[row['status']][0]} {row['word']}{marks}"

    def whole(self) -> Json:
        """Return the whole tree; from now on `news` reports what differs from it."""
        rows = self._rows()
        self._sent = rows
        chapters = []
        for name in self.key.chapters:
            mine = [row for id, row in rows.items() if chapter_of(id) == name]
            title = self.key.table["titles"][name]
            chapters.append({"id": name, "title": title, **_sums(mine), "exercises": mine})
        return {**_sums([*rows.values()]), "chapters": chapters}

    def news(self) -> Json | None:
        """Return the rows that differ from what was sent last; None if there are none."""
        if self._sent is None:
            return None
        rows = self._rows()
        changed = [row for id, row in rows.items() if self._sent.get(id) != row]
        self._sent = rows
        return {**_sums([*rows.values()]), "exercises": changed} if changed else None

    def _rows(self) -> dict[str, Json]:
        marks = workspace.progress(self.folder)["exercises"]
        return {id: self.row(id, marks) for id, _, _ in self.key.outline}

    def _label(self, id: str) -> str:
        """Name an exercise by what is written for it: ``Div.backward``, ``Module.__init__ …``."""
        targets = self.targets.get(id)
        if not targets:
            return id.partition(".")[2]
        return locate(self.folder, targets[0])[1] + (" …" if targets[1:] else "")


def _sums(rows: list[Json]) -> Json:
    return {name: round(sum(row[name] for row in rows), 4) for name in ("points", "maxPoints")}
