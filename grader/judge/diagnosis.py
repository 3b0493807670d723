"""Diagnose the known mistake that gives exactly the learner's numbers.

A mistake is named if it equals the learner's observations on every probe of the exercise; or on
every failing probe that returned arrays, provided that it passes wherever the learner passed and
nowhere else. Before that, a misspelt attribute explains all the rest: one that is set and never
read, with a name almost like another.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Mapping

from ..arrays import Array
from ..course.key_file import ChapterKey
from ..course.syntax_tree import does_nothing, parse
from ..sandbox.observation import Observation
from ..verdict import CRASHED, FAILED
from .judge import ExerciseVerdict, Finding, Inferred, short_name
from .misplaced import CLOSE_ATTRIBUTE
from .outcome import all_equal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ExerciseRow, Gives, MistakeOutcome

Parts = Mapping[str, list[Array]]

LINE = re.compile(r"\bline \d+")  # a message may name a line of the learner's file
REWORDED = ("ZeroDivisionError",)  # worded differently by versions of Python
IDLE = "written:idle"
MISSPELT = "written:misspelt"  # in place of a mistake's name
# Spaced as by `ast.unparse`; names with two leading underscores are read by Python itself.
SET = re.compile(r"\.((?!__)\w+)(?:: [^=\n]{1,99})? (?:[-+*/@%&|^]|//|\*\*)?= ")
MOST_NAMES, LONGEST_NAME = 300, 60  # limits of the names that are compared
MOST_CODE = 1 << 20  # bytes of the largest package that is searched for a name


def diagnose(
    chapter: ChapterKey,
    verdict: ExerciseVerdict,
    observations: dict[int, Observation],
    gives: Callable[[], Gives],
    text: Callable[[], str],
    files: Mapping[str, bytes],
) -> list[tuple[str, str]]:
    """Return (name, sentence) of every mistake that reproduces what the learner's code gave.

    Args:
        gives: returns what each mistake gives; called if some probe has failed.
        text: returns the learner's own code for this exercise.
        files: the whole package, in which a set attribute may never be read.
    """
    mine = text()
    idle = find_idle(mine, verdict.exercise["targets"])
    in_vain = find_misspelt_attribute(mine, files)
    if in_vain:
        return in_vain
    for with_asides in (True, False):
        checks = _checks_by_probe(verdict, with_asides)
        failing = set(verdict.failing) & set(checks)
        theirs = gives() if failing else {}
        found = [
            (name, says)
            for name, says in verdict.exercise["mistakes"].items()
            if name in theirs and _reproduces(chapter, theirs[name], checks, failing, observations)
        ]
        if idle:  # of code that does nothing, few sentences are true
            found = [each for each in found if each[0] in verdict.exercise.get("idle", {})]
        if found:
            return [each for each in found if _fits(verdict.exercise, each[0], mine)]
    return idle


def find_idle(text: str, targets: list[str]) -> list[tuple[str, str]]:
    """Return (name, sentence) if a function in an exercise's text does nothing: `pass` alone."""
    for node in parse(text).body:
        if isinstance(node, ast.FunctionDef) and does_nothing(node.body):
            name = next((short_name(t) for t in targets if t.endswith(f".{node.name}")), node.name)
            has_words = ast.get_docstring(node) is not None
            what = "its docstring" if has_words else f"`{ast.unparse(node.body[-1])}`"
            says = f"`{name}` sets nothing and returns None: {what} is all that stands in it."
            return [(IDLE, says)]
    return []


def _fits(exercise: ExerciseRow, name: str, mine: str) -> bool:
    """Whether the learner's text may be this mistake, if the mistake asks for patterns in it."""
    has, lacks = exercise.get("told_by_text", {}).get(name, ((), ()))
    is_there = [re.search(pattern, mine) is not None for pattern in has]
    return (not has or any(is_there)) and not any(re.search(p, mine) for p in lacks)


def find_in_text(
    verdict: ExerciseVerdict, text: Callable[[], str], inferred: Inferred
) -> dict[str, list[Finding]]:
    """Return what the learner's text shows, by the wrong checks that nothing else explains."""
    patterns = verdict.exercise.get("shown_by_text", {})
    wrong = [check.id for check in verdict.checks if check.status in (CRASHED, FAILED)]
    silent = [id for id in wrong if not inferred.get(id)]
    if not patterns or not silent:
        return {}
    mine, says = text(), verdict.exercise["mistakes"]
    shown = [(name, says[name]) for name, found in patterns.items() if re.search(found, mine)]
    return dict.fromkeys(silent, shown[:1])


def _checks_by_probe(verdict: ExerciseVerdict, with_asides: bool) -> dict[int, list[CheckRow]]:
    """Map the probes of an exercise to the checks that they serve.

    An aside is about how the code is written (with Tensor operations, or with NumPy on values), and
    so are a dtype and a cost; a mistake is the same mistake in any style, so it is looked for
    without them, too. Nor does a stretch tell one mistake from another.
    """
    checks: dict[int, list[CheckRow]] = {}
    for each in verdict.counted:
        aside = each.check["aside"] or each.check["compare"] in ("dtype", "cost")
        if aside and not with_asides:
            continue
        for number in each.check["probes"]:
            checks.setdefault(number, []).append(each.check)
    return checks


def _reproduces(
    chapter: ChapterKey,
    gives: Mapping[int, MistakeOutcome],
    checks: dict[int, list[CheckRow]],
    failing: set[int],
    observations: dict[int, Observation],
) -> bool:
    equal = {n: gives_the_same(checks[n], gives.get(n), observations[n]) for n in checks}
    if any(_passes(chapter, checks[n], n, gives) for n in failing):
        return False  # a mistake «the numbers are right, but …» does not fit wrong numbers
    if all(equal.values()):
        return True
    telling = [n for n in failing if observations[n].kind in ("arrays", "complained")]
    if all(observations[n].kind != "arrays" for n in telling) or not all(equal[n] for n in telling):
        return False  # complaints alone («it returned None») show no mistake
    return all(_passes(chapter, checks[n], n, gives) == (n not in failing) for n in checks)


def gives_the_same(checks: list[CheckRow], stored: MistakeOutcome | None, got: Observation) -> bool:
    """Whether a mistake and the learner's code give the same for this probe."""
    if stored is None:
        return False
    if "ended" in stored:
        same_kind = stored["ended"] == got.kind
        keys = ("type",) if stored.get("type") in REWORDED else ("type", "message")
        ends = [[LINE.sub("", str(e.get(k, ""))) for k in keys] for e in (stored, got.texts)]
        return same_kind and ends[0] == ends[1]
    if got.kind != "arrays":
        return False
    return all(_same(check, got.parts, stored["parts"]) for check in checks)


def _passes(
    chapter: ChapterKey, checks: list[CheckRow], number: int, gives: Mapping[int, MistakeOutcome]
) -> bool:
    """Whether a mistake gives the right answer for this probe."""
    theirs = gives.get(number, {}).get("parts")
    if theirs is None:
        return False
    right = chapter.parts(chapter.probes[number]["answers"]["reference"])
    return all(_same(check, theirs, right) for check in checks)


def _same(check: CheckRow, yours: Parts, theirs: Parts) -> bool:
    """Whether a check accepts its part of the one for that of the other."""
    part = check["part"]
    return all_equal(check, yours.get(part, []), theirs.get(part, []), "reference")


# ---- an attribute that nothing reads -------------------------------------------------------


def _is_short(name: str) -> bool:
    return len(name) <= LONGEST_NAME


def find_misspelt_attribute(text: str, files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Return (name, sentence) if the exercise's text sets an attribute that seems misspelt.

    A name that is read anywhere in the package is not. For example, `.gard` is only set, and
    `.grad` is read twice: «Did you mean `.grad`?».
    """
    stored = Counter(SET.findall(text))
    if not stored or sum(map(len, files.values())) > MOST_CODE:
        return []
    whole = "\n".join(each.decode("utf-8", "replace") for each in files.values())
    words = Counter(re.findall(r"\w+", whole))
    read = Counter(re.findall(r"\.(\w+)\b(?! = )", whole))
    often = [name for name, times in read.most_common(MOST_NAMES) if times > 1 and _is_short(name)]
    for name in filter(_is_short, list(stored)[:MOST_NAMES]):
        if words[name] > stored[name]:
            continue
        import difflib

        known = [other for other in often if other != name]
        near = difflib.get_close_matches(name, known, n=1, cutoff=CLOSE_ATTRIBUTE)
        if near:
            says = (
                f"You set `.{name}`, and nothing in your package ever reads that. "
                f"Did you mean `.{near[0]}`?"
            )
            return [(MISSPELT, says)]
    return []
