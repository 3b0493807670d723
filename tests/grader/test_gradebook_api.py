"""The types of a result for a type checker agree with its schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

import pytest

from grader import result_rows, root

FILE = root.path("grader", "classroom", "schemas", "grader-result-1.schema.json")
SCHEMA = json.loads(Path(FILE).read_text(encoding="utf-8"))


def objects(schema: dict[str, Any], row: Any, path: str = "result"):
    """(path, schema of an object, its row) of every object with named fields, from the top."""
    schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if "items" in schema:
        yield from objects(schema["items"], *get_args(row), path)
    elif "properties" in schema:
        kinds = [kind for kind in (row, *get_args(row)) if is_typeddict(kind)]
        yield path, schema, kinds
        for kind in kinds:
            for name, inner in get_type_hints(kind).items():
                yield from objects(schema["properties"].get(name, {}), inner, f"{path}.{name}")


@pytest.mark.parametrize(("path", "schema", "kinds"), [
    pytest.param(*found, id=found[0]) for found in objects(SCHEMA, result_rows.Result)
])  # fmt: skip
def test_a_row_has_the_fields_of_its_schema(path, schema, kinds):
    (kind,) = kinds
    assert set(get_type_hints(kind)) == set(schema["properties"])
    later = result_rows.Said.__annotations__.keys() & schema["properties"].keys()  # not in 1.0.0
    assert kind.__required_keys__ - later == set(schema.get("required", ())) - later
    assert kind.__required_keys__ >= later
