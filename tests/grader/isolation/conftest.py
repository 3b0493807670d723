"""Folders and users with which isolation is tried."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import unprivileged
from .users import as_user, copy_key


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that every user can reach and write to, with a copy of the key for nobody."""
    folder = Path(tempfile.mkdtemp(prefix="grader-isolation-"))
    folder.chmod(0o777)
    copy_key(folder / "cache", unprivileged.NOBODY)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def nobody(place: Path) -> Callable[..., dict[str, Any]]:
    reason = unprivileged.why_not()
    if reason:
        pytest.skip(reason)
    return lambda *words, **env: as_user(place, unprivileged.command, *words, **env)
