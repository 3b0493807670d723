"""The course's own code beside the learner's: called by nobody else, and left as it is."""

from __future__ import annotations

import sys
import types

import pytest

from grader.sandbox.worker.tamper_guard import BORROWED, ID, Borrowed, Seal, as_it_is, with_inner

TEXT = """
import math
def helper(x):
    return math.sqrt(x)
def program(x):
    return helper(x) + 1
class Kind:
    size = 1
TABLE = {"a": (helper, 3)}
"""


@pytest.fixture
def sealed():
    """A program's module, its seal, and who was caught."""
    module = types.ModuleType("programs.fake")
    code = compile(TEXT, "programs/fake.py", "exec")
    exec(code, vars(module))
    caught = []
    seal = Seal([module], [code], [], lambda frame, says: caught.append((frame.f_lineno, says)))
    return module, seal, caught


def test_programs_call_each_other_and_nobody_else_does(sealed):
    module, seal, caught = sealed
    for borrow in (module.program, module.helper, module.TABLE["a"][0]):
        with pytest.raises(Borrowed):
            borrow(4.0)
    assert [says for _, says in caught] == [BORROWED] * 3
    code = compile("found = program(4.0)", "a", "exec")
    seal.own[ID(code)] = code
    exec(code, vars(module))
    assert module.found == 3.0


def test_a_forged_name_of_a_file_helps_nobody(sealed):
    module, _, _ = sealed
    forged = compile("program(4.0)", "programs/fake.py", "exec")
    with pytest.raises(Borrowed):
        exec(forged, vars(module))


def test_what_stays_is_whole_and_what_is_added_does_no_harm(sealed):
    module, seal, _ = sealed
    assert not seal.broken()
    module.more = 1
    assert not seal.broken()


@pytest.mark.parametrize("change", ["helper", "TABLE", "gone", "swapped", "class"])
def test_whatever_is_put_in_the_place_of_a_program_is_noticed(change, sealed):
    module, seal, _ = sealed
    if change == "gone":
        del module.helper
    elif change == "swapped":  # the values stay in their order
        (one, first), (other, second) = list(vars(module).items())[-2:]
        delattr(module, one), delattr(module, other)
        vars(module).update({other: first, one: second})
    elif change == "class":
        module.Kind.size = 2
    else:
        setattr(module, change, getattr(module, change, None).__class__)
    assert seal.broken()


def test_other_code_in_a_function_is_noticed(sealed):
    module, seal, _ = sealed
    seal.changes(len)
    assert not seal.broken()
    seal.changes(module.helper)
    assert seal.broken()


def test_modules_of_others_stay_as_they_were():
    module = types.ModuleType("other")
    module.x = 1
    kept = as_it_is(module)
    module.x = 2
    assert kept.x == 1 and as_it_is(sys) is sys


def test_a_module_is_all_that_is_defined_in_it():
    code = compile("def f():\n    def g(): pass\nclass A:\n    def h(self): pass\n", "x", "exec")
    assert [c.co_name for c in with_inner([code])] == ["<module>", "f", "A", "g", "h"]
