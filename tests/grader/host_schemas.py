"""Validate a file with the schema that its host, such as GitHub, publishes."""

from __future__ import annotations

import pytest


def is_valid(path: str, schema: str) -> bool:
    """Tell whether a file fits its host's schema; print the errors.

    It runs in this process: the imports take fifty times as long as the check.
    """
    cli = pytest.importorskip("check_jsonschema.cli")
    arguments = ["--builtin-schema", f"vendor.{schema}", path]
    return cli.main(arguments, standalone_mode=False) == 0
