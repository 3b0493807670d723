"""Lists of participants as Moodle and Canvas write them, and the names of their bulk downloads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.exports import ExportRequest, tables
from grader.classroom.files import neutralize_cell
from grader.classroom.marks import roster
from grader.classroom.marks.learner_names import cut_apart, name_learners
from grader.classroom.marks.roster import (
    Person,
    index_learners,
    index_roster_names,
    list_missing,
    map_owners,
    match_learners,
    read_columns,
    read_people,
    recorded_people,
    roster_keys,
    summarize_parts,
)  # fmt: skip
from grader.errors import WrongUse

from ..work import growth
from .downloads import ADA, MO, record, rows


def test_canvas_downloads_find_their_rows():
    text = 'Student,ID,SIS Login ID,Section\n"Love, Ada",4711,ada,A\n"X, Y",12,y,A\n'
    found = rows(tables.export_canvas(
        ExportRequest([record("loveada_LATE_4711_99_babygrad-1", 100.0)], None, "x", text, [])
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
    assert key in roster_keys(name)


def test_a_name_that_fits_two_fits_nobody():
    found = index_learners(
        ["Ada Love_1_assignsubmission_file_", "Ada Love_2_assignsubmission_file_", "mo"]
    )
    assert "Ada Love" not in found and found["Participant 2"].startswith("Ada Love_2")
    assert (
        index_learners(["Ada Love_1_assignsubmission_file_", "Ada Love"])["Ada Love"] == "Ada Love"
    )


@pytest.mark.parametrize("cell", ["-", "--", "---"])
def test_dashes_alone_stay_what_they_are(cell):
    assert neutralize_cell(cell) == cell
    assert neutralize_cell(f"{cell}1+1") == f"'{cell}1+1"


LIST = (
    "id,name,mail,section,group\n"
    "4711,Ada Love,ada@x.org,A,g1\n"
    "12,Mo O'Neil,mo@x.org,A,g2\n"
    "13,Zoë Ünal,zoe@x.org,B,g1\n"
    '14,"Sun, Li",,B,\n'
)
FOUND = {"4711": "Ada Love", "mo": "Mo O'Neil", "zoë_ünal": "Zoë Ünal", "Li Sun": "Sun, Li"}


def test_ids_names_and_folder_names_of_the_roster_are_understood():
    listed = read_people(LIST)
    assert {who: person.name for who, person in match_learners(FOUND, listed).items()} == FOUND
    names = index_roster_names(FOUND, listed)
    for said in ("4711", "Ada Love", "ada@x.org", "ada"):
        assert names[said] == "4711"
    assert (names["Zoë Ünal"], names["13"], names["14"]) == ("zoë_ünal", "zoë_ünal", "Li Sun")
    for platform in ("loveada_LATE_4711_99_w", ADA):
        assert match_learners([platform], listed) == {platform: listed[0]}
    given = read_people(
        LIST.replace("group", "learner").replace("13,Zoë Ünal,zoe@x.org,B,g1\n", "")
    )
    assert match_learners(["g1", "g2"], [given[1]]) == {"g2": given[1]}


def test_platforms_own_lists_of_a_class_are_rosters_too():
    moodle = "First name,Surname,ID number,Email address,Groups\nAda,Love,4711,ada@x.org,g1\n"
    canvas = 'Student,ID,SIS Login ID,Section\n"Love, Ada",4711,ada,A\n'
    assert read_people(moodle) == [Person("4711", "Ada Love", "ada@x.org", "", "g1", "")]
    assert read_people(canvas) == [Person("4711", "Love, Ada", "", "A", "", "ada")]
    assert recorded_people({"roster": [list(each) for each in read_people(moodle)]}) == read_people(
        moodle
    )
    assert recorded_people({}) == []


def test_who_could_be_two_is_nobody_and_a_list_that_names_nobody_is_refused():
    twins = read_people("name,section\nAda,A\nAda,B\n")
    assert match_learners(["ada"], twins) == {} and index_roster_names(["ada"], twins) == {
        "ada": "ada"
    }
    for text, words in (("section,group\nA,1\n", "who is in the class"), ("id\n7\n7\n", "7 twice")):
        with pytest.raises(WrongUse, match=words):
            read_people(text)


def test_a_list_that_is_too_long_for_a_class_is_refused(monkeypatch):
    monkeypatch.setattr(roster, "MOST_ROWS", 3)
    assert len(read_people("id\n1\n2\n3\n")) == 3
    with pytest.raises(WrongUse, match="more than 3 rows"):
        read_people("id\n1\n2\n3\n4\n")


def test_sections_and_groups_have_rows_of_their_own():
    listed = read_people(LIST)
    found = summarize_parts(FOUND, {"4711": 1.0, "mo": 0.5, "zoë_ünal": 0.25}, listed)
    assert [(p.kind, p.name, p.size, p.marked, p.mean, p.median) for p in found] == [
        ("section", "A", 2, 2, 0.75, 0.75), ("section", "B", 2, 1, 0.25, 0.25),
        ("group", "g1", 2, 2, 0.625, 0.625), ("group", "g2", 1, 1, 0.5, 0.5),
    ]  # fmt: skip
    assert summarize_parts(FOUND, {"mo": 1.0}, []) == []


def test_who_is_missing_and_who_is_not_in_the_list_is_said():
    assert list_missing(["4711", "mo", "eve"], read_people(LIST)) == [
        "In the roster without a submission: Sun, Li, Zoë Ünal", "Not in the roster: eve",
    ]  # fmt: skip
    assert list_missing(["eve"], []) == []


def test_an_attempt_that_counts_stands_for_its_learner():
    one = map_owners([{"learner": "two/mo", "whose": "mo"}])
    assert one == {"two/mo": "mo"} and list(match_learners(one, read_people(LIST))) == ["two/mo"]
    assert list_missing(one, read_people(LIST))[1:] == []


def test_a_platforms_list_finds_its_rows_by_the_classs_own():
    """Moodle knows mail addresses, the folders are called by number: the roster has both."""
    text = "Email,Full name\nada@x.org,A. Love\nmo@x.org,M. O.\n"
    wanted = ExportRequest([record("4711", 100.0)], None, "x", text, [], people=read_people(LIST))
    assert rows(tables.export_moodle(wanted))[1][:3] == ["ada@x.org", "A. Love", "100.0"]
    with pytest.raises(WrongUse, match="No row of the roster"):
        tables.export_moodle(wanted._replace(people=()))


def test_the_work_for_sections_and_groups_grows_with_the_roster_alone():
    def summing(size):
        listed = [Person(f"i{n}", "", "", f"s{n}", f"g{n}", f"i{n}") for n in range(size)]
        return lambda: summarize_parts(["i1"], {"i1": 1.0}, listed)

    assert growth(summing, 100) < 2.2
    assert len(summing(9)()) == 18


def test_a_wide_table_has_fewer_rows(monkeypatch):
    monkeypatch.setattr(roster, "MOST_CELLS", 12)
    wide = ",".join(f"c{n}" for n in range(5)) + "\n"
    assert len(read_columns(wide + "1\n2\n")[1]) == 2
    with pytest.raises(WrongUse, match="more than 2 rows of 5 columns. Keep those of this class"):
        read_columns(wide + "1\n2\n3\n")


LONG = st.text("abé \u0301\n", min_size=0, max_size=60)


@given(st.sets(LONG, max_size=30))
def test_cut_names_stay_apart(names):
    made = cut_apart(names, 12)
    assert made.keys() == names and len({*made.values()}) == len(names)
    assert all(len(line) <= 12 and "\n" not in line for line in made.values())


def test_a_name_is_cut_where_it_tells_least():
    long = "Maximiliane von Rosenberg-"
    assert cut_apart({long + "Liebenau"}, 24) == {long + "Liebenau": "Maximiliane von Rosenbe…"}
    assert sorted(cut_apart({long + "Liebenau", long + "Lichtenstein"}, 24).values()) == [
        "Maximiliane…Lichtenstein", "Maximiliane…erg-Liebenau",
    ]  # fmt: skip


PEOPLE = st.builds(
    Person, st.sampled_from(["", "1", "2", "3"]), st.sampled_from(["", "Ada", "Bo", "1", "x"]),
    st.just(""), st.just(""), st.just(""), st.sampled_from(["", "x", "y", "second/x"]),
)  # fmt: skip
HAND_INS = st.dictionaries(
    st.sampled_from(["x", "y", "second/x", "1", "2", "ada_5_6_o", "Ada_3_assignsubmission_file_"]),
    st.sampled_from(["x", "y", "1", "Ada_3_assignsubmission_file_"]), max_size=6,
)  # fmt: skip


@given(HAND_INS, st.lists(PEOPLE, max_size=4))
def test_two_learners_have_two_names(owners, listed):
    found = name_learners(owners, listed)
    assert found.keys() == owners.keys() and len({*found.values()}) == len(owners)
