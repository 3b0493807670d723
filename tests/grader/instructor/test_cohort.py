"""One class: its seed, what names its key, and how far its course has to go.

What a batch is judged with: nothing that was graded is lost by what is asked now.
"""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.intake.handed_out import Handout
from grader.classroom.intake.handins import HandIn
from grader.classroom.marks import cohort
from grader.classroom.marks.cohort import (
    Cohort,
    choose_seed,
    cut_course,
    describe_batch,
    digest_suites,
    name_key,
)
from grader.classroom.marks.results import Results
from grader.course import Chapter
from grader.course.key_file import Key, is_intact, write_key_file
from grader.course.load import Course
from grader.errors import WrongUse

from ..examples import SOME
from .records import exercise, record, unjudged

COURSE = Course(tuple(Chapter(f"chapter{n}", "", ()) for n in (1, 2, 3)), {})
TABLE = {"outline": [], "targets": {}, "titles": {}, "torch": {"version": None, "live": False}}


def test_a_seed_is_asked_for_recorded_or_drawn(tmp_path):
    (tmp_path / "seed").write_text(" secret\n")
    assert choose_seed(None, str(tmp_path / "seed"), {}) == "secret"
    assert choose_seed("a", None, {"seed": "a"}) == choose_seed(None, None, {"seed": "a"}) == "a"
    drawn = {choose_seed(None, None, {}) for _ in range(3)}
    assert len(drawn) == 3 and all(len(each) == 32 for each in drawn)


def test_another_seed_an_empty_one_and_none_that_can_be_read_are_refused(tmp_path):
    with pytest.raises(WrongUse, match="made with another seed"):
        choose_seed("b", None, {"seed": "a"})
    with pytest.raises(WrongUse, match="The seed is empty"):
        choose_seed("", None, {})
    with pytest.raises(WrongUse, match="cannot be read"):
        choose_seed(None, str(tmp_path / "nowhere"), {})


@SOME
@given(names=st.sets(st.sampled_from(["chapter1", "chapter2", "chapter3"])))
def test_a_course_goes_as_far_as_what_is_asked(names):
    found = [chapter.id for chapter in cut_course(COURSE, names).chapters]
    assert found == ["chapter1", "chapter2", "chapter3"][: int(max(names)[-1]) if names else 3]


def test_a_name_tells_seed_and_course_apart_and_no_seed():
    names = {name_key(s, m) for s in ("a", "b") for m in ("", "x")}
    assert len(names) == 4 and name_key("a", "") == name_key("a", "")
    assert not any(name == "a" for name in names)


@pytest.fixture
def path(tmp_path):
    def make(**slices: bytes) -> str:
        write_key_file(str(tmp_path / "a.key"), TABLE, slices, {})
        return str(tmp_path / "a.key")

    return make


def test_a_verdict_rests_on_its_slice_and_those_before(path):
    first = digest_suites(path(chapter1=b"one", chapter2=b"two"))
    second = digest_suites(path(chapter1=b"one", chapter2=b"2"))
    third = digest_suites(path(chapter1=b"1", chapter2=b"two"))
    assert first["chapter1"] == second["chapter1"] != third["chapter1"]
    assert len({each["chapter2"] for each in (first, second, third)}) == 3


def test_a_key_that_is_damaged_is_none(path, tmp_path):
    place = path(chapter1=b"one")
    assert is_intact(place) and not is_intact(str(tmp_path / "none"))
    with open(place, "ab") as file:
        file.write(b"x")
    assert not is_intact(place)


def test_a_key_that_lies_there_and_is_whole_is_kept(path, monkeypatch):
    place = path(chapter1=b"1", chapter2=b"2", chapter3=b"3")
    folder = place.rpartition("/")[0]
    monkeypatch.setattr(cohort, "KeyBuilder", None)  # it would be called, were it to be made
    tmp = place.replace("a.key", "answers.key")
    with open(place, "rb") as file, open(tmp, "wb") as out:
        out.write(file.read())
    assert cohort.ensure_key(folder, "s", COURSE, name_key("s", "")) == tmp
    with pytest.raises(TypeError):
        cohort.ensure_key(folder, "s", COURSE, "another")


def test_what_a_replay_needs_is_on_record(path):
    key = Key(path(chapter1=b"one"))
    handed = Handout(["chapter2"], 2, {}, "a release")
    mine = Cohort("p", {"chapter1": "s", "chapter9": "t"}, ["chapter1"], "best", "c.toml",
                  handed_out=handed)  # fmt: skip
    found = describe_batch("seed", "name", mine, key, (), {})
    assert found["suites"] == {"chapter1": "s"} and found["key"] == "name"
    assert Handout.of(json.loads(json.dumps(found))["handed_out"]).first == mine.first == 2
    assert Cohort("p", {}, [], "own", None).first == 0


SUITES = st.dictionaries(
    st.sampled_from(["chapter1", "chapter2"]), st.sampled_from(["a", "b", "given"])
)


@SOME
@given(before=SUITES)
def test_an_edited_check_is_said_before_anybody_is_judged_again(before):
    now = {"chapter1": "a", "chapter2": "a"}
    found = cohort.find_changed_suites(now, before, now)
    assert found == [name for name in now if before.get(name) == "b"]
    mine = Cohort("/in/results/answers.key", {}, [*now], "own", None, changed=found)
    said = cohort.describe_changed(mine)
    assert len(said) == bool(found) and all(name in said[0] for name in found)
    assert not said or "--after" in said[0]
    said = cohort.describe_changed(mine, "results")  # what `--after` keeps needs no warning
    assert len(said) == bool(found) and not any("may fall" in each for each in said)


HANDED = Handout(["chapter2"], 2, {}, "a release")


def test_marks_of_chapters_that_are_not_asked_for_again_are_not_lost(tmp_path):
    with Results(str(tmp_path)) as results:
        cohort.refuse_lost_marks(results, ["chapter2"])
        for each in (record("ada", exercise("chapter1.a", "passed", 2.0)), unjudged("eve")):
            results.write(each)
        cohort.refuse_lost_marks(results, ["chapter1", "chapter2"])
        with pytest.raises(WrongUse, match="marks of chapter1, .* `--chapters chapter1 chapter2`"):
            cohort.refuse_lost_marks(results, ["chapter2"])


def test_what_came_solved_has_a_suite_of_its_own(path):
    place = path(chapter1=b"a", chapter2=b"b")
    assert digest_suites(place, HANDED) == {**digest_suites(place), "chapter1": "given"}


def test_what_learners_were_given_is_named_recorded_or_said_by_most(monkeypatch):
    said = []
    monkeypatch.setattr(cohort, "read_releases", lambda names: said.append(names) or "named")
    monkeypatch.setattr(cohort, "infer_handout", lambda paths: said.append(list(paths)) or "most")
    kept = {"handed_out": HANDED._asdict()}
    mine = [HandIn("ada", "/in/ada")]
    assert cohort.settle_handout(SimpleNamespace(release=["r"]), kept, mine) == "named"
    assert cohort.settle_handout(SimpleNamespace(release=None), kept, mine) == HANDED
    assert cohort.settle_handout(SimpleNamespace(release=None), {}, mine) == "most"
    assert said == [["r"], ["/in/ada"]]
