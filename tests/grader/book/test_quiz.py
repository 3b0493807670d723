"""The quiz of a page: nothing is told before a prediction, and it says what the command says."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("markdown_it")

pytestmark = pytest.mark.xdist_group("book")


def test_every_question_of_the_command_is_on_the_page(site, course):
    for chapter in course.chapters:
        text = (site / f"{chapter.id}.html").read_text("utf-8")
        found = re.findall(r'<form class="question" data-id="([^"]+)"', text)
        assert found == [question.id for question in chapter.questions]


@pytest.mark.long
def test_an_answer_is_shown_after_a_prediction_right_or_wrong(read, course):
    page = read("chapter1.html")
    predicted = [q for q in course.chapters[0].questions if q.choices]
    for number, question in enumerate(predicted):
        form = page.locator(f'form[data-id="{question.id}"]')
        answer = form.locator("xpath=following-sibling::details")
        form.locator(".reveal").click()
        assert "Predict first" in form.locator(".verdict").inner_text()
        assert not answer.is_visible()
        right = question.choices.index(question.answer)
        pick = right if number % 2 else (right + 1) % len(question.choices)
        form.locator("input").nth(pick).check()
        form.locator(".reveal").click()
        assert form.locator(".verdict").inner_text() == ("✓ Right." if number % 2 else "✗ Not so.")
        assert question.answer in answer.inner_text()
    right = len(predicted) // 2
    assert f"{right} of {len(predicted)} predictions right" in page.inner_text("#score")


@pytest.mark.long
def test_an_open_answer_is_compared_with_the_rubric_and_kept(read, course):
    page = read("chapter1.html")
    (question, *_) = [q for q in course.chapters[0].questions if q.answer is None]
    form = page.locator(f'form[data-id="{question.id}"]')
    form.locator("textarea").fill("Paths add.")
    form.locator(".reveal").click()
    shown = form.locator("xpath=following-sibling::details")
    assert shown.locator("li").count() == len(question.rubric)
    page.reload()
    assert form.locator("textarea").input_value() == "Paths add."
    assert form.locator(".verdict").inner_text() == "Compare."


@pytest.mark.long
def test_without_a_script_the_answers_are_folded_below(read):
    page = read("chapter1.html", java_script_enabled=False)
    answer = page.locator("details.answer").first
    assert answer.locator("summary").is_visible() and not answer.locator(".inside").is_visible()
