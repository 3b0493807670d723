"""Call learners in lists as people do, and keep two apart: ``Ada Love``, where the hand-in is
``loveada_5001_90001_work.zip`` or ``4711``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from ...errors import one_line
from ..intake.platform_names import parse_name
from .record import Summary
from .roster import Person, match_learners

WIDEST = 40  # columns for a name


def name_learners(learners: Iterable[str], listed: Iterable[Person] = ()) -> dict[str, str]:
    """Return learner → their name for lists: the roster's, else the platform's. What two would be
    called, attempts of one person too, tells nobody: they keep what their hand-ins are called."""
    own = learners if isinstance(learners, Mapping) else {name: name for name in learners}
    people, called = match_learners(own, listed), {}
    for learner, whose in own.items():
        said, person = parse_name(whose), people.get(learner)
        name = (person.name if person else "") or (said.name if said else "")
        called[learner] = name or learner
    count = Counter(called.values())
    return {
        learner: name if count[name] == 1 and name not in own else learner
        for learner, name in called.items()
    }


def cut_apart(names: Collection[str], most: int = WIDEST) -> dict[str, str]:
    """Return name → at most ``most`` characters of it, for one line; two names stay two.

    Maximiliane von Rosenberg-Lichtenstein, Maximiliane von Rosenberg-Liebenau
    Maximiliane von Rosenbe…, Maximiliane von Rosenbe…                  their beginnings
    Maximiliane…Lichtenstein, Maximiliane…erg-Liebenau                  if those are alike
    """
    lines = {name: one_line(name) for name in names}
    for cut in (one_line, _cut_middle):
        made = {name: cut(line, most) for name, line in lines.items()}
        if len({*made.values()}) == len(made):
            return made
    return {name: f"{lines[name][: most - 7]}…{n}" for n, name in enumerate(sorted(lines), 1)}


def _cut_middle(line: str, most: int) -> str:
    half = most // 2
    return line if len(line) <= most else f"{line[: half - 1]}…{line[half - most :]}"


def name_rows(rows: Iterable[Summary], names: Mapping[str, str]) -> list[Summary]:
    """Return rows with the learners' names in the place of what their hand-ins are called."""
    return [{**row, "learner": names.get(row["learner"], row["learner"])} for row in rows]
