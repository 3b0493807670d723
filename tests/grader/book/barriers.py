"""What stands in the way of readers who hear a page, or speak to it: the findings of axe."""

from __future__ import annotations

from typing import Any

import pytest

# Off in axe unless it is asked for: a reader who speaks says what is seen.
OPTIONS = {"preload": False, "rules": {"label-content-name-mismatch": {"enabled": True}}}


def find_barriers(page: Any, within: str | None = None) -> list[tuple[str, ...]]:
    """Return the serious barriers of an open page, or of the elements of a selector."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page, within, options=OPTIONS).response["violations"]
    return [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
