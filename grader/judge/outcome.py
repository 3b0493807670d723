"""Compare one part of one probe with the right answers: a status and a reason."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..arrays import Array
from ..course.compare import (
    DATA,
    cost_difference,
    data_difference,
    difference,
    sample_difference,
    text_difference,
    tolerance_name,
)
from ..course.key_file import ChapterKey
from ..reason import Reason, because
from ..sandbox.observation import Observation, line_number
from ..verdict import BROKEN, CRASHED, FAILED, OUT_OF_MEMORY, PASSED, PENDING, REFUSED, TIMED_OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ProbeRow

NOT_WRITTEN = "NotImplementedError"
# A `raise`, blank lines and comments, then code that is indented at least as far.
BELOW_RAISE = re.compile(rb"( +)raise .*\n(?:[ \t\r]*(?:#.*)?\n)*\1[ \t]*[^\s#]")
MOST_MESSAGE = 2000
SIGNALS = {
    "4": "an illegal instruction", "6": "abort", "7": "a bus error", "8": "a floating-point fault",
    "9": "kill", "11": "a segmentation fault",
}  # fmt: skip


class Outcome(NamedTuple):
    """The result of one probe for one check."""

    status: str  # a word of `grader.verdict`; ``pending`` for a `NotImplementedError`
    reason: Reason | None = None  # None if all is right
    which: int | None = None  # the number of the first wrong array
    file: str = ""  # the learner's own place in an exception, if there is one
    line: int = 0
    ran: bool = True  # a skipped probe shows nothing about its exercise

    @property
    def says(self) -> str:
        return self.reason.says if self.reason else ""


RIGHT = Outcome(PASSED)
# How the call before ended: ``late``, once no time is left for any.
SKIPPED = {
    "died": Outcome(CRASHED, because("after_died"), ran=False),
    "hung": Outcome(TIMED_OUT, because("after_hung"), ran=False),
    "full": Outcome(OUT_OF_MEMORY, because("after_full"), ran=False),
    "late": Outcome(TIMED_OUT, because("after_late"), ran=False),
}


class Outcomes:
    """The outcomes of a chapter's probes; those of arrays are computed as they arrive."""

    def __init__(self, chapter: ChapterKey) -> None:
        self.chapter = chapter
        self._known: dict[tuple[str, int], Outcome] = {}

    def judge_probe(self, number: int, got: Observation) -> None:
        """Judge an observation for every check that its probe serves."""
        is_exact = got.kind == "arrays" and got.parts == self.chapter.exact.get(number)
        for check in self.chapter.checks_of_probe(number):
            self._known[check["id"], number] = (
                RIGHT if is_exact else compare_probe(self.chapter, check, number, got)
            )

    def of(self, check: CheckRow, number: int, got: Observation) -> Outcome:
        known = self._known.get((check["id"], number))
        return known if known is not None else compare_probe(self.chapter, check, number, got)


def compare_probe(chapter: ChapterKey, check: CheckRow, number: int, got: Observation) -> Outcome:
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
        return RIGHT
    answers = (
        (tolerance_name(o), tuple(a[part])) for o, a in probe["answers"].items() if part in a
    )
    asked = dict.fromkeys(answers)  # oracles with equal answers are compared once
    for kind, numbers in asked:
        right = [chapter.array(n) for n in numbers]
        if len(yours) != len(right):
            return Outcome(FAILED, because("count", len(yours), len(right)))
        for which, (mine, theirs) in enumerate(zip(yours, right, strict=True)):
            found = compare(check, mine, theirs, kind)
            if found is not None:
                return Outcome(FAILED, *_wrong(chapter, check, probe, (which, len(right)), found))
    if asked:  # then it has an answer's size, and may be kept
        chapter.pass_again(check, number, yours)
    return RIGHT


def _wrong(
    chapter: ChapterKey, check: CheckRow, probe: ProbeRow, place: tuple[int, int], found: Reason
) -> tuple[Reason, int | None]:
    """Return why an array, the first of so many or another one, is wrong, and its number."""
    part, (which, count) = check["part"], place
    if check["compare"] == "guess":
        return because("guess"), which
    if check["compare"] == "cost":
        return found, None
    if found.kind in ("flags", "flags_in_part"):
        says = probe["means"].get("not_so", {}).get(part)
        return because("not_so", says) if says is not None else found, which
    if part == "inputs" and which < len(probe["shown"]):
        return because("changed_in_place", probe["shown"][which][0]), which
    return found._replace(about=subject(probe, part, which, chapter, count)), which


def compare(
    check: CheckRow, mine: Array, right: Array, oracle: str, loose: bool = False
) -> Reason | None:
    """Compare as the check asks; if ``loose``, float32 precision is enough."""
    if check["compare"] == "cost":
        return cost_difference(mine, right, check["costs"])
    if check["compare"] == "sample":
        return sample_difference(mine, right)
    if check["compare"] == DATA:
        return data_difference(mine, right, oracle)
    if check["compare"] == "text":
        return text_difference(mine, right)
    return difference(
        mine, right, oracle, same_dtype=check["compare"] == "dtype",
        scalar_shape=check["scalar_shape"], rounded=loose or check["compare"] == "rounded",
    )  # fmt: skip


def all_equal(
    check: CheckRow, mine: list[Array], right: list[Array], oracle: str, loose: bool = False
) -> bool:
    """Whether a check accepts all of these arrays for those; ``loose`` as for `compare`."""
    return len(mine) == len(right) and not any(
        compare(check, *pair, oracle, loose) for pair in zip(mine, right, strict=True)
    )


def name_arrays(chapter: ChapterKey, probe: ProbeRow, part: str, count: int) -> list[str]:
    """Return the author's names for a part's arrays, as in a part beside it; else none."""
    names = probe["means"].get("names", {}).get(part, [])
    if isinstance(names, str):
        (beside,) = probe["answers"]["reference"][names]
        names = chapter.array(beside).text().split(", ")
    return names if len(names) == count else []


def subject(probe: ProbeRow, part: str, which: int, chapter: ChapterKey, count: int) -> str:
    """Name an array in words: «The gradient of b»; by its author's name if it is no gradient."""
    leads_to = gradients_of(probe, part)
    if which < len(leads_to):
        return f"The gradient of {leads_to[which]}"
    if names := name_arrays(chapter, probe, part, count):
        return re.sub(r"^the\b", "The", names[which])  # an author's word
    return f"Result {which + 1} of {count}" if count > 1 else "The result"


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
    if got.kind in ("broken", "complained"):
        status = BROKEN if got.kind == "broken" else FAILED
        return Outcome(status, because(got.kind, shorten_message(texts.get("message", ""))))
    if got.kind == "raised":
        return _raised(texts)
    if got.kind == "hung":
        return Outcome(TIMED_OUT, because("hung", texts["message"]))
    if got.kind == "died":
        return _died(texts)
    if got.kind == "skipped":
        return SKIPPED.get(texts.get("after", ""), SKIPPED["died"])
    return Outcome(CRASHED, because("garbled", texts.get("message", "")))


def outcome_of_import(got: Observation) -> Outcome:
    """Return the outcome of a failed import; one that ran into a stub has crashed."""
    found = outcome_of_ending(got)
    inner = got.texts.get("trail", "").partition("\n")[0]
    is_called = inner not in ("", f"{found.file}:{found.line}")
    status = CRASHED if found.status == PENDING else found.status
    if is_called and got.texts.get("type") != "SyntaxError":
        return found._replace(status=status, reason=because("raised_by_call", found.says))
    return found._replace(status=status)


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
        return SKIPPED["full" if texts.get("after") == "MemoryError" else "hung"]
    status, reason = {
        NOT_WRITTEN: (PENDING, because("into_a_stub")),
        "TimeUp": (TIMED_OUT, because("time_up")),
        "MemoryError": (OUT_OF_MEMORY, because(_too_large(texts), message)),
        "Refused": (REFUSED, because("refused", message)),
        "SystemExit": (CRASHED, because("exit")),
    }.get(name, (CRASHED, because("raised" if message else "raised_alone", name, message)))
    return Outcome(status, reason, None, file, line)


def _too_large(texts: dict[str, str]) -> str:
    """Return the kind of reason: what was larger than it may be."""
    return "long_message" if "long" in texts else f"memory{'_for' * bool(texts.get('message'))}"


def _died(texts: dict[str, str]) -> Outcome:
    signal = texts.get("signal", "0")
    if signal in ("24", "27", "14"):
        return Outcome(TIMED_OUT, because("processor_time"))
    if signal != "0":
        return Outcome(CRASHED, because("signal", SIGNALS.get(signal, signal)))
    return Outcome(CRASHED, because("exit_status", texts.get("code")))
