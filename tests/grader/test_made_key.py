"""A key without a file: each slice is made once, by one of all who ask for it."""

from __future__ import annotations

import json
import marshal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.course.key_file import (
    ArrayStore,
    Slice,
    gives_slice,
    read_gives,
    slice_bytes,
)
from grader.course.made_key import MadeKey, entry_beside
from grader.errors import WrongUse
from grader.memo import Memo

TABLE = {"seed": "s", "outline": [], "names": {"chapter1": "one", "chapter2": "two"}}
EMPTY = dict.fromkeys(("exercises", "questions", "checks", "probes", "unrecorded", "modules"), [])


class Maker:
    """Makes slices of nothing, and counts."""

    launch = None

    def __init__(self) -> None:
        self.made: list[str] = []
        self.lock = threading.Lock()

    def prepare(self) -> None:
        self._count("prepared")

    def chapter(self, name, launch):
        self._count(name)
        self.launch = launch
        empty = {"id": name, "title": name, "programs": {}, "means": {}, **EMPTY}
        return slice_bytes(empty, ArrayStore())

    def mistakes(self, chapter, id, launch):
        self._count(f"{chapter.id}: {id}")
        return gives_slice({id: {3: {"ended": "raised", "type": "ValueError", "message": "no"}}})

    def _count(self, what: str) -> None:
        with self.lock:
            self.made.append(what)


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture(params=["kept on the disk", "kept nowhere"])
def key(request, maker, tmp_path) -> MadeKey:
    memo = Memo(str(tmp_path)) if request.param == "kept on the disk" else None
    return MadeKey(TABLE, memo, lambda: maker)


def test_a_slice_is_made_once_and_only_if_it_is_asked_for(key, maker):
    assert key.chapters == ["chapter1", "chapter2"]
    for _ in range(2):
        assert key.chapter("chapter2").id == "chapter2"
        assert json.loads(key.slice("chapter2")[8:])["title"] == "chapter2"
    assert maker.made == ["chapter2"]


@pytest.mark.parametrize("recalls", [True, False])
def test_only_a_key_that_may_recalls_the_reference_s_exact_answers(maker, tmp_path, recalls):
    memo, plain = Memo(str(tmp_path)), {0: {"value": [("float64", (1,), b"12345678")]}}
    parsed = Slice(Maker().chapter("chapter1", None)).index | {"title": "as it was parsed"}
    memo.remember(entry_beside("one"), (parsed, plain))
    key = MadeKey(TABLE, memo, lambda: maker, recalls=recalls)
    assert key.chapter("chapter1").exact == (plain if recalls else {})
    assert key.chapter("chapter1").title == parsed["title"]
    assert key.chapter("chapter2").exact == {}  # nobody has kept any


def test_it_is_made_by_workers_of_who_asks(key, maker):
    key.chapter("chapter1", launch=maker.prepare)
    assert maker.launch == maker.prepare


def test_what_mistakes_give_is_made_of_the_chapter(key, maker):
    for _ in range(2):
        assert key.gives("chapter1.a") == read_gives(key.mistakes("chapter1.a"))
    assert key.gives("chapter1.a")["chapter1.a"][3]["type"] == "ValueError"
    assert maker.made == ["chapter1", "chapter1: chapter1.a"]


def test_programs_are_compiled_once_by_each_python(key, monkeypatch):
    chapter = key.chapter("chapter1")
    chapter.programs["values"] = "def give(bg):\n    return 1\n"
    first = key.programs(chapter)
    assert list(marshal.loads(first)) == ["values.py"]
    monkeypatch.setattr("grader.sandbox.session.compile_programs", lambda texts: b"again")
    key._programs.clear()  # as in another process
    assert key.programs(chapter) == first
    monkeypatch.setattr("sys.version", "another")
    key._programs.clear()
    assert key.programs(chapter) == b"again"


def test_another_command_finds_what_was_made(maker, tmp_path):
    for _ in range(2):
        MadeKey(TABLE, Memo(str(tmp_path)), lambda: maker).gives("chapter1.a")
    assert maker.made == ["chapter1", "chapter1: chapter1.a"]


def test_the_same_exercise_of_another_chapter_is_another_entry(maker, tmp_path):
    MadeKey(TABLE, Memo(str(tmp_path)), lambda: maker).gives("chapter1.a")
    edited = {**TABLE, "names": {**TABLE["names"], "chapter1": "edited"}}
    MadeKey(edited, Memo(str(tmp_path)), lambda: maker).gives("chapter1.a")
    assert maker.made == ["chapter1", "chapter1: chapter1.a"] * 2


def test_programs_are_read_once_for_all_sessions_of_a_key(maker, tmp_path, monkeypatch):
    memo = Memo(str(tmp_path))
    chapter = MadeKey(TABLE, memo, lambda: maker).chapter("chapter1")
    chapter.programs = {"thing": "def f(bg):\n    return 1\n"}
    first = MadeKey(TABLE, memo, lambda: maker).programs(chapter)
    key, reads = MadeKey(TABLE, memo, lambda: maker), []
    monkeypatch.setattr(Memo, "get", lambda self, name: reads.append(name) or first)
    assert key.programs(chapter) == key.programs(chapter) == first and len(reads) == 1


def test_of_many_who_ask_at_once_one_makes_it(maker, tmp_path):
    keys = [MadeKey(TABLE, Memo(str(tmp_path)), lambda: maker) for _ in range(6)]
    with ThreadPoolExecutor(len(keys)) as threads:
        slices = {*threads.map(lambda key: key.slice("chapter1"), keys)}
    assert len(slices) == 1 and maker.made == ["chapter1"]


def test_only_who_has_to_make_something_gets_ready_for_it(maker, tmp_path):
    key = MadeKey(TABLE, Memo(str(tmp_path)), lambda: maker)
    key.slice("chapter1")
    key.prepare(["chapter1"])
    assert "prepared" not in maker.made
    key.prepare(["chapter1", "chapter2"])
    assert maker.made[-1] == "prepared"


def test_what_cannot_be_kept_is_a_sentence(maker, tmp_path):
    (tmp_path / "memo").write_text("no folder")
    with pytest.raises(WrongUse, match="could not be written"):
        MadeKey(TABLE, Memo(str(tmp_path)), lambda: maker).slice("chapter1")
