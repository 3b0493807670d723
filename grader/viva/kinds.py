"""Make questions by kinds, a row each, and draw some: seeded, balanced, without repetition.

A kind asks about a call of one of the learner's functions, or about a line. The answer is what the
call did, what a copy of the package with another line does, or how that copy is judged.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, permutations
from random import Random
from typing import Any, NamedTuple

from ..arrays import make_array
from ..course.package import Package
from ..learner.wording import first_of, format_numbers
from ..memo import hash_values
from ..result import list_array
from ..verdict import BROKEN, OUT_OF_MEMORY, PASSED, TIMED_OUT
from .question import (
    MOST,
    MOST_NUMBERS,
    NUMBERS,
    SHAPE,
    SLIPS,
    Aspect,
    Trial,
    VivaQuestion,
    count_in_words,
    differ,
    near_counts,
    options,
)
from .subject import SIMPLE, SampleCall, SourceLine, Subject, Value, other_lines

UNCERTAIN = {BROKEN, TIMED_OUT, OUT_OF_MEMORY}  # statuses that depend on the machine
RESULT = "`{}`, where `result` is what it returns"
LONGEST = 150  # characters of a call as an option
FEW = 5  # exercises that a sentence names
MOST_TRIES = 12  # of a kind, until it makes a question


class Draft(NamedTuple):
    """A question before its options are drawn: words, right answer, wrong ones, its line."""

    asks: str
    answer: str
    wrong: Iterable[str]
    line: int = 0
    why: str = "It was run."
    code: tuple[str, ...] = ()  # in the place of the whole function
    setting: tuple[str, ...] = ()  # in the place of the sample's
    trial: Trial | None = None  # judges a typed answer; there are no wrong ones then


Thing = Any  # a sample or a line, as the kind's row says
Make = Callable[[Subject, Thing, Random], Draft | None]
Values = Iterator[tuple[str, Value, int]]  # words for it, and the line that sets it


def _assigned(sample: SampleCall) -> Values:
    """Yield the values that are assigned by lines that ran once."""
    for number, statement in sample.function.lines.items():
        steps = [step for step in sample.call.steps if step.line == number]
        if isinstance(statement, ast.Assign) and len(steps) == 1:
            nodes = [node for target in statement.targets for node in ast.walk(target)]
            names = [node for node in nodes if isinstance(node, ast.Name)]
            stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
            for name, value in steps[0].names.items():
                if name.partition("[")[0] in stored:
                    yield f"`{name}` after line {number}", value, number


def _returned(sample: SampleCall) -> Values:
    for name, value in sample.call.gave.items():
        yield RESULT.format(name), value, 0


def _of_value(values: Callable[[SampleCall], Values], aspect: Aspect) -> Make:
    """Make a kind that asks about a value that the question does not show."""

    def make(subject: Subject, sample: SampleCall, rng: Random) -> Draft | None:
        said = {line.partition(" = ")[2] for line in sample.setting}
        said |= {aspect.text(each) for each in sample.call.given.values() if aspect.fits(each)}
        found = [
            it for it in values(sample) if aspect.fits(it[1]) and aspect.text(it[1]) not in said
        ]
        if not found or not (sample.shown or aspect is SHAPE):
            return None
        words, value, line = rng.choice(found)
        wrong = aspect.wrong(value, sample.call.values)
        return Draft(aspect.asks.format(words), aspect.text(value), wrong, line)

    return make


def _not_run(subject: Subject, sample: SampleCall, rng: Random) -> Draft | None:
    function, lines = sample.function, list(sample.function.lines)
    places = {n: f"line {n}: `{function.line(n)}`" for n in rng.sample(lines, len(lines))}
    idle = [n for n in places if not sample.call.count(n)]
    wrong = [place for n, place in places.items() if n not in idle]
    return Draft("which of these lines does not run?", places[idle[0]], wrong) if idle else None


def _how_often(subject: Subject, sample: SampleCall, rng: Random) -> Draft | None:
    repeated = [
        n for n, each in sample.function.lines.items()
        if isinstance(each, SIMPLE) and sample.call.count(n) > 1
        and not any(isinstance(node, ast.comprehension) for node in ast.walk(each))
    ]  # fmt: skip
    if not repeated:
        return None
    line = rng.choice(repeated)
    count = sample.call.count(line)
    return Draft(
        f"how many times does line {line} run?", count_in_words(count), near_counts(count), line
    )


def _called(subject: Subject, sample: SampleCall, line: int = 0) -> list[str]:
    """Return the functions that ran during a call, or during one of its lines, in order."""
    steps = [step for step in sample.call.steps if line in (0, step.line)]
    return [subject.labels[p] for step in steps for p in step.calls if p in subject.labels]


def _calls(subject: Subject, sample: SampleCall, rng: Random) -> Draft | None:
    found = [n for n in sample.function.lines if _called(subject, sample, n)]
    if not found:
        return None
    line = rng.choice(found)
    mine = sorted(set(_called(subject, sample, line)))
    here = [*_called(subject, sample), *(subject.labels[f.place] for f in subject.functions)]
    asks = f"which of these functions runs because of line {line}?"
    return Draft(asks, rng.choice(mine), (label for label in here if label not in mine), line)


def _cost(subject: Subject, sample: SampleCall, rng: Random) -> Draft | None:
    counts = Counter(_called(subject, sample))
    often = sorted(label for label, count in counts.items() if count > 1)
    if not often:
        return None
    label = rng.choice(often)
    asks = f"while it runs, how many times is {label} called in all?"
    return Draft(asks, count_in_words(counts[label]), near_counts(counts[label]))


def _if_changed(make: Callable[[Subject, Thing, Package, Random], Draft | None]) -> Make:
    """Make a kind that asks about a copy of the package with a small change to a line."""

    def changed(subject: Subject, thing: SampleCall | SourceLine, rng: Random) -> Draft | None:
        function = thing.function
        number = thing.number if isinstance(thing, SourceLine) else rng.choice(list(function.lines))
        old, texts = function.line(number), other_lines(function.line(number))
        # `np.empty_like` reads uninitialised memory: its answers would change from run to run.
        named = (getattr(n, "attr", getattr(n, "id", "")) for n in ast.walk(function.node))
        if not texts or any("empty" in name for name in named):
            return None
        new = rng.choice(texts)
        draft = make(subject, thing, subject.replaced(function, {number: new}), rng)
        asks = f"if line {number}, `{old}`, were `{new}`, "
        return draft and draft._replace(asks=asks + draft.asks, line=number)

    return changed


def _result_if(subject: Subject, sample: SampleCall, package: Package, rng: Random) -> Draft | None:
    call = subject.calls(package, [sample.probe])[sample.probe].get(sample.function.place)
    for name, value in call.gave.items() if call else ():
        before = sample.call.gave.get(name, value)
        aspect = NUMBERS if before.shape == value.shape else SHAPE
        told = aspect.fits(value) and (sample.shown or aspect is SHAPE)
        if told and differ({name: before}, {name: value}):
            wrong = aspect.wrong(value, [before, *sample.call.values])
            return Draft(aspect.asks.format(RESULT.format(name)), aspect.text(value), wrong)
    return None


def _tells_apart(subject: Subject, line: SourceLine, package: Package, rng: Random) -> Draft | None:
    found: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    samples = [s for s in subject.samples if s.function is line.function and s.shown]
    calls = subject.calls(package, [sample.probe for sample in samples]) if samples else {}
    for sample in samples:
        call = calls[sample.probe].get(line.function.place)
        words = "; ".join(sample.setting)
        if call and len(words) <= LONGEST:
            found[differ(sample.call.gave, call.gave)].append(words)
    if not found[True]:
        return None
    asks = "for which of these calls would it return something else?"
    return Draft(asks, rng.choice(found[True]), found[False], why="Both were run for each call.")


def _first_to_fail(
    subject: Subject, line: SourceLine, package: Package, rng: Random
) -> Draft | None:
    statuses, order = subject.statuses(package, subject.passing), subject.passing
    broken = [id for id in order if statuses[id] != PASSED]
    if not broken or UNCERTAIN.intersection(statuses.values()):
        return None
    first = order.index(broken[0])
    near = sorted(order, key=lambda id: abs(order.index(id) - first))
    asks = "which exercise, in the order of the chapter, would be the first to fail?"
    why = f"It was judged: {first_of(broken, FEW)} stopped passing."
    return Draft(asks, broken[0], [*broken[1:4], *near[:4]], why=why)


def _type_one(subject: Subject, sample: SampleCall, package: Package, rng: Random) -> Draft | None:
    """Ask for an input for which the versions differ, though they agree for the one shown."""
    shown = subject.chapter.probes[sample.probe]["shown"]
    if not (sample.shown and shown):
        return None
    place = rng.randrange(len(shown))
    name, number = shown[place]
    own = subject.chapter.array(number)
    if own.kind != "float" or not 0 < len(own.values()) <= MOST_NUMBERS:
        return None
    trial = Trial(subject, sample, package, number)
    slips = [own, *(make_array(own.shape, [slip(x) for x in own.values()]) for slip in SLIPS)]
    found = dict(zip(reversed(trial.differ(slips)), reversed(slips), strict=True))  # the first ones
    if True not in found or False not in found:
        return None
    same, another = (format_numbers(list_array(found[which])) for which in (False, True))
    setting = list(sample.setting)
    setting[place + 1] = f"{name} = {same}"
    asks = "it would return the same for this call. Type another"
    return Draft(
        f"{asks} `{name}` for which it would return something else.", f"{another}, for example",
        (), why="Both were run with it.", setting=tuple(setting), trial=trial,
    )  # fmt: skip


def _order(subject: Subject, line: SourceLine, rng: Random) -> Draft | None:
    function = line.function
    block = next((block for block in function.blocks if line.number in block), [])
    shuffled = rng.sample(block, len(block))
    letters = dict(zip(shuffled, "abcd", strict=False))

    def wrong() -> Iterator[str]:
        orders = list(permutations(block))
        for order in rng.sample(orders, len(orders)):
            texts = dict(zip(block, map(function.line, order), strict=True))
            statuses = subject.statuses(subject.replaced(function, texts), [function.exercise])
            if not UNCERTAIN.union([PASSED]).intersection(statuses.values()):
                yield ", ".join(letters[n] for n in order)

    asks = "these lines have lost their order. In which of these orders does the exercise pass?"
    code = tuple(f"{letters[n]}  {function.line(n)}" for n in shuffled)
    right, why = ", ".join(letters[n] for n in block), "Each of these orders was judged."
    return Draft(asks, right, islice(wrong(), MOST - 1), block[0], why, code) if block else None


Kinds = dict[str, tuple[type[SampleCall] | type[SourceLine], Make]]
KINDS: Kinds = {
    "shape": (SampleCall, _of_value(_assigned, SHAPE)),
    "value": (SampleCall, _of_value(_assigned, NUMBERS)),
    "result-shape": (SampleCall, _of_value(_returned, SHAPE)),
    "result": (SampleCall, _of_value(_returned, NUMBERS)),
    "not-run": (SampleCall, _not_run),
    "how-often": (SampleCall, _how_often),
    "calls": (SampleCall, _calls),
    "cost": (SampleCall, _cost),
    "result-if": (SampleCall, _if_changed(_result_if)),
    "tells-apart": (SourceLine, _if_changed(_tells_apart)),
    "first-to-fail": (SourceLine, _if_changed(_first_to_fail)),
    "order": (SourceLine, _order),
}


# Kinds whose answer is typed, then run.
TYPED: Kinds = {"type-one": (SampleCall, _if_changed(_type_one))}


def seed_for(learner: str, secret: str | None) -> str:
    """Derive a seed from learner and secret, not from their code: an edit keeps the seed."""
    return hash_values(learner, secret or "")


def draw_questions(
    subject: Subject, count: int, seed: str, kinds: Kinds = KINDS
) -> list[VivaQuestion]:
    """Draw ``count`` questions, or fewer if the package gives no more; a seed gives the same."""
    rng = Random(seed)
    things: dict[type, Sequence[Thing]] = {SampleCall: subject.samples, SourceLine: subject.lines}
    pool = [(kind, thing) for kind, (about, _) in kinds.items() for thing in things[about]]
    rng.shuffle(pool)
    tried: Counter[str] = Counter()
    asked: dict[tuple[str, tuple[str, ...]], VivaQuestion] = {}
    while pool and len(asked) < count:
        # Kinds take turns, and so do exercises; ties keep the shuffled order.
        pool.sort(key=lambda pair: (tried[pair[0]], tried[pair[1].function.exercise]))
        kind, thing = pool.pop(0)
        question = _question(kind, kinds[kind][1], subject, thing, rng)
        turn = MOST_TRIES if question else 1
        tried.update({kind: turn, thing.function.exercise: turn})
        if question:
            asked.setdefault((question.asks, question.setting), question)
    return list(asked.values())


def _question(
    kind: str, make: Make, subject: Subject, thing: SampleCall | SourceLine, rng: Random
) -> VivaQuestion | None:
    draft = make(subject, thing, rng)
    drawn = options(rng, draft.answer, draft.wrong) if draft and draft.trial is None else ()
    if draft is None or not (drawn or draft.trial):
        return None
    function = thing.function
    setting = thing.setting if isinstance(thing, SampleCall) else ()
    where = "the first call of " if setting else ""
    return VivaQuestion(
        kind, function.exercise, f"{function.file}:{draft.line or function.node.lineno}",
        f"In {where}{function.title}: {draft.asks}", draft.setting or setting,
        draft.code or function.quote(draft.line), drawn, draft.answer, draft.why,
        draft.trial and draft.trial.judge,
    )  # fmt: skip
