"""Kinds of questions about a call of a learner's function: what its lines get, give and run."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Iterable, Iterator

from .question import (
    Question,
    few_numbers,
    near_counts,
    numbers_text,
    options,
    other_numbers,
    other_shapes,
    shapes_text,
    times,
)
from .subject import LOOPS, Sample, is_alone, lines_of
from .traces import Call, Seen

# Statements that Python may pass without saying so.
SILENT = (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.Try, ast.With)
INNER_LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
TYPES = ("ndarray", "Tensor", "tuple", "float", "list", "int", "NoneType", "float64")


def of_this_call(sample: Sample, asks: str) -> str:
    """A question as one about a call; of several, about the first."""
    calls = [call.label for call in sample.trace.calls].count(sample.call.label)
    which = "In the first call" if calls > 1 else "In this call"
    return f"{which} of {sample.function.title}: {asks}"


def about_call(
    sample: Sample,
    rng: random.Random,
    kind: str,
    asks: str,
    answer: str,
    wrong: Iterable[str],
    mark: ast.stmt | None = None,
) -> Question | None:
    """A question about a call, where there are wrong options enough."""
    drawn = options(rng, answer, wrong)
    function = sample.function
    line = mark.lineno if mark else function.node.lineno
    return drawn and Question(
        kind, function.exercise, f"{function.file}:{line}", of_this_call(sample, asks),
        sample.setting, tuple(function.quote(mark)), drawn, answer, f"It was run: {answer}.",
    ) or None  # fmt: skip


def _known(sample: Sample) -> list[Seen]:
    """All values that the call had in its hands."""
    call = sample.call
    inside = [seen for _, names in call.steps for seen in names.values()]
    gave = [call.gave] if call.gave is not None else []
    return [each for name, each in call.given.items() if name != "self"] + inside + gave


def _several_shapes(sample: Sample) -> bool:
    """Whether there is more than one shape to choose from."""
    return len({part.shape for seen in _known(sample) for part in seen.parts}) > 1


def _assigned(sample: Sample) -> Iterator[tuple[ast.stmt, str, Seen]]:
    """(statement, name, value) of all that is set by a line that runs once."""
    for statement in sample.function.statements:
        lines = lines_of(statement)
        if not isinstance(statement, ast.Assign) or sample.call.count(lines) != 1:
            continue
        stored = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)
                  and isinstance(node.ctx, ast.Store)}  # fmt: skip
        for line, names in sample.call.steps:
            for name in sorted(stored & names.keys()) if line in lines else ():
                yield statement, name, names[name]


def shape_of_name(sample: Sample, rng: random.Random) -> Question | None:
    picks = [each for each in _assigned(sample) if each[2].shape is not None]
    if not picks or not _several_shapes(sample):
        return None
    statement, name, seen = rng.choice(picks)
    right = [seen.shape or ()]
    asks = f"what shape does `{name}` have after line {statement.lineno}?"
    wrong = other_shapes(right, _known(sample))
    return about_call(sample, rng, "shape", asks, shapes_text(right), wrong, statement)


def value_of_name(sample: Sample, rng: random.Random) -> Question | None:
    known = {numbers_text(seen.parts) for seen in sample.call.given.values() if few_numbers(seen)}
    known |= {line.partition(" = ")[2] for line in sample.setting}
    picks = [
        each for each in _assigned(sample)
        if few_numbers(each[2]) and numbers_text(each[2].parts) not in known
    ]  # fmt: skip
    if not picks or not sample.shown:
        return None
    statement, name, seen = rng.choice(picks)
    asks = f"which numbers does `{name}` hold after line {statement.lineno} (four digits)?"
    wrong = other_numbers(seen.parts, _known(sample))
    return about_call(sample, rng, "value", asks, numbers_text(seen.parts), wrong, statement)


def type_of_name(sample: Sample, rng: random.Random) -> Question | None:
    picks = list(_assigned(sample))
    if not picks:
        return None
    statement, name, seen = rng.choice(picks)
    asks = f"what does `type({name}).__name__` say after line {statement.lineno}?"
    wrong = [*(each.type for each in _known(sample)), *TYPES]
    return about_call(sample, rng, "type", asks, seen.type, wrong, statement)


def shape_of_argument(sample: Sample, rng: random.Random) -> Question | None:
    written = {line.partition(" = ")[0].partition(":")[0] for line in sample.setting}
    picks = [
        (name, seen) for name, seen in sample.call.given.items()
        if name not in ("self", *written) and seen.shape is not None
    ]  # fmt: skip
    if not picks:
        return None
    name, seen = rng.choice(picks)
    asks = f"what shape does the argument `{name}` have that arrives there?"
    wrong = other_shapes([seen.shape or ()], _known(sample))
    return about_call(sample, rng, "argument", asks, shapes_text([seen.shape or ()]), wrong)


def shape_of_result(sample: Sample, rng: random.Random) -> Question | None:
    parts = sample.call.gave.parts if sample.call.gave is not None else ()
    right = [part.shape for part in parts if part.shape is not None]
    if not right or len(right) < len(parts) or not _several_shapes(sample):
        return None
    asks = (
        "what shape does the result have?"
        if len(right) == 1
        else "what shapes do the results have?"
    )
    wrong = other_shapes(right, _known(sample))
    return about_call(sample, rng, "result-shape", asks, shapes_text(right), wrong)


def value_of_result(sample: Sample, rng: random.Random) -> Question | None:
    gave = sample.call.gave
    if gave is None or not few_numbers(gave) or not sample.shown:
        return None
    wrong = other_numbers(gave.parts, _known(sample))
    asks = "which numbers does it return (four digits)?"
    return about_call(sample, rng, "result", asks, numbers_text(gave.parts), wrong)


def _certain(sample: Sample) -> list[ast.stmt]:
    """The statements of which a trace tells whether they ran."""

    def certain(each: ast.stmt) -> bool:
        constant = isinstance(getattr(each, "test", getattr(each, "value", None)), ast.Constant)
        silent = constant and not isinstance(each, (ast.Return, ast.Assign))
        bare = isinstance(each, ast.AnnAssign) and each.value is None
        return not silent and not bare and not isinstance(each, SILENT)

    return list(filter(certain, sample.function.statements))


def line_not_run(sample: Sample, rng: random.Random) -> Question | None:
    place, call = sample.function.place, sample.call
    idle = [each for each in _certain(sample) if not call.count(lines_of(each))]
    if not idle:
        return None
    wrong = [place(each) for each in _certain(sample) if each not in idle]
    asks = "which of these lines does not run?"
    rng.shuffle(wrong)
    return about_call(sample, rng, "not-run", asks, place(rng.choice(idle)), wrong)


def line_run_last(sample: Sample, rng: random.Random) -> Question | None:
    call, certain = sample.call, _certain(sample)
    idle = any(not call.count(lines_of(each)) for each in certain)
    last = [each for each in certain if call.steps and call.steps[-1][0] in lines_of(each)]
    if not last or call.gave is None or (not idle and last[0] is certain[-1]):
        return None
    place = sample.function.place
    wrong = [place(each) for each in reversed(certain) if each is not last[0]]
    return about_call(sample, rng, "last-line", "which line runs last?", place(last[0]), wrong)


def runs_of_line(sample: Sample, rng: random.Random) -> Question | None:
    repeated = [
        each
        for loop in sample.function.statements if isinstance(loop, LOOPS)
        for each in _certain(sample)
        if each in ast.walk(loop) and not getattr(each, "body", None)
        and is_alone(sample.function, each)
        and not any(isinstance(node, INNER_LOOPS) for node in ast.walk(each))
        and each.lineno == each.end_lineno
    ]  # fmt: skip
    if not repeated:
        return None
    line = rng.choice(repeated)
    count = sample.call.count(lines_of(line))
    asks = f"how many times does line {line.lineno} run?"
    return about_call(sample, rng, "how-often", asks, times(count), near_counts(count), line)


def function_called(sample: Sample, rng: random.Random) -> Question | None:
    picks = [each for each in sample.function.statements if sample.below(lines_of(each))]
    if not picks or not sample.trace.whole:
        return None
    line = rng.choice(picks)
    below = _labels(sample.below(lines_of(line)))
    wrong = [label for label in _labels(sample.trace.calls) if label not in below]
    asks = f"which of these functions runs because of line {line.lineno}?"
    return about_call(sample, rng, "calls", asks, rng.choice(below), wrong, line) if below else None


def _labels(calls: list[Call]) -> list[str]:
    return list(dict.fromkeys(call.label for call in calls if call.name))


def caller_of_function(sample: Sample, rng: random.Random) -> Question | None:
    calls = sample.trace.calls
    by: dict[str, set[str]] = {}
    for call in sample.below():
        above = calls[call.by]
        if call.name and above.name:
            by.setdefault(call.label, set()).add(above.label)
    alone = sorted(label for label, callers in by.items() if len(callers) == 1)
    if not alone or not sample.trace.whole:
        return None
    label = rng.choice(alone)
    (answer,) = by[label]
    wrong = [each for each in _labels(calls) if each not in (answer, label)]
    asks = f"while it runs, {label} is called. From which function?"
    return about_call(sample, rng, "caller", asks, answer, wrong)


def number_of_calls(sample: Sample, rng: random.Random) -> Question | None:
    counts = Counter(call.label for call in sample.below() if call.name)
    often = sorted(label for label, count in counts.items() if count > 1)
    if not often or not sample.trace.whole:
        return None
    label = rng.choice(often)
    asks = f"while it runs, how many times is {label} called in all?"
    return about_call(sample, rng, "cost", asks, times(counts[label]), near_counts(counts[label]))


def function_called_last(sample: Sample, rng: random.Random) -> Question | None:
    direct = [call for call in sample.trace.calls if call.by == sample.at and call.name]
    labels = _labels(direct[::-1])
    if not labels or not sample.trace.whole:
        return None
    asks = "which of these functions is the last that its own lines call?"
    return about_call(sample, rng, "called-last", asks, labels[0], labels[1:])
