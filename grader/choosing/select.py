"""From what was typed to exercises: `chapter3`, `3.4`, `chapter3.div`, `chapter3.div.backward`.

A definition of the learner's files is a name too, as the report writes it: `Div.backward`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import WrongUse
from ..key.file import Key

ALL = "all"  # the name of everything that there is


def exercises(key: Key, names: Iterable[str]) -> list[str]:
    """The ids of all exercises that any of the names stands for, in the course's order.

    Raises:
        WrongUse: a name that stands for none; the message holds the nearest ones.
    """
    chosen: set[str] = set()
    for name in names:
        found = {id for id, section, _ in key.outline if _matches(name, id, section)}
        found = found or _writing(key, name)
        if not found:
            raise WrongUse(_unknown(key, name))
        chosen |= found
    return [id for id, _, _ in key.outline if id in chosen]


def _matches(name: str, id: str, section: str) -> bool:
    return name in (ALL, id, section) or id.startswith(f"{name}.")


def _writing(key: Key, name: str) -> set[str]:
    """The exercises that ask for this definition, or for something inside it."""
    inside = f"{name}."
    return {
        id
        for target, id in key.table["targets"].items()
        for said in (target, target.partition(".")[2])
        if said == name or said.startswith(inside)
    }


def _unknown(key: Key, name: str) -> str:
    import difflib

    known = set(key.chapters)
    for id, section, _ in key.outline:
        parts = id.split(".")
        known |= {".".join(parts[:n]) for n in range(1, len(parts) + 1)} | {section}
    near = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    near += [k for k in sorted(known) if k.endswith(f".{name}") and k not in near][:2]
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"There is no chapter, section or exercise {name}.{meant}"
