"""Read rosters: the class's own, and a platform's, and match their rows with learners.

The class's roster is a CSV with the columns id, name, mail, section and group, as far as they are
known, or a platform's names for these; `learner` holds the submission's name if nothing else tells
it. It is kept in `batch.json` beside the results, for everything that is made of them.

Rows are matched by the names that platforms give to submissions.

Moodle: ``Ada Love_1234567_assignsubmission_file_work.zip``; the number is the participant's, which
the offline worksheet calls ``Participant 1234567``. Canvas: ``loveada_LATE_4711_99_work.zip``; the
first number is the user's ID in the gradebook. Without a column `learner` the column that matches
the most learners is used.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from statistics import median
from typing import NamedTuple

from ...errors import WrongUse
from ...learner.wording import first_of, percent
from ..files import restore_cell
from ..intake.handins import fold_case
from ..intake.platform_names import parse_name
from .record import Record, Summary
from .results import Batch


def roster_keys(name: str) -> tuple[str, ...]:
    """Return the names by which a roster may list a submission's learner."""
    said = parse_name(name)
    if said is None:
        return (name,)
    participant = (f"Participant {said.id}",) if said.platform == "Moodle" and said.id else ()
    return name, *participant, *filter(None, (said.id, said.name))


def map_owners(records: Iterable[Record | Summary]) -> dict[str, str]:
    """Return row's name → the learner whose attempt it is."""
    return {r["learner"]: r.get("whose") or r["learner"] for r in records}


def index_learners(learners: Iterable[str]) -> dict[str, str]:
    """Return name in a roster → learner here; a name that fits two learners is left out.

    Args:
        learners: names, or the mapping of `map_owners`, where one of several attempts counts.
    """
    own = learners if isinstance(learners, Mapping) else {name: name for name in learners}
    found: dict[str, str | None] = {}
    for learner, name in own.items():
        keys = {*roster_keys(learner), *roster_keys(name)}
        for key in keys | set(map(restore_cell, keys)):  # `read_columns` reads `'=x` as `=x`
            found[key] = learner if found.get(key, learner) == learner else None
    return {key: who for key, who in found.items() if who} | {name: name for name in own}


COLUMN = "learner"
MOST_ROWS = 100_000  # of a table: more are no class, and would take minutes
MOST_CELLS = 4_000_000  # rows times columns: a row has all of them, however short its line is


def read_columns(text: str) -> tuple[list[str], list[dict[str, str]]]:
    """Parse a CSV; return its columns, and its rows as dicts with stripped cells.

    The separator is guessed: comma, semicolon or tab, whichever the first line has most of.
    Apostrophes that our tables put before formulas are removed.

    Raises:
        WrongUse: it is no such table, or too long.
    """
    text = text.lstrip("\ufeff")
    first = text.partition("\n")[0]
    between = max(",;\t", key=first.count)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=between)
        columns = {name: restore_cell(name) for name in reader.fieldnames or [] if name}
        most = min(MOST_ROWS, MOST_CELLS // max(1, len(columns)))
        rows = [
            {ours: restore_cell((row.get(name) or "").strip()) for name, ours in columns.items()}
            for row in islice(reader, most + 1)
        ]
    except csv.Error as error:
        raise WrongUse(f"The table cannot be read ({error}). Save it as CSV once more.") from error
    if len(rows) > most:
        wide = f"The table has more than {most:,} rows of {len(columns):,} columns."
        raise WrongUse(f"{wide} Keep those of this class.")
    return [*columns.values()], rows


def map_columns(columns: Iterable[str], called: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return meaning → the first column that has one of its names in ``called``."""
    found: dict[str, str] = {}
    for column in columns:
        said = " ".join(column.casefold().split())
        for meaning in (name for name, words in called.items() if said in words):
            found.setdefault(meaning, column)
    return found


# ---- the class's own list -------------------------------------------------------------


class Person(NamedTuple):
    """A row of the class's roster; unknown fields are empty."""

    id: str
    name: str
    mail: str
    section: str
    group: str
    learner: str

    @property
    def keys(self) -> list[str]:
        """All names by which others may list this person: Canvas has ``loveada`` for Ada Love."""
        last, _, first = self.name.partition(", ")
        own = (self.learner, self.id, self.name, f"{first} {last}" if first else "", self.mail)
        short = [each.partition("@")[0] for each in (self.mail, self.learner)]
        words = ["".join(filter(str.isalnum, word)) for word in self.name.split()]
        turned = ["".join(words[at:] + words[:at]).casefold() for at in range(len(words))]
        return [each for each in (*own, *short, *turned) if each]


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


def read_people(text: str) -> list[Person]:
    """Read the class's roster.

    Raises:
        WrongUse: it has no column with identities, or a person twice.
    """
    columns, rows = read_columns(text)
    rows = [row for row in rows if not is_of_canvas(row)]
    means = map_columns(columns, CALLED)
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


def recorded_people(batch: Batch) -> list[Person]:
    """Return the roster that is recorded with the results."""
    return [Person(*row) for row in batch.get("roster") or ()]


def match_learners(learners: Iterable[str], listed: Iterable[Person]) -> dict[str, Person]:
    """Match each learner with their row of the roster. A learner who fits two rows is left out
    (two rows "Ada", one folder `ada`): no mark is better than somebody else's."""
    names = {fold_name(key): who for key, who in index_learners(learners).items()}
    found: dict[str, list[Person]] = {}
    for person in listed:
        for who in {w for key in person.keys if (w := find_learner(fold_name(key), names))}:
            found.setdefault(who, []).append(person)
    return {who: each[0] for who, each in found.items() if len(each) == 1}


def fold_name(name: str) -> str:
    """Normalise a name: ``Ada_Love `` becomes ``ada love``; wide letters become usual ones."""
    return " ".join(fold_case(name).replace("_", " ").split())


def index_roster_names(learners: Iterable[str], listed: Iterable[Person] = ()) -> dict[str, str]:
    """Return name in a list → learner here, by the roster too; ambiguous names are left out."""
    learners = learners if isinstance(learners, Mapping) else list(learners)
    found: dict[str, str | None] = {}
    for who, person in match_learners(learners, listed).items():
        for key in person.keys:
            found[key] = who if found.get(key, who) == who else None
    return {key: who for key, who in found.items() if who} | index_learners(learners)


class ClassPart(NamedTuple):
    """A section or a group of a class."""

    kind: str
    name: str
    size: int  # people in the roster; ``marked`` of them have a mark
    marked: int
    # mean, median: shares of the points.
    mean: float
    median: float


def summarize_parts(
    learners: Iterable[str], shares: Mapping[str, float], listed: Sequence[Person]
) -> list[ClassPart]:
    """Return the statistics of every section and group in the roster.

    Args:
        shares: learner → share of the points, of those with a mark.
    """
    found_in = match_learners(learners, listed)
    matched = {person: shares[who] for who, person in found_in.items() if who in shares}
    found = []
    for kind in ("section", "group"):
        parts: dict[str, list[Person]] = {}
        for person in listed:
            parts.setdefault(getattr(person, kind), []).append(person)
        for name, inside in sorted(parts.items()):
            if not name:
                continue
            each = [matched[person] for person in inside if person in matched]
            middle = median(each) if each else 0.0
            mean = sum(each) / len(each) if each else 0.0
            found.append(ClassPart(kind, name, len(inside), len(each), mean, middle))
    return found


def describe_part(part: ClassPart) -> str:
    """Describe a section or group in one line."""
    shares = f": mean {percent(part.mean)}, median {percent(part.median)} of the points"
    is_said = part.name.casefold().startswith(part.kind)  # a group is often called "Group A"
    kind = "" if is_said else f"{part.kind} "
    told = f"{kind}{part.name}, {part.marked} of {part.size} with a mark"
    return f"{told[0].upper()}{told[1:]}{shares if part.marked else ''}"


def list_missing(learners: Iterable[str], listed: Sequence[Person]) -> list[str]:
    """Return a line about people without a submission, and one about learners not in the roster."""
    matched = match_learners(learners, listed)
    here = set(matched.values())
    nothing = {person.name or person.keys[0] for person in listed if person not in here}
    strange = set(learners) - matched.keys() if listed else set()
    told = {"In the roster without a submission": nothing, "Not in the roster": strange}
    return [f"{what}: {name_some(who)}" for what, who in told.items() if who]


# ---- a platform's list ----------------------------------------------------------------


POSSIBLE = "Points Possible"
STUDENT, SPLIT = "Student", ("LastName", "FirstName")  # Canvas's columns of names, in one or two


def is_of_canvas(row: Mapping[str, str]) -> bool:
    """Whether a row of Canvas's gradebook is no student: the points, or its test student."""
    name = row.get(STUDENT) or ", ".join(row.get(part, "") for part in SPLIT)
    return name.strip(", ") in (POSSIBLE, "Student, Test")


class Roster(NamedTuple):
    """A platform's roster: columns, rows, the column to match ``by``, and name → learner."""

    columns: list[str]
    rows: list[dict[str, str]]
    by: str
    names: dict[str, str]

    def learner(self, row: dict[str, str]) -> str:
        """Return a row's learner; without a submission, the roster's own name."""
        said = (row.get(self.by) or "").strip()
        return find_learner(said, self.names) or said


# «Participant 1234567» and «Teilnehmer/in1234567», in any language of Moodle.
PARTICIPANT = re.compile(r"[^\W\d]\D* (\d+)")
NUMBERED = re.compile(r"(?P<word>[^\W\d]\D+?) ?(?P<number>\d+)")
BY_NUMBER = "Participant"


def read_participants(cells: Iterable[str]) -> list[str]:
    """Return the numbers of a worksheet's identifiers, which are one word each time; else none."""
    said = [NUMBERED.fullmatch(cell) for cell in cells]
    is_one = all(said) and len({each["word"] for each in said if each}) == 1
    return [each["number"] for each in said if each and is_one]


def number_rows(columns: Sequence[str], rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the rows of a worksheet with its identifiers in English, as `BY_NUMBER`; of another
    list, the rows as they are."""
    numbers = read_participants(row[columns[0]] for row in rows) if columns else []
    each = zip(rows, numbers, strict=False)
    return [{**row, BY_NUMBER: f"{BY_NUMBER} {number}"} for row, number in each] or rows


def find_learner(said: str, names: Mapping[str, str]) -> str | None:
    """Return the learner with this name in a list; None if there is none."""
    said = said.strip()
    participant = PARTICIPANT.fullmatch(said)
    in_english = f"Participant {participant[1]}" if participant else ""
    last, _, first = said.partition(", ")
    turned = f"{first} {last}" if first else ""
    return names.get(said) or names.get(in_english) or names.get(turned)


def read_roster(text: str | None, records: Sequence[Record], listed: Iterable[Person]) -> Roster:
    """Read a platform's roster, and choose the column to match by.

    Raises:
        WrongUse: none was given, no row matches a learner, or two rows match the same one.
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
    rows = number_rows(columns, rows)
    known += [BY_NUMBER] * (bool(rows) and BY_NUMBER in rows[0])
    learners = {record["learner"] for record in records}
    names = index_roster_names(map_owners(records), listed)
    whose = {c: Counter(find_learner(row[c], names) for row in rows) for c in known}
    hits = {c: len(whose[c].keys() - {None}) for c in known}
    by = COLUMN if COLUMN in columns else max(known, key=lambda c: hits[c], default="")
    if not hits.get(by):
        raise WrongUse(
            f"No row of the roster names a learner of these results ({name_some(learners)}). "
            "Add a column `learner` that holds the names of the submissions."
        )
    twice = {who for who, count in whose[by].items() if who and count > 1}
    if twice:
        raise WrongUse(
            f"Two rows of the roster could be {name_some(twice)}. Add a column `learner` that "
            "holds the name of the submission in the row that it belongs to."
        )
    return Roster([name for name in columns if name != COLUMN], rows, by, names)


def compare_roster(
    records: Iterable[Record | Summary], found: Roster
) -> tuple[list[str], list[str]]:
    """List rows without a submission, and learners who are not in the roster, so not exported."""
    listed = {found.learner(row) for row in found.rows if not is_of_canvas(row)} - {""}
    here = {record["learner"] for record in records}
    alone = [f"In the roster without a submission: {name_some(listed - here)}"]
    unknown = [f"Not exported, not in the roster: {name_some(here - listed)}"]
    return alone[: len(listed - here)], unknown[: len(here - listed)]


def name_some(names: set[str]) -> str:
    return first_of(sorted(names), 8)
