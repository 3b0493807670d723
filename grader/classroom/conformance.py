"""Whether what was read is what our published JSON Schemas say.

What decides whether reading goes on without surprises; what a schema does not name is passed over:
a later grader may say more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from typing import Any

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
RECORD = "grader-class-1.schema.json#/$defs/record"
RESULT = "grader-result-1.schema.json"
LEFT_OUT = ("$id", "$schema", "pattern", "minimum", "maximum", "format", "if", "then", "else")


def conforms(value: Any, schema: str) -> bool:
    """Whether a value is as a schema asks, which is named as a `$ref` does."""
    from fastjsonschema import JsonSchemaValueException

    try:
        _test(schema)(value)
    except JsonSchemaValueException:
        return False
    return True


@cache
def _test(schema: str) -> Callable[[Any], Any]:
    """A schema as a function: a class has many records."""
    import fastjsonschema

    test: Callable[[Any], Any] = fastjsonschema.compile({"$ref": schema}, handlers={"": _read})
    return test


def _read(name: str) -> Any:
    with open(os.path.join(FOLDER, os.path.basename(name)), encoding="utf-8") as file:
        return _loosened(json.load(file))


def _loosened(rule: Any) -> Any:
    """A schema without patterns and ranges, and open to names that it does not know."""
    if isinstance(rule, list):
        return [_loosened(each) for each in rule]
    if not isinstance(rule, dict):
        return rule
    kept = {name: _loosened(each) for name, each in rule.items() if name not in LEFT_OUT}
    return {n: each for n, each in kept.items() if (n, each) != ("additionalProperties", False)}
