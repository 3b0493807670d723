"""The box of an exercise, as a terminal shows it."""

from __future__ import annotations

import pytest

from grader import root
from grader.learner.prose_box import excerpt, paragraphs

BOXES = """# One

## 1.1 The first

(chapter1-a)=
(chapter1-b)=
:::{admonition} Exercise 1.1
Write *it*:
in one line.

```python
x = 1
```

| exercise | worth | note |
|---|---|---|
| `chapter1.a` | 1 | |
| `chapter1.b` | 2 | or \\| not |
:::

(chapter1-bare)=
No box.
"""


@pytest.fixture
def boxed(tmp_path, monkeypatch):
    monkeypatch.setattr(root, "ROOT", str(tmp_path))
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "chapter1.md").write_text(BOXES)


@pytest.mark.usefixtures("boxed")
def test_the_box_of_an_exercise_is_found_at_any_of_its_anchors():
    found = excerpt("chapter1", "chapter1-a")
    assert found == excerpt("chapter1", "chapter1-b")
    assert (found.file, found.line, found.heading) == ("chapters/chapter1.md", 7, "1.1 The first")
    assert found.title == "Exercise 1.1" and found.lines[-1].startswith("| `chapter1.b`")


@pytest.mark.usefixtures("boxed")
@pytest.mark.parametrize(
    ("chapter", "anchor"),
    [("chapter1", "chapter1-none"), ("chapter1", "chapter1-bare"), ("chapter9", "chapter1-a")],
)
def test_where_there_is_no_box_there_is_none(chapter, anchor):
    assert excerpt(chapter, anchor) is None


@pytest.mark.usefixtures("boxed")
def test_of_a_table_of_exercises_only_its_own_row_is_told():
    lines = excerpt("chapter1", "chapter1-a").lines
    assert list(paragraphs(lines, "chapter1.b")) == [
        ("Write *it*: in one line.", True), ("    x = 1", False), ("worth: 2", True),
        ("note: or \\| not", True),
    ]  # fmt: skip
    assert ("worth: 1", True) in list(paragraphs(lines, "chapter1.a"))
    assert list(paragraphs(["| a |", "|---|", "| 1 |"], "x")) == [
        ("| a |", False), ("|---|", False), ("| 1 |", False),
    ]  # fmt: skip
