"""An exercise on a card, and its hints rung by rung.

The box of an exercise, as a terminal shows it.
"""

from __future__ import annotations

import json

import pytest

from grader import root
from grader.learner.exercise_card import FENCE, box_lines, card, excerpt, next_hint, paragraphs
from grader.learner.wording import Style

from .small_key import exercise

STYLE = Style(False, 80)


def test_a_card_says_name_state_and_worth():
    row = exercise("chapter3.div", title="Div", section="3.2", points=1.0, minutes=4, difficulty=2)
    assert list(card(row, "blocked", STYLE)) == [
        "chapter3.div  Div",
        "  ◦ blocked · section 3.2 · 1 point · about 4 minutes · ★★☆",
    ]


def workspace_with(tmp_path, **state) -> str:
    (tmp_path / ".grader").mkdir()
    (tmp_path / ".grader" / "workspace.json").write_text(json.dumps({"from": "chapter3", **state}))
    return str(tmp_path / "babygrad")


def test_every_rung_but_the_last_leads_to_the_next(tmp_path):
    row = exercise("chapter3.div", hints=["Think.", "Think again."], formula="It is 2a.")
    folder = workspace_with(tmp_path)
    first, last, again = (next_hint(row, folder, STYLE) for _ in range(3))
    assert again == last and next_hint(row, None, STYLE) == first
    assert first[:2] == ["chapter3.div, hint 1 of 2", "  Think."]
    assert "`grader hint chapter3.div` again" in first[2]
    assert last[:2] == ["chapter3.div, hint 2 of 2", "  Think again."]
    assert "last one" in last[2] and "again.\n" not in last[2]


def test_a_hidden_formula_is_the_last_rung(tmp_path):
    row = exercise("chapter3.div", hints=["Think."], formula="It is 2a.")
    folder = workspace_with(tmp_path, formulas="hidden")
    first, last = (next_hint(row, folder, STYLE) for _ in range(2))
    assert first[:2] == ["chapter3.div, hint 1 of 2", "  Think."]
    assert last[:2] == ["chapter3.div, hint 2 of 2", "  It is 2a."]
    assert next_hint(exercise("chapter3.add", hints=[]), folder, STYLE) == []


def test_what_is_asked_is_the_box_of_the_prose():
    row = exercise("chapter3.div.forward", anchor="chapter3-div-forward")
    place, *box = box_lines(row, STYLE)
    assert place.startswith("chapters/chapter3.md, line ") and box[-1] == ""
    assert any("Div" in line for line in box)
    assert list(box_lines(exercise("chapter3.x", anchor="nowhere"), STYLE)) == []


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
        ("Write *it*: in one line.", True), (FENCE, False), ("    x = 1", False), (FENCE, False),
        ("worth: 2", True), ("note: or \\| not", True),
    ]  # fmt: skip
    assert ("worth: 1", True) in list(paragraphs(lines, "chapter1.a"))
    assert list(paragraphs(["| a |", "|---|", "| 1 |"], "x")) == [
        ("| a |", False), ("|---|", False), ("| 1 |", False),
    ]  # fmt: skip
