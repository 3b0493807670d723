"""An audit remembers what was judged and made of the same; whatever has a say is in the name."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace

import pytest

from grader.audit import memory, proof
from grader.audit.proof import Proof
from grader.instructor.overlay import course_of
from grader.key.file import LENGTH, Key, write
from grader.making import digest
from grader.making import make as making
from grader.making.digest import without_exercises
from grader.session.store import Store

from .test_house import imported, room
from .test_store import said

pytestmark = pytest.mark.xdist_group("memory")  # what all share takes long to make
CHAPTER = "chapter5"
OTHER = "chapter2"  # which chapter 5 does not look into


@pytest.fixture(scope="module")
def ids(course):
    return frozenset(id for id in course.exercises if id.startswith(f"{CHAPTER}.clip"))


@pytest.fixture
def store(tmp_path):
    with Store(str(tmp_path / "runs.db")) as kept:
        yield kept


@pytest.fixture
def judged(course, ids, store, monkeypatch):
    """Judges a package with a memory; and whether the judge was asked."""
    asked = []

    class Counted(proof.Grading):
        def grade(self, ids, fail_fast=False):
            asked.append(ids)
            return super().grade(ids, fail_fast)

    monkeypatch.setattr(proof, "Grading", Counted)

    def judge(sources, key, **how):
        asked.clear()
        with Proof(course, ids=ids, key=key, runs=store, remembers=True) as mine:
            return said(mine.judge(sources, **how)), bool(asked)

    return judge


def with_another(key: Key, chapter: str, path, change=lambda i: i.update(title="another")) -> Key:
    """The same key but for one chapter's title, or for another change of its index."""
    slices = {name: key.slice(name) for name in key.chapters}
    (length,) = LENGTH.unpack_from(slices[chapter])
    index, arrays = slices[chapter][LENGTH.size :][:length], slices[chapter][LENGTH.size + length :]
    changed = json.loads(index)
    change(changed)
    text = json.dumps(changed).encode()
    slices[chapter] = LENGTH.pack(len(text)) + text + arrays
    write(str(path), {k: v for k, v in key.table.items() if k != "chapters"}, slices)
    return Key(str(path))


def test_what_was_judged_once_is_remembered_with_all_that_is_said_of_it(judged, course, ids, proof):
    packages = [course.solved(), course.stubs()] + [
        course.patched({mistake.target or exercise.targets[0]: mistake.body})
        for id, exercise in course.exercises.items()
        if id in ids
        for mistake in exercise.mistakes
    ]
    for sources in packages:
        first, was_judged = judged(sources, proof.key)
        again, judged_again = judged(sources, proof.key)
        assert was_judged and not judged_again and first == again


def test_another_package_or_another_workspace_is_judged(judged, course, proof):
    sources = course.solved()
    assert judged(sources, proof.key)[1] and not judged(sources, proof.key)[1]
    assert judged({**sources, "optim.py": sources["optim.py"] + "\n# new\n"}, proof.key)[1]
    assert judged(sources, proof.key, begins=6)[1]
    assert judged(sources, proof.key, handed_out=course.stubs())[1]


def test_another_key_is_judged_with_where_it_was_looked_into(judged, course, proof, tmp_path):
    sources = course.solved()
    assert judged(sources, proof.key)[1]
    assert not judged(sources, with_another(proof.key, OTHER, tmp_path / "other.key"))[1]
    assert judged(sources, with_another(proof.key, CHAPTER, tmp_path / "mine.key"))[1]


def says_otherwise(of):
    """Changes the sentence of a mistake."""

    def change(index):
        (row,) = [row for row in index["exercises"] if row["id"] == of]
        row["mistakes"] = dict.fromkeys(row["mistakes"], "another sentence")

    return change


def gives_otherwise(of):
    """Changes what all mistakes of an exercise give."""

    def change(index):
        for probe in index["probes"]:
            if probe["exercise"] == of:
                probe["mistakes"] = dict.fromkeys(probe["mistakes"], {"ended": "died"})

    return change


@pytest.mark.parametrize("otherwise", [says_otherwise, gives_otherwise])
def test_an_edit_of_a_mistake_is_judged_anew_where_somebody_looked_there(
    judged, course, ids, proof, tmp_path, otherwise
):
    clip = next(course.exercises[id] for id in ids if course.exercises[id].mistakes)
    wrong = course.patched({clip.mistakes[0].target or clip.targets[0]: clip.mistakes[0].body})
    other = next(id for id in course.exercises if id.startswith(CHAPTER) and id not in ids)
    for sources in (course.solved(), wrong):
        assert judged(sources, proof.key)[1]
    for of, is_anew in ((clip.id, True), (other, False)):
        key = with_another(proof.key, CHAPTER, tmp_path / f"{of}.key", otherwise(of))
        assert not judged(course.solved(), key)[1]
        assert judged(wrong, key)[1] == is_anew


def test_what_a_clock_has_decided_is_judged_anew(judged, course, ids, proof):
    target = next(e for id, e in course.exercises.items() if id in ids).targets[0]
    sources = course.patched({target: "while True:\n    pass"})
    assert judged(sources, proof.key)[1] and judged(sources, proof.key)[1]


def test_all_that_the_judge_imports_has_a_say():
    seen, left = set(), {"grade"}
    while left:
        seen |= left
        left = {other for each in left for other in imported(each)} - seen
    rooms = {name.removesuffix(".py") for name in memory.JUDGE}
    assert {room(name) for name in seen} - {"__init__"} <= rooms | {""}


def test_of_the_judge_all_that_a_key_is_made_with_has_a_say_in_it():
    """Modules that begin a build, and what they import; the rest of the judge may change freely."""
    seen, left = set(), {"making.make", "making.build"}
    while left:
        seen |= left
        left = {other for each in left for other in imported(each)} - seen
    judges = {name.replace(".", "/") + ".py" for name in seen if room(name) == "judge"}
    assert judges and judges <= set(digest.JUDGE)


def contents(data: bytes) -> dict[str, str]:
    """What a key says of a chapter without its mistakes, and of each exercise's, as digests."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return dict(memory._contents(Key(file.name).chapter(CHAPTER)))


def make(course, store: Store, path, with_mistakes=True) -> bytes:
    """A key of one chapter of a course, made by a maker that remembers."""
    part = replace(course, chapters=tuple(c for c in course.chapters if c.id == CHAPTER))
    making.make(str(path), course=part, with_mistakes=with_mistakes, store=store, remembers=True)
    return path.read_bytes()


@pytest.fixture(scope="module")
def once(course, tmp_path_factory):
    """A key, and the store of whoever has made it."""
    place = tmp_path_factory.mktemp("once")
    with Store(str(place / "runs.db")) as kept:
        return make(course, kept, place / "made.key"), place / "runs.db"


@pytest.fixture
def made(course, once, tmp_path):
    """Makes a key of a course, where one of the course as it stands was made before."""
    shutil.copy(once[1], tmp_path / "made.db")
    with Store(str(tmp_path / "made.db")) as kept:
        yield lambda of=course, with_mistakes=True: make(
            of, kept, tmp_path / "made.key", with_mistakes
        )


def edited(course, of):
    """The course with another body for one mistake of some exercises of the chapter."""

    def other(exercise):
        if of not in exercise.id or not exercise.mistakes:
            return exercise
        first, *rest = exercise.mistakes
        return replace(exercise, mistakes=(replace(first, body="return 7.0"), *rest))

    chapters = tuple(
        replace(c, exercises=tuple(map(other, c.exercises)))
        if c.id == CHAPTER
        else c
        for c in course.chapters
    )
    return replace(course, chapters=chapters)


@pytest.mark.long
def test_a_key_is_made_once(made, once, monkeypatch):
    monkeypatch.delattr(making.Making, "chapter")  # what makes a slice
    assert made() == once[0]


@pytest.mark.long
def test_an_edit_of_a_mistake_asks_no_oracle_again_and_runs_no_other(
    made, once, course, monkeypatch
):
    first, half = once[0], made(with_mistakes=False)
    monkeypatch.delattr(making, "oracle_answers")
    ran = []
    real = making.given_by_mistakes
    monkeypatch.setattr(
        making, "given_by_mistakes", lambda b, e, say: ran.append(e.id) or real(b, e, say)
    )
    other = made(edited(course, "clip"))
    assert ran and all("clip" in id for id in ran)
    monkeypatch.delattr(making.Making, "chapter")
    assert made(edited(course, "clip"), with_mistakes=False) == half
    assert made() == first
    # What is right is the same in all three, under the same numbers.
    mine, none, theirs = (contents(data) for data in (first, half, other))
    assert mine[CHAPTER] == none[CHAPTER] == theirs[CHAPTER]
    assert {id for id in mine if mine[id] != theirs[id]} == set(ran)
    assert {id for id in mine if mine[id] != none[id]} > set(ran)


@pytest.mark.long
def test_an_edit_of_the_reference_makes_all_anew(made, course, monkeypatch):
    texts = {**course.solutions, "optim.py": course.solutions["optim.py"] + "\n# new\n"}
    monkeypatch.delattr(making, "oracle_answers")
    with pytest.raises(NameError):
        made(replace(course, solutions=texts))


@pytest.mark.long
def test_a_course_with_something_beside_its_files_is_another(made, course, monkeypatch):
    """An instructor's own checks may be asked with the same seeds."""
    monkeypatch.setattr(type(course), "mark", "something")
    monkeypatch.delattr(making, "oracle_answers")
    with pytest.raises(NameError):
        made()


def test_an_overlay_has_a_mark(course, tmp_path):
    (tmp_path / "course.toml").write_text('[points]\n"chapter5.clip_grad_norm" = 3\n')
    assert not course.mark and course_of(str(tmp_path / "course.toml")).mark


ROWS = """
from grader.course import Exercise, OpRow

HALF = 0.5
ROW = OpRow(op="Half", forward=lambda a: a * HALF)
FORWARD = Exercise("chapter1.half", hints=("one",), mistakes=(Mistake("twice", "return a * 2"),))
"""


@pytest.mark.parametrize(
    ("old", "new", "has_a_say"),
    [
        ('("one",)', '("another",)', False),
        ("return a * 2", "return a * 3", False),
        ("\nHALF", "\n# where it begins\nHALF", False),
        ("0.5", "0.25", True),
        ("a * HALF", "HALF * a", True),
        ("import Exercise, OpRow", "import Exercise, Mistake, OpRow", True),
    ],
)
def test_of_a_file_of_exercises_the_rows_have_a_say(old, new, has_a_say):
    assert old in ROWS
    assert (without_exercises(ROWS.replace(old, new)) != without_exercises(ROWS)) == has_a_say
