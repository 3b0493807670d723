"""The entries of a zip or a tar, read from their bytes and never beyond a bound.

A submission is read by an allow-list; no bytes that anybody makes up crash or stall a reader.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import time
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.intake import archive_reader as arrival
from grader.classroom.intake.archive_reader import (
    is_of_a_tool,
    is_wanted_file,
    iter_tar,
    iter_zip,
    read_submission_files,
)
from grader.course import package
from grader.course.package import LONGEST_PATH, BadFile, read_package, safe_bytes
from grader.errors import WrongUse
from tests.hostile.packing import headed, tarred, zipped

FILES = [("a/ops.py", b"x = 1\n"), ("notes.txt", b"read me"), ("a/work.ipynb", b"{}")]
READERS = {
    "zip": lambda files: dict(iter_zip(zipped(files))),
    "tar": lambda files: dict(iter_tar(tarred(files))),
    "tar.gz": lambda files: dict(iter_tar(gzip.compress(tarred(files)))),
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
    assert is_wanted_file(name) is right


def test_a_folder_of_here_is_no_hidden_one():
    assert not is_of_a_tool(".") and not is_of_a_tool("..") and is_of_a_tool(".git")


@pytest.mark.parametrize("kind", READERS)
def test_a_file_beyond_its_bound_is_not_taken(kind, monkeypatch):
    monkeypatch.setattr(package, "MOST_BYTES", 5)
    monkeypatch.setattr(arrival, "MOST_NOTEBOOK", 1)
    found = READERS[kind](FILES)
    assert found["a/ops.py"] is arrival.TOO_LARGE
    assert str(found["a/work.ipynb"]) == "clear its outputs."
    monkeypatch.setattr(package, "MOST_BYTES", 6)
    assert READERS[kind](FILES)["a/ops.py"] == b"x = 1\n"


def test_an_archive_is_not_unpacked_beyond_its_bound(monkeypatch):
    monkeypatch.setattr(arrival, "MOST_UNPACKED", 2048)
    with pytest.raises(BadFile, match="unpacks to more"):
        list(iter_tar(gzip.compress(tarred([("a.py", bytes(4096))]))))
    monkeypatch.setattr(package, "MOST_BYTES", 1000)
    with pytest.raises(BadFile, match="unpacks to more"):
        list(iter_zip(zipped([(f"{n}.py", bytes(2000)) for n in range(3)])))


@pytest.mark.parametrize("make", [zipped, tarred])
def test_an_archive_of_too_many_files_is_refused(tmp_path, make, monkeypatch):
    monkeypatch.setattr(arrival, "MOST_ENTRIES", len(FILES) - 1)
    (tmp_path / "work").write_bytes(make(FILES))
    assert [
        (each.name, each.why)
        for each in arrival.read_submission_files(str(tmp_path / "work")).refused
    ][0] == ("the submission", f"it holds more than {len(FILES) - 1} files.")


def test_what_a_tar_says_of_a_file_is_no_file():
    honest = headed(tarred(FILES), b"28 comment=written by hand\n")
    assert dict(iter_tar(honest)) == dict(iter_tar(tarred(FILES)))


def test_a_tar_that_is_cut_short_is_none():
    whole = gzip.compress(tarred(FILES))
    with pytest.raises(BadFile, match="cut short"):
        list(iter_tar(whole[: len(whole) // 2]))


FILES_arrival = {"babygrad/ops.py": b"x = 1\n", "babygrad/tensor.py": b"y = 2\n"}


def taken(tmp_path, data: bytes, name="submission") -> arrival.SubmittedFiles:
    path = tmp_path / name
    path.write_bytes(data)
    started = time.process_time()  # its own, whatever else this machine does
    found = arrival.read_submission_files(str(path))
    assert time.process_time() - started < 5
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]  # nothing was unpacked
    return found


@pytest.mark.parametrize("make", [zipped, tarred, lambda f: gzip.compress(tarred(f))])
@pytest.mark.parametrize("around", ["", "someone/", "a/b/"])
def test_an_archive_gives_what_the_folder_would(tmp_path, make, around):
    files = [(around + name, data) for name, data in FILES_arrival.items()]
    found = taken(tmp_path, make([*files, (around + "notes.txt", b"x")]))
    assert found.package.files == {"ops.py": b"x = 1\n", "tensor.py": b"y = 2\n"}
    assert found.refused == [] and len(found.package.sha256) == 64


@pytest.mark.parametrize("name", ["./{}", "./work/{}", "././{}"])
def test_a_tar_of_here_is_taken(tmp_path, name):
    data = tarred([(name.format(inner), text) for inner, text in FILES_arrival.items()])
    found = taken(tmp_path, data)
    assert set(found.package.files) == {"ops.py", "tensor.py"} and found.refused == []


def test_what_systems_add_is_passed_over(tmp_path):
    files = [(f"my work\\{name}".replace("/", "\\"), data) for name, data in FILES_arrival.items()]
    more = ["my work\\.DS_Store", "__MACOSX/my work/babygrad/._ops.py", "my work/Thumbs.db"]
    found = taken(tmp_path, zipped([*files, *((name, b"\0\5") for name in more)]))
    assert set(found.package.files) == {"ops.py", "tensor.py"} and found.refused == []


def test_one_file_by_two_ways_is_absent(tmp_path):
    found = taken(tmp_path, tarred([*FILES_arrival.items(), ("./babygrad/ops.py", b"other")]))
    assert set(found.package.files) == {"tensor.py"}
    assert any("twice" in r.why for r in found.refused)


def test_a_tar_that_is_cut_short_is_none_arrival(tmp_path):
    whole = gzip.compress(tarred([*FILES_arrival.items(), ("babygrad/nn.py", os.urandom(4000))]))
    found = taken(tmp_path, whole[:-2000])
    assert not found.package.files and "short" in found.refused[0].why


def test_what_is_refused_counts_as_unpacked(tmp_path):
    files = [(f"babygrad/b{i}.py", bytes(package.MOST_BYTES + 1)) for i in range(40)]
    found = taken(tmp_path, zipped(files))
    assert not found.package.files and found.refused[-1].why == arrival.BEYOND


def test_a_folder_is_taken_and_a_link_to_one_is_not(tmp_path):
    for name, data in FILES_arrival.items():
        (tmp_path / "real" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "real" / name).write_bytes(data)
    (tmp_path / "link").symlink_to("real")
    found = arrival.read_submission_files(str(tmp_path / "real"))
    assert set(found.package.files) == {"ops.py", "tensor.py"}
    found = arrival.read_submission_files(str(tmp_path / "link"))
    assert not found.package.files and "it is a link" in found.refused[0].why
    assert set(read_package(str(tmp_path / "link" / "babygrad")).files) == {"ops.py", "tensor.py"}


NAMES = ["/etc/passwd.py", "../ops.py", "babygrad/../../ops.py", "C:/ops.py", "babygrad\\ops.py",
         "babygrad//evil.py", "./../babygrad/x.py", "babygrad/\x1b[31m.py", "x/" * 20 + "deep.py",
         f"babygrad/{'n' * 5000}.py", "babygrad/\udcff.py", "babygrad/\u202eyp.py"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_name_that_leads_astray_is_refused_and_the_rest_taken(tmp_path, make, name):
    if make is zipped and "\udcff" in name:
        name = name.replace("\udcff", "\x00")
    found = taken(tmp_path, make([*FILES_arrival.items(), (name, b"evil")]))
    assert b"evil" not in found.package.files.values()
    assert set(found.package.files) <= {"ops.py", "tensor.py"}
    assert all(r.name.isprintable() and len(r.name) <= LONGEST_PATH for r in found.refused)


@pytest.mark.parametrize("again", ["babygrad/ops.py", "babygrad/OPS.py"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_stands_there_twice_is_absent(tmp_path, again):
    data = zipped([*FILES_arrival.items(), (again, b"other"), (again, b"third")])
    found = taken(tmp_path, data)
    assert set(found.package.files) == {"tensor.py"}
    assert any("twice" in r.why for r in found.refused)


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
def test_links_and_devices_in_a_tar_are_refused(tmp_path, kind):
    files = [("babygrad/tensor.py", b"y")]
    found = taken(tmp_path, tarred(files, ("babygrad/ops.py", kind, "/etc/passwd")))
    assert set(found.package.files) == {"tensor.py"}
    assert [r.name for r in found.refused] == ["babygrad/ops.py"]


def test_a_link_in_a_zip_is_refused(tmp_path):
    info = zipfile.ZipInfo("babygrad/ops.py")
    info.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, "/etc/passwd")
        archive.writestr("babygrad/tensor.py", "y")
    found = taken(tmp_path, out.getvalue())
    assert set(found.package.files) == {"tensor.py"} and len(found.refused) == 1


def test_bombs_cost_neither_memory_nor_time(tmp_path):
    zeros, more = bytes(8 << 20), bytes(arrival.MOST_UNPACKED + 1)
    for data in (
        zipped([*FILES_arrival.items(), ("babygrad/bomb.py", zeros)]),
        zipped([*FILES_arrival.items(), ("babygrad/inner.zip", zipped([("bomb.py", zeros)]))]),
        zipped(
            [*FILES_arrival.items(), *((f"babygrad/b{i}.py", zeros[: 2 << 20]) for i in range(20))]
        ),
        zipped([(f"babygrad/f{i}.py", b"") for i in range(arrival.MOST_ENTRIES + 1)]),
        gzip.compress(
            tarred([*FILES_arrival.items(), ("babygrad/bomb.py", zeros), ("x", zeros)]), 1
        ),
        gzip.compress(more, 1),
    ):
        found = taken(tmp_path, data)
        assert sum(map(len, found.package.files.values())) <= package.MOST_TOTAL
        assert all(len(data) <= package.MOST_BYTES for data in found.package.files.values())


def test_odd_compression_and_encryption_are_refused(tmp_path):
    found = taken(tmp_path, zipped(FILES_arrival.items(), compression=zipfile.ZIP_LZMA))
    assert not found.package.files and "unusual" in found.refused[0].why
    data = bytearray(zipped([("babygrad/ops.py", b"x")]))
    data[data.index(b"PK\1\2") + 8] |= 1
    assert "encrypted" in taken(tmp_path, bytes(data)).refused[0].why


def test_a_notebook_is_known_and_other_files_are_not(tmp_path):
    found = taken(tmp_path, b'{"cells": []}', "work.ipynb")
    assert found.notebook == b'{"cells": []}'
    (tmp_path / "work.ipynb").unlink()
    found = taken(tmp_path, b"%PDF-1.4", "essay.pdf")
    assert found.refused and not found.package.files


def test_several_packages_are_none_but_copies_are_one(tmp_path):
    files = [(f"{who}/babygrad/ops.py", who.encode()) for who in ("a", "b")]
    found = taken(tmp_path, zipped(files))
    assert not found.package.files
    assert found.refused[0].why.endswith("packages, which differ: a/babygrad, b/babygrad.")
    found = taken(tmp_path, zipped([(name, b"x") for name, _ in files]))
    assert found.package.files == {"ops.py": b"x"} and not found.refused


def test_a_part_of_a_package_is_known_by_its_files(tmp_path):
    (tmp_path / "in" / "mine" / "engines").mkdir(parents=True)
    (tmp_path / "in" / "mine" / "engines" / "lean.py").write_bytes(b"x")
    (tmp_path / "in" / "mine" / "nn.py").write_bytes(b"y")
    place = str(tmp_path / "in")
    assert read_submission_files(place, ("nn.py", "engines/lean.py")).package.files == {
        "engines/lean.py": b"x", "nn.py": b"y",
    }  # fmt: skip
    assert not read_submission_files(place).package.files
    (tmp_path / "in" / "nn.py").write_bytes(b"y")
    assert {"nn.py", "mine/nn.py"} < set(read_submission_files(place, ("nn.py",)).package.files)


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_a_source_in_utf_16_is_taken_where_it_says_so(tmp_path, order):
    text = "x = 'ü'\n"
    for name, data in {"ops.py": ("\ufeff" + text).encode(order), "nn.py": b"\xff\xfe\0"}.items():
        (tmp_path / name).write_bytes(data)
    assert read_submission_files(str(tmp_path)).package.files == {
        "ops.py": text.encode(),
        "nn.py": b"\xff\xfe\0",
    }


def test_files_of_other_kinds_are_neither_read_nor_waited_for(tmp_path):
    folder = tmp_path / "babygrad"
    folder.mkdir()
    (folder / "tensor.py").write_bytes(b"y")
    os.mkfifo(folder / "ops.py")
    (folder / "nn.py").symlink_to("/dev/zero")
    os.link(folder / "tensor.py", tmp_path / "second")
    found = arrival.read_submission_files(str(tmp_path))
    assert not found.package.files
    assert {"babygrad/ops.py", "babygrad/nn.py", "babygrad/tensor.py"} <= {
        r.name for r in found.refused
    }
    for name in ("ops.py", "nn.py", "tensor.py"):
        with pytest.raises(BadFile):
            safe_bytes(str(folder / name))
    with pytest.raises(WrongUse, match="is not read"):
        read_package(str(folder))


def test_names_that_are_no_text_survive(tmp_path):
    folder = tmp_path / "babygrad"
    folder.mkdir()
    (folder / "ops.py").write_bytes(b"x")
    with open(os.path.join(os.fsencode(folder), b"\xff\xfe\n.py"), "wb") as file:
        file.write(b"z")
    found = arrival.read_submission_files(str(tmp_path))
    assert set(found.package.files) == {"ops.py"} and len(found.refused) == 1


@given(data=st.binary(max_size=600), head=st.sampled_from([b"", b"PK\3\4", b"PK\5\6", b"\x1f\x8b"]))
def test_noise_is_refused(data, head, tmp_path):
    found = taken(tmp_path, head + data)
    assert not found.package.files and found.refused


SEEDS = [
    zipped(FILES_arrival.items()),
    tarred(FILES_arrival.items()),
    gzip.compress(tarred(FILES_arrival.items())),
]


@given(
    seed=st.sampled_from(SEEDS),
    changes=st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, 200),
)
def test_a_damaged_archive_gives_what_is_whole_or_nothing(seed, changes, cut, tmp_path):
    data = bytearray(seed)
    for at, value in changes:
        data[at % len(data)] = value
    found = taken(tmp_path, bytes(data[: len(data) - cut]))
    assert all(arrival.unfit_name(name) == "" for name in found.package.files)


@given(names=st.lists(st.text(max_size=30).map(lambda n: f"babygrad/{n}.py"), max_size=6))
def test_any_names_survive_a_tar(names, tmp_path):
    try:
        data = tarred([(name, b"x") for name in names])
    except (UnicodeError, ValueError):
        return
    taken(tmp_path, data)


@pytest.mark.parametrize("make", [zipped, tarred, lambda f: gzip.compress(tarred(f))])
def test_notebooks_in_an_archive_are_taken_beside_the_package(tmp_path, make):
    book = ("chapter3/chapter3.ipynb", b'{"cells": []}')
    found = taken(tmp_path, make([book, ("chapter3/.ipynb_checkpoints/chapter3.ipynb", b"old")]))
    assert found.notebooks == dict([book]) and not found.package.files and not found.refused
    beside = [(f"chapter3/{name}", data) for name, data in FILES_arrival.items()]
    found = taken(tmp_path, make([book, *beside]))
    assert found.notebooks == dict([book]) and set(found.package.files) == {"ops.py", "tensor.py"}


@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_notebook_in_an_archive_has_a_bound(tmp_path, make):
    found = taken(tmp_path, make([("a.ipynb", bytes(arrival.MOST_NOTEBOOK + 1))]))
    assert not found.notebooks and found.refused[0].why == "clear its outputs."
