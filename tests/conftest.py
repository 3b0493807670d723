"""Choose which tests run, and by how many processes.

No test process builds anything before a test asks for it: a key is made chapter by chapter, and of
processes that ask for the same chapter one makes it.
"""

from __future__ import annotations

import collections
import gc
import hashlib
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import pytest

Item = TypeVar("Item")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="every generated case: takes hours")
    parser.addoption(
        "--day", type=int, default=0, metavar="NUMBER",
        help="take what the long run draws on this day since 1970; 0: what every change meets",
    )  # fmt: skip


def pytest_report_header(config: pytest.Config) -> str:
    return f"drawn by day: --day {config.getoption('day')}"


def pytest_configure() -> None:
    """A shell that starts a command in the background lets it ignore Ctrl-C, and all that the
    command starts; tests press it. Most of what is collected lives to the end: to look for garbage
    as often as Python usually does takes a tenth of the time."""
    gc.set_threshold(100_000, 10, 10)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.modules.setdefault("rfc3987_syntax", None)  # as `classroom/nbgrader/__init__.py` says


@pytest.hookimpl(tryfirst=True)  # before those that `-m` does not ask for are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as long the cases that the quick run does not draw; drop those that no run draws."""
    shared = config.pluginmanager.hasplugin("xdist")
    sampled: dict[tuple[str, Share], list[pytest.Item]] = collections.defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("sampled"):
            sampled[item.nodeid.partition("[")[0], Share(**mark.kwargs)].append(item)
        if shared and item.path.name == "suite.py":  # the first check has the chapter judged
            item.add_marker(pytest.mark.xdist_group(item.path.parent.name))
        if shared and "torch" in getattr(item, "fixturenames", ()):  # imported once
            item.add_marker(pytest.mark.xdist_group("PyTorch"))
    dropped = set()
    for (_, share), cases in sampled.items():
        quick, long = share.split(cases, config.getoption("day"))
        for case in {*cases} - quick:
            case.add_marker(pytest.mark.long)
        if not config.getoption("whole"):
            dropped |= {*cases} - quick - long
    if dropped:
        config.hook.pytest_deselected(items=[item for item in items if item in dropped])
        items[:] = [item for item in items if item not in dropped]


def pytest_collection_finish() -> None:
    """Freeze what was collected: it is no garbage, and need not be searched for any."""
    gc.freeze()


class Share(NamedTuple):
    """The part of a test's cases that each run takes: one in so many, none for 0.

    Cases of one test with different shares, or different words in `of`, are drawn apart: so a
    test can take some of each group of its cases.
    """

    quick: int = 0
    long: int = 1
    of: str = ""

    def split(
        self, cases: Iterable[pytest.Item], day: int
    ) -> tuple[set[pytest.Item], set[pytest.Item]]:
        """Return the cases of the quick run, and those of the long one on a day.

        Each draws the cases whose names have the smallest digests: so each test draws others of the
        same chapters, and no share fits the nesting of parameters. (Of `light, dark, light, dark …`
        every second would always be light.) Example: quick=3, long=2 of 8 cases are 2 and 3.

        The quick run always draws the same. The long run draws others for each day, and in a turn
        of as many days as it has parts, every case. The next turn deals them anew: so who runs the
        tests once a week does not meet the same part each time.
        """
        ordered = sorted(cases, key=digest_of)
        quick = count_drawn(len(ordered), self.quick)
        rest = ordered[quick:]
        size = count_drawn(len(rest), self.long)
        turn, part = divmod(day, -(-len(rest) // size)) if size else (0, 0)
        rest.sort(key=lambda case: digest_of(case, turn))
        first = min(part * size, len(rest) - size)  # the last part takes some of the one before
        return {*ordered[:quick]}, {*rest[first : first + size]}


def digest_of(case: pytest.Item, turn: int = 0) -> bytes:
    """Return what puts the cases of a test into an order that follows nothing in their names."""
    return hashlib.sha256(f"{case.nodeid}{turn or ''}".encode()).digest()


def count_drawn(count: int, one_in: int) -> int:
    """Return the number of cases that a run takes: at least one, unless it takes none."""
    return min(count, max(1, count // one_in)) if one_in else 0


@pytest.fixture(scope="session")
def is_whole(request: pytest.FixtureRequest) -> bool:
    """Whether `--whole` is given: a test that samples in its body then takes everything."""
    return bool(request.config.getoption("whole"))


@pytest.fixture(scope="session")
def part_of(request: pytest.FixtureRequest) -> Callable[[Sequence[Item], int], Sequence[Item]]:
    """The part of what a long test goes through that this day's run takes: one in so many. In as
    many days that is everything; with `--whole`, each time."""
    day, whole = request.config.getoption("day"), request.config.getoption("whole")

    def part(items: Sequence[Item], one_in: int) -> Sequence[Item]:
        return items if whole else items[day % min(one_in, len(items)) :: one_in]

    return part


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many a test waits for a clock; each process collects all."""
    return (os.cpu_count() or 1) + 1
