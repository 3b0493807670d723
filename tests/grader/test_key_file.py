"""The key as a file: all that is written is read, and what is not whole is no key."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.arrays import Array
from grader.course.key_file import (
    LENGTH,
    MAGIC,
    ArrayStore,
    ChapterKey,
    Key,
    gives_slice,
    is_intact,
    read_gives,
    slice_bytes,
    table_of,
    write_key_file,
)
from grader.errors import OurFault

from .examples import SOME
from .small_key import Probes, array_of, check, exercise

TABLE = {
    "outline": [["chapter1.thing", "1.1", False], ["chapter2.x", "2.1", True]],
    "targets": {"ops.a": "chapter1.thing", "ops.b": "chapter2.x"},
    "titles": {"chapter1": "One", "chapter2": "Two"}, "names": {"chapter1": "h"},
}  # fmt: skip


GIVES = {
    "twice": {0: {"parts": {"value": [array_of([2.0, 4.0])]}}},
    "raises": {0: {"ended": "raised", "type": "KeyError", "message": "x"}},
}


def small() -> bytes:
    probes = Probes()
    probes.add([1.0, 2.0], a=[1.0, 2.0])
    index = {"id": "chapter1", "title": "One", "exercises": [exercise()], "checks": [check(0)],
             "probes": probes.rows, "modules": ["ops.py"], "programs": {},
             "means": {"values.give": {"alone": True}}, "questions": [],
             "unrecorded": []}  # fmt: skip
    return slice_bytes(index, probes.arrays)


@pytest.fixture
def path(tmp_path):
    place = str(tmp_path / "keys" / "a.key")
    gives = {"chapter1.thing": gives_slice(GIVES)}
    write_key_file(place, TABLE, {"chapter1": small(), "chapter2": small()}, gives)
    return place


def test_what_is_written_is_read(path):
    key = Key(path)
    assert key.chapters == ["chapter1", "chapter2"] and key.outline == TABLE["outline"]
    chapter = key.chapter("chapter1")
    assert chapter is key.chapter("chapter1") and key.slice("chapter2") == small()
    (probe,) = chapter.probes
    assert chapter.parts(probe["answers"]["reference"])["value"][0].values() == [1.0, 2.0]
    assert probe["means"] == {"alone": True} and chapter.questions == chapter.unrecorded == []
    assert chapter.order(0) == (0, "values.give", probe["args"], 1.0, "chapter1.thing")


def test_what_mistakes_give_is_read_or_worked_out(path):
    gives = Key(path).gives("chapter1.thing")
    assert gives["raises"] == GIVES["raises"]
    assert gives["twice"][0]["parts"]["value"][0].values() == [2.0, 4.0]
    assert Key(path).gives("chapter2.x") == {}
    asked = []

    def work_out(key, exercise, launch):
        asked.append((key.path, exercise, launch))
        return gives_slice({"late": {}})

    key = Key(path, work_out)
    assert [key.gives("chapter2.x", print) for _ in range(2)] == [{"late": {}}] * 2
    assert asked == [(path, "chapter2.x", print)]
    assert key.gives("chapter1.thing").keys() == GIVES.keys()
    assert read_gives(gives_slice({})) == {}


def test_equal_arrays_are_stored_once():
    arrays = ArrayStore()
    one, same = (Array("float64", (1,), bytes(8)) for _ in range(2))
    other, wide = Array("int64", (1,), bytes(8)), Array("float64", (1, 1), bytes(8))
    assert arrays.add(one) == arrays.add(same) == 0
    assert [arrays.add(other), arrays.add(wide)] == [1, 2] and len(arrays.data) == 24


def test_nothing_is_left_beside_it(path):
    assert os.listdir(os.path.dirname(path)) == ["a.key"] and is_intact(path)


@SOME
@given(at=st.integers(0, 10**6), value=st.integers(1, 255))
def test_any_changed_byte_is_noticed(at, value, tmp_path_factory):
    place = str(tmp_path_factory.mktemp("key") / "a.key")
    write_key_file(place, TABLE, {"chapter1": small()}, {})
    with open(place, "rb+") as file:
        data = bytearray(file.read())
        data[at % len(data)] ^= value
        file.seek(0)
        file.write(data)
    assert not is_intact(place)


@SOME
@given(head=st.sampled_from([b"", MAGIC, MAGIC + LENGTH.pack(9)]), noise=st.binary(max_size=7))
def test_what_is_no_key_is_one_sentence(head, noise, tmp_path_factory):
    place = tmp_path_factory.mktemp("key") / "a.key"
    place.write_bytes(head + noise)
    with pytest.raises(OurFault, match="a.key"):
        Key(str(place)).chapter("chapter1")
    assert not is_intact(str(place)) and not is_intact(str(place) + ".none")


def test_a_damaged_chapter_is_named(path):
    with open(path, "rb+") as file:
        file.truncate(400)
    with pytest.raises(OurFault, match="damaged in chapter2|cannot be read"):
        Key(path).chapter("chapter2")
    with pytest.raises(OurFault, match="damaged in chapter9"):
        write_key_file(path, TABLE, {"chapter1": small()}, {})
        Key(path).chapter("chapter9")


def test_a_part_of_a_key_speaks_of_its_chapters_only(path):
    found = table_of(Key(path), ["chapter1"])
    assert found["outline"] == TABLE["outline"][:1] and found["titles"] == {"chapter1": "One"}
    assert found["targets"] == {"ops.a": "chapter1.thing"}
    assert not {"names", "chapters", "mistakes"} & found.keys()


@pytest.mark.parametrize("column", ["points", "needs"])
def test_points_and_needs_are_read_of_a_key_that_lists_none(path, tmp_path, column):
    """A key of version 1.0.0 lists neither."""
    (row,) = ChapterKey(small()).exercises
    assert getattr(Key(path), column) == {"chapter1.thing": row[column]}
    write_key_file(listing := str(tmp_path / "b.key"), {**TABLE, column: {"chapter2.x": 7}}, {}, {})
    assert getattr(Key(listing), column) == {"chapter2.x": 7}


def test_the_same_contents_are_the_same_bytes():
    assert small() == small() and ChapterKey(small()).id == "chapter1"
