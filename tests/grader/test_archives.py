"""The entries of a zip or a tar, read from their bytes and never beyond a bound."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom import archives
from grader.classroom.archives import entries_claimed, of_a_tool, tar_entries, wanted, zip_entries
from grader.course.package import Unfit
from tests.hostile.packing import tarred, zipped

from .examples import SOME

FILES = [("a/ops.py", b"x = 1\n"), ("notes.txt", b"read me"), ("a/work.ipynb", b"{}")]
READERS = {
    "zip": lambda files: dict(zip_entries(zipped(files))),
    "tar": lambda files: dict(tar_entries(tarred(files))),
    "tar.gz": lambda files: dict(tar_entries(gzip.compress(tarred(files)))),
}


@pytest.mark.parametrize("kind", READERS)
def test_python_and_notebooks_are_read_and_other_files_only_named(kind):
    assert READERS[kind](FILES) == {"a/ops.py": b"x = 1\n", "notes.txt": b"",
                                    "a/work.ipynb": b"{}"}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "right"),
    [("ops.py", True), ("a/b.ipynb", True), ("a.txt", False), ("__MACOSX/a.py", False),
     ("a/.ipynb_checkpoints/b.ipynb", False), ("./a.py", True), ("../a.py", True),
     ("a/__pycache__/b.py", False)],
)  # fmt: skip
def test_what_tools_leave_behind_is_passed_over(name, right):
    assert wanted(name) is right


def test_a_folder_of_here_is_no_hidden_one():
    assert not of_a_tool(".") and not of_a_tool("..") and of_a_tool(".git")


@pytest.mark.parametrize("kind", READERS)
def test_a_file_beyond_its_bound_is_not_taken(kind, monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 5)
    monkeypatch.setattr(archives, "MOST_NOTEBOOK", 1)
    found = READERS[kind](FILES)
    assert found["a/ops.py"] is archives.TOO_LARGE
    assert str(found["a/work.ipynb"]) == "clear its outputs."
    monkeypatch.setattr(archives, "MOST_BYTES", 6)
    assert READERS[kind](FILES)["a/ops.py"] == b"x = 1\n"


def test_an_archive_is_not_unpacked_beyond_its_bound(monkeypatch):
    monkeypatch.setattr(archives, "MOST_UNPACKED", 2048)
    with pytest.raises(Unfit, match="unpacks to more"):
        list(tar_entries(gzip.compress(tarred([("a.py", bytes(4096))]))))
    monkeypatch.setattr(archives, "MOST_BYTES", 1000)
    with pytest.raises(Unfit, match="unpacks to more"):
        list(zip_entries(zipped([(f"{n}.py", bytes(2000)) for n in range(3)])))


def test_a_zip_with_too_many_files_is_refused_before_its_list_is_read(monkeypatch):
    monkeypatch.setattr(archives, "MOST_ENTRIES", 2)
    assert len(list(zip_entries(zipped(FILES[:2])))) == 2
    with pytest.raises(Unfit, match="more than 2 files"):
        list(zip_entries(zipped(FILES)))


@SOME
@given(count=st.integers(0, 30), comment=st.binary(max_size=30))
def test_a_zip_says_how_many_entries_it_has(count, comment):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for n in range(count):
            archive.writestr(f"{n}.py", b"")
        archive.comment = comment.replace(b"PK", b"")
    assert entries_claimed(out.getvalue()) == count
    assert entries_claimed(b"no zip") == 0


def test_a_tar_that_is_cut_short_is_none():
    whole = gzip.compress(tarred(FILES))
    with pytest.raises(Unfit, match="cut short"):
        list(tar_entries(whole[: len(whole) // 2]))
