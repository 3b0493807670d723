"""The public part of a key: what only hidden checks use is not in it, by no number and no name."""

from __future__ import annotations

import pytest

from grader.classroom.release import publickey
from grader.course.key_file import (
    ArrayStore,
    ChapterKey,
    Key,
    gives_slice,
    slice_bytes,
    write_key_file,
)

from ..small_key import Probes, array_of, check, exercise

OPEN, SECRET, ANSWER = [1.0, 2.0, 3.0], [0.1, 0.7, 0.3], [1.1, 2.3, 3.7]
TABLE = {"outline": [["chapter1.thing", "1.1", False]], "targets": {"ops.x": "chapter1.thing"},
         "titles": {"chapter1": "One"}, "names": {}}  # fmt: skip


@pytest.fixture
def chapter():
    return chapter_with(SECRET, ANSWER)


def chapter_with(secret, answer):
    """Two probes; the first is only a hidden check's."""
    probes = Probes()
    probes.add(answer, program="hidden.give", x=secret)
    probes.add(OPEN, x=OPEN)
    probes.means = {"hidden.give": {"alone": True}, "values.give": {"alone": True}}
    checks = [check(0, id="chapter1.thing/secret", hidden=True), check(1)]
    key = probes.key([exercise()], checks)
    programs = {"__init__": "", "harness": "", "hidden": "", "values": "from .near import x\n",
                "near": "from . import far\n", "far": ""}  # fmt: skip
    questions = [{"id": "q1", "answer": "42", "rubric": ["r"], "why": "w"},
                 {"id": "q2", "answer": None, "rubric": ["r"], "why": "w"}]  # fmt: skip
    index = {"id": key.id, "title": key.title, "exercises": key.exercises, "checks": checks,
             "probes": probes.rows, "modules": [], "programs": programs, "means": probes.means,
             "questions": questions, "unrecorded": ["secret"]}  # fmt: skip
    return slice_bytes(index, probes.arrays)


def test_hidden_checks_their_probes_and_their_arrays_are_gone(chapter):
    key = ChapterKey(publickey.public_slice(ChapterKey(chapter)))
    assert [c["id"] for c in key.checks] == ["chapter1.thing/value"] and len(key.probes) == 1
    assert key.checks[0]["probes"] == [0] and key.unrecorded == []
    assert [a.values() for a in key.parts(key.probes[0]["answers"]["reference"])["value"]] == [OPEN]
    data = publickey.public_slice(ChapterKey(chapter))
    for hidden in (SECRET, ANSWER):
        arrays = ArrayStore()
        Probes._number(type("P", (), {"arrays": arrays})(), hidden)
        assert bytes(arrays.data) in chapter and bytes(arrays.data) not in data


def test_programs_that_are_leant_on_stay_and_others_go(chapter):
    key = ChapterKey(publickey.public_slice(ChapterKey(chapter)))
    assert set(key.programs) == {"__init__", "harness", "values", "near", "far"}
    assert key.probes[0]["means"] == {"alone": True}


def test_a_prediction_keeps_its_answer_and_an_open_question_loses_its_mark_scheme(chapter):
    first, second = ChapterKey(publickey.public_slice(ChapterKey(chapter))).questions
    assert first["rubric"] == ["r"] and second["rubric"] == [] and second["why"] == ""


def test_what_only_hidden_checks_use_can_be_looked_for(chapter, tmp_path):
    path = str(tmp_path / "whole.key")
    gives = {"twice": {0: {"parts": {"value": [array_of(SECRET)]}}, 1: {"ended": "raised"}}}
    write_key_file(path, TABLE, {"chapter1": chapter}, {"chapter1.thing": gives_slice(gives)})
    whole = Key(path)
    found = {data for _, data in publickey.hidden_arrays(whole, ["chapter1"])}
    assert len(found) == 2
    public = str(tmp_path / "public.key")
    write_key_file(public, *publickey.public_parts(whole, ["chapter1"], ["chapter1"]))
    assert not list(publickey.hidden_arrays(Key(public), ["chapter1"]))
    assert Key(public).gives("chapter1.thing") == {"twice": {0: {"ended": "raised"}}}
    with open(public, "rb") as file:
        text = file.read()
    assert not any(data in text for data in found)


@pytest.mark.parametrize(
    "numbers", [[0.0, 0.0, 0.0, -0.44], [0.5, 1.5, 0.0, 0.0]], ids=["two", "friendly"]
)
def test_an_array_that_stands_in_others_by_chance_is_not_looked_for(numbers, tmp_path):
    """A release of chapter 11 was refused for three zeros at one array's end and the next."""
    path = str(tmp_path / "whole.key")
    write_key_file(path, TABLE, {"chapter1": chapter_with(numbers, numbers)}, {})
    assert not list(publickey.hidden_arrays(Key(path), ["chapter1"]))
