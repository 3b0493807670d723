"""JUnit XML: a case per check of one learner, a case per exercise of a class."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.exports import ExportRequest
from grader.classroom.exports.ci import ELEMENTS, export_junit, replace_xml_controls

from ..examples import SOME
from .records import check, exercise, record, unjudged


def exported(*records) -> ET.Element:
    (data,) = export_junit(ExportRequest(list(records), None, "x", None, [])).files.values()
    return ET.fromstring(data)


def test_counts_are_those_of_the_cases():
    mixed = [check("passed", id="a/1"), check("failed", id="a/2"), check("crashed", id="a/3")]
    top = exported(record("ada", exercise("chapter1.a", "crashed", 0.0, *mixed),
                          exercise("chapter1.b", "pending")))  # fmt: skip
    assert {k: top.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4", "failures": "1", "errors": "1", "skipped": "1",
    }  # fmt: skip
    (suite,) = top
    assert suite.get("name") == "ada.chapter1" and suite.get("tests") == "4"


def test_of_a_class_each_exercise_is_one_case_that_ended_as_it_did():
    mixed = [check("passed", id="a/1"), check("failed", id="a/2", title="Twice.")]
    ada, eve = (record(n, exercise("chapter1.a", "failed", 0.0, *mixed)) for n in ("ada", "eve"))
    top = exported(ada, eve)
    assert [c.get("name") for c in top.iter("testcase")] == ["chapter1.a"] * 2
    assert {f.get("message") for f in top.iter("failure")} == {"failed: Twice."}


def test_who_could_not_be_judged_is_an_error_of_its_own():
    top = exported(unjudged("eve", "It is \0 empty."))
    (error,) = top.iter("error")
    assert error.get("message") == "It is \N{REPLACEMENT CHARACTER} empty."
    assert top.get("errors") == "1"


def test_a_fault_tells_its_mistake_and_place():
    wrong = check("failed", mistake={"name": "n", "says": "Doubled."}, location="ops.py:3")
    (failure,) = exported(record("a", exercise("chapter1.a", "failed", 0.0, wrong))).iter("failure")
    assert failure.text == "f(a)\nDoubled.\nops.py:3" and failure.get("type") == "failed"


@pytest.mark.parametrize("status", ELEMENTS)
def test_every_status_but_passed_has_its_element(status):
    top = exported(record("ada", exercise("chapter1.a", status)))
    assert len(list(top.iter(ELEMENTS[status]))) == 1


@SOME
@given(text=st.text(st.characters()))
def test_any_text_can_stand_in_it(text):
    ET.fromstring(
        f"<a>{replace_xml_controls(text).replace('&', '').replace('<', '').replace(']]>', '')}</a>"
    )
