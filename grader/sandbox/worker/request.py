"""What the grader asks of a worker: the rows of requests and orders, read by type checkers alone.

They cross the pipe as marshal writes them: plain numbers, texts, bytes, tuples, lists, dicts, and
code. An array is ``(dtype, shape, bytes)``; an argument of a program names it by its number.
"""

from collections.abc import Collection, Mapping
from types import CodeType
from typing import Any, TypedDict

# Number, `module.function` of the programs, its arguments, seconds, the exercise that asks.
Probe = tuple[int, str, list[Any], float, str]
Arrays = dict[Any, tuple[str, tuple[int, ...], bytes]]


class _Package(TypedDict):
    """A learner's package, and what is to be done with it."""

    folder: str  # where its files lie, for tracebacks
    files: Mapping[str, bytes]
    modules: list[str]  # the files that the chapter asks for
    targets: list[str]
    arrays: Arrays
    probes: list[Probe]
    import_seconds: float


class _Beside(TypedDict, total=False):
    alone: dict[str, str]  # exercise → the file that has to do without the rest of the package
    looked_at: dict[int, list[str]]  # number of a probe → the parts that come back; else all do
    predicates: dict[int, str]  # number of a probe → the program that looks at what came back
    apart: bool  # there is no package: programs are given what came back from another worker
    ours: Collection[str]  # the files that are the reference's, to the letter; else none is


class Job(_Package, _Beside):
    """What a session is made for."""

    programs: dict[str, str] | bytes  # name → text; or as a request has them


class Request(_Package, _Beside):
    """What a worker is sent, first of all."""

    programs: bytes  # file → code, as marshal writes it
    codes: dict[str, CodeType]  # of the files that are the reference's
    nonce: bytes
    run: list[int]  # the probes to begin with
    hurry: bool  # time ran out for some probe of an earlier worker
    slept: bool  # and it computed little
    course: dict[str, Any]
    suffices: frozenset[str]  # with these protections it does not wait for the grader's word


class Order(TypedDict, total=False):
    """What is asked for once the probes have run; without a key, nothing of that kind."""

    record: list[int]
    run: list[Probe]
    arrays: Arrays
