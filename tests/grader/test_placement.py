"""Definitions of somebody else in the place of stubs."""

from __future__ import annotations

import difflib

import pytest

from grader.importing import names
from grader.importing.commands.import_package import match
from grader.importing.placement import Foreign, Ours, Placing, pairs_of

from .work import growth

STUB = "        raise NotImplementedError\n"
OURS = {
    "tensor.py": b"class Tensor:\n    pass\n",
    "ops.py": b"""from .tensor import Tensor

class Mul:
    def forward(self, a, b):
        \"\"\"The product.\"\"\"
        raise NotImplementedError

def mul(a, b):
    return Mul()(a, b)
""",
    "nn.py": b"class Sequential:\n    def forward(self, x):\n" + STUB.encode(),
    "data.py": b"class Loader:\n    def __iter__(self):\n" + STUB.encode(),
}
TARGETS = {
    "ops.Mul.forward": "mul",
    "nn.Sequential.forward": "sequential",
    "data.Loader.__iter__": "loader",
}


def placed(here, there, theirs, **others):
    """The text of a file of ours with this of theirs in it, and what was refused."""
    foreign = Foreign({f"lib/{here[0]}": theirs.encode(), **others})
    ours = Ours(OURS, TARGETS)
    placing = Placing(ours, foreign, pairs_of(ours.stubs, here, foreign, (f"lib/{here[0]}", there)))
    return placing.files.get(here[0], ""), list(placing.refused.values())


def test_only_the_stub_is_replaced_and_says_what_is_asked():
    text, _ = placed(
        ("ops.py", "Mul"), "EWiseMul", "class EWiseMul:\n def compute(self, a, b): return a * b"
    )
    assert text == OURS["ops.py"].decode().replace(
        '"\n        raise NotImplementedError', '"\n        return a * b'
    )


def test_comments_stay_where_nothing_is_called_else():
    theirs = "class Mul:\n    def forward(self, x, y):\n        return x * y  # so\n"
    assert "        return x * y  # so" in placed(("ops.py", "Mul"), "Mul", theirs)[0]


def test_attributes_have_our_names():
    theirs = """
class Sequential:
    def __init__(self, *modules): self.modules = modules
    def forward(self, x):
        for each in self.modules: x = each(x)
        return x
"""
    assert "in self.layers" in placed(("nn.py", "Sequential"), "Sequential", theirs)[0]


def test_what_it_leans_on_is_named_imported_or_copied():
    theirs = """
import math
from .ops import multiply
from lib import ops
LIMIT = 3
def halved(x):
    return multiply(x, math.sqrt(LIMIT)) + further(x)
def further(x):
    return halved(x) if x else ops.multiply(x, x)
class Sequential:
    def forward(self, x):
        return self.twice(halved(x))
    def twice(self, x):
        return 2 * x
"""
    others = {"lib/ops.py": b"def multiply(a, b): return a * b"}
    text, _ = placed(("nn.py", "Sequential"), "Sequential", theirs, **others)
    for line in (
        "import math", "from .ops import mul", "LIMIT = 3", "def halved(x):", "def further(x):",
        "    return mul(x, math.sqrt(LIMIT)) + further(x)", "ops.mul(x, x)",
        "    def twice(self, x):",
    ):  # fmt: skip
        assert line in text, text
    compile(text, "nn.py", "exec")


def test_an_iterator_brings_its_next():
    theirs = "class Loader:\n def __iter__(self): return self\n def __next__(self): return 1\n"
    assert "def __next__" in placed(("data.py", "Loader"), "Loader", theirs)[0]


@pytest.mark.parametrize(
    "line, why",
    {
        "import torch as far": "imports torch",
        "from . import far": "module far",
        "far = 1\nclass Mul:\n def forward(self, a, b=far): pass; return a": "first line needs far",
        "import torch\ndef far(): return near()\ndef near(): return torch": "imports torch",
    }.items(),
)
def test_what_does_not_go_is_refused_whole(line, why):
    last = "class Mul:\n def forward(self, a, b): return far.mul(a, b)"
    theirs = line if "class" in line else f"{line}\n{last}"
    text, refused = placed(("ops.py", "Mul"), "Mul", theirs, **{"lib/far.py": b"mul = 1"})
    assert text == "" and why in refused[0]


def test_imports_inside_of_functions_lead_to_our_modules():
    inside = "  from lib.ops import multiply\n  return multiply(x, x)"
    theirs = f"class Sequential:\n def forward(self, x):\n{inside}"
    others = {"lib/ops.py": b"def multiply(a, b): return 1"}
    text, _ = placed(("nn.py", "Sequential"), "Sequential", theirs, **others)
    assert text.endswith("        from .ops import mul\n        return mul(x, x)\n")


def test_what_a_copied_class_has_stays_in_it():
    theirs = """
class Helper:
    def once(self): return 1
    def twice(self): return self.once() * 2
class Sequential:
    def forward(self, x): return Helper().twice()
"""
    text, _ = placed(("nn.py", "Sequential"), "Sequential", theirs)
    assert text.count("def once") == 1 and text.index("class Helper") < text.index("def once")


def test_a_module_of_ours_is_imported_where_nothing_else_changes():
    theirs = "from lib import ops\nclass Sequential:\n def forward(self, x): return ops.mul(x, x)"
    others = {"lib/ops.py": b"def mul(a, b): return 1"}
    text, _ = placed(("nn.py", "Sequential"), "Sequential", theirs, **others)
    assert text.endswith("        from . import ops\n        return ops.mul(x, x)\n")


MANY = {
    "of other names": "class Klass{}:\n    def forward(self, a, b):\n        return a\n",
    "that lean on each other": "class Klass{0}:\n    def forward(self, a, b):\n"
    "        return Klass{0}(a=b)\n",
}


@pytest.mark.parametrize("kind", MANY)
def test_the_work_grows_no_faster_than_the_classes(kind):
    def taking_over(count):
        theirs = "".join(MANY[kind].format(number) for number in range(count))

        def run():
            ours, foreign = Ours(OURS, TARGETS), Foreign({"lib/engine.py": theirs.encode()})
            found = match(ours, foreign, lambda texts, ids: set())
            Placing(ours, foreign, [
                pair for here, there in found.items()
                for pair in pairs_of(ours.stubs, here, foreign, there)
            ])  # fmt: skip

        return run

    assert growth(taking_over, 60) < 2.2


def test_a_name_is_made_plain_once_and_what_does_not_fit_is_not_compared(monkeypatch):
    made, compared = [], []
    theirs = "".join(
        f"class K{n}:\n    def forward(self, a):\n        return a\n" for n in range(50)
    )
    ours, foreign = Ours(OURS, TARGETS), Foreign({"lib/engine.py": theirs.encode()})
    names._plain.cache_clear()
    sub = names.re.sub
    monkeypatch.setattr(names.re, "sub", lambda *all: made.append(all[2]) or sub(*all))
    ratio = difflib.SequenceMatcher.ratio
    monkeypatch.setattr(
        difflib.SequenceMatcher, "ratio", lambda self: compared.append(self.b) or ratio(self)
    )
    match(ours, foreign, lambda texts, ids: set())
    assert len(made) == len({*made})
    assert len(compared) == 50  # by Sequential, whose forward takes as many; Mul's takes two
