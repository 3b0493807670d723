"""Invariants 9 and 17: what is tested is announced, and what is announced is tested.

A check quotes the words that announce it (`taught`; words that stand apart are joined by ` … `),
and these must occur somewhere. Conversely, a check must quote every sentence of the docstring of
everything that a learner writes (a check of its exercise), of the docstring of a class (a check of
anything in it that a learner writes), and every sentence about a result in a box of the prose (a
check of an exercise in that box). A sentence that only explains, describes the input, or cannot be
observed by a probe is a row in `exercises/chapterN/untested.py`, with the reason. A chapter without
that file is exempt.

One quoted word does not make a whole sentence tested. «`log(1 + eᵃ)`; no overflow for any finite
`a`» has two clauses, and each needs a wrong body that fails a check which quotes it, and no check
which quotes only the other: a mistake of the exercise, or a row in `exercises/chapterN/broken.py`:

    @broken("ops.Softplus.forward")
    class SOFTPLUS_FORWARD:
        no_overflow = body("return np.log(1 + np.exp(a))")
        '''no overflow for any finite `a`.'''

There, too, a chapter without that file is exempt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product, zip_longest
from types import ModuleType
from typing import Any, NamedTuple

from ..course import Chapter, Exercise
from ..course.bodies import Broken, apply_edit, read_bodies
from ..course.load import Course
from ..course.modules import has_module, import_module
from ..course.outline import FORMULAS, ROUTES
from ..course.splice import target_file
from ..course.syntax_tree import NO_PYTHON, parse
from ..errors import OurFault
from ..verdict import CRASHED, WRONG
from .proof import CourseCheck, Problem, collapse_spaces, definition_of, reads_as, rows_of

APART = " … "
LISTED = re.compile(r"(Args|Attributes|Raises):\n(?=    )")
ENTRY = re.compile(r"^ {4}(?! )", re.MULTILINE)
END = re.compile(r"(?<=[.?!])\s+(?=[^a-z0-9])")
BOX = re.compile(
    r"(?:^\(\S+\)=\n)+^:::+\{admonition\} Exercise ([\d.]+)[:,][^\n]*\n(.*?)^:::",
    re.MULTILINE | re.DOTALL,
)
# Words about a result; the other sentences of a box say what to write, and how.
SPEAKS = re.compile(
    r"\b(?:raises?|returns?|keeps?|leaves?|sets|shares?|stays?|unchanged|cop(?:y|ies)|exactly|depth|"
    r"bit|dtype|float32|float64|tuple|None)\b"
)
# Where a clause begins: behind `;` and `:`, before a conjunction that comes after a comma, and
# before `and` with a verb.
CLAUSE = re.compile(
    r"(?<=[;:]) |(?<=,) (?=(?:and|but|so|or|which|where|unless|even|also|without|not|if|whatever|"
    r"however|while|never|neither|then)\b)|"
    r" (?=and \w+s (?:the|its|it|an?|no|each|every|them|all|what|in|to|by)\b)"
)
WORDS = 3  # that a clause has at least, beside code
COMMAND = "grader check"
SOURCE = "Source"  # begins a block about a formula's origin, which promises nothing
BREAK = "a mistake that fails a check of this clause alone, or a row in broken.py"
QUOTE = "a check that quotes it, or a row with the reason in exercises/{}/untested.py"


def behaviours_are_taught(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 9: the words that a check quotes occur in the prose or in a docstring, on
    each route; in the last hint, if it has the formula that a docstring hides."""
    terms = [*product((0,), ROUTES, FORMULAS)]
    docs = [collapse_spaces(" ".join(proof.course.stubs(*each).values())) for each in terms]
    for chapter in proof.chapters:
        prose = collapse_spaces(proof.course.prose(chapter.id))
        for check in proof.course.checks(chapter, "public"):
            for quote in quotes(check.taught):
                said = prose + collapse_spaces(proof.course.formulas.get(check.exercise, ""))
                if not quote or any(quote not in said and quote not in each for each in docs):
                    what = f"quotes «{quote}», which stands nowhere"
                    yield Problem(check.id, what, "write it, or correct `taught`")


def promises_are_tested(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 17: checks quote every clause, or a row says why none does."""
    for chapter, names in list_names(proof):
        if not has_module(f"exercises.{chapter.id}.untested"):
            proof.notes.append(f"{chapter.id} has no untested.py: not looked at")
            continue
        known, met = rows_of(chapter.id, names, "untested"), set()
        for each in list_unquoted(read_promises(proof.course, chapter, names)):
            rows = {(of, line) for of, line in known if of == each.name and each.reads_as(line)}
            met |= rows
            if not rows:
                what = f"promises «{each.text}», and no check quotes it"
                yield Problem(each.name, what, QUOTE.format(chapter.id))
        for name, line in sorted(known.keys() - met):
            what = f"no sentence without a check says «{line}»"
            yield Problem(name, what, "take the row out of untested.py")


def clauses_are_broken(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 17: of each clause that a check quotes, a wrong body that breaks it alone
    loses points."""
    for chapter, names in list_names(proof):
        if not has_module(f"exercises.{chapter.id}.broken"):
            proof.notes.append(f"{chapter.id} has no broken.py: its clauses are not looked at")
            continue
        table = read_broken(import_module(f"exercises.{chapter.id}.broken"))
        known = {(name, line) for name in names for line in table.get(name, ())}
        fails, met = fails_of_mistakes(proof, chapter), set[tuple[str, str]]()
        for each, siblings in with_siblings(read_promises(proof.course, chapter, names)):
            rows = {r for r in known if r[0] == each.name and reads_as(each.text, r[1])}
            met |= rows
            others = frozenset().union(*siblings) - each.checks
            found = [fails_of(proof, name, table[name][line]) for name, line in rows]
            # What quotes two clauses at once tells of neither: only a row does.
            found += fails.get(each.name, []) if each.checks not in siblings else []
            if not any(failed & each.checks and not failed & others for failed in found):
                yield Problem(each.name, f"no body breaks «{each.text}» alone", BREAK)
        for name, line in sorted(known - met):
            what = f"no clause that a check quotes says «{line}»"
            yield Problem(name, what, "take the row out of broken.py")


def read_broken(module: ModuleType) -> dict[str, dict[str, Any]]:
    """Return the bodies of a `broken.py`: what promises → clause → a target with its body."""
    words = vars(module)
    table = dict(words.get("BROKEN", {}))  # as courses written for 1.0 have it
    for each in words.values():
        if isinstance(each, Broken):
            rows = read_bodies(each.rows)
            table[each.name] = {r.says: {r.target or each.name: r.edit or r.body} for r in rows}
    return table


def fails_of_mistakes(proof: CourseCheck, chapter: Chapter) -> dict[str, list[frozenset[str]]]:
    """Map targets and classes to what fails with each mistake of their exercises."""
    found: dict[str, list[frozenset[str]]] = {}
    for exercise in chapter.exercises:
        names = {n for t in exercise.targets for n in (t, class_of(proof.course, t))}
        for mistake in exercise.mistakes:
            fails = fails_of(proof, exercise.target_of(mistake), mistake.body)
            for name in names:
                found.setdefault(name, []).append(fails)
    return found


def fails_of(proof: CourseCheck, name: str, change: Any) -> frozenset[str]:
    """Return the checks that cost points with another body, which may be an edit of the right one.

    Args:
        name: a target; a class, where ``change`` maps a target to its body.
    """
    ((target, change),) = change.items() if isinstance(change, dict) else ((name, change),)
    if not isinstance(change, str):
        change = apply_edit(proof.course.regions[target].body, change, f"broken.py: {name}")
    sources = proof.course.replace_bodies({target: change})
    (verdict,) = proof.first_verdicts(sources, [proof.course.owner[target].id])
    if verdict.status == CRASHED:
        refuse_syntax_error(sources[target_file(target, sources)[0]], target, name)
    return frozenset(c.id for c in verdict.checks if c.status in WRONG and c.check["weight"])


def refuse_syntax_error(source: str, target: str, name: str) -> None:
    """Raise OurFault for code that is no Python: it fails every check, whatever the clause."""
    try:
        parse(source)
    except NO_PYTHON as error:
        raise OurFault(
            f"broken.py: {name}: the body for {target} is no Python: {error}."
        ) from error


def list_names(proof: CourseCheck) -> Iterator[tuple[Chapter, list[str]]]:
    """Yield each chapter in question with the names of what promises something there.

    The first chapter that writes a part of a class answers for the class.
    """
    answered: set[str] = set()
    for chapter in proof.course.chapters:
        mine = [e for e in chapter.exercises if not e.given]
        classes = {class_of(proof.course, t) for e in mine for t in e.targets} - {"", *answered}
        answered |= classes
        asked = [e for e in mine if e.id in proof.ids]
        targets = [t for e in asked for t in e.targets]
        parts = classes & {class_of(proof.course, target) for target in targets}
        if targets:
            yield chapter, [*targets, *sorted(parts), *sorted({box_of(e) for e in asked})]


def class_of(course: Course, target: str) -> str:
    """Return the class that a target is a part of; empty if it is a function of its module."""
    _, name = target_file(target, course.solutions)
    return target.rpartition(".")[0] if "." in name else ""


def box_of(exercise: Exercise) -> str:
    """Return the name of an exercise's box in a table of rows."""
    return f"box {exercise.section}"


def in_boxes(prose: str) -> dict[str, list[str]]:
    """Map the boxes of a chapter's prose to their sentences."""
    found: dict[str, list[str]] = {}
    for number, text in BOX.findall(prose):
        found.setdefault(f"box {number}", []).extend(split_docstring(text))
    return found


class Promise(NamedTuple):
    """A sentence of a box or a docstring, or a clause of it."""

    name: str  # of a target, a class or a box
    text: str
    sentence: str
    checks: frozenset[str]  # that quote a word of it

    def reads_as(self, line: str) -> bool:
        """Whether the line of a row names it, or its whole sentence."""
        return reads_as(self.text, line) or reads_as(self.sentence, line)


def read_promises(course: Course, chapter: Chapter, names: list[str]) -> list[Promise]:
    """Return the promises of these targets, classes and boxes, in order."""
    asked: dict[str, list[tuple[str, str]]] = {}
    for check in course.checks(chapter, "public"):
        exercise = course.exercises[check.exercise]
        owners = {n for target in exercise.targets for n in (target, class_of(course, target))}
        for name in {box_of(exercise), *owners}:
            asked.setdefault(name, []).extend((check.id, quote) for quote in quotes(check.taught))
    of_boxes, found = in_boxes(course.prose(chapter.id)), list[Promise]()
    splits = has_module(f"exercises.{chapter.id}.broken")
    for name in names:
        every = of_boxes.get(name, ()) if name.startswith("box ") else promised_by(course, name)
        is_split = splits and not name.startswith("box ")
        parts = [(t, text) for text in every for t in (split_clauses(text) if is_split else [text])]
        whole, begin = " ".join(text for text, _ in parts), 0
        spans = [(check, *m.span()) for check, quote in asked.get(name, ()) if quote
                 for m in re.finditer(re.escape(quote), whole)]  # fmt: skip
        for text, sentence in parts:
            end = begin + len(text.rstrip(" .,;:"))
            quoted = frozenset(c for c, first, last in spans if first < end and begin < last)
            found.append(Promise(name, text, sentence, quoted))
            begin += len(text) + 1
    return found


def list_unquoted(promises: list[Promise]) -> Iterator[Promise]:
    """Yield those that no check quotes, but what a box says of no result.

    «The gradient of `a`: …» is a heading: it is quoted with what follows.
    """
    for each, following in zip_longest(promises, promises[1:]):
        is_heading = following is not None and each.text.endswith(":")
        is_idle = each.name.startswith("box ") and (
            COMMAND in each.text or not SPEAKS.search(each.text)
        )
        if not each.checks and not is_idle and not (is_heading and following.checks):
            yield each


def with_siblings(promises: list[Promise]) -> Iterator[tuple[Promise, list[frozenset[str]]]]:
    """Yield the clauses that checks quote, each with the checks of its sentence's other clauses."""
    quoted = [p for p in promises if p.checks and not p.name.startswith("box ")
              and (p.text == p.sentence or not p.text.endswith(":"))]  # fmt: skip
    for each in quoted:
        theirs = [p for p in quoted if p[::2] == each[::2] and p is not each]
        yield each, [p.checks for p in theirs]


def promised_by(course: Course, name: str) -> list[str]:
    """Return the sentences of a docstring; of a class, all but the first, which says what it is."""
    node = definition_of(course, name)
    every = split_docstring(ast.get_docstring(node) or "")
    return every[1:] if isinstance(node, ast.ClassDef) else every


def split_clauses(sentence: str) -> list[str]:
    """Split a sentence into its clauses; a few words alone belong to the clause beside them."""
    found: list[str] = []
    for text in CLAUSE.split(sentence):
        if found and min(map(count_words, (found[-1], text))) < WORDS:
            found[-1] += f" {text}"
        else:
            found.append(text)
    return found


def count_words(text: str) -> int:
    """Count the words of a text; code is two."""
    return len(re.findall(r"[^\W\d_]{2,}", re.sub(r"`[^`]*`", "some code", text)))


def split_docstring(docstring: str) -> list[str]:
    """Split a docstring into sentences; each argument with its description begins a new one."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", docstring):
        listed = LISTED.match(block)
        entries = ENTRY.split(block[listed.end() :]) if listed else [block]
        for entry in entries if not block.startswith(SOURCE) else ():
            found += END.split(collapse_spaces(entry.removeprefix("Returns:")))
    return [sentence for sentence in found if sentence]


def quotes(taught: str) -> list[str]:
    """Return the words that a check quotes, passage by passage."""
    return [collapse_spaces(quote) for quote in taught.split(APART)]
