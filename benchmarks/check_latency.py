"""Time `grader check chapter3` as a multiple of `python -c "import numpy"`.

Both commands run in turn, as whole processes, in one run. We quote the median of the ratios, pair
by pair, so a slow phase of the machine slows both. Peak memory is that of the grader and its worker
added up. The cold run builds the answer key first.

The floor is a lower bound: one Python starts another one, isolated and with one BLAS thread, which
imports NumPy as the worker does, and the learner's package of this chapter. It runs no program and
judges nothing. A second floor also runs the code of the chapter's probes: the learner's code with
the programs that call it, one after the other, without clock, guard or answer. The cache of the run
keeps the bytecode under any setting of the shell, because an installed grader is compiled once,
too.

`--commands` measures every other command instead, as processor time with all its processes, which a
busy machine does not stretch; with `--beside DIR` those of another tree take turns with them. The
workspace is a new one that begins at chapter 3.

    python benchmarks/check_latency.py [--runs 15]
    python benchmarks/check_latency.py --commands [--beside DIR] [--runs 15]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processor import spend, take_in

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHECK = [
    sys.executable, "-c", "from grader.cli import main; main()", "check", "chapter3",
    "--package", os.path.join(ROOT, "solutions"),
]  # fmt: skip
NUMPY = [sys.executable, "-c", "import numpy"]
WORKER = os.path.join(ROOT, "grader", "sandbox", "worker")
# The worker's own way to the learner's code: `-I -S`, and NumPy by its place, as far as it is used.
INSIDE = """
import sys
sys.path[:0] = sys.argv[1:]
import importer
importer.import_numpy()
import babygrad.ops, babygrad.tensor
"""
OUTSIDE = """
import os, sys
inside, *arguments = sys.argv[1:]
numpy = os.path.dirname(os.path.dirname(sys.meta_path[-1].find_spec("numpy").origin))
command = [sys.executable, "-I", "-S", "-B", "-c", inside, numpy, *arguments]
child = os.posix_spawn(sys.executable, command, {"OPENBLAS_NUM_THREADS": "1"})
sys.exit(os.waitpid(child, 0)[1])
"""
FLOOR = [sys.executable, "-c", OUTSIDE, INSIDE, WORKER, os.path.join(ROOT, "solutions")]
# What a worker is asked first of all, written down by a check that is one in all else.
ASKED = """
import marshal, sys
from grader.cli import main
from grader.sandbox.channel import Channel
send, place = Channel.send, sys.argv.pop()
def noted(self, request):
    with open(place, "wb") as file:
        marshal.dump(request, file)
    Channel.send = send
    send(self, request)
Channel.send = noted
main()
"""
PROBED = """
import marshal, sys
from importlib import import_module
sys.path[:0] = sys.argv[1:3]
with open(sys.argv[3], "rb") as file:
    asked = marshal.load(file)
import importer
importer.import_numpy()
import tamper_guard, wire
mine = importer.TextFinder(asked["course"]["name"], asked["folder"], asked["files"])
unguarded = dict.fromkeys(tamper_guard.CallerGuards.NAMES, lambda: None)
codes = {
    file: tamper_guard.bind_guards(code, unguarded)
    for file, code in marshal.loads(asked["programs"]).items()
}
raised = 0
programs = importer.TextFinder("programs", "programs", dict.fromkeys(codes, b""), codes)
importer.install(mine)
importer.install(programs)
bg = import_module(mine.name)
for file in asked["modules"]:
    import_module(f"{mine.name}.{file[:-3].replace('/', '.')}")
for _, name, args, _, _ in asked["probes"]:
    module, _, function = name.partition(".")
    program = getattr(import_module(f"programs.{module}"), function)
    try:
        program(bg, *[wire.decode_argument(arg, asked["arrays"]) for arg in args])
    except Exception:
        raised += 1  # some have to
if raised > len(asked["probes"]) / 4:
    sys.exit(f"{raised} probes raised: this is no floor")
"""
GOAL_RATIO, GOAL_MEGABYTES = 1.85, 80
ID = "chapter3.div.backward"
EDITED = "status  # after an edit"
# Command line → its goal, as a multiple of `import numpy`; None: it has none.
COMMANDS: dict[str, float | None] = {
    "--help": 0.6, "status": 0.7, EDITED: 0.7, f"hint {ID}": 0.7, f"show {ID}": 0.7,
    "mistakes": 1, f"mistakes {ID}": 1, "check chapter3": None,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--commands", action="store_true", help="all others, in processor time")
    parser.add_argument("--beside", metavar="DIR", help="another tree, whose commands take turns")
    options = parser.parse_args()
    if options.commands:
        time_commands(options.runs, [ROOT, *filter(None, [options.beside])])
    else:
        time_check(options.runs)


def time_check(runs: int) -> None:
    with tempfile.TemporaryDirectory() as cache:
        environment = {
            **os.environ, "PYTHONPATH": ROOT, "XDG_CACHE_HOME": cache,
            "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": os.path.join(cache, "bytecode"),
        }  # fmt: skip
        cold = seconds(CHECK, environment)
        every = CHECK, probed(environment, cache), FLOOR, NUMPY
        turns = [[seconds(command, environment) for command in every] for _ in range(runs + 1)][1:]
        memory = peak_megabytes(environment)
    ratios = sorted(check / numpy for check, _, _, numpy in turns)
    numpy = statistics.median(turn[3] for turn in turns)
    floor = statistics.median(floor / numpy for _, _, floor, numpy in turns)
    second = statistics.median(probes / numpy for _, probes, _, numpy in turns)
    print(f"import numpy     {1000 * numpy:7.0f} ms (median of {runs})")
    middle = statistics.median(ratios)
    print(f"check, warm key  {middle:7.2f} × import numpy (goal ≤ {GOAL_RATIO})")
    print(f"                 from {ratios[0]:.2f} to {ratios[-1]:.2f}")
    print(f"floor            {floor:7.2f} × import numpy")
    print(f"with the probes  {second:7.2f} × import numpy")
    print(f"check, cold key  {cold / numpy:7.1f} × import numpy")
    print(f"peak memory      {memory:7.0f} MB, worker included (goal ≤ {GOAL_MEGABYTES})")


def time_commands(runs: int, trees: list[str]) -> None:
    """Print a line for each command: its median in each tree, beside `import numpy`."""
    sys.path.insert(0, ROOT)
    from grader.commands import TABLE

    take_in()
    goals = {**COMMANDS, **{f"{name} --help": None for name in TABLE}}
    with tempfile.TemporaryDirectory() as place:
        benches = [Bench(tree, Path(place, str(n))) for n, tree in enumerate(trees)]
        for bench in benches:
            for line in COMMANDS:
                bench.run(line)  # keys and bytecode are made before anything is timed
        turns = [
            [benches[0].numpy(), *(bench.run(line) for line in goals for bench in benches)]
            for _ in range(runs)
        ]
    numpy, *spent = map(statistics.median, zip(*turns, strict=True))
    print(f"import numpy {1000 * numpy:.0f} ms of processor time (median of {runs})")
    for n, (line, goal) in enumerate(goals.items()):
        mine = spent[n * len(trees) : (n + 1) * len(trees)]
        ratios = "  ".join(f"{each / numpy:6.2f} ×" for each in mine)
        print(f"{line:<32}{ratios}{f'   (goal ≤ {goal})' if goal else ''}")


class Bench:
    """A tree's grader, with a workspace of its own; answers are kept for all trees."""

    def __init__(self, tree: str, place: Path) -> None:
        self.work = place / "work"
        self.environment = {
            **os.environ, "PYTHONPATH": os.path.abspath(tree), "PYTHONDONTWRITEBYTECODE": "",
            "XDG_CACHE_HOME": str(place.parent), "PYTHONPYCACHEPREFIX": str(place / "bytecode"),
        }  # fmt: skip
        place.mkdir()
        self._spend(place, *CHECK[1:3], "init", "work", "--from", "chapter3")

    def numpy(self) -> float:
        return self._spend(self.work, *NUMPY[1:])

    def run(self, line: str) -> float:
        """Processor seconds of one command."""
        if line == EDITED:
            with open(self.work / "babygrad" / "ops.py", "a", encoding="utf-8") as file:
                file.write("#\n")
        return self._spend(self.work, *CHECK[1:3], *line.partition("  #")[0].split())

    def _spend(self, place: Path, *words: str) -> float:
        return spend([sys.executable, *words], place, self.environment)[0]


def probed(environment: dict[str, str], folder: str, chapter: str = "chapter3") -> list[str]:
    """The second floor, as a command."""
    place = os.path.join(folder, f"asked-{chapter}")
    command = [sys.executable, "-c", ASKED, "check", chapter, *CHECK[5:], place]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return [sys.executable, "-c", OUTSIDE, PROBED, WORKER, place]


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Wall time of one run."""
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}")
    return time.perf_counter() - started


# Runs `check` in a process and reports its own peak and that of the worker that it waited for.
MEASURED = """
import resource, sys
from grader.cli import run_command_line, early_worker
arguments = sys.argv[1:]
run_command_line(arguments, early_worker(arguments))
who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
print(sum(resource.getrusage(each).ru_maxrss for each in who), file=sys.stderr)
"""


def peak_megabytes(environment: dict[str, str]) -> float:
    """Peak resident memory of grader and worker, added."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *CHECK[3:]],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    unit = 1024 if sys.platform == "darwin" else 1
    return int(done.stderr.split()[-1]) / unit / 1024


if __name__ == "__main__":
    main()
