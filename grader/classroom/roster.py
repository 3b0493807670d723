"""Who is in a class: its own list, and which row of a platform's list is which learner here.

The class's own is `roster.csv` with the columns id, name, mail, section and group, as far as they
are known, or whatever a platform calls these; `learner` holds the name of the submission where
nothing else tells it. It is kept in `batch.json` beside the results, and holds for all that is made
of them.

Which learner a row is goes by the names that platforms give to what was handed in.

Moodle: ``Ada Love_1234567_assignsubmission_file_work.zip``; the number is the participant's, which
the offline worksheet calls ``Participant 1234567``. Canvas: ``loveada_LATE_4711_99_work.zip``; the
first number is the user's ID in the gradebook. Without a column `learner` the one is taken in which
the most learners are found.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from ..errors import WrongUse
from ..learner.wording import first_of, percent
from .files import from_table
from .handins import fold_case
from .record import Record, Summary
from .results import Batch

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_.+")


def whose(name: str) -> tuple[str, ...]:
    """Under which names a submission's learner may stand in a roster, by what platforms write."""
    if moodle := MOODLE.fullmatch(name):
        return name, f"Participant {moodle['id']}", moodle["id"], moodle["name"]
    if canvas := CANVAS.fullmatch(name):
        return name, canvas["id"], canvas["name"]
    return (name,)


def owners(records: Iterable[Record | Summary]) -> dict[str, str]:
    """Learner → whose attempt that is."""
    return {r["learner"]: r.get("whose") or r["learner"] for r in records}


def by_key(learners: Iterable[str]) -> dict[str, str]:
    """A name that a roster may use → the learner here; one that fits two fits nobody.

    Args:
        learners: as `owners` gives them, where one of several attempts may stand for somebody.
    """
    own = learners if isinstance(learners, Mapping) else {name: name for name in learners}
    found: dict[str, str | None] = {}
    for learner, name in own.items():
        keys = {*whose(learner), *whose(name)}
        for key in keys | set(map(from_table, keys)):  # as `read_columns` reads who is called `'=x`
            found[key] = learner if found.get(key, learner) == learner else None
    return {key: who for key, who in found.items() if who} | {name: name for name in own}


COLUMN = "learner"


def read_columns(text: str) -> tuple[list[str], list[dict[str, str]]]:
    """The names of a CSV's columns, and its rows.

    What stands between two columns differs between the programs and the languages that write them.
    Cells are as they were before a table of ours put an apostrophe before a formula.

    Raises:
        WrongUse: it is no such table.
    """
    text = text.lstrip("\ufeff")
    first = text.partition("\n")[0]
    between = max(",;\t", key=first.count)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=between)
        columns = {name: from_table(name) for name in reader.fieldnames or [] if name}
        return [*columns.values()], [
            {ours: from_table((row.get(name) or "").strip()) for name, ours in columns.items()}
            for row in reader
        ]
    except csv.Error as error:
        raise WrongUse(f"The table cannot be read ({error}). Save it as CSV once more.") from error


def meanings(columns: Iterable[str], called: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """What a column means → how it is called here; the first of its kind."""
    found: dict[str, str] = {}
    for column in columns:
        said = " ".join(column.casefold().split())
        for meaning in (name for name, words in called.items() if said in words):
            found.setdefault(meaning, column)
    return found


# ---- the class's own list -------------------------------------------------------------


class Person(NamedTuple):
    """Somebody in the class; what the list does not say is empty."""

    id: str
    name: str
    mail: str
    section: str
    group: str
    learner: str

    @property
    def keys(self) -> list[str]:
        """All that others may call them."""
        last, _, first = self.name.partition(", ")
        own = (self.learner, self.id, self.name, f"{first} {last}" if first else "", self.mail)
        short = [each.partition("@")[0] for each in (self.mail, self.learner)]
        return [each for each in (*own, *short) if each]


SHOWN = Person._fields[:-1]
CALLED = {
    "id": ("id", "id number", "student id", "sis user id", "username", "user name"),
    "name": ("name", "full name", "student"),
    "first": ("first name", "firstname"),
    "last": ("last name", "lastname", "surname", "family name"),
    "mail": ("mail", "email", "e-mail", "email address"),
    "section": ("section", "sections"),
    "group": ("group", "groups"),
    "learner": ("learner", "folder", "submission", "sis login id"),
}


def people(text: str) -> list[Person]:
    """Everybody in a class's list.

    Raises:
        WrongUse: it does not say who they are, or names somebody twice.
    """
    columns, rows = read_columns(text)
    rows = [row for row in rows if not is_of_canvas(row)]
    means = meanings(columns, CALLED)
    if not {"id", "name", "last", "mail", "learner"} & set(means):
        raise WrongUse(
            f"The roster does not say who is in the class. It takes the columns {', '.join(SHOWN)}."
        )
    found = [_person({meaning: row[name] for meaning, name in means.items()}) for row in rows]
    found = [person for person in found if person.keys]
    for field in ("id", "mail", "learner"):
        said = [getattr(person, field) for person in found if getattr(person, field)]
        twice = next((each for each, count in Counter(said).items() if count > 1), None)
        if twice:
            raise WrongUse(f"The roster names {twice} twice. One row for each person, please.")
    return found


def _person(said: dict[str, str]) -> Person:
    name = said.get("name") or f"{said.get('first', '')} {said.get('last', '')}".strip()
    return Person(**{field: said.get(field, "") for field in Person._fields} | {"name": name})


def on_record(batch: Batch) -> list[Person]:
    """The list that results were made with."""
    return [Person(*row) for row in batch.get("roster") or ()]


def seats(learners: Iterable[str], listed: Iterable[Person]) -> dict[str, Person]:
    """Learner → who that is; who could be two is nobody."""
    names = {fold_name(key): who for key, who in by_key(learners).items()}
    found: dict[str, list[Person]] = {}
    for person in listed:
        for who in {w for key in person.keys if (w := learner_called(fold_name(key), names))}:
            found.setdefault(who, []).append(person)
    return {who: each[0] for who, each in found.items() if len(each) == 1}


def fold_name(name: str) -> str:
    """One spelling of a name: `ada love` for `Ada_Love `, and for wide letters."""
    return " ".join(fold_case(name).replace("_", " ").split())


def names_of(learners: Iterable[str], listed: Iterable[Person] = ()) -> dict[str, str]:
    """What a list may call a learner → the learner here; a name that fits two fits nobody."""
    learners = learners if isinstance(learners, Mapping) else list(learners)
    found: dict[str, str | None] = {}
    for who, person in seats(learners, listed).items():
        for key in person.keys:
            found[key] = who if found.get(key, who) == who else None
    return {key: who for key, who in found.items() if who} | by_key(learners)


class Part(NamedTuple):
    """A section or a group of a class."""

    kind: str
    name: str
    size: int  # how many the list has in it; ``marked`` of them have a mark
    marked: int
    # mean, median: shares of the points.
    mean: float
    median: float


def parts(
    learners: Iterable[str], shares: Mapping[str, float], listed: Sequence[Person]
) -> list[Part]:
    """Every section and every group; nothing where the list names none.

    Args:
        shares: learner → the share of the points, of those who have a mark.
    """
    found_in = seats(learners, listed)
    sitting = {person: shares[who] for who, person in found_in.items() if who in shares}
    found = []
    for kind in ("section", "group"):
        for name in sorted({getattr(person, kind) for person in listed} - {""}):
            inside = [person for person in listed if getattr(person, kind) == name]
            each = [sitting[person] for person in inside if person in sitting]
            middle = median(each) if each else 0.0
            mean = sum(each) / len(each) if each else 0.0
            found.append(Part(kind, name, len(inside), len(each), mean, middle))
    return found


def say_part(part: Part) -> str:
    """A part in one line."""
    shares = f": mean {percent(part.mean)}, median {percent(part.median)} of the points"
    told = f"{part.kind} {part.name}, {part.marked} of {part.size} with a mark"
    return f"{told[0].upper()}{told[1:]}{shares if part.marked else ''}"


def absent(learners: Iterable[str], listed: Sequence[Person]) -> list[str]:
    """Who of the list handed in nothing, and who handed in and is not in it; a sentence each."""
    sitting = seats(learners, listed)
    here = set(sitting.values())
    nothing = {person.name or person.keys[0] for person in listed if person not in here}
    strange = set(learners) - sitting.keys() if listed else set()
    told = {"In the roster without a submission": nothing, "Not in the roster": strange}
    return [f"{what}: {sample(who)}" for what, who in told.items() if who]


# ---- a platform's list ----------------------------------------------------------------


POSSIBLE = "Points Possible"
STUDENT, SPLIT = "Student", ("LastName", "FirstName")  # how Canvas names people: in one, or apart


def is_of_canvas(row: Mapping[str, str]) -> bool:
    """Whether a row of Canvas's gradebook is nobody: the points, or its test student."""
    name = row.get(STUDENT) or ", ".join(row.get(part, "") for part in SPLIT)
    return name.strip(", ") in (POSSIBLE, "Student, Test")


class Roster(NamedTuple):
    """The rows of a roster, the columns that its owner knows, and whose each row is."""

    columns: list[str]
    rows: list[dict[str, str]]
    by: str
    names: dict[str, str]

    def learner(self, row: dict[str, str]) -> str:
        """The learner here; what the roster says of whom nothing was handed in."""
        said = (row.get(self.by) or "").strip()
        return learner_called(said, self.names) or said


# «Participant 1234567», in any language of Moodle.
PARTICIPANT = re.compile(r"[^\W\d]\D* (\d+)")


def learner_called(said: str, names: Mapping[str, str]) -> str | None:
    """The learner here that a list calls so; None where it is nobody."""
    said = said.strip()
    participant = PARTICIPANT.fullmatch(said)
    in_english = f"Participant {participant[1]}" if participant else ""
    last, _, first = said.partition(", ")
    turned = f"{first} {last}" if first else ""
    return names.get(said) or names.get(in_english) or names.get(turned)


def roster(text: str | None, records: Sequence[Record], listed: Iterable[Person]) -> Roster:
    """The roster that was given.

    Raises:
        WrongUse: none was, nobody in it handed in anything, or somebody who did could be two.
    """
    if text is None:
        raise WrongUse(
            "This format needs --roster FILE: the list of participants that Moodle or Canvas "
            "exports as CSV, with a column `learner` where the names differ from the submissions'."
        )
    columns, rows = read_columns(text)
    known = list(columns)
    if set(SPLIT) <= set(columns):
        known.append(STUDENT)
        rows = [
            {**row, STUDENT: ", ".join(row[name] for name in SPLIT).strip(", ")} for row in rows
        ]
    learners = {record["learner"] for record in records}
    names = names_of(owners(records), listed)
    whose = {c: Counter(learner_called(row[c], names) for row in rows) for c in known}
    hits = {c: len(whose[c].keys() - {None}) for c in known}
    by = COLUMN if COLUMN in columns else max(known, key=lambda c: hits[c], default="")
    if not hits.get(by):
        raise WrongUse(
            f"No row of the roster names a learner of these results ({sample(learners)}). "
            "Add a column `learner` that holds the names of the submissions."
        )
    twice = {who for who, count in whose[by].items() if who and count > 1}
    if twice:
        raise WrongUse(
            f"Two rows of the roster could be {sample(twice)}. Add a column `learner` that holds "
            "the name of the submission in the row that it belongs to."
        )
    return Roster([name for name in columns if name != COLUMN], rows, by, names)


def compare(records: Iterable[Record | Summary], found: Roster) -> tuple[list[str], list[str]]:
    """Say who is in the roster alone, and whose hand-in is not in it and so gets no grade there."""
    listed = {found.learner(row) for row in found.rows if not is_of_canvas(row)} - {""}
    here = {record["learner"] for record in records}
    alone = [f"In the roster without a submission: {sample(listed - here)}"]
    unknown = [f"Not exported, not in the roster: {sample(here - listed)}"]
    return alone[: len(listed - here)], unknown[: len(here - listed)]


def sample(names: set[str]) -> str:
    return first_of(sorted(names), 8)
