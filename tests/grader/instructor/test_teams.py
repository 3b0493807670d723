"""A hand-in of several people is judged once, and counts for each of them."""

from __future__ import annotations

import csv
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from grader.classroom.intake.handins import HandIn, discover
from grader.classroom.marks.roster import Person, match_learners, read_people
from grader.classroom.marks.teams import (
    index_renamed,
    is_first_of_team,
    share_record,
    share_times,
    split_teams,
)

from .conftest import SMALL, records, write_package
from .records import record, unjudged

ROSTER = (
    "id,name,mail,group\n5001,Ada Love,ada@x.org,Group A\n5002,Mo Neil,mo@x.org,Group A\n"
    '5003,Zoe Ü,zoe@x.org,"Group B, Lab 3"\n5004,Li Sun,li@x.org,\n'
)
PEOPLE = read_people(ROSTER)
A = ["Ada Love", "Mo Neil"]
# Name of a hand-in → who has handed it in; a name by itself has its one row.
NAMES = {
    "Group A_17_assignsubmission_file": A, "Group A_17_assignsubmission_file_": A,
    "Group A_17_assignsubmission_file_ops.py": A, "groupa_5001_90001_ops.py": A,
    "groupa_LATE_5002_90002_work.zip": A, "group_a": A, "Group A.zip": A,
    "Group B_18_assignsubmission_file": ["Zoe Ü"], "lab3_5003_9_work.tar.gz": ["Zoe Ü"],
    "Ada Love_1234_assignsubmission_file": [], "loveada_5001_90001_ops.py": [], "ada": [],
    "Group C_19_assignsubmission_file": [], "5001": [],
    "Default group_assignsubmission_file": ["Li Sun"], "---": [],
    "Standardgruppe_assignsubmission_file": ["Li Sun"],
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_groups_hand_in_is_one_of_each_member(tmp_path, name):
    (tmp_path / name).mkdir()
    before = discover([str(tmp_path)])
    found = split_teams(before, PEOPLE)
    people = NAMES[name] or [before[0].learner]
    assert [h.whose for h in found] == [h.learner for h in found] == people
    assert {h.path for h in found} == {str(tmp_path / name)}


@pytest.mark.parametrize(
    "own", ["Ada Love_1234_assignsubmission_file", "loveada_5001_90001_ops.py", "ada", "5001"]
)
def test_what_a_member_hands_in_alone_is_another_attempt(tmp_path, own):
    """Moodle's numbers are unknown to the roster: their name tells whose it is."""
    for name in ("Group A_17_assignsubmission_file", own, "Bo_3_assignsubmission_file"):
        (tmp_path / name).mkdir()
    found = split_teams(discover([str(tmp_path)]), PEOPLE)
    mine = [h for h in found if h.whose == "Ada Love"]
    assert {Path(h.path).name for h in mine} == {"Group A_17_assignsubmission_file", own}
    assert len({h.learner for h in found}) == len(found) == 4


def test_a_class_without_groups_has_no_default_group():
    listed = [Person("1", "Ada", "", "", "", "")]
    handins = [
        HandIn(
            "Default group_assignsubmission_file", "/in/x", "Default group_assignsubmission_file"
        )
    ]
    assert split_teams(handins, listed) == handins


def test_gradescope_names_a_group_without_a_roster(tmp_path):
    for place in ("first", "second"):
        (tmp_path / place / "submission_1").mkdir(parents=True)
        members = "".join(f"  - :name: {name}\n" for name in A)
        text = f"submission_1:\n  :submitters:\n{members}  :score: 1.0\n"
        (tmp_path / place / "submission_metadata.yml").write_text(text)
    found = discover([str(tmp_path / "first"), str(tmp_path / "second")])
    assert [h.learner for h in found] == [*A, *(f"second/{name}" for name in A)]
    assert [h.whose for h in found] == [*A, *A] and len({h.path for h in found}) == 2


def test_names_of_people_and_of_two_groups_are_no_groups():
    groups = {"Ada": "mo", "Mo": "mo", "Cy": "g-1", "Di": "g1"}
    listed = [Person(name[0], name, "", "", group, "") for name, group in groups.items()]
    handins = [HandIn(name, f"/in/{name}", name) for name in ("mo", "g1")]
    assert split_teams(handins, listed) == handins


def test_members_of_one_name_are_told_apart():
    listed = [Person(id, "Ada", "", "", "g", "") for id in ("1", "2")]
    found = split_teams([HandIn("g", "/in/g", "g")], listed)
    assert [h.learner for h in found] == ["1", "2"]


@pytest.mark.parametrize("made", [record("g"), unjudged("g", "It is empty.")])
def test_a_shared_record_says_who_handed_in_together(made):
    team = [HandIn(name, "/in/g", name) for name in ("ann", "bo")]
    both = share_record(made, team)
    assert [each["learner"] for each in both] == ["ann", "bo"] and made["learner"] == "g"
    assert all(each["says"].startswith("Handed in together by ann, bo.") for each in both)
    assert [is_first_of_team(each) for each in both] == [True, False]
    assert share_record(made, team[:1]) == [made] and is_first_of_team(made)


@pytest.fixture
def graded_groups(grader, course, tmp_path, judged_here):
    """Two attempts of a group, and one who is alone, graded by a roster: what ran, and its rows."""
    right, half = course.solved(), course.replace_bodies({"init.gain": "return 1"})
    for place, texts in {"first": right, "second": half}.items():
        write_package(tmp_path / place / "Group A_17_assignsubmission_file_", texts)
    write_package(tmp_path / "first" / "Li Sun", course.stubs(7))
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (tmp_path / "course.toml").write_text('[attempts]\ncount = "best"\n')

    def grade():
        ran = grader(
            "grade", "first", "second", "--out", "out", "--seed", "public", "--chapters", SMALL,
            "--jobs", "1", "--roster", "roster.csv", "--course", "course.toml", cwd=tmp_path,
        )  # fmt: skip
        return ran, records(tmp_path / "out")

    return grade


def test_every_member_has_the_mark_of_the_attempt_that_counts(graded_groups, grader, tmp_path):
    ran, rows = graded_groups()
    assert ran.status == 0, ran.err
    assert [*rows] == ["Ada Love", "Li Sun", "Mo Neil", "second/Ada Love", "second/Mo Neil"]
    whole = rows["Li Sun"]["max_mark"]
    assert [rows[name]["mark"] for name in A] == [whole, whole]
    assert 0 < rows["second/Mo Neil"]["mark"] < whole
    assert "The same code" not in ran.out and "Ada Love handed in 2 times" in ran.out
    assert "In the roster without a submission: Zoe Ü" in ran.out
    again, same = graded_groups()
    assert "0 judged, 5 kept" in again.out and same == rows
    made = export(grader, tmp_path, "moodle", "Email address\nada@x.org\nmo@x.org\nli@x.org\n")
    assert [row[1] for row in made[1:]] == [f"{whole:.1f}", f"{whole:.1f}", "0.0"]


def export(grader, place: Path, form: str, text: str) -> list[list[str]]:
    (place / "list.csv").write_text(text, encoding="utf-8")
    ran = grader("export", form, "out", "--roster", "list.csv", "--out", "made.csv", cwd=place)
    assert ran.status == 0, ran.err
    with (place / "made.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


WHEN = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
OWN = WHEN + timedelta(hours=3)


@pytest.mark.parametrize(
    "hand_in",
    [
        "Group A_17_assignsubmission_file", "Group A_17_assignsubmission_file_ops.py",
        "groupa_LATE_5002_90002_ops.py", "group_a", "Group A.zip",
    ],
)  # fmt: skip
def test_a_time_of_a_group_is_one_of_each_member(tmp_path, hand_in):
    """A list names the group or its hand-in; a member's own row counts for that member."""
    (tmp_path / hand_in).mkdir()
    handins = discover([str(tmp_path)])
    split = split_teams(handins, PEOPLE)
    for name in {"Group A", "group a", handins[0].learner}:
        assert share_times({name: WHEN}, index_renamed(handins, split), split) == (
            dict.fromkeys(A, WHEN) | {name: WHEN}, set(),
        )  # fmt: skip
    times, _ = share_times({"Group A": WHEN, "Mo Neil": OWN}, index_renamed(handins, split), split)
    assert [times[name] for name in A] == [WHEN, OWN]
    assert share_times({"Group B": WHEN}, index_renamed(handins, split), split)[1] == {"Group B"}


def test_a_member_who_hands_in_alone_is_late_by_that_time(tmp_path):
    for name in ("groupa_7_8_ops.py", "loveada_LATE_9_90001_ops.py"):
        (tmp_path / name).mkdir()
    handins = discover([str(tmp_path)])
    split = split_teams(handins, PEOPLE)
    alone = next(h for h in split if "love" in h.path)
    assert alone.whose == "Ada Love" != alone.learner
    renamed = index_renamed(handins, split)
    for name in ("loveada", "9", handins[1].learner):
        assert name in renamed
        times, unknown = share_times({"Group A": WHEN, name: OWN}, renamed, split)
        assert not unknown and times[alone.learner] == OWN
        assert times["Ada Love"] == times["Mo Neil"] == WHEN


def test_times_of_two_attempts_of_a_group_are_told_by_their_folders(tmp_path):
    for place in ("first", "second"):
        (tmp_path / place / "Group A_17_assignsubmission_file").mkdir(parents=True)
    handins = discover([str(tmp_path / "first"), str(tmp_path / "second")])
    split = split_teams(handins, PEOPLE)
    said = dict(zip([h.learner for h in handins], (WHEN, OWN), strict=True))
    times, unknown = share_times(said, index_renamed(handins, split), split)
    assert not unknown
    assert [times[h.learner] for h in split] == [WHEN, WHEN, OWN, OWN]
    assert [h.whose for h in split] == [*A, *A]


def test_a_time_of_someone_alone_is_nobody_elses(tmp_path):
    for name in ("Group A_17_assignsubmission_file", "loveada_5001_90001_ops.py", "5004"):
        (tmp_path / name).mkdir()
    handins = discover([str(tmp_path)])
    split = split_teams(handins, PEOPLE)
    times, unknown = share_times(
        {"Group A": WHEN, "5004": OWN, "50-04": WHEN}, index_renamed(handins, split), split
    )
    assert unknown == {"50-04"} and times["5004"] == OWN
    alone = next(h.learner for h in split if h.path.endswith("ops.py"))
    assert alone not in times and times["Ada Love"] == times["Mo Neil"] == WHEN


@pytest.mark.parametrize("name", ["loveada_9_90001_ops.py", "adalove_9_90001_ops.py"])
def test_canvas_names_people_by_their_letters(tmp_path, name):
    """Its numbers are unknown to a roster of one's own."""
    for each in ("groupa_7_8_ops.py", name):
        (tmp_path / each).mkdir()
    found = split_teams(discover([str(tmp_path)]), PEOPLE)
    assert Counter(h.whose for h in found) == {"Ada Love": 2, "Mo Neil": 1}
    twins = [*PEOPLE, Person("9", "Love Ada", "", "", "", "")]
    assert len(match_learners([name.removesuffix(".py")], PEOPLE)) == 1
    assert not match_learners([name.removesuffix(".py")], twins)
