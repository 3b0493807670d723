"""Was code that was given edited? Asked where a probe fails that ran it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..sandbox.observation import Definition


def given_edited(
    cases: Sequence[Any],
    given: set[str],
    targets: Mapping[str, str],
    files: Mapping[str, bytes],
    reference: Callable[[], Mapping[str, str]] | None,
) -> set[str]:
    """The given exercises that failing probes of these `Case`s ran and that read otherwise
    than handed out."""
    given = given | {e["id"] for one in cases for e in one.chapter.exercises if e["given"]}
    ran = {id for one in cases for ids in one.entered.values() for id in ids} & given
    if not ran or reference is None:
        return set()
    definitions = {t: d for one in cases for t, d in one.run.definitions.items()}
    return set(edited(ran, targets, definitions, files, reference()))


def edited(
    ids: Iterable[str],
    targets: Mapping[str, str],
    definitions: Mapping[str, Definition],
    files: Mapping[str, bytes],
    reference: Mapping[str, str],
) -> dict[str, Definition]:
    """Those of these given exercises that read otherwise than they were handed out, and where.

    Args:
        targets: definition → its exercise.
        definitions: those of the learner's package.
        reference: the reference's files, without markers.
    """
    wanted, found = set(ids), {}
    for name, place in definitions.items():
        owner = targets.get(name) or targets.get(name.rpartition(".")[0])
        if owner in wanted and owner not in found and place.file in reference:
            lines = files[place.file].decode("utf-8", "replace").splitlines()
            own = "\n".join(line.rstrip() for line in lines[place.first - 1 : place.last])
            if own not in reference[place.file] and _differs(own, name, reference[place.file]):
                found[owner] = place
    return found


def _differs(own: str, name: str, right: str) -> bool:
    """Whether more than spaces, comments and docstrings are different."""
    from ..course.learner_source import plain
    from ..course.splice import pieces

    known = pieces(right)
    parts = name.split(".")
    piece = next((known[n] for i in range(len(parts)) if (n := ".".join(parts[i:])) in known), None)
    if piece is None or piece.kind == "class":
        return False
    mine = plain(textwrap.dedent(own))
    return not mine or mine != plain(textwrap.dedent(piece.text))
