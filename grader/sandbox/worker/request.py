"""Types of the requests and orders that the grader sends a worker; only type checkers read them.

They cross the pipe as marshal writes them: plain numbers, texts, bytes, tuples, lists, dicts, and
code. An array is ``(dtype, shape, bytes)``; an argument of a program names it by its number.
"""

from collections.abc import Collection, Mapping
from types import CodeType
from typing import Any, TypedDict

# Number, `module.function` of the programs, arguments, seconds, exercise.
Probe = tuple[int, str, list[Any], float, str]
Arrays = dict[Any, tuple[str, tuple[int, ...], bytes]]


class _Package(TypedDict):
    """A learner's package, and what to do with it."""

    folder: str  # the folder of its files, for tracebacks
    files: Mapping[str, bytes]
    modules: list[str]  # the files that the chapter asks for
    targets: list[str]
    arrays: Arrays
    probes: list[Probe]
    import_seconds: float


class _Beside(TypedDict, total=False):
    alone: dict[str, str]  # exercise → its file, which may not use the rest of the package
    looked_at: dict[int, list[str]]  # number of a probe → the parts to send back; else all
    predicates: dict[int, str]  # number of a probe → the program that judges its answer
    cold: bool  # no probe has an earlier call (`earlier_call.py`), or anything of one before it
    apart: bool  # there is no package: programs get the answers of another worker
    course_targets: str  # every target of the course, a line each: files that define them are ours
    ours: Collection[str]  # the files that are the reference's, to the letter; default: none


class Job(_Package, _Beside):
    """The input of a session."""

    programs: dict[str, str] | bytes  # name → text; or compiled, as in a request


class Request(_Package, _Beside):
    """The first message to a worker."""

    programs: bytes  # file → code, as marshal writes it
    codes: dict[str, CodeType]  # of the files that are the reference's
    nonce: bytes
    run: list[int]  # the probes to run first
    reduced_timeouts: bool  # a probe of an earlier worker ran out of time
    slept: bool  # and computed little
    course: dict[str, Any]
    suffices: frozenset[str]  # with these protections the worker need not wait for a go-ahead


class Order(TypedDict, total=False):
    """A further order after the probes; a key that is missing asks for nothing."""

    record: list[int]
    run: list[Probe]
    arrays: Arrays
