"""Odd notebooks, as they come: names, encodings, formats, cells, and what lies beside them.

Each is made from one with right answers and handed in by a learner who is called after what is odd.
`Work` is a path → the bytes there; None in the place of bytes makes a folder.
"""

from __future__ import annotations

import copy
import json
import os
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

Work = dict[str, bytes | None]
Notebook = dict[str, Any]
NAME = "chapter7.ipynb"
PACKAGE = "babygrad/init.py"
MB = 1 << 20

# What it is called; all else is right.
NAMES = (
    "chapter7-Copy1.ipynb", "chapter7 (2).ipynb", "chapter7(1).ipynb", "Chapter7.ipynb",
    "chapter7.IPYNB", "CHAPTER7.Ipynb", "chapter7 – Kopie.ipynb", "chapter7 é.ipynb",
    "chapter7 e\u0301.ipynb", "chapter7.ipynb.ipynb", "Untitled.ipynb", "chapter7 .ipynb",
    "chapter8.ipynb", "[1].ipynb", "*.ipynb", "-rf.ipynb", "chapter7\n.ipynb",
    "chapter7\udcff.ipynb", "c" * 240 + ".ipynb", "chapter7.ipynb.txt", "chapter7.json",
    "work/chapter7.ipynb", "work/deeper/Chapter7 (1).ipynb",
    ".ipynb_checkpoints/chapter7-checkpoint.ipynb",
    "__MACOSX/chapter7.ipynb", "._chapter7.ipynb",
)  # fmt: skip

# How its text becomes bytes.
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16 big-endian": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-32": lambda text: text.encode("utf-32"),
    "Latin 1": lambda text: text.replace("Exercise", "Übung").encode("latin-1", "replace"),
    "CRLF": lambda text: json.dumps(json.loads(text), indent=1).replace("\n", "\r\n").encode(),
    "CR inside": lambda text: text.replace("\\n", "\\r").encode(),
    "CRLF inside": lambda text: text.replace("\\n", "\\r\\n").encode(),
    "white space around": lambda text: f"\n\n  {text}\n\n".encode(),
    "zeros behind": lambda text: text.encode() + b"\0\0",
    "text behind": lambda text: text.encode() + b"}",
    "twice": lambda text: text.encode() * 2,
    "truncated": lambda text: text.encode()[: len(text) // 2],
    "last byte lost": lambda text: text.encode().rstrip()[:-1],
    "empty": lambda text: b"",
    "blank": lambda text: b" \n",
    "a brace": lambda text: b"{",
    "a list": lambda text: b"[]",
    "null": lambda text: b"null",
    "a number": lambda text: b"42",
    "a page": lambda text: b"<!DOCTYPE html><html><body>Log in</body></html>",
    "a script": lambda text: b"import numpy as np\n",
    "a merge": lambda text: f"<<<<<<< HEAD\n{text}\n=======\n{text}\n>>>>>>> mine\n".encode(),
    "a pointer": lambda text: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "a zip": lambda text: zipped({NAME: text.encode()}),
    "noise": lambda text: bytes(range(256)) * 40,
    "nested": lambda text: b'{"cells": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "nested braces": lambda text: b'{"a": ' * 100_000,
    "two lists of cells": lambda text: ('{"cells": [],' + text[1:]).encode(),
    "NaN": lambda text: ('{"x": NaN,' + text[1:]).encode(),
    "a huge number": lambda text: ('{"x": ' + "9" * 5000 + "," + text[1:]).encode(),
    "32 MB": lambda text: text.encode() + b" " * (33 * MB),
}

Change = Callable[[Notebook], Any]  # of the notebook, in place; or another in its place

# What its JSON says beside the cells.
FORMATS: dict[str, Change] = {
    "format 3": lambda nb: in_format_3(nb),
    "format 2": lambda nb: {"nbformat": 2, "worksheets": []},
    "format 5": lambda nb: nb.update(nbformat=5),
    "format in words": lambda nb: nb.update(nbformat="4"),
    "no format": lambda nb: nb.pop("nbformat"),
    "no minor": lambda nb: nb.pop("nbformat_minor"),
    "minor 0": lambda nb: nb.update(nbformat_minor=0),
    "minor 99": lambda nb: nb.update(nbformat_minor=99),
    "minor in words": lambda nb: nb.update(nbformat_minor="five"),
    "no metadata": lambda nb: nb.pop("metadata"),
    "null metadata": lambda nb: nb.update(metadata=None),
    "a list of metadata": lambda nb: nb.update(metadata=[]),
    "no kernel": lambda nb: nb.update(metadata={}),
    "another kernel": lambda nb: nb.update(
        metadata={"kernelspec": {"name": "ir", "display_name": "R"}}
    ),
    "half a kernel": lambda nb: nb.update(metadata={"kernelspec": {}}),
    "no kernel but a word": lambda nb: nb.update(metadata={"kernelspec": "python3"}),
    "no cells": lambda nb: nb.pop("cells"),
    "null cells": lambda nb: nb.update(cells=None),
    "an empty list of cells": lambda nb: nb.update(cells=[]),
    "more keys": lambda nb: nb.update(orig_nbformat=4, notes="mine"),
    "stands in": lambda nb: nb["metadata"].update(grader_stands_in="Nobody handed this in."),
    "says that it crashed": lambda nb: nb["metadata"].update(grader_crashed="It was <b>lost</b>."),
}  # fmt: skip

# What its cells hold. `each` does something to every cell, `tags` to every cell with nbgrader's.
CELLS: dict[str, Change] = {
    "no ids": lambda nb: each(nb, lambda c: c.pop("id", None)),
    "one id": lambda nb: each(nb, lambda c: c.update(id="same")),
    "ids that are none": lambda nb: each(nb, lambda c: c.update(id="a b\u00e9" * 30)),
    "cells without metadata": lambda nb: each(nb, lambda c: c.pop("metadata")),
    "null metadata of cells": lambda nb: each(nb, lambda c: c.update(metadata=None)),
    "cells without a source": lambda nb: nb["cells"][0].pop("source"),
    "a null source": lambda nb: nb["cells"][0].update(source=None),
    "a source of numbers": lambda nb: nb["cells"][0].update(source=[1, 2]),
    "sources by line": lambda nb: each(
        nb, lambda c: c.update(source=whole(c).splitlines(keepends=True))
    ),
    "cells without outputs": lambda nb: each(nb, lambda c: c.pop("outputs", None)),
    "outputs of no kind": lambda nb: nb["cells"][1].update(outputs=[{"output_type": "x"}, 7]),
    "counts in words": lambda nb: coded(nb, execution_count="x"),
    "an unknown kind": lambda nb: nb["cells"].append({**prose("x"), "cell_type": "heading"}),
    "a cell that is a word": lambda nb: nb["cells"].append("print(1)"),
    "more keys in cells": lambda nb: each(nb, lambda c: c.update(prompt_number=3, mine=[])),
    "an image in a cell": lambda nb: nb["cells"].append(
        {**prose("![x](attachment:x.png)"), "attachments": {"x.png": {"image/png": "aGk="}}}
    ),
    "an attachment that is none": lambda nb: nb["cells"].append({**prose("x"), "attachments": 3}),
    "half a character": lambda nb: nb["cells"].append(prose("a \ud800 b")),
    "half a character in an answer": lambda nb: write_more(nb, "\n'\udc00'"),
    "control characters": lambda nb: nb["cells"].append(prose("\x1b[31m \0 \u202e \x08")),
    "a raw cell": lambda nb: nb["cells"].append({**prose("\\newpage"), "cell_type": "raw"}),
    "huge outputs": lambda nb: coded(nb, outputs=[loud(MB // 4)]),
    "one huge output": lambda nb: nb["cells"][1].update(outputs=[loud(12 * MB)]),
    "more output than is read": lambda nb: nb["cells"][1].update(outputs=[loud(33 * MB)]),
    "a thousand cells": lambda nb: nb["cells"].extend(code("x = 1") for _ in range(1000)),
    "a long line": lambda nb: nb["cells"].append(code("x = '" + "y" * MB + "'")),
    "magics": lambda nb: nb["cells"].insert(0, code("%%bash\nls\n")),
    "blank lines": lambda nb: nb["cells"].append(code("\n" * 3000 + "1 + 1")),
    "blank lines without end": lambda nb: nb["cells"].append(
        code("\n" * (3 * MB) + '@answer("init.zeros")\ndef (')
    ),
    "no Python": lambda nb: nb["cells"].append(code("def (")),
    "an answer that is no Python": lambda nb: write_more(nb, "\ndef ("),
    "an answer of another name": lambda nb: answer(nb).update(
        source=whole(answer(nb)).replace("init.", "inet.", 1)
    ),
    "every cell twice": lambda nb: nb["cells"].extend(copy.deepcopy(nb["cells"])),
    "an answer twice": lambda nb: nb["cells"].append(copy.deepcopy(answer(nb))),
    "a test twice": lambda nb: nb["cells"].append(copy.deepcopy(test(nb))),
    "tests deleted": lambda nb: keep(nb, lambda c: not tag(c).get("grade")),
    "a test deleted": lambda nb: nb["cells"].remove(test(nb)),
    "an answer deleted": lambda nb: nb["cells"].remove(answer(nb)),
    "all deleted but answers": lambda nb: keep(nb, lambda c: bool(tag(c).get("solution"))),
    "answers deleted": lambda nb: keep(nb, lambda c: not tag(c).get("solution")),
    "turned round": lambda nb: nb["cells"].reverse(),
    "tests edited": lambda nb: each(nb, lambda c: tag(c).get("grade") and c.update(source="1e9")),
    "tests emptied": lambda nb: each(nb, lambda c: tag(c).get("grade") and c.update(source="")),
    "a test in words": lambda nb: test(nb).update(cell_type="markdown"),
    "an answer in words": lambda nb: answer(nb).update(cell_type="markdown"),
    "a raw answer": lambda nb: answer(nb).update(cell_type="raw"),
    "no tags": lambda nb: each(nb, lambda c: c["metadata"].pop("nbgrader", None)),
    "tags of version 1": lambda nb: tags(nb, lambda t: t.update(schema_version=1)),
    "tags of version 9": lambda nb: tags(nb, lambda t: t.update(schema_version=9)),
    "tags without a version": lambda nb: tags(nb, lambda t: t.pop("schema_version")),
    "tags that are words": lambda nb: each(nb, lambda c: c["metadata"].update(nbgrader="x")),
    "tags without names": lambda nb: tags(nb, lambda t: t.pop("grade_id")),
    "tags with numbers for names": lambda nb: tags(nb, lambda t: t.update(grade_id=7)),
    "tags with lists for names": lambda nb: tags(nb, lambda t: t.update(grade_id=["x"])),
    "tags with odd names": lambda nb: tags(nb, lambda t: t.update(grade_id="no such/cell é")),
    "one name for all": lambda nb: name_all(nb, tag(test(nb))["grade_id"]),
    "tags swapped": lambda nb: swap(nb),
    "more points": lambda nb: tags(nb, lambda t: t.update(points=1000)),
    "points in words": lambda nb: tags(nb, lambda t: t.update(points="many")),
    "points taken out": lambda nb: tags(nb, lambda t: t.pop("points", None)),
    "all locked": lambda nb: tags(nb, lambda t: t.update(locked=True)),
    "all of every kind": lambda nb: tags(
        nb, lambda t: t.update(grade=True, solution=True, task=True)
    ),
    "kinds in words": lambda nb: tags(nb, lambda t: t.update(grade="yes", solution=None)),
}  # fmt: skip

# What lies there, whatever its notebook holds.
BESIDE: dict[str, Callable[[bytes, bytes], Work]] = {
    "nothing at all": lambda right, wrong: {},
    "a time alone": lambda right, wrong: {"timestamp.txt": b"2026-03-01 12:00:00 UTC"},
    "an essay": lambda right, wrong: {"essay.pdf": b"%PDF-1.4"},
    "a zip alone": lambda right, wrong: {"work.zip": zipped({NAME: right})},
    "a package alone": lambda right, wrong: {PACKAGE: SOLVED},
    "a package and a broken notebook": lambda right, wrong: {PACKAGE: SOLVED, NAME: b"{"},
    "a package and a notebook below": lambda right, wrong: {PACKAGE: STUB, f"a/{NAME}": right},
    "a notebook and a broken file": lambda right, wrong: {NAME: right, PACKAGE: b"def ("},
    "a copy that is right": lambda right, wrong: {NAME: wrong, "chapter7-Copy1.ipynb": right},
    "a copy that is wrong": lambda right, wrong: {NAME: right, "chapter7-Copy1.ipynb": wrong},
    "a later copy": lambda right, wrong: {NAME: wrong, "chapter7_final.ipynb": right},
    "a broken copy": lambda right, wrong: {NAME: right, "chapter7_final.ipynb": b"{"},
    "a broken one and a copy": lambda right, wrong: {NAME: b"{", "chapter7-Copy1.ipynb": right},
    "two copies": lambda right, wrong: {"a.ipynb": wrong, "b.ipynb": right},
    "two folders": lambda right, wrong: {f"a/{NAME}": wrong, f"b/{NAME}": right},
    "a checkpoint": lambda right, wrong: {NAME: right, ".ipynb_checkpoints/a.ipynb": wrong},
    "what a Mac leaves": lambda right, wrong: {NAME: right, "._chapter7.ipynb": b"\0\5\x16\7"},
    "a folder called so": lambda right, wrong: {NAME: None, "chapter7-Copy1.ipynb": right},
    "handed in again": lambda right, wrong: {NAME: right, f"{NAME}.as-submitted": b"{"},
    "handed in again and worse": lambda right, wrong: {NAME: b"{", f"{NAME}.as-submitted": right},
}  # fmt: skip

LINKS: dict[str, Callable[[Path, Path], None]] = {
    "a learner that is a link": lambda place, ann: linked(place.parent, ann.parent),
    "a folder that is a link": lambda place, ann: linked(place, ann),
    "a notebook that is a link": lambda place, ann: linked(place / NAME, ann / NAME),
    "a copy that is a link": lambda place, ann: linked(place / "copy.ipynb", ann / NAME),
    "a notebook with two names": lambda place, ann: in_folder(place).hardlink_to(ann / "one"),
    "a notebook that is a pipe": lambda place, ann: os.mkfifo(in_folder(place)),
}

SOLVED, STUB = b"solved", b"stub"  # the whole package, as `hand_in` writes it
# Whose marks the quick suite compares, and whether these have one.
SAMPLE = {
    "chapter7-Copy1.ipynb": True, "byte order mark": True, "truncated": False,
    "tags without names": True, "nothing at all": False, "handed in again": True,
    "a zip alone": True,
}  # fmt: skip


def odd_notebooks(notebook: Notebook, wrong: Notebook) -> dict[str, Work]:
    """Learner → what they hand in; ``wrong`` is the same with a mistake."""
    text, right = json.dumps(notebook), json.dumps(notebook).encode()
    made: dict[str, Work] = {learner_of(name): {name: right} for name in NAMES}
    made |= {name: {NAME: encode(text)} for name, encode in ENCODINGS.items()}
    for name, change in {**FORMATS, **CELLS}.items():
        mine = copy.deepcopy(notebook)
        other = change(mine)
        is_other = isinstance(other, dict) and "nbformat" in other and other is not mine
        made[name] = {NAME: json.dumps(other if is_other else mine).encode()}
    made |= {name: lay(right, json.dumps(wrong).encode()) for name, lay in BESIDE.items()}
    return made


def learner_of(name: str) -> str:
    """A folder's name for one who is called after a path."""
    # nbgrader takes brackets and stars in a folder's name for a pattern.
    plain = name.replace("/", " in ").replace("[1]", "1").replace("*", "star").replace("\n", "")
    return ascii(plain)[1:-1].replace("\\", "_")[:60].lstrip("._-")


def zipped(files: dict[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def linked(path: Path, to: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)


def in_folder(place: Path) -> Path:
    place.mkdir(parents=True)
    return place / NAME


def tag(cell: Any) -> dict[str, Any]:
    found = cell["metadata"].get("nbgrader", {})
    return found if isinstance(found, dict) else {}


def each(nb: Notebook, change: Callable[[Any], object]) -> None:
    for cell in nb["cells"]:
        change(cell)


def coded(nb: Notebook, **fields: Any) -> None:
    """Set these fields on every code cell."""
    each(nb, lambda cell: "outputs" in cell and cell.update(fields))


def tags(nb: Notebook, change: Callable[[dict[str, Any]], object]) -> None:
    each(nb, lambda cell: tag(cell) and change(tag(cell)))


def keep(nb: Notebook, wanted: Callable[[Any], bool]) -> None:
    nb["cells"] = [cell for cell in nb["cells"] if wanted(cell)]


def answer(nb: Notebook) -> Any:
    return next(cell for cell in nb["cells"] if tag(cell).get("solution"))


def write_more(nb: Notebook, text: str) -> None:
    answer(nb)["source"] = whole(answer(nb)) + text


def test(nb: Notebook) -> Any:
    return next(cell for cell in nb["cells"] if tag(cell).get("grade"))


def name_all(nb: Notebook, name: str) -> None:
    tags(nb, lambda tag: tag.update(grade_id=name))


def swap(nb: Notebook) -> None:
    """The answer has the test's tag, and the other way round."""
    first, second = answer(nb), test(nb)
    first["metadata"], second["metadata"] = second["metadata"], first["metadata"]


def whole(cell: Any) -> str:
    return "".join(cell["source"])


def prose(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": text}


def code(text: str) -> dict[str, Any]:
    return {"cell_type": "code", "id": "mine", "metadata": {}, "source": text, "outputs": [],
            "execution_count": None}  # fmt: skip


def loud(size: int) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": "x" * size}


def in_format_3(nb: Notebook) -> Notebook:
    cells = [
        {"cell_type": "code", "input": whole(c), "outputs": [], "language": "python",
         "collapsed": False, "metadata": c["metadata"]}
        if c["cell_type"] == "code" else {k: c[k] for k in ("cell_type", "metadata", "source")}
        for c in nb["cells"]
    ]  # fmt: skip
    sheets = [{"cells": cells, "metadata": {}}]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}
