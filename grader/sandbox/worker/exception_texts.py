"""Read an exception's own words, within bounds: its methods may be learner code."""

from __future__ import annotations

from collections import Counter

from clock import TimeUp

MOST_CHARACTERS = 20_000  # of a message: nobody reads more
MOST_OF_A_MESSAGE = 1_000_000  # characters; a longer one counts as too much memory
LONGEST_NAME = 200  # characters of an attribute for which a similar one is looked for


def suggestion(error: BaseException) -> str:
    """Suggest a similar attribute for an AttributeError: ``. Did you mean …?``; else an empty text.

    The programs' own attributes are spelt right: if one is missing, learner code set a wrong one.
    """
    if not isinstance(error, AttributeError) or not isinstance(error.name, str):
        return ""
    if len(error.name) > LONGEST_NAME:
        return ""
    try:
        import difflib

        is_ours = file_raised_in(error).startswith("programs/")
        names = vars(error.obj) if is_ours else {*dir(error.obj), *vars(type(error.obj))}
        known = {*names} - {error.name}
        near = difflib.get_close_matches(error.name, sorted(known), n=1, cutoff=0.75)
    except TimeUp:
        raise
    except BaseException:
        return ""  # `__dir__` may be learner code
    return f". Did you mean `{near[0]}`?" if near else ""


def file_raised_in(error: BaseException) -> str:
    """Return the file in which an exception was raised."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step.tb_frame.f_code.co_filename if step is not None else ""


def first_round(places: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the places of a recursion, outermost first, each once.

    The frame that was one too many depends on how deep the call began: ``a b c b c b d`` and
    ``a b c b c d`` are both told as ``a b c``. What was reached once, at the end, is left out.
    """
    times = Counter(places)  # in the order in which they were reached
    rounds = [*times]
    while rounds and times[rounds[-1]] == 1 < max(times.values()):
        rounds.pop()
    return rounds


def message_of(error: BaseException) -> tuple[str, bool]:
    """Return an exception's message, cut, and whether it was longer than a message may be."""
    try:
        message = str(error.msg if isinstance(error, SyntaxError) else error)
        return message[:MOST_CHARACTERS], len(message) > MOST_OF_A_MESSAGE
    except TimeUp:
        raise
    except BaseException:
        return "(its message cannot be read)", False
