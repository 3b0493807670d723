"""Files that are there whole or not at all, sentences where a disk does not take them, and whether
what was read is what our published JSON Schemas say.
"""

from __future__ import annotations

import errno
import gzip
import json
import os
from collections.abc import Callable
from functools import cache
from typing import Any

from ..course import outside
from ..course.package import Unfit
from ..errors import WrongUse
from ..memo import forget

MENDS = {
    errno.ENOSPC: "The disk is full. Make room and run the same command again",
    errno.EDQUOT: "Your quota is used up. Make room and run the same command again",
    errno.EFBIG: "The disk takes no larger file. Make room and run the same command again",
    errno.EROFS: "It cannot be written to. Choose another place with --out",
    errno.EACCES: "It is not yours to write to. Choose another place with --out",
}


def write_whole(path: str, data: bytes, mode: int = 0o644) -> None:
    """Write beside the place, make it last, then move it there: an earlier file stays till then.

    Raises:
        WrongUse: the disk does not take it; what stood there before still does.
    """
    beside = f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with open(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        forget(beside)
        raise unwritten(path, error) from error


def unwritten(path: str, error: OSError) -> WrongUse:
    """What to say where a disk does not take a file."""
    mend = MENDS.get(error.errno or 0, "Mend that and run the same command again")
    return WrongUse(
        f"{path} could not be written ({error.strerror}). {mend}; "
        "everything written before is kept."
    )


def as_json(value: object) -> bytes:
    """Readable, in one fixed order, safe for names that are no UTF-8."""
    return json.dumps(value, indent=1, sort_keys=True).encode() + b"\n"


def as_packed(value: object) -> bytes:
    """The same in a twentieth of the room: without white space, by gzip, at no time."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


def read_json(path: str, most: int = outside.MOST_BYTES) -> Any:
    """What a JSON file holds, packed or not; None where it is missing, too large or damaged."""
    try:
        return outside.read_json(path, most)
    except Unfit:
        return None


FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
RECORD = "grader-class-1.schema.json#/$defs/record"
RESULT = "grader-result-1.schema.json"
LEFT_OUT = ("$id", "$schema", "pattern", "format", "if", "then", "else")


def conforms(value: object, schema: str) -> bool:
    """Whether a value is as a schema asks, which is named as a `$ref` does.

    What decides whether reading goes on without surprises; what a schema does not name is passed
    over: a later grader may say more.
    """
    from fastjsonschema import JsonSchemaValueException

    try:
        _test(schema)(value)
    except JsonSchemaValueException:
        return False
    return True


@cache
def _test(schema: str) -> Callable[[object], object]:
    """A schema as a function: a class has many records."""
    import fastjsonschema

    test: Callable[[object], object] = fastjsonschema.compile(
        {"$ref": schema}, handlers={"": _read}
    )
    return test


def _read(name: str) -> object:
    with open(os.path.join(FOLDER, os.path.basename(name)), encoding="utf-8") as file:
        return _loosened(json.load(file))


def _loosened(rule: object) -> object:
    """A schema without patterns, and open to names that it does not know."""
    if isinstance(rule, list):
        return [_loosened(each) for each in rule]
    if not isinstance(rule, dict):
        return rule
    kept = {name: _loosened(each) for name, each in rule.items() if name not in LEFT_OUT}
    return {n: each for n, each in kept.items() if (n, each) != ("additionalProperties", False)}
