"""Reasons: kinds that code asks for, and sentences that only people read."""

from __future__ import annotations

import re
import string

import pytest

from grader.reason import OTHER_VALUE, SENTENCES, WRITTEN_ELSEWHERE, Reason, because


@pytest.mark.parametrize("kind", SENTENCES)
def test_sentence_names_all_its_values(kind):
    fields = {name for _, name, *_ in string.Formatter().parse(SENTENCES[kind]) if name}
    assert fields == {str(n) for n in range(len(fields))}
    values = range(1001, 1001 + len(fields))
    said = because(kind, *values).says
    assert all(f"{value}" in said.replace(",", "") for value in values)


def test_reason_about_an_array_names_it():
    assert Reason("values", (), "The result").says == (
        "The result: its values are not the right ones."
    )
    assert because("values").says == "its values are not the right ones"


def test_name_with_braces_or_line_break_is_only_a_name():
    assert because("stub", "a{0}\n.py").says == "a{0}\n.py is not written yet."


def test_groups_of_reasons_name_kinds():
    assert SENTENCES.keys() >= OTHER_VALUE and SENTENCES.keys() >= WRITTEN_ELSEWHERE
    assert not OTHER_VALUE & WRITTEN_ELSEWHERE


def test_each_reason_is_given_by_some_code(sources):
    unused = {kind for kind in SENTENCES if not re.search(rf'["{{]{kind}["_]', sources)}
    assert unused <= {"memory", "memory_for"}  # made of two words


@pytest.fixture
def sources():
    from .reworded import PACKAGE

    files = (path for path in PACKAGE.rglob("*.py") if path.name != "reason.py")
    return "\n".join(path.read_text(encoding="utf-8") for path in files)
