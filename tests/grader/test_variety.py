"""Invariant 19 moves a probe place by place, and tells a place with which nothing moves."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.arrays import Array
from grader.audit import variety
from grader.course import Probe
from grader.course.key_encoding import to_buffer
from grader.sandbox.observation import Observation


def test_places_are_numbers_options_weights_and_tokens():
    args = ([3, (True, None)], {"weight": np.ones((2, 2)), "tokens": np.array([4, 7])}, "a b")
    found = dict(variety.leaves_of(args))
    assert [*found] == [(0, 0), (0, 1, 0), (0, 1, 1), (1, "weight"), (1, "tokens", 0),
                        (1, "tokens", 1), (2,)]  # fmt: skip
    assert found[1, "tokens", 1] == 7
    names = ["options", "state", "words"]
    assert variety.name_place((1, "tokens", 1), names) == "state.tokens.1"


@pytest.mark.parametrize("path, new", [((0, 1, 0), False), ((1, "tokens", 1), 9), ((1, "w"), None)])
def test_one_place_is_moved_alone_and_in_a_copy(path, new):
    args = ([3, (True, None)], {"w": 1.5, "tokens": np.array([4, 7])})
    moved = dict(variety.leaves_of(variety.put(args, path, new)))
    still = dict(variety.leaves_of(args))
    assert {place for place in still if moved[place] is not still[place]
            and moved[place] != still[place]} == {path}  # fmt: skip
    assert moved[path] == new and type(variety.put(args, path, new)[0][1]) is tuple


def test_what_stands_in_other_probes_may_stand_there():
    assert variety.others_of(None, [None, 3]) == [3]
    assert variety.others_of(2, [2, 5]) == [5, 3, 1]
    assert variety.others_of(True, []) == [False]
    assert variety.others_of("x0 x1", ["x0 x1", "x1 x1"]) == ["x1 x1", "x1 x0"]
    assert [each.tolist() for each in variety.others_of(np.array([1.0, 2.0]), [])] == [
        [1.5, 3.0], [1.75, 2.75], [2.0, 1.0],
    ]  # fmt: skip


def observed(kind="arrays", **parts: list[Array]) -> Observation:
    return Observation(
        kind, {}, {name: [to_buffer(a) for a in each] for name, each in parts.items()}
    )


def test_only_a_part_that_is_compared_tells_and_no_call_that_raises():
    right = observed(value=[1.0], more=[2.0])
    assert variety.has_moved(observed(value=[1.5], more=[2.0]), right, {"value"})
    assert variety.has_moved(observed(value=[1.0, 1.0]), right, {"value"})
    assert not variety.has_moved(observed(value=[1.0], more=[3.0]), right, {"value"})
    assert not variety.has_moved(observed("raised", value=[1.5]), right, {"value"})


def told(monkeypatch, still, rows):
    """Return what is told of an exercise where nothing moves with these places."""
    exercise = SimpleNamespace(id="chapter1.f")
    chapter = SimpleNamespace(id="chapter1", exercises=[exercise])
    monkeypatch.setattr(variety, "has_module", lambda name: rows is not None)
    monkeypatch.setattr(variety, "rows_of", lambda *_: dict.fromkeys(rows, "why"))
    monkeypatch.setattr(variety, "still_places", lambda *_: (still, 9))
    proof = SimpleNamespace(chapters=[chapter], ids={exercise.id}, notes=[])
    return [each.what for each in variety.every_place_counts(proof)], proof.notes


def test_a_place_that_stays_needs_a_row_and_a_row_a_place(monkeypatch):
    rows = [("chapter1.f", "a.f size…"), ("chapter1.f", "a.f gone")]
    found, notes = told(monkeypatch, ["a.f size.0", "a.f size.1", "a.f tokens.2"], rows)
    assert found == ["no answer moves with a.f tokens.2", "a.f gone is no place that stays"]
    assert notes == ["chapter1: 9 places moved alone, 2 rows"]


def test_a_chapter_without_the_file_is_exempt(monkeypatch):
    found, notes = told(monkeypatch, ["a.f x"], None)
    assert not found and notes == ["chapter1 has no unmoved.py: what its probes hold is not moved"]


def test_the_places_of_a_real_exercise_are_moved(proof):
    (chapter,) = (c for c in proof.course.chapters if c.id == "chapter16")
    exercise = proof.course.exercises["chapter16.nucleus"]
    still, count = variety.still_places(proof, chapter, exercise)
    assert still == ["answering.no_nucleus probabilities"] and count == 4


@pytest.mark.parametrize(
    "kinds, values, still",
    [
        (["raised", "raised"], [0.0, 0.0], []),  # it fits nowhere else: the reference notices it
        (["raised", "arrays"], [0.0, 1.0], ["a.f p"]),
        (["arrays", "arrays"], [1.0, 2.0], []),
        ([], [], []),  # nothing else can stand there
    ],
)
def test_a_place_stays_if_some_move_is_answered_and_none_moves(monkeypatch, kinds, values, still):
    probe = Probe("a.f", (0.5,), "")
    moves = [variety.Move(probe, "a.f p", (each,)) for each in values]
    found = [observed(kind, value=[each]) for kind, each in zip(kinds, values, strict=True)]
    given = iter([[observed(value=[1.0])], found, found])
    monkeypatch.setattr(variety, "compared_parts", lambda *_: {id(probe): (probe, {"value"})})
    monkeypatch.setattr(variety, "moves_of", lambda _: {"a.f p": iter(moves)})
    monkeypatch.setattr(variety, "answers", lambda _, __, calls: next(given)[: len(calls)])
    course = SimpleNamespace(checks=lambda *_: [])
    assert variety.still_places(SimpleNamespace(course=course, seed=""), None, None)[0] == still


def test_a_row_of_a_chapter_holds_for_each_exercise(monkeypatch):
    found, _ = told(monkeypatch, ["a.f kind"], [("chapter1", "a.f kind")])
    assert not found


def test_moves_of_all_probes_are_tried_in_turn():
    probes = [Probe("answering.nucleus", (np.array([0.5, 0.5]), p), "") for p in (0.25, 0.75)]
    (_, of_p) = variety.moves_of(probes).values()
    tried = [move.args[1] for move in of_p]
    assert tried[:2] == [0.75, 0.25] and len(tried) == 8
