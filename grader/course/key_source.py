"""Choose the answer key of `check`: a release's, the one in the wheel, or one made of the sources.

On the hot path no source is read: while all have the size and time that they had when the table was
made, the table is valid. Contents are hashed only if one differs.
"""

from __future__ import annotations

import os

from .. import root
from ..about import COURSE
from ..errors import OurFault, WrongUse
from ..memo import Memo, hash_values
from .key_file import Key
from .made_key import MadeKey
from .source_digest import source_files, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .key_file import Json
    from .make_key import KeyBuilder

SHIPPED = root.path("answers.key")
RELEASED = (".grader", "answers.key")  # in a workspace from an instructor's release


def open_key(workspace: str | None = None) -> Key:
    """Open the key of this course; without a key file, chapters are made on demand.

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
    return MadeKey(_table(memo), memo, lambda: _making(memo), recalls=True)


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


def _table(memo: Memo) -> Json:
    """Return the table of the current sources; make it if their contents are new."""
    import json

    def make() -> bytes:
        return json.dumps(_making(memo).table(), separators=(",", ":")).encode()

    seen = by_stamp()
    data = memo.get(seen)
    if data is None:
        data = memo.get_or_make(by_content(), "the answer key", make)
        memo.put(seen, data)  # if that fails, the next command hashes contents: slower, no harm
    table: Json = json.loads(data)
    return table


def by_stamp() -> str:
    """Return the cache key of the table by the sources' sizes and times."""
    return hash_values("table", stamp(source_files()))


def by_content() -> str:
    """Return the cache key of the table by the sources' contents."""
    from .rows import PUBLIC_SEED
    from .source_digest import content_hash

    return hash_values("table", content_hash(PUBLIC_SEED))


def _making(memo: Memo) -> KeyBuilder:
    from .load import read_course
    from .make_key import KeyBuilder
    from .rows import PUBLIC_SEED

    return KeyBuilder(read_course(), PUBLIC_SEED, memo)
