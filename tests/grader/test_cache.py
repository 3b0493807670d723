"""Which key is opened: a release's, the one that came along, or the one of the sources."""

from __future__ import annotations

import pytest

from grader.errors import WrongUse
from grader.key.file import write
from grader.making import cache
from grader.making.made import MadeKey

TABLE = {"course": cache.COURSE.name, "seed": "s", "outline": [], "targets": {}, "titles": {}}


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A cache of one's own, and sources that read as the test says; what was made of them."""

    class Sources:
        reads = "first"
        made: list[str] = []

        def table(self):
            Sources.made.append(Sources.reads)
            return {**TABLE, "names": {"chapter1": Sources.reads}}

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "SHIPPED", str(tmp_path / "none.key"))
    monkeypatch.setattr(cache, "stamp", lambda: f"sizes and times of {Sources.reads}")
    monkeypatch.setattr("grader.making.digest.content_hash", lambda seed: Sources.reads)
    monkeypatch.setattr(cache, "_making", lambda memo: Sources())
    return Sources


def released(workspace, table=TABLE) -> str:
    path = workspace / ".grader" / "answers.key"
    path.parent.mkdir(parents=True)
    write(str(path), table, {}, {})
    return str(path)


def test_the_table_is_made_once_while_nothing_changes(sources):
    for _ in range(3):
        key = cache.open_key()
        assert isinstance(key, MadeKey) and key.table["names"] == {"chapter1": "first"}
    assert sources.made == ["first"]


def test_other_contents_have_another_table_and_the_first_comes_back(sources, monkeypatch):
    cache.open_key()
    sources.reads = "second"
    assert cache.open_key().table["names"] == {"chapter1": "second"}
    sources.reads = "first"
    assert cache.open_key().table["names"] == {"chapter1": "first"}
    assert sources.made == ["first", "second"]


def test_a_touched_file_makes_nothing_anew(sources, monkeypatch):
    cache.open_key()
    monkeypatch.setattr(cache, "stamp", lambda: "other times")
    cache.open_key()
    assert sources.made == ["first"]


def test_a_release_has_its_own(sources, tmp_path):
    path = released(tmp_path / "work")
    assert cache.open_key(str(tmp_path / "work")).path == path
    assert sources.made == []


def test_what_came_along_is_taken(sources, tmp_path):
    write(cache.SHIPPED, TABLE, {}, {})
    assert cache.open_key(str(tmp_path)).path == cache.SHIPPED
    assert sources.made == []


def test_a_release_of_another_course_or_of_an_older_grader_is_a_sentence(sources, tmp_path):
    released(tmp_path / "other", {**TABLE, "course": "another"})
    with pytest.raises(WrongUse, match="one of the course another"):
        cache.open_key(str(tmp_path / "other"))
    old = released(tmp_path / "old")
    with open(old, "r+b") as file:
        file.write(b"grader-key/1\n")
    with pytest.raises(WrongUse, match="no answer key that this grader can read"):
        cache.open_key(str(tmp_path / "old"))
