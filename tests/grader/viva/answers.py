"""The answers once more: read off the question's own words, and found `by_hand`."""

from __future__ import annotations

import re
from pathlib import Path

from grader.course.key_file import ChapterKey
from grader.sandbox.worker import wire

from .by_hand import Files, Job, run
from .conftest import Asked, Question

CALL = re.compile(r"call of (\S+) \(babygrad/(\S+?)\): (.*)$")
CHANGE = re.compile(r"in \S+ \(babygrad/(\S+)\) line (\d+), `(.*?)`, were `(.*?)`\. ")
OF_CALLS = (
    "shape", "value", "type", "argument", "result-shape", "result", "not-run", "last-line",
    "how-often", "calls", "caller", "cost", "called-last",
)  # fmt: skip
IF_CHANGED = ("result-if", "raises")
JUDGED = ("first-to-fail", "still-passes", "noticed")


def changed(files: Files, question: Question) -> Files:
    """The files with the change that a question says in words."""
    file, line, old, new = CHANGE.search(question.asks).groups()
    lines = files[file].decode().split("\n")
    first = last = int(line)
    while " ".join(each.strip() for each in lines[first - 1 : last]) != old:
        last += 1
        assert last < first + 30, question.asks
    indent = re.match(r" *", lines[first - 1]).group()
    lines[first - 1 : last] = [indent + new]
    return {**files, file: "\n".join(lines).encode()}


def in_order(files: Files, question: Question, option: str) -> Files:
    """The files with the lines of a question in one of its orders."""
    file, _, line = question.place.partition(":")
    texts = dict(each.split("  ", 1) for each in question.code)
    lines = files[file].decode().split("\n")
    first = last = int(line)
    while not set(texts.values()) <= {each.strip() for each in lines[first - 1 : last]}:
        last += 1
    indent = re.match(r" *", lines[first - 1]).group()
    lines[first - 1 : last] = [indent + texts[letter] for letter in option.split(", ")]
    return {**files, file: "\n".join(lines).encode()}


def job(asked: Asked, files: Files, probe: int) -> Job:
    chapter: ChapterKey = asked.subject.chapter
    row = chapter.probes[probe]
    return Job(files, row["program"], wire.revive(row["args"], chapter.inputs(probe)))


def events_of(asked: Asked, questions: list[Question], folder: Path):
    """What happens in the call of each question, by another way than it was asked by."""
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


def shapes(said):
    return " and ".join(str(shape) if shape else "(), a single number" for shape in said[1])


def numbers(said):
    def text(value):
        if isinstance(value, list):
            return f"[{', '.join(map(text, value))}]"
        return f"{value or 0.0:.4g}"

    def whole(value):
        found = text(value)
        return f"{found}.0" if found.isdigit() else found

    return " and ".join(map(whole, said[2]))


def answer(question: Question, events) -> str:
    """The answer to a question about a call."""
    name, file, asks = CALL.search(question.asks).groups()
    call = FirstCall(events, f"`{name}` of {file}")
    number = re.search(r"line (\d+)", asks)
    line = int(number.group(1)) if number else 0
    quoted = (re.findall(r"`([^`]+)`", asks) or [""])[0]
    gave = next((event[1] for event in call.own[::-1] if event[0] == "gave"), None)
    place = {option: int(n) for option in question.options
             for n in re.findall(r"^line (\d+):", option)}  # fmt: skip
    held = next((e[2] for e in call.own if e[:2] == ("names", line)), {})
    below = [label for label, *_ in call.below]
    if question.kind in ("shape", "value", "type"):
        said = held[re.sub(r"type\((\w+)\).*", r"\1", quoted)]
        return {"shape": shapes, "value": numbers, "type": lambda each: each[0]}[question.kind](
            said
        )
    if question.kind == "argument":
        return shapes(call.given[quoted])
    if question.kind in ("result-shape", "result", "result-if"):
        return shapes(gave) if "shape" in asks else numbers(gave)
    if question.kind == "raises":
        return call.raised
    if question.kind == "not-run":
        (idle,) = (option for option, at in place.items() if at not in call.lines)
        return idle
    if question.kind == "last-line":
        return next(option for option, at in place.items() if at == call.lines[-1])
    label = re.search(r"`[^`]+` of [\w/]+\.py", asks)
    counted = call.lines.count(line) if question.kind == "how-often" else below.count(
        label.group() if label else "")  # fmt: skip
    if question.kind in ("how-often", "cost"):
        return f"{counted} time{'' if counted == 1 else 's'}"
    return one_of(question, call, label.group() if label else "", line)


def one_of(question, call, label, line) -> str:
    """The one option that a call bears out: which function is called, or calls."""
    if question.kind == "calls":
        # A line is what began last; of what it calls, and of what that calls in its turn.
        true = {below for below, _, _, at in call.below if at == line}
    elif question.kind == "caller":
        true = {by for below, by, _, _ in call.below if below == label}
    else:
        true = {[below for below, _, own, _ in call.below if own][-1]}
    (found,) = true & set(question.options)
    return found


def wrong_answers(asked: Asked, kinds: tuple[str, ...], folder: Path) -> list[tuple[str, ...]]:
    """The questions of these kinds whose answer is another one by hand."""
    questions = [q for q in asked.questions if q.kind in kinds]
    events = events_of(asked, questions, folder)
    found = [(q, answer(q, each)) for q, each in zip(questions, events, strict=True)]
    return [(q.kind, q.asks, q.answer, mine) for q, mine in found if mine != q.answer]


def calls_that_differ(asked: Asked, question: Question, folder: Path) -> list[str]:
    """The options of which the change makes another result."""
    subject, files = asked.subject, asked.subject.grading.package.files
    probes = []
    for option in question.options:
        for number, row in enumerate(subject.chapter.probes):
            call, *inputs = subject.setting_of(number)[0]
            words = f"{call}, where {'; '.join(inputs)}" if inputs else call
            if row["exercise"] == question.exercise and words == option:
                probes.append(number)
    name, file = re.search(r"in (\S+) \(babygrad/(\S+?)\) line", question.asks).groups()
    gave = []
    for number, package in enumerate((files, changed(files, question))):
        jobs = [job(asked, package, probe) for probe in probes]
        calls = [FirstCall(e, f"`{name}` of {file}") for e in run(jobs, folder / str(number))]
        gave.append([[e[1] for e in call.own if e[0] == "gave"] for call in calls])
    return [o for o, *both in zip(question.options, *gave, strict=True) if both[0] != both[1]]
