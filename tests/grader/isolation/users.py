"""Packages to judge, and as whom they are judged."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader import memo, root

from ..caches import fill


def as_user(
    place: Path, user: Callable[..., list[str]], *arguments: str, **env: str
) -> dict[str, Any]:
    done = subprocess.run(
        user(sys.executable, "-m", "grader", "check", "chapter3.div.forward", "--json", *arguments),
        env={**os.environ, "PYTHONPATH": root.ROOT, "XDG_CACHE_HOME": str(place / "cache"), **env},
        capture_output=True, text=True, timeout=600, check=False, cwd=place,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def copy_key(folder: Path, owner: int = -1) -> None:
    """The key of chapter 3 as another user's own, in ``folder`` as a cache; made if need be."""
    target = folder / "babygrad-course"
    fill(target)
    if os.getuid() == 0 and owner >= 0:
        for path in (target, *target.rglob("*")):
            os.chown(path, owner, owner)


def written(place: Path, text: str) -> str:
    """A package of which importing `ops` runs ``text``; a new folder each time."""
    folder = Path(tempfile.mkdtemp(dir=place))
    shutil.copytree(os.path.join(root.ROOT, "solutions", "babygrad"), folder / "babygrad")
    (folder / "babygrad" / "ops.py").write_text(text)
    for name in ("victim", "spare"):
        (folder / name).write_text("precious")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777)
    return str(folder)


def me(place: Path) -> Callable[..., dict[str, Any]]:
    if os.getuid() == 0:  # nobody owns the copy of the key
        return lambda *words, **env: as_user(
            place, lambda *c: list(c), *words, XDG_CACHE_HOME=os.path.dirname(memo.folder()), **env
        )
    return lambda *words, **env: as_user(place, lambda *c: list(c), *words, **env)
