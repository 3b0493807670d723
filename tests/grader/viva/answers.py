"""The answers once more: read off the question's own words, and found `by_hand`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.course.key_file import ChapterKey
from grader.sandbox.worker import wire
from grader.viva.question import VivaQuestion

from .asked import Asked
from .by_hand import Files, Job, run

CALL = re.compile(r"call of (\S+) \(babygrad/(\S+?)\): (.*)$")
CHANGE = re.compile(r"In .*?\(babygrad/(\S+)\): if line (\d+), `(.*?)`, were `(.*?)`, ")
IF_CHANGED = ("result-if",)
FOUND_BY_HAND = (
    "shape", "value", "result-shape", "result", "not-run", "how-often", "calls", "cost", *IF_CHANGED
)  # fmt: skip


def changed(files: Files, question: VivaQuestion) -> Files:
    """Return the files with the change that a question describes."""
    file, line, old, new = CHANGE.match(question.asks).groups()
    return _with(files, file, int(line), [old], [new])


def in_order(files: Files, question: VivaQuestion, option: str) -> Files:
    """Return the files with a question's lines in one of its orders."""
    file, _, line = question.place.partition(":")
    texts = dict(each.split("  ", 1) for each in question.code)
    new = [texts[letter] for letter in option.split(", ")]
    return _with(files, file, int(line), list(texts.values()), new)


def _with(files: Files, file: str, first: int, old: list[str], new: list[str]) -> Files:
    lines = [line.rstrip() for line in files[file].decode("utf-8-sig").splitlines()]
    indent = re.match(r" *", lines[first - 1]).group()
    here = slice(first - 1, first - 1 + len(old))
    assert sorted(lines[here]) == sorted(indent + text for text in old)
    lines[here] = [indent + text for text in new]
    return {**files, file: "\n".join(lines).encode()}


def job(asked: Asked, files: Files, probe: int) -> Job:
    chapter: ChapterKey = asked.subject.chapter
    row = chapter.probes[probe]
    return Job(files, row["program"], wire.decode_argument(row["args"], chapter.inputs(probe)))


def events_of(asked: Asked, questions: list[VivaQuestion], folder: Path):
    """Return the events in each question's call, found without the tracer that asked."""
    files = asked.subject.grading.package.files
    jobs = [
        job(asked, changed(files, q) if q.kind in IF_CHANGED else files, asked.probe(q))
        for q in questions
    ]
    return run(jobs, folder)


class FirstCall:
    """The events of the first call of a function: its own, and the calls below it."""

    def __init__(self, events, label):
        start = next(n for n, e in enumerate(events) if e[:2] == ("enter", label))
        self.given, self.own, self.below = events[start][2], [], []
        self.raised = None
        stack, line = [label], 0
        for event in events[start + 1 :]:
            if event[0] == "enter":
                self.below.append((event[1], stack[-1], len(stack) == 1, line))
                stack.append(event[1])
            elif event[0] == "leave":
                stack.pop()
                if not stack:
                    self.raised = event[1]
                    return
            elif len(stack) == 1:
                self.own.append(event)
                line = event[1] if event[0] == "line" else line

    @property
    def lines(self):
        return [event[1] for event in self.own if event[0] == "line"]


def shape(said) -> str:
    return str(said[1]) if said[1] else "(), a single number"


def numbers(said) -> str:
    def text(value):
        if isinstance(value, list):
            return f"[{', '.join(map(text, value))}]"
        return f"{value or 0.0:.4g}"

    found = text(said[2])
    return f"{found}.0" if found.isdigit() else found


def item(said, name):
    """Return the description of a value or of one of its items, named like `a` or `a[1]`."""
    at = re.search(r"\[(\d)\]$", name)
    return said[3][int(at.group(1))] if at else said


def answer(question: VivaQuestion, events) -> str:
    """Return the answer to a question about a call."""
    name, file, asks = CALL.search(question.asks).groups()
    asks = CHANGE.sub("", question.asks) if question.kind in IF_CHANGED else asks
    call = FirstCall(events, f"`{name}` of {file}")
    line = int((re.findall(r"line (\d+)", asks) or [0])[0])
    quoted = (re.findall(r"`([^`]+)`", asks) or [""])[0]
    below = [label for label, *_ in call.below]
    label = (re.findall(r"`[^`]+` of [\w/]+\.py", asks) or [""])[0]
    if question.kind in ("shape", "value", "result-shape", "result", "result-if"):
        gave = next((event[1] for event in call.own[::-1] if event[0] == "gave"), None)
        held = next((e[2] for e in call.own if e[:2] == ("names", line)), {"result": gave})
        said = item(held[quoted.partition("[")[0]], quoted)
        return shape(said) if "what shape" in asks else numbers(said)
    if question.kind == "not-run":
        place = {option: int(re.match(r"line (\d+):", option).group(1))
                 for option in question.options}  # fmt: skip
        (idle,) = (option for option, at in place.items() if at not in call.lines)
        return idle
    if question.kind == "calls":
        # A line is what began last; of what it calls, and of what that calls in its turn.
        (found,) = {each for each, _, _, at in call.below if at == line} & set(question.options)
        return found
    count = call.lines.count(line) if question.kind == "how-often" else below.count(label)
    return f"{count} time{'' if count == 1 else 's'}"


def calls_that_differ(asked: Asked, question: VivaQuestion, folder: Path) -> list[str]:
    """Return the options whose change gives another result."""
    files, said = asked.subject.grading.package.files, asked.probes(question.exercise)
    probes = {words.replace("\n", "; "): number for words, number in said.items()}
    name, file = re.search(r"In (\S+) \(babygrad/(\S+?)\): if", question.asks).groups()
    gave = []
    for number, package in enumerate((files, changed(files, question))):
        jobs = [job(asked, package, probes[option]) for option in question.options]
        calls = [FirstCall(e, f"`{name}` of {file}") for e in run(jobs, folder / str(number))]
        gave.append([[e[1] for e in call.own if e[0] == "gave"] for call in calls])
    return [o for o, *both in zip(question.options, *gave, strict=True) if both[0] != both[1]]


Check = Callable[[Files, list[str], Path], dict[str, str]]  # statuses by `grader check`


def first_to_fail(asked: Asked, question: VivaQuestion, check: Check, folder: Path) -> str:
    ids = asked.subject.passing
    found = check(changed(asked.subject.grading.package.files, question), ids, folder)
    return next(id for id in ids if found[id] != "passed")


def orders_that_pass(asked: Asked, question: VivaQuestion, check: Check, folder: Path) -> list[str]:
    files, id = asked.subject.grading.package.files, question.exercise
    found = {
        option: check(in_order(files, question, option), [id], folder / option.replace(", ", ""))
        for option in question.options
    }
    return [option for option, statuses in found.items() if statuses[id] == "passed"]


def wrong_answers(asked: Asked, folder: Path, check: Check | None = None) -> list[tuple[Any, ...]]:
    """Return the questions with another answer by hand; some are judged with ``check``."""
    mine: list[tuple[VivaQuestion, Any]] = []
    questions = [q for q in asked.questions if q.kind in FOUND_BY_HAND]
    events = events_of(asked, questions, folder / "calls")
    mine += [(q, answer(q, each)) for q, each in zip(questions, events, strict=True)]
    for number, q in enumerate(asked.questions):
        place = folder / str(number)
        if q.kind == "tells-apart":
            mine += [(q, *calls_that_differ(asked, q, place))]
        elif q.kind == "first-to-fail" and check:
            mine += [(q, first_to_fail(asked, q, check, place))]
        elif q.kind == "order" and check:
            mine += [(q, *orders_that_pass(asked, q, check, place))]
    return [(q.kind, q.asks, q.answer, *found) for q, *found in mine if found != [q.answer]]
