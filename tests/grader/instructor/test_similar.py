"""The fingerprints of a text: the same whatever its names, and none of what everybody has.

Whose code is alike: whatever its names, and nothing of what everybody has.
"""

from __future__ import annotations

import ast
import random

import pytest

from grader.classroom.analysis.similar import (
    SHARE,
    CommonCode,
    FingerprintIndex,
    cluster_records,
    collect_common_code,
    decode_fingerprints,
    encode_fingerprints,
    fingerprint_files,
    winnow,
)

from .conftest import write_package, wrong

NOBODY = CommonCode(frozenset(), frozenset(), frozenset())


ORIGINAL = '''
def walk(node):
    """Everything below, in order."""
    found, seen = [], set()
    stack = [(node, iter(node._inputs))]
    while stack:
        here, left = stack[-1]
        following = next(left, None)
        if following is None:
            found.append(stack.pop()[0])
        elif id(following) not in seen:
            seen.add(id(following))
            stack.append((following, iter(following._inputs)))
    return list(reversed(found))


def spread(values, axes):
    total = np.zeros(values.shape)
    for axis in sorted(axes, reverse=True):
        total = total + np.expand_dims(values.sum(axis=axis), axis)
    return total / max(1, len(axes))
'''


DISGUISED = '''
def spread(v, a):
    # my own work
    t = np.zeros( v.shape )
    for k in sorted(a, reverse=True): t = t + np.expand_dims(v.sum(axis=k), k)
    return (t / max(1, len(a)))

def walk(root):
    result, done = [], set()
    todo = [(root, iter(root._inputs))]
    while todo:
        current, rest = todo[-1]
        other = next(rest, None)
        if other is None:
            result.append(todo.pop()[0])
        elif id(other) not in done:
            done.add(id(other))
            todo.append((other, iter(other._inputs)))
    return list(reversed(result))
'''  # fmt: skip


def of(text: str) -> dict[str, str]:
    return fingerprint_files({"ops.py": text.encode()}, NOBODY)


def test_names_comments_spaces_and_order_are_no_disguise():
    assert of(ORIGINAL) == of(DISGUISED) and set(of(ORIGINAL)) == {"ops.walk", "ops.spread"}
    other = of(ORIGINAL.replace(".sum(", ".mean("))
    assert other["ops.walk"] == of(ORIGINAL)["ops.walk"]
    assert other["ops.spread"] != of(ORIGINAL)["ops.spread"]


def test_a_shared_run_of_tokens_shares_a_fingerprint():
    """The promise of winnowing, wherever the run lies in the two texts."""
    drawn = random.Random(0)
    for _ in range(200):
        run = [drawn.randrange(2**32) for _ in range(4)]
        texts = [
            [drawn.randrange(2**32) for _ in range(drawn.randrange(9))] + run
            + [drawn.randrange(2**32) for _ in range(drawn.randrange(9))]
            for _ in range(2)
        ]  # fmt: skip
        assert winnow(texts[0]) & winnow(texts[1])
    assert decode_fingerprints(encode_fingerprints({7, 2**32 - 1})) == (7, 2**32 - 1)


@pytest.mark.long
def test_what_everybody_has_need_not_be_read_to_say_nothing(course):
    """A file that is known is left out, and nothing that stands beside it."""
    known = collect_common_code(course, 3)
    mine = course.replace_bodies(
        {"ops.Div.backward": "return my(own, code, for_it, [1, 2, 3], out_grad)"}
    )
    files = {name: f"{text}{ORIGINAL}".encode() for name, text in mine.items()}
    assert fingerprint_files(files, known) == fingerprint_files(
        files, known._replace(files=frozenset())
    )
    whole = known._replace(files=frozenset([ORIGINAL]))
    assert fingerprint_files({"ops.py": ORIGINAL.encode()}, whole) == {}


def of_file(text: str, module: str) -> dict[str, str]:
    return fingerprint_files({f"{module}.py": text.encode()}, NOBODY)


@pytest.mark.long
def test_what_the_course_knows_says_nothing(course):
    known = collect_common_code(course, 3)
    mistaken = course.replace_bodies({"ops.Div.backward": course.exercises[
        "chapter3.div.backward"].mistakes[0].body})  # fmt: skip
    for texts in (course.stubs(0), course.stubs(3), course.solved(), mistaken):
        assert fingerprint_files({n: t.encode() for n, t in texts.items()}, known) == {}
    renamed = ast.unparse(ast.parse(course.solved()["ops.py"])).replace("out_grad", "g")
    assert fingerprint_files({"ops.py": renamed.encode()}, known) == {}


def test_no_python_and_deep_python_have_none():
    deep = f"def f():\n    return {'-' * 20_000}1\n"
    for text in ("def f(:\n", deep, "\0", "def f():\n    'only a docstring'\n"):
        assert of(text) == {}


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
    assert cluster_records(alone) == []
    (found,) = cluster_records([*alone, *ring, *weak])
    assert found.learners == ["p", "q", "r"] and found.share >= SHARE
    assert found.places[0] == "ops.f0"


@pytest.mark.long
def test_a_class_is_no_quadratic_matter():
    """Ten times the class holds ten times the numbers, and no pair of strangers is looked at."""
    made = FingerprintIndex()
    for n in range(400):
        made.add(n, of(body(n % 200)))
    assert len(made.find_similar_pairs(400)) == 200


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
    assert "ann, ben: much the same code\n" in ran.out
    assert grader("export", "html", out, "--out", str(tmp_path / "pages")).status == 0
    for page in ("map.html", "pages/index.html"):
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert "Much the same code" in text and "init.xavier_uniform" in text
    assert "Much the same" not in (tmp_path / "pages/learners/ann.html").read_text()
    hidden = grader("insights", out, "--anonymous")
    assert "ann" not in hidden.out and "much the same" not in hidden.out.lower()
