"""Invariants about the course itself: the reference, the stubs, regions, prose, variants.

A mistake or a variant that leaves the reference as it is would prove nothing, and no other
invariant would notice. `Course.replace_bodies` itself ensures that a body reaches the package that
is judged.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

from .. import root
from ..about import COURSE
from ..course.load import boxes
from ..course.make_key import make_in_parallel
from ..course.outline import FORMULAS, FULL, HIDDEN, ROUTES, SHORT, chapter_no
from ..course.package import read_texts
from ..course.rows import PUBLIC_SEED
from ..course.syntax_tree import normalize_source, parse
from ..errors import OurFault
from ..verdict import GIVEN, PASSED, PENDING
from .proof import CourseCheck, Problem, collapse_spaces

if TYPE_CHECKING:
    from ..course.key_file import Launch

SEEDS = 2


def reference_passes(proof: CourseCheck, seeds: int = SEEDS) -> Iterator[Problem]:
    """Check invariant 1: the reference passes with the public seed and ``seeds`` others."""
    for seed in [None, *(f"seed {n}" for n in range(seeds))]:
        key = proof.key if seed is None else proof.key_of(seed)
        for verdict in proof.judge(proof.course.solved(), key=key).values():
            if verdict.status not in (PASSED, GIVEN):
                told = "; ".join(c.says for c in verdict.checks if c.status != PASSED)
                what = f"{verdict.status} with {seed or 'the public seed'}: {told}"
                yield Problem(verdict.id, what, "mend the reference or the check")


def stubs_are_pending(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 2: with stubs, or an empty package, all is pending and earns nothing."""
    for name, sources in (("stubs", proof.course.stubs()), ("empty", {"__init__.py": ""})):
        for verdict in proof.judge(sources).values():
            if verdict.status not in (PENDING, GIVEN) or verdict.score:
                what = f"{verdict.status}, {verdict.score} points with the {name} package"
                yield Problem(verdict.id, what, "a stub is `raise NotImplementedError` alone")


def short_route_holds(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 2 on the short route: what it hands out earns nothing, the reference all that
    it asks for."""
    solved = proof.course.solved_on(SHORT)
    packages = {"stubs": proof.course.stubs(route=SHORT), "reference": proof.course.solved()}
    for chapter in (chapter for chapter in proof.chapters if chapter.kinds):
        ids = [e.id for e in chapter.exercises if e.id in proof.ids]
        for name, sources in packages.items():
            for verdict in proof.judge(sources, ids, route=SHORT).values():
                exercise = proof.course.exercises[verdict.id]
                asked = exercise.points * (not exercise.given and verdict.id not in solved)
                right = PASSED if name == "reference" else PENDING
                earned = asked * (right == PASSED)
                if verdict.score != earned or verdict.status != (right if asked else GIVEN):
                    what = f"{verdict.status}, {verdict.score:g} points with the {name} package"
                    yield Problem(verdict.id, what, f"correct the kinds of {chapter.id}")


def hidden_stubs_are_stubs(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 2 with hidden formulas: the stubs are the same code, so they earn nothing."""
    for route in ROUTES:
        shown, hidden = (proof.course.stubs(0, route, formulas) for formulas in FORMULAS)
        for name, text in hidden.items():
            if text != shown[name] and normalize_source(text) != normalize_source(shown[name]):
                what = f"is other code with hidden formulas, on the {route} route"
                yield Problem(f"{COURSE.name}/{name}", what, "let `formulas` edit docstrings alone")


def oracles_agree(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 4: make the key anew, which compares the reference with every oracle.

    PyTorch's answers must be recorded, too.
    """
    try:
        key = proof.key_of(proof.seed)
    except OurFault as error:
        yield from _rows("4-oracles", error, "mend the row, or run `grader record`")
        return
    if proof.seed == PUBLIC_SEED:
        for name in key.chapters:
            for probe in key.chapter(name).unrecorded:
                yield Problem(
                    probe, "PyTorch's answer is not recorded", f"run `grader record {name}`"
                )


def mistakes_run(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 3: every mistake makes a package that can be imported."""

    def ran(id: str, launch: Launch) -> OurFault | None:
        try:
            proof.key.gives(id, launch)
        except OurFault as error:
            return error
        return None

    for error in filter(None, make_in_parallel(proof.key, ran, sorted(proof.ids & proof.own))):
        yield from _rows("3-run", error, "mend its body")


def _rows(where: str, error: OurFault, mend: str) -> Iterator[Problem]:
    """Yield a problem for each line of an error's list; for the whole sentence, if it has none."""
    first, *lines = str(error).splitlines()
    for line in lines or [first]:
        yield Problem(where, line.strip(), mend)


def package_is_stripped(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 5: the stubs are the stripped reference."""
    if root.is_installed_course():
        return
    for name, what in proof.course.outdated_stubs():
        yield Problem(f"{COURSE.name}/{name}", what, "run `grader stubs`")


def regions_have_exercises(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 6, the sources: each region belongs to exactly one exercise."""
    course = proof.course
    owners = [target for e in course.exercises.values() for target in e.targets]
    for target in course.regions:
        if owners.count(target) != 1:
            what = f"is the target of {owners.count(target)} exercises"
            yield Problem(target, what, "name it in the targets of exactly one exercise")
    for exercise in course.exercises.values():
        for target in exercise.targets:
            if not exercise.given and target not in course.regions:
                yield Problem(exercise.id, f"{target} has no solution region", "add its markers")


def exercises_are_whole(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 6, the exercises: an anchor, hints and points, and needs that exist."""
    for chapter in proof.chapters:
        prose = proof.course.prose(chapter.id)
        for exercise in (e for e in chapter.exercises if e.id in proof.ids):
            count = prose.count(f"({exercise.anchor})=")
            if prose and count != 1:
                what = f"{count} anchors ({exercise.anchor})= in the prose"
                yield Problem(exercise.id, what, f"write one in chapters/{chapter.id}.md")
            silent = [m.name for m in exercise.mistakes if not m.says.strip()]
            if silent:
                what = f"the mistake {silent[0]} has no sentence"
                yield Problem(exercise.id, what, "say in `says` what was done, and why not")
            if not exercise.given and not (exercise.hints and exercise.points > 0):
                yield Problem(exercise.id, "has no hints or no points", "add them")
            for need in set(exercise.needs) - set(proof.course.exercises):
                yield Problem(exercise.id, f"needs {need}, which does not exist", "correct it")


def kinds_are_alike(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 6, the short route: each kind of exercise asks for some and gives some, all
    of its chapter, none of them twice."""
    for chapter in proof.chapters:
        written = {e.id for e in chapter.exercises if not e.given}
        listed = [id for kind in chapter.kinds for id in (*kind.asked, *kind.given)]
        for kind in chapter.kinds:
            if not (kind.asked and kind.given):
                yield Problem(kind.id, "asks for no exercise, or gives none", "name both")
        for id in sorted({id for id in listed if id not in written or listed.count(id) > 1}):
            what = "is of two kinds" if id in written else "is not written in this chapter"
            yield Problem(id, what, f"correct the kinds of {chapter.id}")


def formulas_are_hidden(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 6, hidden formulas: each edit fits the docstring of something that a learner
    writes in this chapter, and the words that it takes out stand in no stub."""
    for chapter in proof.chapters:
        written = {t for e in chapter.exercises if not e.given for t in e.targets}
        for target in sorted(chapter.formulas.keys() - written):
            yield Problem(target, "is not written in this chapter", f"correct {chapter.id}")
    try:
        stubs = proof.course.stubs(formulas=HIDDEN)
    except OurFault as error:
        yield from _rows("6-formulas", error, "correct the chapter's `formulas`")
        return
    texts = {name: " ".join(text.split()) for name, text in stubs.items()}
    for chapter in proof.chapters:
        for target, change in chapter.formulas.items():
            for old, _ in (change,) if isinstance(change[0], str) else change:
                for name in (n for n, text in texts.items() if old.strip(" ,;:.") in text):
                    what = f"its formula stands in {name} all the same"
                    yield Problem(target, what, "hide it there too")


def numbers_are_checked(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 6, the numbers: `grader check` takes a box's number, and judges that box."""
    for chapter in proof.chapters:
        prose = proof.course.prose(chapter.id)
        at = {e.anchor: e.section for e in chapter.exercises}
        number_at = {
            anchor: title["number"]
            for anchors, title in boxes(prose)
            if title
            for anchor in anchors
        }
        for anchor in at.keys() & number_at.keys():
            if at[anchor] != number_at[anchor]:
                what = f"stands in box {number_at[anchor]}; `grader check {at[anchor]}` judges it"
                yield Problem(anchor, what, "leave out its `section`: the box says it")
        known = {*at.values(), *number_at.values()}
        for number in dict.fromkeys(ASKED.findall(prose)):
            if number.startswith(f"{chapter.number}.") and number not in known:
                what = f"names {number}, which has no exercise"
                yield Problem(chapter.id, what, "name a number that a box has")


ASKED = re.compile(r"(?:grader (?:check|hint|show)|[Ss]ections?|[Ee]xercises?) (\d+\.\d+)")


def chapters_stand_alone(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 6, the order: chapter N passes if everything after N is a stub."""
    for chapter in proof.chapters:
        sources = _solved_up_to(proof, chapter.number)
        for verdict in proof.judge(sources, [e.id for e in chapter.exercises]).values():
            if verdict.status not in (PASSED, GIVEN):
                what = f"is {verdict.status} without the later chapters"
                yield Problem(verdict.id, what, "the check leans on a later chapter")


def _solved_up_to(proof: CourseCheck, number: int) -> dict[str, str]:
    """Return a package with the chapters up to ``number`` solved and stubs for the rest."""
    course = proof.course
    later = {
        target: "raise NotImplementedError"
        for target, exercise in course.owner.items()
        if chapter_no(exercise.id) > number and target in course.regions
    }
    return course.replace_bodies(later)


def variants_pass(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 7: other right solutions pass all checks but those that they may fail."""
    for chapter in proof.chapters:
        for variant in chapter.variants:
            try:
                sources = proof.course.with_variant(variant)
            except OurFault as error:
                yield Problem(f"{chapter.id}: {variant.name}", str(error), "renew its text")
                continue
            verdicts = proof.judge(sources, [e.id for e in chapter.exercises])
            checks = [c for v in verdicts.values() for c in v.checks if c.id not in variant.but]
            for c in checks:
                if c.reason is not None and c.reason.kind == "ran_undetected":
                    what = f"passes its own checks, and makes {c.id} fail ({variant.name})"
                    by = " and ".join(c.blocked_by)
                    yield Problem(by, what, "give it a check that shows its fault")
                elif c.status != PASSED:
                    what = f"fails {c.id}, and is right"
                    yield Problem(f"{chapter.id}: {variant.name}", what, "the check asks too much")


def no_answer_leaks(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 8, for a workspace: no solution text of its own chapters is in it."""
    course = proof.course
    texts = {c.id: collapse_spaces(course.prose(c.id)) for c in course.chapters}
    programs = read_texts(root.path("tests", "programs"))  # the key of a release holds them
    texts |= {f"tests/programs/{name}": collapse_spaces(text) for name, text in programs.items()}
    for chapter, route in product(proof.chapters, (FULL, SHORT)):
        if route == SHORT and not chapter.kinds:
            continue
        stubs = {n: collapse_spaces(t) for n, t in course.stubs(chapter.number, route).items()}
        for target, region in course.regions.items():
            exercise = course.owner[target]
            early = chapter_no(exercise.id) < chapter.number
            if early or exercise.given or exercise.id in course.solved_on(route):
                continue
            body = collapse_spaces(re.sub(r"#.*", "", region.body))
            if len(body) < 48:
                continue  # so short a text occurs in many places for other reasons
            for name, text in {**stubs, **texts}.items():
                if body in text:
                    what = f"holds the solution of {target}"
                    where = f"a workspace from {chapter.id}, {route} route: {name}"
                    yield Problem(where, what, "take it out")


MEND = "write a body that differs, or take it out"


def bodies_are_applied(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 10: every mistake, and every body of a variant, differs from the
    reference."""
    for exercise, mistake in proof.mistakes():
        where = f"{exercise.id}: {mistake.name}"
        yield from find_unapplied(proof, where, {exercise.target_of(mistake): mistake.body})
    for chapter in proof.chapters:
        for variant in chapter.variants:
            where = f"{chapter.id}: {variant.name}"
            yield from find_unapplied(proof, where, variant.bodies)
            try:
                proof.course.replace_bodies(dict(variant.bodies))
            except OurFault as error:
                yield Problem(where, str(error), MEND)


def find_unapplied(proof: CourseCheck, where: str, bodies: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for each of these bodies that would leave the reference as it is."""
    for target, body in bodies.items():
        region = proof.course.regions.get(target)
        if region is None:
            yield Problem(where, f"{target} has no solution region", MEND)
        elif _same(body, region.body):
            yield Problem(where, f"its body of {target} is the reference's", MEND)


def _same(one: str, other: str) -> bool:
    """Whether two bodies are the same but for comments and white space."""
    return ast.dump(parse(textwrap.dedent(one))) == ast.dump(parse(textwrap.dedent(other)))
