"""What travels to the worker, offered in the place of what a learner writes."""

from __future__ import annotations

from types import SimpleNamespace

from grader.audit import shipped_code
from grader.audit.shipped_code import arguments_of, earns_nothing, functions, takes, travelling


def test_definitions_are_called_with_as_many_arguments_as_they_name():
    sources = {"ops.py": "class A:\n    def f(self, a):\n        def inner(x): pass\n",
               "engines/b.py": "def g(): pass\n"}  # fmt: skip
    assert arguments_of(sources) == {"ops.A.f": 2, "engines.b.g": 0}


def test_a_helper_takes_what_it_can_be_called_with():
    assert takes(lambda a, b=1: a, 1) and takes(lambda a, b=1: a, 2)
    assert not takes(lambda a: a, 2) and not takes(lambda *, a: a, 0)


def test_functions_are_found_in_tables_too_and_only_the_courses_own():
    def ours(x):
        return x

    ours.__module__ = "tests.programs.fake"
    held = {"f": ours, "TABLE": {"a": (ours,)}, "__hidden__": ours, "other": len, "n": 1}
    assert dict(functions(held, "M", "{}.{}")) == {"M.f": ours, "M.TABLE['a'][0]": ours}


def test_every_program_that_travels_is_met():
    words = [each for each, _ in travelling()]
    assert 'sys.modules["programs.operators"].vjp' in words and len(set(words)) == len(words)
    assert all(eval(each, {"sys": fake()}) is function for each, function in travelling())


def fake():
    """`sys.modules` as a worker has it, which calls the programs by a shorter name."""
    import sys

    names = [name for name in sys.modules if name.startswith("tests.programs.")]
    return SimpleNamespace(modules={n.removeprefix("tests."): sys.modules[n] for n in names})


def test_points_for_a_borrowed_helper_are_a_problem(monkeypatch):
    exercise = SimpleNamespace(id="chapter1.a", given=False, targets=["ops.f"])
    sources: list[dict[str, str]] = []

    def scores(package, ids):
        sources.append(package)
        return [(id, 2.0 if "second" in package["ops.py"] else 0.0) for id in ids]

    course = SimpleNamespace(
        solved=lambda: {"ops.py": "def f(a, b): pass\n"}, exercises={"chapter1.a": exercise},
        patched=lambda bodies: {"ops.py": f"# {bodies}\n"},
    )  # fmt: skip
    chapter = SimpleNamespace(id="chapter1", exercises=[exercise])
    proof = SimpleNamespace(chapters=[chapter], ids={"chapter1.a"}, course=course, scores=scores)
    asked = []
    monkeypatch.setattr(
        shipped_code, "matching", lambda p, c, n: asked.append((c, n)) or ["first", "second"]
    )
    (problem,) = earns_nothing(proof)
    assert asked == [("chapter1", 2)] and problem.what == "2 points for ops.f = second"
    assert [s["ops.py"].splitlines()[-1] for s in sources] == ["f = first", "f = second"]
    assert "raise ValueError" in sources[0]["ops.py"]
