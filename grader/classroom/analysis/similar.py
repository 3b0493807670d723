"""Find similar code: fingerprints of definitions, and clusters over a class.

Winnowing: S. Schleimer, D. Wilkerson, A. Aiken, «Winnowing: local algorithms for document
fingerprinting», SIGMOD 2003. The tokens are the words of the normal form without names
(`normal_form.py`), so that layout, statements without effect and their order do not matter, of
functions from which what a machine puts in is taken out (`plain_form.py`). Each `GRAM` consecutive
tokens are hashed, and of each `WINDOW` consecutive hashes the least is kept. So two texts that
share `GRAM + WINDOW - 1` consecutive tokens share a fingerprint.

Code that everybody writes says nothing: a fingerprint counts only if few share it. So the sorted
fingerprints of a class are scanned once; learners are not compared pair by pair.
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

from ... import root
from ...course.load import Course
from ...course.package import module_of
from ...course.source_digest import content_hash, files_below, hash_files
from ...course.syntax_tree import NO_PYTHON
from ...memo import Memo, hash_values
from ..intake.normal_form import KINDS, Form, compute_forms, normal_forms
from ..marks.record import Record, RecordReader, Summary
from ..marks.teams import is_first_of_team
from .plain_form import make_plain

GRAM, WINDOW = 14, 4
HEADS, INSIDE = ("class ", "def ", "async def ", "@"), " \t)"  # prefixes of a block's lines
READERS = (  # code behind `CommonCode`
    "classroom/analysis/similar.py", "classroom/analysis/plain_form.py",
    "classroom/intake/normal_form.py", "course",
)  # fmt: skip


class CommonCode(NamedTuple):
    """Code to ignore: stubs, the reference, and the course's known mistakes and variants."""

    files: frozenset[str]  # without comments, as `strip_comment_lines` gives them
    bodies: frozenset[str]  # digests of normal forms
    grams: frozenset[int]
    # The top-level classes and functions, as `strip_comment_lines` gives them.
    blocks: frozenset[str] = frozenset()


def collect_common_code(course: Course, first: int) -> CommonCode:
    """Return the code that is no sign of copying, cached; ``first``: see `Course.stubs`."""
    made_by = hash_files(files_below([os.path.join(root.PACKAGE, name) for name in READERS]))
    asked = (
        [c.id for c in course.chapters],
        sorted(course.solutions.items()),
        course.key_fingerprint,
        first,
    )
    memo, name = Memo(), hash_values("known", content_hash(""), asked, made_by, sys.version)
    if (kept := memo.recall(name)) is not None:
        return CommonCode(*kept)
    texts = [*course.stubs(first).items(), *course.solved().items()]
    others = [m.body for e in course.exercises.values() for m in e.mistakes]
    others += [body for c in course.chapters for v in c.variants for body in v.bodies.values()]
    found = _compute_common_code(texts, others)
    memo.remember(name, tuple(found))
    return found


def _compute_common_code(texts: Sequence[tuple[str, str]], others: Sequence[str]) -> CommonCode:
    """Compute `CommonCode` from files (name, text) and function bodies."""
    every, bodies = set(), set()
    for name, text in texts:
        for form in normal_forms(module_of(name), text, make_plain):
            every.update(hash_grams(form.words))
            bodies.add(form.digest)
    for body in dict.fromkeys(others):
        for form in normal_forms("", f"def _():\n{indent(body, '    ')}", make_plain):
            every.update(hash_grams(form.words))
    files = frozenset(strip_comment_lines(text.split("\n")) for _, text in texts)
    blocks = frozenset(each for _, text in texts for each in iter_blocks(text))
    return CommonCode(files, frozenset(bodies), frozenset(every), blocks)


def fingerprint_files(files: Mapping[str, bytes], known: CommonCode) -> dict[str, str]:
    """Return definition → packed fingerprints; a file that does not parse has none."""
    texts = [(module_of(name), data.decode("utf-8", "replace")) for name, data in files.items()]
    own = [(module, text, _blank_known(text, known)) for module, text in texts]
    forms = [form for each in own if each[2] for form in _compute_forms(*each)]
    hashes = (
        (form.target, winnow([g for g in hash_grams(form.words) if g not in known.grams]))
        for form in forms if form.digest not in known.bodies
    )  # fmt: skip
    return {target: encode_fingerprints(kept) for target, kept in hashes if kept}


def _blank_known(text: str, known: CommonCode) -> str:
    """Empty the blocks of a text that everybody has; of a whole file that everybody has, all.

    Normal forms are slow to compute, and most of a text is usually as it was handed out.
    """
    lines = text.split("\n")
    if strip_comment_lines(lines) in known.files:
        return ""
    for first, last in find_blocks(lines):
        if strip_comment_lines(lines[first:last]) in known.blocks:
            lines[first:last] = [""] * (last - first)
    return "\n".join(lines)


def _compute_forms(module: str, text: str, own: str) -> tuple[Form, ...]:
    with suppress(*NO_PYTHON):  # an apparent block was inside a long string
        return tuple(compute_forms(module, own, make_plain))
    return normal_forms(module, text, make_plain)


def iter_blocks(text: str) -> Iterator[str]:
    """Yield the top-level classes and functions of a module, without comment lines."""
    lines = text.split("\n")
    return (strip_comment_lines(lines[first:last]) for first, last in find_blocks(lines))


def strip_comment_lines(lines: Iterable[str]) -> str:
    """Join lines without comment lines, so that equal blocks compare equal."""
    return "\n".join([line for line in lines if "#" not in line or line.lstrip()[0] != "#"])


def find_blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (first, end) of each top-level block, as a slice of lines, judged by indentation."""
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


def hash_grams(words: Sequence[str]) -> list[int]:
    """Hash every `GRAM` consecutive words, names and texts left out."""
    numbers = [_number(KINDS.get(word[0], word)) for word in words]
    row, data = 4 * GRAM, memoryview(struct.pack(f"<{len(numbers)}I", *numbers))
    return [zlib.crc32(data[n : n + row]) for n in range(0, len(data) - row + 1, 4)]


@lru_cache(maxsize=4096)
def _number(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "replace"))


def winnow(hashes: list[int]) -> set[int]:
    """Return the least of every `WINDOW` consecutive hashes: of 5 1 4 2 7 3, 1 and 2."""
    windows = range(max(1, len(hashes) - WINDOW + 1)) if hashes else ()
    return {min(hashes[n : n + WINDOW]) for n in windows}


def encode_fingerprints(hashes: Collection[int]) -> str:
    """Encode numbers below 2³² in base 64: sorted, little-endian, four bytes each."""
    data = struct.pack(f"<{len(hashes)}I", *sorted(hashes))
    return base64.b64encode(data).decode()


def decode_fingerprints(text: str) -> tuple[int, ...]:
    """Decode the numbers of `encode_fingerprints`, sorted."""
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 4}I", data)


SHARE = 0.5  # of the fingerprints of the learner with fewer
LEAST = 15  # shared fingerprints; fewer are chance
FEWEST, MOST = 6, 24  # learners who may share a fingerprint, in a small and in a large class
MOST_PLACES, MOST_CLUSTERS = 8, 200

Pair = tuple[int, int]


class Cluster(NamedTuple):
    """Learners with similar code."""

    learners: list[str]
    share: float  # of their fingerprints, the most that two of them have in common
    places: list[str]  # definitions with common fingerprints, most first


class FingerprintIndex:
    """The fingerprints of a class, eight bytes each."""

    def __init__(self) -> None:
        self._all = array("Q")  # fingerprint << 32 | learner's number

    def add(self, who: int, prints: dict[str, str]) -> None:
        mine = {each for text in prints.values() for each in decode_fingerprints(text)}
        self._all.extend(each << 32 | who for each in mine)

    def find_similar_pairs(self, class_size: int) -> dict[Pair, float]:
        """Return pair → share of common fingerprints, above the limits; few share each."""
        holders: Counter[tuple[int, ...]] = Counter()
        own: Counter[int] = Counter()
        for _, who in self.rare_fingerprints(class_size):
            own.update(who)
            if len(who) > 1:
                holders[who] += 1
        shared: Counter[Pair] = Counter()
        for who, count in holders.items():
            for pair in combinations(who, 2):
                shared[pair] += count
        shares = {(a, b): n / min(own[a], own[b]) for (a, b), n in shared.items() if n >= LEAST}
        return {pair: share for pair, share in shares.items() if share >= SHARE}

    def rare_fingerprints(self, class_size: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield each fingerprint that few learners of the class share, with their numbers."""
        import numpy as np

        most = max(FEWEST, min(MOST, class_size // 4))  # 6 of 12 learners, 15 of 60, 24 of 400
        every = np.frombuffer(self._all or array("Q"), np.uint64)
        every.sort()  # in place
        marks = every >> np.uint64(32)
        ends = [*(np.flatnonzero(marks[1:] != marks[:-1]) + 1).tolist(), len(every)]
        first = 0
        for end in ends:
            if 0 < end - first <= most:
                run = every[first:end].tolist()
                yield run[0] >> 32, tuple(each & 0xFFFFFFFF for each in run)
            first = end


def find_clusters(
    prints: FingerprintIndex, learners: list[str], read: RecordReader
) -> list[Cluster]:
    """Return the clusters of similar learners, direct or through others; the largest first."""
    pairs = prints.find_similar_pairs(len(learners))
    members = {who for pair in pairs for who in pair}
    shared = {
        each for each, who in (prints.rare_fingerprints(len(learners)) if pairs else ())
        if len(members.intersection(who)) > 1
    }  # fmt: skip
    found = []
    for who in sorted(link_pairs(pairs), key=lambda who: (-len(who), min(who)))[:MOST_CLUSTERS]:
        names = sorted(learners[n] for n in who)
        share = max(share for (a, _), share in pairs.items() if a in who)
        found.append(Cluster(names, share, _places(names, read, shared)))
    return sorted(found, key=lambda c: (-len(c.learners), -c.share, c.learners))


def cluster_records(records: list[Record]) -> list[Cluster]:
    """Return the clusters of records that are all in memory."""
    prints = FingerprintIndex()
    judged = [record for record in records if record["result"] and is_first_of_team(record)]
    for who, record in enumerate(judged):
        prints.add(who, record.get("prints", {}))
    by_name = {record["learner"]: record for record in judged}
    return find_clusters(prints, list(by_name), by_name.get)


def group_same_code(rows: Iterable[Summary]) -> list[list[str]]:
    """Group learners with equal files, except files that are as they were handed out; of those who
    handed in together one stands for all."""
    by_digest: dict[str, dict[str, str]] = {}
    for row in rows:
        if row["sha256"] and not row["untouched"]:
            by_digest.setdefault(row["sha256"], {}).setdefault(row["submission"], row["learner"])
    return [[*names.values()] for names in by_digest.values() if len(names) > 1]


def link_pairs(pairs: Iterable[Pair]) -> list[set[int]]:
    """Return the connected components of a graph's edges."""
    group: dict[int, set[int]] = {}
    for a, b in pairs:
        if b not in group.get(a, ()):  # else each of many pairs would join all of them again
            both = group.get(a, {a}) | group.get(b, {b})
            group.update(dict.fromkeys(both, both))
    return list({id(who): who for who in group.values()}.values())


def _places(names: list[str], read: RecordReader, shared: set[int]) -> list[str]:
    """Return the definitions in which at least two of them have some of ``shared`` in common."""
    common: Counter[str] = Counter()
    before: dict[str, set[int]] = {}
    for name in names:
        record = read(name)
        for place, text in record.get("prints", {}).items() if record else ():
            mine = shared.intersection(decode_fingerprints(text))
            common[place] += len(mine & before.get(place, set()))
            before.setdefault(place, set()).update(mine)
    return [place for place, n in common.most_common(MOST_PLACES) if n]
