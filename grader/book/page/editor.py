"""The editor of a page that grades: CodeMirror as npm has it, a module per package, no bundler.

`npm/package-lock.json` says which versions, `npm install` checks their bytes. An import map tells
the page where each module lies. Without them a page has a plain text field.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from typing import Any

NPM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npm")
LOCK = os.path.join(NPM, "package-lock.json")
PYTHON = "pyodide"  # named in the same list, and no part of the editor
ABOUT, LICENCE = "package.json", "LICENSE"
FOLDER = "editor"  # of a site


def pinned() -> dict[str, str]:
    """Package → version: what the editor imports, and what that imports in its turn."""
    packages = _read(LOCK)["packages"]
    due = [name for name in packages[""]["dependencies"] if name != PYTHON]
    found: dict[str, str] = {}
    while due:
        name = due.pop()
        if name not in found:
            row = packages[f"node_modules/{name}"]
            found[name] = row["version"]
            due += row.get("dependencies", ())
    return dict(sorted(found.items()))


def lacking(place: str) -> list[str]:
    """The packages that a folder of npm has not, or has in another version, as words."""
    return [
        f"{name} {version}" + (f" (there is {there})" if there else "")
        for name, version in pinned().items()
        if (there := _version(place, name)) != version
    ]


def imports(place: str) -> dict[str, str]:
    """The import map: package → address of its module, seen from a page of the site."""
    return {
        name: f"./{FOLDER}/{name}/{os.path.basename(_module(place, name))}" for name in pinned()
    }


def beside(place: str, site: str) -> list[str]:
    """Put the modules, each with its licence, beside the pages; their names."""
    return list(_copied(place, site))


def _copied(place: str, site: str) -> Iterator[str]:
    for name in pinned():
        os.makedirs(os.path.join(site, FOLDER, name), exist_ok=True)
        for file in (_module(place, name), LICENCE):
            to = f"{FOLDER}/{name}/{os.path.basename(file)}"
            shutil.copyfile(os.path.join(_folder(place, name), file), os.path.join(site, to))
            yield to


def _module(place: str, name: str) -> str:
    """The file of a package that `import` reads."""
    return str(_read(os.path.join(_folder(place, name), ABOUT))["exports"]["import"])


def _version(place: str, name: str) -> str | None:
    try:
        return str(_read(os.path.join(_folder(place, name), ABOUT))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _folder(place: str, name: str) -> str:
    """Where a package lies: below the folder that was named, which may be `node_modules` itself."""
    below = os.path.join(place, "node_modules", name)
    return below if os.path.isdir(below) else os.path.join(place, name)


def _read(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)
