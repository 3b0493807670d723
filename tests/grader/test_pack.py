"""A page that grades loads packed files; building one needs Pyodide."""

from __future__ import annotations

import pytest

from grader.book.page import pack


def test_without_pyodide_it_says_where_to_get_it(grader, tmp_path):
    ran = grader("book", "--build", "site", "--pyodide", ".", cwd=tmp_path)
    assert ran.status == 2 and "npm install --prefix ." in ran.err
    assert not (tmp_path / "site").exists()


def test_a_page_that_grades_has_to_be_served(grader, tmp_path):
    ran = grader("book", "--pyodide", ".", cwd=tmp_path)
    assert ran.status == 2 and "--serve" in ran.err


@pytest.mark.long
def test_what_the_page_loads_is_the_same_for_the_same_sources(proof, tmp_path):
    for name in ("one", "two"):
        pack.pack(str(tmp_path / name))
        work = pack.Work("chapter9", {}, {"trainer.py": "x = 1\n"})
        pack.pack_chapter(proof.key, work, str(tmp_path / f"{name}.zip"))
    for one, two in (("one", "two"), ("one.zip", "two.zip")):
        data = (tmp_path / one).read_bytes()
        assert data == (tmp_path / two).read_bytes() and data.startswith(b"PK")
