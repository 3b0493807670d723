"""A chapter's prose as plain Markdown, in pieces."""

from __future__ import annotations

import pytest

pytest.importorskip("nbformat", reason="notebooks need the extra `instructor`")

from grader.classroom.nbgrader.assignments import source  # noqa: E402
from grader.classroom.nbgrader.prose_cells import pieces  # noqa: E402
from grader.course.load import Course  # noqa: E402


def test_prose_becomes_plain_markdown(course: Course) -> None:
    for chapter in course.chapters:
        notebook = source(course, chapter)
        for text in (c.source for c in notebook.cells if c.cell_type == "markdown"):
            outside = "\n".join(text.split("```")[::2])
            assert ":::" not in outside
            assert ")=\n" not in outside


def test_a_box_is_a_quotation_and_a_dropdown_opens() -> None:
    box = "(x-1)=\n:::{admonition} Do `it`\nNow.\n:::\n"
    prose = f"# A\n\n{box}\n:::{{dropdown}} Why `so`?\nB.\n:::\n"
    found = pieces(prose)
    assert [p.anchors for p in found] == [("x-1",), ()]
    assert "> **Do `it`**\n>\n> Now." in found[0].text
    assert "<summary>Why <code>so</code>?</summary>\n\nB.\n\n</details>" in found[1].text


def test_anchors_inside_code_are_code() -> None:
    found = pieces("```python\n(x)=\n# no heading\n```\n")
    assert [p.anchors for p in found] == [()]
