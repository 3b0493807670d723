"""A figure in a page: its data, which the course describes, and the script that draws it there.

`exercises/figures.py` is a table: name → its kind, and what gives its data, with numbers of the
reference. ``graph`` is drawn by `graph/figure.js`, every other kind by the script of `static/` that
holds it.
"""

from __future__ import annotations

import html
import json
import re

from ..course.load import optional_table
from ..errors import OurFault

KIND = re.compile(r'data-kind="(\w+)"')
PIECES = ("figure.js", "pieces.js")  # what the files of all kinds need, in the order of loading
SCRIPTS = {
    "moons.js": ("moons",), "arrays.js": ("transpose", "sum", "matmul"),
    "images.js": ("im2col", "dilate"), "layers.js": ("deep", "batch"),
    "figures.js": ("nudge", "diamonds", "xor", "race", "broadcast"),
}  # fmt: skip


def scripts(body: str) -> list[str]:
    """The scripts that the figures of a page need."""
    kinds = set(KIND.findall(body))
    found = [name for name, drawn in SCRIPTS.items() if kinds & set(drawn)]
    return [*PIECES, *found] if kinds else []


def figure(name: str, caption: str) -> str:
    """A figure with its data and its sentence of what to try, as HTML.

    Raises:
        OurFault: there is none of this name.
    """
    known = optional_table("exercises.figures", "FIGURES")
    if name not in known:
        raise OurFault(f"There is no figure {name}: choose one of {', '.join(known) or 'none'}.")
    kind, describe = known[name]
    # Inside a script element only `<` could end it.
    data = json.dumps(describe(), ensure_ascii=False).replace("<", "\\u003c")
    without = "<noscript><p>This figure moves: it needs JavaScript.</p></noscript>"
    return (
        f'<figure class="fig" id="figure-{html.escape(name)}" data-kind="{kind}">'
        f'<script type="application/json">{data}</script>{without}'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )
