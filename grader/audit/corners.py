"""Mutate a function in a corner: the mutated body runs only where a condition holds.

Code is often right in one setting alone: without an option, in float64, for one axis. So
`return a * b`, wrong where `a` has no axis, becomes

    def right(self, a, b): return a * b
    def wrong0(self, a, b): return a / b
    return _pick(right, [(wrong0, lambda: _holds(lambda x: …, lambda: a)), …])(self, a, b)

A probe asks for one by the end of its exercise's name, such as `chapter3.mul.forward#0`. A worker
runs one probe of each mutant, then some of those that are left, then all that meet its condition.
"""

from __future__ import annotations

import ast
import random
import re
import time
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, cycle, pairwise, product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..course import Exercise
from ..course.load import Course
from ..course.splice import target_file
from ..course.syntax_tree import Definition, find_definitions, parse
from ..judge.outcome import compare_probe
from ..sandbox.observation import Observation
from ..verdict import WRONG
from .memory import KEYS, Function
from .mutants import Score, changed_lines, name_change
from .mutation import Mutant, mutants, read_signature
from .proof import CourseCheck, Problem, definition_of, reads_as, rows_of

if TYPE_CHECKING:
    from ..sandbox.session import Session

# These call something else first, or ask how a result comes about: none is compared.
UNSEEN = "call_earlier", "ask_first", "make_other", "hidden_step"
HELPERS = """
def asked():
    import sys
    frame, is_unseen = sys._getframe(1), False
    while frame.f_back and not {"number", "exercise"} <= frame.f_locals.keys():
        is_unseen |= frame.f_code.co_name in UNSEEN
        frame = frame.f_back
    is_unseen |= frame.f_code.co_name in UNSEEN
    return frame.f_locals.get("exercise", ""), frame.f_locals.get("number"), is_unseen
def calls():
    key = "calls", asked()[0]
    memory()[key] = memory().get(key, 0) + 1
    return memory()[key]
def arrays(x):
    import numpy
    many = x if isinstance(x, (tuple, list)) else [x, *getattr(x, "__dict__", {}).values()]
    return [a for a in map(inside, many) if isinstance(a, (numpy.ndarray, numpy.generic))]
def scalars(x):
    return [n for n in (x if isinstance(x, (tuple, list)) else [x]) if type(n) in (int, float)]
def holds(test, read):
    try:
        return bool(test(read()))
    except Exception:
        return False
def pick(right, corners):
    wrong, is_met = corners[int(asked()[0].partition("#")[2] or -1)]
    return wrong if is_met() else right
def rounded(array):
    import numpy  # the module of the function may have an `abs` and a `max` of its own
    digits = 5 if array.dtype == "float32" else 10
    largest = numpy.max(numpy.abs(array), initial=1, where=numpy.isfinite(array))
    return numpy.round(array, digits - int(numpy.log10(largest))) + 0.0
def is_rule(x):
    code = getattr(x, "__code__", None)
    return code is not None and "<" in x.__qualname__ and not code.co_argcount
def follow_rules(made):
    own = getattr(made, "__dict__", {})
    rules = [x for x in own.values() if is_rule(x)]
    own.update({n: x + 0.75 for n, x in own.items() if rules and type(x) is float})
    for rule in rules:  # what it does with other numbers than 0
        rule()
    return rules
def outcome(function, *given):
    import builtins, copy, io, pickle, sys, numpy
    class Pickler(pickle.Pickler):
        def persistent_id(self, x):  # what cannot change is compared by its value
            if isinstance(x, (float, numpy.floating)):
                digits = 5 if isinstance(x, numpy.float32) else 10
                return sys.intern(f"{type(x).__name__} {x + 0:.{digits}g}")
            is_value = isinstance(x, (str, tuple, numpy.generic)) and not loses(x)
            is_value |= isinstance(x, numpy.ndarray) and not x.size  # nothing in it is shared
            return sys.intern(repr(x)) if is_value else None
        def reducer_override(self, x):
            if isinstance(x, (type, type(sys))) and x.__name__ not in vars(builtins):
                return str, (repr(x),)
            if isinstance(x, numpy.ndarray) and x.dtype.kind == "f":
                return str, (x.dtype.str, x.shape, rounded(x).tobytes())
            code = getattr(x, "__code__", None)  # a function of a call: its text is compared
            if code is None or "<" not in x.__qualname__:
                return NotImplemented
            is_followed = any(x is rule for rule in rules)
            told = (code.co_code, code.co_names, code.co_consts) if not is_followed else "a rule"
            return str, (repr(told),)
    owner = given[0][:1]
    given, file = copy.deepcopy(given, {id(x): x for x in sys.modules.values()}), io.BytesIO()
    own = getattr(given[0][0], "__dict__", {}) if owner else {}
    key = "kept by", function.__name__, *map(id, owner)
    own.update(memory().get(key, {}))
    state = numpy.random.get_state()
    try:
        result = function(*given[0], **given[1])
        rules = follow_rules(result)
    except Exception as error:  # what a call leaves behind that raises is not promised
        result, given, rules = (type(error), str(error) * READ), (), ()
    drawn = numpy.random.get_state()[2]
    numpy.random.set_state(state)
    if "_kept" in own:
        memory()[key], memory()[key[1:]] = {"_kept": own.pop("_kept")}, owner
    made = list(result) if type(result).__name__ == "generator" else result
    Pickler(file).dump((made, given, drawn))
    return file.getvalue()
def alarm(right, corners):
    import os
    wrong = pick(right, corners)
    def both(*given, **named):
        given = tuple(iter(list(x)) if type(x).__name__ == "generator" else x for x in given)
        functions = (wrong, right, right) if wrong is not right else ()
        try:
            found = [outcome(each, given, named) for each in functions]
        except RecursionError:  # a graph too deep to be copied: other probes tell
            found = []
        # Nor does an object tell that notices when it is copied: the reference differs from itself.
        if found and not asked()[2] and found[0] != found[1] == found[2]:
            os.write(1, f"\\n!{asked()[0].partition('#')[2]}\\n".encode())
        return right(*given, **named)
    return both
def note(right, corners):
    import os
    _, number, is_unseen = asked()
    line = f"@{number} {''.join('01'[is_met()] for _, is_met in corners)}"
    if not is_unseen and line not in memory():
        memory()[line] = os.write(1, f"\\n{line}\\n".encode())
    return right
""".strip()
HELPERS = f"{KEYS}\n{HELPERS.replace('UNSEEN', repr(UNSEEN))}"
# A parameter may be called `arrays`, and a module `memory`: helpers begin with an underscore.
NAMES = "|".join(re.findall(r"^def (\w+)", HELPERS, re.MULTILINE))
HELPERS = re.sub(rf"\b({NAMES})\b", r"_\1", HELPERS)

# Factor → setting → its test of what stands at a place; those of a factor exclude each other.
TESTS = {
    "dtype": {n: f"any(a.dtype == '{n}' for a in _arrays(x))" for n in ("float32", "float64")},
    "axes": {n: f"any(min(a.ndim, 2) == {axes} for a in _arrays(x))"
             for axes, n in enumerate(("no axis", "one axis", "several axes"))},
    "size": {n: f"any(a.size == {size} for a in _arrays(x))"
             for size, n in enumerate(("empty", "size 1"))},
    "bound": {n: f"{n} in _scalars(x)" for n in "01"},
    "sign": {"negative": "min(_scalars(x)) < 0"},
    "kind": {"a tuple": "type(x) is tuple", "an int": "type(x) is int", "None": "x is None"},
    "default": {f"{n}at its default": f"repr(x) {sign} repr({{}})"
                for n, sign in (("", "=="), ("not ", "!="))},
}  # fmt: skip
AT_ONCE = 32  # mutants in one text
ROUNDS = [*pairwise((0, 1, 5, *range(30, 1000, 25)))]  # probes of each that one order asks for
SECONDS = 2.0  # for each probe of an order
MET = re.compile(rb"^@(\d+) ([01]+)$", re.MULTILINE)
DIFFERS = re.compile(rb"^!(\d+)$", re.MULTILINE)
T = TypeVar("T")
Rows = Sequence[tuple[str, str]]  # a wrong body, or an empty text for the reference's; its test
Met = set[tuple[int, str]]  # number of a probe, and which settings one of its calls meets: "0110"


class Condition(NamedTuple):
    """A setting of one factor, or of two together, in words and in Python."""

    factors: frozenset[str]
    said: str
    test: str
    is_promised: bool = False  # by the signature or the docstring
    numbers: tuple[int, ...] = ()  # the probes that meet it


Corner = tuple[T, Condition]  # what is wrong, and where
EVERYWHERE = Condition(frozenset(), "", "True")


def report_corners(proof: CourseCheck) -> Iterator[Problem]:
    """Note the mutants that survive in a corner, and what is promised and never asked.

    It finds no problem yet: not all survivors have a check or a reason. A row of
    `exercises/chapterN/corners.py` gives the reason why a mutant is right under a condition.
    """
    for exercise in (each for each in proof.exercises if not each.given):
        for target in (each for each in exercise.targets if each in proof.course.regions):
            begun, bench = time.monotonic(), Bench(proof, exercise, target)
            met = bench.read_met()
            for at, each in enumerate(bench.settings):
                if each.is_promised and not any(marks[at] == "1" for _, marks in met):
                    proof.notes.append(f"never asked: {target}, {each.said}")
            count, alive = bench.judge(bench.draw(met, "corners"))
            rows = [row for _, row in rows_of(exercise.chapter, [target], "corners")]
            named = [(name_change(changed_lines(bench.body, mutant.body)), mutant, where)
                     for mutant, where in alive]  # fmt: skip
            left = [each for each in named if not is_known(rows, each[2], each[0])]
            counts = count, len(alive) - len(left), len(left), time.monotonic() - begun
            proof.notes.append(Score(exercise.id, "corner", *counts))
            for line, mutant, where in left:
                said = " | ".join((exercise.chapter, target, where.said, line, mutant.kind))
                proof.notes.append(f"survives: {said}")
    yield from ()


def is_known(rows: Sequence[str], where: Condition, line: str) -> bool:
    """Whether a row `setting | line` gives a mutant's reason: the setting is one of its corner's.

    `…` at the end of the line stands for any end.
    """
    told = (row.partition(" | ") for row in rows)
    return any(one in where.said.split(", ") and reads_as(line, text) for one, _, text in told)


class Bench:
    """One target of an exercise, and the probes that can tell its mutants apart."""

    def __init__(self, proof: CourseCheck, exercise: Exercise, target: str) -> None:
        self.proof, self.target, self.body = proof, target, proof.course.regions[target].body
        node = definition_of(proof.course, target)
        assert isinstance(node, ast.FunctionDef)
        self.node, self.chapter = node, proof.key.chapter(exercise.chapter)
        known = rows_of(exercise.chapter, [target], "equivalent")
        # Nobody reads the message of an error that may as well have none.
        self.reads_messages = not any(re.fullmatch(r"raise \w+\(\)", line) for _, line in known)
        self.settings = [*settings(proof.course, target, self.body)]
        probes = enumerate(self.chapter.probes)
        # What only a stretch asks for, a check without points, is not promised.
        self.every = [number for number, probe in probes if probe["exercise"] == exercise.id
                      and self._checks(number)]  # fmt: skip
        # A probe that counts calls sees those of the helpers, too, and one with a predicate is
        # judged elsewhere: they tell nothing.
        mine = [n for n in self.every if not self.chapter.predicates([n])]
        fails = self.failing([(Mutant("", ""), EVERYWHERE._replace(numbers=(n,))) for n in mine])
        self.numbers = tuple(n for n, failed in zip(mine, fails, strict=True) if not failed)

    def read_met(self) -> Met:
        """Run the reference; return which settings the calls of each probe meet."""
        rows = [("", each.test) for each in self.settings]
        session = self._session(rows, "note", self.every)
        session.run()
        session.close()
        return {(int(n), marks.decode()) for n, marks in MET.findall(bytes(session.output))
                if len(marks) == len(rows)}  # fmt: skip

    def draw(self, met: Met, seed: str) -> list[Corner[Mutant]]:
        """Draw corners for the mutants that die everywhere."""
        everywhere = EVERYWHERE._replace(numbers=self.numbers)
        every = [(e, everywhere) for e in mutants(self.body, *read_signature(self.node))]
        kinds: dict[str, list[Mutant]] = {}
        for (mutant, _), fails in zip(every, self.failing(every), strict=True):
            if fails:
                kinds.setdefault(mutant.kind, []).append(mutant)
        told = {(number, marks) for number, marks in met if number in self.numbers}
        return draw_corners(kinds, [*conditions(self.settings, told)], seed + self.target)

    def judge(self, corners: list[Corner[Mutant]]) -> tuple[int, list[Corner[Mutant]]]:
        """Return how many corners there are, and those that survive.

        One in which no call gives anything else than the reference is no mutant.
        """
        alive = [c for c, fails in zip(corners, self.failing(corners), strict=True) if not fails]
        differ = [c for c, fails in zip(alive, self.failing(alive, "alarm"), strict=True) if fails]
        # Once more and alone: no other mutant can have left anything behind.
        survivors = [corner for corner in differ if not self.failing([corner])[0]]
        return len(corners) - len(alive) + len(differ), survivors

    def failing(self, corners: Sequence[Corner[Mutant]], how: str = "pick") -> list[bool]:
        """Return, for each corner, whether a check fails there, or whether it differs (`alarm`)."""
        fails = [False] * len(corners)
        for first in range(0, len(corners), AT_ONCE):
            some = [*enumerate(corners)][first : first + AT_ONCE]
            rows = [(mutant.text, where.test) for _, (mutant, where) in some]
            numbers = sorted({n for _, (_, where) in some for n in where.numbers})
            session = self._session(rows, how, numbers)
            for begin, end in ROUNDS:
                turns = [(which, number) for which, (_, where) in some if not fails[which]
                         for number in where.numbers[begin:end]]  # fmt: skip
                if not turns:
                    break
                order = [self._order(at, which - first, n) for at, (which, n) in enumerate(turns)]
                for frame in session.ask({"run": order}, SECONDS):
                    which, number = turns[frame.probe]
                    if how == "pick":
                        fails[which] |= self._is_wrong(number, Observation(*frame[1:]))
            for which in DIFFERS.findall(bytes(session.output)):
                fails[first + int(which)] = True
            session.close()
        return fails

    def _session(self, rows: Rows, how: str, numbers: Sequence[int]) -> Session:
        text = write_corners(self.target, self.body, self.node, rows, how, self.reads_messages)
        grading = self.proof.grading(self.proof.course.replace_bodies({self.target: text}))
        return grading.open_session(self.chapter, [], [*numbers])

    def _order(self, at: int, which: int, number: int) -> Any:
        _, *asked, exercise = self.chapter.order(number)
        return at, *asked, f"{exercise}#{which}"

    def _is_wrong(self, number: int, got: Observation) -> bool:
        checks = self._checks(number)
        return any(compare_probe(self.chapter, c, number, got).status in WRONG for c in checks)

    def _checks(self, number: int) -> list[Any]:
        return [check for check in self.chapter.checks_of_probe(number) if check["weight"]]


def settings(course: Course, target: str, body: str) -> Iterator[Condition]:
    """Yield the conditions of one setting that a call can meet, by all that it takes."""
    file, name = target_file(target, course.solutions)
    known, owner = find_definitions(course.solutions[file]), name.rpartition(".")[0]
    docs = " ".join(ast.get_docstring(known[n]) or "" for n in (name, owner) if n in known)
    # The first call of a process is asked and not looked at (`Worker.call_earlier`).
    yield Condition(frozenset({"call"}), "a later call", "_count > 1")
    places = [*_places(known[name], ""), ("self.training", "", "True")]
    if owner and name != (constructor := f"{owner}.__init__") in known:
        places += _places(known[constructor], "self.")
    for place, kind, default in places:
        is_read = place in body or not place.startswith("self.")
        words = docs if "NDArray" in kind or "Tensor" in kind else ""
        for factor, tests in TESTS.items() if default else [*TESTS.items()][:-1]:
            for said, test in tests.items():
                text = f"_holds(lambda x: {test.format(default)}, lambda: {place})"
                promised = {"default": True, "dtype": said in words}.get(factor, False) and is_read
                factors = frozenset({f"{place} {factor}"})
                yield Condition(factors, f"{place}: {said}", text, promised)


def _places(node: Definition, prefix: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a call takes, or its object took: a parameter, its type and its default."""
    assert isinstance(node, ast.FunctionDef)
    _, defaults = read_signature(node)
    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        kind = ast.unparse(each.annotation) if each.annotation else ""
        name = "node._inputs" if each.arg == "node" else prefix + each.arg
        yield name, kind, defaults.get(each.arg, "")


def write_corners(
    target: str, body: str, node: ast.FunctionDef, corners: Rows, how: str, reads: bool = True
) -> str:  # fmt: skip
    """Return a body that holds these corners: each a wrong body, or an empty text, and its test.

    Args:
        how: `pick` runs the one that is asked for; `alarm` writes down where that differs from
            the reference; `note` writes down which tests hold.
        reads: whether two errors differ if their messages do.
    """
    function, rows = Function(node, parse(body)), list[str]()
    helpers = HELPERS.replace("NAME", target.replace(".", "_"))
    texts = [helpers.replace("READ", str(reads)), function.right]
    for number, (wrong, test) in enumerate(corners):
        texts += [function.define(f"wrong{number}", wrong)] if wrong else []
        rows.append(f"({f'wrong{number}' if wrong else 'right'}, lambda: {test}), ")
    rows += ["(right, lambda: False)"] if how != "note" else []
    call = f"return _{how}(right, [{''.join(rows)}]){function.call}"
    return "\n".join([*texts, "_count = _calls()", call])


def conditions(known: Sequence[Condition], met: Met) -> Iterator[Condition]:
    """Yield the settings, then pairs of them, that some calls meet and others do not.

    Of those that the same calls meet the first stands for all: no suite tells them apart.
    """
    seen = {frozenset(met), frozenset[tuple[int, str]]()}
    both = [*enumerate(known)]
    for chosen in chain(combinations(both, 1), combinations(both, 2)):
        extent = frozenset(call for call in met if all(call[1][at] == "1" for at, _ in chosen))
        factors = frozenset().union(*(each.factors for _, each in chosen))
        if extent not in seen and len(factors) == len(chosen):
            seen.add(extent)
            said = ", ".join(each.said for _, each in chosen)
            test = " and ".join(each.test for _, each in chosen)
            yield Condition(factors, said, test, False, tuple(sorted({n for n, _ in extent})))


def draw_corners(
    kinds: dict[str, list[T]], where: Sequence[Condition], seed: str
) -> list[Corner[T]]:
    """Draw mutants for conditions, so that every operator meets every condition.

    So every two settings meet, with each operator, and no search for a covering array is needed:
    conditions are few, as `conditions` merges those that no suite tells apart.
    """
    rng = random.Random(seed)
    turns = [cycle(rng.sample(mine, len(mine))) for mine in kinds.values()]
    found = [(next(turn), each) for each, turn in product(where, turns)]
    drawn = {id(mutant) for mutant, _ in found}
    rest = (each for mine in kinds.values() for each in mine if id(each) not in drawn)
    return found + [(each, rng.choice(where)) for each in rest if where]
