"""Who wrote the same code: clusters over a class, from the fingerprints in its records.

What everybody writes tells nothing: a fingerprint counts where few share it. So a class is looked
through once, in order of the fingerprints, and nobody is held against everybody.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from .prints import unpacked

SHARE = 0.5  # of the fingerprints of the one who has fewer
LEAST = 15  # shared fingerprints: below, two people write alike by chance
FEWEST, MOST = 6, 24  # of a small and a large class: a fingerprint that more share tells nothing
MOST_PLACES, MOST_CLUSTERS = 8, 200

Pair = tuple[int, int]
Read = Callable[[str], "dict[str, Any] | None"]


class Cluster(NamedTuple):
    """Learners whose code is alike.

    Attributes:
        share: how much of what the one wrote, the most alike two have in common.
        places: the definitions that most of them share, those with most in common first.
    """

    learners: list[str]
    share: float
    places: list[str]


class Prints:
    """The fingerprints of a class: eight bytes each, whoever left it."""

    def __init__(self) -> None:
        self._all = array("Q")  # fingerprint, and below its 32 bits who

    def add(self, who: int, prints: dict[str, str]) -> None:
        mine = {each for text in prints.values() for each in unpacked(text)}
        self._all.extend(each << 32 | who for each in mine)

    def alike(self, size: int) -> dict[Pair, float]:
        """Two learners → the share of their code that they have in common, where it is much."""
        holders: Counter[tuple[int, ...]] = Counter()
        own: Counter[int] = Counter()
        for _, who in self.telling(size):
            own.update(who)
            if len(who) > 1:
                holders[who] += 1
        shared: Counter[Pair] = Counter()
        for who, count in holders.items():
            for pair in combinations(who, 2):
                shared[pair] += count
        shares = {(a, b): n / min(own[a], own[b]) for (a, b), n in shared.items() if n >= LEAST}
        return {pair: share for pair, share in shares.items() if share >= SHARE}

    def telling(self, size: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every fingerprint that few of so many have, and who they are."""
        import numpy as np

        most = max(FEWEST, min(MOST, size // 4))
        every = np.frombuffer(self._all or array("Q"), np.uint64)
        every.sort()  # in its own place
        marks = every >> np.uint64(32)
        ends = [*(np.flatnonzero(marks[1:] != marks[:-1]) + 1).tolist(), len(every)]
        first = 0
        for end in ends:
            if 0 < end - first <= most:
                run = every[first:end].tolist()
                yield run[0] >> 32, tuple(each & 0xFFFFFFFF for each in run)
            first = end


def clusters(prints: Prints, learners: list[str], read: Read) -> list[Cluster]:
    """Those who are alike, directly or by another; the largest first."""
    pairs = prints.alike(len(learners))
    members = {who for pair in pairs for who in pair}
    shared = {
        each for each, who in (prints.telling(len(learners)) if pairs else ())
        if len(members.intersection(who)) > 1
    }  # fmt: skip
    found = []
    for who in sorted(_together(pairs), key=lambda who: (-len(who), min(who)))[:MOST_CLUSTERS]:
        names = sorted(learners[n] for n in who)
        share = max(share for (a, _), share in pairs.items() if a in who)
        found.append(Cluster(names, share, _places(names, read, shared)))
    return sorted(found, key=lambda c: (-len(c.learners), -c.share, c.learners))


def of_records(records: list[dict[str, Any]]) -> list[Cluster]:
    """The clusters of records that are all in memory."""
    prints = Prints()
    judged = [record for record in records if record["result"]]
    for who, record in enumerate(judged):
        prints.add(who, record.get("prints", {}))
    by_name = {record["learner"]: record for record in judged}
    return clusters(prints, list(by_name), by_name.get)


def _together(pairs: Iterable[Pair]) -> list[set[int]]:
    """Those who are linked, whoever lies between."""
    group: dict[int, set[int]] = {}
    for a, b in pairs:
        both = group.get(a, {a}) | group.get(b, {b})
        group.update(dict.fromkeys(both, both))
    return list({id(who): who for who in group.values()}.values())


def _places(names: list[str], read: Read, shared: set[int]) -> list[str]:
    """The definitions in which at least two of them have these fingerprints in common."""
    common: Counter[str] = Counter()
    before: dict[str, set[int]] = {}
    for name in names:
        record = read(name) or {}
        for place, text in record.get("prints", {}).items():
            mine = shared.intersection(unpacked(text))
            common[place] += len(mine & before.get(place, set()))
            before.setdefault(place, set()).update(mine)
    return [place for place, n in common.most_common(MOST_PLACES) if n]
