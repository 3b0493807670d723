"""The pictures that the examples leave, where matplotlib is installed; else one sentence.

A picture is a row of panels, and a panel is a function that draws into the axes it is given:

    pictures.save(args.plot, pictures.curves(loss=losses), pictures.confusion(labels, guesses))
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from typing import Any

Panel = Callable[[Any], None]
LIGHT, CLASSES = "0.85", ("tab:red", "tab:blue")


def options(parser: argparse.ArgumentParser, name: str) -> None:
    """Where the picture goes: into the current folder, unless somebody says otherwise."""
    parser.add_argument(
        "--plot", metavar="FILE.png", default=f"{name}.png",
        help="where the picture goes, if matplotlib is installed (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--no-plot", dest="plot", action="store_const", const=None, help="draw nothing"
    )


def save(path: str | None, *panels: Panel, instead: str = "") -> None:
    """Draw the panels side by side into a file. None draws nothing.

    ``instead`` is printed where matplotlib is missing.
    """
    if path is None:
        return
    # Where it is new on a machine it lists all fonts, and says so; nobody here has to know.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("No picture: matplotlib is not installed (pip install matplotlib).")
        print(instead, end="")
        return
    figure = Figure(figsize=(max(6, 4.4 * len(panels)), 4), layout="constrained")
    for panel, axes in zip(panels, figure.subplots(1, len(panels), squeeze=False)[0], strict=True):
        panel(axes)
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:  # no such folder, or an ending that is no picture
        raise SystemExit(f"The picture cannot be written to {path}: {error}.") from None
    print(f"picture written to {path}")


def curves(title: str, x: str, y: str, **lines: Sequence[float]) -> Panel:
    """Numbers over the rounds that gave them, counted from 1; a legend where there are several."""

    def draw(axes: Any) -> None:
        for name, values in lines.items():
            axes.plot(range(1, len(values) + 1), values, label=name.replace("_", " "), lw=1.6)
        axes.set(title=title, xlabel=x, ylabel=y, ylim=(0, None))
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(color=LIGHT)
        if len(lines) > 1:
            axes.legend()

    return draw


def boundary(title: str, predict: Callable[[Any], float], points: Any, labels: Any) -> Panel:
    """The probability of class 1 all over the plane, the line at one half, and the points."""

    def draw(axes: Any) -> None:
        columns = list(zip(*points, strict=True))
        xs, ys = (spread(min(column) - 0.5, max(column) + 0.5) for column in columns)
        heights = [[predict([x, y]) for x in xs] for y in ys]
        levels = [i / 20 for i in range(21)]
        axes.contourf(xs, ys, heights, levels=levels, cmap="RdBu", alpha=0.6)
        if min(map(min, heights)) < 0.5 < max(map(max, heights)):
            axes.contour(xs, ys, heights, levels=[0.5], colors="black")
        for label, colour in enumerate(CLASSES):
            mine = [p for p, each in zip(points, labels, strict=True) if each == label]
            if mine:
                axes.scatter(*zip(*mine, strict=True), c=colour, s=24, edgecolors="white",
                             linewidths=0.5, label=f"class {label}")  # fmt: skip
        axes.set(title=title, xlabel="first input", ylabel="second input")
        axes.legend(loc="lower left")

    return draw


def smooth(values: Sequence[float], width: int) -> list[float]:
    """The mean of each value and those before it, ``width`` of them where there are so many."""
    parts = (values[max(0, i - width) : i] for i in range(1, len(values) + 1))
    return [sum(part) / len(part) for part in parts]


def spread(low: float, high: float, count: int = 40) -> list[float]:
    """``count`` numbers from ``low`` to ``high``, at equal distances."""
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def confusion(labels: Any, guesses: Any, classes: int = 10) -> Panel:
    """How often each class (a row) was read as each (a column); mistakes in colour."""

    def draw(axes: Any) -> None:
        table = counts(labels, guesses, classes)
        wrong = [[0 if i == j else n for j, n in enumerate(row)] for i, row in enumerate(table)]
        most = max(1, *map(max, wrong))
        shades = [[n or float("nan") for n in row] for row in wrong]  # what never happened: white
        axes.imshow(shades, cmap="Reds", vmin=0, vmax=most)
        for i, row in enumerate(table):
            for j, n in enumerate(row):
                if n:
                    ink = "0.6" if i == j else "white" if n > most / 2 else "black"
                    axes.text(j, i, n, ha="center", va="center", color=ink, fontsize=8)
        axes.set(title="who is taken for whom", xlabel="read as", ylabel="is",
                 xticks=range(classes), yticks=range(classes))  # fmt: skip

    return draw


def counts(labels: Any, guesses: Any, classes: int = 10) -> list[list[int]]:
    """A row per class, in it how often that class was read as each."""
    table = [[0] * classes for _ in range(classes)]
    for label, guess in zip(labels, guesses, strict=True):
        table[int(label)][int(guess)] += 1
    return table


def in_words(labels: Any, guesses: Any, classes: int = 10) -> str:
    """The same as a sentence: how many are misread, and which mistake is the most frequent."""
    table = counts(labels, guesses, classes)
    wrong = [(n, i, j) for i, row in enumerate(table) for j, n in enumerate(row) if i != j and n]
    if not wrong:
        return "None is misread."
    n, i, j = max(wrong)
    total = sum(n for n, _, _ in wrong)
    if total == 1:
        return f"1 is misread: {i} as {j}."
    often = "once" if n == 1 else f"{n} times"
    return f"{total} are misread, most often {i} as {j} ({often})."


def images(title: str, pictures: Sequence[Any], captions: Sequence[str] = (), columns: int = 4,
           signed: bool = False) -> Panel:  # fmt: skip
    """Small square images in rows. ``signed``: blue above 0, red below, white at 0."""

    def draw(axes: Any) -> None:
        axes.set(title=title)
        axes.axis("off")
        rows = max(1, -(-len(pictures) // columns))
        for i, picture in enumerate(pictures):
            size = 1 / max(rows, columns)
            left, top = (i % columns) * size, 1 - (i // columns) * size
            # Below the upper edge of its place, where the caption goes.
            place = [left + 0.11 * size, top - 0.95 * size, 0.78 * size, 0.78 * size]
            inner = axes.inset_axes(place)
            most = abs(picture).max() or 1
            shades = {"cmap": "RdBu", "vmin": -most, "vmax": most} if signed else {"cmap": "gray_r"}
            inner.imshow(picture, **shades)
            inner.set(xticks=[], yticks=[])
            if captions:
                inner.set_title(captions[i], fontsize=7, pad=2)

    return draw


def bars(title: str, x: str, values: dict[str, float], limit: float) -> Panel:
    """A bar per name on a logarithmic axis, and a line that no bar should reach."""

    def draw(axes: Any) -> None:
        least = limit * 1e-8
        names = list(values)
        axes.barh(names, [max(values[name], least) for name in names], left=least / 10)
        axes.axvline(limit, color="tab:red", ls="--")
        axes.set(title=title, xlabel=x, xscale="log")
        axes.invert_yaxis()
        axes.tick_params(axis="y", labelsize=7)

    return draw
