"""Write files atomically, with permissions closed from the first byte on; write learners' text to
tables, pages and lines so that no spreadsheet, browser or terminal runs it; check JSON against our
published schemas.
"""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Literal

from .. import DISTRIBUTION
from ..course.package import BadFile
from ..errors import WrongUse
from ..learner import untrusted_files
from ..learner.wording import WORDS, first_of, format_numbers, percent, points
from ..memo import forget

MENDS = {
    errno.ENOSPC: "The disk is full. Make room and run the same command again",
    errno.EDQUOT: "Your quota is used up. Make room and run the same command again",
    errno.EFBIG: "The disk takes no larger file. Make room and run the same command again",
    errno.EROFS: "It cannot be written to. Choose another place with --out",
    errno.EACCES: "It is not yours to write to. Choose another place with --out",
}


# Who may read a written file. Staff: its owner, and the group of a folder that is shared by one.
Readers = Literal["owner", "staff", "anybody"]
FOR_ALL = "This is made to be handed out: everybody may read it."


def write_whole(path: str, data: bytes, readers: Readers = "staff") -> None:
    """Replace a file atomically: write a new one beside it, `fsync`, rename.

    Raises:
        WrongUse: it cannot be written; the earlier file stays.
    """
    beside = f"{path}.{os.getpid()}.part"
    try:
        forget(beside)  # left by a killed grader; if it cannot go, `O_EXCL` fails
        with open(open_for(readers, beside, os.O_WRONLY | os.O_EXCL), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        forget(beside)
        raise describe_disk_error(path, error) from error


def write_folder(files: dict[str, bytes], out: str) -> None:
    """Write files into a folder that is not there yet, or is empty.

    Raises:
        WrongUse: something stands there.
    """
    if os.path.exists(out) and (not os.path.isdir(out) or os.listdir(out)):
        raise WrongUse(f"{out} is there already. Name a new folder, or empty that one.")
    for name, data in files.items():
        write_whole(os.path.join(out, *name.split("/")), data, "anybody")


def open_for(readers: Readers, path: str, flags: int) -> int:
    """Open a file; create it and its folders if needed, at no moment readable by others."""
    above, bits = os.path.dirname(os.path.abspath(path)), 0o644 if readers == "anybody" else 0o600
    make_folder(above, readers)
    fd = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, bits)
    _share(fd, above, readers, bits)
    return fd


def make_folder(path: str, readers: Readers = "staff") -> None:
    """Create a folder and its missing parents; an existing one stays as it is."""
    if not os.path.isdir(path):
        above, bits = os.path.dirname(path), 0o775 if readers == "anybody" else 0o700
        make_folder(above, readers)
        with suppress(FileExistsError):  # another grader was quicker
            os.mkdir(path, bits)
            _share(path, above, readers, bits)


def _share(made: int | str, above: str, readers: Readers, bits: int) -> None:
    """Give the group of the folder above the same rights to a staff file as it has in the folder.

    2770 ta                → 0660 ta   set-group-id, or the group may write: it is for that group
    0750 ta                → 0640 ta   closed to others, and `ta` is not this user's first group
    0755 users, 0750 users → 0600      as a umask leaves it: all users may be in `users`
    """
    folder, mine = os.stat(above), os.stat(made)
    mode, bits = folder.st_mode, bits | mine.st_mode & 0o2000
    is_of_group = mode & 0o2020 or (not mode & 0o007 and folder.st_gid != os.getegid())
    with suppress(PermissionError):  # we are not in that group
        if readers != "anybody" and mine.st_mode & 0o077:  # made by an older version
            os.chmod(made, bits)
        if readers == "staff" and is_of_group and not mode & 0o002:
            os.chown(made, -1, folder.st_gid)
            os.chmod(made, bits | mode & (bits & 0o700) >> 3)


def describe_disk_error(path: str, error: OSError) -> WrongUse:
    """Return the error for a file that cannot be written."""
    mend = MENDS.get(error.errno or 0, "Mend that and run the same command again")
    return WrongUse(
        f"{path} could not be written ({error.strerror}). {mend}; "
        "everything written before is kept."
    )


def as_json(value: object) -> bytes:
    """Encode as readable JSON with sorted keys, in ASCII: safe for names that are no UTF-8."""
    return json.dumps(value, indent=1, sort_keys=True).encode() + b"\n"


def as_packed(value: object) -> bytes:
    """Encode as compact JSON, compressed by gzip with no time stamp: a twentieth of `as_json`."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


def read_json_or_none(path: str, most: int = untrusted_files.MOST_BYTES) -> Any:
    """Read a JSON file, compressed or not; None if it is missing, too large or damaged."""
    try:
        return untrusted_files.read_json(path, most)
    except BadFile:
        return None


FORMULA = r"[=+@\-\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]"  # full and small width too
UNSEEN = "\n\r\t\xad\u200c\u200d"  # kept although not printable: some scripts need the joiners
# Places where a spreadsheet may see a formula begin a cell, after quotes and stripped space.
BEGINS = re.compile(rf"(^|[,;\t\r\n])((?:[^\S\t\r\n]|[\"\xad\u200c\u200d])*)'?(?={FORMULA})")
HARMLESS = re.compile(r"-+|[+-]?[0-9]+([.,][0-9]+)?(e[+-]?[0-9]+)?")  # dashes, and numbers


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Write a CSV table (RFC 4180: commas, CRLF) in which no cell is a formula.

    All tables are written here: `neutralize_cell` also covers programs that split at `;` or tab.
    """
    import csv  # a learner's command that reads a file needs none

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows(
        [neutralize_cell(cell, at == 0) for at, cell in enumerate(row)] for row in rows
    )
    return out.getvalue()


def neutralize_cell(cell: object, begins_line: bool = False) -> str | float:
    """Put an apostrophe before everything that a spreadsheet would read as the start of a formula.

    =1+1       '=1+1
    a;=1+1     a;'=1+1       split at `;`, the second half is a cell
    -1.5       -1.5          a number; at the start of a line '-1.5: split at `;` it is longer
    """
    if isinstance(cell, (int, float)) and not begins_line:
        return cell
    text = "" if cell is None else os_safe(str(cell))
    seen = (c for c in text if c.isprintable() or c in UNSEEN or (c.isspace() and c > "\x9f"))
    text = "".join(seen)
    if not begins_line and HARMLESS.fullmatch(text):
        return text
    return BEGINS.sub(r"\1\2'", text)


def restore_cell(cell: str) -> str:
    """Undo `neutralize_cell`: return the original text of a cell."""
    return BEGINS.sub(r"\1\2", cell)


def one_line(text: str, most: int = 2000) -> str:
    """Make untrusted text safe for one line of a terminal, of at most ``most`` characters."""
    line = " ".join(os_safe(text).split())
    safe = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return safe if len(safe) <= most else safe[: most - 1] + "…"


def os_safe(text: str) -> str:
    """Replace surrogates, which stand for undecodable bytes of names and cannot be encoded."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


FEW = 4  # names of a kind in one sentence


def describe_some(one: str, many: str, names: Sequence[str], says: str) -> str:
    """Write a sentence about one or many names; of many, the first few are listed."""
    return f"{(one if len(names) == 1 else many).format(first_of(names, FEW))} {says}"


TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
CODE = re.compile(r"`([^`]+)`")


def plain_template(name: str) -> str:
    """Read a template whose placeholders, in capitals or braces, the caller replaces."""
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()


def fill_template(template: str, **values: object) -> bytes:
    """Render a Jinja template as UTF-8.

    Raises:
        WrongUse: Jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise WrongUse(f"HTML needs Jinja2: pip install '{DISTRIBUTION}[instructor]'.") from error
    engine = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    engine.filters["points"] = lambda value: "" if value is None else points(value)
    engine.filters["numbers"] = format_numbers
    engine.filters["percent"] = percent
    engine.filters["prose"] = render_prose
    engine.globals["words"] = WORDS
    return engine.get_template(template).render(**values).encode("utf-8", "replace")


def render_prose(says: str) -> str:
    """Render a sentence as HTML; text in backquotes becomes code."""
    from markupsafe import Markup, escape

    return Markup(CODE.sub(r"<code>\1</code>", str(escape(says))))


# ---- our published JSON Schemas ----------------------------------------------------------

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
RECORD = "grader-class-1.schema.json#/$defs/record"
GRANT = "grader-class-1.schema.json#/$defs/grant"
RESULT = "grader-result-1.schema.json"
LEFT_OUT = ("$id", "$schema", "pattern", "format", "if", "then", "else")


def conforms(value: object, schema: str) -> bool:
    """Whether a value conforms to a schema, named as in `$ref`, so that it can be read safely.

    Keys that the schema does not name are accepted: a later grader may add some.
    """
    from fastjsonschema import JsonSchemaValueException

    try:
        _test(schema)(value)
    except JsonSchemaValueException:
        return False
    return True


@cache
def _test(schema: str) -> Callable[[object], object]:
    """Compile a schema to a function: a class has many records."""
    import fastjsonschema

    test: Callable[[object], object] = fastjsonschema.compile(
        {"$ref": schema}, handlers={"": _read}
    )
    return test


def _read(name: str) -> object:
    with open(os.path.join(FOLDER, os.path.basename(name)), encoding="utf-8") as file:
        return _loosened(json.load(file))


def _loosened(rule: object) -> object:
    """Drop a schema's patterns, and allow unknown keys."""
    if isinstance(rule, list):
        return [_loosened(each) for each in rule]
    if not isinstance(rule, dict):
        return rule
    kept = {name: _loosened(each) for name, each in rule.items() if name not in LEFT_OUT}
    return {n: each for n, each in kept.items() if (n, each) != ("additionalProperties", False)}
