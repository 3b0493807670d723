"""Terms: what the short route asks, and the change of route and formulas, back and forth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.course.formulas import hide_formulas
from grader.course.outline import FORMULAS, FULL, HIDDEN, ROUTES, SHORT, SHOWN, Terms
from grader.course.package import module_of
from grader.course.splice import is_unwritten, target_file
from grader.course.syntax_tree import make_stub_body, rewritten
from grader.learner.route import change_terms, swap_body, swap_docstrings

from .whole_course import whole_course

COURSE = whole_course()
SOLVED = sorted(COURSE.solved_on(SHORT))
TARGETS = sorted(t for id in SOLVED for t in COURSE.exercises[id].targets)
FIRST = 1


EVERY = [Terms(route, formulas) for route in ROUTES for formulas in FORMULAS]


@cache
def stubs(terms: Terms) -> dict[str, str]:
    return COURSE.stubs(FIRST, *terms)


def changed(mine: Mapping[str, str], before: Terms, after: Terms, own: list[str]):
    """The package and the learner's own targets after a change of terms."""
    found = change_terms(COURSE, FIRST, (before, after), mine, own)
    return {**mine, **found.texts}, found.kept


def test_the_short_route_asks_for_half_of_chapter_3_and_for_some_of_each_kind():
    asked = [e.id for e in COURSE.chapters[2].exercises if not e.given and e.id not in SOLVED]
    assert 25 <= len(asked) <= 35
    assert all(kind.asked and kind.given for c in COURSE.chapters for kind in c.kinds)


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("before", EVERY)
def test_an_untouched_package_is_that_of_the_other_terms_after_the_change(before):
    for after in EVERY:
        assert changed(stubs(before), before, after, [])[0] == stubs(after)


# What a learner may have made of a stub: its target's body, and whether it is theirs.
WAYS = {
    "left": (None, False),
    "a note": ("# mine: why?", False),
    "as the course": ("", True),
    "another": ("return 1  # mine", True),
    "nothing": ("pass", True),
}


def written(ways: Mapping[str, str], formulas: str) -> dict[str, str]:
    """The package of the full route, in which a learner has treated targets in some way."""

    def body(region):
        exercise = COURSE.owner[region.owner]
        stub = make_stub_body(exercise.id, exercise.section)
        text, is_theirs = WAYS[ways.get(region.owner, "left")]
        if text is None:
            return stub
        return (text or region.body) if is_theirs else f"{text}\n{stub}"

    texts = {n: rewritten(module_of(n), t, body) for n, t in COURSE.solutions.items()}
    edits = COURSE.edited_docstrings if formulas == HIDDEN else {}
    return texts | hide_formulas(texts, edits)


@settings(max_examples=8)  # each changes the whole package twice
@pytest.mark.long
@given(
    st.dictionaries(st.sampled_from(TARGETS), st.sampled_from([*WAYS]), min_size=4, max_size=20),
    st.sampled_from(FORMULAS), st.sampled_from(FORMULAS),
)  # fmt: skip
def test_nothing_of_a_learner_is_lost_on_the_way_to_the_short_route_and_back(ways, here, there_is):
    before, after = Terms(FULL, here), Terms(SHORT, there_is)
    mine = written(ways, here)
    there, own = changed(mine, before, after, [])
    theirs = {target for target, way in ways.items() if WAYS[way][1]}
    assert set(own) == theirs
    files = {name: text.encode() for name, text in there.items()}
    assert not [target for target in TARGETS if is_unwritten(target, files)]
    for target in theirs:
        file, _ = target_file(target, mine)
        assert WAYS[ways[target]][0] in there[file]
    assert sum(text.count("# mine: why?") for text in there.values()) == sum(
        way == "a note" for way in ways.values()
    )
    assert changed(there, after, before, own)[0] == mine


def test_an_edited_body_that_came_solved_stays():
    text = stubs(Terms(SHORT))["ops.py"]
    edited = text.replace("return a - b\n", "return a + -b\n")
    assert edited != text
    short = {**stubs(Terms(SHORT)), "ops.py": edited}
    found, kept = changed(short, Terms(SHORT), Terms(FULL), [])
    assert kept == ["ops.Sub.forward"] and "return a + -b\n" in found["ops.py"]


@pytest.mark.parametrize("mine, becomes", [
    ("def f(a):\r\n    # x\r\n    raise NotImplementedError\r\n", "# x\r\n    return a\r\n"),
    ("def f(a):\n    'Doc of mine.'\n\n    raise NotImplementedError\n", "mine.'\n    return a\n"),
    ("def f(a): raise NotImplementedError\n", None),
    ("def f(a):\n    raise NotImplementedError(a)\n", None),
    ("def g(a):\n    raise NotImplementedError\n", None),
])  # fmt: skip
def test_only_a_body_that_is_as_it_came_is_replaced(mine, becomes):
    stub = "def f(a):\n    raise NotImplementedError\n"
    found = swap_body("f", mine, stub, "def f(a):\n    return a\n")
    assert found is None if becomes is None else found is not None and found.endswith(becomes)


def wanted(docstring: str, end: str = "\n") -> str:
    return end.join(["class A:", "  def f(a):", *docstring.split("\n"), "    return 1  # mine", ""])


@pytest.mark.parametrize("mine, becomes", [
    (wanted('    """2a."""'), wanted('    """Slope.\n\n    Finite.\n    """')),
    (wanted('    """2a."""', "\r\n"), wanted('    """Slope.\n\n    Finite.\n    """', "\r\n")),
    (wanted('    """2a, I see."""'), None),
    ("class A:\n  def f(a): pass\n", None),
    ("class A:\n  pass\n", None),
])  # fmt: skip
def test_only_a_docstring_that_is_as_it_came_is_replaced(mine, becomes):
    was = 'class A:\n    def f(a):\n        """2a."""\n        raise NotImplementedError\n'
    come = was.replace('2a."""', 'Slope.\n\n        Finite.\n        """')
    text, swapped = swap_docstrings(["A.f"], mine, was, come)
    assert text == (becomes or mine) and swapped == {"A.f": becomes is not None}
    assert swap_docstrings(["A.f"], mine, was, was) == (mine, {})


def state_of(work: Path) -> dict[str, object]:
    return json.loads((work / ".grader" / "workspace.json").read_text())


def test_a_workspace_on_the_short_route_has_its_own_total(grader, tmp_path):
    made = grader("init", "work", "--from", "chapter3", "--route", SHORT, cwd=tmp_path)
    assert made.status == 0 and "on the short route" in made.out
    work = tmp_path / "work"
    told = grader("check", "chapter3", "--json", cwd=work)
    statuses = told.statuses()
    assert {id for id, status in statuses.items() if status == "given"} >= {
        id for id in SOLVED if id.startswith("chapter3.")
    }
    worth = sum(e.points for e in COURSE.chapters[2].exercises if e.id not in SOLVED)
    assert told.result["score"] == 0 and told.result["max_score"] == worth
    told = grader("status", cwd=work)
    assert f"/ {worth:g}" in told.out and "On the short route, which gives 30" in told.out
    assert "chapter3.div.forward" in told.out.splitlines()[-1]


def test_a_route_is_changed_later_and_results_are_kept(grader, tmp_path):
    grader("init", "work", "--from", "chapter3", cwd=tmp_path)
    work, path = tmp_path / "work", tmp_path / "work" / "babygrad" / "ops.py"
    stub = make_stub_body("chapter3.sub.forward", "3.2").replace("\n", "\n        ")
    path.write_text(path.read_text().replace(stub, "return -b + a"))
    mine = path.read_text()
    assert grader("check", "Sub.forward", cwd=work).status == 0
    short = grader("update", "--route", SHORT, cwd=work)
    assert short.status == 0 and "What you wrote stays: ops.Sub.forward." in short.out
    assert state_of(work)["route"] == SHORT
    assert "return -b + a" in path.read_text() and "return np.exp(a)" in path.read_text()
    grader("check", "chapter3", cwd=work)
    assert "you changed it" not in grader("status", cwd=work).out
    full = grader("update", "--route", FULL, cwd=work)
    assert full.status == 0 and path.read_text() == mine and state_of(work)["own"] == []
    assert "1 of 60" in grader("status", cwd=work).out
    assert "already" in grader("update", "--route", FULL, cwd=work).out


def test_what_is_reset_on_the_short_route_is_no_longer_the_learners(grader, tmp_path):
    grader("init", "work", "--from", "chapter3", cwd=tmp_path)
    work, path = tmp_path / "work", tmp_path / "work" / "babygrad" / "ops.py"
    untouched = path.read_text()
    stub = make_stub_body("chapter3.sub.forward", "3.2").replace("\n", "\n        ")
    path.write_text(untouched.replace(stub, "return b - a"))
    grader("update", "--route", SHORT, cwd=work)
    assert grader("reset", "Sub.forward", "--yes", cwd=work).status == 0
    assert state_of(work)["own"] == []
    grader("update", "--route", FULL, cwd=work)
    assert path.read_text() == untouched


@pytest.mark.parametrize("words, says", [
    (("update",), "Name one"),
    (("update", "bundle", "--route", "short"), "Name one"),
    (("update", "--route", "long"), "invalid choice"),
    (("update", "bundle", "--formulas", "hidden"), "Name one"),
])  # fmt: skip
def test_a_route_or_a_release_is_named(words, says, workspace, grader):
    ran = grader(*words, cwd=workspace)
    assert ran.status == 2 and says in ran.err


def test_a_file_that_is_no_python_is_mended_first(grader, tmp_path):
    grader("init", "work", "--from", "chapter3", cwd=tmp_path)
    path = tmp_path / "work" / "babygrad" / "ops.py"
    path.write_text(path.read_text() + "def (\n")
    ran = grader("update", "--route", SHORT, cwd=tmp_path / "work")
    assert ran.status == 2 and "Mend that line first" in ran.err
    assert "route" not in state_of(tmp_path / "work")


def test_hidden_formulas_are_hints_until_they_are_shown(grader, tmp_path):
    made = grader("init", "work", "--from", "chapter3", "--formulas", HIDDEN, cwd=tmp_path)
    assert made.status == 0 and "with hidden formulas" in made.out
    work, path = tmp_path / "work", tmp_path / "work" / "babygrad" / "ops.py"
    assert state_of(work)["formulas"] == HIDDEN and "d(a/b)/db" not in path.read_text()
    hints = [grader("hint", "Div.backward", cwd=work).out for _ in range(4)]
    assert "hint 4 of 4" in hints[-1] and "d(a/b)/da = 1/b, d(a/b)/db = -a/b²" in hints[-1]
    assert not any("d(a/b)/db" in hint for hint in hints[:-1])
    assert "the last hint has them" in grader("status", cwd=work).out
    stub = make_stub_body("chapter3.sub.backward", "3.4").replace("\n", "\n        ")
    path.write_text(path.read_text().replace(stub, "return out_grad, -out_grad"))
    log = '"""The gradient of ``a``.'  # of Log
    mine = path.read_text()
    at = mine.index("def backward", mine.index("class Log("))
    path.write_text(mine[:at] + mine[at:].replace(log, f"{log} Aha:", 1))
    mine = path.read_text()
    shown = grader("update", "--formulas", SHOWN, cwd=work)
    assert shown.status == 0 and "Your own docstrings stay: ops.Log.backward." in shown.out
    text = path.read_text()
    assert "d(a/b)/db" in text and "return out_grad, -out_grad" in text and "Aha:" in text
    assert "hint 3 of 3" in grader("hint", "Div.backward", cwd=work).out
    assert "hidden" not in grader("status", cwd=work).out
    grader("update", "--formulas", HIDDEN, cwd=work)
    assert path.read_text() == mine
    assert "already" in grader("update", "--formulas", HIDDEN, cwd=work).out


@pytest.mark.parametrize("asked, says", [
    (("--route", SHORT), "grader update --route short"),
    (("--formulas", SHOWN), "grader update --formulas shown"),
    (("--from", "chapter4"), "Make a new workspace"),
])  # fmt: skip
def test_a_workspace_that_is_there_keeps_its_terms(asked, says, grader, tmp_path):
    grader("init", "work", "--from", "chapter3", "--formulas", HIDDEN, cwd=tmp_path)
    work = tmp_path / "work"
    (work / "babygrad" / "ops.py").unlink()
    ran = grader("init", "work", *asked, cwd=tmp_path)
    assert ran.status == 2 and says in ran.err and not (work / "babygrad" / "ops.py").exists()
    ran = grader("init", "work", cwd=tmp_path)  # brings back what is missing, as it was
    assert ran.status == 0 and "begins at chapter3, with hidden formulas" in ran.out
    text = (work / "babygrad" / "ops.py").read_text()
    assert text == COURSE.stubs(3, FULL, HIDDEN)["ops.py"]


@pytest.mark.parametrize("asked, says", [
    (("--route", SHORT), "no short route"), (("--formulas", HIDDEN), "no formulas to hide"),
])  # fmt: skip
def test_a_course_has_no_terms_that_its_authors_left_out(asked, says, grader, tmp_path):
    from .option_scene import COURSE as OTHER

    ran = grader("init", "work", *asked, cwd=tmp_path, GRADER_COURSE=str(OTHER))
    assert ran.status == 2 and says in ran.err
