"""`grader quiz`: answers are kept, and each question can be answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from grader import root
from grader.course.key_source import open_key
from grader.learner.wording import normalize_answer


def quiz(workspace, answers, *options):
    return subprocess.run(
        [sys.executable, "-m", "grader", "quiz", "chapter3", *options],
        cwd=workspace, input=answers, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": root.ROOT},
    )  # fmt: skip


def test_quiz_keeps_answers_and_goes_on_where_it_stopped(workspace):
    questions = open_key().chapter("chapter3").questions
    first, second = questions[:2]
    number = 1 + first["choices"].index(first["answer"])
    ran = quiz(workspace, f"nonsense\n{number}\n")
    assert ran.returncode == 1 and "✓ Right." in ran.stdout and "Type a number" in ran.stdout
    assert "goes on here" in ran.stdout and not ran.stderr
    kept = json.loads((workspace / ".grader" / "quiz.json").read_text())
    assert kept[first["id"]]["right"] is True and len(kept) == 1
    wrong = next(c for c in second["choices"] if c != second["answer"])
    ran = quiz(workspace, f"{wrong}\n" + "1\n" * len(questions))
    assert f"Question 2 of {len(questions)}" in ran.stdout and "Question 1 " not in ran.stdout
    assert f"✗ Not so: {second['answer']}" in ran.stdout
    assert "A good answer says:" in ran.stdout and ran.returncode == 0
    assert len(json.loads((workspace / ".grader" / "quiz.json").read_text())) == len(questions)
    assert "Question" not in quiz(workspace, "").stdout
    assert "Question 1 of" in quiz(workspace, "", "--again").stdout


def test_every_chapter_has_questions_whose_answer_can_be_given():
    key = open_key()
    for chapter in map(key.chapter, key.chapters):
        assert chapter.questions, chapter.id
        for question in chapter.questions:
            choices = [normalize_answer(text) for text in question["choices"]]
            assert len(set(choices)) == len(choices), question["id"]
            if choices:
                assert normalize_answer(question["answer"]) in choices, question["id"]
            if question["answer"] is None:
                assert question["rubric"], question["id"]
