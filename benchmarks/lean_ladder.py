"""From a textbook engine to the lean engine of chapter 11, one rung at a time.

Every rung is the engine of the rung below it with a few lines changed (`--show 5` prints which). It
trains the same network as benchmarks/engine_step.py: 2-16-16-2 with tanh, two moons, 64 points a
batch. All of them take turns in one run, beside NumPy by hand and PyTorch, and their losses must
agree before it times anything. It prints for each:

- the time of a step, in multiples of NumPy by hand: the fastest tenth of its blocks, as there;
- its gain: how many times as fast it is as the rung below it;
- the calls of Python functions in one step, a number that no neighbour on the machine disturbs.

    python benchmarks/lean_ladder.py [--turns 300]      the whole ladder
    python benchmarks/lean_ladder.py --profile 2        where the time of rung 2 goes
    python benchmarks/lean_ladder.py --show 3           what rung 3 changes
"""

from __future__ import annotations

import argparse
import cProfile
import difflib
import importlib.util
import os
import pstats
import sys
from types import FrameType
from typing import Any

import engine_step
import numpy as np
from ladder import rungs

LAST = "lean.py"
NAMES = [f"{number} {rung.name}" for number, rung in enumerate(rungs.RUNGS)]
NAMES.append(f"{len(NAMES)} {LAST}: no search, no objects for ops")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=300, help="blocks of each rung")
    parser.add_argument("--block", type=int, default=5, help="steps in a block")
    parser.add_argument("--hidden", type=int, default=16, help="width of the inner layers")
    parser.add_argument("--package", default=os.path.join(engine_step.ROOT, "solutions"))
    parser.add_argument("--profile", type=int, metavar="RUNG", help="where its time goes")
    parser.add_argument("--show", type=int, metavar="RUNG", help="what it changes")
    options = parser.parse_args()
    for asked in (options.show, options.profile):
        if asked is not None and not 0 <= asked < len(NAMES):
            sys.exit(f"There are the rungs 0 to {len(NAMES) - 1}, and no rung {asked}.")
    engine_step.SIZES = (2, options.hidden, options.hidden, 2)
    sys.path.insert(0, options.package)
    if options.show is not None:
        print(changes(options.show))
        return
    bg = engine_step.load()
    batches = engine_step.moons(bg)
    ladder = networks(bg)
    if options.profile is not None:
        profile(list(ladder.values())[options.profile], batches)
        return
    steps = {engine_step.BY_HAND: engine_step.NumpyNetwork().step, **ladder}
    torch_step = engine_step.torch_network()
    if torch_step is not None:
        steps[engine_step.TORCH] = torch_step
    engine_step.agree(steps, *batches[0])
    counts = {name: count(step, *batches[0]) for name, step in ladder.items()}
    report(engine_step.measure(steps, batches, options.turns, options.block), counts)


def networks(bg: Any) -> dict[str, engine_step.Step]:
    """One step of training on each rung; the last one is the engine that the course gives."""
    weights = engine_step.first_weights
    steps = [e.Network(weights(), engine_step.RATE).step for e in rungs.engines()]
    steps.append(engine_step.LeanNetwork(bg).step)
    return dict(zip(NAMES, steps, strict=True))


def count(step: engine_step.Step, x: np.ndarray, y: np.ndarray) -> int:
    """Count the Python functions that one step calls; a first step does the one-time work."""
    calls = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        calls += event == "call"

    step(x, y)
    sys.setprofile(note)
    step(x, y)
    sys.setprofile(None)
    return calls - 1  # of `step` itself


def report(seconds: dict[str, list[float]], calls: dict[str, int]) -> None:
    quick = {name: engine_step.fastest_tenth(mine) for name, mine in seconds.items()}
    by_hand, first, last = quick[engine_step.BY_HAND], quick[NAMES[0]], quick[NAMES[-1]]
    print(f"{'':44} × NumPy    gain   Python calls")
    below = first
    for name in NAMES:
        gain = "" if name == NAMES[0] else f"{below / quick[name]:.2f} ×"
        print(f"{name:44} {quick[name] / by_hand:7.2f}  {gain:>6} {calls[name]:14}")
        below = quick[name]
    print(f"from the first rung to the last: {first / last:.1f} ×")
    if engine_step.TORCH in quick:
        told = quick[engine_step.TORCH]
        print(f"{engine_step.TORCH:44} {told / by_hand:7.2f}")
        print(f"the last rung is {told / last:.1f} × as fast as PyTorch")


def profile(step: engine_step.Step, batches: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """The functions that take most time of their own; cProfile makes calls look dearer."""
    recorder = cProfile.Profile()
    step(*batches[0])
    with recorder:
        for _ in range(30):
            for x, y in batches:
                step(x, y)
    rows = [
        (own, calls / (30 * len(batches)), f"{os.path.basename(file)}:{line} {name}")
        for (file, line, name), (_, calls, own, _, _) in pstats.Stats(recorder).stats.items()
    ]
    total = sum(own for own, _, _ in rows)
    print("share   calls a step   function")
    for own, calls, name in sorted(rows, reverse=True)[:12]:
        print(f"{own / total:5.1%}   {calls:12.1f}   {name}")


def changes(number: int) -> str:
    """The first rung and the last whole; of those between, how they differ from the rung below."""
    texts = rungs.sources()
    if number == len(texts):
        file = importlib.util.find_spec("babygrad.engines.lean")
        with open(str(file and file.origin), encoding="utf-8") as lean:
            return lean.read()
    if number == 0:
        return texts[0]
    pair = [text.splitlines() for text in texts[number - 1 : number + 1]]
    return "\n".join(difflib.unified_diff(*pair, NAMES[number - 1], NAMES[number], lineterm=""))


if __name__ == "__main__":
    main()
