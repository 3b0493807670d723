"""A submission as bytes and as files again: what makes it unfit stays so."""

from __future__ import annotations

import os
import stat

from grader.classroom import payload
from grader.classroom.arrival import take


def kinds(place: str) -> dict[str, tuple[int, int]]:
    """Path → what it is, and how many names it has."""
    found = {}
    for base, folders, names in os.walk(place):
        for name in [*folders, *names]:
            path = os.path.join(base, name)
            state = os.lstat(path)
            links = 2 if stat.S_ISREG(state.st_mode) and state.st_nlink > 1 else 1
            found[os.path.relpath(path, place)] = (stat.S_IFMT(state.st_mode), links)
    return found


def test_folders_links_pipes_and_second_names_arrive_as_such(tmp_path):
    mine = tmp_path / "in" / "ada"
    (mine / "babygrad").mkdir(parents=True)
    (mine / "babygrad" / "ops.py").write_bytes(b"x = 1\n")
    (mine / "link").symlink_to("/etc/passwd")
    os.mkfifo(mine / "pipe.py")
    (mine / "twice.py").write_text("y")
    os.link(mine / "twice.py", tmp_path / "second")
    with payload.unpacked(payload.packed(str(mine))) as place:
        assert kinds(place) == kinds(str(mine))
        assert os.readlink(os.path.join(place, "link")) == "/etc/passwd"
        there, here = take(place), take(str(mine))
        assert there.package.files == here.package.files == {"ops.py": b"x = 1\n"}
        assert sorted(r.why for r in there.refused) == sorted(r.why for r in here.refused)
        kept = place
    assert not os.path.exists(kept)


def test_a_link_carries_nothing_of_what_it_leads_to(tmp_path):
    (tmp_path / "secret").write_bytes(b"42")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    ((_, kind, data),) = payload.packed(str(tmp_path / "link")).entries
    assert (kind, data) == (payload.LINK, os.fsencode(tmp_path / "secret"))


def test_a_file_alone_is_a_parcel_of_one(tmp_path):
    (tmp_path / "work.ipynb").write_bytes(b"{}")
    found = payload.packed(str(tmp_path / "work.ipynb"))
    assert [each[1:] for each in found.entries] == [(payload.FILE, b"{}")]
    with payload.unpacked(found) as place:
        assert os.path.basename(place) == "work.ipynb"
        with open(place, "rb") as file:
            assert file.read() == b"{}"


def test_one_entry_beyond_the_bound_is_enough_to_be_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(payload, "MOST_ENTRIES", 3)
    for n in range(9):
        (tmp_path / f"{n}.py").touch()
    assert len(payload.packed(str(tmp_path)).entries) == 5
