"""Untrusted files get a sentence for each fault: no hang, no traceback, no terminal control.

Releases for `grader update`, results for `grader merge`, what a workspace says to `grader status`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.files import as_packed
from grader.classroom.marks.results import Results
from grader.course.package import BadFile, safe_bytes
from grader.errors import safe_text
from grader.learner import untrusted_files
from grader.learner.untrusted_files import read_json, read_text

from .examples import SOME
from .instructor.records import exercise, record, unjudged

ESC = "\x1b]0;owned\x07\x1b[31m"
DEEP = "[" * 100_000
OPS = "def add(a, b):\n    raise NotImplementedError\n"
HELD = {
    "README.md": "# Yours\n", "requirements.txt": "numpy\n", "chapters/chapter3.md": "# Div\n",
    "chapters/übung.md": "# ü\n", "examples/data/digits.csv": "1\n", "babygrad/ops.py": OPS,
    "babygrad/engines/lean.py": OPS, ".grader/base/babygrad/ops.py": OPS,
    "babygrad_course-0.1.0+chapter3.abc-py3-none-any.whl": "PK",
    ".grader/workspace.json": '{"schema": "grader-workspace/1", "from": "chapter3"}',
}  # fmt: skip


def said(ran) -> str:
    """Return a command's output, after asserting no traceback and no terminal control in it."""
    told = ran.out + ran.err
    assert "Traceback" not in told and "our fault" not in told, told[-2000:]
    assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", told), repr(told)
    return told


def put(path: Path, data: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def instead(path: Path, make) -> None:
    """Put something else in the place of a file."""
    path.unlink()
    make(path)


# ---- releases ---------------------------------------------------------------------------


def large(folder: Path) -> None:
    """Make sparse files, none of them too large by itself."""
    files = [f"chapters/{n}.md" for n in range(5)]
    for name in files:
        put(folder / name, "")
        os.truncate(folder / name, untrusted_files.MOST_BYTES)
    listed(folder, dict.fromkeys(files, ""))


def listed(folder: Path, files: object) -> None:
    put(folder / ".grader/release.json", json.dumps({"schema": "grader-release/1", "files": files}))


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "bundle"
    for name, text in HELD.items():
        put(folder / name, text)
    listed(folder, {n: hashlib.sha256(text.encode()).hexdigest() for n, text in HELD.items()})
    put(tmp_path / "secret", "a neighbour's key\n")
    put(tmp_path / "elsewhere/chapter3.md", "a neighbour's key\n")
    return folder


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A learner's workspace."""
    put(tmp_path / "work/babygrad/ops.py", OPS.replace("raise NotImplementedError", "return a + b"))
    put(tmp_path / "work/.grader/workspace.json", HELD[".grader/workspace.json"])
    return tmp_path / "work"


def names(name: str, text: str = "x\n"):
    """A release that holds one more file."""

    def change(folder: Path) -> None:
        try:
            put(folder / name, text)
        except (OSError, ValueError):
            pass  # a name that no disk takes
        listed(folder, {**dict.fromkeys(HELD, ""), name: ""})

    return change


def says(text: str | bytes):
    return lambda folder: put(folder / ".grader/release.json", text)


def linked_folder(folder: Path) -> None:
    for path in (folder / "chapters").iterdir():
        path.unlink()
    (folder / "chapters").rmdir()
    (folder / "chapters").symlink_to(folder.parent / "elsewhere")
    listed(folder, {"chapters/chapter3.md": ""})


def linked_state(folder: Path) -> None:
    (folder / ".grader").rename(folder.parent / "state")
    (folder / ".grader").symlink_to(folder.parent / "state")


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, untrusted_files.MOST_BYTES + 1)


PROSE, LIST = "chapters/chapter3.md", ".grader/release.json"
BUNDLES = {
    "a link to a file": lambda f: instead(f / PROSE, lambda p: p.symlink_to(f.parent / "secret")),
    "a link to a folder": linked_folder,
    "its state is a link": linked_state,
    "its list is a link": lambda f: instead(f / LIST, lambda p: p.symlink_to(f.parent / "secret")),
    "a second name": lambda f: instead(f / PROSE, lambda p: os.link(f.parent / "secret", p)),
    "a pipe": lambda f: instead(f / PROSE, os.mkfifo),
    "its list is a pipe": lambda f: instead(f / LIST, os.mkfifo),
    "a folder for a file": lambda f: instead(f / PROSE, os.mkdir),
    "too large": lambda f: instead(f / PROSE, sparse),
    "a hook of git": names(".git/hooks/post-checkout"),
    "what Python runs": names("sitecustomize.py"),
    "what pytest runs": names("babygrad/conftest.py"),
    "what an editor runs": names("chapters/.vscode/tasks.json"),
    "a module that hides another": names("numpy.py"),
    "outside": names("chapters/../../x"),
    "escapes in a name": names(f"chapters/{ESC}.md"),
    "no name at all": names("chapters/a\0b.md"),
    "half a character": names("chapters/\ud800.md"),
    "a long name": names("chapters/" + "x" * 5000),
    "too much in all": large,
    "too many": lambda f: listed(f, {f"chapters/{n}.md": "" for n in range(5000)}),
    "a list for a table": lambda f: listed(f, list(HELD)),
    "nothing for a table": lambda f: listed(f, None),
    "no object": says("[1]"),
    "no JSON": says("{"),
    "no text": says(b"\xff\xfe\0"),
    "too deep": says(DEEP),
    "deep inside": says('{"schema": "grader-release/1", "files": ' + "[" * 500 + "]" * 500 + "}"),
    "another schema": says(f'{{"schema": ["{ESC!r}"], "files": {{}}}}'.replace("'", "")),
}


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("what", BUNDLES)
def test_a_release_that_is_none_changes_nothing(what, bundle, mine, grader):
    BUNDLES[what](bundle)
    before = {p: p.read_bytes() for p in sorted(mine.rglob("*")) if p.is_file()}
    ran = grader("update", str(bundle), cwd=mine)
    assert ran.status == 2 and len(said(ran)) < 1000, ran.err
    assert before == {p: p.read_bytes() for p in sorted(mine.rglob("*")) if p.is_file()}


def test_a_release_is_taken_and_what_was_written_stays(bundle, mine, grader):
    ran = grader("update", str(bundle), cwd=mine)
    assert ran.status == 0, said(ran)
    assert (mine / "babygrad/ops.py").read_text().endswith("return a + b\n")
    for name in HELD.keys() - {"babygrad/ops.py"}:
        assert (mine / name).read_text() == HELD[name]


DEEP_SOURCES = {"signs": "x = " + "-" * 60_000 + "1", "names": "x = a" + ".b" * 60_000,
                "terms": "print(" + "1 + " * 900 + "1)"}  # fmt: skip


@pytest.mark.parametrize("what", DEEP_SOURCES)
def test_a_source_too_deep_to_be_looked_into_stays_and_that_is_said(what, bundle, mine, grader):
    put(mine / "babygrad/ops.py", text := f"{OPS}{DEEP_SOURCES[what]}\n")
    ran = grader("update", str(bundle), cwd=mine)
    assert ran.status == 1 and "it stays as it is" in said(ran)
    assert (mine / "babygrad/ops.py").read_text() == text
    assert (mine / "babygrad/ops.py.new").read_text() == OPS


# ---- results ----------------------------------------------------------------------------

ADA = record("ada", exercise("chapter1.a", "passed", 2.0))
CHAPTER = ADA["result"]["chapters"][0]


def kept(part: Path) -> Path:
    return part / "learners/ada.json.gz"


def holds(**more):
    """The record with other parts; None takes one away."""
    changed = {k: v for k, v in {**ADA, **more}.items() if v is not ...}
    return lambda part: kept(part).write_bytes(as_packed(changed))


def result(**more):
    return holds(result={**ADA["result"], **more})


RECORDS = {
    "a pipe": lambda p: instead(kept(p), os.mkfifo),
    "a link": lambda p: instead(kept(p), lambda path: path.symlink_to(p / "batch.json")),
    "a folder": lambda p: instead(kept(p), os.mkdir),
    "cut short": lambda p: kept(p).write_bytes(kept(p).read_bytes()[:-9]),
    "not packed": lambda p: kept(p).write_bytes(b"\x1f\x8bnonsense"),
    "a gigabyte of nothing": lambda p: kept(p).write_bytes(gzip.compress(b" " * (65 << 20))),
    "too deep": lambda p: kept(p).write_bytes(gzip.compress(DEEP.encode())),
    "twenty million lists": lambda p: kept(p).write_bytes(gzip.compress(b"[]," * (20 << 20))),
    "a list": lambda p: kept(p).write_bytes(as_packed([ADA])),
    "a number for a name": holds(learner=3),
    "no name": holds(learner=""),
    "a list of names": holds(learner=["ada"]),
    "a mark that is none": holds(mark=float("nan")),
    "a mark in words": holds(mark="all"),
    "a mark of five hundred digits": holds(mark=10**500),
    "a mark below nothing": holds(mark=-1e308),
    "late without end": holds(late={"chapter1": {"hours": 1e300, "factor": 0.5}}),
    "marks in a list": holds(marks=[1, 2]),
    "no marks": holds(marks=...),
    "a result in words": holds(result="passed"),
    "no isolation": result(isolation=None),
    "a level that is a number": result(isolation={"level": 3, "protections": [], "missing": []}),
    "chapters by name": result(chapters={"chapter1": 2}),
    "an exercise that is none": result(chapters=[{**CHAPTER, "exercises": [3]}]),
    "the key is a pipe": lambda p: instead(p / "answers.key", os.mkfifo),
    "the batch is a pipe": lambda p: instead(p / "batch.json", os.mkfifo),
    "the batch is too deep": lambda p: put(p / "batch.json", DEEP),
}


@pytest.fixture
def part(tmp_path: Path) -> Path:
    """The results of a shard."""
    with Results(str(tmp_path / "part")) as results:
        results.write_batch({"seed": "s"})
        for each in (ADA, unjudged("eve")):
            results.write(each)
    put(tmp_path / "part/answers.key", b"key")
    return tmp_path / "part"


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("what", RECORDS)
def test_a_record_that_is_none_is_not_merged(what, part, grader, tmp_path):
    RECORDS[what](part)
    ran = grader("merge", str(part), "--out", str(tmp_path / "out"))
    assert ran.status == 2 and str(part) in said(ran), ran.err
    assert not (tmp_path / "out/results.csv").exists()


def test_a_record_is_merged_and_no_word_of_it_steers_a_terminal(part, grader, tmp_path):
    holds(learner="ada", says=f"Not taken: {ESC}x", submission=os.fsdecode(b"/in/\xff"))(part)
    ran = grader("merge", str(part), "--out", str(tmp_path / "out"))
    assert ran.status == 0 and "2 records" in said(ran)
    read = Results(str(tmp_path / "out")).read("ada")
    assert "\x1b" not in read["says"] and read["says"].endswith("x")
    assert os.fsencode(read["submission"]) == b"/in/\xff"  # so that it can be found again
    assert read["result"] == ADA["result"]


# ---- what a workspace says --------------------------------------------------------------


def test_no_word_of_a_workspace_steers_a_terminal(workspace, grader):
    known = "chapter3.div.forward"
    mark = {"status": "blocked", "score": 0.0, "max_score": 1.0, "blocked_by": [f"a{ESC}\u202eb"]}
    state = workspace / ".grader"
    put(state / "progress.json", json.dumps({"checked": 1, "exercises": {known: mark}}))
    put(state / "revealed.json", json.dumps({f"chapter3.{ESC}": 1}))
    told = said(grader("status", cwd=workspace))
    assert f"{known} is blocked by a\N{REPLACEMENT CHARACTER}" in told and "1 solution" in told
    for name in ("progress.json", "revealed.json", "hints.json", "release.json"):
        put(state / name, DEEP)
    assert "Nothing is checked yet" in said(grader("status", cwd=workspace))


# ---- the reader itself ------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@SOME
@given(value=VALUES, ascii=st.booleans())
def test_json_is_read_as_it_is_but_for_what_steers(value, ascii):
    text = json.dumps(value, ensure_ascii=ascii).encode("utf-8", "replace")
    assert untrusted_files.parse_json(text) == without(json.loads(text))


def without(value):
    """Every text in it as it may be shown."""
    if isinstance(value, str):
        return safe_text(value)
    if isinstance(value, list):
        return [without(each) for each in value]
    if isinstance(value, dict):
        return {without(name): without(each) for name, each in value.items()}
    return value


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1E+0400", "9" * 400])
def test_what_is_no_number_of_json_is_refused(number):
    with pytest.raises(BadFile, match=re.escape(number[:20])):
        untrusted_files.parse_json(f'{{"mark": {number}}}'.encode())


@pytest.mark.parametrize("number", ["1e300", "9" * 300, "-1e-999", "1.5e+007", "0." + "1" * 400])
def test_a_large_number_is_one(number):
    assert untrusted_files.parse_json(number.encode()) == json.loads(number)


@pytest.mark.parametrize(
    "depth", [1, untrusted_files.MOST_DEPTH, untrusted_files.MOST_DEPTH + 1, 5000]
)
def test_depth_is_counted_outside_of_strings(depth):
    brackets = "[" * depth + '"]]][[[{{\\"["' + "]" * depth
    for text in (brackets, '{"[": ' * depth + "1" + "}" * depth):
        if depth <= untrusted_files.MOST_DEPTH:
            assert untrusted_files.parse_json(text.encode()) == json.loads(text)
        else:
            with pytest.raises(BadFile, match="too deeply"):
                untrusted_files.parse_json(text.encode())


@pytest.mark.parametrize("text", ["é ü 漢 🙂", "a\nb\tc", "«…» — 1 < 2", "\\u001b", "\udcff"])
def test_what_is_text_stays_text(text):
    assert untrusted_files.parse_json(json.dumps({text: [text]}).encode()) == {text: [text]}


STEERING = ["\x1b", "\r", "\b", "\f", "\x7f", "\x9b", "\u202e", "\u2066", "\ud800"]


@pytest.mark.parametrize("text", STEERING)
@pytest.mark.parametrize("ascii", [True, False])
def test_what_steers_is_not_read(text, ascii):
    data = json.dumps([text], ensure_ascii=ascii).encode("utf-8", "replace")
    assert untrusted_files.parse_json(data) in (["\N{REPLACEMENT CHARACTER}"], ["?"])


def test_a_table_that_its_reader_named_may_be_a_link_and_no_pipe(tmp_path):
    put(tmp_path / "roster.csv", "\ufefflearner\r\nada\r\n")
    (tmp_path / "link").symlink_to(tmp_path / "roster.csv")
    assert untrusted_files.read_text(str(tmp_path / "link")) == "learner\r\nada\r\n"
    os.mkfifo(tmp_path / "pipe")
    for place in ("pipe", ".", "none"):
        with pytest.raises(BadFile):
            untrusted_files.read_text(str(tmp_path / place))
    put(tmp_path / "latin", b"Zo\xeb\n")
    with pytest.raises(BadFile, match="not UTF-8"):
        untrusted_files.read_text(str(tmp_path / "latin"))


@pytest.mark.parametrize("name", ["a\0b", "\0", "a\ud800"])
@pytest.mark.parametrize("read", [safe_bytes, read_text, read_json])
def test_a_name_that_no_file_can_have_is_refused_in_words(tmp_path, name, read):
    with pytest.raises(BadFile, match="no file can have this name"):
        read(str(tmp_path / name))
