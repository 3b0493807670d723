"""The watch waits for keys and for saves that the operating system reports."""

from __future__ import annotations

import os
import select

import pytest

from grader.editor.commands.watch import Events, Keys

SECONDS = 300  # nothing takes as long; a machine with more to do than it can takes some


@pytest.mark.parametrize("before", ["", "\x1b[A", "\x1bOP", "\x1b[1;5C", "\x1b", "\x1b\x1b[15~"])
def test_a_key_after_an_arrow_is_not_lost_with_it(before):
    reading, writing = os.pipe()
    keys = Keys()
    keys.files = [reading]
    os.write(writing, f"{before}{before}qn".encode())
    seen = [keys.read() for _ in range(4) if select.select([reading], [], [], 0)[0]]
    assert [key for key in seen if key] == ["q", "n"]
    os.close(reading)
    os.close(writing)


def test_a_folder_that_comes_between_two_looks_is_watched(tmp_path, monkeypatch):
    """The folder was listed as gone and came back, with its files, before it was watched again."""
    ops = tmp_path / "babygrad" / "ops.py"
    ops.parent.mkdir()
    listed, stale = Events._folders, iter([{str(tmp_path)}])
    monkeypatch.setattr(Events, "_folders", lambda events: next(stale, None) or listed(events))
    with Events(str(ops.parent)) as events:
        for what in ("what came is seen", "it is watched from now on"):
            assert select.select([events._read_end], [], [], SECONDS)[0], what
            assert events.next() == "save"
        ops.write_text("a save")
        assert select.select([events._read_end], [], [], SECONDS)[0]
