"""Show the report in a notebook, as HTML and as text, with places in cells instead of files.

In class mode a hidden check shows its sentence and the diagnosis, but no numbers.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..course.splice import Piece, find_pieces, target_file
from ..learner.terminal import report
from ..learner.wording import CODES, WORDS, Style, points, undetected_fault
from ..result import CELL, hide_inputs, iter_checks
from ..verdict import GIVEN, PASSED, WRONG
from .notebook_source import Answer

if TYPE_CHECKING:
    from ..result_rows import ExerciseResult, Result

HIDDEN = "It fails for inputs that are not shown here."
COLOURS = {
    "red": "color:#c0392b", "green": "color:#1e8449", "yellow": "color:#9a6a00",
    "cyan": "color:#117a8b", "bold": "font-weight:bold", "dim": "color:#707070",
}  # fmt: skip
SPANS = {code: COLOURS[name] for name, code in CODES.items()}


class HtmlOutput:
    """An output that a notebook shows as HTML, and anything else as text."""

    def __init__(self, plain: str, rich: str) -> None:
        self.plain = plain
        self.rich = rich

    def __repr__(self) -> str:
        return self.plain

    def _repr_html_(self) -> str:
        return self.rich


def format_report(result: Result, printed: str = "") -> HtmlOutput:
    """Return the report of a canonical result, ready to show."""
    plain, rich = (
        report(result, Style(colour, 80, home="notebook"), printed) for colour in (False, True)
    )
    return HtmlOutput(plain, _html(rich))


def remark(exercise: ExerciseResult) -> str:
    """Explain an exercise's mark in one to three sentences; empty if it is passed or given."""
    status = exercise["status"]
    if status in (PASSED, GIVEN):
        return ""
    got = f"{points(exercise['score'])} of {points(exercise['max_score'])} points"
    parts = [f"{WORDS[status][1].capitalize()} ({got})."]
    wrong = [check for check in exercise["checks"] if check["status"] in WRONG]
    if wrong:
        parts.append(wrong[0]["title"])
        parts += [wrong[0]["mistake"]["says"]] if wrong[0]["mistake"] else []
    elif exercise["blocked_by"]:
        parts.append(f"It waits for {' and '.join(exercise['blocked_by'])}.")
        parts += filter(None, [undetected_fault(exercise)])
    elif exercise["checks"]:
        parts.append(exercise["checks"][0]["message"])
    return " ".join(parts)


def format_sentence(says: str) -> HtmlOutput:
    """Return one sentence, ready to show like a report."""
    return HtmlOutput(says, _html(says))


def display_report(thing: HtmlOutput) -> None:
    """Display it in the cell's output; print it outside of IPython."""
    ipython: Any = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        print(thing)
    else:
        ipython.display.display(thing)


def _html(plain: str) -> str:
    """Turn a report with terminal colours into HTML."""
    shown = html.escape(plain)
    for code, style in SPANS.items():
        shown = shown.replace(f"\x1b[{code}m", f'<span style="{style}">')
    return f'<pre style="white-space:pre-wrap">{shown.replace(chr(27) + "[0m", "</span>")}</pre>'


def map_lines_to_cells(
    result: Result, files: Mapping[str, bytes], answers: Mapping[str, Answer]
) -> Result:
    """Change locations in spliced definitions to lines of their cells, in place."""
    # A definition from line 90 of ops.py on is line 2 of its cell, below `@answer`: 93 → 5.
    spans = {target: _piece(files, target) for target in answers}
    for check in iter_checks(result):
        file, _, line = (check["location"] or "").rpartition(":")
        for target, (name, piece) in spans.items():
            if piece is not None and file == name and piece.first <= int(line) <= piece.last:
                check["location"] = f"{CELL}{target}:{int(line) - piece.first + 2}"
    return result


def _piece(files: Mapping[str, bytes], target: str) -> tuple[str, Piece | None]:
    """Find a target's file, and its piece of that file; None if it has none or does not parse."""
    name, inner = target_file(target, files)
    try:
        return name, find_pieces(files[name].decode()).get(inner) if name else None
    except (SyntaxError, ValueError, RecursionError):
        return name, None


def redact(result: Result) -> Result:
    """Remove inputs and answers of failing hidden checks, in place; return the result."""
    for check in iter_checks(result):
        if check["hidden"] and check["status"] in WRONG:
            check.update(hide_inputs(check, HIDDEN))
    return result
