"""A chapter's questions on its page: predict, then see the answer with its reason.

They are the questions of `grader quiz` and of the notebooks; a prediction is right where the
command would say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import Environment

from ..course import Question
from ..learner.phrases import plain


def quiz(
    templates: Environment,
    questions: Sequence[Question],
    block: Callable[[str], str],
    inline: Callable[[str], str],
) -> str:
    """All questions as HTML; empty where there are none.

    Args:
        block, inline: render Markdown, with paragraphs and without.
    """
    if not questions:
        return ""
    rows = [row(question, block, inline) for question in questions]
    return templates.get_template("quiz.html").render(rows=rows)


def row(
    question: Question, block: Callable[[str], str], inline: Callable[[str], str]
) -> dict[str, Any]:
    """One question as the page needs it."""
    return {
        "id": question.id,
        "place": question.id.replace(".", "-").replace("_", "-"),
        "asks": block(question.asks),
        "choices": [{"says": inline(text), "plain": plain(text)} for text in question.choices],
        "answer": None if question.answer is None else inline(question.answer),
        "plain": None if question.answer is None else plain(question.answer),
        "rubric": [inline(line) for line in question.rubric],
        "why": inline(question.why),
    }
