"""Which key `check` takes: a release's, the one in the wheel, or the one of the sources.

On the hot path nothing is hashed: while every source file has the size and time that it had when
the table was made, the table stands. Only when one differs are the contents looked at.
"""

from __future__ import annotations

import os

from .. import root
from ..about import COURSE
from ..errors import OurFault, WrongUse
from ..key.file import Key
from ..memo import Memo, forget
from .digest import stamp
from .made import NO_ROOM, MadeKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .make import Making

SHIPPED = root.path("answers.key")
RELEASED = (".grader", "answers.key")  # in a workspace that an instructor released


def open_key(workspace: str | None = None) -> Key:
    """The key of this course, whose chapters are made as they are asked for where it came without.

    Args:
        workspace: a learner's folder. One that came with a release holds that release's public
            key, which then is the one to check with; marks never come from it.
    """
    if workspace is not None:
        released = os.path.join(workspace, *RELEASED)
        if os.path.isfile(released):
            return _released(released)
    if os.path.exists(SHIPPED):
        return Key(SHIPPED)
    memo = Memo()
    return MadeKey(_table(memo), memo, lambda: _making(memo))


def _released(path: str) -> Key:
    try:
        key = Key(path)
    except (OurFault, RecursionError) as error:
        raise WrongUse(
            f"{path} is no answer key that this grader can read. Delete it, or take it again "
            "from what your instructor handed out."
        ) from error
    course = key.table.get("course", COURSE.name)
    if course != COURSE.name:
        raise WrongUse(
            f"This workspace is one of the course {course}, and this grader has {COURSE.name}. "
            "Install the grader that came with it (`pip install -r requirements.txt`)."
        )
    return key


def _table(memo: Memo) -> dict[str, Any]:
    """The table of the sources as they are; made where they have changed since it was made."""
    import json

    now = stamp()
    stamped = stamp_file(memo.place)
    name, _, known = _read(stamped).partition("\n")
    data = memo.get(name) if known == now and name.isalnum() else None
    if data is None:
        data, name = _made(memo)
        _write(stamped, f"{name}\n{now}")
    table: dict[str, Any] = json.loads(data)
    return table


def _made(memo: Memo) -> tuple[bytes, str]:
    """The table of the sources as they are now, as JSON, and the name under which it is kept."""
    import json

    from ..course.domains import PUBLIC_SEED
    from ..memo import digest
    from .digest import content_hash

    name = digest("table", content_hash(PUBLIC_SEED))
    with memo.once(name, "the answer key"):
        data = memo.get(name)
        if data is None:
            data = json.dumps(_making(memo).table(), separators=(",", ":")).encode()
            if not memo.put(name, data):
                raise WrongUse(NO_ROOM.format(memo.place))
    return data, name


def _making(memo: Memo) -> Making:
    from ..course.domains import PUBLIC_SEED
    from ..course.load import load
    from .make import Making

    return Making(load(), PUBLIC_SEED, memo)


def stamp_file(place: str) -> str:
    """Where the cache in ``place`` keeps what it knows of this checkout's sources."""
    import zlib

    return os.path.join(place, f"stamp-{zlib.crc32(root.ROOT.encode()):08x}")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _write(path: str, text: str) -> None:
    """Without one the next command compares contents, which takes it longer and does no harm."""
    beside = f"{path}.{os.getpid()}"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError:
        forget(beside)
