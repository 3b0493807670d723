"""Words, phrases and openings that must not come back, those of docs/style.md, in every text.

The rows of the first table hold everywhere, those of the second in the docs and in `--help`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from grader import root
from grader.commands import TABLE, parser
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
QUESTION = r"(?![^.!?;|]*\?)"  # … and no question mark ends it
# Openings with a relative clause where the reader needs the subject, and words of the same kind.
DOCS_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:^|(?<=[.!?;:|] )|(?<=[.!?;:|] [-«])|(?<= - )|(?<=\*\*))"
        rf"(?-i:Who|Whoever|Whose|Whom|What|Whatever|Whichever|Where)\b{QUESTION}",
        rf"; (?:and |but )?(?:who|what|whoever|whatever|where)\b{QUESTION}",
        rf": who\b{QUESTION}|\b(?:for|than|as) who (?!(?:is|was|had|has) )\w+",
        r"\bmend(?:s|ed|ing)?\b",
        r"\bbut for\b",
        r"\b(?:stands?|stood) (?:there|in|beside|below|above|at|on|here|behind)\b",
        r", since\b",
        r"\bsome \d",
        r"\ball (?:that|else)\b",
        r"\bheld against\b",
        r"\bonce more\b",
        r"\b(?:comes?|came|put) right\b",
        r"\b(?:has|have) to be\b",
        r"\broads? (?:not )?taken\b",
        r"\b(?:whoever|wherever)\b",
        r"\b(?:was|were) to (?:be|get|become|go|weigh|have)\b",
    )
]
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def found(text: str, patterns: Iterable[re.Pattern[str]] = PATTERNS) -> list[str]:
    """Each place, with some words around it."""
    text = " ".join(CODE.sub("…", text).split())
    hits = (hit for pattern in patterns for hit in pattern.finditer(text))
    return [text[max(0, hit.start() - 40) : hit.end() + 40] for hit in hits]


def pages(*patterns: str) -> list[str]:
    paths = {path for pattern in patterns for path in HERE.glob(pattern)} - {SHEET}
    return sorted(path.relative_to(HERE).as_posix() for path in paths)


DOCS = pages("*.md", "docs/**/*.md", "benchmarks/*.md", "editors/*/README.md")


@pytest.mark.parametrize("page", pages("chapters/**/*.md", "babygrad/**/*.py"))
def test_a_page_has_no_such_words(page):
    assert found((HERE / page).read_text("utf-8")) == []


@pytest.mark.parametrize("page", DOCS)
def test_the_docs_have_neither_such_words_nor_such_openings(page):
    assert found((HERE / page).read_text("utf-8"), [*PATTERNS, *DOCS_PATTERNS]) == []


def test_all_docs_are_read():
    named = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "benchmarks/README.md"}
    assert named < set(DOCS)


# Scripts that print their docstring as help.
SCRIPTS = [
    path for path in pages("benchmarks/*.py", "examples/*.py", ".ci/*")
    if "__doc__" in (HERE / path).read_text("utf-8")
]  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_help_of_a_script_has_neither_such_words_nor_such_openings(script):
    said = ast.get_docstring(ast.parse((HERE / script).read_text("utf-8"))) or ""
    assert said and found(said, [*PATTERNS, *DOCS_PATTERNS]) == []


def helps(command: str) -> Iterator[str]:
    """Yield a command's own sentence, and then those of its options."""
    yield TABLE[command][1]
    (group,) = parser([command])._subparsers._group_actions
    yield from (action.help for action in group.choices[command]._actions if action.help)


# Verbs with which the sentence of a command begins; a new one needs a look.
VERBS = {
    "ask", "begin", "bring", "check", "draw", "give", "judge", "list", "make", "mark", "merge",
    "open", "predict", "prove", "record", "replay", "restore", "show", "train", "write", "say",
}  # fmt: skip


@pytest.mark.parametrize("command", TABLE)
def test_help_has_neither_such_words_nor_such_openings(command):
    own, *options = helps(command)
    assert found("\n\n".join([own, *options]), [*PATTERNS, *DOCS_PATTERNS]) == []
    assert own.split()[0] in VERBS
    opens = re.compile(r"(?:who|what|where|when|which|whose|how)\b")
    assert [text for text in options if opens.match(text)] == []


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
EVERYWHERE, IN_DOCS, *_ = (
    ROW.findall(table)[1:] for table in SHEET.read_text("utf-8").split("\n## ")[1:]
)


@pytest.mark.parametrize(
    ("pairs", "patterns"),
    [(EVERYWHERE, PATTERNS), (IN_DOCS, DOCS_PATTERNS)],
    ids=["everywhere", "docs"],
)
def test_the_sheet_and_the_patterns_say_the_same(pairs, patterns):
    """Each pattern has its pair in the sheet, in this order: it finds the one, never the other."""
    assert len(pairs) == len(patterns)
    for pattern, (before, after) in zip(patterns, pairs, strict=True):
        assert pattern.search(before), before
        assert found(after, [*PATTERNS, *DOCS_PATTERNS]) == [], after


def test_a_question_and_a_heading_may_open_with_such_a_word():
    text = (
        "## What is in it\n\nWhere does it run? In a worker. Whose fault is it?\n\n| what it does |"
    )
    assert found(text, DOCS_PATTERNS) == []


def test_what_is_code_or_an_ordinary_training_step_is_let_through():
    assert found("`shall` and a training step\n```python\nanew\n```\nsteadily") == []
