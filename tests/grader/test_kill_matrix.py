"""Which check catches which mistake: read from what the key holds of it."""

from __future__ import annotations

from grader.judge.kill_matrix import caught_by

from .small_key import ID, Probes, check, exercise


def test_a_mistake_is_caught_by_every_check_that_it_fails():
    probes = Probes()
    probes.add([1.0], {"late": [1.0], "wrong": [2.0], "raises": {"ended": "raised"}})
    probes.add([3.0], {"late": [9.0], "wrong": [2.0], "raises": [3.0]})
    names = [f"{ID}/first", f"{ID}/second", f"{ID}/both", "chapter1.other/x"]
    checks = [
        check(*row, id=name) for name, row in zip(names, ([0], [1], [0, 1], [0]), strict=True)
    ]
    key = probes.key([exercise()], checks)
    gives = probes.gives
    assert caught_by(key, ID, gives["late"]) == [f"{ID}/second", f"{ID}/both"]
    assert caught_by(key, ID, gives["wrong"]) == names[:3]
    assert caught_by(key, ID, gives["raises"]) == [f"{ID}/first", f"{ID}/both"]
    assert caught_by(key, ID, {}) == names[:3]
