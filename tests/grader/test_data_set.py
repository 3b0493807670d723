"""`grader mistakes`: the named mistakes as a data set, and which check catches which."""

from __future__ import annotations

import json

import jsonschema
import pytest

from grader import root
from grader.audit import data_set
from grader.audit.data_set import checks_that_catch
from grader.course import Exercise, Mistake
from grader.course.key_encoding import exercise_row
from grader.course.key_source import open_key
from grader.memo import Memo

from .small_key import ID, Probes, check, exercise
from .whole_course import whole_course

DIV = "chapter3.div.backward"


@pytest.fixture(scope="module")
def found(grader):
    ran = grader("mistakes", "chapter3.div", "--json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def test_it_fits_its_schema(found):
    pytest.importorskip("grader.classroom")  # which has all schemas
    with open(root.path("grader", "classroom", "schemas", "grader-mistakes-1.schema.json")) as file:
        jsonschema.validate(found, json.load(file))


def test_every_mistake_is_there_with_its_code_and_is_caught(found, course):
    ids = [e for e in course.exercises if e.startswith("chapter3.div.")]
    wanted = {f"{id}/{m.name}" for id in ids for m in course.exercises[id].mistakes}
    assert {m["id"] for m in found["mistakes"]} == wanted
    checks = {check["id"] for check in found["checks"]}
    for mistake in found["mistakes"]:
        assert mistake["caught_by"] and set(mistake["caught_by"]) <= checks
        # a body that stands in the package
        course.replace_bodies({mistake["target"]: mistake["body"]})
    reference = {e["id"]: e["reference"] for e in found["exercises"]}[DIV]
    assert "out_grad / b" in reference["ops.Div.backward"]


def test_the_matrix_says_what_check_says(found, grader, package):
    """One mistake in an otherwise right package: the checks that fail are those that are told."""
    mistake = next(m for m in found["mistakes"] if m["exercise"] == DIV)
    place = package({mistake["target"]: mistake["body"]})
    judged = grader("check", DIV, "--json", "--package", str(place)).exercises()[DIV]
    failed = [c["id"] for c in judged["checks"] if c["status"] != "passed"]
    assert sorted(failed) == sorted(mistake["caught_by"])


def test_where_a_mistake_was_seen_is_told(found, course):
    seen = {f"{e.id}/{m.name}": m.seen for e in course.exercises.values() for m in e.mistakes}
    assert {m["id"]: m["seen"] for m in found["mistakes"]}.items() <= seen.items()
    assert all(address.startswith("https://") for address in seen.values() if address)


@pytest.mark.parametrize("page", ["README.md", "docs/mistakes.md"])
def test_a_page_says_how_many_were_seen(page):
    every = [m for e in whole_course().exercises.values() for m in e.mistakes]
    seen = sum(bool(m.seen) for m in every)
    with open(root.path(page), encoding="utf-8") as file:
        text = " ".join(file.read().split())
    assert f"{seen:,} of {len(every):,} come from public code or threads" in text


def test_where_a_mistake_was_seen_is_no_part_of_a_key():
    rows = [
        Mistake("swapped", "return b, a", "Swapped.", seen=seen) for seen in ("", "https://a.b")
    ]
    made_up, seen = [exercise_row(Exercise(ID, targets=("ops.f",), mistakes=[row])) for row in rows]
    assert made_up == seen


def test_without_json_it_is_a_table(grader):
    ran = grader("mistakes", DIV)
    assert ran.status == 0
    assert DIV in ran.out and "forgot-out-grad: gradient" in ran.out


def test_a_name_that_nothing_has_is_one_sentence(grader):
    ran = grader("mistakes", "chapter3.dvi")
    assert ran.status == 2 and "Traceback" not in ran.err


def test_it_is_worked_out_once_for_sources_and_judge(monkeypatch, tmp_path):
    key, ids = open_key(), [DIV]
    first = data_set.read_data_set(key, ids)
    monkeypatch.setattr(data_set, "make_data_set", lambda *asked: {"anew": True})
    assert data_set.read_data_set(key, ids) == first
    monkeypatch.setattr(data_set, "stamp", lambda paths: "another judge")
    monkeypatch.setattr(data_set, "Memo", lambda: Memo(str(tmp_path)))
    assert data_set.read_data_set(key, ids) == {"anew": True}


def test_a_mistake_is_caught_by_every_check_that_it_fails():
    probes = Probes()
    probes.add([1.0], {"late": [1.0], "wrong": [2.0], "raises": {"ended": "raised"}})
    probes.add([3.0], {"late": [9.0], "wrong": [2.0], "raises": [3.0]})
    names = [f"{ID}/first", f"{ID}/second", f"{ID}/both", "chapter1.other/x"]
    checks = [
        check(*row, id=name) for name, row in zip(names, ([0], [1], [0, 1], [0]), strict=True)
    ]
    key = probes.key([exercise()], checks)
    gives = probes.gives
    assert checks_that_catch(key, ID, gives["late"]) == [f"{ID}/second", f"{ID}/both"]
    assert checks_that_catch(key, ID, gives["wrong"]) == names[:3]
    assert checks_that_catch(key, ID, gives["raises"]) == [f"{ID}/first", f"{ID}/both"]
    assert checks_that_catch(key, ID, {}) == names[:3]
