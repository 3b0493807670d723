"""Compare the counted costs of calls with the record: every Python and NumPy must count the same.

    python -m tests.grader.costs            where this Python and this NumPy count otherwise
    python -m tests.grader.costs --record   writes down what they count

Counted is the probe of each check that has `costs`, run by the reference, by the variants of the
chapter and by the mistakes of the exercise. `.ci/matrix` asks every Python of a machine.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from grader.course import PUBLIC_SEED, Chapter, Check
from grader.course.build_chapter import ChapterBuild
from grader.course.compare import COST, cost_figures
from grader.course.load import Course, read_course
from grader.sandbox.launch import ForkServer

RECORD = Path(__file__).with_suffix(".json")
Costs = dict[str, dict[str, dict[str, int] | str]]  # check → who → figures, or what was raised


class OfCosts(Course):
    """A course reduced to the checks that count costs."""

    def checks(self, chapter: Chapter, seed: str) -> list[Check]:
        return [check for check in super().checks(chapter, seed) if check.costs]


def counted() -> Costs:
    """Return the costs that this Python and this NumPy count."""
    course = read_course()
    course = OfCosts(course.chapters, course.solutions)
    with ForkServer() as fork_server:
        builds = [ChapterBuild(course, c, PUBLIC_SEED, fork_server.fork) for c in course.chapters]
        return {id: who for build in builds if build.probes for id, who in _counted(build).items()}


def _counted(build: ChapterBuild) -> Costs:
    """Return the costs of one chapter's checks."""
    found: Costs = {check.id: {} for check in build.checks}
    for who, exercises, sources in packages(build):
        observations = build.run(sources).observations
        for number, check in enumerate(build.checks):
            got = observations[number]
            if check.exercise in exercises:
                spent, ended = got.parts.get(COST), got.texts.get("type", got.kind)
                found[check.id][who] = cost_figures(spent[0]) if spent else ended
    return found


def packages(build: ChapterBuild) -> Iterator[tuple[str, set[str], dict[str, str]]]:
    """Yield each package to count: its label, the exercises it is about, and its sources."""
    course, owners = build.course, set(build.owners)
    yield "reference", owners, course.solved()
    for variant in build.chapter.variants:
        yield f"variant: {variant.name}", owners, course.with_variant(variant)
    for exercise in map(course.exercises.__getitem__, sorted(owners)):
        for mistake in exercise.mistakes:
            target = mistake.target or exercise.targets[0]
            yield (
                f"mistake: {mistake.name}",
                {exercise.id},
                course.replace_bodies({target: mistake.body}),
            )


def differences(recorded: Costs, now: Costs) -> Iterator[str]:
    """Yield a line for each cost that differs from the record."""
    for check in sorted({*recorded, *now}):
        before, after = recorded.get(check, {}), now.get(check, {})
        for who in sorted({*before, *after}):
            if before.get(who) != after.get(who):
                yield f"{check}, {who}: {after.get(who)}, recorded is {before.get(who)}"


def read() -> Costs:
    return dict(json.loads(RECORD.read_text(encoding="utf-8")))


def text_of(costs: Costs) -> str:
    """Write each row on a line of its own, so that a review shows which row changed."""
    checks = []
    for check, rows in costs.items():
        lines = (f"  {json.dumps(who)}: {json.dumps(each)}" for who, each in rows.items())
        checks.append(f"{json.dumps(check)}: {{\n" + ",\n".join(lines) + "}")
    return "{" + ",\n".join(checks) + "}\n"


def main() -> int:
    now = counted()
    if "--record" in sys.argv:
        RECORD.write_text(text_of(now), encoding="utf-8")
    found = list(differences(read(), now))
    rows = sum(map(len, now.values()))
    where = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(*found, f"{where}: {rows} costs, {len(found)} are not as recorded.", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
