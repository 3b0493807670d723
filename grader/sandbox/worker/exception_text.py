"""What an exception says, read with care: much of it may be learner code."""

from __future__ import annotations

MOST_CHARACTERS = 20_000  # of a message: nobody reads more, and everybody would search it


def meant(error: BaseException) -> str:
    """Of an attribute that an object does not have: the one that was meant, if one is alike."""
    if not isinstance(error, AttributeError) or not isinstance(error.name, str):
        return ""
    try:
        import difflib

        known = [name for name in {*dir(error.obj), *vars(type(error.obj))} if name != error.name]
        near = difflib.get_close_matches(error.name, sorted(known), n=1, cutoff=0.75)
    except BaseException:
        return ""  # `__dir__` may be learner code
    return f". Did you mean `{near[0]}`?" if near else ""


def innermost(error: BaseException) -> str:
    """The file in which an exception was raised."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step.tb_frame.f_code.co_filename if step is not None else ""


def message(error: BaseException) -> str:
    """The message of an exception, whose `__str__` may itself be learner code."""
    try:
        return str(error)[:MOST_CHARACTERS]
    except BaseException:
        return "(its message cannot be read)"
