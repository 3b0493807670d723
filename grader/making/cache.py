"""Where the key is: in the wheel, or built once per content of its sources and kept.

On the hot path nothing is hashed: while every source file has the size and time that it had
when the key was built, the key stands. Only when one differs are the contents compared.
"""

from __future__ import annotations

import os

from .. import interrupt, root
from ..about import COURSE
from ..errors import OurFault, WrongUse
from ..key.file import Key, intact
from .digest import content_hash, stamp

SHIPPED = root.path("answers.key")
RELEASED = (".grader", "answers.key")  # in a workspace that an instructor released
MOST_KEYS = 6
OTHERS_WRITE = 0o022  # who may write there says what is right


def folder() -> str:
    """Where built keys are kept: the user's cache, else a folder of its own in /tmp.

    Raises:
        WrongUse: neither can be written to.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    own = [os.path.join(base, COURSE.distribution)] if os.path.isabs(base) else []
    places = [*own, os.path.join("/tmp", f"{COURSE.distribution}-{os.getuid()}")]
    for place in places:
        try:
            os.makedirs(place, mode=0o700, exist_ok=True)
            status = os.lstat(place)
            alone = status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE
            if alone and os.access(place, os.W_OK):
                return place
        except OSError:
            pass
    raise WrongUse(
        f"The answer key has to be kept somewhere, and neither of {' and '.join(places)} is a "
        "folder of yours that you alone may write to. Name one: `XDG_CACHE_HOME=DIR grader …`."
    )


def open_key(workspace: str | None = None) -> Key:
    """The key of this course; built first, with progress on stderr, where it is not there.

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
    place = folder()
    now = stamp()
    stamped = stamp_file(place)
    last, state, known = _read_stamp(stamped)
    if last and known == now and state == _state(os.path.join(place, last)):
        return Key(os.path.join(place, last))
    path = _renewed(place, last)
    _write_stamp(stamped, f"{os.path.basename(path)} {_state(path)}\n{now}")
    return Key(path)


def _renewed(place: str, last: str) -> str:
    """The path of the key that fits the sources as they are: found whole, or built."""
    from ..course.domains import PUBLIC_SEED

    path = os.path.join(place, f"{content_hash(PUBLIC_SEED)}.key")
    if _is_ours(path, PUBLIC_SEED):
        return path
    if os.path.isdir(path):
        raise WrongUse(f"{path} is a folder, where the answer key has to lie. Delete it.")
    from .make import make
    from .runs import runs

    earlier = os.path.join(place, last)
    try:
        with interrupt.fatal(), runs(place) as store:
            known = Key(earlier) if last and intact(earlier) else None
            make(path, earlier=known, store=store)
    except OSError as error:
        raise WrongUse(
            f"The answer key could not be written to {place}: {error.strerror}. Make room there, "
            "or name another place: `XDG_CACHE_HOME=DIR grader …`."
        ) from error
    _prune(place)
    return path


def _is_ours(path: str, seed: str) -> bool:
    """Whether a key is there, is whole, and was made from these sources."""
    if not intact(path):
        return False
    try:
        hashes = Key(path).table.get("hashes", {})
    except OurFault:
        return False
    return bool(hashes) and all(content_hash(seed, name) == hashes[name] for name in hashes)


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


def stamp_file(place: str) -> str:
    """Where the cache in ``place`` keeps what it knows of this checkout's sources."""
    return os.path.join(place, f"stamp-{_short(root.ROOT)}")


def _read_stamp(path: str) -> tuple[str, str, str]:
    """The key that was used last here, its state then, and that of the sources; else nothing."""
    try:
        with open(path, encoding="utf-8") as file:
            head, _, known = file.read().partition("\n")
    except (OSError, ValueError):
        return "", "", ""
    name, _, state = head.partition(" ")
    is_name = name.endswith(".key") and name == os.path.basename(name) and name.isprintable()
    return (name, state, known) if is_name else ("", "", "")


def _write_stamp(path: str, text: str) -> None:
    """Without one the next command compares contents, which takes it longer and does no harm."""
    beside = f"{path}.{os.getpid()}"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError:
        pass
    finally:
        _forget(beside)


def _state(path: str) -> str:
    """Size and time of a key; empty where there is none."""
    try:
        state = os.stat(path)
    except OSError:
        return ""
    return f"{state.st_size} {state.st_mtime_ns}"


def _forget(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _prune(place: str) -> None:
    """Keep the newest keys only: every edit of the course makes one."""
    with os.scandir(place) as entries:
        keys = [(e.stat().st_mtime, e.path) for e in entries if e.name.endswith(".key")]
    for _, path in sorted(keys)[:-MOST_KEYS]:
        _forget(path)


def _short(text: str) -> str:
    import zlib

    return f"{zlib.crc32(text.encode()):08x}"
