"""A notebook as data: what is none gets a sentence, and what is one is read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.errors import WrongUse
from grader.notebooks.notebook_source import cells


def notebook(**parts: Any) -> bytes:
    return json.dumps({"nbformat": 4, "cells": [], **parts}).encode()


BAD = {
    b"": "breaks off or is damaged at line 1",
    b'{"cells": [': "breaks off or is damaged at line 1",
    b"{\xff\xfb": "is not UTF-8 text",
    b"[]": "no notebook of format 3 or 4",
    b"{}": "no notebook of format 3 or 4",
    notebook(nbformat=2, worksheets=[]): "no notebook of format 3 or 4",
    notebook(nbformat=9): "no notebook of format 3 or 4",
    notebook(cells=[1]): "no notebook of format 3 or 4",
    notebook(cells={"a": 1}): "no notebook of format 3 or 4",
    notebook(cells=[{"cell_type": "code", "source": [1]}]): "no notebook of format 3 or 4",
}


@pytest.mark.parametrize("data", BAD, ids=range(len(BAD)))
def test_what_is_no_notebook_gets_a_sentence(data: bytes) -> None:
    with pytest.raises(WrongUse) as caught:
        cells(data, "her.ipynb")
    assert str(caught.value).startswith("her.ipynb is")
    assert BAD[data] in str(caught.value)
    assert "hand it in again" in str(caught.value)


def test_an_enormous_notebook_gets_a_sentence() -> None:
    with pytest.raises(WrongUse, match="larger than 32 MB. Clear its outputs"):
        cells(b" " * ((32 << 20) + 1), "her.ipynb")


def test_format_3_is_read() -> None:
    cell = {"cell_type": "code", "input": ["a = 1\n", "b = 2"]}
    old = notebook(nbformat=3, worksheets=[{"cells": [cell]}])
    assert [c.source for c in cells(old, "old.ipynb")] == ["a = 1\nb = 2"]
