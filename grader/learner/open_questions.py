"""Write the files for answers to open questions, which a person marks, and read the answers.

`answers/chapter3.md` has a heading for each question: its id. The text below it, without the
question itself, is the answer. Text below no question is kept under the empty id, in case a heading
was deleted. In a notebook the cells below the question's cell are the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..course.schema import Chapter, Question

FOLDER = "answers"
HEADING = re.compile(r"^#{1,6}\s*`?([\w.-]+)`?\s*")
HEAD = "Write below each question, as much as you like, and leave the headings as they are."
YOUR_ANSWER = "*Your answer goes here. Add more cells below this one if you like.*"


def holds_answers(name: str) -> bool:
    """Whether a path in a submission is a file of answers; some zips hold backslashes."""
    folder, _, file = name.replace("\\", "/").rpartition("/")
    return folder.rpartition("/")[2] == FOLDER and file.endswith(".md")


def open_questions(chapters: Iterable[Chapter]) -> dict[str, Question]:
    """Return id → open question, in the order of the chapters."""
    return {q.id: q for chapter in chapters for q in chapter.questions if q.answer is None}


def answer_files(chapters: Iterable[Chapter]) -> dict[str, bytes]:
    """Return path → content of the files for answers, one for each chapter with open questions."""
    pages = ((chapter, list(open_questions([chapter]).values())) for chapter in chapters)
    return {f"{FOLDER}/{c.id}.md": _page(c, asked) for c, asked in pages if asked}


def _page(chapter: Chapter, asked: Sequence[Question]) -> bytes:
    parts = [f"# {chapter.title}: open questions", HEAD]
    for question in asked:
        parts += [f"## {question.id}", "\n".join(_quoted(question)), ""]
    return ("\n\n".join(parts).rstrip() + "\n\n").encode()


def _quoted(question: Question) -> Iterator[str]:
    """Yield the question's lines as they stand above its answer."""
    for line in [*question.asks.strip().splitlines(), "", f"({len(question.rubric)} points)"]:
        yield f"> {line}".rstrip()


def in_file(text: str, asked: Iterable[Question]) -> dict[str, str]:
    """Return id → answer from a file of answers; answers that are empty are left out."""
    by_id = {question.id: question for question in asked}
    found: dict[str, list[str]] = {"": []}
    id = ""
    for line in text.splitlines():
        heading = HEADING.fullmatch(line.strip())
        if heading and heading[1] in by_id:
            id = heading[1]
            found.setdefault(id, [])
        elif not _is_ours(line.strip(), by_id.get(id)):
            found[id].append(line)
    return join_answers(found)


def _is_ours(line: str, question: Question | None) -> bool:
    if question is None:
        return line == HEAD or line.startswith("# ")
    return line in _quoted(question)


def join_answers(found: dict[str, list[str]]) -> dict[str, str]:
    """Join each answer's lines; answers that are empty are left out."""
    whole = {id: "\n".join(lines).strip() for id, lines in found.items()}
    return {id: text for id, text in whole.items() if text}
