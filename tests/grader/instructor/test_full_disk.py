"""A disk that is really full, in a mount namespace of its own: nothing that was written is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from grader import root
from grader.learner.untrusted_files import read_json_or_none

from ..machine import enough
from .conftest import CHAPTER, write_package

PRIVATE = ["unshare", "--mount"]
SCRIPT = """
set -e
mount -t tmpfs -o "$2" tmpfs "$1/disk"
grade() { set +e; "$PYTHON" -m grader grade "$1/in" --out "$1/disk/out" --seed public \\
  --chapters "$CHAPTER" --jobs 1 $LESS > "$1/said" 2>&1; status=$?; set -e; }
grade "$1"; cp "$1/said" "$1/first"; echo $status >> "$1/first"
cp -r "$1/disk/out" "$1/kept"
mount -o remount,size=64m,nr_inodes=1k "$1/disk"
grade "$1"; cp "$1/said" "$1/second"; echo $status >> "$1/second"
cp -r "$1/disk/out" "$1/done"
"""


def may_mount() -> bool:
    tried = [*PRIVATE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (
        bool(shutil.which("unshare"))
        and not subprocess.run(tried, capture_output=True, check=False).returncode
    )


@pytest.mark.long
@pytest.mark.skipif(not may_mount(), reason="no disk can be mounted here")
@pytest.mark.parametrize(
    ("room", "some"),
    [("size=128k", False), ("size=64m,nr_inodes=9", True)],  # no key; two or three records
)
def test_a_batch_meets_the_end_of_the_disk_and_goes_on(room, some, course, tmp_path):
    for n in range(5):
        texts = {**course.stubs(), "ops.py": f"raise Exception({n})"}
        write_package(tmp_path / "in" / f"s{n}", texts)
    (tmp_path / "disk").mkdir()
    environment = {"PYTHONPATH": root.ROOT, "PYTHON": sys.executable, "CHAPTER": CHAPTER}
    environment["LESS"] = " ".join(enough("grade")[1:])
    subprocess.run(
        [*PRIVATE, "sh", "-c", SCRIPT, "sh", str(tmp_path), room],
        env={**os.environ, **environment}, check=True, timeout=600,
    )  # fmt: skip
    first, second = (tmp_path / "first").read_text(), (tmp_path / "second").read_text()
    assert first.endswith("2\n") and "The disk is full. Make room" in first
    assert "Traceback" not in first + second
    kept = sorted(p for p in (tmp_path / "kept" / "learners").iterdir())
    assert all(read_json_or_none(str(p))["status"] == "graded" for p in kept)
    assert (0 < len(kept) < 5) if some else not kept
    assert f"{5 - len(kept)} judged, {len(kept)} kept" in second and second.endswith("0\n")
    for path in kept:
        assert (tmp_path / "done" / "learners" / path.name).read_bytes() == path.read_bytes()
    assert len(list((tmp_path / "done" / "learners").iterdir())) == 5
