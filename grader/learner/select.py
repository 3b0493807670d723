"""From what was typed to exercises: `chapter3`, `3.4`, `chapter3.div`, `chapter3.div.backward`.

A definition of the learner's files is a name too, as the report writes it: `Div.backward`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Names(Protocol):
        """What can be named: an answer key, or a course that has none yet."""

        @property
        def chapters(self) -> list[str]: ...
        @property
        def outline(self) -> list[list[str]]: ...
        @property
        def table(self) -> dict[str, Any]: ...


ALL = "all"  # the name of everything that there is


MOST_PLACES = 6


def exercises(key: Names, names: Iterable[str]) -> list[str]:
    """The ids of all exercises that any of the names stands for, in the course's order.

    Raises:
        WrongUse: a name that stands for none; the message holds the nearest ones.
    """
    chosen: set[str] = set()
    for name in names:
        found = {id for id, section, _ in key.outline if _matches(name, id, section)}
        found = found or _writing(key, name) or _written_in_one_place(key, name)
        if not found:
            raise WrongUse(_unknown(key, name))
        chosen |= found
    return [id for id, _, _ in key.outline if id in chosen]


def _matches(name: str, id: str, section: str) -> bool:
    return name in (ALL, id, section) or id.startswith(f"{name}.")


def _writing(key: Names, name: str) -> set[str]:
    """The exercises that ask for this definition, or for something inside it, by its full name."""
    return {id for target, id in key.table["targets"].items() if _within(name, target)}


def _written_in_one_place(key: Names, name: str) -> set[str]:
    """The same by a name without its file: ``Tensor.backward``, as a report of one file says it.

    Raises:
        WrongUse: several places have a definition of this name; the message lists them.
    """
    found: dict[str, set[str]] = {}
    for target, id in key.table["targets"].items():
        parts = target.split(".")
        for at in range(1, len(parts)):
            if _within(name, ".".join(parts[at:])):
                found.setdefault(".".join([*parts[:at], name]), set()).add(id)
    if len(found) > 1:
        places = ", ".join(list(found)[:MOST_PLACES]) + " …" * (len(found) > MOST_PLACES)
        raise WrongUse(f"{name} stands in several places: {places}. Say which one.")
    return next(iter(found.values()), set())


def _within(name: str, said: str) -> bool:
    return said == name or said.startswith(f"{name}.")


def _unknown(key: Names, name: str) -> str:
    import difflib

    known = set(key.chapters)
    for id, section, _ in key.outline:
        parts = id.split(".")
        known |= {".".join(parts[:n]) for n in range(1, len(parts) + 1)} | {section}
    near = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    near += [k for k in sorted(known) if k.endswith(f".{name}") and k not in near][:2]
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"There is no chapter, section or exercise {name}.{meant}"
