"""Words and phrases that must not come back, those of docs/style.md, in all that people read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import root
from grader.judge.exceptions import ROWS

from .whole_course import whole_course

HERE = Path(root.path("."))
SHEET = HERE / "docs" / "style.md"
PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\ba training\b(?! (step|loop|run|set|batch|curve|example|mode)s?\b)",
        r"\b(the|a|its|one) mend\b",
        r"\bsteady\b",
        r"(\band|[,;:]) who (wants|needs|asks|forgets|installs|draws)\b",
        r"\bno way out\b",
        r"\bhas to have its turn\b",
        r"\bpays? with\b",
        r"\bOf (an?|each|every) \w+ (an?|the|every) \w+ (shows?|has|holds?|gives?)\b",
        r"\bis to (move|make|give|see|hold|take)\b",
        r"\banew\b",
        r"\bshall\b",
        r"\bin its turn\b",
        r"\bin the place of\b",
        r"\bhence\b",
        r"\bcomes? for nothing\b",
        r"\bso it is with\b",
        r"\bas ever\b",
        r"\bsome (ten|twenty|thirty|forty|fifty|hundred)\b",
        r"\btells? that\b",
        r"\bone can\b",
        r"\bto read on\b",
        r"\bin peace\b",
        r"\bwants? care\b",
        r"\bkeeps? house\b",
        r"\bof one's own\b",
        r"\btyped in as it stands\b",
        r"\bnobody asks\b",
        r"\bto and fro\b",
        r"\bsees? to it\b",
        r"\b(if|what|when|layers) one (gets|wants|needs)\b",
        r"\bhand(s|ed|ing)? (on|back)\b",
        r"\bchang(e|es|ed) places\b",
        r"(?<!whatever )(?<!that )\b(is|are|was|were) asked for[.:;]",
        r"\bturn(s|ed)? (\w+ ){0,2}round\b",
        r"\b(is|are) to (be|get|become)\b",
        r"\bfor ever\b",
        r"\bmind (the|that|what|which)\b",
        r"\basks? for (no|a) gradient\b",
    )
]
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def found(text: str) -> list[str]:
    """Each place, with some words around it."""
    text = " ".join(CODE.sub("…", text).split())
    hits = (hit for pattern in PATTERNS for hit in pattern.finditer(text))
    return [text[max(0, hit.start() - 40) : hit.end() + 40] for hit in hits]


PAGES = sorted(
    path.relative_to(HERE).as_posix()
    for path in (*HERE.glob("chapters/**/*.md"), *HERE.glob("docs/**/*.md"),
                 *HERE.glob("babygrad/**/*.py"), HERE / "README.md", HERE / "CONTRIBUTING.md")
    if path != SHEET
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_such_words(page):
    assert found((HERE / page).read_text("utf-8")) == []


def test_nothing_that_a_learner_is_told_has_such_words():
    """Hints, mistakes, questions, checks, sentences about exceptions, the docstrings of stubs."""
    said = [(where, place) for where, text in _sentences() for place in found(text)]
    assert said == []


def _sentences() -> Iterator[tuple[str, str]]:
    for exercise in whole_course().exercises.values():
        for text in (*exercise.hints, *(mistake.says for mistake in exercise.mistakes)):
            yield exercise.id, text
    for chapter in whole_course().chapters:
        for q in chapter.questions:
            for text in (q.asks, q.why, q.answer or "", *q.choices, *q.rubric):
                yield q.id, text
        for check in whole_course().checks(chapter, "public"):
            yield check.id, check.says
    for row in ROWS:
        yield row.name, row.says
    for file, source in whole_course().solutions.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield f"{file}: {node.name}", (ast.get_docstring(node) or "").replace("``", "`")


ROW = re.compile(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)
PAIRS = ROW.findall(SHEET.read_text("utf-8").partition("## What no test can see")[0])[1:]


def test_the_sheet_and_the_patterns_say_the_same():
    """Each pattern has its pair in the sheet, in this order: it finds the one, never the other."""
    assert len(PAIRS) == len(PATTERNS)
    for pattern, (before, after) in zip(PATTERNS, PAIRS, strict=True):
        assert pattern.search(before), before
        assert found(after) == [], after


def test_what_is_code_or_an_ordinary_training_step_is_let_through():
    assert found("`shall` and a training step\n```python\nanew\n```\nsteadily") == []
