"""Puts the course into the wheel as data of `grader`, with its book ready built.

With `GRADER_WITH_KEY=1` the answer key comes ready built too, which a wheel for publication has;
without it each chapter's part is made when somebody checks that chapter. An editable install needs
none of this: it finds the course in the repository. The addresses in a release's metadata are those
of `course.json`.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

WITH_KEY = "GRADER_WITH_KEY"
COURSE = ("chapters", "examples", "exercises", "solutions", "tests")
NOT_DATA = (
    "__pycache__",
    os.path.join("examples", "graphs_and_sorting"),
    os.path.join("examples", "own_course"),
    os.path.join("tests", "grader"),
    os.path.join("tests", "hostile"),
    os.path.join("tests", "conftest.py"),
)


class AddressHook(MetadataHookInterface):
    """Tells the index where the course lies."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from grader.about import COURSE

        if COURSE.repository:
            metadata["urls"] = {"Repository": COURSE.repository}


class CourseHook(BuildHookInterface):
    """Adds `grader/_course/` to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from grader import about
        from grader.book.site import build
        from grader.course.load import load

        book = os.path.join(self.directory, "book")
        build(load(), book)
        included = build_data["force_include"]
        if os.environ.get(WITH_KEY) == "1":
            from grader.course.make_key import make

            place = os.path.join(self.directory, "answers.key")
            make(place)
            included[place] = "grader/_course/answers.key"
        included[book] = "grader/_course/book"
        for name in about.files():
            included[os.path.join(self.root, name)] = f"grader/_course/{name}"
        for folder in COURSE:
            for base, _, names in os.walk(os.path.join(self.root, folder)):
                for name in names:
                    path = os.path.join(base, name)
                    inside = os.path.relpath(path, self.root)
                    if not any(part in inside for part in NOT_DATA):
                        included[path] = f"grader/_course/{inside}"
