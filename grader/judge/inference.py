"""Infer from the numbers alone how they relate to the right ones, if no known mistake fits.

A relation is told only if it gives the learner's numbers on every failing probe of that part of the
exercise that returned arrays, and only if several different numbers bear it out. If more than one
relation holds, all are shown as candidates.

For example, two probes of `Mul.backward` fail in the part ``gradient``, of a and of b each:

    probe   gradient of   right         yours         relations
    7       a             [2, -3]       [-2, 3]       sign
            b             [5, 1]        [1, 5]        order
    8       a             [4, 0.5]      [-4, -0.5]    sign
            b             [6, 2]        [6, -2]       (none, so «order» falls, too)

For a, «sign» holds in both, for b nothing does. No relation is shared by both, so a is named, and
nothing is said of b: «Your gradient of a is exactly the right one with the opposite sign.» Were b's
numbers [-5, -1] and [-6, -2], «sign» would hold for both, and one sentence would speak of both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from ..arrays import Array
from ..course.compare import difference
from ..course.key_file import ChapterKey
from ..sandbox.observation import Observation
from ..verdict import CRASHED, FAILED, WRONG
from .exceptions import explain_exception
from .judge import CheckVerdict, ExerciseVerdict, Finding
from .outcome import gradients_of, name_arrays
from .relations import RELATIONS, NamedArray, Relation, Word, WrongArray, words_for

Fact = tuple[Relation, str | Word]  # a row that holds, and its word
Observations = dict[int, Observation]

CUT_OFF = (
    "By its graph, what you returned does not depend on {0}: its derivative along {0} is 0. What "
    "is taken out with `.data`, or computed by NumPy, leaves no trace in the graph."
)
LATER = (
    "inferred:second-call",
    "The first call is right and a later one is not. Look at what your code keeps between calls.",
)


def infer(
    chapter: ChapterKey,
    verdict: ExerciseVerdict,
    observations: Observations,
    files: Mapping[str, bytes],
) -> dict[str, list[Finding]]:
    """Return the candidates that an exercise's numbers allow, by the check that they explain.

    Explanations of exceptions must fit the line of the learner's files that raised it.
    """

    def line(file: str, number: int) -> str:
        lines = files.get(file, b"").decode("utf-8", "replace").splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""

    inferred: dict[str, list[Finding]] = {}
    parts: dict[tuple[str, str, bool], list[CheckVerdict]] = {}  # a stretch is looked at alone
    for check in verdict.checks:
        # No arrays came back for this part; those of another part of the probe may have.
        has_ended = check.outcome is not None and check.outcome.which is None
        found: list[Finding] = []
        if check.status in (CRASHED, FAILED) and check.probe is not None and has_ended:
            found = explain_exception(observations[check.probe], line, verdict.id)
        if check.status == FAILED and check.check["aside"] and check.failing:
            found = found or _cut_off(chapter, check, observations)
        if check.status in WRONG and check.failing and _comparable(check):
            program = chapter.probes[check.failing[0]]["program"]
            is_counted = bool(check.check["weight"])
            parts.setdefault((program, check.check["part"], is_counted), []).append(check)
        inferred[check.id] = found
    for (_, part, _), checks in parts.items():
        inferred |= _infer_of_part(chapter, part, checks, observations)
    return inferred


def _infer_of_part(
    chapter: ChapterKey, part: str, checks: list[CheckVerdict], observations: Observations
) -> dict[str, list[Finding]]:
    """Return what the wrong arrays of a part allow, by the check that they fail."""
    numbers = sorted({n for check in checks for n in check.failing})
    telling = [n for n in numbers if observations[n].kind == "arrays"]
    found, named = _later_call(chapter, part, telling, observations), set[str]()
    dtype_too = any(check.check["compare"] == "dtype" for check in checks)
    wrong = _wrong_arrays(chapter, part, telling, observations, dtype_too)
    if not found:
        found, named = _of_part(wrong)
    return {
        check.id: found if _shows(chapter, check, named) else []
        for check in checks
        if check.status == FAILED and set(check.failing) & set(telling)
    }


def _cut_off(chapter: ChapterKey, check: CheckVerdict, observations: Observations) -> list[Finding]:
    """Find the inputs that a gradient's graph does not lead to, as its own derivative is 0."""
    part, lost = check.check["part"], None
    for number in check.failing:
        names, mine = gradients_of(chapter.probes[number], part), observations[number].parts
        rows = zip(names, mine.get(part, []), chapter.reference_arrays(number, part), strict=False)
        zero = {name for name, m, r in rows if any(r.values()) and not any(m.values())}
        lost = zero if lost is None else lost & zero
    if not lost:
        return []
    return [("inferred:cut-off-graph", CUT_OFF.format(" and ".join(sorted(lost))))]


def _comparable(check: CheckVerdict) -> bool:
    by_value = check.check["compare"] in ("close", "rounded", "dtype")
    return by_value and check.check["part"] != "inputs" and not check.check["aside"]


def _of_part(wrong: dict[NamedArray, list[WrongArray]]) -> tuple[list[Finding], set[str]]:
    """Return what holds for the wrong arrays of a part: for all of them, else for some by name; and
    the inputs that it names.

    Nothing, if that takes many sentences: a separate explanation per array is none.
    """
    # Few numbers are easily the right ones in another order: that alone explains nothing.
    holding = {subject: _relations(mine) for subject, mine in wrong.items()}
    every = list(holding.values())
    shared = [fact for fact in next(iter(every), []) if all(fact in facts for facts in every)]
    if shared:
        said = words_for(list(holding))
        found = [(f"inferred:{row.name}", _sentence(row, word, said)) for row, word in shared]
        return (found, _named(holding, shared)) if len(found) <= MOST_SAID else ([], set())
    of_each: dict[tuple[Fact, ...], list[NamedArray]] = {}
    for subject, facts in holding.items():
        if facts and (all(every) or facts[0][0].name != "order"):
            of_each.setdefault(tuple(facts), []).append(subject)
    if not of_each or sum(map(len, of_each)) > MOST_SAID:
        return [], set()
    names = [f"inferred:{row.name}" for facts in of_each for row, _ in facts]
    says = [
        " Or: ".join(_sentence(*fact, words_for(subjects)) for fact in facts)
        for facts, subjects in of_each.items()
    ]
    told = (_named(subjects, facts) for facts, subjects in of_each.items())
    return [(" + ".join(names), " ".join(says))], set().union(*told)


def _named(subjects: Iterable[NamedArray], facts: Iterable[Fact]) -> set[str]:
    """Return the inputs that are named: those of the gradients, and those of the facts' words."""
    words = {word.input for _, word in facts if isinstance(word, Word)}
    return words | {subject.name for subject in subjects if subject.kind == "gradient"}


OF_A_LIST = re.compile(r"x\d")  # an input's name; one call may have fewer of them than another


def _shows(chapter: ChapterKey, check: CheckVerdict, named: set[str]) -> bool:
    """Whether the call that is shown has the inputs of a list that are named."""
    number = check.probe if check.probe is not None else check.failing[0]
    shown = {name for name, _ in chapter.probes[number]["shown"]}
    return set(filter(OF_A_LIST.fullmatch, named)) <= shown


def _sentence(row: Relation, word: str | Word, said: dict[str, str]) -> str:
    text = row.says.format(word, **said)
    return text[0].upper() + text[1:]


def _relations(wrong: list[WrongArray]) -> list[Fact]:
    """Return the relations that hold in every call, with their words; `WEAK` ones only alone."""
    found: list[Fact] = []
    for row in RELATIONS:
        told: set[str | Word] | None = None
        for each in wrong:
            held = {word for word, pair in row.pairs(each) if _equal(*pair)}
            told = held if told is None else told & held
            if not told:
                break
        if told and _support(wrong) >= row.support:
            found += [(row, word) for word in sorted(told, key=str)]
    dtype = [f for f in found if f[0].name == "dtype"]  # others then hold for right values, too
    return dtype or [f for f in found if f[0].name not in WEAK] or found


# Relations that hold easily: told only if no sharper one does.
WEAK = (
    "order", "gaps", "offset", "times-input", "float32-values", "seven-digits", "three-digits",
)  # fmt: skip
MOST_SAID = 2  # facts: more of them explain nothing


def _equal(yours: Array, theirs: Array) -> bool:
    return difference(yours, theirs, "reference") is None


def _support(wrong: list[WrongArray]) -> int:
    """Return how many different numbers the learner's arrays hold; 0 does not count."""
    values = {round(float(v), 6) for each in wrong for v in each.mine.values()}
    return len({abs(v) for v in values if math.isfinite(v) and v})


def _wrong_arrays(
    chapter: ChapterKey, part: str, numbers: list[int], observations: Observations, dtype_too: bool
) -> dict[NamedArray, list[WrongArray]]:
    """Map each subject to its wrong arrays, one per failing probe."""
    found: dict[NamedArray, list[WrongArray]] = {}
    for number in numbers:
        probe = chapter.probes[number]
        right, mine = (
            chapter.reference_arrays(number, part),
            observations[number].parts.get(part, []),
        )
        if len(mine) != len(right):
            return {}
        inputs = {name: chapter.array(n) for name, n in probe["shown"]}
        names = gradients_of(probe, part)
        called = name_arrays(chapter, probe, part, len(right))
        before = _before(chapter, part, number)
        for which, array in enumerate(mine):
            same_dtype = not dtype_too or array.dtype == right[which].dtype
            if not (same_dtype and _equal(array, right[which])):
                subject = _subject(names, called, which, len(right))
                pairs = zip(names, right, strict=False)
                others = {name: other for name, other in pairs if other != right[which]}
                earlier = before[which] if len(before) > which else None
                if earlier is not None and earlier.values() == right[which].values():
                    earlier = None  # both calls have the same answer: nothing can be stale
                of = others, inputs, inputs.get("out_grad"), earlier
                found.setdefault(subject, []).append(WrongArray(array, right[which], *of))
    return found


def _before(chapter: ChapterKey, part: str, number: int) -> list[Array]:
    """Return the right arrays of the probe before, if it is the same call on other inputs."""
    before, probe = chapter.probes[number - 1], chapter.probes[number]
    alike = all(before[name] == probe[name] for name in ("program", "exercise"))
    return chapter.reference_arrays(number - 1, part) if number and alike else []


def _subject(gradients: list[str], called: list[str], which: int, count: int) -> NamedArray:
    if which < len(gradients):
        return NamedArray("gradient", gradients[which])
    if not called:
        return NamedArray("result", str(which + 1)) if count > 1 else NamedArray("named", "result")
    name = re.sub("^[Tt]he ", "", called[which])  # an author's words: «the gradient of W»
    is_gradient = name.startswith("gradient of ")
    return NamedArray("gradient" if is_gradient else "named", name.removeprefix("gradient of "))


def _later_call(
    chapter: ChapterKey, part: str, numbers: list[int], observations: Observations
) -> list[Finding]:
    """Explain a program of several calls whose first is right and whose later one is wrong."""
    for number in numbers:
        name = chapter.probes[number]["means"].get("calls", {}).get(part)
        if name is None:
            return []
        right, mine = (
            chapter.reference_arrays(number, name),
            observations[number].parts.get(name, []),
        )
        if name == part:
            right, mine = right[:1], mine[:1]
        if not right or len(right) != len(mine):
            return []
        if not all(_equal(a, b) for a, b in zip(mine, right, strict=True)):
            return []
    return [LATER] if numbers else []
