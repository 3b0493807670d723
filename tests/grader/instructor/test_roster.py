"""Lists of participants as Moodle and Canvas write them, and the names of their bulk downloads."""

from __future__ import annotations

import pytest

from grader.classroom.exports import Wanted, tables
from grader.classroom.files import neutral
from grader.classroom.marks.roster import (
    Person,
    absent,
    by_key,
    names_of,
    on_record,
    owners,
    parts,
    people,
    seats,
    whose,
)  # fmt: skip
from grader.errors import WrongUse

from .downloads import ADA, MO, record, rows


def test_canvas_downloads_find_their_rows():
    text = 'Student,ID,SIS Login ID,Section\n"Love, Ada",4711,ada,A\n"X, Y",12,y,A\n'
    found = rows(tables.export_canvas(
        Wanted([record("loveada_LATE_4711_99_babygrad-1", 100.0)], None, "x", text, [])
    ))  # fmt: skip
    assert [row[0::4] for row in found[2:]] == [["Love, Ada", "100.0"]]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (ADA, "Participant 1234567"), (MO, "Mo O'Neil"), ("loveada_LATE_4711_99_w", "4711"),
        ("loveada_4711_99_w", "4711"), ("ada", "ada"),
    ],
)  # fmt: skip
def test_a_platforms_name_says_whose_it_is(name, key):
    assert key in whose(name)


def test_a_name_that_fits_two_fits_nobody():
    found = by_key(["Ada Love_1_assignsubmission_file_", "Ada Love_2_assignsubmission_file_", "mo"])
    assert "Ada Love" not in found and found["Participant 2"].startswith("Ada Love_2")
    assert by_key(["Ada Love_1_assignsubmission_file_", "Ada Love"])["Ada Love"] == "Ada Love"


@pytest.mark.parametrize("cell", ["-", "--", "---"])
def test_dashes_alone_stay_what_they_are(cell):
    assert neutral(cell) == cell
    assert neutral(f"{cell}1+1") == f"'{cell}1+1"


LIST = (
    "id,name,mail,section,group\n"
    "4711,Ada Love,ada@x.org,A,g1\n"
    "12,Mo O'Neil,mo@x.org,A,g2\n"
    "13,Zoë Ünal,zoe@x.org,B,g1\n"
    "14,\"Sun, Li\",,B,\n"
)
FOUND = {"4711": "Ada Love", "mo": "Mo O'Neil", "zoë_ünal": "Zoë Ünal", "Li Sun": "Sun, Li"}


def test_ids_names_and_folder_names_of_the_roster_are_understood():
    listed = people(LIST)
    assert {who: person.name for who, person in seats(FOUND, listed).items()} == FOUND
    names = names_of(FOUND, listed)
    for said in ("4711", "Ada Love", "ada@x.org", "ada"):
        assert names[said] == "4711"
    assert (names["Zoë Ünal"], names["13"], names["14"]) == ("zoë_ünal", "zoë_ünal", "Li Sun")
    for platform in ("loveada_LATE_4711_99_w", ADA):
        assert seats([platform], listed) == {platform: listed[0]}
    given = people(LIST.replace("group", "learner").replace("13,Zoë Ünal,zoe@x.org,B,g1\n", ""))
    assert seats(["g1", "g2"], [given[1]]) == {"g2": given[1]}


def test_platforms_own_lists_of_a_class_are_rosters_too():
    moodle = "First name,Surname,ID number,Email address,Groups\nAda,Love,4711,ada@x.org,g1\n"
    canvas = 'Student,ID,SIS Login ID,Section\n"Love, Ada",4711,ada,A\n'
    assert people(moodle) == [Person("4711", "Ada Love", "ada@x.org", "", "g1", "")]
    assert people(canvas) == [Person("4711", "Love, Ada", "", "A", "", "ada")]
    assert on_record({"roster": [list(each) for each in people(moodle)]}) == people(moodle)
    assert on_record({}) == []


def test_who_could_be_two_is_nobody_and_a_list_that_names_nobody_is_refused():
    twins = people("name,section\nAda,A\nAda,B\n")
    assert seats(["ada"], twins) == {} and names_of(["ada"], twins) == {"ada": "ada"}
    for text, words in (("section,group\nA,1\n", "who is in the class"), ("id\n7\n7\n", "7 twice")):
        with pytest.raises(WrongUse, match=words):
            people(text)


def test_sections_and_groups_have_rows_of_their_own():
    listed = people(LIST)
    found = parts(FOUND, {"4711": 1.0, "mo": 0.5, "zoë_ünal": 0.25}, listed)
    assert [(p.kind, p.name, p.size, p.marked, p.mean, p.median) for p in found] == [
        ("section", "A", 2, 2, 0.75, 0.75), ("section", "B", 2, 1, 0.25, 0.25),
        ("group", "g1", 2, 2, 0.625, 0.625), ("group", "g2", 1, 1, 0.5, 0.5),
    ]  # fmt: skip
    assert parts(FOUND, {"mo": 1.0}, []) == []


def test_who_is_missing_and_who_is_not_in_the_list_is_said():
    assert absent(["4711", "mo", "eve"], people(LIST)) == [
        "In the roster without a submission: Sun, Li, Zoë Ünal", "Not in the roster: eve",
    ]  # fmt: skip
    assert absent(["eve"], []) == []


def test_an_attempt_that_counts_stands_for_its_learner():
    one = owners([{"learner": "two/mo", "whose": "mo"}])
    assert one == {"two/mo": "mo"} and list(seats(one, people(LIST))) == ["two/mo"]
    assert absent(one, people(LIST))[1:] == []


def test_a_platforms_list_finds_its_rows_by_the_classs_own():
    """Moodle knows mail addresses, the folders are called by number: the roster has both."""
    text = "Email,Full name\nada@x.org,A. Love\nmo@x.org,M. O.\n"
    wanted = Wanted([record("4711", 100.0)], None, "x", text, [], people=people(LIST))
    assert rows(tables.export_moodle(wanted))[1][:3] == ["ada@x.org", "A. Love", "100.0"]
    with pytest.raises(WrongUse, match="No row of the roster"):
        tables.export_moodle(wanted._replace(people=()))
