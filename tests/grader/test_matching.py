"""Matching finds the place for each definition of a foreign package."""

from __future__ import annotations

import re

from grader.importing import names
from grader.importing.commands.import_package import match
from grader.importing.placement import Foreign, Ours

STUB = "\n        raise NotImplementedError\n"
FORWARD = f"    def forward(self, a):{STUB}"
OURS = Ours(
    {
        "ops.py": (f"class ReLU:\n{FORWARD}class Tanh:\n{FORWARD}class Exp:\n{FORWARD}").encode()
        + b"def exp(a): return Exp()(a)\n",
        "nn.py": f"class ReLU:\n{FORWARD}class Linear:\n{FORWARD}".encode(),
        "dual.py": b"def exp(a):\n    raise NotImplementedError\n",
    },
    {
        "ops.ReLU.forward": "relu", "ops.Tanh.forward": "tanh", "ops.Exp.forward": "exp",
        "nn.ReLU.forward": "nn.relu", "nn.Linear.forward": "linear", "dual.exp": "dual.exp",
    },
)  # fmt: skip


def found(files, right=()):
    """Map our definitions to theirs, with a fake judge that passes these exercises for any code."""
    asked = []

    def passed(texts, ids):
        asked.append((texts, ids))
        return ids & set(right)

    matches = match(OURS, Foreign({k: v.encode() for k, v in files.items()}), passed)
    return {":".join(ours): ":".join(theirs) for ours, theirs in matches.items()}, asked


CLASS = "class {}:\n    def forward(self, a): return 1\n"


def test_by_name_within_the_module_of_that_name():
    both, asked = found({"ops.py": CLASS.format("ReLU"), "nn.py": CLASS.format("ReLU")})
    assert both == {"ops.py:ReLU": "ops.py:ReLU", "nn.py:ReLU": "nn.py:ReLU"} and not asked


def test_by_name_elsewhere_where_only_one_has_it():
    assert found({"layers.py": CLASS.format("Linear")})[0] == {"nn.py:Linear": "layers.py:Linear"}


def test_what_has_its_place_here_goes_nowhere_else():
    assert "dual.py:exp" not in found({"ops.py": "def exp(a): return a"}, ["dual.exp"])[0]


def test_by_what_it_computes():
    matches, asked = found({"all.py": CLASS.format("Hyperbolic")}, ["tanh"])
    assert matches == {"ops.py:Tanh": "all.py:Hyperbolic"}
    assert any("return 1" in text for texts, _ in asked for text in texts.values())
    assert found({"all.py": CLASS.format("Hyperbolic")})[0] == {}
    assert found({"tests/all.py": CLASS.format("Hyperbolic")}, ["tanh"])[0] == {}


def test_a_larger_package_reads_the_table_of_names_no_more_often(monkeypatch):
    def read(count):
        read_rows = []

        def fullmatch(pattern, text):
            read_rows.append(pattern)
            return re.fullmatch(pattern, text)

        monkeypatch.setattr(names, "NAMES", [("name|ReLU", "forth", "forward", "a book")])
        counting = type("re", (), {**vars(re), "fullmatch": staticmethod(fullmatch)})
        with monkeypatch.context() as patched:
            patched.setattr(names, "re", counting)
            names.names_here.cache_clear()
            found({"all.py": "".join(CLASS.format(f"Some{n}") for n in range(count))})
        names.names_here.cache_clear()
        return read_rows.count("name|ReLU")

    assert 0 < read(40) == read(20)


def test_a_name_of_several_places_is_tried_in_each():
    assert found({"all.py": CLASS.format("ReLU")}, ["nn.relu"])[0] == {"nn.py:ReLU": "all.py:ReLU"}
