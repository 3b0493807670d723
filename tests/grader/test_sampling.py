"""The shares of a test's cases that the quick run and the long one take."""

from __future__ import annotations

import itertools
from typing import Any

from tests.conftest import Share, count_drawn

SHARES = [Share(quick, long) for quick in (0, 1, 2, 3, 60) for long in (0, 1, 2, 60)]


class Case(str):
    """A case that has only a name."""

    @property
    def nodeid(self) -> str:
        return str(self)


def cases(count: int, test: str = "test_it") -> Any:
    return [Case(f"{test}[{n}]") for n in range(count)]


def test_runs_share_no_case_and_take_at_least_one():
    for share, count in itertools.product(SHARES, range(1, 70)):
        quick, long = share.split(cases(count), day=20_000)
        assert not quick & long and quick | long <= {*cases(count)}
        assert len(quick) == count_drawn(count, share.quick)
        assert bool(quick) == bool(share.quick)
        assert bool(long) == (bool(share.long) and len(quick) < count)


def test_share_of_one_takes_all_that_is_left():
    quick, long = Share(quick=3, long=1).split(cases(8), 0)
    assert len(quick) == 2 and quick | long == {*cases(8)}
    assert Share(quick=1).split(cases(8), 0) == ({*cases(8)}, set())


def test_another_test_draws_other_cases_and_order_does_not_matter():
    share = Share(quick=3, long=2)
    assert share.split(cases(20)[::-1], 9) == share.split(cases(20), 9)
    drawn = [{name[-3:] for name in share.split(cases(20, test), 0)[0]} for test in ("a", "b", "c")]
    assert drawn[0] != drawn[1] != drawn[2]


def test_quick_run_is_the_same_every_day_and_the_long_one_takes_every_case_in_turn():
    for share, count in itertools.product(SHARES, range(1, 70, 3)):
        first, long = share.split(cases(count), 0)
        days = -(-(count - len(first)) // len(long)) if long else 1
        drawn = [share.split(cases(count), 7 * days + day) for day in range(days)]
        assert all(quick == first for quick, _ in drawn)
        if long:
            assert set().union(*(long for _, long in drawn)) == {*cases(count)} - first


def test_who_runs_the_tests_once_a_week_meets_other_cases_each_time():
    share = Share(long=7)
    met = [share.split(cases(70), 7 * week)[1] for week in range(12)]
    assert len({frozenset(each) for each in met}) == len(met)
    assert len(set().union(*met)) > 45
