"""Find the package among the files of a hand-in, by their names.

Of files that are not called as we asked, what has one meaning is taken; the rest is named:

    ops (1).py, ops-1.py, ops.py.txt     ops.py, where there is no other of these
    work.rar, essay.docx                 cannot be read: a sentence says that they are there
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from ...course import package
from ...course.package import LONGEST_PATH
from ...learner.wording import first_of

# Browsers number a second download by (1), Canvas a second upload by -1; Windows hides `.txt`.
ODD = re.compile(r"(?P<stem>.+?)(?: ?\((?P<copy>\d+)\)|-(?P<again>\d+))?\.py(?:\.txt)?")
HIDDEN_TEXT = ".py.txt"
ARCHIVES = (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".zip")
# Ending → what such a file is: what somebody may have handed in instead of code, and all others.
INSTEAD = {
    **dict.fromkeys((".rar", ".7z", ".gz", ".xz", ".bz2"), "an archive that is not read"),
    **dict.fromkeys((".doc", ".docx", ".odt", ".rtf", ".pages"), "a text document"),
    **dict.fromkeys((".pdf", ".png", ".jpg", ".jpeg", ".heic"), "no code"),
}
KINDS = {
    **dict.fromkeys(ARCHIVES, "an archive"),
    **INSTEAD,
    ".py": "Python, but none of the files that were handed out",
}
FEW = 4  # files that a sentence names
NO_PACKAGE, EMPTY = f"it holds no {package.NAME} package.", "it is empty."


def find_package(
    files: Mapping[str, bytes], names: Collection[str] = (), others: Iterable[str] = ()
) -> tuple[dict[str, bytes], str]:
    """Return the files of the one package among these, by their paths below it, or why there is
    none.

    Equal copies count as one. Without a whole package, any of its files (``names``) show where it
    is. Example: ``work/PACKAGE/ops.py`` becomes ``ops.py``. Without any, the reason names all that
    is there, ``others`` too.
    """
    bases = _bases(files, package.MARKS) or _bases(files, names)
    named = {base for base in bases if base.rpartition("/")[2] == package.NAME}
    least = min((base.count("/") + bool(base) for base in named or bases), default=0)
    nearest = [base for base in named or bases if base.count("/") + bool(base) == least]
    each = {base: _below(files, base) for base in sorted(nearest)}
    several = len({package.hash_package(found) for found in each.values()}) > 1
    if several or not each:
        where = printable_name(", ".join(base or "." for base in each))
        says = f"it holds several packages, which differ: {where}."
        return {}, says if each else describe_content([*files, *others])
    return next(iter(each.values())), ""


def read_odd_name(name: str, wanted: Collection[str]) -> tuple[str, int]:
    """Return the file of ``wanted`` that a name means, and the number of its copy.

    Example: ``work/ops (2).py`` means ``work/ops.py``, 2. A name of another file means itself, 0.
    """
    said = ODD.fullmatch(name)
    plain = f"{said['stem']}.py" if said else ""
    if said and f"/{plain}".endswith(tuple(f"/{each}" for each in wanted)):
        return plain, int(said["copy"] or said["again"] or 0)
    return name, 0


def map_odd_names(files: Iterable[str], wanted: Collection[str]) -> dict[str, str]:
    """Return odd name → the name it means; of two that mean the same none is there."""
    meant = {name: read_odd_name(name, wanted)[0] for name in files}
    count = Counter(meant.values())
    return {name: plain for name, plain in meant.items() if name != plain and count[plain] == 1}


def describe_content(names: Iterable[str]) -> str:
    """Say what there is in the place of a package: a few files, and of known kinds what they are.

    Example: ``it holds no … package. It holds work.rar (an archive that is not read).``
    """
    names = sorted(names)
    if not names:
        return EMPTY
    kinds = [next((k for end, k in KINDS.items() if n.lower().endswith(end)), "") for n in names]
    told = [f"{name} ({kind})" if kind else name for name, kind in zip(names, kinds, strict=True)]
    return f"{NO_PACKAGE} It holds {first_of(told, FEW)}."


def describe_absence(place: str, whys: Iterable[str]) -> str:
    """Say that no package lies at a place, what lies there, and what to do."""
    held = (why.removeprefix(NO_PACKAGE).strip() for why in whys)
    says = f"{place} holds neither a notebook nor a {package.NAME} package."
    return " ".join(filter(None, [says, *held, "Hand in one."]))


def printable_name(name: str) -> str:
    """A name as it may be printed: no control characters, of bounded length."""
    return "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name[:LONGEST_PATH]
    )


def _bases(files: Iterable[str], names: Collection[str]) -> set[str]:
    """Return the folders that hold files of these names, ``""`` for the top."""
    whole = ((f"/{file}", f"/{name}") for file in files for name in names)
    return {file.removesuffix(name)[1:] for file, name in whole if file.endswith(name)}


def _below(files: Mapping[str, bytes], base: str) -> dict[str, bytes]:
    prefix = f"{base}/" if base else ""
    return {n[len(prefix) :]: data for n, data in files.items() if n.startswith(prefix)}
