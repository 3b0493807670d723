"""A course of eight exercises that return dicts, lists and sets of floats, written to a folder."""

from __future__ import annotations

import json
from pathlib import Path

# Function → its docstring, the reference's body, other right bodies, a mistake and its sentence.
EXERCISES = {
    "totals": (
        "The sum of each station's values.",
        "return {name: sum(values) for name, values in readings.items()}",
        ["return {n: sum(reversed(v)) for n, v in readings.items()}",
         "import numpy as np\nreturn {n: np.sum(v) for n, v in readings.items()}"],
        "return {name: sum(values[1:]) for name, values in readings.items()}",
    ),
    "means": (
        "The mean of each station's values.",
        "return {name: sum(values) / len(values) for name, values in readings.items()}",
        ["import statistics\nreturn {n: statistics.fmean(v) for n, v in readings.items()}",
         "return {n: sum(x / len(v) for x in v) for n, v in readings.items()}"],
        "return {name: sum(values) / (len(values) - 1) for name, values in readings.items()}",
    ),
    "shares": (
        "The share of all readings that each station's values add up to.",
        "total = sum(map(sum, readings.values()))\n"
        "return {name: sum(values) / total for name, values in readings.items()}",
        ["total = sum(x for v in readings.values() for x in v)\n"
         "return {n: sum(x / total for x in v) for n, v in readings.items()}"],
        "return {name: sum(values) for name, values in readings.items()}",
    ),
    "variances": (
        "The variance of each station's values.",
        "found = {}\nfor name, values in readings.items():\n    mean = sum(values) / len(values)\n"
        "    found[name] = sum((x - mean) ** 2 for x in values) / len(values)\nreturn found",
        ["import numpy as np\nreturn {n: np.var(v) for n, v in readings.items()}"],
        "import numpy as np\nreturn {n: np.std(v) for n, v in readings.items()}",
    ),
    "weighted": (
        "The mean of each station's values, the first counted once, the second twice, and so on.",
        "return {name: sum(n * x for n, x in enumerate(values, 1)) / sum(range(len(values) + 1))\n"
        "        for name, values in readings.items()}",
        ["import numpy as np\n"
         "return {n: np.average(v, weights=range(1, len(v) + 1)) for n, v in readings.items()}"],
        "return {name: sum(n * x for n, x in enumerate(values)) / sum(range(len(values) + 1))\n"
        "        for name, values in readings.items()}",
    ),
    "summaries": (
        "The mean and the number of each station's values, as ``mean`` and ``count``.",
        "return {name: {'mean': sum(values) / len(values), 'count': len(values)}\n"
        "        for name, values in readings.items()}",
        ["return {n: {'count': len(v), 'mean': sum(x / len(v) for x in v)}\n"
         "        for n, v in readings.items()}"],
        "return {name: {'mean': sum(values), 'count': len(values)}\n"
        "        for name, values in readings.items()}",
    ),
    "levels": (
        "The set of all stations' means.",
        "return {sum(values) / len(values) for values in readings.values()}",
        ["import numpy as np\nreturn {float(np.mean(v)) for v in readings.values()}"],
        "return {max(values) for values in readings.values()}",
    ),
    "ranking": (
        "A list of (station, total), the largest total first.",
        "found = [(sum(values), name) for name, values in readings.items()]\n"
        "return [(name, total) for total, name in sorted(found, reverse=True)]",
        ["import math\nfound = {n: math.fsum(v) for n, v in readings.items()}\n"
         "return sorted(found.items(), key=lambda each: -each[1])"],
        "found = [(sum(values), name) for name, values in readings.items()]\n"
        "return [(name, total) for total, name in sorted(found)]",
    ),
}  # fmt: skip

CHECKS = """
def checks(seed):
    for exercise in EVERY:
        for name in ("value", "other"):
            rng = rng_for(seed, f"{exercise.id} {name}")
            readings = {
                station: [round(rng.uniform(0.1, 30), 1) for _ in range(rng.randint(5, 9))]
                for station in "abcd"
            }
            right = RIGHT[exercise.title](readings)
            yield returns(exercise, name, (readings,), right, TAUGHT[exercise.title],
                          hidden=name == "other"COMPARE)
"""


def indent(body: str, by: str = "    ") -> str:
    return "\n".join(by + line for line in body.splitlines())


def write_course(folder: Path, compare: str = "") -> Path:
    """Write the course; with ``compare`` as more arguments of its checks."""
    solutions, rows, rights, taught = [], [], [], {}
    for name, (says, body, _, mistake) in EXERCISES.items():
        doc = f'def {name}(readings):\n    """{says}"""\n'
        region = f"    ### BEGIN SOLUTION\n{indent(body)}\n    ### END SOLUTION\n"
        solutions.append(f"{doc}{region}")
        rights.append(f"def right_{name}(readings):\n{indent(body)}\n")
        taught[name] = says.rstrip(".")
        rows.append(
            f'@exercise("chapter1.{name}", targets=("stations.{name}",), points=2,\n'
            f'          hints=("Do it by hand for one station.",))\nclass {name.upper()}:\n'
            f'    slip = body({mistake!r})\n    """You did not return what is asked for."""\n'
        )
    variants = [
        f'Variant("another order {n}", {dict(bodies)!r}),'
        for n, bodies in enumerate(iter_variants())
    ]
    every = ", ".join(map(str.upper, EXERCISES))
    exercises = "\n\n".join([
        "from grader.course import Chapter, Variant, body, exercise, returns, rng_for",
        *rows, *rights, f"EVERY = ({every})", f"TAUGHT = {taught!r}",
        f"RIGHT = {{{', '.join(f'{n!r}: right_{n}' for n in EXERCISES)}}}",
        f'CHAPTER = Chapter(id="chapter1", title="Stations", exercises=EVERY,\n'
        f"                  variants=({' '.join(variants)}))",
        CHECKS.replace("COMPARE", compare),
    ])  # fmt: skip
    about = {"schema": "grader-course/1", "name": "weather", "title": "Stations"}
    for name, text in {
        "course.json": json.dumps(about), "solutions/weather/stations.py": "\n\n".join(solutions),
        "exercises/chapter1.py": exercises,
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def iter_variants():
    """Yield target → body of every other right solution, one of each exercise at a time."""
    for number in range(max(len(each[2]) for each in EXERCISES.values())):
        yield {
            f"stations.{name}": bodies[number]
            for name, (_, _, bodies, _) in EXERCISES.items()
            if number < len(bodies)
        }
