"""Puts the course into the wheel as data of `grader`.

With `GRADER_WITH_KEY=1` the answer key and the book come ready built, which a wheel for publication
has; pip then installs what builds them, for the build alone. Without it each chapter's part of the
key is made when somebody checks that chapter, and the book when somebody opens it. An editable
install needs none of this: it finds the course in the repository. The addresses in a release's
metadata are those of `course.json`.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

WITH_KEY = os.environ.get("GRADER_WITH_KEY") == "1"
COURSE = ("chapters", "examples", "exercises", "solutions", "tests")
NOT_DATA = (
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

    def dependencies(self) -> list[str]:
        """Return the libraries that the build needs beside hatchling."""
        project = self.metadata.core
        needed = [*project.dependencies, *project.optional_dependencies["book"]]
        return needed if WITH_KEY else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from grader import about
        from grader.products import has_product

        included = build_data["force_include"]
        if WITH_KEY:
            self.build_key_and_book(included)
        names = about.metadata_files()
        if has_product("book"):
            from grader.book import ACCESS

            names = [ACCESS, *names]
        for name in names:
            included[os.path.join(self.root, name)] = f"grader/_course/{name}"
        for folder in COURSE:
            for base, _, names in os.walk(os.path.join(self.root, folder)):
                for name in names:
                    path = os.path.join(base, name)
                    inside = os.path.relpath(path, self.root)
                    ignored = self.build_config.path_is_excluded(inside)  # by .gitignore
                    if not ignored and not any(part in inside for part in NOT_DATA):
                        included[path] = f"grader/_course/{inside}"

    def build_key_and_book(self, included: dict[str, str]) -> None:
        """Build the key and the book ahead of their first use."""
        from grader.book.site import build_site
        from grader.course.load import read_course
        from grader.course.make_key import make

        key, book = (os.path.join(self.directory, name) for name in ("answers.key", "book"))
        make(key)
        build_site(read_course(), book)
        included |= {key: "grader/_course/answers.key", book: "grader/_course/book"}
