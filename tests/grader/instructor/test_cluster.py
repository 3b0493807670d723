"""A submission as bytes and as files again: what makes it unfit stays so.

Beyond one process pool: shards that are joined again, and Dask with a worker that is lost.
"""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import pytest

from grader.classroom import cluster, judging
from grader.classroom.files import as_json
from grader.classroom.intake import handins
from grader.classroom.intake.archive_reader import read_submission_files
from grader.classroom.intake.handins import HandIn
from grader.classroom.intake.loose_files import read_hand_in
from grader.classroom.intake.submission import read_handin
from grader.classroom.marks.cohort import Cohort, digest_suites
from grader.classroom.marks.results import Results, copy_terms, merge_shards
from grader.course.key_source import open_key
from grader.course.make_key import save
from grader.course.package import Flaw
from grader.errors import WrongUse

from .conftest import write_package
from .records import unjudged

pytestmark = pytest.mark.xdist_group("cluster")  # one class


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
    with cluster.materialize_submission(cluster.serialize_submission(str(mine))) as place:
        assert kinds(place) == kinds(str(mine))
        assert os.readlink(os.path.join(place, "link")) == "/etc/passwd"
        there, here = read_submission_files(place), read_submission_files(str(mine))
        assert there.package.files == here.package.files == {"ops.py": b"x = 1\n"}
        assert sorted(r.why for r in there.refused) == sorted(r.why for r in here.refused)
        kept = place
    assert not os.path.exists(kept)


def test_a_link_carries_nothing_of_what_it_leads_to(tmp_path):
    (tmp_path / "secret").write_bytes(b"42")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    ((_, kind, data),) = cluster.serialize_submission(str(tmp_path / "link")).entries
    assert (kind, data) == (cluster.LINK, os.fsencode(tmp_path / "secret"))


def test_a_file_alone_is_a_payload_of_one(tmp_path):
    (tmp_path / "work.ipynb").write_bytes(b"{}")
    found = cluster.serialize_submission(str(tmp_path / "work.ipynb"))
    assert [each[1:] for each in found.entries] == [(cluster.FILE, b"{}")]
    with cluster.materialize_submission(found) as place:
        assert os.path.basename(place) == "work.ipynb"
        with open(place, "rb") as file:
            assert file.read() == b"{}"


def test_files_of_one_person_travel_together(tmp_path):
    for name in ("5_91_ops.py", "5_92_nn.py.txt", "5_93_essay.pdf", "5_text.html", "6_94_nn.py"):
        (tmp_path / f"loveada_{name}").write_text(name)
    mine, names = str(tmp_path / "loveada_5_91_ops.py"), ("ops.py", "nn.py")
    here = read_hand_in(mine, names)
    with cluster.materialize_submission(cluster.serialize_submission(mine)) as place:
        there = read_hand_in(place, names)
        assert there.package.files == here.package.files and len(there.package.files) == 2
        assert there.refused == here.refused and there.notes == here.notes
        assert "loveada_6_94_nn.py" not in os.listdir(os.path.dirname(place))


def sparse(path, size):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        file.truncate(size)


@pytest.mark.long
def test_a_payload_has_a_bound_and_what_it_leaves_out_is_refused_over_there(tmp_path):
    """Files that take no room on a disk: 60 of them are 960 MB."""
    for n in range(60):
        sparse(tmp_path / "thief" / f"part{n}.ipynb", 16 << 20)
    found = cluster.serialize_submission(str(tmp_path / "thief"))
    assert sum(len(data) for *_, data in found.entries) <= cluster.MOST_PAYLOAD + 1000
    with cluster.materialize_submission(found) as place:
        assert not read_submission_files(place).notebooks and read_submission_files(place).refused


def test_what_nobody_reads_travels_as_its_size(tmp_path):
    """A large file of data beside honest code costs neither the code nor the way."""
    code = tmp_path / "ada" / "babygrad" / "ops.py"
    for n in range(9):
        sparse(tmp_path / "ada" / f"a{n}.csv", 30 << 20)
    sparse(tmp_path / "ada" / "babygrad" / "large.py", 3 << 20)
    sparse(tmp_path / "ada" / ".venv" / "lib.py", 1 << 20)
    code.write_bytes(b"x = 1\n")
    found = cluster.serialize_submission(str(tmp_path / "ada"))
    assert sum(len(data) for *_, data in found.entries) < 1000
    with cluster.materialize_submission(found) as place:
        there, here = read_submission_files(place), read_submission_files(str(tmp_path / "ada"))
        assert there.package.files == here.package.files == {"ops.py": b"x = 1\n"}
        ((name, why, unfit),) = there.refused
        assert [each[:2] for each in here.refused] == [(name, why)] and unfit.flaw is Flaw.TOO_LARGE


def test_one_entry_beyond_the_bound_is_enough_to_be_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "MOST_ENTRIES", 3)
    for n in range(9):
        (tmp_path / f"{n}.py").touch()
    assert len(cluster.serialize_submission(str(tmp_path)).entries) == 5


CHAPTER = "chapter7"


@pytest.fixture(scope="module")
def submissions(tmp_path_factory, course) -> list[HandIn]:
    """Right, wrong, untouched, a link, a file with a second name, nothing."""
    base = tmp_path_factory.mktemp("cluster") / "in"
    target = next(t for t, e in course.owner.items() if e.chapter == CHAPTER and not e.given)
    write_package(base / "right", course.solved())
    write_package(base / "wrong", course.replace_bodies({target: "return None"}))
    write_package(base / "untouched", course.stubs(7))
    write_package(base / "twice", course.stubs(7))
    os.link(base / "twice" / "babygrad" / "init.py", base.parent / "second")
    (base / "link").symlink_to(base / "right")
    (base / "nothing").mkdir()
    return handins.discover([str(base)])


@pytest.fixture(scope="module")
def cohort(tmp_path_factory) -> Cohort:
    path = str(tmp_path_factory.mktemp("key") / "answers.key")
    save(open_key(), path, [f"chapter{n}" for n in range(1, 8)], with_mistakes=False)
    return Cohort(path, digest_suites(path), [CHAPTER], "own", None)


@pytest.fixture(scope="module")
def expected(submissions, cohort) -> dict[str, bytes]:
    """Learner → the record of the ordinary pool."""
    done = judging.judge_in_pool(submissions, lambda handin: None, cohort, 1, 600)
    return {handin.learner: as_json(record) for (handin, _), record in done}


@pytest.mark.long
def test_dask_gives_the_same_records_byte_for_byte(submissions, cohort, expected, monkeypatch):
    """One worker is killed halfway, and the submissions travel as bytes."""
    distributed = pytest.importorskip("distributed")
    from grader.classroom import cluster

    real = cluster._client
    monkeypatch.setattr(cluster, "_client", lambda where, jobs: real(cluster.LOCAL, jobs))
    found = {}
    for (handin, _), record in cluster.judge_on_cluster(
        submissions, lambda handin: None, cohort, "elsewhere", 2, 600
    ):
        if not found:
            pids = distributed.default_client().run(os.getpid)
            os.kill(next(iter(pids.values())), signal.SIGKILL)
        found[handin.learner] = as_json(record)
    assert found == expected


def test_a_scheduler_file_is_waited_for(tmp_path, monkeypatch):
    """An instructor who starts the scheduler and the class together has no scheduler file yet."""
    late, never = tmp_path / "late.json", tmp_path / "never.json"
    monkeypatch.setattr(cluster.time, "sleep", lambda seconds: late.write_text("{}"))
    assert cluster._place(str(late)) == {"scheduler_file": str(late)}
    assert cluster._place("tls://127.0.0.1:8786") == {"address": "tls://127.0.0.1:8786"}
    monkeypatch.setattr(cluster, "SECONDS_TO_COME", 0)
    with (
        pytest.raises(WrongUse, match="no scheduler at .*never.json .*has not come"),
        cluster._client(str(never), 1),
    ):
        pass


def test_a_payload_is_refused_for_what_the_submission_is_refused_for(submissions, course):
    for handin in submissions:
        with cluster.materialize_submission(cluster.serialize_submission(handin.path)) as place:
            assert _read(place, course) == _read(handin.path, course), handin.learner


def _read(path: str, course) -> tuple[str, str]:
    try:
        package, *_ = read_handin(path, course)
        return package.sha256, ""
    except WrongUse as error:
        return "", str(error).replace(path, "")


def test_a_link_carries_nothing_of_what_it_leads_to_cluster(submissions):
    link = next(h for h in submissions if h.learner == "link")
    ((_, kind, data),) = cluster.serialize_submission(link.path).entries
    assert kind == cluster.LINK and data == os.fsencode(os.readlink(link.path))


@pytest.mark.long
def test_parts_become_one_folder_and_strangers_do_not(
    submissions, cohort, expected, grader, tmp_path
):
    base = tmp_path / "base"
    place = str(Path(submissions[0].path).parent)
    common = ["--chapters", CHAPTER, "--isolation", "process"]
    ran = grader("grade", place, "--out", str(base), "--seed", "public", "--prepare", *common)
    assert ran.status == 0 and "0 judged" in ran.out
    outs = [str(tmp_path / f"part{n}") for n in (1, 2)]
    for n, out in enumerate(outs, 1):
        arguments = ["--out", out, "--like", str(base), "--shard", f"{n}/2", "--jobs", "1"]
        arguments += ["--cluster", "local"] * (n == 2)  # Dask judges a shard as the pool does
        assert grader("grade", place, *arguments, *common).status in (0, 1)
    whole = str(tmp_path / "whole")
    ran = grader("merge", *outs, "--out", whole)
    assert ran.status == 0 and f"{len(submissions)} records" in ran.out
    got = {r["learner"]: as_json(r) for r in Results(whole).each()}
    assert got == expected
    assert len(Path(whole, "results.csv").read_text().splitlines()) == len(submissions) + 1
    other = Results(str(tmp_path / "stranger"))
    os.makedirs(other.learners)
    other.write_batch({**Results(outs[0]).batch, "seed": "another"})
    with pytest.raises(WrongUse, match="different seeds"):
        merge_shards([*outs, other.folder], Results(str(tmp_path / "none")))


def test_a_shard_without_a_common_seed_is_refused(submissions, grader, tmp_path):
    place = str(Path(submissions[0].path).parent)
    ran = grader("grade", place, "--out", str(tmp_path / "out"), "--shard", "1/2")
    assert ran.status == 2 and "--seed-file" in ran.err


def test_one_learner_with_two_records_is_said(tmp_path):
    batch = {"schema": "grader-batch/1", "seed": "x"}
    parts = []
    for n, says in enumerate("ab"):
        with Results(str(tmp_path / str(n))) as results:
            results.write_batch(batch)
            results.write(unjudged("ann", says))
            parts.append(results.folder)
    with (
        Results(str(tmp_path / "out")) as out,
        pytest.raises(WrongUse, match="another record of ann"),
    ):
        merge_shards(parts, out)
    assert not (tmp_path / "like").exists()
    with (
        Results(str(tmp_path / "like")) as fresh,
        pytest.raises(WrongUse, match="holds no results"),
    ):
        copy_terms(fresh, str(tmp_path / "nowhere"))
