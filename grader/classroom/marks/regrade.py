"""Grade a class again after a check was mended: no mark falls, and everybody whose mark moves is
told. `--after` of `grader grade`; the earlier results stay as they are.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...course.outline import chapter_of
from ...disk import forget
from ...errors import WrongUse, one_line
from ...learner.file_writer import write_whole
from ...learner.wording import format_count
from ..files import csv_text
from ..intake.handins import HandIn
from .grants import Grant, grant_target
from .lateness import Grants
from .record import Record
from .results import Results, safe_file_name
from .roster import Person, match_learners, name_some

KEPT = "It had these before a check was mended, and keeps them."
MESSAGES, TABLE = "messages", "changes.csv"
COLUMNS = (
    "learner", "name", "mail", "before", "after", "max_mark", "exercises", "kept", "message",
)  # fmt: skip
ROUNDING = 1e-6  # points; marks are kept with four digits


class Change(NamedTuple):
    """The marks of a learner before and after, and what moved; None stands for no mark."""

    learner: str
    before: float | None
    after: float | None
    max_mark: float | None
    exercises: dict[str, tuple[float, float]]  # exercise → its marks before and after
    kept: list[str]  # exercises that keep the points of before
    is_same_code: bool

    @property
    def moved(self) -> bool:
        return self.before != self.after


def begin_after(results: Results, earlier: str | None) -> Results | None:
    """Take over the seed and the terms of earlier results, and forget their key; return them.
    Without them nothing is done, here and in the functions below.

    Raises:
        WrongUse: they are no results, or these ones.
    """
    if earlier is None:
        return None
    base = Results(earlier)
    if not base.batch:
        raise WrongUse(f"{earlier} holds no results. Name a folder of `grader grade`.")
    if os.path.realpath(base.folder) == os.path.realpath(results.folder):
        raise WrongUse("--after keeps the earlier results: name another folder with --out.")
    if not results.batch:
        results.write_batch(base.batch)
    forget(os.path.join(results.folder, "answers.key"))  # of the checks as they were
    return base


def refuse_lost_learners(base: Results | None, handins: Iterable[HandIn]) -> None:
    """Refuse, before judging, a class that lacks somebody who has a result.

    Raises:
        WrongUse: the earlier results are none yet, or hold a learner who is not among the hand-ins.
    """
    if base is None:
        return
    known = {record["learner"] for record in base.each()}
    if not known:
        raise WrongUse(f"{base.folder} holds no results yet. Run `grader grade` first.")
    if gone := known - {handin.learner for handin in handins}:
        raise WrongUse(
            f"{base.folder} has results of {name_some(gone)}, whose hand-ins are not below the "
            "places that you name: they would lose their marks. Name all places, as before."
        )


class EarlierRecords:
    """The records of before: of these results, else of those that are graded after."""

    def __init__(self, results: Results, base: Results | None, may_lower: bool) -> None:
        self.results, self.base, self.may_lower = results, base, may_lower

    def read(self, learner: str) -> Record | None:
        """Read a learner's record of these results, else of the earlier ones."""
        found = self.results.read(learner)
        return self.base.read(learner) if found is None and self.base is not None else found

    def keep_marks(self, record: Record, apply: Callable[..., Record], grants: Grants) -> Record:
        """Apply the terms; then, for the same code, grant all marks that would have fallen.

        Without earlier results, those that were kept before stay.
        """
        made = apply(record, grants=grants)
        made.pop("kept", None)
        before = (self.base or self.results).read(record["learner"])
        if before is None or before["sha256"] != made["sha256"] or self.may_lower:
            return made
        ids = before["marks"].keys() if self.base else before.get("kept", ())
        own = grants.get(who := made.get("whose") or made["learner"], [])
        kept = _list_falling({id: before["marks"][id]["mark"] for id in ids}, made, own)
        if kept:
            made = apply(record, grants={who: [*own, *kept]})
            made["kept"] = [grant["exercise"] for grant in kept]
        return made


def _list_falling(floors: Mapping[str, float], made: Record, own: Sequence[Grant]) -> list[Grant]:
    """Return a grant for every exercise whose mark would fall; an instructor's own grant counts."""
    theirs = {grant_target(grant) for grant in own}
    return [
        {"learner": made["learner"], "exercise": id, "points": least, "reason": KEPT}
        for id, floor in floors.items()
        if (row := made["marks"].get(id)) and id not in made.get("open", {})
        if not theirs & {id, chapter_of(id)}
        if row["mark"] < (least := min(floor, row["max_mark"])) - ROUNDING
    ]


class Standing(NamedTuple):
    """A record without its result: whole ones of a class would fill the memory."""

    learner: str
    whose: str
    sha256: str | None
    mark: float | None
    max_mark: float | None
    marks: dict[str, float]
    kept: list[str]


def _read_standings(results: Results) -> dict[str, Standing]:
    """Return owner → standing of the attempt that counts; by its own name, where several do."""
    found = [
        Standing(
            r["learner"], r.get("whose") or r["learner"], r["sha256"], r["mark"], r["max_mark"],
            {id: row["mark"] for id, row in r["marks"].items()}, list(r.get("kept", ())),
        )
        for r in results.each()
        if r.get("counts", True)
    ]  # fmt: skip
    count = Counter(each.whose for each in found)
    return {each.whose if count[each.whose] == 1 else each.learner: each for each in found}


def list_changes(base: Results, results: Results) -> list[Change]:
    """Return what changes for whom, sorted by learner."""
    before = _read_standings(base)
    after = sorted(_read_standings(results).items(), key=lambda each: each[1].learner)
    return [_compare(before.get(owner), new) for owner, new in after]


def _compare(old: Standing | None, new: Standing) -> Change:
    was = old.marks if old is not None else {}
    both = {id: (was[id], mark) for id, mark in new.marks.items() if id in was}
    moved = {id: pair for id, pair in both.items() if abs(pair[1] - pair[0]) > ROUNDING}
    return Change(
        new.learner, old and old.mark, new.mark, new.max_mark, moved, new.kept,
        old is None or old.mark is None or old.sha256 == new.sha256,
    )  # fmt: skip


def describe_changes(changes: Sequence[Change]) -> list[str]:
    """Return the table for the terminal: those whose mark moves, or would have fallen."""
    told = [each for each in changes if each.moved or each.kept]
    wide = max((len(one_line(each.learner, 40)) for each in told), default=0)
    lines = [
        f"{one_line(each.learner, 40):<{wide}}  {_number(each.before)} → {_number(each.after)} of "
        f"{_number(each.max_mark)}  {'; '.join([*_moves(each), *_keeps(each)])}".rstrip()
        for each in told
    ]
    moved = sum(each.moved for each in changes)
    stay = len(changes) - moved
    move = format_count(moved, "mark") + (" moves" if moved == 1 else " move")
    lines.append(f"{move}, {stay} stay{'s' * (stay == 1)}.")
    if other := {each.learner for each in changes if not each.is_same_code}:
        says = "Handed in other files than before, so their marks may fall"
        lines.append(f"{says}: {name_some(other)}")
    return lines


def _moves(change: Change) -> list[str]:
    return [f"{id} {old:g} → {new:g}" for id, (old, new) in change.exercises.items()]


def _keeps(change: Change) -> list[str]:
    return [f"{id} keeps its points" for id in change.kept]


def _number(points: float | None) -> str:
    return "no mark" if points is None else f"{points:g}"


def write_changes(
    results: Results, changes: Sequence[Change], people: Sequence[Person], why: str
) -> None:
    """Write the table, and a message to each whose mark moves, in it and as a file."""
    listed = match_learners([each.learner for each in changes], people)
    rows: list[tuple[object, ...]] = [COLUMNS]
    for each in changes:
        person = listed.get(each.learner)
        says = _message(each, person, why) if each.moved else ""
        if says:
            name = f"{safe_file_name(each.learner)}.txt"
            write_whole(os.path.join(results.folder, MESSAGES, name), says.encode())
        if each.moved or each.kept:
            who = (each.learner, person.name if person else "", person.mail if person else "")
            marks = (each.before, each.after, each.max_mark)
            told = ("; ".join(_moves(each)), "; ".join(each.kept), says)
            rows.append((*who, *marks, *told))
    write_whole(os.path.join(results.folder, TABLE), csv_text(rows).encode())


def _message(change: Change, person: Person | None, why: str) -> str:
    """Write to a learner what their mark is now, what it was, and why."""
    name = person.name if person and person.name else change.learner
    mail = f" <{person.mail}>" if person and person.mail else ""
    chapters = ", ".join(dict.fromkeys(map(chapter_of, change.exercises)))
    wrong = f"A check of {chapters} was wrong, and has been mended. {why}".rstrip()
    lines = [
        f"To: {name}{mail}",
        "",
        wrong if chapters and change.is_same_code else "Your hand-in was graded again.",
        f"Your mark is {_number(change.after)} of {_number(change.max_mark)} now; before it was "
        f"{_number(change.before)}.",
        "",
        *(f"  {line}" for line in [*_moves(change), *_keeps(change)]),
        "",
        "You don't have to do anything. To check your own code by the mended check, bring the new",
        "release into your workspace: `grader update FOLDER`.",
    ]
    return "\n".join(lines) + "\n"


def settle_changes(
    base: Results | None, results: Results, people: Sequence[Person], why: str
) -> None:
    """Compare with the earlier results, print the table and write the messages."""
    if base is None:
        return
    changes = list_changes(base, results)
    print(f"Marks before ({base.folder}) → after:")
    for line in describe_changes(changes):
        print(line)
    write_changes(results, changes, people, why)
    place = os.path.join(results.folder, "")
    print(
        f"The table is {place}{TABLE}; a message to each whose mark moves is in {place}{MESSAGES}"
    )
