"""Write learners' text to tables, pages and lines so that no spreadsheet, browser or terminal runs
it; check JSON against our published schemas.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from .. import DISTRIBUTION
from ..errors import WrongUse, os_safe
from ..learner.wording import WORDS, first_of, format_numbers, percent, points


def as_json(value: object) -> bytes:
    """Encode as readable JSON with sorted keys, in ASCII: safe for names that are no UTF-8."""
    return json.dumps(value, indent=1, sort_keys=True).encode() + b"\n"


def as_packed(value: object) -> bytes:
    """Encode as compact JSON, compressed by gzip with no time stamp: a twentieth of `as_json`."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


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
