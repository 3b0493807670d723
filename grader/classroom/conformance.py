"""Whether what was read is what our published JSON Schemas say.

The keywords that decide whether reading goes on without surprises; what a schema does not name is
passed over: a later grader may say more. A schema becomes functions once: a class has many records.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from functools import cache
from typing import Any

Rule = dict[str, Any]
Test = Callable[[Any], bool]
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
RECORD = "grader-class-1.schema.json#/$defs/record"
RESULT = "grader-result-1.schema.json"
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def conforms(value: Any, schema: str) -> bool:
    """Whether a value is as a schema asks, which is named as a `$ref` does."""
    return _referred(schema)(value)


@cache
def _referred(ref: str, file: str = "") -> Test:
    place, _, path = ref.partition("#/")
    file = place or file
    with open(os.path.join(FOLDER, file), encoding="utf-8") as text:
        rule: Rule = json.load(text)
    for name in filter(None, path.split("/")):
        rule = rule[name]
    return _compiled(rule, file)


def _compiled(rule: Rule, file: str) -> Test:
    if "$ref" in rule:
        return _referred(rule["$ref"], file)
    tests = [make(rule, file) for keyword, make in KEYWORDS.items() if keyword in rule]
    if len(tests) == 1:
        return tests[0]

    def test(value: Any) -> bool:
        for each in tests:  # noqa: SIM110 (`all` would make a generator for each value of a class)
            if not each(value):
                return False
        return True

    return test


def _type(rule: Rule, file: str) -> Test:
    kinds = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
    classes = tuple(TYPES[kind] for kind in kinds if kind in TYPES)
    numbers = {"number": (int, float), "integer": (int,)}
    exact = tuple(each for kind in kinds for each in numbers.get(kind, ()))
    if not exact:
        return lambda value: isinstance(value, classes)
    return lambda value: type(value) in exact and math.isfinite(value) or isinstance(value, classes)


def _one_of(rule: Rule, file: str) -> Test:
    known = rule["enum"] if "enum" in rule else [rule["const"]]
    return lambda value: value in known


def _any_of(rule: Rule, file: str) -> Test:
    tests = [_compiled(each, file) for each in rule["anyOf"]]
    return lambda value: any(test(value) for test in tests)


def _longer(rule: Rule, file: str) -> Test:
    return lambda value: not isinstance(value, str) or len(value) >= rule["minLength"]


def _items(rule: Rule, file: str) -> Test:
    test = _compiled(rule["items"], file)
    return lambda value: not isinstance(value, list) or all(map(test, value))


def _required(rule: Rule, file: str) -> Test:
    names = set(rule["required"])
    return lambda value: not isinstance(value, dict) or names <= value.keys()


def _properties(rule: Rule, file: str) -> Test:
    known = {name: _compiled(each, file) for name, each in rule["properties"].items() if each}

    def test(value: Any) -> bool:
        if isinstance(value, dict):
            for name, each in known.items():
                if name in value and not each(value[name]):
                    return False
        return True

    return test


def _others(rule: Rule, file: str) -> Test:
    """What `additionalProperties` asks; ours stand where there are no others."""
    if not isinstance(rule["additionalProperties"], dict):
        return lambda value: True
    test = _compiled(rule["additionalProperties"], file)
    return lambda value: not isinstance(value, dict) or all(map(test, value.values()))


KEYWORDS = {
    "type": _type, "enum": _one_of, "const": _one_of, "anyOf": _any_of, "minLength": _longer,
    "items": _items, "required": _required, "properties": _properties,
    "additionalProperties": _others,
}  # fmt: skip
