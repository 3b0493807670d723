"""A package as what is asked about: changes stand in their place, and nothing hidden is shown."""

from __future__ import annotations

import ast

import pytest

from grader.viva.subject import other_lines


@pytest.mark.long
def test_a_change_stands_in_its_place_and_every_other_line_stays(asked):
    subject = asked.subject
    old = subject.grading.package.files
    for function, number in subject.lines[:40]:
        for text in other_lines(function.line(number))[:2]:
            package = subject.replaced(function, {number: text})
            before = old[function.file].decode().split("\n")
            after = package.files[function.file].decode().split("\n")
            assert after[number - 1].strip() == text != function.line(number)
            assert after[: number - 1] + after[number:] == before[: number - 1] + before[number:]
            ast.parse("\n".join(after))
            assert package.sha256 != subject.grading.package.sha256


@pytest.mark.long
def test_a_package_that_cannot_be_imported_makes_no_calls(asked):
    old = asked.subject.grading.package
    broken = old._replace(files={**old.files, "ops.py": b"import nothing"}, sha256="0")
    probes = [sample.probe for sample in asked.subject.samples[:2]]
    assert asked.subject.calls(broken, probes) == {probe: {} for probe in probes}


@pytest.mark.long
def test_a_hidden_probe_is_never_shown(asked):
    chapter = asked.subject.chapter
    secret = {n for check in chapter.checks if check["hidden"] for n in check["probes"]}
    shown = {sample.probe for sample in asked.subject.samples}
    assert shown and not shown & secret


@pytest.mark.long
def test_a_function_has_a_label_by_its_first_line_with_decorators(asked):
    text = asked.subject.grading.package.files["tensor.py"].decode().split("\n")
    place = next(p for p, each in asked.subject.labels.items() if "`Tensor.shape` " in each)
    assert text[int(place.partition(":")[2]) - 1].strip() == "@property"
