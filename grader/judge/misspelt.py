"""An attribute that is set and that nothing reads, where another is spelt almost like it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

NAME = "written:misspelt"  # stands where a mistake of the course has its own
CLOSE = 0.7  # how alike two names are that one may be meant for the other: `gard` and `grad`
# As `ast.unparse` spaces it; what has two underlines in front is read by Python.
SET = re.compile(r"\.((?!__)\w+) (?:[-+*/@%&|^]|//|\*\*|: [^=\n]+ )?= ")


def set_in_vain(text: str, files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """(name, sentence) where this text sets an attribute that seems to be a misspelt other one.

    Args:
        text: what was written for an exercise, without comments.
        files: the whole package: what is read anywhere in it is not misspelt.
    """
    stored = Counter(SET.findall(text))
    whole = "\n".join(each.decode("utf-8", "replace") for each in files.values()) if stored else ""
    for name, times in stored.items():
        if len(re.findall(rf"\b{name}\b", whole)) > times:
            continue
        import difflib

        read = Counter(re.findall(r"\.(\w+)\b(?! = )", whole))
        known = [other for other, often in read.items() if often > 1 and other != name]
        near = difflib.get_close_matches(name, known, n=1, cutoff=CLOSE)
        if near:
            says = (
                f"You set `.{name}`, and nothing in your package ever reads that. "
                f"Did you mean `.{near[0]}`?"
            )
            return [(NAME, says)]
    return []
