"""What a class reads of public probes, from a worker that knows no hidden input.

Beside the hidden probes whatever learner code says (an exception, a number, a name) may quote their
inputs, and the next hand-in would have their answers by heart. So what is public runs first, in a
worker that is sent nothing else and ends before a hidden input is sent to anybody. What is said of
the package (its definitions, the rules it breaks) comes from there as well.
"""

from __future__ import annotations

from collections.abc import Callable

from ..sandbox.observation import Observation, Violation
from ..sandbox.session import ANSWERS, Session
from .case import Case

UNSAID = {"type": "ImportError", "message": "It can be imported by itself, but not for these."}
REFUSED_BESIDE = "It breaks a rule of the course, though not by itself."


def run_public(case: Case, make: Callable[..., Session]) -> Session:
    """Run the public probes of a case in a session that knows nothing else.

    Args:
        make: a session for some probes of a chapter, in a worker of its own.
    """
    shown = make(case.chapter, [], public_numbers(case), modules=case.session.request["modules"])
    case.session.rival, shown.rival = shown, case.session
    shown.time = case.session.time
    try:
        shown.run(case.arrived)
        if case.session.exercises and not shown.exercises:
            shown.load()
    finally:
        shown.close()  # what it is asked later, to explain, goes to a new worker
    return shown


def run_hidden(case: Case, shown: Session) -> None:
    """Run the other probes, and put together what came back; of the words, the public ones."""
    session = case.session
    session.hurry, session.slept = shown.hurry, shown.slept
    session.protections, session.unloadable = shown.protections, shown.unloadable
    session.exercises = {n: e for n, e in session.exercises.items() if n not in shown.exercises}
    skip_with_public(session, shown)
    session.run(case.arrived)
    if session.unloadable and not shown.unloadable and session.unloadable.kind != "hung":
        session.unloadable = Observation("raised", UNSAID, {})
    silence_hidden_imports(session)
    session.observations = dict(sorted((session.observations | shown.observations).items()))
    session.definitions, session.absent = shown.definitions, shown.absent
    session.output = shown.output
    known = {broken.counts_for for broken in shown.refused}
    session.refused = shown.refused + [
        Violation(broken.counts_for, "", 0, REFUSED_BESIDE)
        for broken in session.refused
        if broken.counts_for not in known
    ]
    case.read_session()


def skip_with_public(session: Session, shown: Session) -> None:
    """What ended a worker costs the rest of its exercise, the hidden part too."""
    ended = {
        shown.exercises[number]: got.texts["message"] if got.kind == "skipped" else got.kind
        for number, got in shown.observations.items()
        if got.kind not in ANSWERS
    }
    for number, exercise in list(session.exercises.items()):
        if exercise in ended:
            del session.exercises[number]
            session.observations[number] = Observation("skipped", {"message": ended[exercise]}, {})


def silence_hidden_imports(session: Session) -> None:
    """Of a file that only a hidden probe could not import: no words."""
    for number, got in session.observations.items():
        if got.texts.get("by") == "import":
            session.observations[number] = Observation("raised", {**UNSAID, "by": "import"}, {})


def public_numbers(case: Case) -> list[int]:
    """The probes of the case that any public check looks at."""
    found = {
        number: None
        for check in case.chapter.checks
        if check["exercise"] in case.ids and not check["hidden"]
        for number in check["probes"]
    }
    return [number for number in found if number in case.session.exercises]
