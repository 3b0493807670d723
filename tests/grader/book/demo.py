"""A figure on its open page, as tests drive it."""

from __future__ import annotations

import numpy as np

from grader.course import import_reference

PAGES = {
    "transpose": "chapter3", "sum": "chapter3", "matmul": "chapter3", "im2col": "chapter10",
    "dilate": "chapter10", "moons": "chapter1", "deep": "chapter7", "batch": "chapter4",
    "attention": "chapter14", "modes": "chapter13", "memory": "chapter13", "resume": "chapter8",
    "stopping": "chapter9", "trial": "chapter12", "loader": "chapter6", "alias": "chapter2",
    "walks": "chapter11", "passes": "chapter15", "buffers": "chapter15",
    "paths": "chapter11", "forget": "chapter8",
    "cache": "chapter16", "step": "chapter12", "tokens": "chapter14", "block": "chapter14",
    "spread": "chapter7", "means": "chapter9", "idx": "chapter6",
    "ravine": "chapter5", "clip": "chapter5", "schedules": "chapter5",
    "strides": "chapter17", "lines": "chapter17",
}  # fmt: skip


class Figure:
    """One figure on its open page."""

    def __init__(self, page, name):
        self.page, self.name = page, name
        self.at = page.locator(f"#figure-{name}")
        self.at.scroll_into_view_if_needed()

    def choose(self, label):
        self.at.get_by_role("button", name=label, exact=True).click()

    def slider(self, label):
        return self.at.locator("label", has_text=label).locator("input")

    def data(self, name):
        return self.at.get_attribute(f"data-{name}")

    def numbers(self, kind=""):
        """Return the numbers in the figure's boxes, all or those of a kind."""
        said = self.at.locator(f".fig-box{kind} text").all_text_contents()
        return [float(text.replace("−", "-")) for text in said if text]

    def computed(self, call, *given):
        return self.page.evaluate(f"(given) => BookFigures.{call}(...given)", list(given))


def tensor(values):
    return import_reference().Tensor(np.asarray(values, dtype=float), dtype="float64")
