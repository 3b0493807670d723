"""Downloads of platforms are judged as they were handed in; what is left out is named."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from grader.classroom.intake.archive_reader import SubmittedFiles
from grader.classroom.intake.handins import discover
from grader.classroom.intake.loose_files import MOST_NESTED, read_hand_in
from grader.classroom.intake.submission import read_handin
from grader.classroom.marks.roster import find_learner, index_roster_names, map_owners
from grader.errors import WrongUse

from .conftest import write_package
from .platform_shapes import PLATFORMS, make_shapes, zipped


@pytest.fixture(scope="module")
def stubs(course) -> dict[str, str]:
    return course.stubs(5)


@pytest.fixture(scope="module")
def shapes(stubs):
    return make_shapes({name: text.encode() for name, text in stubs.items()})


@pytest.fixture(scope="module")
def hand_ins(shapes, tmp_path_factory):
    """Platform → the class as it downloads it: how its list calls a person → their hand-ins."""

    @cache
    def download(platform: str) -> tuple[Path, dict[str, str], list]:
        place = tmp_path_factory.mktemp("class")
        write, call = PLATFORMS[platform]
        for number, (name, shape) in enumerate(shapes.items()):
            write(place, name, number, shape)
        called = {name: call(name, number) for number, name in enumerate(shapes)}
        return place, called, discover([str(place)])

    return download


NAMES = tuple(make_shapes({}))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_person_is_one_hand_in_that_the_platform_finds(hand_ins, platform):
    _, called, found = hand_ins(platform)
    owners = map_owners({"learner": h.learner, "whose": h.whose} for h in found)
    names = index_roster_names(owners)
    learners = [find_learner(said, names) for said in called.values()]
    assert len(found) == len(called) and sorted(learners) == sorted(h.learner for h in found)


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_hand_in_is_judged_as_it_was_written(hand_ins, shapes, course, stubs, platform, name):
    _, called, found = hand_ins(platform)
    shape, names = shapes[name], index_roster_names(h.learner for h in found)
    learner = find_learner(called[name], names)
    (handin,) = (h for h in found if h.learner == learner)
    if not shape.taken:
        with pytest.raises(WrongUse) as error:
            read_handin(handin.path, course, stubs=stubs)
        assert all(file in str(error.value) for file in shape.files)
        return
    read, notes, _ = read_handin(handin.path, course, stubs=stubs)
    assert read.files == {n: shape.taken.get(n, text.encode()) for n, text in stubs.items()}
    has_text = platform != "Gradescope"  # which lets nobody type beside files
    left_out = [file for file in shape.left_out if has_text or file != "text"]
    assert all(any(file in note for note in notes) for file in left_out), notes


WANTED = ("ops.py", "nn.py", "tensor.py")
FILES = {"ops.py": b"1", "tensor.py": b"1"}
ARCHIVES = {"a.zip": zipped(FILES, "babygrad/"), "b.zip": zipped({"ops.py": b"2"}, "babygrad/")}


def read(place: Path, files: dict[str, bytes], name: str = "") -> SubmittedFiles:
    for file, data in files.items():
        (place / file).write_bytes(data)
    return read_hand_in(str(place / name) if name else str(place), WANTED)


def test_a_loose_file_goes_before_the_one_in_the_archive(tmp_path):
    found = read(tmp_path, {"a.zip": ARCHIVES["a.zip"], "ops.py": b"new"})
    assert found.package.files == {**FILES, "ops.py": b"new"}
    assert found.notes == [
        "ops.py was taken as the file that lies beside the archive, not as in it."
    ]


def test_archives_that_differ_stop_their_person_unless_loose_files_tell(tmp_path):
    with pytest.raises(WrongUse, match=r"several archives, which differ: a.zip, b.zip"):
        read(tmp_path, ARCHIVES)
    found = read(tmp_path, {"ops.py": b"new"})
    assert found.package.files == {"ops.py": b"new"}
    assert [each.name for each in found.refused] == ["a.zip", "b.zip"]


def test_a_package_folder_goes_before_archives_beside_it(tmp_path):
    write_package(tmp_path, {"ops.py": "mine"})
    assert read(tmp_path, ARCHIVES).package.files == {"ops.py": b"mine"}


@pytest.mark.parametrize("depth", range(1, MOST_NESTED + 2))
def test_archives_in_archives_are_opened_so_deep_and_no_deeper(tmp_path, depth):
    data = ARCHIVES["a.zip"]
    for _ in range(depth):
        data = zipped({"in.zip": data, "__MACOSX/._in.zip": b"", "read.me": b""})
    found = read(tmp_path, {"all.zip": data}, "all.zip")
    if depth <= MOST_NESTED:
        assert found.package.files == FILES
    else:
        assert found.refused[0].why == (
            "it holds no babygrad package. It holds in.zip (an archive), read.me."
        )


def test_two_unlike_archives_in_an_archive_are_named(tmp_path):
    found = read(tmp_path, {"all.zip": zipped(ARCHIVES)}, "all.zip")
    assert "It holds a.zip (an archive), b.zip (an archive)." in found.refused[0].why


@pytest.mark.parametrize(
    ("uploads", "taken"),
    [
        (("ops.py", "ops-1.py", "ops-2.py"), "ops-2.py"), (("ops-2.py", "ops-10.py"), "ops-10.py"),
        (("ops-1.py",), "ops-1.py"),
    ],
)  # fmt: skip
def test_of_one_file_uploaded_again_the_last_is_taken(tmp_path, uploads, taken):
    made = {name: name.encode() for name in uploads}
    paths = {f"loveada_5_9{at}_{name}": data for at, (name, data) in enumerate(made.items())}
    found = read(tmp_path, paths, next(iter(paths)))
    assert found.package.files == {"ops.py": taken.encode()}
    assert len(found.refused) == len(uploads) - 1
    assert all(f"{taken} was handed in after it." in each.why for each in found.refused)


def test_numbers_of_ones_own_are_no_uploads(tmp_path):
    paths = {f"loveada_5_9{n}_lab-{n}.zip": data for n, data in enumerate(ARCHIVES.values(), 1)}
    with pytest.raises(WrongUse, match="several archives"):
        read(tmp_path, paths, next(iter(paths)))


def test_answers_and_notebooks_among_loose_files_are_kept(tmp_path):
    files = {"ops.py": b"x", "chapter7.ipynb": b"{}", "chapter7.md": b"## Why?"}
    paths = {f"Ada_12_assignsubmission_file_{name}": data for name, data in files.items()}
    found = read(tmp_path, paths, "Ada_12_assignsubmission_file_ops.py")
    assert found.package.files == {"ops.py": b"x"} and not found.refused
    assert found.notebooks == {"chapter7.ipynb": b"{}"}
    assert found.answers == {"answers/chapter7.md": b"## Why?"}


def test_links_among_loose_files_are_refused(tmp_path):
    (tmp_path / "loveada_5_91_ops.py").symlink_to("/etc/passwd")
    found = read(tmp_path, {"loveada_5_92_nn.py": b"x"}, "loveada_5_92_nn.py")
    assert found.package.files == {"nn.py": b"x"}
    assert "it is a link" in found.refused[0].why


def test_attempts_that_canvas_numbers_anew_are_of_one_person(tmp_path):
    for place, number in (("first", 91), ("second", 97)):
        (tmp_path / place).mkdir()
        (tmp_path / place / f"loveada_5_{number}_work.zip").write_bytes(ARCHIVES["a.zip"])
    found = discover([str(tmp_path / "first"), str(tmp_path / "second")])
    assert [h.learner for h in found] == ["loveada_5_91_work", "loveada_5_97_work"]
    assert {h.whose for h in found} == {"loveada_5_91_work"}
