"""Barriers to readers who hear a page, or speak to it."""

from __future__ import annotations

import re
from typing import Any

import pytest

# Of each visible button with a name of its own: the name, and what it shows.
BUTTONS = """() => [...document.querySelectorAll("[role=button][aria-label], button[aria-label]")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.ariaLabel, each instanceof HTMLElement ? each.innerText
    : [...each.querySelectorAll("text")].map((text) => text.textContent).join(" ")])"""


def find_barriers(page: Any, within: str | None = None) -> list[tuple[str, ...]]:
    """Return the serious findings of axe on an open page, or in the elements of a selector."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page, within, options={"preload": False}).response["violations"]
    return [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"])
        for each in found
        if each["impact"] in ("serious", "critical")
    ] + [("unlike what it shows", name, shown) for name, shown in find_unlike(page)]


def find_unlike(page: Any) -> list[tuple[str, str]]:
    """Return name and text of each button whose name lacks the words that it shows, in their order:
    a reader who speaks to the page says what is seen. What stands in brackets only explains."""
    return [
        (name, shown)
        for name, shown in page.evaluate(BUTTONS)
        if _words(shown) and f" {_words(shown)} " not in f" {_words(name)} "
    ]


def _words(text: str) -> str:
    return " ".join(re.findall(r"[\w.]+", re.sub(r"\([^()]*\)", " ", text).lower()))
