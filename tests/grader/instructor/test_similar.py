"""Whose code is alike: whatever its names, and nothing of what everybody has."""

from __future__ import annotations

import random

import pytest

from grader.classroom.similar import SHARE, Prints, of_records

from .conftest import write_package, wrong
from .test_prints import of


def body(number: int, lines: int = 40) -> str:
    """A text of one's own."""
    drawn = random.Random(number)
    steps = [f"    x = x.{drawn.choice('abcdefgh')}({drawn.randrange(99)})" for _ in range(lines)]
    return "\n".join(["def f(x):", *steps, "    return x"])


def record(name: str, *texts: str) -> dict[str, object]:
    made = "\n\n".join(t.replace("def f", f"def f{n}") for n, t in enumerate(texts))
    return {"learner": name, "result": {"chapters": []}, "prints": of(made)}


def test_clusters_are_those_who_share_what_few_have():
    everybody = body(-1)
    alone = [record(f"l{n}", body(n), everybody) for n in range(40)]
    ring = [record(name, body(99), body(100 + n, 20), everybody) for n, name in enumerate("pqr")]
    weak = [record("w", body(0, 10), body(200), body(201), everybody)]
    assert of_records(alone) == []
    (found,) = of_records([*alone, *ring, *weak])
    assert found.learners == ["p", "q", "r"] and found.share >= SHARE
    assert found.places[0] == "ops.f0"


def test_a_class_is_no_quadratic_matter():
    """Ten times the class holds ten times the numbers, and no pair of strangers is looked at."""
    made = Prints()
    for n in range(2000):
        made.add(n, of(body(n % 1000)))
    assert len(made.alike(2000)) == 1000


STYLE = {
    "init__gain": """\
table = dict(linear=1.0, sigmoid=1.0, tanh=5.0 / 3.0)
table["relu"] = np.sqrt(np.asarray(2.0)).item()
found = table.get(str(nonlinearity).lower().strip(), None)
if found is None:
    raise ValueError("no such nonlinearity: " + repr(nonlinearity))
return float(found)""",
    "init__xavier_uniform": """\
wide = np.sqrt(6.0) / np.sqrt(float(fan_in) + float(fan_out))
size = (fan_in, fan_out) if shape is None else tuple(shape)
drawn = 2.0 * np.random.random_sample(size=size) - np.ones(size)
return Tensor(np.multiply(drawn, wide * gain), dtype=dtype, requires_grad=requires_grad)""",
}


@pytest.mark.usefixtures("course")
def test_who_hands_in_the_same_under_other_names_stands_on_the_pages(grader, course, tmp_path):
    own = wrong(course, **STYLE)
    others = {"table": "all_of_them", "found": "it", "drawn": "values", "wide": "k"}
    renamed = dict(STYLE)
    for before, after in others.items():
        renamed = {name: text.replace(before, after) for name, text in renamed.items()}
    write_package(tmp_path / "in" / "ann", own)
    write_package(tmp_path / "in" / "ben", wrong(course, **renamed))
    write_package(tmp_path / "in" / "eve", course.solved())
    out = str(tmp_path / "out")
    ran = grader("grade", str(tmp_path / "in"), "--out", out, "--seed", "public",
                 "--chapters", "chapter7", "--jobs", "1")  # fmt: skip
    assert ran.status == 0, ran.err
    ran = grader("insights", out, "--html", str(tmp_path / "map.html"))
    assert "ann, ben: up to 100 %, in init." in ran.out and "eve:" not in ran.out
    assert "ann: much the same code as ben" in ran.out
    assert grader("export", "html", out, "--out", str(tmp_path / "pages")).status == 0
    for page in ("map.html", "pages/index.html"):
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert "Much the same code" in text and "init.xavier_uniform" in text
    assert "Much the same" not in (tmp_path / "pages/learners/ann.html").read_text()
    hidden = grader("insights", out, "--anonymous")
    assert "ann" not in hidden.out and "much the same" not in hidden.out.lower()
