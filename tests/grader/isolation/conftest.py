"""Folders and users with which isolation is tried."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader import root
from grader.session.isolation import CONFINED

from ..conftest import run_grader
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


@pytest.fixture(scope="module")
def confinable(place: Path) -> None:
    ran = run_grader("check", "chapter3.div", "--json", "--package", root.path("solutions"))
    if ran.result["isolation"]["level"] != CONFINED:
        pytest.skip(f"not held here: {', '.join(ran.result['isolation']['missing'])}")
