"""What a class reads of public probes, from a worker that knows no hidden input.

Beside the hidden probes whatever learner code says (an exception, a number, a name) may quote their
inputs, and the next hand-in would have their answers by heart. So what fails in public runs once
more, in a worker that was sent nothing else. What is said of the package (its
definitions, the rules it breaks) comes from there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..sandbox.observation import Definition, Observation, Run, Violation, line_number
from ..sandbox.session import Session
from ..verdict import PASSED, PENDING
from .case import Case
from .judge import why_pending
from .reasons import Reason

ELSEWHERE = "It fails beside other calls only: by itself this one comes out right."
UNSAID = {"type": "ImportError", "message": "It can be imported by itself, but not for these."}
REFUSED_BESIDE = "It breaks a rule of the course, though not by itself."
SAID, CLOCKED = ("arrays", "raised", "complained"), ("TimeUp", "Skipped")
OUR_CLOCK = ("14", "24")  # signals: nobody chose to end by these
QUIET = (PASSED, PENDING)  # of these nothing is shown that learner code has said


def run_apart(case: Case, make: Callable[..., Session]) -> Session | None:
    """Put what is shown of a case in the place of what hidden inputs may have gone into.

    Args:
        case: its probes have run.
        make: a session for some probes of a chapter, in a worker of its own.

    Returns:
        That session, which can explain what failed; None where nothing is shown.
    """
    run, public = case.run, public_numbers(case)
    silence_hidden_imports(case, set(public))
    failing = public if run.unloadable else [n for n in public if is_shown(case, n)]
    if not failing and not says_more(case, run, public):
        return None
    session: Session = make(case.chapter, [], public, modules=case.session.request["modules"])
    session.exercises = {n: session.exercises[n] for n in failing}  # the others may be asked for
    session.run()
    session.load()
    alone = session.result()
    if run.unloadable:
        case.session.unloadable = alone.unloadable or Observation("raised", UNSAID, {})
        return session
    case.session.definitions, case.session.absent = alone.definitions, alone.absent
    case.session.refused = [find_words_alone(broken, alone.refused) for broken in run.refused]
    for number in public:
        got = case.session.observations[number]
        if number in failing:
            by_itself = session.observations.get(number)
            got = Observation("complained", {"message": ELSEWHERE}, {})
            if by_itself is not None and fails(case, number, by_itself):
                got = by_itself
        elif got.kind == "raised":
            got = place_at_target(got, alone.definitions, case.places.owners)
        else:
            continue
        case.session.observations[number] = got
        case.outcomes.judge_probe(number, got)
    return session


def silence_hidden_imports(case: Case, public: set[int]) -> None:
    """Of a file that only a hidden probe could not import: no words."""
    for number, got in case.session.observations.items():
        if number not in public and got.texts.get("by") == "import":
            case.session.observations[number] = Observation(
                "raised", {**UNSAID, "by": "import"}, {}
            )


def says_more(case: Case, run: Run, public: list[int]) -> bool:
    """Whether a worker's words or places are shown though no probe has to run once more."""
    pending = set()
    for exercise in (e for e in case.chapter.exercises if e["id"] in case.ids):
        why = why_pending(exercise, run, case.places)
        if why is not None:
            pending.add(exercise["id"])
            if why.reason is Reason.ELSEWHERE:  # of a stub nothing more is known
                return True
    numbers = (n for n in public if case.session.exercises[n] not in pending)
    return bool(run.refused) or any(
        case.session.observations[n].kind == "raised" and fails(case, n, quiet=(PASSED,))
        for n in numbers
    )


def find_words_alone(broken: Violation, alone: list[Violation]) -> Violation:
    """A broken rule in the words of a worker that knows nothing; it stays broken without them."""
    same = (each for each in alone if each.counts_for == broken.counts_for)
    return next(same, Violation(broken.counts_for, "", 0, REFUSED_BESIDE))


def place_at_target(
    got: Observation, definitions: Mapping[str, Definition], owners: Mapping[str, str]
) -> Observation:
    """What is known of a probe that is not run again, placed where the target around it begins:
    of a line that code may choose among thousands no more is told than whose it is."""
    file, line = got.texts.get("file", ""), line_number(got.texts.get("line", ""))
    around = (
        d
        for target, d in definitions.items()
        if target in owners and d.file == file and d.first <= line <= d.last
    )
    found = next(around, None)
    place = {"file": found.file, "line": str(found.first)} if found else {}
    return Observation("raised", {"type": got.texts.get("type", ""), **place}, {})


def public_numbers(case: Case) -> list[int]:
    """The probes of the case that any public check looks at."""
    found = {
        number: None
        for check in case.chapter.checks
        if check["exercise"] in case.ids and not check["hidden"]
        for number in check["probes"]
    }
    return [number for number in found if number in case.session.exercises]


def is_shown(case: Case, number: int) -> bool:
    """Whether what learner code says of a probe, or how it ended by it, is to be read.

    That time ran out, we say.
    """
    got = case.session.observations[number]
    chosen = got.kind in SAID or got.kind == "died" and got.texts["signal"] not in OUR_CLOCK
    return chosen and got.texts.get("type") not in CLOCKED and fails(case, number)


def fails(
    case: Case, number: int, got: Observation | None = None, quiet: tuple[str, ...] = QUIET
) -> bool:
    """Whether a public check does not pass for what came of this probe, or is pending.

    Args:
        got: what came just now; what has been judged as it arrived where nothing is named.
    """
    public = [check for check in case.chapter.served(number) if not check["hidden"]]
    judged = case.outcomes.of if got is None else case.outcomes.judge_anew
    got = got or case.session.observations[number]
    return any(judged(check, number, got).status not in quiet for check in public)
