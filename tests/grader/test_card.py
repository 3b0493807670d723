"""An exercise on a card, and its hints rung by rung."""

from __future__ import annotations

from grader.learner.card import asked, card, rung
from grader.learner.style import Style

from .small_key import exercise

STYLE = Style(False, 80)


def test_a_card_says_name_state_and_worth():
    row = exercise("chapter3.div", title="Div", section="3.2", points=1.0, minutes=4, difficulty=2)
    assert list(card(row, "blocked", STYLE)) == [
        "chapter3.div  Div",
        "  ◦ blocked · section 3.2 · 1 point · about 4 minutes · ★★☆",
    ]


def test_every_rung_but_the_last_leads_to_the_next():
    row = exercise("chapter3.div", hints=["Think.", "Think again."])
    first, last = (list(rung(row, due, STYLE)) for due in (0, 1))
    assert first[:2] == ["chapter3.div, hint 1 of 2", "  Think."]
    assert "`grader hint chapter3.div` again" in first[2]
    assert last[:2] == ["chapter3.div, hint 2 of 2", "  Think again."]
    assert "last one" in last[2] and "again.\n" not in last[2]


def test_what_is_asked_is_the_box_of_the_prose():
    row = exercise("chapter3.div.forward", anchor="chapter3-div-forward")
    place, *box = asked(row, STYLE)
    assert place.startswith("chapters/chapter3.md, line ") and box[-1] == ""
    assert any("Div" in line for line in box)
    assert list(asked(exercise("chapter3.x", anchor="nowhere"), STYLE)) == []
