"""Our check of read values against the published schemas agrees with a schema library."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from grader.classroom.files import FOLDER, RECORD, RESULT, conforms

from .records import exercise, record, unjudged

ADA = record("ada", exercise("chapter1.a", "passed", 2.0))
LEFT_OUT = ("pattern", "format", "if", "then", "else")


@cache
def library():
    jsonschema = pytest.importorskip("jsonschema")
    referencing = pytest.importorskip("referencing")
    texts = {path.name: path.read_text(encoding="utf-8") for path in Path(FOLDER).iterdir()}
    files = {name: _loose(json.loads(text)) for name, text in texts.items()}
    found = [(name, referencing.Resource.from_contents(each)) for name, each in files.items()]
    registry = referencing.Registry().with_resources(found)
    return jsonschema.Draft202012Validator({"$ref": RECORD}, registry=registry)


def by_the_library(value) -> bool:
    return library().is_valid(value)


def _loose(rule):
    """A schema without what is left out: names that it does not know, patterns, ranges."""
    if isinstance(rule, list):
        return [_loose(each) for each in rule]
    if not isinstance(rule, dict):
        return rule
    kept = {k: _loose(v) for k, v in rule.items() if k not in LEFT_OUT}
    return {k: v for k, v in kept.items() if (k, v) != ("additionalProperties", False)}


def places(value, at=()):
    """Every place in a value."""
    yield at
    if isinstance(value, dict | list):
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*at, name))


def put(value, at, what):
    """A copy with something else at a place; without it where that is `...`."""
    if not at:
        return what
    copy = list(value) if isinstance(value, list) else dict(value)
    if len(at) == 1 and what is ...:
        del copy[at[0]]
    else:
        copy[at[0]] = put(copy[at[0]], at[1:], what)
    return copy


@pytest.mark.parametrize("value", [ADA, unjudged("eve"), {**ADA, "of_a_later_grader": [1]}])
def test_a_record_conforms_and_one_with_more_in_it_too(value):
    assert conforms(value, RECORD) and by_the_library(value)


def test_a_result_conforms():
    assert conforms(ADA["result"], RESULT) and not conforms(ADA, RESULT)


@pytest.mark.parametrize("what", [None, 3, True, "x", [], ["x"], {}, {"x": 1}, ...], ids=repr)
def test_whatever_stands_anywhere_else_is_judged_as_a_library_judges_it(what):
    for at in filter(None, places(ADA)):
        changed = put(ADA, at, what)
        assert conforms(changed, RECORD) == by_the_library(changed), (at, what)
