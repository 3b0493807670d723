"""A workspace takes over a page's saved file and leaves out everything strange in it."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from grader.course.syntax_tree import make_stub_body
from grader.learner import saved
from grader.learner.bundle_update import join_page

ADD = "chapter1.value.add"


def work(**more):
    mark = {"status": "passed", "score": 2.0, "max_score": 2.0, "blocked_by": []}
    return {
        "schema": saved.SCHEMA, "chapter": "chapter1",
        "files": {"scalar.py": "# mine\n"},
        "exercises": {ADD: mark}, "hints": {ADD: 1}, **more,
    }  # fmt: skip


def test_a_workspace_goes_on_where_the_page_ended(grader, tmp_path):
    (tmp_path / "saved.json").write_text(json.dumps(work()))
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 0 and "exercises that passed: 1" in ran.out, ran.err
    assert (tmp_path / "work/babygrad/scalar.py").read_text() == "# mine\n"
    kept = json.loads((tmp_path / "work/.grader/progress.json").read_text())
    assert kept["exercises"][ADD]["status"] == "passed"
    hint = grader("hint", ADD, cwd=tmp_path / "work")
    assert "hint 2 of" in hint.out


def test_the_workspace_begins_where_the_page_did(grader, tmp_path):
    """A page of chapter 3 has the earlier chapters solved, and so has the new workspace."""
    files = {"ops.py": "# mine\n", "tensor.py": "# mine too\n"}
    (tmp_path / "saved.json").write_text(json.dumps(work(chapter="chapter3", files=files)))
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 0 and "chapter3's page: ops.py, tensor.py" in ran.out, ran.err
    assert (tmp_path / "work/babygrad/tensor.py").read_text() == "# mine too\n"
    assert "NotImplementedError" not in (tmp_path / "work/babygrad/scalar.py").read_text()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"schema": "grader-browser/1", "files": {"../x.py": "1"}}',
        b"\xff\xfe{",
        b"[" * 100_000,
    ],
)
def test_what_is_no_such_file_is_refused_and_nothing_written(content, grader, tmp_path):
    (tmp_path / "saved.json").write_bytes(content)
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 2 and "Take it home" in ran.err and not (tmp_path / "work").exists()


def test_half_a_character_is_none(grader, tmp_path):
    (tmp_path / "saved.json").write_text(json.dumps(work(files={"scalar.py": "# \ud800 é\n"})))
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert (tmp_path / "work/babygrad/scalar.py").read_text() == "# \N{REPLACEMENT CHARACTER} é\n"


def test_what_is_strange_in_it_is_left_out(tmp_path):
    strange = {ADD: {"status": "perfect", "score": 2.0, "max_score": 2.0}, "x": 3}
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(work(exercises=strange, hints={ADD: "many"})))
    found = saved.read_saved(str(path), {"scalar.py": ""})
    assert found.marks == {} and found.hints == {} and found.files == {"scalar.py": "# mine\n"}


# ---- taken home as a folder ------------------------------------------------------------------

INSIDE, SCALAR = "babygrad.json", "babygrad/scalar.py"


def zipped(entries: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in entries.items():
            packed.writestr(name, text)
    return held.getvalue()


def at_home(tmp_path, shape, entries):
    """What a learner has at home: the zip, under some folder, or its folder unpacked."""
    if shape == "zip":
        (tmp_path / "home.zip").write_bytes(zipped({f"any/{n}": t for n, t in entries.items()}))
        return "home.zip"
    for name, text in entries.items():
        (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / name).write_text(text)
    return "home"


@pytest.mark.parametrize("shape", ["zip", "folder"])
def test_a_workspace_is_made_of_a_folder_taken_home(shape, grader, tmp_path):
    place = at_home(tmp_path, shape, {INSIDE: json.dumps(work()), SCALAR: "# mine\n"})
    ran = grader("init", "work", "--from-browser", place, cwd=tmp_path)
    assert ran.status == 0 and "exercises that passed: 1" in ran.out, ran.err
    assert (tmp_path / "work" / SCALAR).read_text() == "# mine\n"


def test_what_was_edited_at_home_counts_and_has_no_marks_yet(tmp_path):
    place = at_home(tmp_path, "folder", {INSIDE: json.dumps(work()), SCALAR: "# later\n"})
    found = saved.read_saved(str(tmp_path / place), {"scalar.py"})
    assert found.files == {"scalar.py": "# later\n"} and found.marks == {}
    assert found.hints == {ADD: 1}


def written(text: str, id: str, section: str, body: str) -> str:
    """A module's text with a body in the place of a stub."""
    stub = make_stub_body(id, section).replace("\n", "\n        ")
    assert stub in text
    return text.replace(stub, body)


MUL, NEG = "chapter1.value.mul", "chapter1.value.neg"


@pytest.mark.parametrize("shape", ["zip", "folder"])
def test_update_brings_it_into_a_workspace_and_keeps_what_stood_there(shape, grader, tmp_path):
    assert grader("init", "work", cwd=tmp_path).status == 0
    module = tmp_path / "work" / SCALAR
    stubs = module.read_text()
    before = written(written(stubs, MUL, "1.3", "return 2"), NEG, "1.4", "return 3")
    module.write_text(before)
    page = written(written(stubs, ADD, "1.3", "return 1"), NEG, "1.4", "return 4")
    (tmp_path / "work/.grader/hints.json").write_text(json.dumps({ADD: 2, MUL: 3}))
    saved_there = json.dumps(work(files={"scalar.py": page}, hints={ADD: 1, MUL: 1, NEG: 1}))
    place = at_home(tmp_path, shape, {INSIDE: saved_there, SCALAR: page})
    ran = grader("update", f"../{place}", cwd=tmp_path / "work")
    assert ran.status == 0 and "taken over from chapter1's page: scalar.py" in ran.out, ran.err
    # What either has written is there; where both have, the page's.
    assert module.read_text() == written(page, MUL, "1.3", "return 2")
    assert (tmp_path / "work/.grader/backup/1" / SCALAR).read_text() == before
    kept = json.loads((tmp_path / "work/.grader/progress.json").read_text())
    assert kept["exercises"][ADD]["status"] == "passed"
    seen = json.loads((tmp_path / "work/.grader/hints.json").read_text())
    assert seen == {ADD: 2, MUL: 3, NEG: 1}  # of each, as many as either has shown
    again = grader("update", f"../{place}", cwd=tmp_path / "work")
    assert again.status == 0 and not (tmp_path / "work/.grader/backup/2").exists()


@pytest.mark.parametrize("old, page, mine, joined", [
    ("", "x = (", "y = 1\n", "x = ("),  # no Python
    ("", "x = 1\n", None, "x = 1\n"),
    ("def f():\n    return 1\n", "def f():\n    return 1\n",  # came solved on the page
     "def f():\n    raise NotImplementedError\n", "def f():\n    raise NotImplementedError\n"),
    ("def f():\n    raise NotImplementedError\n", "def f():\n    raise NotImplementedError\n",
     "def f():\n    return 1\n", "def f():\n    return 1\n"),
    ("", "import math\n\n\ndef f():\n    return g()\n\n\ndef g():\n    return 1\n",
     "def f():\n    raise NotImplementedError\n",
     None),
])  # fmt: skip
def test_what_was_written_on_a_page_joins_what_is_there(old, page, mine, joined):
    found = join_page("m.py", old, page, mine)
    if joined is None:
        assert "return g()" in found and "def g()" in found and "import math" in found
    else:
        assert found == joined


@pytest.mark.parametrize(
    "entries",
    [
        {},
        {INSIDE: "{}"},
        {"other.txt": "x", SCALAR: "# mine"},
        {INSIDE: json.dumps({"schema": saved.SCHEMA, "files": {}}), "babygrad/../x.py": "1"},
        {INSIDE: json.dumps(work()), SCALAR: "#" * (saved.MOST + 1)},
    ],
)
def test_a_zip_that_no_page_made_is_refused_and_nothing_written(entries, grader, tmp_path):
    (tmp_path / "home.zip").write_bytes(zipped(entries))
    ran = grader("init", "work", "--from-browser", "home.zip", cwd=tmp_path)
    assert ran.status == 2 and "Take it home" in ran.err and not (tmp_path / "work").exists()


@pytest.mark.parametrize("at", [30, 120, -22])
def test_a_damaged_zip_is_refused(at, grader, tmp_path):
    data = bytearray(zipped({INSIDE: json.dumps(work()), SCALAR: "# mine\n" * 50}))
    data[at : at + 8] = b"\xff" * 8
    (tmp_path / "home.zip").write_bytes(data)
    ran = grader("init", "work", "--from-browser", "home.zip", cwd=tmp_path)
    assert ran.status == 2 and "Take it home" in ran.err and not (tmp_path / "work").exists()
