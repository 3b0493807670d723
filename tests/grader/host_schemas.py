"""What a host reads, held against the schema that the host publishes."""

from __future__ import annotations

import pytest


def is_valid(path: str, schema: str) -> bool:
    """Whether a file is as its host asks; what is wrong with it is printed.

    In this process: to import all that the check is made of takes fifty times as long as the check.
    """
    cli = pytest.importorskip("check_jsonschema.cli")
    arguments = ["--builtin-schema", f"vendor.{schema}", path]
    return cli.main(arguments, standalone_mode=False) == 0
