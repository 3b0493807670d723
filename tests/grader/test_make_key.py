"""A key, chapter by chapter: what is not recorded is told, what says the same left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.arrays import parts_of
from grader.audit.proof import CourseCheck
from grader.course import PUBLIC_SEED, make_key, pytorch
from grader.course.compare import difference
from grader.course.key_file import ChapterKey
from grader.course.key_source import open_key
from grader.course.made_key import MadeKey
from grader.course.make_key import KeyBuilder, record, record_path
from grader.course.pytorch import Records
from grader.memo import Memo

CHAPTER = "chapter7"


needs_torch = pytest.mark.skipif(not pytorch.is_torch_installed(), reason="needs torch")


def test_what_is_not_recorded_is_told_by_name_and_costs_one_column(
    course, tmp_path, monkeypatch, capsys
):
    recorded = Records.read(record_path(CHAPTER))
    lost = sorted(recorded.entries)[0]
    del recorded.entries[lost]
    recorded.write(str(tmp_path / "recorded.json"))
    monkeypatch.setattr(make_key, "record_path", lambda _: str(tmp_path / "recorded.json"))
    key = ChapterKey(KeyBuilder(course, PUBLIC_SEED).chapter(CHAPTER))
    assert key.unrecorded == [lost]
    _, told = capsys.readouterr().err.splitlines()  # the first says what is being built
    assert lost in told and "grader record" in told
    check = next(c for c in key.checks if c["id"] == lost.rpartition(".")[0])
    asked = [key.probes[n] for n in check["probes"]]
    assert ["pytorch" in p["answers"] for p in asked] == [
        f"{check['id']}.{n}" != lost for n in range(len(asked))
    ]
    assert sum("pytorch" in probe["answers"] for probe in key.probes) == len(recorded.entries)


def test_the_reference_s_own_bits_are_kept_beside_its_rounded_answers(course, tmp_path):
    memo = Memo(str(tmp_path))
    making = KeyBuilder(course, PUBLIC_SEED, memo)
    key = MadeKey(making.table(), memo, lambda: making, recalls=True).chapter(CHAPTER)
    assert key.exact.keys() == set(range(len(key.probes)))
    rounded = 0
    for number, parts in key.exact.items():
        assert parts.keys() == key.probes[number]["answers"]["reference"].keys()
        for part, arrays in parts_of(parts).items():
            for mine, right in zip(arrays, key.reference_arrays(number, part), strict=True):
                assert difference(mine, right, "numpy") is None
                rounded += mine != right
    assert rounded
    with CourseCheck(course, key=open_key()) as proof:
        assert not proof.key.recalls and not making.key().recalls  # an audit compares


def test_record_leaves_alone_what_says_the_same(course, torch, tmp_path, monkeypatch):
    path = tmp_path / "recorded.json"
    monkeypatch.setattr("grader.course.make_key.record_path", lambda _: str(path))
    assert list(record(course, [CHAPTER])) == [(str(path), True)]
    data = json.loads(path.read_text())
    name = sorted(data["answers"])[0]
    entry = data["answers"][name]
    part = sorted(entry["parts"])[0]

    def with_first_value(change) -> str:
        entry["parts"][part][0][2][0] = change(entry["parts"][part][0][2][0])
        path.write_text(json.dumps(data))
        return path.read_text()

    rounded = with_first_value(lambda value: value * (1 + 2**-50))
    assert list(record(course, [CHAPTER])) == [(str(path), False)]
    assert path.read_text() == rounded
    wrong = with_first_value(lambda value: value + 0.01)
    assert list(record(course, [CHAPTER])) == [(str(path), True)]
    assert path.read_text() != wrong
    path.write_text("{")
    assert list(record(course, [CHAPTER])) == [(str(path), True)]
    assert json.loads(path.read_text())["answers"].keys() == data["answers"].keys()


@needs_torch
def records(course):
    """Return path → recorded answers; a chapter without a twin in PyTorch has none."""
    paths = (Path(record_path(chapter.id)) for chapter in course.chapters)
    return {path: path.read_bytes() for path in paths if path.exists()}


def test_record_takes_names_and_says_what_it_left(grader, course):
    before = records(course)
    ran = grader("record", "7.1", CHAPTER)
    assert ran.status == 0
    assert ran.out.split() == ["left", "as", "it", "was:", *ran.out.split()[-1:]]
    assert ran.out.strip().endswith(f"tests/recorded/{CHAPTER}.json")
    assert before == records(course)
    ran = grader("record", "chapter99")
    assert ran.status == 2 and "chapter99" in ran.err
