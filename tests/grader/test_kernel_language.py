"""The language of counted loops: what it takes, what it refuses, and that nothing else runs."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader import root
from tests.programs.kernel_language import NotAKernel, NotANumber, compile_kernel, parse_function

HEAD = """import math, numpy as np
HALF = 0.5
BOX = [1.0, 2.0]


def halve(x):
    return x * HALF


def again(x):
    return again(x - 1) if x > 0 else x


def reads(a, i):
    return a[i]


"""


def function_of(text: str) -> Any:
    """Define a module of this text; return its function `f`.

    The module has a helper under names that are somebody else's: an array's method, a parameter.
    """
    names: dict[str, Any] = {
        "__name__": "kernels", "__loader__": SimpleNamespace(get_source=lambda name: text),
    }  # fmt: skip
    exec(compile(text, "kernels.py", "exec"), names)
    names["a.touch"] = names["n"] = names.get("halve")
    return names["f"]


def kernel_of(body: str, head: str = "def f(a, out, n):", **options: Any) -> Any:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return compile_kernel(function_of(f"{HEAD}{head}\n{lines}\n"), **options)


TAKEN = {
    "for i in range(n):\n    out[i] = a[i] * 2.0": [2.0, 4.0, 6.0],
    "for i in range(n - 1, -1, -1):\n    out[n - 1 - i] = a[i]": [3.0, 2.0, 1.0],
    "i = 0\nwhile i < n:\n    out[i] += halve(a[i])\n    i += 1": [0.5, 1.0, 1.5],
    "out[0] = max(a[0], min(a[1], 2), abs(-9.5)) if n > 2 and not a[0] > a[1] else 0": [9.5, 0, 0],
    "for i in range(0, n, 2):\n    if i == 1 or i > 1:\n        break\n    out[i] = math.sqrt(4.0)":
        [2.0, 0, 0],
    "x: float = float(int(7 / 2)) + math.pi * 0 + HALF\nout[1] = x": [0, 3.5, 0],
    "for i in range(n):\n    pass\nfor i in range(n):\n    if 0 < i < 2:\n        continue\n"
    "    out[i] = i // 2 % 2 - (1 << i)": [-1, 0, -3],
    "if n > 0:\n    return\nout[0] = 1.0": [0, 0, 0],
}  # fmt: skip


@pytest.mark.parametrize("body", TAKEN)
def test_kernel_computes_what_its_text_says(body: str) -> None:
    out = [0.0, 0.0, 0.0]
    kernel_of(body)([1.0, 2.0, 3.0], out, 3)
    assert out == TAKEN[body]


REFUSED = {
    "b = [a[0], a[1]]": "a list",
    "b = list(a)": "`list(…)`",
    "out[0] = sum(a)": "`sum(…)`",
    "b = np.array(a)": "`np.array(…)`",
    "out[0] = len(a)": "`len(…)`",
    "b = a\nout[0] = a[0]": "`a` as a whole",
    "out[0] = max(a)": "`max(a)`",
    "out[0] = reads(a, 0)": "`a` is no array",
    "reads(a, 0)": "a helper is given numbers",
    "out[0:2] = 1.0": "a slice",
    "out[0, 1] = 1.0": "a tuple",
    "out[0] = out[1] = 1.0": "two names",
    "x, y = 1.0, 2.0": "a tuple",
    "x, y = a[0]": "a tuple",
    "b = {0: a[0]}": "a dict",
    "b = {a[0]}": "a set",
    "out[0] = (lambda: 1.0)()": "CALL",
    "out[0] = sum(x for x in a)": "`sum(…)`",
    "def g():\n    return 1.0": "a function inside",
    "global BOX\nBOX = 1": "`global BOX`",
    "BOX[0] = 1.0": "`BOX` is no array",
    "out[0] = BOX[0]": "`BOX` is no array",
    "BOX.append(a[0])": "nobody keeps",
    "out[0] = a.values[0]": "no array",
    "out[0] = a.begin": "`a.begin`",
    "out[0] = getattr(a, 'begin')": "`getattr(…)`",
    "eval('1')": "nobody keeps",
    "out[0] = eval('1')": "`eval(…)`",
    "import os": "`import os`",
    "range = a": "`range` is a word",
    "min = 1.0\nout[0] = min": "`min` is a word",
    "out = 1.0\nout[0] = 1.0": "`out` is an array",
    "for i in a:\n    out[0] = 1.0": "goes over a `range`",
    "for i in range(n):\n    i += 1": "counts a loop",
    "for i in range(n):\n    out[i] = 1.0\nout[0] = i": "`i` has no number",
    "for i in range(n):\n    n = n + 1": "changes inside",
    "for i in range(n):\n    pass\nelse:\n    out[0] = 1.0": "no `else`",
    "i = 0\nfor i in range(n):\n    pass": "has a number already",
    "out[0] = x": "`x` has no number",
    "out[0] = a[0] and a[1]": "`and` or `or`",
    "out[0] = (y := 1.0)": "`(y := 1.0)`",
    "out[0] = 'text'": "`'text'`",
    "out[0] = f'{n}'": "`f'{n}'`",
    "out[0] = a[0] @ a[1]": "`a[0] @ a[1]`",
    "return 1.0": "a value that is returned",
    "out[0] = again(1)": "`again(…)`",
    "out[0] = halve(x=1.0)": "a call takes numbers",
    "out[0] = halve(1.0, x=1.0)": "`halve(1.0, x=1.0)`",
    "try:\n    out[0] = 1.0\nexcept Exception:\n    pass": "`try`",
    "with a:\n    pass": "`with a:`",
    "yield": "nobody keeps",
    "del out[0]": "`del out[0]`",
    "assert n": "`assert n`",
    "a[0]": "nobody keeps",
    "out[0] = math.__dict__": "`math.__dict__`",
    "out[0] = f(a, out, n)": "`f(…)`",
    "out[0] = a[0]\nout[0] = a[1:2][0]": "no array",
    "x = math.modf(a[0])": "`math.modf(…)`",
    "x = math.dist(a[0], a[1])": "`math.dist(…)`",
    "x = math.__dir__()": "`math.__dir__(…)`",
    "for i in range(n, **out.values.__setitem__(0, a.values[1]) or {}):\n    pass":
        "a loop has one name",
    "x = a.touch(0)": "`a.touch(…)`",
    "x = n(1.0)": "`n(…)`",
    "out[0] = a[0] is a[1]": "`a[0] is a[1]`",
    "out[0] = n in n": "`n in n`",
    "if ~(a[0] and a[1]):\n    out[0] = 1.0": "`and` or `or`",
}  # fmt: skip


@pytest.mark.parametrize("body", REFUSED)
def test_refusal_names_the_line_and_the_word(body: str) -> None:
    with pytest.raises(NotAKernel) as refused:
        kernel_of(body)
    wanted = REFUSED[body]
    assert ("can call" if wanted == "CALL" else wanted) in refused.value.says
    begin = 1 if "again" in body or "reads" in body else HEAD.count("\n") + 2  # in a helper
    assert begin <= refused.value.line <= HEAD.count("\n") + 2 + body.count("\n")
    assert str(refused.value).startswith(f"line {refused.value.line}: ")


HEADS = (
    "def f(a, out, n=3):", "def f(a, *out, n):", "def f(a, out, **n):", "def f(a, out, /, n):",
    "def f(min, a, n, out):", "@halve\ndef f(a, out, n):", "def f(a, f, out):",
)  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
def test_odd_parameters_are_refused(head: str) -> None:
    text = f"{HEAD}{head}\n    out[0] = a[0]\n"
    if head.startswith("@"):
        text = text.replace("def halve(x):\n    return x * HALF", "def halve(x):\n    return x")
    with pytest.raises(NotAKernel):
        compile_kernel(function_of(text))


# One value in which there would be room for several words.
LONG = (
    "x = 1 << 64", "x = -(1 << 64)", "x = 1\nx <<= 70", "x = (-1) ** 0.5",
    "out[0] = halve(1 << 64)",
    "for i in range(n):\n    if i > 1:\n        x: int = 2 ** 64 + i",
)  # fmt: skip


@pytest.mark.parametrize("body", LONG)
def test_number_has_64_bits(body: str) -> None:
    kernel = kernel_of(f"{body}\nout[0] = a[0]")
    with pytest.raises(NotANumber):
        kernel([1.0], [0.0], 3)


def test_a_kernel_with_its_helpers_has_64_names() -> None:
    names = [f"x{number}" for number in range(59)]  # beside a, out, n and halve's x
    body = "\n".join(f"{name} = {number}" for number, name in enumerate(names))
    kernel_of(f"{body}\nout[0] = halve(a[0])")
    with pytest.raises(NotAKernel, match="65 names"):
        kernel_of(f"{body}\ny = 1\nz = 1\nout[0] = halve(a[0])")


@pytest.mark.parametrize("kind", [int, float])
def test_number_of_a_module_does_nothing_but_count(kind: type) -> None:
    """Its class is left behind, and so is what `math` became after the import."""
    called = []

    class Number(kind):  # type: ignore[misc, valid-type]
        def __mul__(self, other: object) -> object:
            called.append(self)
            return 7.0

        __rmul__ = __add__ = __int__ = __float__ = __index__ = __mul__

    f = function_of(f"{HEAD}def f(a, out, n):\n    out[0] = MINE * a[0] + 2 * MINE\n")
    f.__globals__["MINE"] = Number(3)
    out = [0.0]
    compile_kernel(f)([1.0], out, 1)
    assert out == [9.0] and not called


def test_kernel_keeps_the_functions_of_math(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("math.sqrt", lambda _: 7.0)
    out = [0.0]
    kernel_of("out[0] = math.sqrt(a[0])")([4.0], out, 1)
    assert out == [2.0]


def test_text_of_a_kernel_stays_whoever_reads_it() -> None:
    text = f"{HEAD}def f(a, out, n):\n    x = halve(a[0])\n    x += 1.0\n    out[0] = x\n"
    function = function_of(text)
    before = ast.dump(parse_function(function))
    compile_kernel(function)
    assert ast.dump(parse_function(function)) == before


def test_something_else_than_a_function_is_refused() -> None:
    with pytest.raises(NotAKernel):
        compile_kernel(max)


def test_only_what_was_read_runs() -> None:
    """A function whose code was exchanged runs as its text says."""
    f = function_of(f"{HEAD}def f(a, out, n):\n    out[0] = a[0]\n")
    f.__code__ = f.__code__.replace(co_consts=(None, 7))
    out = [0.0]
    compile_kernel(f)([3.0], out, 1)
    assert out == [3.0]


def test_stub_is_not_written_yet() -> None:
    with pytest.raises(NotImplementedError):
        kernel_of('"""Text."""\nraise NotImplementedError')


THREADS = """s = t.shared("s", 4)
v = t.local(2)
v[0] = a[t.x]
s[t.x] = v[0]
yield
t.atomic_add(out, t.x % 2, s[t.x])"""


def test_thread_has_memory_barriers_and_atomics() -> None:
    class Thread:
        def __init__(self, x: int) -> None:
            self.x = x

        def shared(self, name: str, size: int) -> list[float]:
            return shared

        def local(self, size: int) -> list[float]:
            return [0.0] * size

        def atomic_add(self, array: list[float], index: int, value: float) -> None:
            array[index] += value

    shared, out = [0.0] * 4, [0.0, 0.0]
    kernel = kernel_of(THREADS, "def f(t, a, out):", has_thread=True)
    running = [kernel(Thread(x), [1.0, 2.0, 4.0, 8.0], out) for x in range(4)]
    for _ in range(2):
        for each in running:
            next(each, None)
    assert out == [5.0, 10.0]


THREAD_REFUSES = (
    "out[0] = t._dev", "x = t", "yield 1", "t.stop()", "s = t.shared", "t = 1", "t[0] = 1",
    "s = t.shared([a[0], a[1]], 4)", "s = t.shared((z := a[0]), 4)", "s = t.shared(f'{a}', 4)",
    "s = t.shared(b's', 4)", "s = t.shared('s')", "s = t.shared(4)", "s = t.shared('s', a, 4)",
    "s = t.shared('s', 4, kind=a)", "s = t.shared(*a, 4)", "s = t.local(a, 4)",
    "s = t.local(4, kind=a)", "s = 1\ns += t.local(4)", "out[0] += t.local(4)",
    "out[0] = t.shared('s', 4)", "t.atomic_add(out)", "t.atomic_add(out, 0, 1.0, 2.0)",
    "t.atomic_add(out, 0, value=[a])", "t.atomic_add(out, 0, 1.0, note=a)",
)  # fmt: skip


@pytest.mark.parametrize("body", THREAD_REFUSES)
def test_thread_has_nothing_else(body: str) -> None:
    with pytest.raises(NotAKernel):
        kernel_of(body + "\nout[0] = a[0]", "def f(t, a, out):", has_thread=True)


@pytest.mark.parametrize("name", ["kernel_language.py", "counted_memory.py"])
def test_worker_and_package_have_the_same_text(name: str) -> None:
    """The worker counts with its own copy: a learner may change the one in the package."""
    ours = Path(root.path("tests", "programs", name)).read_text(encoding="utf-8")
    assert ours == Path(root.path("solutions", "babygrad", name)).read_text(encoding="utf-8")
