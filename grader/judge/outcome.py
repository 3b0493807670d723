"""Compare one part of one probe with the right answers: a status and a sentence."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..arrays import Array
from ..course.compare import (
    Difference,
    closeness,
    cost_difference,
    difference,
    sample_difference,
    text_difference,
)
from ..course.key_file import ChapterKey
from ..sandbox.observation import Observation, line_number
from ..verdict import BROKEN, CRASHED, FAILED, OUT_OF_MEMORY, PASSED, PENDING, REFUSED, TIMED_OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ProbeRow

NOT_WRITTEN = "NotImplementedError"
UNWRITTEN = "NotImplementedError: a part of it is not written."
REACHED = "It comes to `raise NotImplementedError` in {}, line {}. If all is written, delete it."
HIDDEN = "{} is written below `raise NotImplementedError`, in {}, line {}. Delete that line."
CALLED = " Code outside of functions runs at every import: keep a loop or test in its own script."
# A `raise`, blank lines and comments, then code that is indented at least as far.
BELOW_RAISE = re.compile(rb"( +)raise .*\n(?:[ \t\r]*(?:#.*)?\n)*\1[ \t]*[^\s#]")
MOST_MESSAGE = 2000
DELETE = "Delete what does that: `sys.exit()`, `quit()` or the like."
GUESSED = "It is another number. Work it out with a pencil once more; the right one is not shown."
SIGNALS = {
    "4": "an illegal instruction", "6": "abort", "7": "a bus error", "8": "a floating-point fault",
    "9": "kill", "11": "a segmentation fault",
}  # fmt: skip


class Outcome(NamedTuple):
    """The result of one probe for one check."""

    status: str  # a word of `grader.verdict`; ``pending`` for a `NotImplementedError`
    says: str = ""  # one sentence about what happened; empty if all is right
    which: int | None = None  # the number of the first wrong array
    file: str = ""  # the learner's own place in an exception, if there is one
    line: int = 0
    ran: bool = True  # a skipped probe shows nothing about its exercise


SKIPPED = {
    "died": Outcome(CRASHED, "Not run, because the call before it ended the process.", ran=False),
    "hung": Outcome(TIMED_OUT, "Not run, because the call before it ran out of time.", ran=False),
    "full": Outcome(
        OUT_OF_MEMORY, "Not run, because the call before it ran out of memory.", ran=False
    ),
    "late": Outcome(TIMED_OUT, "Not run, because all of it together took too long.", ran=False),
}


class Outcomes:
    """The outcomes of a chapter's probes; those of arrays are computed as they arrive."""

    def __init__(self, chapter: ChapterKey) -> None:
        self.chapter = chapter
        self._known: dict[tuple[str, int], Outcome] = {}

    def judge_probe(self, number: int, got: Observation) -> None:
        """Judge an observation for every check that its probe serves."""
        for check in self.chapter.served(number):
            self._known[check["id"], number] = outcome(self.chapter, check, number, got)

    def of(self, check: CheckRow, number: int, got: Observation) -> Outcome:
        known = self._known.get((check["id"], number))
        return known if known is not None else outcome(self.chapter, check, number, got)


def outcome(chapter: ChapterKey, check: CheckRow, number: int, got: Observation) -> Outcome:
    """Return the outcome of probe ``number`` for ``check``.

    Arrays that equal, to the last bit, ones that passed before pass again: most of a class has
    them.
    """
    part = check["part"]
    if got.kind != "arrays" and part not in got.parts:
        return outcome_of_ending(got)
    probe = chapter.probes[number]
    yours = got.parts.get(part, [])
    if chapter.has_passed(check, number, yours):
        return Outcome(PASSED)
    answers = ((closeness(o), tuple(a[part])) for o, a in probe["answers"].items() if part in a)
    asked = dict.fromkeys(answers)  # oracles with equal answers are compared once
    for kind, numbers in asked:
        right = [chapter.array(n) for n in numbers]
        if len(yours) != len(right):
            return Outcome(FAILED, f"{len(yours)} arrays came back, not {len(right)}.")
        for which, (mine, theirs) in enumerate(zip(yours, right, strict=True)):
            found = compare(check, mine, theirs, kind)
            if found is not None and check["compare"] == "guess":
                return Outcome(FAILED, GUESSED, which)
            if found is not None and check["compare"] == "cost":
                return Outcome(FAILED, found.says)
            if found is not None:
                says = subject(probe, part, which, names_of(chapter, probe, part, len(right)))
                says += "." if part == "inputs" else f": {found.says}."
                if found.what == "flag":
                    says = probe["means"].get("not_so", {}).get(part, found.says)
                return Outcome(FAILED, says, which)
    if asked:  # then it has an answer's size, and may be kept
        chapter.pass_again(check, number, yours)
    return Outcome(PASSED)


def compare(
    check: CheckRow, mine: Array, right: Array, oracle: str, loose: bool = False
) -> Difference | None:
    """Compare as the check asks; if ``loose``, float32 precision is enough."""
    if check["compare"] == "cost":
        return cost_difference(mine, right, check["costs"])
    if check["compare"] == "sample":
        return sample_difference(mine, right)
    if check["compare"] == "text":
        return text_difference(mine, right)
    return difference(
        mine, right, oracle, same_dtype=check["compare"] == "dtype",
        scalar_shape=check["scalar_shape"], rounded=loose or check["compare"] == "rounded",
    )  # fmt: skip


def are_the_same(
    check: CheckRow, mine: list[Array], right: list[Array], oracle: str, loose: bool = False
) -> bool:
    """Whether a check accepts all of these arrays for those; ``loose`` as for `compare`."""
    return len(mine) == len(right) and not any(
        compare(check, *pair, oracle, loose) for pair in zip(mine, right, strict=True)
    )


def names_of(chapter: ChapterKey, probe: ProbeRow, part: str, count: int) -> list[str]:
    """Return names for a part's arrays: from a part beside it that names them, else by number."""
    names = probe["means"].get("names", {}).get(part, [])
    if isinstance(names, str):
        (beside,) = probe["answers"]["reference"][names]
        names = chapter.array(beside).text().split(", ")
    if len(names) == count:
        return [re.sub(r"^the\b", "The", name) for name in names]
    several = [f"Result {which + 1} of {count}" for which in range(count)]
    return several if count > 1 else ["The result"]


def subject(probe: ProbeRow, part: str, which: int, names: list[str]) -> str:
    """Name an array in words: «The gradient of b»; one of ``names`` if it is no gradient."""
    inputs = [name for name, _ in probe["shown"]]
    leads_to = gradients_of(probe, part)
    if which < len(leads_to):
        return f"The gradient of {leads_to[which]}"
    if part == "inputs" and which < len(inputs):
        return f"{inputs[which]} was changed in place"
    return names[which]


def gradients_of(probe: ProbeRow, part: str) -> list[str]:
    """Return the names of the inputs whose gradients a part holds; none if it holds others."""
    names = [name for name, _ in probe["shown"]]
    others = [name for name in names if name != "out_grad"]
    if part == "gradient":
        return names
    found: list[str] = []
    for word in probe["means"].get("gradients", {}).get(part, ()):
        found += others if word == "inputs" else [word]
    return found


def outcome_of_ending(got: Observation) -> Outcome:
    """Return the outcome of a probe that brought no arrays back."""
    texts = got.texts
    if got.kind == "broken":
        return Outcome(BROKEN, shorten_message(texts["message"]))
    if got.kind == "complained":
        return Outcome(FAILED, shorten_message(texts.get("message", "")))
    if got.kind == "raised":
        return _raised(texts)
    if got.kind == "hung":
        return Outcome(
            TIMED_OUT, f"It was still running after {texts['message']} s, and was ended."
        )
    if got.kind == "died":
        return _died(texts)
    if got.kind == "skipped":
        return SKIPPED.get(texts.get("message", ""), SKIPPED["died"])
    return Outcome(CRASHED, f"What came back cannot be read: {texts.get('message', '')}.")


def outcome_of_import(got: Observation) -> Outcome:
    """Return the outcome of a failed import; one that ran into a stub has crashed."""
    found = outcome_of_ending(got)
    inner = got.texts.get("trail", "").partition("\n")[0]
    is_called = inner not in ("", f"{found.file}:{found.line}") and "SyntaxError" not in found.says
    status = CRASHED if found.status == PENDING else found.status
    return found._replace(status=status, says=found.says + CALLED * is_called)


def hides_code(data: bytes, line: int) -> bool:
    """Whether code follows a `raise` in this line, indented at least as far: Python drops it."""
    start = sum(len(each) + 1 for each in data.split(b"\n", line - 1)[: line - 1])
    return BELOW_RAISE.match(data, start) is not None


def shorten_message(message: str) -> str:
    """Cut a message of the learner's code to a bounded length."""
    return message if len(message) <= MOST_MESSAGE else f"{message[:MOST_MESSAGE]} …"


def _raised(texts: dict[str, str]) -> Outcome:
    name, message = texts.get("type", "")[:100], shorten_message(texts.get("message", ""))
    file, line = texts.get("file", ""), line_number(texts.get("line", ""))
    if name == "Skipped":
        return SKIPPED["full" if message == "MemoryError" else "hung"]
    more = f"It asked for more memory than it may have. {message}".strip()
    status, says = {
        NOT_WRITTEN: (PENDING, "It runs into a stub."),
        "TimeUp": (TIMED_OUT, "It was still running when its time was up."),
        "MemoryError": (OUT_OF_MEMORY, more),
        "Refused": (REFUSED, message),
        "SystemExit": (CRASHED, f"It tried to end Python (SystemExit). {DELETE}"),
    }.get(name, (CRASHED, f"{name}: {message}" if message else f"{name}."))
    return Outcome(status, says, None, file, line)


def _died(texts: dict[str, str]) -> Outcome:
    signal = texts.get("signal", "0")
    if signal in ("24", "27", "14"):
        return Outcome(TIMED_OUT, "It used up its processor time, and was ended.")
    if signal != "0":
        return Outcome(CRASHED, f"It ended the Python process by {SIGNALS.get(signal, signal)}.")
    return Outcome(CRASHED, f"It ended the Python process (exit status {texts.get('code')}).")
