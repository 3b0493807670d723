"""Write a failing call as a script: inputs, call, expected values and the comparison."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

from ..about import COURSE, SCRIPTS, own_names
from ..arrays import Array
from ..course.compare import DATA, ORACLES, TOLERANCES
from ..course.key_file import ChapterKey
from ..course.package import module_of
from .embed import Beginning, embed_earlier_calls, embed_program, find_beginning, written_out
from .wording import Style

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ExerciseRow, ProbeRow


WIDTH = 96
MOST_NESTED = 6  # lines of an array; a longer one is a flat list and `.reshape`


def literal_source(chapter: ChapterKey, value: object, column: int = 0) -> str:
    """Write a program's encoded argument as source that begins at ``column``, within `WIDTH`."""
    if isinstance(value, dict) and "array" in value:
        return array_source(chapter.array(value["array"]), column)
    if isinstance(value, dict) and "tuple" in value:
        items = [literal_source(chapter, item, column + 4) for item in value["tuple"]]
        return _bracketed("(", items, ",)" if len(items) == 1 else ")", column)
    if isinstance(value, dict) and "slice" in value:
        return repr(slice(*value["slice"]))
    if isinstance(value, dict):
        pairs = value["dict"] if "dict" in value else value.items()
        items = [
            f"{literal_source(chapter, k)}: {literal_source(chapter, v, column + 4)}"
            for k, v in pairs
        ]
        return _bracketed("{", items, "}", column)
    if isinstance(value, list):
        return _bracketed("[", [literal_source(chapter, v, column + 4) for v in value], "]", column)
    return number(value)


def array_source(found: Array, column: int = 0) -> str:
    """Write an array as a NumPy call; the default dtype, float64, is left out."""
    if 0 in found.shape:
        return f"np.zeros({found.shape}, dtype={found.dtype!r})"
    plain = found.dtype == "float64" or (found.dtype == "bool" and found.shape)
    tail = ")" if plain else f", dtype={found.dtype!r})"
    text = nested_source(found.nested(), column)
    if text.count("\n") < MOST_NESTED or len(found.shape) == 1:
        return f"np.array({text}{tail}"
    return f"np.array({nested_source(found.values(), column)}{tail}.reshape{found.shape}"


def nested_source(value: object, column: int = 0) -> str:
    """Write nested lists of numbers as source."""
    if isinstance(value, list):
        return _bracketed("[", [nested_source(item, column + 4) for item in value], "]", column)
    return number(value)


def number(value: object) -> str:
    """Write a plain value as source; NaN and infinities by their names in NumPy."""
    if isinstance(value, float) and math.isnan(value):
        return "np.nan"
    if isinstance(value, float) and math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return repr(value)


def _bracketed(opening: str, items: list[str], closing: str, column: int) -> str:
    """Put items into brackets: on one line if they fit, else filled lines; a long item alone."""
    flat = f"{opening}{', '.join(items)}{closing}"
    if column + len(flat) < WIDTH and "\n" not in flat:
        return flat
    margin = " " * (column + 4)
    lines, line = [], margin
    for item in items:
        if line != margin and ("\n" in item or len(line) + len(item) + 2 > WIDTH):
            lines.append(line.rstrip())
            line = margin
        line += f"{item}, "
        if "\n" in item:
            lines.append(line.rstrip())
            line = margin
    if line != margin:
        lines.append(line.rstrip())
    return "\n".join([opening, *lines, " " * column + closing.lstrip(",")])


COMPARE = """\
for name, mine, right in zip(names, yours, expected):
    mine, right = np.asarray(mine), np.asarray(right)
    rtol, atol = ({loose}) if np.float32 in (mine.dtype, right.dtype) else ({strict})
    if right.dtype.kind == "f" and right.size:
        atol *= max(1.0, np.nanmax(np.abs(right), initial=0, where=np.isfinite(right)))
    same = mine.shape == right.shape and mine.dtype.kind == right.dtype.kind
    same = same and np.allclose(mine, right, rtol=rtol, atol=atol, equal_nan=True)
    print(name + (": right" if same else ": wrong"))
    for label, values in (("yours   ", mine), ("expected", right)):
        text = np.array2string(values, precision=6, separator=", ", prefix=" " * 12)
        print(f"  {{label}}  {{text}}  {{values.dtype}}, shape {{values.shape}}")
if len(yours) != len(expected):
    print(f"{{len(yours)}} came back, not {{len(expected)}}.")
"""

SAMPLES = """\
for name, mine, (mean, spread) in zip(names, yours, expected):
    mine = np.asarray(mine, dtype=float)
    print(name)
    print(f"  yours     mean {mine.mean():.4f}, spread {mine.std():.4f}, shape {mine.shape}")
    print(f"  expected  mean {mean:.4f}, spread {spread:.4f}, about")
"""

CLOSE = """\
import re


def short(text):  # floats to nine digits
    return re.sub(r"\\d+\\.\\d+(e-?\\d+)?", lambda n: f"{float(n[0]):.9g}", text)


"""
TEXTS = """\
for name, mine, right in zip(names, yours, expected):
    mine = mine if isinstance(mine, str) else bytes(mine).decode("utf-8", "replace")
    print(name + (": right" if mine == right else ": wrong"))
    print("  yours    ", mine)
    print("  expected ", right)
"""


class Failure(NamedTuple):
    """The failure to reproduce: a check of an exercise, and the probe that shows it."""

    exercise: ExerciseRow
    check: CheckRow
    probe: ProbeRow
    modules: list[str]
    says: str
    is_kept: bool = False  # alone, the call is right: others come first


def script(chapter: ChapterKey, failure: Failure) -> str:
    """Return the whole text of the script."""
    by_hand = own_names(SCRIPTS).get("WRITTEN", {}).get(failure.probe["means"].get("written"))
    if by_hand and not failure.is_kept:
        write = partial(literal_source, chapter)
        imports, call = by_hand(write, failure.probe["args"], failure.check["part"])
    else:
        imports, call = _by_program(chapter, failure)
    return "\n".join(
        [
            *_docstring(failure), "",
            *imports, "",
            *call, "",
            *_expected(chapter, failure), "",
            _comparison(failure.check),
        ]
    ).rstrip("\n") + "\n"  # fmt: skip


def _docstring(failure: Failure) -> list[str]:
    said = failure.says.replace("\\", "\\\\").replace('"""', "'''")
    return [
        f'"""repro of {failure.exercise["id"]}',
        "",
        *Style(colour=False, width=88).wrap(failure.check["title"]),
        "",
        *(f"    {line}" for line in [*failure.probe["call"].splitlines(), *said.splitlines()]),
        "",
        f"Keep and run it in the folder that holds {COURSE.name}/:",
        f"    grader repro {failure.exercise['id']} --out repro.py",
        "    python repro.py",
        '"""',
    ]


def _expected(chapter: ChapterKey, failure: Failure) -> list[str]:
    """Write the expected values, with a comment that names the oracles that agree."""
    check, answers = failure.check, failure.probe["answers"]
    arrays = chapter.parts(answers["reference"])[check["part"]]
    named = ((name, answers.get(oracle, ())) for oracle, (_, name) in ORACLES.items() if name)
    who = [name for name, parts in named if check["part"] in parts]
    agreed = f"  # {' and '.join(who)} agree{'s' * (len(who) == 1)}" if who else ""
    if check["compare"] == "sample":
        values = [nested_source(list(_moments(each))) for each in arrays]
    elif check["compare"] in ("text", DATA):
        values = [repr(each.text()) for each in arrays]
    else:
        values = [array_source(each, 4) for each in arrays]
    return [
        f"names = {_names(failure, len(arrays))!r}",
        f"expected = [{agreed}",
        *(f"    {value}," for value in values),
        "]",
    ]


def _moments(found: Array) -> tuple[float, float]:
    values = [float(value) for value in found.values()]
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
    return round(mean, 6), round(spread, 6)


def _names(failure: Failure, count: int) -> list[str]:
    """Name each array in the report's words: "the gradient of x", "result 2"."""
    inputs = [name for name, _ in failure.probe["shown"]]
    part = failure.check["part"]
    if part in ("gradient", "inputs") and len(inputs) >= count:
        return [f"the gradient of {n}" if part == "gradient" else n for n in inputs[:count]]
    return ["the result"] if count == 1 else [f"result {n + 1}" for n in range(count)]


def _comparison(check: CheckRow) -> str:
    if check["compare"] == "sample":
        return SAMPLES
    if check["compare"] in ("text", DATA):
        return TEXTS if check["compare"] == "text" else f"{CLOSE}{TEXTS}"
    loose, strict = (TOLERANCES["exact", dtype] for dtype in ("float32", "float64"))
    return COMPARE.format(
        loose=f"{loose.relative}, {loose.absolute}", strict=f"{strict.relative}, {strict.absolute}"
    )


# ---- the call, with its program, where the course has no writer for it ------------------------


def _by_program(chapter: ChapterKey, failure: Failure) -> tuple[list[str], list[str]]:
    program, args = failure.probe["program"], failure.probe["args"]
    predicate = failure.probe.get("predicate", "")
    start = find_beginning(chapter.programs) if failure.is_kept else Beginning()
    imports, definitions = embed_program(chapter.programs, program, start.uses)
    if failure.is_kept:
        more, asking = embed_earlier_calls(chapter.programs, start)
        imports, definitions = imports + more, list(dict.fromkeys(definitions + asking))
    if predicate:
        more, judging = embed_program(chapter.programs, predicate)
        imports, definitions = imports + more, list(dict.fromkeys(definitions + judging))
    definitions = written_out(definitions, program, args)
    lines = []
    for definition in definitions:
        lines += ["", *definition.splitlines(), ""]
    given = [f"    {literal_source(chapter, arg, 4)}," for arg in args]
    function = program.partition(".")[2]
    if failure.is_kept:
        lines += _others_first(start, function, given)
    lines += ["", f"found = {function}(", "    bg,", *given, ")"]
    if predicate:
        lines += [f"found = {predicate.partition('.')[2]}(", "    found,", *given, ")"]
    lines += ["if isinstance(found, dict):", f"    found = found[{failure.check['part']!r}]"]
    lines += ["yours = list(found)"]
    wanted = sorted({"import numpy as np", *imports})
    imported = [f"import {COURSE.name}.{module_of(file)}" for file in failure.modules]
    return [*wanted, "", f"import {COURSE.name} as bg", *imported], lines


def _others_first(start: Beginning, function: str, given: list[str]) -> list[str]:
    """Write calls with other numbers, which come before the one that is compared."""
    begin = [f'{start.program.partition(".")[2]}("repro")'] if start.program else []
    return [
        "# Alone, this call is right. As in a check, others come first:",
        "for others in other_arguments([", *given, "]):",
        *(f"    {line}" for line in begin),
        "    with suppress(Exception):", f"        {function}(bg, *others)", *begin,
    ]  # fmt: skip
