"""A figure of an answer: what goes through the model for each token, with a cache and without."""

from __future__ import annotations

from grader.course import import_reference

from .given import Described

WRITTEN = "to be or not"
MODEL = {"vocabulary": 80, "length": 64, "dim": 96, "heads": 4, "blocks": 3}


def cache() -> Described:
    """Token by token: the squares that are computed, and how many multiplications they take."""
    model = import_reference("gpt").GPT(**MODEL)
    return {"stages": [*stages(model, "without a cache", 0), *stages(model, "with a cache", 1)]}


def stages(model: object, title: str, kept: int) -> list[Described]:
    multiply_adds, done, found = import_reference("inference").multiply_adds, 0, []
    for count in range(1, len(WRITTEN) + 1):
        new = 1 if kept else count
        done += sum(multiply_adds(model, new, count - new).values())
        rows = []
        for at in range(1, len(WRITTEN) + 1):  # what is still to come shows as an outline
            square = "■" if at <= count else "□"
            squares = "·" * (at - 1) + square if kept else square * at
            mark = "lit" if at == count else "past" if at < count else ""
            rows.append([f"{WRITTEN[at - 1]!r}  {squares}", mark])
        computed = sum(row.count("■") for row, _ in rows)
        tokens = "1 token" if computed == 1 else f"{computed} tokens"
        says = (
            f"{title.capitalize()}, {count} written: {tokens} went through the model, with "
            f"{done:,} multiplications."
        )
        found.append({"title": f"{title}, {count}", "rows": rows, "says": says})
    return found
