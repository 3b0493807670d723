"""The learner's wheel: what pip reads of it is true, and it is the same whenever it is made."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import zipfile

import pytest

from grader.classroom.release.bundle import build_wheel, iter_grader_files, numpy_range
from grader.learner.file_writer import zip_files


@pytest.fixture(scope="module")
def wheel():
    name, data = build_wheel({"answers.key": b"key"}, "chapter3")
    return name, data, zipfile.ZipFile(io.BytesIO(data))


def test_its_record_names_every_file_with_its_digest(wheel):
    _, _, archive = wheel
    (record,) = [name for name in archive.namelist() if name.endswith("/RECORD")]
    rows = {row[0]: row[1:] for row in csv.reader(archive.read(record).decode().splitlines())}
    assert set(rows) == set(archive.namelist())
    for name, (digest, size) in rows.items():
        if name != record:
            data = archive.read(name)
            right = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={right}", str(len(data)))


def test_its_name_tells_the_release_and_all_that_is_in_it(wheel):
    name, data, _ = wheel
    assert "+chapter3." in name and name.endswith("-py3-none-any.whl")
    assert build_wheel({"answers.key": b"key"}, "chapter3") == (name, data)
    assert build_wheel({"answers.key": b"other"}, "chapter3")[0] != name


def test_it_holds_the_grader_and_what_is_handed_out(wheel):
    _, _, archive = wheel
    names = archive.namelist()
    assert archive.read("grader/_course/answers.key") == b"key"
    assert "grader/cli.py" in names and "grader/judge/judge.py" in names
    assert not [n for n in names if n.startswith(("solutions", "exercises", "tests"))]
    assert {f"grader/{name}" for name, _ in iter_grader_files()} < set(names)


def test_an_archive_keeps_who_may_be_run():
    data = zip_files({"a": b"1", "b": b"2"}, {"b": 0o755})
    infos = {
        i.filename: i.external_attr >> 16 for i in zipfile.ZipFile(io.BytesIO(data)).infolist()
    }
    assert infos == {"a": 0o100644, "b": 0o100755}


@pytest.mark.parametrize(
    ("version", "wanted"), [("1.26.4", "numpy>=1.26,<2"), ("2.3.0", "numpy>=1.26,<3"),
                            ("dev", "numpy")],
)  # fmt: skip
def test_any_numpy_up_to_the_next_major_one_will_do(version, wanted, monkeypatch):
    monkeypatch.setattr("numpy.__version__", version)
    assert numpy_range() == wanted
