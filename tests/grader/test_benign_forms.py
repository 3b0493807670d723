"""Right bodies in honest forms keep full marks, in every chapter, at both levels of isolation."""

from __future__ import annotations

import itertools

import pytest

from .benign_forms import FORMS, in_forms
from .whole_course import whole_course

COURSE = whole_course()
CHAPTERS = [each.id for each in COURSE.chapters]
WAYS = [*itertools.product(range(len(FORMS)), CHAPTERS, ("confined", "process"))]


def test_each_body_has_another_form_with_another_shift():
    forms = [in_forms(COURSE, shift)["ops.py"] for shift in range(len(FORMS))]
    assert len({*forms}) == len(FORMS)
    assert min(text.count("def compute(") for text in forms) > 50


@pytest.mark.sampled(quick=len(WAYS), long=32)
@pytest.mark.parametrize(("shift", "chapter", "level"), WAYS)
def test_right_bodies_in_honest_forms_keep_full_marks(shift, chapter, level, package, grader):
    place = package()
    for name, text in in_forms(COURSE, shift).items():
        (place / "babygrad" / name).write_text(text, encoding="utf-8")
    ended = grader("check", chapter, "--json", cwd=place, GRADER_ISOLATION=level)
    lost = {id: each for id, each in ended.exercises().items()
            if each["status"] not in ("passed", "given")}  # fmt: skip
    assert lost == {}
