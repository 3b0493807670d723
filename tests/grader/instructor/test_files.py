"""Rows for a spreadsheet that runs nothing, and text for a line that steers nothing."""

from __future__ import annotations

import ast
import csv
import gzip
import io
import itertools
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import root
from grader.classroom.files import as_json, as_packed, csv_text, neutralize_cell, restore_cell
from grader.errors import one_line, os_safe, safe_text
from grader.learner.untrusted_files import read_json_or_none

from ..examples import SOME

TEXT = st.text(max_size=5).map(safe_text)  # what would steer a terminal is not read back
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)


@SOME
@given(value=VALUES)
def test_what_is_written_is_read_packed_or_not(value, tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "x.json"
    for pack in (as_json, as_packed):
        path.write_bytes(pack(value))
        assert read_json_or_none(str(path)) == value
        assert pack(value) == pack(value)  # the same bytes whenever it is made


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", gzip.compress(b"{}", mtime=0)[:-3], b"\x1f\x8bnonsense"]
)
def test_what_is_damaged_is_nothing(data, tmp_path):
    (tmp_path / "x").write_bytes(data)
    assert (
        read_json_or_none(str(tmp_path / "x")) is None
        and read_json_or_none(str(tmp_path / "none")) is None
    )


# Any text, and what matters to a spreadsheet: what separates, is stripped, begins a formula.
TRICKY = ["=", "+", "-", "@", "＝", "＠", "﹢", ",", ";", "\t", "\r", "\n", '"', "'", " ",
          "\xa0", "\x1b", "\u200b", "\ufeff", "1", ".5", "a", "O'Brien", "ada@x.org",
          "=cmd|' /C calc'!A0"]  # fmt: skip
CELL = st.text(max_size=8) | st.lists(st.sampled_from(TRICKY), max_size=8).map("".join)
TABLES = st.lists(st.lists(CELL | st.floats(-9, 9) | st.none(), min_size=1, max_size=3))
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?(e[+-]?\d+)?")


def live_cells(text: str) -> list[str]:
    """The cells that a spreadsheet would run, by each separator, with quotes and without."""
    found = []
    for between in ",;\t":
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
            source = io.StringIO(text, newline="")
            for cell in itertools.chain(*csv.reader(source, delimiter=between, quoting=quoting)):
                seen = cell
                while seen and (seen[0] in ' "' or not seen[0].isprintable()):
                    seen = seen[1:]
                begins = unicodedata.normalize("NFKC", seen[:1]) in ("=", "+", "-", "@")
                if begins and seen.strip('-" ') and not NUMBER.fullmatch(seen.rstrip('" ')):
                    found.append(cell)
    return found


@settings(SOME, max_examples=100)
@given(rows=TABLES)
def test_no_table_has_a_live_cell_by_any_separator(rows):
    assert not live_cells(csv_text(rows))


@settings(SOME, max_examples=100)
@given(rows=st.lists(st.lists(CELL, min_size=2, max_size=2)))
def test_a_reader_of_csv_gets_every_cell_back(rows):
    found = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    assert found == [
        [neutralize_cell(cell, at == 0) for at, cell in enumerate(row)] for row in rows
    ]
    for cell in (cell for row in found for cell in row):
        assert neutralize_cell(cell, True) == cell or NUMBER.fullmatch(cell) or not cell.strip("-")
        assert neutralize_cell(restore_cell(cell), True) == neutralize_cell(cell, True)


@settings(SOME, max_examples=100)
@given(text=CELL)
def test_harmless_text_is_not_changed_and_changed_text_comes_back(text):
    shown = "".join(c for c in text if c.isprintable() or c in "\n\r\t\xa0")
    if not re.search(r"(?<!\w)[=+\-@]", unicodedata.normalize("NFKC", shown)):
        assert neutralize_cell(shown, True) == shown
    if "'" not in shown:
        assert restore_cell(str(neutralize_cell(shown, True))) == shown


def test_numbers_names_and_addresses_stay_what_they_are():
    names = ("O'Brien", "ada@x.org; b@x.org", "a-b", "Ann\xa0Lee")
    for cell in (-1.5, "-1.5", "+3", "-", "--", *names):
        assert neutralize_cell(cell) == cell
    assert neutralize_cell(None) == "" and neutralize_cell("-1.5", begins_line=True) == "'-1.5"
    assert neutralize_cell(" =1+1") == " '=1+1" and neutralize_cell("f(a, -b)") == "f(a, '-b)"


WRITERS = {"writer", "DictWriter", "writerow", "writerows", "to_csv", "savetxt"}


def test_nothing_else_writes_tables():
    """Neither by `csv` itself, nor by a file of that name that `csv_text` has not made."""
    for path in sorted(Path(root.PACKAGE).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        names = {n.attr for n in nodes if isinstance(n, ast.Attribute)}
        names |= {n.name for n in nodes if isinstance(n, ast.alias)}
        assert path.name == "files.py" or not names & WRITERS, path
        made = [k for n in nodes if isinstance(n, ast.Dict) for k in n.keys]
        made += [a for n in nodes if isinstance(n, ast.Call) for a in n.args]
        made += [a for n in nodes if isinstance(n, ast.JoinedStr) for a in n.values]
        files = {k.value for k in made if isinstance(k, ast.Constant) and isinstance(k.value, str)}
        tables = {file for file in files if re.fullmatch(r"\S*\.(csv|tsv|tab)", file)}
        assert not tables or "csv_text" in names, f"{path}: {tables}"


@SOME
@given(text=st.text(max_size=40), most=st.integers(1, 20))
def test_one_line_is_one_printable_line_of_bounded_length(text, most):
    found = one_line(text, most)
    assert found.isprintable() and len(found) <= most


@pytest.mark.parametrize("name", [b"\xff.py", "é".encode(), b"plain"])
def test_names_that_are_no_utf8_can_be_written_to_a_file(name):
    shown = os_safe(name.decode("utf-8", "surrogateescape"))
    assert shown == name.decode("utf-8", "replace") and shown.encode()
