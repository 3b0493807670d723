"""The course's own code beside the learner's: called by nobody else, and left as it is."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import types

import pytest

from grader.sandbox import course_code
from grader.sandbox.course_code import compile_guarded
from grader.sandbox.launch import WORKER
from grader.sandbox.worker.tamper_guard import (
    BORROWED,
    REMADE,
    CallerGuards,
    NamespaceSeal,
    OwnCodeCalled,
    collect_codes,
    snapshot_module,
)

sys.path.insert(0, WORKER)  # its modules name each other barely
import meter  # noqa: E402

sys.path.remove(WORKER)

TEXT = """
import math
WALKS = ("walk",)
def helper(x):
    "What it does."
    return math.sqrt(x)
def walk(x):
    return helper(x)
def program(x):
    return helper(x) + 1
def callback():
    def call(x):
        return helper(x), walk(x)
    return call
class Kind:
    size = 1
TABLE = {"a": (helper, 3)}
"""


@pytest.fixture
def sealed():
    """A program's module, its seal, who was caught, and the guards."""
    module, caught = types.ModuleType("programs.fake"), []
    code = compile_guarded("programs/fake.py", TEXT)
    guards = CallerGuards({"fake.py": code}, lambda frame, says: caught.append(says))
    exec(guards.programs["fake.py"], vars(module))
    return module, NamespaceSeal([module], [], guards.own), caught, guards


def as_the_worker(guards: CallerGuards, function, *arguments):
    """Return the result of a function called by the worker's own code."""
    text = "def call(function, *arguments): return function(*arguments)"
    space: dict[str, object] = {}
    exec(compile(text, "worker", "exec"), space)
    ours = {object.__hash__(space["call"].__code__), *(object.__hash__(f.f_code) for f in frames())}
    for guard in guards_of(guards):
        known, *rest = guard.__defaults__
        guard.__defaults__ = known | ours, *rest
    return space["call"](function, *arguments)


def guards_of(guards: CallerGuards):
    inner = collect_codes(guards.programs.values())
    consts = (each for code in inner for each in code.co_consts)
    found = {id(each): each for each in consts if isinstance(each, types.FunctionType)}
    assert len(found) == 2
    return found.values()


def frames():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def test_programs_call_each_other_and_nobody_else_does(sealed):
    module, _, caught, guards = sealed
    for borrow in (module.program, module.helper, module.walk, module.TABLE["a"][0]):
        with pytest.raises(OwnCodeCalled):
            borrow(4.0)
    assert caught == [BORROWED] * 4
    assert as_the_worker(guards, module.program, 4.0) == 3.0
    assert as_the_worker(guards, module.walk, 4.0) == 2.0
    assert module.helper.__doc__ == "What it does."


def test_a_guard_is_named_alike_on_both_sides():
    assert (course_code.CALLER, course_code.EVERY_FRAME) == CallerGuards.NAMES


def test_a_forged_name_of_a_file_helps_nobody(sealed):
    module, _, _, _ = sealed
    worker = sys.modules[CallerGuards.__module__].__file__
    for name in ("programs/fake.py", worker, worker.replace("tamper_guard", "more")):
        with pytest.raises(OwnCodeCalled):
            exec(compile("program(4.0)", name, "exec"), vars(module))


def test_no_function_is_there_without_its_guard(sealed):
    module, _, _, _ = sealed
    all_of_them = [
        each for each in gc.get_objects()
        if isinstance(each, types.FunctionType) and each.__code__.co_filename == "programs/fake.py"
        and each.__code__.co_name in ("helper", "walk", "program")
    ]  # fmt: skip
    assert len(all_of_them) >= 3
    for raw in all_of_them:
        names = {**raw.__globals__, "helper": abs, "math": None}
        for each in (raw, types.FunctionType(raw.__code__, names)):
            assert each.__closure__ is None
            with pytest.raises(OwnCodeCalled):
                each(4.0)


def test_a_walk_is_not_called_through_a_callback(sealed):
    module, _, caught, guards = sealed
    call = as_the_worker(guards, module.callback)
    other = types.FunctionType(call.__code__, vars(module))
    learner: dict[str, object] = {}
    exec(compile("def f(function): return function(4.0)", "babygrad/a.py", "exec"), learner)
    for each in (call, other):
        assert as_the_worker(guards, each, 4.0) == (2.0, 2.0)
        with pytest.raises(OwnCodeCalled):
            learner["f"](each)
    assert caught == [BORROWED] * 2


def test_the_workers_own_code_is_no_way_in(sealed):
    """The worker's code calls any function it is given, so learner code might use it."""
    module, _, caught, guards = sealed
    learner: dict[str, object] = {}
    exec(compile("def f(call, *given): return call(*given)", "babygrad/a.py", "exec"), learner)
    assert as_the_worker(guards, meter.arrays_in, {"value": map(module.helper, [4.0])}) == [2.0]
    with pytest.raises(OwnCodeCalled):
        learner["f"](meter.arrays_in, {"value": map(module.helper, [4.0])})
    assert caught == [BORROWED]


def test_who_makes_something_to_be_run_is_refused(sealed):
    module, _, caught, guards = sealed
    own = module.callback.__code__
    inner = next(each for each in own.co_consts if isinstance(each, types.CodeType))
    made = {"function.__new__": inner, "exec": own, "code.__new__": None, "marshal.loads": b""}
    for event, given in made.items():
        with pytest.raises(OwnCodeCalled):
            guards.audit_hooks()[event](given, None)
    assert caught == [REMADE] * len(made)
    guards.on_code_reused(test_who_makes_something_to_be_run_is_refused.__code__)


def test_python_may_read_code_that_it_imports():
    """It runs in a process of its own, because an audit hook cannot be removed."""
    text = """
import sys
import tamper_guard
guards = tamper_guard.CallerGuards({}, lambda frame, says: print(says))
def audit(event, arguments):
    if event in known:
        known[event](*arguments)
known = guards.audit_hooks()
sys.addaudithook(audit)
space = {}
exec("import fractions, marshal\\ndef learner(): return marshal.loads(marshal.dumps(1))", space)
print(space["marshal"].loads(b"i" + bytes(4)), space["fractions"].Fraction(1, 2))
try:
    space["learner"]()
except tamper_guard.OwnCodeCalled:
    print("refused")
"""
    done = subprocess.run(
        [sys.executable, "-c", text], env={**os.environ, "PYTHONPATH": WORKER},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"0 1/2\n{REMADE}\nrefused\n"


def test_what_stays_is_whole_and_what_is_added_does_no_harm(sealed):
    module, seal, _, _ = sealed
    assert not seal.is_broken()
    module.more = 1
    assert not seal.is_broken()


def swap_the_last_two(module: types.ModuleType) -> None:
    """The values stay in their order."""
    (one, first), (other, second) = list(vars(module).items())[-2:]
    delattr(module, one), delattr(module, other)
    vars(module).update({other: first, one: second})


# Each way to write into the namespace of a module or of a class.
CHANGES = {
    "assigned": lambda module: setattr(module, "helper", len),
    "by its own code": lambda module: exec("global TABLE\nTABLE = {}", vars(module)),
    "by an item": lambda module: vars(module).__setitem__("helper", len),
    "by update": lambda module: vars(module).update(helper=len),
    "by |=": lambda module: vars(module).__ior__({"helper": len}),
    "gone": lambda module: delattr(module, "helper"),
    "popped": lambda module: vars(module).pop("helper"),
    "cleared": lambda module: vars(module).clear(),
    "swapped": swap_the_last_two,
    "in a class": lambda module: setattr(module.Kind, "size", 2),
    "gone from a class": lambda module: delattr(module.Kind, "size"),
}


@pytest.mark.parametrize("keeps_versions", [True, False])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_is_put_in_the_place_of_a_program_is_noticed(change, keeps_versions, sealed):
    module, seal, _, _ = sealed
    if not keeps_versions:  # as Python 3.14
        seal.versions, seal.intact = [], b""
    module.more = 1  # what is added does no harm, and the look after it is a whole one
    for _ in range(2):
        assert not seal.is_broken()
    change(module)
    for _ in range(2):
        assert seal.is_broken()


def test_what_is_put_back_is_whole_again(sealed):
    module, seal, _, _ = sealed
    helper, module.helper = module.helper, len
    assert seal.is_broken()
    module.helper = helper
    assert not seal.is_broken()


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python keeps no versions of dicts")
def test_dict_has_a_new_version_after_each_change(sealed):
    _, seal, _, _ = sealed
    assert len(seal.versions) == len(seal.spaces) == 2


def test_other_code_in_a_function_is_noticed(sealed):
    module, seal, _, _ = sealed
    seal.on_attribute_set(len, "__name__", "other")
    assert not seal.is_broken()
    seal.on_attribute_set(module.helper, "__defaults__", ())
    assert seal.is_broken()


def test_code_of_ours_in_another_function_is_noticed(sealed):
    module, seal, _, _ = sealed
    seal.on_attribute_set(as_the_worker, "__code__", module.helper.__code__)
    assert seal.is_broken()


def test_other_code_in_a_guard_is_noticed(sealed):
    _, seal, _, guards = sealed
    for guard in guards_of(guards):
        seal.has_new_code = False
        seal.on_attribute_set(guard, "__code__", None)
        assert seal.is_broken()


def test_modules_of_others_stay_as_they_were():
    module = types.ModuleType("other")
    module.x = 1
    kept = snapshot_module(module)
    module.x = 2
    assert kept.x == 1 and snapshot_module(sys) is sys


def test_a_module_is_all_that_is_defined_in_it():
    code = compile("def f():\n    def g(): pass\nclass A:\n    def h(self): pass\n", "x", "exec")
    assert [c.co_name for c in collect_codes([code])] == ["<module>", "f", "A", "g", "h"]
