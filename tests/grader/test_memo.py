"""The cache on the disk: what is put there comes back, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

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


@pytest.fixture
def forged(mine, tmp_path):
    """The path of an entry, and bytes that would be one: other ones than were put there."""
    mine.put("name", b"right")
    other = Memo(str(tmp_path / "others"))
    other.put("name", b"forged")
    return Path(mine._path("name")), Path(other._path("name")).read_bytes()


def by_another_user(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    if os.getuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(path, 65534, 65534)


def in_a_folder_of_another_user(path: Path, data: bytes) -> None:
    by_another_user(path, data)
    os.chown(path.parent, 65534, 65534)


def open_to(mode: int):
    def forge(path: Path, data: bytes) -> None:
        path.write_bytes(data)
        path.chmod(mode)

    return forge


def by_a_link(path: Path, data: bytes) -> None:
    elsewhere = path.parent / "elsewhere"
    elsewhere.write_bytes(data)
    path.unlink()
    path.symlink_to(elsewhere)


def by_a_pipe(path: Path, data: bytes) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def by_a_folder(path: Path, data: bytes) -> None:
    path.unlink()
    path.mkdir()


def by_a_device(path: Path, data: bytes) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def by_a_folder_that_is_a_link(path: Path, data: bytes) -> None:
    away = path.parents[2] / "away"
    path.parent.rename(away)
    path.parent.symlink_to(away)
    by_another_user(path, data)


FORGERIES = [
    by_another_user, in_a_folder_of_another_user, open_to(0o666), open_to(0o620), by_a_link,
    by_a_pipe, by_a_folder, by_a_device, by_a_folder_that_is_a_link,
]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a POSIX file system")
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda each: each.__qualname__)
def test_what_another_user_may_have_written_is_no_entry(mine, forged, forge):
    path, data = forged
    assert mine.get("name") == b"right"  # the honest twin
    forge(path, data)
    assert mine.get("name") is None
    if not path.is_dir():
        assert mine.get_or_make("name", "it", lambda: b"right") == b"right"
        assert mine.get("name") == b"right" or path.parent.is_symlink()


def test_a_lock_that_is_a_link_makes_no_file_elsewhere(mine, tmp_path):
    with mine.entry_lock("before", "nothing"):
        pass
    (tmp_path / "locks" / "name").symlink_to(tmp_path / "made elsewhere")
    with mine.entry_lock("name", "nothing"):
        assert not (tmp_path / "made elsewhere").exists()
