"""What a learner takes apart to find a solution: each file that is handed out, by other means.

`find_leaks` looks for texts as they stand. Here every text is parsed, wherever it lies (in the
answer key, in a compiled file, in an archive inside an archive, in base 64), and functions are
compared by their normal form, which no disguise changes.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import marshal
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from types import CodeType
from typing import Any

import pytest
from hatchling.builders.sdist import SdistBuilder

from grader import root
from grader.classroom.intake.normal_form import form_length, normal_forms
from grader.course.key_source import open_key
from grader.learner.file_writer import zip_files

from .test_bundle import key, released  # noqa: F401

pytestmark = pytest.mark.xdist_group("release")
SHORTEST = 120  # characters of a normal form: shorter functions are alike by chance


# Code, or a dict, with a reference or without. (Bytes that are neither could be a list by their
# first byte, of two thousand million entries by the next four.)
MARSHALLED = (b"c", b"\xe3", b"{", b"\xfb")


def texts_in(data: Any, name: str = "") -> Iterator[str]:
    """All texts below a value: of archives, of plain values and of code, to any depth."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from texts_in(key, name)
            yield from texts_in(value, name)
    elif isinstance(data, list | tuple | set | frozenset):
        for value in data:
            yield from texts_in(value, name)
    elif isinstance(data, CodeType):
        yield from texts_in(data.co_consts, name)
    elif isinstance(data, str):
        yield data
        if len(data) > 200 and re.fullmatch(r"[A-Za-z0-9+/=\s]+", data):
            yield from texts_in(unpacked(lambda: base64.b64decode(data)), name)
    elif isinstance(data, bytes):
        yield from texts_in_bytes(data, name)


def texts_in_bytes(data: bytes, name: str) -> Iterator[str]:
    for inner in (
        unpacked(lambda: dict(each_in_zip(data))), unpacked(lambda: dict(each_in_tar(data))),
        unpacked(lambda: zlib.decompress(data)), unpacked(lambda: json.loads(data)),
        *(unpacked(lambda d=d: marshal.loads(d)) for d in (data, data[16:]) if d[:1] in MARSHALLED),
    ):  # fmt: skip
        if inner is not None and not isinstance(inner, int | float):
            yield from texts_in(inner, name)
    if data.isascii() or unpacked(data.decode) is not None:
        yield data.decode()
    else:  # texts that lie between other bytes
        yield from (run.decode() for run in re.findall(rb"[\t\n\x20-\x7e]{60,}", data))


def unpacked(read: Any) -> Any:
    try:
        return read()
    except Exception:  # it is nothing of the kind
        return None


def each_in_zip(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            yield name, archive.read(name)


def each_in_tar(data: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for info in archive:
            if info.isfile():
                yield info.name, archive.extractfile(info).read()


def forms_in(text: str) -> set[str]:
    """Normal forms of the functions in a text, or of what it is as a body of one."""
    if "return" not in text and "self" not in text:
        return set()
    blocks = re.findall(r"```(?:python)?\n(.*?)```", text, re.S) or [text]
    found = set()
    for block in blocks:
        for code in (block, f"def f():\n{indent(block, '    ')}"):
            found |= {form.digest for form in normal_forms("", code)}
    return found


def secret_forms(course: Any) -> dict[str, str]:
    """Normal form → target, of what chapter 3 and later ones ask for."""
    found = {}
    for file, text in course.solved().items():
        for form in normal_forms(file.removesuffix(".py").replace("/", "."), text):
            exercise = course.owner.get(form.target)
            if exercise is None or exercise.given or form_length(form.words) < SHORTEST:
                continue
            if int(exercise.chapter.removeprefix("chapter")) >= 3:
                found[form.digest] = form.target
                body = course.regions[form.target].body
                for other in forms_in(body):
                    found[other] = form.target
    return found


def leaks(course: Any, data: Any) -> set[str]:
    secret = secret_forms(course)
    return {secret[form] for text in texts_in(data) for form in forms_in(text) & secret.keys()}


@pytest.mark.long
def test_no_file_that_is_handed_out_holds_a_solution_in_any_packing(released, course):  # noqa: F811
    files = {str(p): p.read_bytes() for p in sorted(released.rglob("*")) if p.is_file()}
    assert len(files) > 30 and any(name.endswith(".whl") for name in files)
    assert leaks(course, files) == set()


def compiled(text: str) -> bytes:
    return bytes(16) + marshal.dumps(compile("x = " + repr(text), "x", "exec"))


PACKINGS = {
    "as it stands": str.encode,
    "renamed": lambda text: text.replace("out_grad", "g").encode(),
    "in base 64": lambda text: json.dumps(base64.b64encode(text.encode()).decode()).encode(),
    "compressed": lambda text: zlib.compress(text.encode()),
    "in a zip in a zip": lambda text: zip_files({"a.zip": zip_files({"b": text.encode()})}),
    "in a notebook": lambda text: json.dumps({"cells": [{"source": text}]}).encode(),
    "in a key": lambda text: marshal.dumps({"mistakes": [("name", text)]}),
    "in a compiled file": compiled,
    "in a chapter": lambda text: f"# Prose\n\n```python\n{text}\n```\n".encode(),
}


@pytest.mark.parametrize("packing", PACKINGS.values(), ids=PACKINGS)
def test_a_solution_that_is_put_in_is_found(packing, course):
    """The honest twin of the measure: what it says is not nothing because it sees nothing."""
    body = indent(course.regions["ops.MatMul.backward"].body, "    ")
    text = ast.unparse(ast.parse(f"def backward(self, out_grad, node):\n{body}"))
    assert leaks(course, {"x": packing(text)}) == {"ops.MatMul.backward"}


PRIVATE = ("results/ada.json", "seed.key", "times.csv", "overlay/hidden.py", "roster.csv",
           "learners.txt", ".env", "course.toml", "batch.json", "answers.key", "submissions/a.zip",
           "gradebook.db", "viva/record.json")  # fmt: skip


@pytest.mark.parametrize("name", PRIVATE)
def test_what_lies_beside_the_sources_is_not_published(name, tmp_path):
    """Whoever builds from a checkout in which a class was graded publishes the sources alone."""
    for each in ("pyproject.toml", "README.md", "hatch_build.py", "course.json"):
        (tmp_path / each).write_bytes(Path(root.ROOT, each).read_bytes())
    for each in ("grader/__init__.py", "tests/a.py", "docs/a.md", name):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text("x")
    taken = {f.relative_path for f in SdistBuilder(str(tmp_path)).recurse_included_files()}
    assert {"README.md", "grader/__init__.py", "tests/a.py", "docs/a.md"} <= taken
    assert name not in taken and os.path.exists(tmp_path / name)


def test_the_key_of_the_release_has_no_number_of_a_hidden_check(released):  # noqa: F811
    """Neither inputs nor answers, as they lie in memory or as they are written."""
    every = b"".join(p.read_bytes() for p in sorted(released.rglob("*")) if p.is_file())
    for path in released.glob("*.whl"):
        every += b"".join(data for _, data in each_in_zip(path.read_bytes()))
    chapter, count = open_key().chapter("chapter3"), 0
    public = {n for c in chapter.checks if not c["hidden"] for n in c["probes"]}
    shown = {bytes(chapter.array(n).data) for p in public for n in numbers(chapter.probes[p])}
    hidden = {n for c in chapter.checks if c["hidden"] for n in c["probes"]} - public
    for probe in hidden:
        for number in numbers(chapter.probes[probe]):
            array = chapter.array(number)
            data = bytes(array.data)
            if len(data) >= 32 and data not in shown and len(set(data)) > 8:
                count += 1
                assert data not in every
    assert count > 50


def numbers(probe: Any) -> set[int]:
    """The numbers of all arrays that a probe names."""
    if isinstance(probe, dict):
        own = {probe["array"]} if isinstance(probe.get("array"), int) else set()
        return own.union(*map(numbers, probe.values()))
    return set().union(*map(numbers, probe)) if isinstance(probe, list | tuple) else set()
