"""Choose the key to open: a release's, the one that came along, or the one of the sources."""

from __future__ import annotations

import pytest

from grader.course import key_source
from grader.course.key_file import write_key_file
from grader.course.made_key import MadeKey
from grader.errors import WrongUse

TABLE = {"course": key_source.COURSE.name, "seed": "s", "outline": [], "targets": {}, "titles": {}}


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
    monkeypatch.setattr(key_source, "SHIPPED", str(tmp_path / "none.key"))
    monkeypatch.setattr(key_source, "stamp", lambda paths: f"sizes and times of {Sources.reads}")
    monkeypatch.setattr("grader.course.source_digest.content_hash", lambda seed: Sources.reads)
    monkeypatch.setattr(key_source, "_making", lambda memo: Sources())
    return Sources


def released(workspace, table=TABLE) -> str:
    path = workspace / ".grader" / "answers.key"
    path.parent.mkdir(parents=True)
    write_key_file(str(path), table, {}, {})
    return str(path)


def test_the_table_is_made_once_while_nothing_changes(sources):
    for _ in range(3):
        key = key_source.open_key()
        assert isinstance(key, MadeKey) and key.table["names"] == {"chapter1": "first"}
    assert sources.made == ["first"]


def test_other_contents_have_another_table_and_the_first_comes_back(sources, monkeypatch):
    key_source.open_key()
    sources.reads = "second"
    assert key_source.open_key().table["names"] == {"chapter1": "second"}
    sources.reads = "first"
    assert key_source.open_key().table["names"] == {"chapter1": "first"}
    assert sources.made == ["first", "second"]


def test_a_touched_file_makes_nothing_anew(sources, monkeypatch):
    key_source.open_key()
    monkeypatch.setattr(key_source, "stamp", lambda paths: "other times")
    key_source.open_key()
    assert sources.made == ["first"]


def test_a_release_has_its_own(sources, tmp_path):
    path = released(tmp_path / "work")
    assert key_source.open_key(str(tmp_path / "work")).path == path
    assert sources.made == []


def test_what_came_along_is_taken(sources, tmp_path):
    write_key_file(key_source.SHIPPED, TABLE, {}, {})
    assert key_source.open_key(str(tmp_path)).path == key_source.SHIPPED
    assert sources.made == []


def test_a_release_of_another_course_or_of_an_older_grader_is_a_sentence(sources, tmp_path):
    released(tmp_path / "other", {**TABLE, "course": "another"})
    with pytest.raises(WrongUse, match="one of the course another"):
        key_source.open_key(str(tmp_path / "other"))
    old = released(tmp_path / "old")
    with open(old, "r+b") as file:
        file.write(b"grader-key/1\n")
    with pytest.raises(WrongUse, match="no answer key that this grader can read"):
        key_source.open_key(str(tmp_path / "old"))
