"""The cache on the disk: what is put there comes back, whole or not at all."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import memo
from grader.errors import WrongUse
from grader.memo import CHECKSUM, Memo, hash_values


@pytest.fixture
def mine(tmp_path) -> Memo:
    return Memo(str(tmp_path))


def test_what_was_put_comes_back_until_something_else_is(mine):
    assert mine.get("name") is None
    assert mine.put("name", b"one") and mine.get("name") == b"one"
    assert mine.put("name", b"two") and mine.get("name") == b"two"
    assert mine.get("another") is None


@pytest.mark.parametrize("keep", [0, 2, CHECKSUM, CHECKSUM + 3])
def test_a_damaged_entry_counts_as_missing(mine, keep):
    mine.put("name", b"contents")
    path = mine._path("name")
    with open(path, "r+b") as file:
        file.truncate(keep)
    assert mine.get("name") is None


def test_where_nothing_can_be_kept_nothing_breaks(tmp_path):
    (tmp_path / "memo").write_text("no folder")
    mine = Memo(str(tmp_path))
    assert mine.put("name", b"contents") is False and mine.get("name") is None
    mine.prune()


def test_a_cache_without_a_folder_keeps_nothing(monkeypatch):
    def refuse() -> str:
        raise WrongUse("There is no folder.")

    monkeypatch.setattr(memo, "folder", refuse)
    cache = memo.open_optional()
    assert not cache.remember("name", 1) and cache.recall("name") is None


def test_what_was_not_used_for_longest_goes(mine, monkeypatch):
    monkeypatch.setattr(memo, "MOST_BYTES", 3000)
    for age, name in enumerate("cab"):
        mine.put(name, b"x" * 1400)
        os.utime(mine._path(name), (1000 + age, 1000 + age))
    assert mine.get("c")  # used now
    mine.prune()
    assert mine.get("a") is None
    assert mine.get("b") and mine.get("c")


def test_a_lock_leaves_no_fd_behind(mine):
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    for _ in range(3):
        with mine.entry_lock("name", "nothing"):
            pass
    assert len(before) == len(os.listdir("/proc/self/fd") if before else [])


def test_others_read_and_change_no_entry_whatever_the_umask(mine, tmp_path):
    before = os.umask(0)
    try:
        assert mine.put("name", b"hidden")
        with mine.entry_lock("name", "nothing"):
            pass
    finally:
        os.umask(before)
    found = {str(path): path.stat().st_mode & 0o077 for path in tmp_path.rglob("*")}
    assert len(found) == 5 and not any(found.values()), found


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=6,
)


@given(plain, plain)
def test_equal_values_have_one_name_and_others_have_another(one, other):
    assert hash_values(one) == hash_values(one)
    if repr(one) != repr(other):
        assert hash_values(one) != hash_values(other)


def test_what_is_made_is_made_once(mine):
    made = [mine.get_or_make("name", "it", lambda each=each: each) for each in (b"one", b"two")]
    assert made == [b"one", b"one"] == [mine.get("name")] * 2
