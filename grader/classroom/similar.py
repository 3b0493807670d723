"""Who wrote the same code: fingerprints of definitions, and clusters over a class.

Winnowing: S. Schleimer, D. Wilkerson, A. Aiken, «Winnowing: local algorithms for document
fingerprinting», SIGMOD 2003. The tokens are the words of the normal form without names
(`normal_form.py`), so that layout, statements that do nothing and their order play no part. Of
`GRAM` tokens in a row a hash is made; of every `WINDOW` hashes in a row the least is kept. So two
texts that share `GRAM + WINDOW - 1` tokens in a row share a fingerprint.

What everybody writes tells nothing: a fingerprint counts where few share it. So a class is looked
through once, in order of the fingerprints, and nobody is held against everybody.
"""

from __future__ import annotations

import base64
import os
import struct
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from textwrap import indent
from typing import NamedTuple

from .. import root
from ..course.load import Course
from ..course.package import module_of
from ..course.source_digest import content_hash, files_below, hash_files
from ..memo import Memo, digest
from .normal_form import NO_PYTHON, Form, alike, forms_of, normal_forms
from .record import Read, Record

GRAM, WINDOW = 14, 4
HEADS, INSIDE = ("class ", "def ", "async def ", "@"), " \t)"  # how a line of a block begins
READERS = ("classroom/similar.py", "classroom/normal_form.py", "course")  # say what is in a text


class Known(NamedTuple):
    """What tells nothing about who wrote it: stubs, the reference, what the course has named."""

    files: frozenset[str]  # without comments, as `block` gives them
    bodies: frozenset[str]  # the digests of their normal forms
    grams: frozenset[int]
    # The classes and functions at the top of these, as `block` gives them.
    blocks: frozenset[str] = frozenset()


def known(course: Course, first: int) -> Known:
    """What a class has in common from the start, and what the course knows that many write."""
    made_by = hash_files(files_below([os.path.join(root.PACKAGE, name) for name in READERS]))
    asked = [c.id for c in course.chapters], sorted(course.solutions.items()), course.mark, first
    memo, name = Memo(), digest("known", content_hash(""), asked, made_by, sys.version)
    if (kept := memo.recall(name)) is not None:
        return Known(*kept)
    texts = [*course.stubs(first).items(), *course.solved().items()]
    others = [m.body for e in course.exercises.values() for m in e.mistakes]
    others += [body for c in course.chapters for v in c.variants for body in v.bodies.values()]
    found = _known(texts, others)
    memo.remember(name, tuple(found))
    return found


def _known(texts: Sequence[tuple[str, str]], others: Sequence[str]) -> Known:
    """The same, of these files and these bodies."""
    every, bodies = set(), set()
    for name, text in texts:
        for form in normal_forms(module_of(name), text):
            every.update(grams(form.words))
            bodies.add(form.digest)
    for body in dict.fromkeys(others):
        for form in normal_forms("", f"def _():\n{indent(body, '    ')}"):
            every.update(grams(form.words))
    files = frozenset(block(text.split("\n")) for _, text in texts)
    blocks = frozenset(each for _, text in texts for each in blocks_of(text))
    return Known(files, frozenset(bodies), frozenset(every), blocks)


def prints(files: Mapping[str, bytes], known: Known) -> dict[str, str]:
    """Definition → its fingerprints, packed; a file that is no Python has none."""
    found = {}
    for name, data in files.items():
        text = data.decode("utf-8", "replace")
        if block(text.split("\n")) in known.files:
            continue
        for form in written(module_of(name), text, known):
            if form.digest not in known.bodies:
                kept = winnow([g for g in grams(form.words) if g not in known.grams])
                if kept:
                    found[form.target] = packed(kept)
    return found


def written(module: str, text: str, known: Known) -> tuple[Form, ...]:
    """The normal forms of what a text defines beside the blocks that everybody has.

    To make one is what is dear here, and most of a text is most often as it was handed out.
    """
    lines = text.split("\n")
    for first, last in blocks_in(lines):
        if block(lines[first:last]) in known.blocks:
            lines[first:last] = [""] * (last - first)
    with suppress(*NO_PYTHON):  # what looked like a block was a piece of a long string
        return tuple(forms_of(module, "\n".join(lines)))
    return normal_forms(module, text)


def blocks_of(text: str) -> Iterator[str]:
    """The classes and functions at the top of a module, with their decorators."""
    lines = text.split("\n")
    return (block(lines[first:last]) for first, last in blocks_in(lines))


def block(lines: Iterable[str]) -> str:
    """Lines as a text by which they are known: comments are no part of it."""
    return "\n".join([line for line in lines if "#" not in line or line.lstrip()[0] != "#"])


def blocks_in(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first line of each and the one after its last, as far as indentation tells."""
    first = None
    for n, line in enumerate([*lines, "."]):
        if not line or line[0] in INSIDE or first is not None and lines[n - 1][:1] == "@":
            continue
        if first is not None:
            last = n
            while not lines[last - 1].strip():
                last -= 1
            yield first, last
        first = n if line.startswith(HEADS) else None


def grams(words: Sequence[str]) -> list[int]:
    """The hashes of all rows of `GRAM` words, whatever their names."""
    numbers = [_number(alike(word)) for word in words]
    row, data = 4 * GRAM, memoryview(struct.pack(f"<{len(numbers)}I", *numbers))
    return [zlib.crc32(data[n : n + row]) for n in range(0, len(data) - row + 1, 4)]


@lru_cache(maxsize=4096)
def _number(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "replace"))


def winnow(hashes: list[int]) -> set[int]:
    """The least of every `WINDOW` hashes in a row."""
    windows = range(max(1, len(hashes) - WINDOW + 1)) if hashes else ()
    return {min(hashes[n : n + WINDOW]) for n in windows}


def packed(hashes: Collection[int]) -> str:
    """Numbers below 2³², four bytes each, in base 64."""
    data = struct.pack(f"<{len(hashes)}I", *sorted(hashes))
    return base64.b64encode(data).decode()


def unpacked(text: str) -> tuple[int, ...]:
    """What `packed` was given, in order."""
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 4}I", data)


SHARE = 0.5  # of the fingerprints of the one who has fewer
LEAST = 15  # shared fingerprints: below, two people write alike by chance
FEWEST, MOST = 6, 24  # of a small and a large class: a fingerprint that more share tells nothing
MOST_PLACES, MOST_CLUSTERS = 8, 200

Pair = tuple[int, int]


class Cluster(NamedTuple):
    """Learners whose code is alike."""

    learners: list[str]
    share: float  # how much of what the one wrote, the most alike two have in common
    places: list[str]  # the definitions that most of them share, those with most in common first


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
    for who in sorted(link_pairs(pairs), key=lambda who: (-len(who), min(who)))[:MOST_CLUSTERS]:
        names = sorted(learners[n] for n in who)
        share = max(share for (a, _), share in pairs.items() if a in who)
        found.append(Cluster(names, share, _places(names, read, shared)))
    return sorted(found, key=lambda c: (-len(c.learners), -c.share, c.learners))


def of_records(records: list[Record]) -> list[Cluster]:
    """The clusters of records that are all in memory."""
    prints = Prints()
    judged = [record for record in records if record["result"]]
    for who, record in enumerate(judged):
        prints.add(who, record.get("prints", {}))
    by_name = {record["learner"]: record for record in judged}
    return clusters(prints, list(by_name), by_name.get)


def link_pairs(pairs: Iterable[Pair]) -> list[set[int]]:
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
        record = read(name)
        for place, text in record.get("prints", {}).items() if record else ():
            mine = shared.intersection(unpacked(text))
            common[place] += len(mine & before.get(place, set()))
            before.setdefault(place, set()).update(mine)
    return [place for place, n in common.most_common(MOST_PLACES) if n]
