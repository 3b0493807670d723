"""Open answers are written into a file that is handed out, and read back from it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.classroom.analysis.open_answers import in_cells
from grader.course.schema import Question
from grader.learner.open_questions import YOUR_ANSWER, answer_files, in_file
from grader.notebooks.notebook_source import Cell

WHY, HOW = "chapter1.q.why_not", "chapter1.q.how"
ASKED = (
    Question(WHY, "Why?\n\nAnd why *not*?", rubric=("It sums.", "It ends.")),
    Question("chapter1.q.twice", "What?", answer="6"),
    Question(HOW, "How?", rubric=("So.",)),
)
CHAPTER = SimpleNamespace(id="chapter1", title="One", questions=ASKED)
OPEN = (ASKED[0], ASKED[2])


def page(why: str = "", how: str = "") -> str:
    """The file that was handed out, with these answers."""
    text = answer_files([CHAPTER])["answers/chapter1.md"].decode()
    for points, answer in ((2, why), (1, how)):
        above = f"> ({points} points)\n"
        assert text.count(above) == 1
        text = text.replace(above, f"{above}\n{answer}\n")
    return text


def test_only_what_is_answered_in_words_has_a_place():
    text = page()
    assert f"## {WHY}\n\n> Why?\n>\n> And why *not*?\n>\n> (2 points)" in text
    assert "twice" not in text and "It sums." not in text
    none = SimpleNamespace(id="chapter2", title="Two", questions=ASKED[1:2])
    assert list(answer_files([CHAPTER, none])) == ["answers/chapter1.md"]


@pytest.mark.parametrize("text, found", [
    (page(), {}),
    (page(why="It sums.\n\n## Because\n\n> I quote.\n\nSo."),
     {WHY: "It sums.\n\n## Because\n\n> I quote.\n\nSo."}),
    (page(why="One.", how="Two."), {WHY: "One.", HOW: "Two."}),
    (page(why="One.").replace("\n", "\r\n"), {WHY: "One."}),
    ("I deleted everything.", {"": "I deleted everything."}),
    (f"### `{HOW}`\nTwo.\n", {HOW: "Two."}), ("", {}),
])  # fmt: skip
def test_an_answer_is_what_stands_below_its_question(text, found):
    assert in_file(text, OPEN) == found


def test_in_a_notebook_it_stands_in_the_cells_below():
    def question(name: str) -> Cell:
        return Cell("", {"grade_id": name}, "**Question.** …")

    cells = [
        Cell("", {}, "Prose."), question("chapter1-q-why-not"), Cell("", {}, "It sums."),
        Cell("1 + 1", {}, "1 + 1"), question("chapter1-q-how"), Cell("", {}, YOUR_ANSWER),
        question("chapter1-other"), Cell("", {}, "More prose."),
    ]  # fmt: skip
    assert in_cells(cells, OPEN) == {WHY: "It sums.\n1 + 1"}
