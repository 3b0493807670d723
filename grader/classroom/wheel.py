"""The learner's wheel: the grader, and of the course what a release holds; no source of it.

`pip install -r requirements.txt` in a bundle installs it, from the bundle itself. It has no
`solutions/`, no `exercises/` and no suite: what makes answers is not there, and the key in it is
the public one.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import zipfile
from collections.abc import Iterator

import numpy as np

from .. import __version__, root
from ..about import COURSE

OLDEST_NUMPY, OLDEST_PYTHON = "1.26", "3.10"
WHEN = (1980, 1, 1, 0, 0, 0)  # the same bytes whenever it is made
ENDINGS = (".py", ".json", ".md", ".html", "py.typed")
METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: The grader, and what this release of the course hands out
Requires-Python: >={python}
Requires-Dist: {numpy}
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: grader release\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY = "[console_scripts]\ngrader = grader.cli:main\n"


def numpy_range() -> str:
    """The versions of NumPy that a learner may have: any that this Python's pip finds fits."""
    major = np.__version__.partition(".")[0]
    return f"numpy>={OLDEST_NUMPY},<{int(major) + 1}" if major.isdigit() else "numpy"


def learner_wheel(course: dict[str, bytes], chapter: str) -> tuple[str, bytes]:
    """The wheel's file name, and its bytes.

    Args:
        course: what becomes `grader/_course/`, by its path there.
        chapter: names the release in the version, with a digest of all that is in it: pip installs
            a later one over an earlier one.
    """
    files = {f"grader/{name}": data for name, data in grader_files()}
    files |= {f"grader/_course/{name}": data for name, data in course.items()}
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    version = f"{__version__}+{chapter}.{digest.hexdigest()[:8]}"
    base = f"{COURSE.distribution.replace('-', '_')}-{version}"
    metadata = METADATA.format(
        name=COURSE.distribution, version=version, python=OLDEST_PYTHON, numpy=numpy_range()
    )
    told = {"METADATA": metadata, "WHEEL": WHEEL, "entry_points.txt": ENTRY}
    files |= {f"{base}.dist-info/{name}": text.encode() for name, text in told.items()}
    record = f"{base}.dist-info/RECORD"
    rows = [f"{name},{_hash(data)},{len(data)}" for name, data in sorted(files.items())]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    return f"{base}-py3-none-any.whl", zipped(files)


def _hash(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}"


def grader_files() -> Iterator[tuple[str, bytes]]:
    """The files of the grader itself, without its course."""
    for base, folders, names in os.walk(root.PACKAGE):
        folders[:] = sorted(f for f in folders if f not in ("__pycache__", "_course"))
        for name in sorted(n for n in names if n.endswith(ENDINGS)):
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, root.PACKAGE).replace(os.sep, "/"), file.read()


def zipped(files: dict[str, bytes], executable: frozenset[str] = frozenset()) -> bytes:
    """An archive that is the same whenever it is made."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, WHEN)
            info.external_attr = (0o100755 if name in executable else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()
