"""The examples, each at a size that takes seconds, against the reference; and what they refuse."""

from __future__ import annotations

import gzip
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader import root

EXAMPLES = Path(root.path("examples"))
SOLVED, STUBS = root.path("solutions"), root.path("babygrad")
PROGRAMS = sorted(
    path.stem for path in EXAMPLES.glob("*.py") if path.stem not in ("package", "digits_data")
)
ARGUMENTS = {
    "two_moons": ("--steps", "60", "--points", "40"),
    "digits_by_hand": ("--epochs", "5"),
    "digits": ("--epochs", "3"),
    "mnist": ("--epochs", "4"),
}  # fmt: skip
# What the last number of the output has to reach.
LEAST = {
    "xor": 4, "two_moons": 75, "digits_by_hand": 90, "digits": 90, "deep_net": 70, "mnist": 90,
}  # fmt: skip
NEEDS = {"torch_twin": "torch"}
REAL_MNIST = os.environ.get("BABYGRAD_MNIST")
# Small arrays gain nothing from threads, and lose much where tests run side by side.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def run(
    program: str, *arguments: str, package: str = SOLVED, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """An example as a process of its own, that looks for MNIST nowhere but where it is told."""
    environment = {name: v for name, v in os.environ.items() if name != "BABYGRAD_MNIST"}
    return subprocess.run(
        [sys.executable, str(EXAMPLES / f"{program}.py"), "--package", package, *arguments],
        cwd=cwd,
        env={**environment, **ONE_THREAD},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def percent(text: str) -> float:
    """The last number that an example told."""
    return float(re.findall(r"(\d+(?:\.\d+)?)%", text)[-1])


@pytest.fixture
def small_mnist(tmp_path: Path) -> Path:
    """Two small IDX files under MNIST's names: ten classes, each a bright bar of its own."""
    rng = np.random.default_rng(0)
    labels = np.arange(600, dtype=np.uint8) % 10
    images = rng.integers(0, 60, (600, 28, 28), dtype=np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[2 * label + 3 : 2 * label + 6, 4:24] += 180
    write_idx(tmp_path / "t10k-images-idx3-ubyte.gz", images)
    write_idx(tmp_path / "t10k-labels-idx1-ubyte.gz", labels)
    return tmp_path


def write_idx(path: Path, array: np.ndarray) -> None:
    header = struct.pack(f">HBB{array.ndim}I", 0, 0x08, array.ndim, *array.shape)
    path.write_bytes(gzip.compress(header + array.tobytes()))


@pytest.mark.parametrize("program", PROGRAMS)
def test_example_reaches_what_it_is_meant_to_reach(program, small_mnist):
    pytest.importorskip(NEEDS.get(program, "numpy"))
    extra = ("--data", str(small_mnist)) if program == "mnist" else ()
    done = run(program, *ARGUMENTS.get(program, ()), *extra)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr
    if program == "xor":
        assert "4 of 4 right" in done.stdout
    elif program in LEAST:
        assert percent(done.stdout) >= LEAST[program]
    else:
        assert "is rounding)" in done.stdout


@pytest.mark.skipif(not REAL_MNIST, reason="BABYGRAD_MNIST does not say where the files are")
def test_mnist_on_the_real_files():
    done = run("mnist", "--data", REAL_MNIST, "--epochs", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert percent(done.stdout) > 90


def test_two_moons_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "moons.png"
    done = run("two_moons", "--steps", "2", "--points", "20", "--plot", str(picture))
    assert done.returncode == 0, done.stderr
    assert f"picture written to {picture}" in done.stdout
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (720, 480)


def test_two_moons_without_matplotlib_say_so(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not here')\n")
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(EXAMPLES)!r}]; "
        "import two_moons; two_moons.draw(None, [], 'moons.png')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout == "No picture: matplotlib is not installed (pip install matplotlib).\n"


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_wrong_package_ends_in_a_sentence(program, tmp_path, small_mnist):
    if program in NEEDS and importlib.util.find_spec(NEEDS[program]) is None:
        pytest.skip(f"{NEEDS[program]} is not installed")
    extra = ("--data", str(small_mnist)) if program == "mnist" else ()
    empty = tmp_path / "empty"
    empty.mkdir()
    unfinished = tmp_path / "work" / "babygrad"
    shutil.copytree(STUBS, unfinished, ignore=shutil.ignore_patterns("__pycache__"))
    told = {
        str(tmp_path / "nowhere"): "is not a folder.",
        str(empty): "is not the package babygrad, nor does it hold a folder of that name.",
        str(unfinished): "This example needs a finished package. Not written yet: ",
    }
    for package, sentence in told.items():
        done = run(program, *extra, package=package)
        assert done.returncode == 1
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr


def test_mnist_says_what_it_looked_for(tmp_path):
    assert "Where is MNIST?" in run("mnist").stderr
    (tmp_path / "t10k-images-idx3-ubyte.gz").write_bytes(b"")
    done = run("mnist", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == f"{tmp_path} does not hold t10k-labels-idx1-ubyte.gz.\n"


def test_too_little_training_ends_in_a_sentence():
    done = run("digits_by_hand", "--epochs", "1")
    assert done.returncode == 1
    assert re.fullmatch(r"Test accuracy \d+\.\d%: at least 90% was asked for\.\n", done.stderr)


def test_every_example_stands_in_the_readme():
    readme = (EXAMPLES / "README.md").read_text("utf-8")
    for program in PROGRAMS:
        assert readme.count(f"| `{program}.py` |") == 2, f"{program} in both tables"
