"""What a report shows of a sample: every array once, under a name of its own."""

from __future__ import annotations

import re

import pytest

from grader.course import key_file, plain_values
from grader.course.load import load

COURSE = load()
# What a learner is told of a call that stands in no file of the learner's.
UNSAID = re.compile(r"\b(?:square|scale|total|product|plus|fused)\(|^result\.")


@pytest.mark.parametrize("chapter", COURSE.chapters, ids=lambda chapter: chapter.id)
def test_no_name_stands_for_two_arrays(chapter):
    for check in COURSE.checks(chapter, "public"):
        for probe in check.probes:
            arguments = plain_values.plain_args(list(probe.args), key_file.Arrays())
            names = [name for name, _ in plain_values.shown(probe, arguments)]
            assert len(names) == len(set(names)), (check.id, names)


@pytest.mark.parametrize("chapter", COURSE.chapters, ids=lambda chapter: chapter.id)
def test_no_call_is_told_in_names_that_nobody_defined(chapter):
    for check in COURSE.checks(chapter, "public"):
        for probe in check.probes:
            assert not UNSAID.search(probe.call), (check.id, probe.call)
