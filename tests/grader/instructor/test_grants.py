"""An instructor's grants count in the mark and show in exports; wrong grants are refused."""

from __future__ import annotations

import copy
import importlib
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom import files
from grader.classroom.commands.explain import _compare, complaint
from grader.classroom.exports import (
    FORMATS,
    ExportRequest,
    describe_unmarked,
    gradescope,
    restrict_record,
)
from grader.classroom.marks import lateness
from grader.classroom.marks.grants import apply_grants, describe_grants
from grader.classroom.marks.overlay import load_course
from grader.classroom.marks.results import Results
from grader.errors import WrongUse

from ..examples import SOME
from .conftest import write_package
from .records import exercise, record, result, unjudged

WHY = "Granted after appeal"
ONE = {"learner": "ada", "exercise": "chapter1.a", "points": 1.25, "reason": WHY}
ALL = {"learner": "ada", "chapter": "chapter1", "points": 1.25, "reason": WHY}
POINTS = st.integers(0, 40).map(lambda n: n / 8)
ROWS = st.lists(st.tuples(POINTS, POINTS).map(sorted), min_size=1, max_size=6)


@SOME
@given(rows=ROWS, share=st.floats(0, 1), data=st.data())
def test_marks_add_up_to_what_was_granted_and_stay_in_their_bounds(rows, share, data):
    pairs = [{"mark": mark, "max_mark": most} for mark, most in rows]
    table = {f"chapter1.{n}": pair for n, pair in enumerate(pairs)}
    table["chapter2.x"] = {"mark": 1.0, "max_mark": 2.0}
    at, before = data.draw(st.integers(0, len(rows) - 1)), copy.deepcopy(table)
    points = round(share * rows[at][1], 3)
    apply_grants([{**ONE, "exercise": f"chapter1.{at}", "points": points}], table)
    assert table.pop(f"chapter1.{at}")["mark"] == points
    assert all(table[id] == before[id] for id in table)
    table = before
    whole = round(share * sum(most for _, most in rows), 3)
    both = [{**ALL, "points": whole}, {**ONE, "exercise": "chapter1.0", "points": 0.0}]
    apply_grants(both, table)
    assert table.pop("chapter2.x") == {"mark": 1.0, "max_mark": 2.0}
    assert sum(row["mark"] for row in table.values()) == pytest.approx(whole, abs=1e-9)
    assert all(-1e-3 <= row["mark"] <= row["max_mark"] + 1e-3 for row in table.values())


def granted_record(grant, **more):
    """A record of ada, late, with one exercise wrong and one right, as `grader grade` keeps it."""
    made = record("ada", exercise("chapter1.a", "failed"), exercise("chapter1.b", "passed", 2.0))
    return lateness.apply_terms({**made, **more}, None, None, {"ada": [grant]})


def test_a_grant_is_the_mark_whatever_was_earned_and_however_late():
    late = {"chapter1": {"hours": 30.0, "factor": 0.5}}
    for grant, marks in ((ONE, (1.25, 2.0)), (ALL, (0.0, 1.25))):
        made = granted_record(grant)
        assert [made["marks"][f"chapter1.{name}"]["mark"] for name in "ab"] == list(marks)
        assert (made["mark"], made["own"], made["max_mark"]) == (sum(marks), 2.0, 4.0)
        assert files.conforms(made, files.RECORD)
        assert lateness.apply_terms({**made, "says": ""}, None, None) == {
            **record("ada", *made["result"]["chapters"][0]["exercises"])
        }
    lately = granted_record(ALL) | {"late": late}
    assert lateness.compute_marks(lately, "best")["mark"] == 1.25
    nobody = lateness.apply_terms(unjudged("ada"), None, None, {"ada": [ONE]})
    assert nobody["mark"] is None and WHY in describe_unmarked([nobody])[0]


LISTS = {
    "moodle": "Identifier,Full name,Grade,Maximum grade,learner\r\nParticipant 1,A,-,4.00,ada\r\n",
    "canvas": "Student,ID,SIS Login ID,Section\r\nA,1,ada,s\r\n",
}
LISTS["moodle-pages"] = LISTS["moodle"]


def texts_of(made) -> list[str]:
    """The texts of an export, file by file, in archives too."""
    texts = []
    for name, data in made.files.items():
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                texts += [archive.read(inside).decode() for inside in archive.namelist()]
        elif name != "annotations.txt":
            texts.append(data.decode())
    return texts


@pytest.mark.parametrize("grant", [ONE, ALL], ids=["exercise", "chapter"])
@pytest.mark.parametrize("format", [name for name, row in FORMATS.items() if row[2]])
def test_every_export_shows_a_grant(format, grant):
    if format in ("html", "moodle-pages"):
        pytest.importorskip("jinja2")
    module, function, *_ = FORMATS[format]
    make = getattr(importlib.import_module(f"grader.classroom.exports.{module}"), function)
    learner = granted_record(grant)
    made = make(ExportRequest([learner], None, "One", LISTS.get(format), []))
    texts = texts_of(made)
    for text in texts:
        assert WHY in text or format == "canvas"
        assert f"{learner['mark']:g}" in text or format == "junit"  # which knows no points
    assert len(texts) == (4 if format == "html" else 1)


def test_part_of_a_record_tells_only_its_own_grants():
    plain = {**record("ada", exercise("chapter1.a", "failed")), "says": "Two files were empty."}
    grants = [ONE, {**ALL, "chapter": "chapter2"}]
    made = lateness.apply_terms(plain, None, None, {"ada": grants})
    assert made["says"] == " ".join(["Two files were empty.", *describe_grants(grants)])
    part = restrict_record(made, ["chapter1"])
    assert part["says"] == " ".join(["Two files were empty.", *describe_grants([ONE])])


def test_a_page_of_a_package_that_cannot_be_imported_shows_it_too():
    pytest.importorskip("jinja2")
    made = granted_record(ONE)
    made["result"]["unloadable"] = [{"message": "x", "location": None, "exercises": ["chapter1.a"]}]
    export = importlib.import_module("grader.classroom.exports.pages").export_pages
    pages = export(ExportRequest([made], None, "One", None, [])).files
    assert pages["learners/ada.html"].decode().count(WHY) == 1


def test_explain_says_what_was_granted_for_an_exercise_and_its_chapter(capsys):
    for grant in (ONE, ALL):
        made = granted_record(grant) | {"version": "1"}
        first, second = made["result"]["chapters"][0]["exercises"]
        _compare(made, first, first)
        assert WHY in capsys.readouterr().out
        _compare(made, second, second)
        assert (WHY in capsys.readouterr().out) == (grant is ALL)
        assert WHY in complaint(made, first, True, [], False).decode()


USERS = '{"users": [{"email": "Ada@x.org", "name": "Ada Love", "sid": 47}, {"name": "Mo"}]}'


@pytest.mark.parametrize("name", ["ada", "Ada@x.org", "ada love", "47", "Mo", "eve"])
def test_gradescope_counts_the_grants_of_whoever_uploads(name, tmp_path, monkeypatch):
    monkeypatch.setattr(
        gradescope, "read_zip_file", {"grants.json": [{**ONE, "learner": name}]}.get
    )
    assert gradescope.find_grants(str(tmp_path)) == []
    (tmp_path / "submission_metadata.json").write_text(USERS)
    grants = gradescope.find_grants(str(tmp_path))
    assert bool(grants) == (name != "eve")
    whole = result(exercise("chapter1.a", "failed"), exercise("chapter1.b", "passed", 2.0))
    assert gradescope.grant_points(whole, grants) == describe_grants(grants)
    made = gradescope.convert_result(whole)
    assert made["score"] == (3.25 if grants else 2.0) == sum(t["score"] for t in made["tests"])


GOOD = {"learner": "'ada'", "exercise": "'chapter3.div.backward'", "points": "1", "reason": "'x'"}
WRONG = [
    *(({name: None}, "It takes four") for name in GOOD), ({"point": "1"}, "It takes four"),
    ({"chapter": "'chapter3'"}, "It takes four"), ({"points": "'4'"}, "It takes four"),
    ({"points": "true"}, "It takes four"), ({"points": "-1"}, "It takes four"),
    ({"points": "nan"}, "nan are granted"), ({"points": "inf"}, "It takes four"),
    ({"points": "97"}, "has . points, 97 are granted"), ({"reason": "''"}, "It takes four"),
    ({"learner": "7"}, "It takes four"), ({"exercise": "'chapter3.none'"}, "names chapter3.none"),
    ({"exercise": "'chapter3'"}, "names chapter3, which"),
    ({"exercise": None, "chapter": "'chapter77'"}, "names chapter77"),
    ({"exercise": None, "chapter": "'chapter3'", "points": "9999"}, "9999 are granted"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_a_wrong_grant_is_a_sentence_with_its_file(change, words, tmp_path):
    said = {name: cell for name, cell in {**GOOD, **change}.items() if cell is not None}
    path = tmp_path / "course.toml"
    path.write_text("[[grants]]\n" + "".join(f"{name} = {cell}\n" for name, cell in said.items()))
    with pytest.raises(WrongUse, match=words) as refused:
        load_course(str(path))
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize("text", ["grants = 3", "grants = 'all'", "[grants]\nlearner = 'ada'"])
def test_what_is_no_list_of_grants_is_a_sentence(text, tmp_path):
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(WrongUse, match=r"\[\[grants\]\]"):
        load_course(str(tmp_path / "course.toml"))


def test_a_grant_is_somebodys_and_there_is_one_for_each():
    names = {"ada": "ada", "Ada Love": "ada", "bob": "bob"}
    called = {**ONE, "learner": "Ada Love"}
    assert lateness.match_grants([called], names, True) == {"ada": [called]}
    with pytest.raises(WrongUse, match=r"\[\[grants\]\]: adda is nobody .* Is it ada"):
        lateness.match_grants([{**ONE, "learner": "adda"}], names, True)
    assert lateness.match_grants([{**ONE, "learner": "adda"}], names, False) == {}
    with pytest.raises(WrongUse, match="two for chapter1.a"):
        lateness.match_grants([ONE, called], names, True)


def test_a_class_is_marked_anew_and_not_judged_again(course, grader, tmp_path):
    for name in ("ada", "bob"):
        write_package(tmp_path / "in" / name, course.stubs())
    entry = '[[grants]]\nlearner = "{}"\nchapter = "{}"\npoints = 2.5\nreason = "{}"\n'
    path, text = tmp_path / "course.toml", entry.format("ada", "chapter7", WHY)
    path.write_text(entry.format("carl", "chapter8", WHY))  # another assignment's
    arguments = ["grade", "in", "--out", "out", "--seed", "public", "--chapters", "chapter7",
                 "--jobs", "1", "--course", "course.toml"]  # fmt: skip
    assert grader(*arguments, cwd=tmp_path).status == 0
    path.write_text(text)
    ran = grader(*arguments, cwd=tmp_path)
    assert "1 have other marks" in ran.out and "0 judged" in ran.out and WHY in ran.out
    marks = {r["learner"]: r["mark"] for r in Results(str(tmp_path / "out")).each()}
    assert marks == {"ada": 2.5, "bob": 0.0}
    assert f"2.5 points for chapter7. {WHY}" in (tmp_path / "out" / "results.csv").read_text()
    path.write_text(text.replace('"ada"', '"adda"'))
    ran = grader(*arguments, cwd=tmp_path)
    assert ran.status == 2 and "Is it ada?" in ran.err
