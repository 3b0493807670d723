"""Analyse what a class found hard: exercises, mistakes, and equal wrong answers.

Records are read one at a time. Only a share and a status per exercise are kept of each, five bytes,
so that the class may be large.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from ...learner.wording import first_of, percent
from ...result import iter_exercises
from ...result_rows import ExerciseResult, Unloadable
from ...verdict import BLOCKED, WRONG
from ..marks.learner_names import name_learners
from ..marks.record import GradedRecord, Record, RecordReader, is_untouched
from ..marks.roster import ClassPart, Person, map_owners, summarize_parts
from ..marks.teams import is_first_of_team
from .same_answers import fingerprint_answers, tells_something
from .similar import Cluster, FingerprintIndex, find_clusters

STATUSES = (
    "passed", "failed", "refused", "crashed", "timed_out", "out_of_memory", "blocked", "pending",
    "given", "broken",
)  # fmt: skip
SHOWN = STATUSES[:-2]
MOST_COLUMNS = 60  # of the heat map; in a larger class a column is a group of neighbours
MOST_GROUPS = 200
STEPS = 10  # bins of the distribution
MOST_NAMED = 6
ALIKE = 3  # so many equally wrong exercises are no chance any more
FEW = 6  # an error that more learners share was probably said in class
JUMP = 0.4  # suspicious rise of the share of points since an earlier assignment
NOTHING = 255  # the status of a learner without this exercise


class Item(NamedTuple):
    """The statistics of an exercise over the class."""

    id: str
    section: str
    title: str
    counts: dict[str, int]  # status → number of learners
    share: float  # difficulty index: the mean share of its points, 1 is easy, 0 is hard
    telling: float  # discrimination index: mean share of the better half minus the other half's
    # The points that the class lost by it, including those of exercises that it blocked.
    lost: float
    waited: float  # the part of `lost` from blocked exercises


class SameAnswerGroup(NamedTuple):
    """Learners whose answers are wrong in exactly the same way."""

    id: str
    title: str
    says: str
    yours: object
    known: bool
    learners: list[str]
    lost: float  # the points that all of them lost
    more: list[str]  # other exercises in which the same learners are equally wrong


class Column(NamedTuple):
    """A column of the heat map: a learner, or neighbours by their points."""

    name: str
    size: int
    shares: list[float | None]
    statuses: list[str]


class Reason(NamedTuple):
    """A reason to talk to somebody: ``the same code``, ``as`` others of the group."""

    words: str
    beside: str = ""
    group: tuple[str, ...] = ()  # the learner among them; without one it is theirs alone


class Talk(NamedTuple):
    """Learners to talk to for the same reasons."""

    learners: list[str]
    reasons: list[Reason]

    @property
    def says(self) -> str:
        """The reasons, with the names of others in a group."""
        return "; ".join(map(self._describe, self.reasons))

    def _describe(self, reason: Reason) -> str:
        others = [name for name in reason.group if name not in self.learners]
        more = f" {reason.beside} {first_of(others, MOST_NAMED)}" if others else ""
        return f"{reason.words}{more}"


class Insights(NamedTuple):
    """The whole analysis; learners from the strongest on."""

    learners: list[str]
    unjudged: list[tuple[str, str, str]]  # learner, status, says
    items: list[Item]
    groups: list[SameAnswerGroup]
    columns: list[Column]
    distribution: list[int]  # learners with up to a tenth of the points, up to two tenths, …
    mean: float
    median: float
    clusters: list[Cluster]  # groups with similar code
    oral: list[Talk]
    parts: list[ClassPart]  # sections and groups, if the roster has any


def analyse_class(
    records: Iterable[Record],
    read: RecordReader,
    before: Mapping[str, float] | None = None,
    listed: Sequence[Person] = (),
) -> Insights:
    """Analyse records; those without a result are only listed.

    Args:
        before: learner → share of the points of an earlier assignment.
        listed: the class's roster.
        read: reads a record again, for the words of a shared mistake.
    """
    table = ClassTable()
    for record in records:
        table.add(record)
    ranked = sorted(range(len(table.learners)), key=lambda n: (-table.own[n], table.learners[n]))
    groups, alike = table.groups(read), find_clusters(table.prints, table.learners, read)
    made = Insights(
        [table.learners[n] for n in ranked], table.unjudged, table.items(ranked), groups,
        table.columns(ranked), *table.spread(), alike, table.oral(groups, alike, before or {}),
        summarize_parts(table.owners, table.shares(), listed),
    )  # fmt: skip
    return rename_learners(made, name_learners(table.owners | table.unmarked, listed))


class HeatMapRow:
    """The shares and statuses of an exercise, by the learners' numbers."""

    def __init__(self, exercise: ExerciseResult) -> None:
        self.id, self.section = exercise["id"], exercise["section"]
        self.title, self.worth = exercise["title"], exercise["max_score"]
        self.shares, self.statuses = array("f"), bytearray()
        self.charged = self.waited = 0.0

    def put(self, at: int, share: float, status: int) -> None:
        """Set a learner's entry; earlier learners without one have no such exercise."""
        missing = at - len(self.shares)
        self.shares.extend([*[math.nan] * missing, share])
        self.statuses.extend([*[NOTHING] * missing, status])

    def share(self, at: int) -> float | None:
        there = at < len(self.shares) and self.statuses[at] != NOTHING
        return self.shares[at] if there else None


class ClassTable:
    """The compact data of a class."""

    def __init__(self) -> None:
        self.learners: list[str] = []
        self.owners: dict[str, str] = {}
        self.unmarked: dict[str, str] = {}  # the same of learners without a result
        self.own, self.most = array("d"), array("d")
        self.unjudged: list[tuple[str, str, str]] = []
        self.rows: dict[str, HeatMapRow] = {}
        self.alike: dict[bytes, array[int]] = {}  # fingerprint → learners' numbers
        self.copies: dict[str, list[str]] = {}  # digest of the code → learners
        self.unread: set[str] = set()  # learners with a failed import: all fails alike
        self.prints = FingerprintIndex()
        self.shown: dict[str, list[Reason]] = {}  # learner → solutions seen or handed in

    def add(self, record: Record) -> None:
        """Add a record to the table."""
        if not record["result"]:
            self.unjudged.append((record["learner"], record["status"], record["says"]))
            self.unmarked |= map_owners([record])
            return
        at = len(self.learners)
        self.learners.append(record["learner"])
        self.owners |= map_owners([record])
        self.own.append(record["own"] or 0.0)
        self.most.append(record["max_mark"] or 0.0)
        is_first = is_first_of_team(record)
        self._note(record, is_first)
        asked = [e for e in iter_exercises(record["result"]) if e["status"] != "given"]
        causes = record["result"].get("unloadable", ())
        for exercise in asked:
            self._add(at, exercise, causes, is_first)
        for exercise in asked:
            self._charge(self.rows[exercise["id"]], exercise)

    def _note(self, record: GradedRecord, is_first: bool) -> None:
        self.prints.add(len(self.learners) - 1, record.get("prints", {}) if is_first else {})
        if is_first and not is_untouched(record):
            self.copies.setdefault(record.get("sha256") or "", []).append(record["learner"])
        if record["result"].get("unloadable"):
            self.unread.add(record["learner"])
        said = []
        for ids, words in (
            (record.get("revealed"), "saw the solution of"),
            (record.get("came_solved"), "handed in ours:"),
        ):
            if ids:
                said.append(Reason(f"{words} {', '.join(sorted(ids)[:MOST_NAMED])}"))
        if said:
            self.shown[record["learner"]] = said

    def oral(
        self, groups: list[SameAnswerGroup], alike: list[Cluster], before: Mapping[str, float]
    ) -> list[Talk]:
        """Return whom to talk to, and why; most reasons first. No reason is a proof."""
        found = {name: list(said) for name, said in self.shown.items()}
        copies = {n: names for digest, names in self.copies.items() if digest for n in names}
        for name, names in copies.items():
            if len(names) > 1:
                reason = Reason("the same code", "as", tuple(names))
                found.setdefault(name, []).append(reason)
        for cluster in alike:
            for name in cluster.learners:
                same = {*copies.get(name, ())} - {name}
                others = [other for other in cluster.learners if other not in same]
                if len(others) > 1:
                    reason = Reason("much the same code", "as", tuple(others))
                    found.setdefault(name, []).append(reason)
        for group in groups:
            if len(group.more) + 1 >= ALIKE and len(group.learners) <= FEW:
                says = f"{len(group.more) + 1} exercises are wrong in the same way"
                reason = Reason(says, "as those of", tuple(group.learners))
                for name in (n for n in group.learners if n not in self.unread):
                    found.setdefault(name, []).append(reason)
        for name, share in self.shares().items():
            if share - before.get(name, share) >= JUMP:
                says = f"from {percent(before[name])} of the points to {percent(share)}"
                found.setdefault(name, []).append(Reason(says))
        return _merge_reasons(found)

    def _add(
        self, at: int, e: ExerciseResult, causes: Iterable[Unloadable], is_first: bool
    ) -> None:
        row = self.rows.get(e["id"]) or self.rows.setdefault(e["id"], HeatMapRow(e))
        most = e["max_score"]
        row.put(at, e["score"] / most if most else 0.0, STATUSES.index(e["status"]))
        if is_first and tells_something(e, causes):
            self.alike.setdefault(fingerprint_answers(e, causes), array("I")).append(at)

    def _charge(self, row: HeatMapRow, e: ExerciseResult) -> None:
        """Charge lost points to an exercise, or to those that block it."""
        lost = e["max_score"] - e["score"]
        causes = [self.rows[id] for id in e["blocked_by"] if id in self.rows]
        for cause in causes if e["status"] == BLOCKED else ():
            cause.charged += lost / len(causes)
            cause.waited += lost / len(causes)
        if e["status"] != BLOCKED or not causes:
            row.charged += lost

    def items(self, ranked: list[int]) -> list[Item]:
        half = (len(ranked) + 1) // 2
        return [self._item(row, ranked[:half], ranked[half:]) for row in self.rows.values()]

    def _item(self, row: HeatMapRow, better: list[int], other: list[int]) -> Item:
        upper, lower = ([s for n in each if (s := row.share(n)) is not None]
                        for each in (better, other))  # fmt: skip
        counts = {s: row.statuses.count(k) for k, s in enumerate(STATUSES)}
        return Item(
            row.id, row.section, row.title, {s: counts[s] for s in SHOWN if counts[s]},
            _mean([*upper, *lower]), _mean(upper) - _mean(lower) if other else 0.0,
            row.charged, row.waited,
        )  # fmt: skip

    def groups(self, read: RecordReader) -> list[SameAnswerGroup]:
        """Group learners with equal wrong answers, those with most points lost first.

        The same learners in several exercises are one group.
        """
        by_who: dict[tuple[int, ...], list[bytes]] = {}
        for digest, who in self.alike.items():
            if len(who) > 1:
                by_who.setdefault(tuple(who), []).append(digest)
        dearest = sorted(by_who, key=lambda who: (-len(who) * len(by_who[who]), who))
        made = [self._group(who, by_who[who], read) for who in dearest[: 2 * MOST_GROUPS]]
        return sorted(made, key=lambda group: (-group.lost, group.id))[:MOST_GROUPS]

    def _group(
        self, who: tuple[int, ...], digests: list[bytes], read: RecordReader
    ) -> SameAnswerGroup:
        record = read(self.learners[who[0]])
        assert record is not None and record["result"] is not None
        causes = record["result"].get("unloadable", ())
        wrong = (e for e in iter_exercises(record["result"]) if tells_something(e, causes))
        theirs = [e for e in wrong if fingerprint_answers(e, causes) in digests]
        lost = {e["id"]: len(who) * (e["max_score"] - e["score"]) for e in theirs}
        e = max(theirs, key=lambda each: lost[each["id"]])
        first = next(c for c in e["checks"] if c["status"] in WRONG)
        mistake = next((c["mistake"] for c in e["checks"] if c["mistake"]), None)
        says = next((cause["message"] for cause in causes if e["id"] in cause["exercises"]), "")
        return SameAnswerGroup(
            e["id"], e["title"], mistake["says"] if mistake else says or first["title"],
            first["yours"], mistake is not None, sorted(self.learners[n] for n in who),
            sum(lost.values()), [id for id in lost if id != e["id"]],
        )  # fmt: skip

    def columns(self, ranked: list[int]) -> list[Column]:
        """Return the heat map's columns: learners, or groups of neighbours in a large class."""
        size = max(1, math.ceil(len(ranked) / MOST_COLUMNS))
        return [self._column(ranked[n : n + size], n) for n in range(0, len(ranked), size)]

    def _column(self, who: list[int], first: int) -> Column:
        shares: list[float | None] = []
        statuses = []
        for row in self.rows.values():
            there = [s for n in who if (s := row.share(n)) is not None]
            shares.append(_mean(there) if there else None)
            alone = there and len(who) == 1
            statuses.append(STATUSES[row.statuses[who[0]]] if alone else "")
        name = self.learners[who[0]] if len(who) == 1 else f"{first + 1}–{first + len(who)}"
        return Column(name, len(who), shares, statuses)

    def shares(self) -> dict[str, float]:
        """Return learner → share of the points."""
        pairs = zip(self.own, self.most, strict=True)
        each = (own / most if most else 0.0 for own, most in pairs)
        return dict(zip(self.learners, each, strict=True))

    def spread(self) -> tuple[list[int], float, float]:
        """Return the distribution, the mean and the median of the shares of the points."""
        shares = sorted(self.shares().values())
        counts = [0] * STEPS
        for share in shares:
            counts[min(STEPS - 1, int(share * STEPS))] += 1
        return counts, _mean(shares), median(shares) if shares else 0.0


def _merge_reasons(found: Mapping[str, list[Reason]]) -> list[Talk]:
    """Put learners with the same reasons together: of fifteen equal hand-ins there is one."""
    alike: dict[tuple[Reason, ...], list[str]] = {}
    for name in sorted(found):
        alike.setdefault(tuple(found[name]), []).append(name)
    made = [Talk(names, [*reasons]) for reasons, names in alike.items()]
    return sorted(made, key=lambda talk: (-len(talk.reasons), talk.learners))


def rename_learners(found: Insights, names: Mapping[str, str]) -> Insights:
    """Call each learner by another name, everywhere; a name that is not listed stays."""

    def call(each: Iterable[str]) -> list[str]:
        return [names.get(name, name) for name in each]

    def explain(talk: Talk) -> Talk:
        reasons = [r._replace(group=tuple(call(r.group))) for r in talk.reasons]
        return Talk(call(talk.learners), reasons)

    return found._replace(
        learners=call(found.learners),
        unjudged=[(names.get(row[0], row[0]), *row[1:]) for row in found.unjudged],
        groups=[group._replace(learners=call(group.learners)) for group in found.groups],
        columns=[each._replace(name=names.get(each.name, each.name)) for each in found.columns],
        clusters=[each._replace(learners=call(each.learners)) for each in found.clusters],
        oral=[*map(explain, found.oral)],
    )


def _mean(each: list[float]) -> float:
    return sum(each) / len(each) if each else 0.0
