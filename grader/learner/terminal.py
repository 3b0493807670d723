"""Write the learner's report: statuses, what is wrong and why, and what to do next."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from ..about import COURSE, PYTORCH
from ..course.outline import anchor_of, chapter_of
from ..reason import OTHER_VALUE, WRITTEN_ELSEWHERE
from ..result import is_all_lost, iter_exercises, spell_place
from ..verdict import BLOCKED, BROKEN, FAILED, GIVEN, PASSED, PENDING, WRONG
from .wording import (
    ALL,
    FULL_DETAIL,
    ORDER,
    WORDS,
    DetailLevel,
    Style,
    call_lines,
    format_count,
    format_unimportable,
    isolation,
    points,
    sides,
    undetected_fault,
    wrap_lines,
)  # fmt: skip

if TYPE_CHECKING:
    from ..result_rows import (
        ChapterResult,
        CheckResult,
        ExerciseResult,
        Result,
        TorchResult,
    )

MOST_DETAILS = 3  # exercises that are explained; the others are only named
MOST_PRINTED = 20  # lines that the learner's code has printed
PLAIN = 2  # a suite's first checks, at most, test plain cases; the others special ones
# In a terminal a line about `grader repro` follows.
AFTER_HINT = {"terminal": "", "notebook": " in a terminal.", "page": "."}
MOST_LINES = 25  # for one exercise: the first of `DETAIL_LEVELS` whose text is so short is taken
DETAIL_LEVELS = (
    FULL_DETAIL,
    DetailLevel(3, ALL, 3),
    DetailLevel(2, ALL, 2),
    *(DetailLevel(1, n, 0) for n in (ALL, 9, 7, 5)),
)


def report(result: Result, style: Style, printed: str = "", changed: Container[str] = ()) -> str:
    """Return the whole report as text; ``changed``: the given exercises that were edited."""
    text: list[str] = []
    said: set[tuple[str, str]] = set()
    for chapter in result["chapters"]:
        text += [""] if text else []
        text += _chapter(chapter, result, said, style)
    text += [""] if printed.strip() else []
    text += said_by_code(printed, style)
    text += _foot(result, style, changed)
    return "\n".join(text) + "\n"


def _chapter(
    chapter: ChapterResult, result: Result, said: set[tuple[str, str]], style: Style
) -> Iterator[str]:
    """Yield a chapter's lines; a failed import is reported in the first chapter that it affects."""
    exercises = chapter["exercises"]
    title = f"{chapter['id']}  {chapter['title']}"
    marks = f"{points(chapter['score'])} / {points(chapter['max_score'])} points"
    gap = " " * max(2, 80 - len(title) - len(marks))
    gap = "\n" if style.narrow else gap
    yield style.paint("bold", title) + gap + style.paint("bold", marks)
    yield ""
    yield from overview([(e["section"], e["title"], e["status"]) for e in exercises], style)
    ids = {e["id"] for e in exercises}
    for cause in result["unloadable"]:
        place = cause["location"] or ""
        if ids & set(cause["exercises"]) and (cause["message"], place) not in said:
            said.add((cause["message"], place))
            yield ""
            why = cause["message"].rstrip(".")
            yield from format_unimportable(why, place, style, is_all_lost(result))
    checks = [check for e in exercises for check in e["checks"]]
    for message in dict.fromkeys(says(c) for c in checks if c["status"] == BROKEN):
        yield ""
        yield from style.wrap(message)
    lost = {id for cause in result["unloadable"] for id in cause["exercises"]}
    wrong = [e for e in exercises if e["status"] in WRONG and e["id"] not in lost]
    for exercise in wrong[:MOST_DETAILS]:
        yield ""
        yield from details(exercise, style)
    if wrong[MOST_DETAILS:]:
        yield ""
        names = ", ".join(e["id"] for e in wrong[MOST_DETAILS:])
        yield from style.wrap(f"To be read one by one with `grader check`: {names}.")
    elsewhere = list(filter(None, map(written_elsewhere, exercises)))
    yield from [""] if elsewhere else []
    for where in elsewhere[:MOST_DETAILS]:
        yield from style.wrap(where, "    ", "  → ")
    for title in (stretch for e in exercises for stretch in stretches(e)):
        yield from ["", *style.wrap(f"Worth no points, and not reached yet: {title}")]
    yield from _blocked(exercises, style)


def overview(rows: list[tuple[str, str, str]], style: Style) -> Iterator[str]:
    """Yield one line per section and status, with the titles: 50 exercises would be 50 rows.

    Args:
        rows: (section, title, status) of each exercise.
    """
    for section in dict.fromkeys(section for section, _, _ in rows):
        label = section
        for status in ORDER:
            titles = [title for at, title, ended in rows if (at, ended) == (section, status)]
            if titles:
                mark, word, colour = WORDS[status]
                head = f"  {label:<5} {mark} {word:<13} "
                indent = " " * (6 if style.narrow else len(head))
                text = style.wrap(", ".join(titles), indent, indent if style.narrow else head)
                text = [head.rstrip(), *text] if style.narrow else text
                painted = style.paint(colour, f"{mark} {word}")
                yield "\n".join(text).replace(f"{mark} {word}", painted, 1)
                label = ""


def details(exercise: ExerciseResult, style: Style) -> list[str]:
    """Explain a wrong exercise: check, smallest failing call, known mistake, line, next step."""
    texts = (list(_details(exercise, style, detail)) for detail in DETAIL_LEVELS)
    # The first text of at most `MOST_LINES`, else the shortest: [30, 24, 20] lines → 24.
    return min(texts, key=lambda text: max(MOST_LINES, len(text)))


def _details(exercise: ExerciseResult, style: Style, detail: DetailLevel) -> Iterator[str]:
    checks = wrong_checks(exercise)
    check = checks[0]
    mark, word, colour = WORDS[exercise["status"]]
    marks = f"{points(exercise['score'])} of {points(exercise['max_score'])} points"
    is_given = not exercise["max_score"]  # only given ones are worth nothing
    marks = "given, and changed by you" if is_given else marks
    id = exercise["id"]
    name = style.link(id, f"{chapter_of(id)}.html#{anchor_of(id)}")  # its place in the book
    yield style.paint(colour, f"{mark} {name} {word}") + f"  ({marks})"
    yield from style.wrap(check["title"], "  ", "  ")
    yield ""
    yield from call_lines(check, style, detail)
    yield from wrap_lines(says(check), style, detail)
    yield from sides(check, style, detail)
    if any(check["notes"]):
        yield ""
        yield from wrap_lines("\n".join(check["notes"]), style, detail)
    yield ""
    also = list(_also(exercise, checks, style, detail.also))
    yield from also
    if also and detail.also:
        yield ""
    if check["mistake"] is not None:
        arrow, *rest = style.wrap(check["mistake"]["says"], "    ", "  → ")
        yield arrow.replace("→", style.paint("yellow", "→"), 1)
        yield from rest
    if check["location"] is not None:
        yield f"  In {spell_place(check['location'])}."
    script = check.get("repro", True)
    yield f"  Go on with `grader hint {id}`" + (AFTER_HINT[style.home] if script else ".")
    if script and style.home == "terminal":
        yield f"  or see it alone: `grader repro {id}`."
    if is_given:
        yield f"  Or restore what was given: `grader reset {id}`."


def wrong_checks(exercise: ExerciseResult) -> list[CheckResult]:
    """Return the wrong checks, those that earn points first."""
    wrong = [c for c in exercise["checks"] if c["status"] in WRONG]
    return sorted(wrong, key=lambda c: not c["max_score"])


def _also(
    exercise: ExerciseResult, wrong: list[CheckResult], style: Style, most: int
) -> Iterator[str]:
    """Yield the titles of the other wrong checks, each once, at most ``most``; then their number.

    Some are only counted, for their titles may be true: checks without a result that failed for
    the reason shown, and, if a plain check's result is wrong, those with wrong results.
    """
    first, *others = wrong
    checks = [c for c in others if c["yours"] is not None or c["reason"] != first["reason"]]
    same = len(others) - len(checks)
    plain = first in exercise["checks"][:PLAIN] and _is_result(first)
    titles = {c["title"]: c for c in checks if not (plain and _is_result(c))}
    titles.pop(first["title"], None)
    named = list(titles.values())[:most]
    for check in named:
        ended = check["status"]
        how = "" if ended == FAILED else f" ({WORDS[ended][1]})"
        head = f"  also not true yet{how}: "
        if not check["max_score"] and exercise["max_score"]:
            head = "  not yet, and worth no points: "
        yield from style.wrap(check["title"], "    ", head)
    rest = len(checks) - len(named)
    if rest and named:
        yield f"  and {rest} more."
    elif rest:
        yield f"  also failed: {format_count(rest, 'further check')}."
    if same:
        more = "its other check" if same == 1 else f"{same} more of its checks"
        yield f"  The same keeps {more} from being judged."


def says(check: CheckResult) -> str:
    """Return the sentence that says why a check has its status."""
    return check["reason"]["says"] if check["reason"] else ""


def _is_result(check: CheckResult) -> bool:
    """Whether a check failed for a wrong result, as opposed to a changed input."""
    return check["reason"] is not None and check["reason"]["name"] in OTHER_VALUE


def written_elsewhere(exercise: ExerciseResult) -> str:
    """Say where a pending exercise was written instead, and what to do; else ``""``."""
    if exercise["status"] != PENDING or not exercise["checks"]:
        return ""
    reason = exercise["checks"][0]["reason"]
    return reason["says"] if reason and reason["name"] in WRITTEN_ELSEWHERE else ""


def stretches(exercise: ExerciseResult) -> list[str]:
    """Return the titles of wrong checks of a passed exercise: they are worth no points."""
    return [c["title"] for c in wrong_checks(exercise) if exercise["status"] == PASSED]


def _blocked(exercises: list[ExerciseResult], style: Style) -> Iterator[str]:
    waiting: dict[str, list[ExerciseResult]] = {}
    for exercise in exercises:
        if exercise["status"] == BLOCKED:
            names = " and ".join(exercise["blocked_by"]) or "another exercise"
            waiting.setdefault(names, []).append(exercise)
    if waiting:
        yield ""
    for names, held in waiting.items():
        titles = ", ".join(e["title"] for e in held)
        yield from style.wrap(f"blocked by {names}: {titles}", "    ", "◦ ")
        for says in {*map(undetected_fault, held)} - {""}:
            yield from style.wrap(says, "    ", "  → ")


def said_by_code(printed: str, style: Style, most: int = MOST_PRINTED) -> Iterator[str]:
    """Yield what the learner's code has printed, marked by "|", at most ``most`` lines."""
    if not printed.strip():
        return
    yield style.paint("dim", "Your code printed:")
    found: list[str] = []
    for line in printed.splitlines():
        fits = len(line) + 4 <= style.width
        found += [f"  | {line}"] if fits else style.wrap(line, "  |   ", "  | ")
    for line in found[:most]:
        yield style.paint("dim", line[: style.width])
    if found[most:]:
        yield style.paint("dim", f"  | … and {len(found) - most} more lines")


def _foot(result: Result, style: Style, changed: Container[str]) -> Iterator[str]:
    exercises = iter_exercises(result)
    weaker = f"; {isolation(result['isolation'])[0]}" if result["isolation"]["missing"] else ""
    yield ""
    if style.home == "terminal":  # a page judges what stands in it
        yield style.paint("dim", f"judged {result['package']['path']}{weaker}")
    touched = [e for e in exercises if e["status"] == GIVEN and e["id"] in changed]
    for id, how in [(e["id"], "right" if e["checks"] else "not checked") for e in touched]:
        yield from style.wrap(
            f"{id} is given, changed by you, and {how}; `grader reset {id}` restores it."
        )
    if any(e["status"] != GIVEN for e in exercises):
        yield from style.wrap(_next_step(exercises, result))
    elif len(touched) < len(exercises):
        what = "All else" if touched else "All of it"
        yield from style.wrap(f"{what} is given, and intact: nothing here is yours to write.")


def oracles(torch: TorchResult) -> str:
    """Name the oracles: `finite differences and PyTorch 2.13.0 (recorded)`."""
    release, _, _ = (torch["version"] or "").partition("+")  # 2.13.0+cpu → 2.13.0
    how = "asked when the key was built" if torch["live"] else "recorded"
    pytorch = f"{PYTORCH} {release} ({how})" if release else f"no {PYTORCH}"
    return " and ".join(pytorch if name == PYTORCH else name for name in COURSE.against)


def next_for_blocked(exercise: ExerciseResult) -> str:
    """Say what to do about a blocked exercise."""
    if not exercise["blocked_by"]:
        return f"Next: what {exercise['id']} waits for."
    return f"Next: {exercise['blocked_by'][0]}, which {exercise['title']} waits for."


def _next_step(exercises: list[ExerciseResult], result: Result) -> str:
    """Say in one sentence what to do now."""
    lost = {id: cause for cause in result["unloadable"] for id in cause["exercises"]}
    if is_all_lost(result):
        return f"Next: make `import {COURSE.name}` work."
    marks = f"{points(result['score'])} of {points(result['max_score'])} points."
    wrong = [e for e in exercises if e["status"] in WRONG]
    if wrong and wrong[0]["id"] in lost:
        place = lost[wrong[0]["id"]]["location"] or "__init__.py"
        return f"{marks} Next: fix {COURSE.name}/{place.partition(':')[0]}."
    if wrong:
        return f"{marks} Next: fix {wrong[0]['id']}."
    if BROKEN in {e["status"] for e in exercises}:
        return f"{marks} Next: show what is broken to whoever teaches the course."
    pending = [e for e in exercises if e["status"] == PENDING]
    if pending:
        first = pending[0]
        return f"{marks} Next: write {first['title']} (section {first['section']})."
    blocked = [e for e in exercises if e["status"] == BLOCKED]
    if blocked:
        return f"{marks} {next_for_blocked(blocked[0])}"
    return f"{marks} All of it is right."
