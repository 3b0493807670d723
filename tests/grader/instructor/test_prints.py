"""The fingerprints of a text: the same whatever its names, and none of what everybody has."""

from __future__ import annotations

import ast
import random

from grader.classroom.prints import Known, blocks_of, packed, prints, unpacked, winnowed
from grader.classroom.prints import known as known_code

NOBODY = Known(frozenset(), frozenset(), frozenset())


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
    return prints({"ops.py": text.encode()}, NOBODY)


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
        assert winnowed(texts[0]) & winnowed(texts[1])
    assert unpacked(packed({7, 2**32 - 1})) == (7, 2**32 - 1)


def test_what_everybody_has_need_not_be_read_to_say_nothing(course):
    """A block that is known is left out, and nothing that stands beside it."""
    known = known_code(course, 3)
    for text in known.files:
        assert all(ast.parse(block).body for block in blocks_of(text))
    mine = course.patched({"ops.Div.backward": "return my(own, code, for_it, [1, 2, 3], out_grad)"})
    files = {name: f"{text}{ORIGINAL}".encode() for name, text in mine.items()}
    files["long.py"] = f"TEXT = '''\n{ORIGINAL}'''\ndef pad():\n    return 1\n".encode()
    assert prints(files, known) == prints(files, known._replace(blocks=frozenset()))
    in_a_string = known._replace(blocks=frozenset(blocks_of(ORIGINAL)))
    assert prints({"ops.py": ORIGINAL.encode()}, in_a_string) == {}
    cut = 'def f():\n    """\ndef g():\n    """\n    return [x for x in range(9) if x % 2]\n'
    halves = known._replace(blocks=frozenset(['def f():\n    """']))
    assert prints({"a.py": cut.encode()}, halves) == of_file(cut, "a")


def of_file(text: str, module: str) -> dict[str, str]:
    return prints({f"{module}.py": text.encode()}, NOBODY)


def test_what_the_course_knows_says_nothing(course):
    known = known_code(course, 3)
    mistaken = course.patched({"ops.Div.backward": course.exercises[
        "chapter3.div.backward"].mistakes[0].body})  # fmt: skip
    for texts in (course.stubs(0), course.stubs(3), course.solved(), mistaken):
        assert prints({n: t.encode() for n, t in texts.items()}, known) == {}
    renamed = ast.unparse(ast.parse(course.solved()["ops.py"])).replace("out_grad", "g")
    assert prints({"ops.py": renamed.encode()}, known) == {}


def test_no_python_and_deep_python_have_none():
    deep = f"def f():\n    return {'-' * 20_000}1\n"
    for text in ("def f(:\n", deep, "\0", "def f():\n    'only a docstring'\n"):
        assert of(text) == {}
