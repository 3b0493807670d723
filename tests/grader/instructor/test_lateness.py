"""Due dates, the price of lateness, extensions, attempts; nobody is late by a clock of ours."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.commands.grade import _print_twice
from grader.classroom.intake.handins import HandIn
from grader.classroom.marks import lateness
from grader.classroom.marks.lateness import (
    LatePenalty,
    Terms,
    choose_attempts,
    parse_time,
    read_times,
)
from grader.classroom.marks.overlay import load_course, load_overlay
from grader.classroom.marks.results import Results
from grader.classroom.marks.roster import index_learners
from grader.errors import WrongUse

from .conftest import write_package

CHAPTER = "chapter7"
DUE = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
TOML = f"""\
[due]
{CHAPTER} = 2026-03-01T12:00:00Z
[late]
per_day = 10
grace_minutes = 15
most_days = 3
[extensions]
"eve" = 2026-03-08T12:00:00Z
[attempts]
count = "last"
"""


@pytest.mark.parametrize(
    ("minutes", "left"),
    [(-60, 1), (0, 1), (15, 1), (16, 0.9), (24 * 60, 0.9), (24 * 60 + 1, 0.8), (4321, 0)],
)
def test_each_day_begun_costs_its_share(minutes, left):
    rule = LatePenalty(10, timedelta(minutes=15), 3)
    assert rule.factor(timedelta(minutes=minutes)) == pytest.approx(left)


def record(mark: float = 10.0, **more):
    e = {"id": f"{CHAPTER}.x", "score": mark, "max_score": 10.0, "status": "passed", "checks": []}
    chapter = {"id": CHAPTER, "exercises": [e], "score": mark, "max_score": 10.0}
    result = {"chapters": [chapter], "score": mark, "max_score": 10.0}
    rest = {"follow_through_by_exercise": {}, "policy": "own"}
    return {"learner": "ada", "result": result, **rest, **more}


def test_lateness_takes_from_the_mark_and_from_nothing_else():
    terms = Terms(
        {CHAPTER: DUE}, LatePenalty(10, timedelta(0), 3), {"eve": {"": DUE + timedelta(days=7)}}
    )
    late = lateness.apply_terms(record(), terms, DUE + timedelta(hours=30))
    assert (late["mark"], late["own"], late["max_mark"]) == (8.0, 10.0, 10.0)
    assert late["late"] == {CHAPTER: {"hours": 30.0, "factor": 0.8}}
    for one in (
        lateness.apply_terms(record(), terms, None),  # no platform has said when it came
        lateness.apply_terms(record(), None, DUE + timedelta(days=9)),
        lateness.apply_terms(record(learner="eve"), terms, DUE + timedelta(days=6)),
        lateness.apply_terms(late, terms, DUE - timedelta(days=1)),  # the list was wrong before
    ):
        assert one["mark"] == 10.0 and "late" not in one


HOURS = st.integers(-100, 100)
CHAPTERS = st.sampled_from(["chapter7", "chapter8", "chapter9"])


@given(came=HOURS, due=st.dictionaries(CHAPTERS, HOURS),
       extended=st.none() | HOURS)  # fmt: skip
def test_chapters_in_one_hand_in_are_late_each_by_its_own_date(came, due, extended):
    """Chapter 7 may be days late where chapter 8 is in time, and an extension may be of one."""
    rule = LatePenalty(10, timedelta(0), 3)
    when = {name: DUE + timedelta(hours=hours) for name, hours in due.items()}
    own = {} if extended is None else {"ada": {"chapter8": DUE + timedelta(hours=extended)}}
    chapters = []
    for name, points in {"chapter7": 8.0, "chapter8": 4.0}.items():
        e = {"id": f"{name}.x", "score": points, "max_score": points, "status": "passed"}
        chapters.append(
            {"id": name, "exercises": [{**e, "checks": []}], "score": points, "max_score": points}
        )
    whole = {"chapters": chapters, "score": 12.0, "max_score": 12.0}
    made = lateness.apply_terms(
        record() | {"result": whole}, Terms(when, rule, own), DUE + timedelta(hours=came)
    )
    by = {name: came - hours for name, hours in due.items()}
    if extended is not None:
        by["chapter8"] = came - extended
    left = {
        name: rule.factor(timedelta(hours=by.get(name, 0))) for name in ("chapter7", "chapter8")
    }
    assert made["mark"] == pytest.approx(8 * left["chapter7"] + 4 * left["chapter8"])
    assert {*made.get("late", {})} == {name for name, share in left.items() if share < 1}


def test_attempts_are_each_the_last_or_the_best():
    rows = [
        {"learner": "ada", "whose": "ada", "mark": 5.0, "came": "2026-03-01T10:00:00+00:00"},
        {"learner": "two/ada", "whose": "ada", "mark": 3.0, "came": "2026-03-01T12:30:00+01:00"},
        {"learner": "mo", "whose": "mo", "mark": None, "came": None},
    ]
    assert all(choose_attempts(rows, "each").values())
    assert choose_attempts(rows, "last") == {"ada": False, "two/ada": True, "mo": True}
    assert choose_attempts(rows, "best") == {"ada": True, "two/ada": False, "mo": True}
    with pytest.raises(WrongUse, match="--times FILE has to name each, ada and two/ada"):
        choose_attempts([{**row, "came": None} for row in rows], "last")


@pytest.mark.parametrize(
    "text",
    ["2026-03-01T12:00:00Z", "2026-03-01T13:00:00+01:00", "2026-03-01 12:00:00 UTC",
     "Sunday, 1 March 2026, 12:00 PM", "Sunday, 1 March 2026, 12:00"],
)  # fmt: skip
def test_times_are_read_as_platforms_write_them(text):
    assert parse_time(text) == DUE


BERLIN, CET = lateness.find_zone("Europe/Berlin"), timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("zone", "text", "hours"),
    [
        (CET, "Sunday, 1 March 2026, 1:00 PM", 0), (CET, "2026-03-01 13:00", 0),
        (CET, "2026-03-01T12:00:00Z", 0), (CET, "2026-03-01 12:00:00 UTC", 0),
        (CET, "2026-03-01 12:00:00.5 UTC", 0), (CET, "2026-03-01 12:00:00 GMT", 0),
        (BERLIN, "2026-03-01 13:00:00", 0), (BERLIN, "2026-07-01 13:00:00", 122 * 24 - 1),
        (timezone.utc, "2026-03-01 13:00", 1),
    ],
)  # fmt: skip
def test_a_time_without_a_zone_is_one_of_the_zone_in_which_all_is_due(zone, text, hours):
    came = parse_time(text, zone).replace(microsecond=0)
    assert came == DUE + timedelta(hours=hours)


def test_a_zone_that_nobody_knows_is_asked_for():
    rule, summer = (
        LatePenalty(10, timedelta(0), 3),
        DUE.replace(tzinfo=timezone(timedelta(hours=2))),
    )
    one = Terms({CHAPTER: DUE.astimezone(CET), "chapter8": DUE.astimezone(CET)}, rule, {})
    assert one.zone == CET and Terms({CHAPTER: DUE, "chapter8": summer}, rule, {}).zone is None
    with pytest.raises(WrongUse, match="--timezone"):
        parse_time("2026-03-01 13:00", None)
    assert parse_time("2026-03-01T12:00:00Z", None) == DUE
    for name in ("Berlin", "../../etc/passwd", "", "\0"):
        with pytest.raises(WrongUse, match="no time zone"):
            lateness.find_zone(name)


FOLDER = "Ada Love_1234567_assignsubmission_file_"


@pytest.mark.parametrize("name", [FOLDER, "Ada Love", "1234567", "Teilnehmer/in 1234567"])
def test_an_extension_names_somebody_in_any_way_that_a_list_does(name):
    terms = Terms(
        {CHAPTER: DUE}, LatePenalty(10, timedelta(0), 3), {name: {"": DUE + timedelta(days=7)}}
    )
    known = terms.of_class(index_learners([FOLDER, "mo"]))
    assert known.due_for(FOLDER, CHAPTER) == DUE + timedelta(days=7)
    assert known.due_for("mo", CHAPTER) == DUE


def test_an_extension_that_is_nobodys_is_said_with_near_names():
    terms = Terms({CHAPTER: DUE}, LatePenalty(10, timedelta(0), 3), {"Ada Lvoe": {"": DUE}})
    with pytest.raises(WrongUse, match="Ada Lvoe is nobody.*Is it Ada Love"):
        terms.of_class(index_learners([FOLDER, "mo"]))
    with pytest.raises(WrongUse, match="as the submission has it"):
        terms.of_class(index_learners(["mo"]))
    assert (
        terms.of_class(index_learners(["mo"]), {"Ada Lvoe": DUE}) == terms
    )  # the platform knows them


def test_moodles_worksheet_tells_the_times():
    text = (
        "Identifier,Grade,Last modified (submission)\n"
        'Participant 7,-,"Sunday, 1 March 2026, 12:00 PM"\nParticipant 8,-,-\n'
    )
    assert read_times(text, {"Participant 7": "Ada_7_assignsubmission_file_"}) == {
        "Ada_7_assignsubmission_file_": DUE
    }
    with pytest.raises(WrongUse, match="--times needs"):
        read_times("a,b\n1,2\n", {})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"[due]\n{CHAPTER} = 2026-03-01T12:00:00", "its offset"),
        ("[late]\nper_day = 10", "need a .due. with a time"),
        (f"[due]\n{CHAPTER} = 2026-03-01T12:00:00Z\n[late]\nper_week = 10", "takes per_day"),
        ('[attempts]\ncount = "first"', "one of each, last, best"),
        ("due = 3", "no table .due"),
    ],
)
def test_terms_that_are_none_are_a_sentence(text, words, tmp_path):
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(WrongUse, match=words):
        load_overlay(str(tmp_path / "course.toml"))


def test_an_extension_for_a_chapter_that_is_not_there_is_a_sentence(tmp_path):
    later = "2026-03-08T12:00:00Z"
    text = TOML.replace(f'"eve" = {later}', f"eve = {{ chapter77 = {later} }}")
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(WrongUse, match="chapter77"):
        load_course(str(tmp_path / "course.toml"))


def test_a_new_due_date_makes_no_new_key(tmp_path):
    path = tmp_path / "course.toml"
    path.write_text(TOML)
    before = load_overlay(str(path)).mark
    path.write_text(TOML.replace("03-01", "03-02"))
    assert load_overlay(str(path)).mark == before
    path.write_text(TOML + '[points]\n"chapter3.div.backward" = 4\n')
    assert load_overlay(str(path)).mark != before


def test_a_member_who_hands_in_beside_the_group_is_told_what_counts(capsys):
    """The group's hand-in counts for the others: that does not make it count for this member."""
    row = {"sha256": ""}
    records = [
        {**row, "learner": "bo", "whose": "bo", "submission": "in/bo", "counts": True},
        {**row, "learner": "in/bo", "whose": "bo", "submission": "in/g1", "counts": False},
        {**row, "learner": "mo", "whose": "mo", "submission": "in/g1", "counts": True},
    ]
    team = [("in/bo", "bo"), ("in/g1", "bo"), ("in/g1", "mo")]
    _print_twice(records, [HandIn(path, path, whose) for path, whose in team])
    assert "bo handed in 2 times: in/bo, in/g1. What counts is in/bo." in capsys.readouterr().out


@pytest.mark.long
def test_a_class_with_a_due_date(course, grader, tmp_path):
    """One in time, one late, one with an extension, one who tried twice, one of no known time."""
    (tmp_path / "course.toml").write_text(TOML)
    for name in ("one/ada", "one/bob", "one/eve", "one/mo", "two/mo", "one/zoe"):
        write_package(tmp_path / name, course.solved())
    (tmp_path / "times.csv").write_text(
        "learner,time\nada,2026-03-01 11:00:00\nbob,2026-03-02T11:00:00Z\n"
        "eve,2026-03-05T11:00:00Z\nmo,2026-03-01T10:00:00Z\n"
    )
    (tmp_path / "attempts.csv").write_text("learner,time\ntwo/mo,2026-03-03T11:00:00Z\n")
    arguments = [
        "grade", "one", "two", "--out", "out", "--seed", "public", "--chapters", CHAPTER,
        "--jobs", "1", "--course", "course.toml",
    ]  # fmt: skip
    ran = grader(*arguments, "--times", "times.csv", cwd=tmp_path)
    assert ran.status == 2 and "has to name each, mo and two/mo." in ran.err
    assert not Results(str(tmp_path / "out")).records()  # said before anybody was judged
    ran = grader(*arguments, *(lists := ("--times", "times.csv", "attempts.csv")), cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert "Times in times.csv that name no zone are read in UTC." in ran.err
    assert "Late by the platform's time: bob (chapter7 23 h, 90 % left)" in ran.out
    rows = {r["learner"]: r for r in Results(str(tmp_path / "out")).each()}
    most = rows["ada"]["max_mark"]
    left = {name: round(r["mark"] / most, 4) for name, r in rows.items()}
    assert left == {"ada": 1, "bob": 0.9, "eve": 1, "mo": 1, "two/mo": 0.8, "zoe": 1}
    assert [name for name, r in rows.items() if not r.get("counts", True)] == ["mo"]
    assert f"mo handed in 2 times: {tmp_path}/one/mo, {tmp_path}/two/mo. " in ran.out
    assert f"What counts is {tmp_path}/two/mo." in ran.out
    ran = grader("export", "csv", "out", cwd=tmp_path)
    assert "two/mo" in ran.out and "\nmo," not in ran.out
    again = grader(*arguments, cwd=tmp_path)  # the times are on record
    assert "0 judged, 6 kept" in again.out
    assert {r["learner"]: r for r in Results(str(tmp_path / "out")).each()} == rows
    for n in (1, 2, 3):  # neither shard knows of both attempts, whichever they are in
        part = ["--out", f"part{n}", "--like", "out", "--shard", f"{n}/3", *lists]
        grader("grade", "one", "two", "--course", "course.toml", *part, cwd=tmp_path)
    for _ in range(2):
        ran = grader("merge", "part1", "part2", "part3", "--out", "whole", cwd=tmp_path)
        assert ran.status == 0, ran.err
    assert {r["learner"]: r for r in Results(str(tmp_path / "whole")).each()} == rows


def test_learners_are_told_in_check(grader, workspace: Path):
    (workspace / ".grader" / "release.json").write_text(f'{{"due": {{"{CHAPTER}": "Friday"}}}}')
    ran = grader("check", CHAPTER, cwd=workspace)
    assert f"{CHAPTER} is due: Friday" in ran.out


ROSTER = (
    "id,name,mail,section,group\n41,Ada Love,ada@x.org,A,g1\n42,Bob Hill,bob@x.org,B,g1\n"
    "43,Cy Low,cy@x.org,B,\n"
)


@pytest.mark.long
def test_a_roster_is_one_thing_that_all_commands_use(grader, course, tmp_path):
    """Folders are called by number, times and extensions by mail and name."""
    for name, text in (("41", "# a\n"), ("42", "# b\n"), ("eve", "# e\n")):
        write_package(tmp_path / "in" / name, {**course.solved(), "zoo.py": text})
    (tmp_path / "roster.csv").write_text(ROSTER)
    (tmp_path / "times.csv").write_text(
        "learner,time\nada@x.org,2026-03-02T11:00:00Z\nBob Hill,2026-03-02T11:00:00Z\n"
    )
    (tmp_path / "course.toml").write_text(
        "[due]\nchapter7 = 2026-03-01T12:00:00Z\n[late]\nper_day = 10\n"
        '[extensions]\n"Ada Love" = 2026-03-08T12:00:00Z\n"cy@x.org" = 2026-03-08T12:00:00Z\n'
    )
    arguments = [
        "grade", "in", "--out", "out", "--seed", "public", "--chapters", "chapter7", "--jobs", "1",
        "--course", "course.toml", "--times", "times.csv",
    ]  # fmt: skip
    ran = grader(*arguments, "--roster", "roster.csv", cwd=tmp_path)
    assert ran.status == 0, ran.err
    for line in (
        "Section A, 1 of 1 with a mark: mean 100 %", "Section B, 1 of 2 with a mark: mean 90 %",
        "Group g1, 2 of 2 with a mark: mean 95 %", "In the roster without a submission: Cy Low",
        "Not in the roster: eve", "Late by the platform's time: Bob Hill (chapter7 23 h, 90 %",
    ):  # fmt: skip
        assert line in ran.out, ran.out
    again = grader(*arguments[:-2], cwd=tmp_path)  # the list and the times are on record
    assert "0 judged, 3 kept" in again.out and "Section B, 1 of 2" in again.out
    ran = grader("export", "csv", "out", cwd=tmp_path)
    assert ",follow_through,id,name,mail,section,group," in ran.out.splitlines()[0]
    assert ",42,Bob Hill,bob@x.org,B,g1," in ran.out and "without a submission: Cy Low" in ran.err
    assert grader("export", "html", "out", "--out", "pages", cwd=tmp_path).status == 0
    page = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    assert "section <bdi>A</bdi>" in page and "<bdi>Bob Hill</bdi>" in page and "Cy Low" in page
    assert "bob@x.org" not in page  # nobody needs it there
    ran = grader("insights", "out", "--html", "map.html", cwd=tmp_path)
    assert "Section A, 1 of 1" in ran.out
    assert "group <bdi>g1</bdi>" in (tmp_path / "map.html").read_text(encoding="utf-8")
    assert "Section" not in grader("insights", "out", "--anonymous", cwd=tmp_path).out
    (tmp_path / "bad.csv").write_text("section\nA\n")
    ran = grader(*arguments[:-2], "--roster", "bad.csv", cwd=tmp_path)
    assert ran.status == 2 and "who is in the class" in ran.err


@pytest.mark.parametrize(("came", "days"), [("25T18:59:00+00:00", 2), ("25T17:59:00+00:00", 1)])
def test_a_day_has_24_hours_where_the_clock_changes(came, days):
    """Summer time ends in that night: 19:59 in Berlin is 24 hours and 59 minutes after 20:00."""
    due = datetime.fromisoformat("2026-10-24T20:00:00+02:00")
    by = datetime.fromisoformat(f"2026-10-{came}") - due
    assert LatePenalty(10, timedelta(0), 7).factor(by) == 1 - days / 10
