"""The frame of a chapter: something to run, a card, and two questions."""

from __future__ import annotations

import re

import pytest

from grader.learner.typed_names import TypedNames, find_all

from .test_prose import CHAPTERS, one_for_all, python_blocks, run

# From here on somebody may begin: the engine is complete, and each chapter stands on it.
LATER = [path for path in CHAPTERS if int(path.stem.removeprefix("chapter")) >= 8]
CARD = re.compile(
    r"^:::\{dropdown\} Starting here\? .*\n((?:.*\n)*?)- \*\*By now\*\*", re.MULTILINE
)
QUESTIONS = re.compile(
    r"^## Two questions about your code\n(.*?)"
    r"^:::\{dropdown\} Answers\n(.*?)^:::$.*^## Key concepts",
    re.MULTILINE | re.DOTALL,
)
NUMBER = re.compile(r"^(\d)\. ", re.MULTILINE)
each_later = pytest.mark.parametrize("path", LATER, ids=[path.stem for path in LATER])

TRUE = """
import numpy as np
from babygrad import Tensor, ops

values = np.ones((2, 3, 4))
x = Tensor(values)
values[:] = 0
assert x.data.all() and x.data.dtype == "float32" and x.requires_grad and x.grad is None
assert not Tensor(1.0, requires_grad=False).requires_grad
assert x.transpose((1, 0, 2)).shape == (3, 2, 4) and x.transpose().shape == (2, 4, 3)
assert x.sum(0).shape == (3, 4) and x.reshape(4, 6).broadcast_to((5, 4, 6)).ndim == 3
assert not hasattr(x, "mean")
assert x._op is None and x._inputs == []
node = (-x + x - x * x / x) ** 2 @ x.transpose()
assert type(node._op).__name__ == "MatMul" and len(node._inputs) == 2
node.backward()
assert type(x.grad) is np.ndarray
for name in NAMES:
    assert getattr(ops, name)(x).shape == x.shape, name
"""


def test_the_card_is_the_same_in_every_chapter():
    cards = {card[1] for path in LATER for card in CARD.finditer(path.read_text("utf-8"))}
    assert len(cards) == 1


@each_later
def test_the_card_is_there_once_before_the_first_exercise(path):
    text = path.read_text("utf-8")
    (card,) = CARD.finditer(text)
    assert card.start() < text.index("} Exercise ")


@one_for_all
def test_what_the_card_says_of_a_tensor_is_so(tmp_path):
    (card, *_) = (CARD.search(path.read_text("utf-8")) for path in LATER)
    names = re.findall(r"`(\w+)`", card[1].partition("in `ops`:")[2].partition("- **")[0])
    assert len(names) == 7
    (said,) = run([("card", 0, f"NAMES = {names}\n{TRUE}")], tmp_path)
    assert said == ""


@each_later
def test_two_questions_need_the_idea_and_their_answers_are_folded(path):
    (asked, answered) = QUESTIONS.findall(path.read_text("utf-8"))[0]
    assert NUMBER.findall(asked) == NUMBER.findall(answered) == ["1", "2"]
    assert all("*your*" in question.lower() for question in NUMBER.split(asked)[2::2])


@one_for_all
@each_later
def test_the_opening_runs_before_anything_of_the_chapter_is_written(path, course, tmp_path):
    """The first block prints what stands below it, with the chapter's stubs in place."""
    for name, text in course.stubs(first=int(path.stem.removeprefix("chapter"))).items():
        file = tmp_path / "babygrad" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    text = path.read_text("utf-8")
    opening = python_blocks(path)[0]
    assert opening["output"]
    assert len(text[: text.index(opening["code"])].split()) <= 100
    own = "import babygrad\nprint(babygrad.__file__)"
    printed = run([(path.name, opening["line"], opening["code"]), ("own", 0, own)], tmp_path)
    assert printed[0] == opening["output"]
    assert printed[1].startswith(str(tmp_path))


BOX = re.compile(
    r"((?:^\(\S+\)=\n)+)^(:{3,})\{admonition\} Exercise ([\d.]+)(?:, part (\d+) of (\d+))?: .*\n"
    r"((?:.*\n)*?)^\2$",
    re.MULTILINE,
)
COMMAND = re.compile(r"grader\s+check\s+([^`]+)`")


@pytest.mark.parametrize("path", CHAPTERS, ids=[path.stem for path in CHAPTERS])
def test_a_section_with_several_boxes_numbers_them(path):
    boxes = BOX.findall(path.read_text("utf-8"))
    for section in {box[2] for box in boxes}:
        parts = [(box[3], box[4]) for box in boxes if box[2] == section]
        count = len(parts)
        numbered = [(str(n), str(count)) for n in range(1, count + 1)]
        assert parts == (numbered if count > 1 else [("", "")]), section


@pytest.mark.parametrize("path", CHAPTERS, ids=[path.stem for path in CHAPTERS])
def test_a_part_names_a_command_that_checks_it_alone(path, course):
    known = TypedNames([(e.id, e.section, e.given) for e in course.exercises.values()], {})
    for anchors, _, section, part, _, text in BOX.findall(path.read_text("utf-8")):
        mine = {id for id, e in course.exercises.items() if f"({e.anchor})=" in anchors}
        asked = (find_all(names.split(), known) for names in COMMAND.findall(text))
        assert not part or any(mine.issuperset(ids) for ids in asked), (section, part)


# What a box may ask for, in the imperative; a table or a list may follow the sentence.
ASKS = re.compile(
    r"(?:add|apply|attend|avoid|bring|choose|compare|compute|count|cut|draw|fill|find|go|keep|make|pad"
    r"|pick|predict|put|raise|read|return|run|say|send|set|start|take|transpose|turn|use|walk|work"
    r"|write)\b",
    re.IGNORECASE,
)
OPTION = re.compile(r"\A(?::\w+:.*\n)+")
PLACE = re.compile(r"\A(?:In|With|For|From) [^,]+, ")
OWN_NAME = re.compile(r"\A`(?:\w+\.)?(\w+)[^`]*`(?:, | is | [a-z]+s )")


def says_what_to_write(text: str, targets: set[str]) -> bool:
    """Whether a box opens with a request, or with what its own target does."""
    text = OPTION.sub("", text).lstrip()
    if ASKS.match(PLACE.sub("", text)):
        return True
    subject = OWN_NAME.match(text)
    return subject is not None and bool({subject[1], f"__{subject[1]}__"} & targets)


@pytest.mark.parametrize("path", CHAPTERS, ids=[path.stem for path in CHAPTERS])
def test_a_box_says_first_what_to_write(path, course):
    bad = []
    for anchors, _, section, part, _, text in BOX.findall(path.read_text("utf-8")):
        mine = [e for e in course.exercises.values() if f"({e.anchor})=" in anchors]
        targets = {name for e in mine for target in e.targets for name in target.split(".")}
        if not all(e.given for e in mine) and not says_what_to_write(text, targets):
            bad.append((section, part, text[:80]))
    assert bad == []


@pytest.mark.parametrize(
    "text",
    ["In `tensor.py`.", "At the end of `ops.py`.", "Five modules and two lines.",
     "True means: may.", "`other` is a number on the left.", "Each is a reshape.",
     "| exercise | asks |"],
)  # fmt: skip
def test_a_box_without_a_request_is_found(text):
    assert not says_what_to_write(text, {"ops", "Tensor", "__radd__"})
