"""An audit remembers what was judged and made of the same; whatever has a say is in the name."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from grader.audit import proof, replay
from grader.audit.proof import CourseCheck
from grader.classroom.marks.overlay import load_course
from grader.course import PUBLIC_SEED, source_digest
from grader.course import make_key as making
from grader.course.key_file import LENGTH, Key, gives_slice, write_key_file
from grader.course.source_digest import without_exercises
from grader.memo import Memo

from .test_house import imported, room
from .test_replay import little_time, said

__all__ = ["little_time"]  # a fixture

pytestmark = pytest.mark.xdist_group("memory")  # what all share takes long to make
CHAPTER = "chapter5"
OTHER = "chapter2"  # which chapter 5 does not look into


@pytest.fixture(scope="module")
def ids(course):
    return frozenset(id for id in course.exercises if id.startswith(f"{CHAPTER}.clip"))


@pytest.fixture
def judged(course, ids, tmp_path, monkeypatch):
    """Judges a package with a memory; and whether the judge was asked."""
    asked, memo = [], Memo(str(tmp_path / "memo"))

    class Counted(proof.Grading):
        def grade(self, ids, fail_fast=False):
            asked.append(ids)
            return super().grade(ids, fail_fast)

    monkeypatch.setattr(proof, "Grading", Counted)

    def judge(sources, key, **how):
        asked.clear()
        with CourseCheck(course, ids=ids, key=key, memo=memo, remembers=True) as mine:
            return said(mine.judge(sources, **how)), bool(asked)

    return judge


@pytest.fixture(scope="module")
def gives(proof, ids):
    """Return the results of the mistakes of the exercises in question."""
    return {id: proof.key.mistakes(id) for id in ids}


def retitled(index):
    index["title"] = "another"


@pytest.fixture
def with_another(proof, gives, tmp_path):
    """The same key but for a change of one chapter's index, and of what some mistakes give."""

    def another(chapter, change=retitled, **given: bytes) -> Key:
        slices = {name: proof.key.slice(name) for name in (OTHER, "chapter3", "chapter4", CHAPTER)}
        (length,) = LENGTH.unpack_from(slices[chapter])
        index = json.loads(slices[chapter][LENGTH.size :][:length])
        change(index)
        text = json.dumps(index).encode()
        arrays = slices[chapter][LENGTH.size + length :]
        slices[chapter] = LENGTH.pack(len(text)) + text + arrays
        path = str(tmp_path / "another.key")
        write_key_file(path, {**proof.key.table}, slices, gives | given)
        return Key(path)

    return another


def test_what_was_judged_once_is_remembered_with_all_that_is_said_of_it(
    judged, course, ids, proof, is_whole
):
    packages = [course.solved(), course.stubs()] + [
        course.replace_bodies({mistake.target or exercise.targets[0]: mistake.body})
        for id, exercise in course.exercises.items()
        if id in ids
        for mistake in exercise.mistakes
    ]
    for sources in packages if is_whole else packages[:: len(packages) // 4]:
        first, was_judged = judged(sources, proof.key)
        again, judged_again = judged(sources, proof.key)
        assert was_judged and not judged_again and first == again


def test_another_package_or_another_workspace_is_judged(judged, course, proof):
    sources = course.solved()
    assert judged(sources, proof.key)[1] and not judged(sources, proof.key)[1]
    assert judged({**sources, "optim.py": sources["optim.py"] + "\n# new\n"}, proof.key)[1]
    assert judged(sources, proof.key, begins=6)[1]
    assert judged(sources, proof.key, handed_out=course.stubs())[1]


def test_another_key_is_judged_with_where_it_was_looked_into(judged, course, with_another):
    sources = course.solved()
    assert judged(sources, with_another(OTHER, lambda index: None))[1]
    assert not judged(sources, with_another(OTHER))[1]
    assert judged(sources, with_another(CHAPTER))[1]


def says_otherwise(of):
    """Changes the sentence of a mistake."""

    def change(index):
        (row,) = [row for row in index["exercises"] if row["id"] == of]
        row["mistakes"] = dict.fromkeys(row["mistakes"], "another sentence")

    return change


DIED = gives_slice({"some": {0: {"ended": "died"}}})
OTHERWISE = {
    "its sentence": lambda of: {"change": says_otherwise(of)},
    "what it gives": lambda of: {"change": lambda index: None, of: DIED},
}


@pytest.mark.parametrize("otherwise", OTHERWISE)
def test_an_edit_of_a_mistake_is_judged_anew_where_somebody_looked_there(
    judged, course, ids, with_another, otherwise
):
    clip = next(course.exercises[id] for id in ids if course.exercises[id].mistakes)
    wrong = course.replace_bodies(
        {clip.mistakes[0].target or clip.targets[0]: clip.mistakes[0].body}
    )
    other = next(id for id in course.exercises if id.startswith(CHAPTER) and id not in ids)
    as_it_is = with_another(CHAPTER, lambda index: None)
    for sources in (course.solved(), wrong):
        assert judged(sources, as_it_is)[1]
    for of, is_anew in ((clip.id, True), (other, False)):
        key = with_another(CHAPTER, **OTHERWISE[otherwise](of))
        assert not judged(course.solved(), key)[1]
        assert judged(wrong, key)[1] == is_anew


def test_what_a_clock_has_decided_is_judged_anew(little_time, judged, course, ids, proof):
    target = next(e for id, e in course.exercises.items() if id in ids).targets[0]
    sources = course.replace_bodies({target: "while True:\n    pass"})
    assert judged(sources, proof.key)[1] and judged(sources, proof.key)[1]


def test_all_that_the_judge_imports_has_a_say():
    seen, left = set(), {"grade_package"}
    while left:
        seen |= left
        left = {other for each in left for other in imported(each)} - seen
    rooms = {name.removesuffix(".py") for name in replay.JUDGE}
    assert {room(name) for name in seen} - {"__init__"} <= rooms | {""}


def test_of_the_judge_nothing_has_a_say_in_a_key():
    """So the judge may change freely without a new key."""
    seen, left = set(), {"course.make_key", "course.build_chapter"}
    while left:
        seen |= left
        left = {other for each in left for other in imported(each)} - seen
    assert "judge" not in {room(name) for name in seen} | set(source_digest.JUDGE)


def made(course, memo: Memo) -> dict[str, str]:
    """The digests of one chapter and of what its mistakes give, made by who remembers in a memo."""
    part = replace(course, chapters=tuple(c for c in course.chapters if c.id == CHAPTER))
    key = making.KeyBuilder(part, PUBLIC_SEED, memo).key()
    return {each: replay.content(key, each) for each in (CHAPTER, *part.exercises)}


@pytest.fixture(scope="module")
def once(course, tmp_path_factory):
    """The digests of the chapter as it stands, and the folder of who has made it."""
    place = tmp_path_factory.mktemp("once")
    return made(course, Memo(str(place))), place


@pytest.fixture
def memo(once, tmp_path):
    """A memo of who has made it."""
    return Memo(str(shutil.copytree(once[1], tmp_path / "made")))


@pytest.fixture
def edit(monkeypatch):
    """The sources are edited: as far as a hash of their contents tells, this is another course."""
    monkeypatch.setattr(making, "content_hashes", lambda _, names: dict.fromkeys(names, "edited"))


def edited(course, of):
    """The course with another body for one mistake of some exercises of the chapter."""

    def other(exercise):
        if of not in exercise.id or not exercise.mistakes:
            return exercise
        first, *rest = exercise.mistakes
        return replace(exercise, mistakes=(replace(first, body="return 7.0"), *rest))

    chapters = tuple(
        replace(c, exercises=tuple(map(other, c.exercises))) if c.id == CHAPTER else c
        for c in course.chapters
    )
    return replace(course, chapters=chapters)


@pytest.mark.long
def test_a_key_is_made_once(course, memo, once, monkeypatch):
    monkeypatch.delattr(making.KeyBuilder, "chapter")
    monkeypatch.delattr(making.KeyBuilder, "mistakes")
    assert made(course, memo) == once[0]


@pytest.mark.long
def test_an_edit_of_a_mistake_asks_no_oracle_again_and_runs_no_other(
    course, memo, once, edit, monkeypatch
):
    monkeypatch.delattr(making, "oracle_answers")
    ran, real = [], making.MistakeRuns.slice
    monkeypatch.setattr(
        making.MistakeRuns, "slice", lambda self, *a: ran.append(self.exercise.id) or real(self, *a)
    )
    then = made(edited(course, "clip"), memo)
    assert ran and all("clip" in id for id in ran)
    assert {each for each in then if then[each] != once[0][each]} == set(ran)


@pytest.mark.long
def test_an_edit_of_the_reference_makes_all_anew(course, memo, edit, monkeypatch):
    texts = {**course.solutions, "optim.py": course.solutions["optim.py"] + "\n# new\n"}
    monkeypatch.delattr(making, "oracle_answers")
    with pytest.raises(NameError):
        made(replace(course, solutions=texts), memo)


@pytest.mark.long
def test_a_course_with_something_beside_its_files_is_another(course, memo, monkeypatch):
    """An instructor's own checks may be asked with the same seeds."""
    for name in ("key_fingerprint", "answers_fingerprint"):
        monkeypatch.setattr(type(course), name, "something")
    monkeypatch.delattr(making, "oracle_answers")
    with pytest.raises(NameError):
        made(course, memo)


def test_an_overlay_has_a_mark(course, tmp_path):
    (tmp_path / "course.toml").write_text('[points]\n"chapter5.clip_grad_norm" = 3\n')
    assert not course.key_fingerprint and load_course(str(tmp_path / "course.toml")).key_fingerprint


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
