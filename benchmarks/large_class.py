"""A large class, end to end: right, wrong, hanging, crashing and unreadable hand-ins.

It tests five claims: every hand-in has exactly one row; a batch killed twice with -9 gives the same
marks as an undisturbed one; a submission costs no more in a large class than in a small one; a
record is small; and insights need constant memory.

    python benchmarks/large_class.py [--count 10000] [--small 100] [--jobs 2] [--folder DIR]

A large class takes hours. With `--folder` you can stop it at any time and continue with the same
command, so it can run on a machine with other work:

    nice -n 10 python benchmarks/large_class.py --folder DIR 2>> progress.txt &

`--cluster` skips all of that, and compares Dask on this machine with the pool. `--insights N` skips
the grading: it makes N records from one judged record, and shows the memory of `grader insights`
for a class of that size."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from processor import take_in, used

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRADER = [sys.executable, "-c", "from grader.cli import main; main()"]
CHAPTER = "chapter7"
KINDS = ("right", "wrong", "wrong", "wrong", "crashing", "hanging", "unreadable", "right")
GOALS = {"ratio": 1.15, "kilobytes": 20.0, "megabytes": 150.0, "cluster": 1.3}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--small", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--insights", type=int, default=0)
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--folder", help="where all is kept, to go on there the next time")
    options = parser.parse_args()
    take_in()
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
        run(options.folder, options)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(folder, options)


def run(folder: str, options: argparse.Namespace) -> None:
    hand_in(folder, "first", 1)
    grade(folder, "first", "first.out", 1)  # who is first builds the key
    if options.insights:
        hand_in(folder, "few", 8)
        grade(folder, "few", "few.out", options.jobs)
        copies(folder, options.insights)
        memory(folder, "many.out", options.insights)
        return
    hand_in(folder, "few", options.small)
    if options.cluster:
        beside_the_pool(folder, options)
        return
    hand_in(folder, "many", options.count)
    few = measured(folder, "few", options.small, options.jobs)
    many = measured(folder, "many", options.count, options.jobs)
    few_each, many_each = (part["seconds"] / part["judged"] for part in (few, many))
    print(f"a submission, of {options.count:<6} {many_each / few_each:6.2f} × one of "
          f"{options.small}, in processor time (goal ≤ {GOALS['ratio']})")  # fmt: skip
    print(f"the main process        {many['peak']:6.0f} MB at most, beside {few['peak']:.0f} MB "
          f"for {options.small}")  # fmt: skip
    memory(folder, "many.out", options.count)
    killed(folder, options)
    assert marks(folder, "killed.out") == marks(folder, "many.out")
    rows = len(marks(folder, "many.out"))
    assert rows == options.count, f"{rows} rows for {options.count} hand-ins"
    print(f"rows                    {rows}, the same marks after two kills")


def measured(folder: str, name: str, count: int, jobs: int) -> dict[str, float]:
    """Return the cost of judging a class, in one run or several; only judged records count."""
    place = os.path.join(folder, f"{name}.figures.json")
    out = os.path.join(folder, f"{name}.out", "learners")
    found = {"seconds": 0.0, "judged": 0, "peak": 0.0}
    if os.path.exists(place):
        with open(place, encoding="utf-8") as file:
            found = json.load(file)
    before = finished(out)
    if before < count or not found["judged"]:
        seconds, peak = grade(folder, name, f"{name}.out", jobs)
        found["seconds"] += seconds
        found["judged"] += finished(out) - before
        found["peak"] = max(found["peak"], peak)
        with open(place, "w", encoding="utf-8") as file:
            json.dump(found, file)
    return found


def finished(learners: str) -> int:
    """Count the records."""
    return len(os.listdir(learners)) if os.path.isdir(learners) else 0


def hand_in(folder: str, name: str, count: int) -> None:
    """A class; no two hand in the same bytes."""
    sys.path.insert(0, ROOT)
    from grader.course.load import read_course

    course = read_course()
    asked = [e for e in course.exercises.values() if e.chapter == CHAPTER and not e.given]
    mistakes = [(m.target or e.targets[0], m.body) for e in asked for m in e.mistakes]
    body = {"crashing": "raise ValueError(1)", "hanging": "while True: pass"}
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        target, wrong = mistakes[number % len(mistakes)]
        bodies = {"right": {}, "wrong": {target: wrong}}.get(
            kind, {asked[0].targets[0]: body.get(kind, "")} if kind in body else None
        )
        place = os.path.join(folder, name, f"s{number:05}", "babygrad")
        if os.path.exists(place):
            continue
        os.makedirs(place)
        texts = course.replace_bodies(bodies) if bodies is not None else {}
        for file, text in texts.items():
            os.makedirs(os.path.dirname(os.path.join(place, file)), exist_ok=True)
            with open(os.path.join(place, file), "w", encoding="utf-8") as out:
                out.write(f"{text}# {number}\n")


def command(folder: str, name: str, out: str, jobs: int) -> list[str]:
    return [
        *GRADER, "grade", os.path.join(folder, name), "--out", os.path.join(folder, out),
        "--seed", "public", "--chapters", CHAPTER, "--jobs", str(jobs),
    ]  # fmt: skip


def grade(folder: str, name: str, out: str, jobs: int, *more: str) -> tuple[float, float]:
    """Seconds of the processor, of all processes (a busy machine takes no more of them), and the
    most megabytes of the main one; says on stderr how far it is.

    An unreadable hand-in makes the status 1.
    """
    started, told, peak = used(), time.monotonic(), 0.0
    learners, log = (os.path.join(folder, each) for each in (f"{out}/learners", f"{out}.log"))
    with open(log, "w", encoding="utf-8") as errors:
        batch = subprocess.Popen(
            [*command(folder, name, out, jobs), *more], env={**os.environ, "PYTHONPATH": ROOT},
            stdout=subprocess.DEVNULL, stderr=errors,
        )  # fmt: skip
        while batch.poll() is None:
            peak = max(peak, megabytes(batch.pid))
            if time.monotonic() > told + 30:
                told = time.monotonic()
                say(f"{name}: {finished(learners)} judged, {peak:.0f} MB")
            time.sleep(0.2)
    with open(log, encoding="utf-8") as errors:
        assert batch.returncode in (0, 1), errors.read()
    return used() - started, peak


def megabytes(pid: int) -> float:
    """The most memory that a process had so far; 0 where nobody knows."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            lines = [line.split() for line in file]
    except OSError:
        return 0.0
    return next((int(line[1]) / 1024 for line in lines if line[0] == "VmHWM:"), 0.0)


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def beside_the_pool(folder: str, options: argparse.Namespace) -> None:
    """Compare the processor time of the pool and of Dask for the same class, in turns."""
    ratios = []
    for turn in range(options.turns):
        pool, _ = grade(folder, "few", f"pool{turn}", options.jobs)
        dask, _ = grade(folder, "few", f"dask{turn}", options.jobs, "--cluster", "local")
        say(f"turn {turn + 1}: {dask / pool:.2f}")
        assert marks(folder, f"pool{turn}") == marks(folder, f"dask{turn}")
        ratios.append(dask / pool)
    print(f"{options.small} on LocalCluster       {statistics.median(ratios):6.2f} × the pool's "
          f"processor time, median of {len(ratios)} (goal ≤ {GOALS['cluster']})")  # fmt: skip


def killed(folder: str, options: argparse.Namespace) -> None:
    """Kill the same batch with -9 after a third and after two thirds, and start it again."""
    learners = os.path.join(folder, "killed.out", "learners")
    for part in (1, 2):
        if finished(learners) > part * options.count / 3:
            continue  # it was ended here the last time
        batch = subprocess.Popen(
            command(folder, "many", "killed.out", options.jobs),
            env={**os.environ, "PYTHONPATH": ROOT}, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while batch.poll() is None and finished(learners) <= part * options.count / 3:
            time.sleep(0.2)
        batch.send_signal(signal.SIGKILL)
        assert batch.wait() == -signal.SIGKILL, "it was over before it could be killed"
    grade(folder, "many", "killed.out", options.jobs)


def marks(folder: str, out: str) -> dict[str, object]:
    path = os.path.join(folder, out, "results.jsonl")
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = {row["learner"]: (row["status"], row["mark"], row["sha256"]) for row in rows}
    assert len(found) == len(rows), "a learner has two rows"
    return found


def copies(folder: str, count: int) -> None:
    """Records of a class that was not judged: those of a small one, under many names."""
    from grader.classroom.analysis.similar import encode_fingerprints

    source, out = (os.path.join(folder, n, "learners") for n in ("few.out", "many.out"))
    records = []
    for name in sorted(os.listdir(source)):
        with gzip.open(os.path.join(source, name)) as file:
            records.append(file.read())
    os.makedirs(out, exist_ok=True)
    for number in range(count):
        record = json.loads(records[number % len(records)])
        record["learner"] = name = f"s{number:05}"
        # Everybody has 150 fingerprints of their own, and every fifth shares those of a neighbour.
        drawn = random.Random(number - (number % 5 == 0))
        record["prints"] = {
            "init.draw": encode_fingerprints({drawn.randrange(2**32) for _ in range(150)})
        }
        for chapter in (record["result"] or {"chapters": []})["chapters"]:
            for e in chapter["exercises"]:
                for check in e["checks"]:
                    check["yours"] = check["yours"] and [number]  # everybody is wrong alone
        with gzip.open(os.path.join(out, f"{name}.json.gz"), "wt") as file:
            json.dump(record, file)


def memory(folder: str, out: str, count: int) -> None:
    """Print the peak memory of `grader insights` and the sizes of its page and of a record."""
    page = os.path.join(folder, "map.html")
    insights = subprocess.Popen(
        [*GRADER, "insights", os.path.join(folder, out), "--html", page],
        env={**os.environ, "PYTHONPATH": ROOT}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(insights.pid, 0)  # of this process alone
    insights.returncode = os.waitstatus_to_exitcode(status)
    assert not insights.returncode, f"insights ended with status {insights.returncode}"
    most = usage.ru_maxrss / 1024
    learners = os.path.join(folder, out, "learners")
    sizes = [e.stat().st_size for e in os.scandir(learners)]
    print(f"insights of {count:<8}    {most:6.0f} MB at most "
          f"(goal ≤ {GOALS['megabytes']:.0f})")  # fmt: skip
    print(f"its page                {os.path.getsize(page) / 1e6:6.1f} MB")
    print(f"a record                {sum(sizes) / len(sizes) / 1e3:6.1f} KB on the mean, "
          f"{max(sizes) / 1e3:.1f} at most (goal ≤ {GOALS['kilobytes']:.0f})")  # fmt: skip


if __name__ == "__main__":
    main()
