"""The reference's engines, loaded beside whatever a process has imported."""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType

from .. import root
from ..about import COURSE


def package() -> ModuleType:
    """The reference package, under a name of its own."""
    folder = root.path("solutions", COURSE.name)
    name = f"reference_{COURSE.name}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def part(name: str) -> ModuleType:
    """A module of the reference package: ``nn``, ``init``."""
    return importlib.import_module(f"{package().__name__}.{name}")
