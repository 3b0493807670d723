"""Whether what was read is what our published JSON Schemas say.

The keywords that decide whether reading goes on without surprises; what a schema does not name is
passed over: a later grader may say more.
"""

from __future__ import annotations

import json
import math
import os
from functools import cache
from typing import Any

Rule = dict[str, Any]
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
RECORD = {"$ref": "grader-class-1.schema.json#/$defs/record"}
RESULT = {"$ref": "grader-result-1.schema.json"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def conforms(value: Any, rule: Rule, file: str = "") -> bool:
    """Whether a value is as a rule of a schema asks.

    Args:
        file: the schema in which the rule stands.
    """
    if "$ref" in rule:
        place, _, path = rule["$ref"].partition("#/")
        return conforms(value, _definition(place or file, path), place or file)
    if "type" in rule and not any(_is(value, kind) for kind in _listed(rule["type"])):
        return False
    if value not in rule.get("enum", [rule.get("const", value)]):
        return False
    if "anyOf" in rule:
        return any(conforms(value, each, file) for each in rule["anyOf"])
    if isinstance(value, dict):
        return _object_conforms(value, rule, file)
    if isinstance(value, list):
        return all(conforms(each, rule.get("items", {}), file) for each in value)
    return not isinstance(value, str) or len(value) >= rule.get("minLength", 0)


def _object_conforms(value: Rule, rule: Rule, file: str) -> bool:
    known, others = rule.get("properties", {}), rule.get("additionalProperties")
    others = others if isinstance(others, dict) else {}
    return all(name in value for name in rule.get("required", ())) and all(
        conforms(each, known.get(name, others), file) for name, each in value.items()
    )


def _is(value: Any, kind: str) -> bool:
    if kind in TYPES:
        return isinstance(value, TYPES[kind])
    whole = kind == "integer"
    number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    return number and math.isfinite(value)


def _listed(kind: Any) -> Any:
    return (kind,) if isinstance(kind, str) else kind


@cache
def _definition(file: str, path: str) -> Rule:
    with open(os.path.join(FOLDER, file), encoding="utf-8") as text:
        found: Rule = json.load(text)
    for name in filter(None, path.split("/")):
        found = found[name]
    return found
