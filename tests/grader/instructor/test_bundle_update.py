"""Old, mine and new: three texts become one, and no word of the learner's is lost."""

from __future__ import annotations

import pytest

from grader.learner.bundle_update import join_file

STUB = "raise NotImplementedError"
OLD = "import a\n\n\ndef f():\n    raise NotImplementedError\n\n\ndef g():\n    return 1\n"


@pytest.mark.parametrize(
    ("mine", "new", "kept", "notes"),
    [
        (OLD, OLD.replace("1", "2"), "return 2", 0),
        (OLD.replace("1", "3"), OLD, "return 3", 0),
        (OLD.replace("1", "3"), OLD.replace("1", "2"), "return 3", 1),
        (OLD.replace(STUB, "return 7"), OLD.replace("1", "2"), "return 7", 0),
        ("import b\n" + OLD, OLD.replace("1", "2"), "import b", 0),
        ("for x in y:\n    pass\n" + OLD, OLD.replace("1", "2"), "for x in y", 1),
        (OLD.replace("\n\n\ndef g():\n    return 1\n", "\n"), OLD.replace("1", "2"), "return 2", 0),
    ],
)
def test_three_texts_become_one(mine, new, kept, notes):
    made = join_file("babygrad/x.py", OLD.encode(), mine.encode(), new.encode())
    assert kept in made.data.decode() and len(made.notes) == notes and not made.given


@pytest.mark.parametrize(("mine", "kept", "given"), [
    (OLD, "return 8", ()), (OLD.replace(STUB, "return 7"), "return 7", ("f (x.py)",)),
])  # fmt: skip
def test_what_is_given_now_comes_to_who_had_not_written_it(mine, kept, given):
    new = OLD.replace(STUB, "return 8")
    made = join_file("babygrad/x.py", OLD.encode(), mine.encode(), new.encode())
    assert kept in made.data.decode() and made.given == given and not made.notes


def test_a_method_keeps_its_text_that_begins_in_the_first_column():
    old = f"class A:\n    def f(self):\n        {STUB}\n\n    def g(self):\n        return 1\n"
    mine = old.replace(STUB, 'return """\nfirst\n"""', 1)
    made = join_file("babygrad/x.py", old.encode(), mine.encode(), old.replace("1", "2").encode())
    assert 'return """\nfirst\n"""' in made.data.decode() and "return 2" in made.data.decode()
    assert not made.notes
