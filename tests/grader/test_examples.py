"""The examples, each at a size that takes seconds, against the reference; and what they refuse."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from grader import root

EXAMPLES = Path(root.path("examples"))
SOLVED, STUBS = root.path("solutions"), root.path("babygrad")
PROGRAMS = sorted(
    path.stem for path in EXAMPLES.glob("*.py") if "\nif __name__ ==" in path.read_text("utf-8")
)
DRAWN = [
    program for program in PROGRAMS
    if "\nimport pictures" in (EXAMPLES / f"{program}.py").read_text("utf-8")
]  # fmt: skip
ARGUMENTS = {
    "two_moons": ("--steps", "60", "--points", "40"),
    "digits_by_hand": ("--epochs", "5"),
    "digits": ("--epochs", "3"),
    "mnist": ("--epochs", "4"),
    "mnist_grad_fn": ("--epochs", "8"),
    "resume": ("--epochs", "4"),
    "two_moons_twin": ("--steps", "400"),
    "curvature": ("--steps", "200"),
    "gpt_text": ("--steps", "150", "--margin", "-0.5", "--save", "gpt.npz"),
    "gpt_answers": ("--steps", "3"),
    "gpt_sequences": ("--steps", "450"),
    "gpt_value": ("--steps", "30", "--least", "0.1"),
}  # fmt: skip
# What the last number of the output has to reach.
LEAST = {
    "xor": 4, "two_moons": 75, "digits_by_hand": 90, "digits": 90, "digits_cnn": 97,
    "deep_net": 70, "mnist": 90, "mnist_grad_fn": 90, "two_moons_twin": 95, "demo": 90,
    "gpt_sequences": 95, "gpt_value": 10, "gallery": 100,
}  # fmt: skip
NEEDS = {"torch_twin": "torch"}
SHARES = dict.fromkeys(("gpt_sequences", "gpt_value", "gpt_text"), {"long": 0})  # take a minute
NEED_MNIST = ("mnist", "mnist_grad_fn")
REAL_MNIST = os.environ.get("BABYGRAD_MNIST")
THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def run(
    program: str, *arguments: str, package: str = SOLVED, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """An example as a process of its own, that looks for MNIST nowhere but where it is told."""
    unset = {"BABYGRAD_MNIST", *THREADS}
    environment = {name: v for name, v in os.environ.items() if name not in unset}
    return subprocess.run(
        [sys.executable, str(EXAMPLES / f"{program}.py"), "--package", package, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def skip_without_needs(program: str) -> None:
    """Skip the test where a package is missing; to import it would take as long as the test."""
    if program in NEEDS and importlib.util.find_spec(NEEDS[program]) is None:
        pytest.skip(f"{NEEDS[program]} is not installed")


def percent(text: str) -> float:
    """The last number that an example told."""
    return float(re.findall(r"(\d+(?:\.\d+)?)%", text)[-1])


def is_drawn(path: Path) -> bool:
    """Whether it is a PNG that holds more than white paper with a frame."""
    from matplotlib.image import imread

    pixels = imread(path)[:, :, :3]
    height, width = pixels.shape[:2]
    colours = len(np.unique((pixels * 255).astype(int).reshape(-1, 3), axis=0))
    return height == 480 and width >= 720 and colours > 20


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


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(p, marks=pytest.mark.sampled(**SHARES.get(p, {"quick": 8, "long": 2})))
        for p in PROGRAMS
    ],
)
def test_example_reaches_what_it_is_meant_to_reach(program, small_mnist):
    skip_without_needs(program)
    extra = ("--data", str(small_mnist)) if program in NEED_MNIST else ()
    done = run(program, *ARGUMENTS.get(program, ()), *extra, cwd=small_mnist)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr
    if program in DRAWN and importlib.util.find_spec("matplotlib"):
        assert f"picture written to {program}.png" in done.stdout
        assert is_drawn(small_mnist / f"{program}.png")
    if program == "xor":
        assert "4 of 4 right" in done.stdout
    elif program == "resume":
        assert "finished by another process: 0 of 38 arrays differ" in done.stdout
    elif program == "curvature":
        assert "Newton's method: 6 steps" in done.stdout
    elif program == "compiled_c":
        said = "C and NumPy agree" if shutil.which("cc") else "has no C compiler"
        assert said in done.stdout
    elif program == "own_arrays":
        assert "from the run on NumPy: " in done.stdout and "120 × MatMul" in done.stdout
    elif program == "gpt_answers":
        assert "the same with the cache and without" in done.stdout
    elif program == "gpt_text":
        assert "loaded again it says the same" in done.stdout
    elif program in LEAST:
        assert percent(done.stdout) >= LEAST[program]
    else:
        assert "is rounding)" in done.stdout


@pytest.fixture
def names(tmp_path):
    """A text of somebody's own, without the capital that the book's sentence begins with."""
    own = tmp_path / "names.txt"
    own.write_text("ada\ngrace\nkatherine\n" * 100)
    return own


def test_a_gpt_writes_from_a_text_of_ones_own(names, tmp_path):
    few = ("--steps", "1", "--margin", "-9", "--no-plot")
    done = run("gpt_text", *few, "--text", str(names))
    assert done.returncode == 0, done.stderr
    assert "  | ada grace kat" in done.stdout
    names.write_text("ada\n")
    for file, says in ((names, "too little to learn from"), (tmp_path, "is not a file")):
        done = run("gpt_text", "--text", str(file))
        assert done.returncode == 1 and says in done.stderr and "Traceback" not in done.stderr


def test_without_matplotlib_a_gpt_shows_as_text_what_a_head_looks_at(names, tmp_path, monkeypatch):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = run("gpt_text", "--steps", "1", "--margin", "-9", "--text", str(names), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    signs = "ada_grace_katherine_ada_grace_kath"  # what the sentence is as long as
    shown = done.stdout.partition(f"    {signs}\n")[2].splitlines()[: len(signs)]
    assert [row[2] for row in shown] == list(signs)
    assert shown[0] == "  a @"  # the first one sees only itself, and no one what comes later
    assert all(len(row) <= 4 + at for at, row in enumerate(shown, 1))


def test_a_gpt_answers_on_a_page_of_this_machine(names, tmp_path):
    arguments = ("--package", SOLVED, "--steps", "0", "--serve", "--text", str(names))
    program = [sys.executable, str(EXAMPLES / "gpt_answers.py"), *arguments]
    with subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as served:
        try:
            told = next(line for line in served.stdout if "It answers at" in line)
            (address,) = re.findall(r"http://127\.0\.0\.1:\d+/", told)
            with urllib.request.urlopen(address, timeout=600) as page:
                assert b"<h1>It answers</h1>" in page.read()
            asked = f"{address}answer?prompt=ada+g!&temperature=0"
            with urllib.request.urlopen(asked, timeout=600) as answer:
                pairs = [json.loads(line) for line in answer]
            assert len(pairs) == 128 - len("ada g")
            assert all(len(letter) == 1 and 0 < chance <= 1 for letter, chance in pairs)
        finally:
            served.terminate()


@pytest.mark.skipif(not REAL_MNIST, reason="BABYGRAD_MNIST does not say where the files are")
@pytest.mark.parametrize("program", NEED_MNIST)
def test_mnist_on_the_real_files(program, tmp_path):
    done = run(program, "--data", REAL_MNIST, "--epochs", "3", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert percent(done.stdout) > 90


def test_a_picture_goes_where_it_is_told_to_or_is_not_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    few, picture = ("--steps", "2"), tmp_path / "moons.png"
    done = run("xor", *few, "--plot", str(picture), cwd=tmp_path)
    assert f"picture written to {picture}" in done.stdout
    assert is_drawn(picture)
    assert "picture" not in run("xor", *few, "--no-plot", cwd=tmp_path).stdout
    assert os.listdir(tmp_path) == ["moons.png"]
    done = run("xor", *few, "--plot", str(tmp_path / "nowhere" / "xor.png"))
    assert done.returncode == 1
    assert re.match(r"The picture cannot be written to .*: ", done.stderr)
    assert "Traceback" not in done.stderr


def with_pictures(code: str, *before: Path) -> str:
    """Return what a few lines that use `examples/pictures.py` print."""
    path = [*map(str, before), str(EXAMPLES)]
    code = f"import sys; sys.path[:0] = {path!r}; import pictures; {code}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True
    )
    return done.stdout


def test_without_matplotlib_a_sentence_says_so(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not here')\n")
    told = with_pictures("pictures.save('moons.png')", tmp_path)
    assert told == "No picture: matplotlib is not installed (pip install matplotlib).\n"


@pytest.mark.parametrize(
    ("labels", "guesses", "sentence"),
    [
        ([0, 1, 2], [0, 1, 2], "None is misread."),
        ([0, 1, 2, 2], [0, 1, 2, 1], "1 is misread: 2 as 1."),
        ([4, 4, 9, 9, 3], [9, 9, 9, 4, 3], "3 are misread, most often 4 as 9 (2 times)."),
    ],
)
def test_a_confusion_in_words(labels, guesses, sentence):
    assert with_pictures(f"print(pictures.in_words({labels}, {guesses}))") == f"{sentence}\n"


def test_small_networks_train_on_one_thread_unless_told_otherwise():
    code = f"import os; print(*(os.environ.get(name) for name in {THREADS!r}))"
    environment = {name: v for name, v in os.environ.items() if name not in THREADS}
    for given, found in (({}, "1 1 1"), ({"MKL_NUM_THREADS": "3"}, "1 3 1")):
        done = subprocess.run(
            [sys.executable, "-c", f"import blas; {code}"], cwd=EXAMPLES, text=True, check=True,
            capture_output=True, env={**environment, **given},
        )  # fmt: skip
        assert done.stdout == f"{found}\n"


@pytest.mark.parametrize("program", DRAWN)
def test_threads_are_set_before_numpy_is_imported(program):
    lines = (EXAMPLES / f"{program}.py").read_text("utf-8").splitlines()
    imported = [line.split()[1] for line in lines if re.match(r"(import|from) ", line)]
    if "numpy" in imported:
        assert imported.index("blas") < imported.index("numpy")


@pytest.mark.sampled(quick=12, long=2)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_wrong_package_ends_in_a_sentence(program, tmp_path, small_mnist):
    skip_without_needs(program)
    extra = ("--data", str(small_mnist)) if program in NEED_MNIST else ()
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


def test_too_little_training_ends_in_a_sentence(tmp_path):
    done = run("digits_by_hand", "--epochs", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert re.fullmatch(r"Test accuracy \d+\.\d%: at least 90% was asked for\.\n", done.stderr)


def test_every_example_stands_in_the_readme():
    readme = (EXAMPLES / "README.md").read_text("utf-8")
    for program in PROGRAMS:
        assert readme.count(f"| `{program}.py` |") == 2, f"{program} in both tables"
