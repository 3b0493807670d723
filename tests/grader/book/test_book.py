"""The book of an installation: its place, its sources, and when it is built again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from grader import book, root

pytest.importorskip("markdown_it")


@pytest.fixture
def update(monkeypatch, tmp_path):
    """Brings the book up to date that is made of one file: of this text, and of this time."""
    source = tmp_path / "chapter1.md"
    monkeypatch.setattr(book, "source_files", lambda: [str(source)])
    monkeypatch.setattr(book, "home", lambda: str(tmp_path))

    def update(text: str, time: int, build: Callable[[str], object]) -> None:
        source.write_text(text)
        os.utime(source, (time, time))
        book.update(build)

    return update


def test_book_is_built_again_only_when_a_source_has_changed(update):
    builds = []
    for text, time, count in (("1", 1, 1), ("1", 1, 1), ("12", 1, 2), ("12", 2, 3), ("12", 2, 3)):
        update(text, time, builds.append)
        assert len(builds) == count, (text, time)


def test_interrupted_build_is_begun_again(update):
    """This holds even if the sources are again as they were before the interruption."""
    builds = []
    update("1", 1, builds.append)
    with pytest.raises(ZeroDivisionError):
        update("12", 1, lambda _: 1 / 0)
    update("1", 1, builds.append)
    assert len(builds) == 2


READS = """
import sys
opened = set()
sys.addaudithook(lambda event, details: event == "open" and opened.add(str(details[0])))
from grader import book, root
from grader.book.commands.book import build_plain_book
build_plain_book(sys.argv[1])
opened = {path for path in opened if path.startswith((root.ROOT, root.PACKAGE))}
print(len(opened), *opened - {*book.source_files()})
"""


@pytest.mark.long
def test_every_file_that_a_build_reads_is_among_the_sources(tmp_path):
    around = {**os.environ, "PYTHONPATH": root.ROOT, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    told = subprocess.check_output([sys.executable, "-c", READS, tmp_path], env=around, text=True)
    count, *unknown = told.split()
    assert int(count) > 100 and not unknown
